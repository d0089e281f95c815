//! The arguments of `gcc-grammar bench`, and the failure of what it measures.

use crate::arguments::{GrammarArguments, LimitArguments, VocabularyArguments, at_most};
use crate::failure::Failure;
use clap::Args;
use gcc_grammar::{Code, Diagnostic, Options};
use std::path::PathBuf;

/// The most runs and replays: the time of each is kept.
const MAX_RUNS: u64 = 1000;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The number of compilations
    #[arg(long, value_name = "N", default_value = "10", value_parser = at_most(MAX_RUNS))]
    pub(super) runs: usize,
    /// A file with a text to replay [default: random outputs]
    #[arg(long, value_name = "FILE")]
    pub(super) text_file: Option<PathBuf>,
    /// The number of times that the text is replayed
    #[arg(long, value_name = "N", default_value = "10", value_parser = at_most(MAX_RUNS))]
    pub(super) replays: usize,
    /// Draw how long masks take, as SVG
    #[arg(long, value_name = "FILE")]
    pub(super) plot: Option<PathBuf>,
    /// Measure llguidance and XGrammar with the same outputs, as far as this Python interpreter has them
    #[arg(long, value_name = "PYTHON", num_args = 0..=1, require_equals = true, default_missing_value = "python3")]
    pub(super) peers: Option<PathBuf>,
    #[command(flatten)]
    pub(super) grammar: GrammarArguments,
    #[command(flatten)]
    pub(super) vocabulary: VocabularyArguments,
    #[command(flatten)]
    pub(super) limits: LimitArguments,
}

impl Arguments {
    /// The options of the compilations.
    pub(super) fn options(&self) -> Result<Options, Failure> {
        Ok(Options { limits: self.limits.options(), ..self.grammar.options()? })
    }
}

/// A failure that no input of the user causes.
pub(super) fn bug(name: &str, message: String) -> Failure {
    let diagnostic = Diagnostic::error(Code::WrongArtifact, message);
    Failure::refused(name, diagnostic.help("this is a bug of gcc-grammar: please report it"))
}
