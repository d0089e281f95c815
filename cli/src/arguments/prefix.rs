//! The arguments `--text`, `--text-file` and `--tokens`: the text so far, which a matcher reads.

use super::text::read_text;
use crate::failure::Failure;
use crate::render::show::{quote, token_text};
use clap::Args;
use gcc_grammar::{Allowed, Code, Diagnostic, Location, MatchError, Matcher};
use std::path::{Path, PathBuf};

/// The text so far, as a text, as a file, or as tokens.
#[derive(Args)]
#[group(multiple = false)]
pub(crate) struct PrefixArguments {
    /// The text so far
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
    /// A file with the text so far, of at most 4 MiB; `-` is the standard input
    #[arg(long, value_name = "FILE")]
    text_file: Option<PathBuf>,
    /// The ids of the tokens so far
    #[arg(long, value_name = "ID,..", value_delimiter = ',')]
    tokens: Option<Vec<u32>>,
}

impl PrefixArguments {
    /// The file with the text.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.text_file.as_deref()
    }

    /// Commits the text or the tokens so far.
    pub(crate) fn commit(&self, matcher: &mut Matcher) -> Result<(), Failure> {
        if let Some(tokens) = &self.tokens {
            return commit_tokens(tokens, matcher);
        }
        commit_text(&read_text(self.text.as_deref(), self.file())?, matcher)
    }
}

fn commit_tokens(tokens: &[u32], matcher: &mut Matcher) -> Result<(), Failure> {
    for (index, &token) in tokens.iter().enumerate() {
        match matcher.commit(token) {
            Ok(()) => {}
            Err(MatchError::Refused) => {
                let message = format!(
                    "token {token} ({}), number {} of {}, is refused",
                    token_text(matcher.session().vocabulary(), token),
                    index + 1,
                    tokens.len()
                );
                return Err(refused(Diagnostic::error(Code::RefusedToken, message), matcher)?);
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

fn commit_text(text: &[u8], matcher: &mut Matcher) -> Result<(), Failure> {
    match matcher.commit_bytes(text) {
        Ok(()) => Ok(()),
        Err(MatchError::Refused) => {
            let valid = matcher.validate_bytes(text)?;
            matcher.commit_bytes(&text[..valid])?;
            let message =
                format!("the text is refused at byte {valid}, which is {}", quote(&text[valid..=valid]));
            let diagnostic = Diagnostic::error(Code::RefusedText, message).at(Location::Offset(valid as u64));
            Err(refused(diagnostic, matcher)?)
        }
        Err(error) => Err(error.into()),
    }
}

/// The failure that the text so far is refused, with tokens that are possible at that place.
fn refused(diagnostic: Diagnostic, matcher: &mut Matcher) -> Result<Failure, Failure> {
    let allowed = Allowed::new(matcher)?;
    let vocabulary = matcher.session().vocabulary();
    let tokens: Vec<String> =
        allowed.sample(6).into_iter().map(|token| token_text(vocabulary, token)).collect();
    let help = format!("{} tokens are possible there, such as {}", allowed.count, tokens.join(", "));
    Ok(Failure::refused("the text so far", diagnostic.help(help)))
}
