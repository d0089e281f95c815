//! `gcc-grammar complete`: completes a text with the fewest tokens that the artifact knows of.

use crate::arguments::{ArtifactArguments, PrefixArguments};
use crate::failure::{Exit, Failure};
use crate::render::show::{bytes_json, quote, token_json, tokens_text};
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::{Code, Diagnostic};
use serde_json::{Value, json};

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    prefix: PrefixArguments,
    #[command(flatten)]
    artifact: ArtifactArguments,
}

/// Shows a completion: its text, and its tokens.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let session = arguments.artifact.session(shell)?;
    let mut matcher = session.matcher_with_rollback(1)?;
    arguments.prefix.commit(&mut matcher)?;
    let tokens = matcher.shortest_completion()?;
    let tokens = tokens.ok_or_else(|| unfinished(session.artifact().name()))?;
    let (vocabulary, text) = (session.vocabulary(), session.vocabulary().text_of(&tokens));
    let json = || {
        let shown: Vec<Value> = tokens.iter().map(|&token| token_json(vocabulary, token)).collect();
        json!({ "text": bytes_json(&text), "count": tokens.len(), "tokens": shown })
    };
    let s = if tokens.len() == 1 { "" } else { "s" };
    let title = || format!("{} token{s}, the end token included: {}\n", tokens.len(), quote(&text));
    shell.write(|| title() + &tokens_text(&tokens, vocabulary), json)
}

/// The failure that no completion is known.
pub(crate) fn unfinished(artifact: &str) -> Failure {
    let message = "no sequence of tokens is known to complete the text";
    let help = "it may be that the vocabulary cannot spell some text of the grammar: `inspect` says whether it is certified";
    Failure::refused(artifact, Diagnostic::error(Code::Unfinished, message).help(help))
}
