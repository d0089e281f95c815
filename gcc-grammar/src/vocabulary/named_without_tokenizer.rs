//! [`Named`] in builds without tokenizers: the tokens of a vocabulary with their name.

use crate::error::{Error, ErrorKind};
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_vocabulary::{Vocabulary, fewest_tokens};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// There is none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum CanonicalState {}

pub(super) struct Named {
    name: String,
    tokens: Vocabulary,
}

impl Named {
    pub(super) fn compiled(name: &str, _: PathBuf, tokens: Vocabulary) -> Self {
        Self { name: name.to_owned(), tokens }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn tokens(&self) -> &Vocabulary {
        &self.tokens
    }

    /// The tokenizer of a model is never known here.
    pub(super) fn cut_exactly(&self, _: &[u8]) -> Result<Option<Vec<u32>>, Error> {
        Ok(None)
    }

    pub(super) fn canonical_begin(&self) -> Option<CanonicalState> {
        None
    }

    pub(super) fn canonical_push(&self, state: &CanonicalState, _: u32) -> Option<CanonicalState> {
        match *state {}
    }

    pub(super) fn canonical_restrict(&self, state: &CanonicalState, _: &mut [u32]) {
        match *state {}
    }

    pub(super) fn canonical_has(&self, state: &CanonicalState) -> bool {
        match *state {}
    }

    /// The fewest tokens that spell the text.
    pub(super) fn spell(&self, text: &[u8]) -> Result<Vec<u32>, Error> {
        fewest_tokens(text, &self.tokens).map_err(|offset| {
            let message = format!("no token of the vocabulary spells the text at byte {offset}");
            Error::new(ErrorKind::Refused, self.name(), Diagnostic::error(Code::Unspellable, message))
        })
    }
}
