//! The commands of the program, each in a file of its own. A command has a type `Arguments` for its arguments, and a function `run` that
//! calls the library and shows the result.

mod batch;
pub(crate) mod bench;
mod check;
mod compile;
mod complete;
mod completions;
mod explore;
mod export;
mod generate;
mod grammars;
mod inspect;
mod key;
mod mask;
mod pack;
mod replay;
#[cfg(feature = "serve")]
mod serve;
mod stages;
mod trace;
mod verify;
mod vocab;

use crate::failure::{Exit, Failure};
use crate::shell::Shell;
use clap::Subcommand;

/// A command with its arguments.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Compile a schema or grammar for a vocabulary
    Compile(compile::Arguments),
    /// Compile many schemas and grammars into a store
    Batch(batch::Arguments),
    /// Compile over HTTP into a store
    #[cfg(feature = "serve")]
    Serve(serve::Arguments),
    /// Put artifacts of a store into one file, which is read like a store
    Pack(pack::Arguments),
    /// Show the key of the artifact that compiling would give, without compiling
    Key(key::Arguments),
    /// Check a schema or grammar without a vocabulary: warnings, sizes, coverage
    #[command(mut_arg("input", |input| input.required_unless_present("explain")))]
    Check(check::Arguments),
    /// Show the contents of an artifact: inputs, sizes of stages and sections, report
    Inspect(inspect::Arguments),
    /// Verify the checksums and the structure of an artifact
    Verify(verify::Arguments),
    /// Show which tokens may come next after a text
    Mask(mask::Arguments),
    /// Complete a text with the fewest tokens
    Complete(complete::Arguments),
    /// Tell whether a text is accepted token by token, and if not, why
    Replay(replay::Arguments),
    /// Show how a text is cut into lexemes, and the parser stack after each lexeme
    Trace(trace::Arguments),
    /// Show the tables of every stage of the compiler, for a small grammar and vocabulary
    Stages(stages::Arguments),
    /// Generate random valid outputs, token by token from the masks
    Generate(generate::Arguments),
    /// Write a page that shows what may come next and why, for a browser
    Explore(explore::Arguments),
    /// Write an artifact as tensors: a finite automaton over tokens
    Export(export::Arguments),
    /// List, import, inspect and remove vocabularies
    Vocab(vocab::Arguments),
    /// List and show bundled grammars
    Grammars(grammars::Arguments),
    /// Measure the times of compiling, masks and commits
    Bench(bench::Arguments),
    /// Write the completions for a shell
    Completions(completions::Arguments),
}

impl Command {
    /// Runs the command. Returns the exit code.
    pub(crate) fn run(&self, shell: &Shell) -> Result<Exit, Failure> {
        match self {
            Self::Compile(arguments) => compile::run(arguments, shell),
            Self::Batch(arguments) => batch::run(arguments, shell),
            #[cfg(feature = "serve")]
            Self::Serve(arguments) => serve::run(arguments, shell),
            Self::Pack(arguments) => pack::run(arguments, shell),
            Self::Key(arguments) => key::run(arguments, shell),
            Self::Check(arguments) => check::run(arguments, shell),
            Self::Inspect(arguments) => inspect::run(arguments, shell),
            Self::Verify(arguments) => verify::run(arguments, shell),
            Self::Mask(arguments) => mask::run(arguments, shell),
            Self::Complete(arguments) => complete::run(arguments, shell),
            Self::Replay(arguments) => replay::run(arguments, shell),
            Self::Trace(arguments) => trace::run(arguments, shell),
            Self::Stages(arguments) => stages::run(arguments, shell),
            Self::Generate(arguments) => generate::run(arguments, shell),
            Self::Explore(arguments) => explore::run(arguments, shell),
            Self::Export(arguments) => export::run(arguments, shell),
            Self::Vocab(arguments) => vocab::run(arguments, shell),
            Self::Grammars(arguments) => grammars::run(arguments, shell),
            Self::Bench(arguments) => bench::run(arguments, shell),
            Self::Completions(arguments) => completions::run(arguments, shell),
        }
    }
}
