//! `gcc-grammar replay`: tells whether a text is accepted token by token, and where and why it is refused.

use crate::arguments::{ArtifactArguments, read_text};
use crate::failure::{Exit, Failure};
use crate::render::events::events;
use crate::render::explanation::{LineBreak, Replayed, Tokens, replay_json, replay_text};
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::{Vocabulary, explain, read_output, text};
use std::path::PathBuf;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    output: Output,
    /// Read the names of special tokens in the text as these tokens
    #[arg(long)]
    special_names: bool,
    /// Drop the line break at the end of the file
    #[arg(long, conflicts_with_all = ["text", "tokens", "tokens_file"])]
    chomp: bool,
    /// Explain at length why a token is refused: what the text has to go on with, where, and which token is near
    #[arg(long)]
    why: bool,
    /// Tell what happens to the JSON values with each token, or to the rules of a grammar: which begin, grow or end
    #[arg(long)]
    events: bool,
    /// Accept a text that is not complete but can be continued
    #[arg(long)]
    prefix: bool,
    #[command(flatten)]
    artifact: ArtifactArguments,
}

/// The output that is replayed.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct Output {
    /// A file with the text, of at most 4 MiB, which the tokenizer of the vocabulary cuts into tokens; `-` is the standard input
    #[arg(long, value_name = "FILE")]
    text_file: Option<PathBuf>,
    /// The text
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
    /// The ids of the tokens
    #[arg(long, value_name = "ID,..", value_delimiter = ',')]
    tokens: Option<Vec<u32>>,
    /// A file with the ids of the tokens, separated by commas or white space, of at most 4 MiB
    #[arg(long, value_name = "FILE")]
    tokens_file: Option<PathBuf>,
}

/// Commits token after token, and shows where the text is refused.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let session = arguments.artifact.session(shell)?;
    let mut matcher = session.matcher_with_rollback(1)?;
    let tokens = arguments.output.tokens(session.vocabulary(), arguments.special_names, arguments.chomp)?;
    let explanation = explain(&mut matcher, &tokens.ids)?;
    let is_prefix = arguments.prefix && explanation.refused.is_none();
    let is_accepted = is_prefix || explanation.is_complete();
    let why = explanation.refused.map(|token| matcher.why(token)).transpose()?;
    let why = why.map(|why| {
        let places = session.places_of(&why, Some(&explanation.text));
        (why, places)
    });
    let told = |is_told: bool| {
        let accepted = &tokens.ids[..explanation.accepted];
        is_told.then(|| events(&session, accepted, explanation.is_complete())).transpose()
    };
    let events = told(arguments.events)?;
    let replayed = Replayed { tokens, explanation, is_accepted, why, at_length: arguments.why, events };
    let vocabulary = session.vocabulary();
    shell.write(|| replay_text(&replayed, vocabulary), || replay_json(&replayed, vocabulary))?;
    Ok(if replayed.is_accepted { Exit::Done } else { Exit::Refused })
}

impl Output {
    /// The tokens. With `chomp`, those of the text without the line break at its end.
    fn tokens(&self, vocabulary: &Vocabulary, special_names: bool, chomp: bool) -> Result<Tokens, Failure> {
        if let Some(ids) = self.ids()? {
            return Ok(Tokens { ids, exact: true, line_break: LineBreak::None });
        }
        let mut text = read_text(self.text.as_deref(), self.text_file.as_deref())?;
        let mut line_break = LineBreak::None;
        if chomp && text::chomp(&mut text) {
            line_break = LineBreak::Dropped;
        } else if self.text.is_none() && text.ends_with(b"\n") {
            line_break = LineBreak::Kept;
        }
        let cut = vocabulary.tokenize(&text, special_names)?;
        Ok(Tokens { ids: cut.ids, exact: cut.exact, line_break })
    }

    /// The ids of the tokens, if these are given instead of a text.
    fn ids(&self) -> Result<Option<Vec<u32>>, Failure> {
        let Some(path) = &self.tokens_file else { return Ok(self.tokens.clone()) };
        let text = read_output(path)?;
        let text = String::from_utf8_lossy(&text);
        let words = text.split([',', ' ', '\t', '\r', '\n']).filter(|word| !word.is_empty());
        let ids: Result<Vec<u32>, _> = words.map(str::parse).collect();
        ids.map(Some).map_err(|error| {
            let message = format!("not a list of token ids: {error}");
            Failure::usage(&path.display().to_string(), message, "separate numbers by commas or white space")
        })
    }
}
