//! `gcc-grammar trace`: shows how a text is cut into lexemes, and the parser stack after each lexeme.

use crate::arguments::{GrammarArguments, LimitArguments, TextArguments};
use crate::failure::{Exit, Failure};
use crate::render::trace::{trace_json, write_trace};
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::{Options, parse, trace_with};
use std::io::Write;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    text: TextArguments,
    /// Show ignored lexemes, too
    #[arg(long)]
    ignored: bool,
    #[command(flatten)]
    grammar: GrammarArguments,
    #[command(flatten)]
    limits: LimitArguments,
}

/// Shows the lexemes of a text, the parser stack after each, and the number of stacks.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let options = Options { limits: arguments.limits.options(), ..arguments.grammar.options()? };
    let parsed = parse(&arguments.grammar.source()?, &options)?;
    let text = arguments.text.read()?;
    let trace = trace_with(&parsed, &text, &options, arguments.ignored)?;
    if shell.json {
        shell.write_json(&trace_json(&trace))?;
    } else {
        let mut out = shell.out();
        write_trace(&mut out, &trace, &text)?;
        out.flush()?;
    }
    Ok(if trace.is_accepted { Exit::Done } else { Exit::Refused })
}
