//! The commands of the program, each in a file of its own. A command has a type `Arguments` for its arguments, and a function `run` that
//! calls the library and shows the result.

mod batch;
pub(crate) mod bench;
mod check;
mod compile;
mod complete;
mod completions;
mod diff;
mod explore;
mod export;
mod generate;
mod grammars;
mod inspect;
mod key;
mod man;
mod mask;
mod pack;
mod replay;
mod schema;
#[cfg(feature = "serve")]
mod serve;
mod stages;
mod store;
pub(crate) mod test;
mod tools;
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
    #[command(after_help = "Example: gcc-grammar compile person.schema.json --vocab llama3 -o person.gcg")]
    Compile(compile::Arguments),
    /// Compile many schemas and grammars into a store
    #[command(
        after_help = "Example: gcc-grammar batch schemas.jsonl --vocab llama3 --store file:///srv/artifacts"
    )]
    Batch(batch::Arguments),
    /// Compile over HTTP into a store
    #[cfg(feature = "serve")]
    #[command(after_help = "Example: gcc-grammar serve --vocab llama3 --store file:///srv/artifacts")]
    Serve(serve::Arguments),
    /// Put artifacts of a store into one file, which is read like a store
    #[command(after_help = "Example: gcc-grammar pack --store artifacts --vocab llama3 -o all.gcp")]
    Pack(pack::Arguments),
    /// List, verify and remove the artifacts of a store
    #[command(subcommand, after_help = "Example: gcc-grammar store list artifacts")]
    Store(store::Arguments),
    /// Show the key of the artifact that compiling would give, without compiling
    #[command(after_help = "Example: gcc-grammar key person.schema.json --vocab llama3")]
    Key(key::Arguments),
    /// Check a schema or grammar without a vocabulary: warnings, sizes, coverage
    #[command(mut_arg("input", |input| input.required_unless_present("explain")))]
    #[command(after_help = "Example: gcc-grammar check sums.lark --conflicts")]
    Check(check::Arguments),
    /// Show the contents of an artifact: inputs, sizes of stages and sections, report
    #[command(after_help = "Example: gcc-grammar inspect person.gcg --report")]
    Inspect(inspect::Arguments),
    /// Verify the checksums and the structure of an artifact
    #[command(after_help = "Example: gcc-grammar verify person.gcg --vocab llama3 --deep")]
    Verify(verify::Arguments),
    /// Show which tokens may come next after a text
    #[command(after_help = "Example: gcc-grammar mask person.gcg --text '{\"name\": '")]
    Mask(mask::Arguments),
    /// Complete a text with the fewest tokens
    #[command(after_help = "Example: gcc-grammar complete person.gcg --text '{\"name\": '")]
    Complete(complete::Arguments),
    /// Tell whether a text is accepted token by token, and if not, why
    #[command(after_help = "Example: gcc-grammar replay person.gcg --text-file output.json --chomp --why")]
    Replay(replay::Arguments),
    /// Tell whether two schemas or grammars accept the same texts, and show texts that only one accepts
    #[command(after_help = "Example: gcc-grammar diff v1.schema.json v2.schema.json")]
    Diff(diff::Arguments),
    /// Test a schema or grammar with the texts in its folders accept/ and reject/
    #[command(after_help = "Example: gcc-grammar test grammars/json --junit report.xml")]
    Test(test::Arguments),
    /// Show how a text is cut into lexemes, and the parser stack after each lexeme
    #[command(after_help = "Example: gcc-grammar trace sums.lark --text '1 + (2'")]
    Trace(trace::Arguments),
    /// Show the tables of every stage of the compiler, for a small grammar and vocabulary
    #[command(after_help = "Example: gcc-grammar stages sums.lark --tokens '[\"1\", \"+\"]' --table masks")]
    Stages(stages::Arguments),
    /// Generate random valid outputs, token by token from the masks
    #[command(after_help = "Example: gcc-grammar generate person.gcg -n 3 --seed 7")]
    Generate(generate::Arguments),
    /// Write a page that shows what may come next and why, for a browser
    #[command(after_help = "Example: gcc-grammar explore person.schema.json --vocab llama3 -o page.html")]
    Explore(explore::Arguments),
    /// Write an artifact as tensors: a finite automaton over tokens
    #[command(after_help = "Example: gcc-grammar export sums.gcg --tensors sums.safetensors --depth 3")]
    Export(export::Arguments),
    /// List, import, inspect and remove vocabularies
    #[command(subcommand, after_help = "Example: gcc-grammar vocab import ~/models/mine --name mine")]
    Vocab(vocab::Arguments),
    /// List and show bundled grammars
    #[command(subcommand, after_help = "Example: gcc-grammar grammars show json")]
    Grammars(grammars::Arguments),
    /// List the families of models that call tools, and show their calls
    #[command(subcommand, after_help = "Example: gcc-grammar tools show harmony")]
    Tools(tools::Arguments),
    /// Measure the times of compiling, masks and commits
    #[command(after_help = "Example: gcc-grammar bench sums.lark --vocab llama3")]
    Bench(bench::Arguments),
    /// Show the JSON Schema of what a command writes with --json
    #[command(after_help = "Example: gcc-grammar schema store list")]
    Schema(schema::Arguments),
    /// Write the completions for a shell
    #[command(
        after_help = "Example: gcc-grammar completions bash > ~/.local/share/bash-completion/completions/gcc-grammar"
    )]
    Completions(completions::Arguments),
    /// Write the manual pages
    Man(man::Arguments),
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
            Self::Store(arguments) => store::run(arguments, shell),
            Self::Key(arguments) => key::run(arguments, shell),
            Self::Check(arguments) => check::run(arguments, shell),
            Self::Inspect(arguments) => inspect::run(arguments, shell),
            Self::Verify(arguments) => verify::run(arguments, shell),
            Self::Mask(arguments) => mask::run(arguments, shell),
            Self::Complete(arguments) => complete::run(arguments, shell),
            Self::Replay(arguments) => replay::run(arguments, shell),
            Self::Diff(arguments) => diff::run(arguments, shell),
            Self::Test(arguments) => test::run(arguments, shell),
            Self::Trace(arguments) => trace::run(arguments, shell),
            Self::Stages(arguments) => stages::run(arguments, shell),
            Self::Generate(arguments) => generate::run(arguments, shell),
            Self::Explore(arguments) => explore::run(arguments, shell),
            Self::Export(arguments) => export::run(arguments, shell),
            Self::Vocab(arguments) => vocab::run(arguments, shell),
            Self::Grammars(arguments) => grammars::run(arguments, shell),
            Self::Tools(arguments) => tools::run(arguments, shell),
            Self::Bench(arguments) => bench::run(arguments, shell),
            Self::Schema(arguments) => schema::run(arguments, shell),
            Self::Completions(arguments) => completions::run(arguments, shell),
            Self::Man(arguments) => man::run(arguments, shell),
        }
    }
}
