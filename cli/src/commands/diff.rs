//! `gcc-grammar diff`: tells whether two schemas or grammars accept the same texts, and shows texts that only one of them accepts.

use crate::arguments::{FormatArguments, FrontEndArguments, LimitArguments};
use crate::failure::{Exit, Failure};
use crate::render::difference::{difference_json, difference_text};
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::difference::difference;
use gcc_grammar::{Options, Parsed, parse};
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The file of a schema or grammar; `-` is the standard input
    #[arg(value_name = "FIRST")]
    first: PathBuf,
    /// The file of the other one
    #[arg(value_name = "SECOND")]
    second: PathBuf,
    #[command(flatten)]
    format: FormatArguments,
    #[command(flatten)]
    front_end: FrontEndArguments,
    #[command(flatten)]
    limits: LimitArguments,
}

/// Compares two grammars. The exit code is that of `diff`: 0 if they accept the same texts, 1 if not; and 3 if that is not known.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let options = Options { limits: arguments.limits.options(), ..arguments.front_end.options()? };
    let read = |path: &Path| -> Result<Parsed, Failure> {
        let source = arguments.front_end.read(path, arguments.format.format)?;
        let parsed = parse(&source, &options)?;
        shell.warn(&parsed.warnings, &parsed.text);
        Ok(parsed)
    };
    let (first, second) = (read(&arguments.first)?, read(&arguments.second)?);
    let difference = difference(&first, &second, &options)?;
    let names = [&*first.text.name, &*second.text.name];
    shell.write(|| difference_text(names, &difference), || difference_json(names, &difference))?;
    Ok(match difference.are_equal() {
        Some(true) => Exit::Done,
        Some(false) => Exit::Refused,
        None => Exit::OverBudget,
    })
}
