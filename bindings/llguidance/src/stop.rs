//! Stop tokens, stop texts, and patterns of texts that end an output.

use crate::engine::stop::{Piece, Stop};
use anyhow::{Error, Result};
use toktrie::{TokEnv, TokTrie, TokenId};

/// Watches the tokens of an output for stops.
#[derive(Clone)]
pub struct StopController {
    env: TokEnv,
    stop: Stop,
}

impl StopController {
    /// A controller. The pattern is in the syntax of the crate `regex`; stop texts stand for themselves.
    ///
    /// # Errors
    /// The pattern is not one, or is too large.
    pub fn new(
        tok_env: TokEnv,
        stop_tokens: Vec<TokenId>,
        stop_regex: Option<String>,
        stop_strings: Vec<String>,
    ) -> Result<Self> {
        let stop = Stop::new(stop_tokens, &stop_strings, stop_regex.as_deref()).map_err(Error::msg)?;
        Ok(Self { env: tok_env, stop })
    }

    /// Whether a stop has come.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    /// Takes a token, and returns the text that is certain to belong to the output. Behind a stop that is the empty text.
    pub fn commit_token(&mut self, token: TokenId) -> String {
        let piece = match self.env.tok_trie().token(token) {
            [] => Piece::Special(None),
            [TokTrie::SPECIAL_TOKEN_MARKER, name @ ..] => Piece::Special(Some(name)),
            text => Piece::Text(text),
        };
        self.stop.commit(token, piece)
    }
}
