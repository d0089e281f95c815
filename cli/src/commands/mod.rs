//! One file per subcommand.

pub(crate) mod bench;
mod check;
mod compile;
mod completions;
mod generate;
mod grammars;
mod inspect;
mod mask;
mod replay;
mod stages;
mod trace;
mod verify;
mod vocab;

use crate::failure::{Exit, Failure};
use crate::shell::Shell;
use clap::Subcommand;

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Compile a schema or grammar for a vocabulary
    Compile(compile::Arguments),
    /// Diagnostics and coverage of a schema or grammar, without compiling it for a vocabulary
    #[command(mut_arg("input", |input| input.required_unless_present("explain")))]
    Check(check::Arguments),
    /// What an artifact is: inputs, sizes of every stage and section, report
    Inspect(inspect::Arguments),
    /// Check an artifact: checksums and full validation
    Verify(verify::Arguments),
    /// Which tokens may come next after some text
    Mask(mask::Arguments),
    /// Whether a text is accepted token by token, and if not, why
    Replay(replay::Arguments),
    /// How a text is cut into lexemes, and what the parser makes of them
    Trace(trace::Arguments),
    /// The tables of every stage of the compiler, for a small grammar and vocabulary
    Stages(stages::Arguments),
    /// Random valid outputs, drawn token by token from the masks
    Generate(generate::Arguments),
    /// Vocabularies: list, import, inspect
    Vocab(vocab::Arguments),
    /// Bundled grammars: list, show
    Grammars(grammars::Arguments),
    /// Measure compiling, masks and commits
    Bench(bench::Arguments),
    /// Completions for a shell
    Completions(completions::Arguments),
}

impl Command {
    /// Does it.
    pub(crate) fn run(&self, shell: &Shell) -> Result<Exit, Failure> {
        match self {
            Self::Compile(arguments) => compile::run(arguments, shell),
            Self::Check(arguments) => check::run(arguments, shell),
            Self::Inspect(arguments) => inspect::run(arguments, shell),
            Self::Verify(arguments) => verify::run(arguments, shell),
            Self::Mask(arguments) => mask::run(arguments, shell),
            Self::Replay(arguments) => replay::run(arguments, shell),
            Self::Trace(arguments) => trace::run(arguments, shell),
            Self::Stages(arguments) => stages::run(arguments, shell),
            Self::Generate(arguments) => generate::run(arguments, shell),
            Self::Vocab(arguments) => vocab::run(arguments, shell),
            Self::Grammars(arguments) => grammars::run(arguments, shell),
            Self::Bench(arguments) => bench::run(arguments, shell),
            Self::Completions(arguments) => completions::run(arguments, shell),
        }
    }
}
