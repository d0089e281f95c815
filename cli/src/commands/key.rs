//! `gcc-grammar key`: the key of the artifact that compiling would give.

use crate::arguments::{BudgetArguments, GrammarArguments, VocabularyArguments};
use crate::failure::{Exit, Failure};
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::{Packing, artifact_key};
use serde_json::json;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The key of the artifact with the tokens of the vocabulary inside
    #[arg(long)]
    self_contained: bool,
    #[command(flatten)]
    grammar: GrammarArguments,
    #[command(flatten)]
    budgets: BudgetArguments,
    #[command(flatten)]
    vocabulary: VocabularyArguments,
}

/// Shows the key.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let (options, source) =
        (arguments.budgets.apply(arguments.grammar.options()?), arguments.grammar.source()?);
    let vocabulary = arguments.vocabulary.load()?;
    let packing = Packing::of(arguments.self_contained);
    let key = artifact_key(&source, &vocabulary, &options, packing)?.to_string();
    shell.write(|| format!("{key}\n"), || json!({ "key": key }))
}
