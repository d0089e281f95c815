//! `gcc-grammar mask`: shows which tokens may come next after a text, or writes them as a bitmask.

use crate::arguments::{ArtifactArguments, PrefixArguments};
use crate::failure::{Exit, Failure};
use crate::render::show::{SAMPLE, allowed_json, allowed_text};
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::{Allowed, Matcher, output};
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    prefix: PrefixArguments,
    /// Show the tokens after which the text can be completed within so many tokens, this one and the end token included
    #[arg(long, value_name = "N")]
    remaining: Option<u32>,
    /// Write the mask to a file, where token t is bit t % 32 of the little-endian word t / 32; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    bitmask: Option<PathBuf>,
    /// The greatest number of tokens to show
    #[arg(long, value_name = "N", default_value_t = SAMPLE)]
    sample: usize,
    #[command(flatten)]
    artifact: ArtifactArguments,
}

/// Shows the tokens that may come next.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let bitmask_to_stdout = arguments.bitmask.as_ref().is_some_and(|path| path.as_os_str() == "-");
    if bitmask_to_stdout {
        shell.expect_binary_output("--bitmask")?;
    }
    if let Some(path) = &arguments.bitmask {
        let inputs = [Some(arguments.artifact.path()), arguments.prefix.file()];
        output::check_distinct(path, inputs.into_iter().flatten())?;
    }
    let session = arguments.artifact.session(shell)?;
    let mut matcher = session.matcher_with_rollback(1)?;
    arguments.prefix.commit(&mut matcher)?;
    matcher.set_budget(arguments.remaining)?;
    let allowed = Allowed::new(&mut matcher)?;
    if let Some(path) = &arguments.bitmask {
        write_bitmask(path, &mut matcher, shell)?;
        if bitmask_to_stdout {
            return Ok(Exit::Done);
        }
    }
    let (vocabulary, is_degraded) = (session.vocabulary(), matcher.degraded_masks() > 0);
    let json = || {
        let mut mask = allowed_json(&allowed, vocabulary, arguments.sample);
        mask["degraded"] = is_degraded.into();
        mask
    };
    let text = || {
        let width = session.engine().grammar().meta().mask_width;
        let complete = if allowed.complete { "the text may end here" } else { "the text is not complete" };
        let degraded = if is_degraded { DEGRADED } else { "" };
        let allowed_text = allowed_text(&allowed, vocabulary, arguments.sample);
        format!("{} of {width} tokens allowed; {complete}\n{degraded}{allowed_text}", allowed.count)
    };
    shell.write(text, json)
}

const DEGRADED: &str =
    "degraded  the search for affordable tokens went beyond its bound: some may be missing\n";

fn write_bitmask(path: &Path, matcher: &mut Matcher, shell: &Shell) -> Result<(), Failure> {
    let mut row = vec![0u32; matcher.session().row_words()];
    matcher.fill_mask(&mut row)?;
    let bytes: Vec<u8> = row.iter().flat_map(|word| word.to_le_bytes()).collect();
    if path.as_os_str() == "-" {
        return shell.write_binary(&bytes);
    }
    Ok(output::write(path, &bytes)?)
}
