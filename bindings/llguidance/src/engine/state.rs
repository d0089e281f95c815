//! The state of one output: what llguidance's matcher does, on top of ours.
//!
//! After an error that is not about the caller's buffers, a matcher keeps the error and does nothing more.

use crate::engine::store::{self, Compiled};
use crate::engine::tokens::Tokens;
use gcc_grammar::row;
use gcc_grammar::{Certainty, MOST_FORCED_BYTES, MatchError, Matcher, MatcherOptions};
use std::sync::Arc;

/// The state of one output.
#[derive(Clone)]
pub struct State {
    tokens: Arc<Tokens>,
    matcher: Matcher,
    /// The tokens so far.
    committed: Vec<u32>,
    /// Whether certain text is cut as the tokenizer cuts it.
    canonical: bool,
    /// The tokens that are certain to come, the next one last.
    certain: Vec<u32>,
    /// Whether nothing but an end token can come.
    stopped: bool,
}

impl State {
    /// The state before the first token of a grammar.
    ///
    /// # Errors
    /// The grammar was refused, or a variable of the environment is unusable.
    pub fn new(tokens: &Arc<Tokens>, kind: &str, data: &str) -> Result<Self, String> {
        let Compiled { session, no_forcing } =
            store::compiled(&tokens.cache, &tokens.vocabulary, kind, data)?;
        let options = MatcherOptions { max_work: store::max_work()?, ..MatcherOptions::default() };
        let matcher = session.matcher_with(&options).map_err(|error| error.to_string())?;
        let canonical = tokens.is_canonical() && !no_forcing;
        let (committed, certain) = (Vec::new(), Vec::new());
        let mut state =
            Self { tokens: tokens.clone(), matcher, committed, canonical, certain, stopped: false };
        state.see_end().map_err(message)?;
        Ok(state)
    }

    /// Writes the mask: the end tokens if the output has ended, the next certain token if there is one, else the exact mask.
    ///
    /// # Errors
    /// No token can come, or the matcher is at a limit.
    pub fn mask(&mut self, row: &mut [u32]) -> Result<(), String> {
        if self.stopped {
            only(row, self.tokens.vocabulary.tokens().end_tokens());
            return Ok(());
        }
        self.matcher.fill_mask(row).map_err(message)?;
        if row.iter().all(|word| *word == 0) {
            return Err("no token can come next".to_owned());
        }
        // To look for certain text takes longer than a mask. There is none if two tokens begin differently.
        if self.certain.is_empty() && row::begin_alike(row, &self.tokens.vocabulary) {
            self.find_certain().map_err(message)?;
        }
        if let Some(&token) = self.certain.last() {
            row::only(row, token);
        }
        Ok(())
    }

    fn find_certain(&mut self) -> Result<(), MatchError> {
        if self.canonical && self.certain.is_empty() && !self.stopped {
            let cut = |text: &[u8]| self.tokens.tokenize(text);
            self.certain = self.matcher.certain_tokens(&self.committed, &cut, Certainty::Llguidance)?;
            self.certain.reverse();
        }
        Ok(())
    }

    /// Commits a token. Every token of the exact mask is allowed, not only the certain one.
    ///
    /// # Errors
    /// The token cannot come next, or the matcher is at a limit.
    pub fn consume(&mut self, token: u32) -> Result<(), String> {
        if self.is_terminated() {
            return Err("the output has ended: nothing can come behind an end token".to_owned());
        }
        self.matcher.commit(token).map_err(|error| match error {
            MatchError::Refused => self.refusal(token),
            error => message(error),
        })?;
        self.committed.push(token);
        if self.certain.pop() != Some(token) {
            self.certain.clear();
        }
        self.see_end().map_err(message)
    }

    fn refusal(&self, token: u32) -> String {
        let text = self.tokens.bytes(token).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let at = self.committed.len();
        format!("token {token} ({:?}) cannot come next, behind {at} tokens", text.unwrap_or_default())
    }

    /// Notes whether nothing but an end token can come.
    fn see_end(&mut self) -> Result<(), MatchError> {
        let ends = self.tokens.vocabulary.tokens().end_tokens().len();
        self.stopped = self.is_terminated()
            || (self.matcher.is_accepting()? && self.matcher.count_allowed()? as usize <= ends);
        Ok(())
    }

    /// Takes back the last tokens. Beyond what the matcher remembers, the output is read again.
    ///
    /// # Errors
    /// There are not as many tokens.
    pub fn rollback(&mut self, count: usize) -> Result<(), String> {
        let Some(kept) = self.committed.len().checked_sub(count) else {
            return Err(format!("rollback: {count} > {}", self.committed.len()));
        };
        match self.matcher.rollback(count as u64) {
            Err(MatchError::RollbackTooFar { .. }) => self.replay(kept).map_err(message)?,
            result => result.map_err(message)?,
        }
        self.committed.truncate(kept);
        self.certain.clear();
        self.see_end().map_err(message)
    }

    fn replay(&mut self, kept: usize) -> Result<(), MatchError> {
        self.matcher.reset();
        self.committed[..kept].iter().try_for_each(|&token| self.matcher.commit(token))
    }

    /// Goes back to the beginning.
    ///
    /// # Errors
    /// The matcher is at a limit.
    pub fn reset(&mut self) -> Result<(), String> {
        self.rollback(self.committed.len())
    }

    /// Whether the output may end here.
    ///
    /// # Errors
    /// The matcher is at a limit.
    pub fn is_accepting(&mut self) -> Result<bool, String> {
        self.matcher.is_accepting().map_err(message)
    }

    /// Whether nothing but an end token can come.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether an end token was committed.
    #[must_use]
    pub fn is_terminated(&self) -> bool {
        self.matcher.is_terminated()
    }

    /// The tokens that were committed.
    #[must_use]
    pub fn committed(&self) -> &[u32] {
        &self.committed
    }

    /// The tokens of the model.
    #[must_use]
    pub fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// How many of the tokens could be committed one after the other.
    ///
    /// # Errors
    /// The output is as far as the matcher's memory goes.
    pub fn validate(&mut self, tokens: &[u32]) -> Result<usize, String> {
        self.matcher.validate(tokens).map_err(message)
    }

    /// The bytes that are certain to come, at most [`MOST_FORCED_BYTES`].
    ///
    /// # Errors
    /// The output is as far as the matcher's memory goes.
    pub fn forced(&mut self) -> Result<Vec<u8>, String> {
        self.matcher.forced(MOST_FORCED_BYTES).map_err(message)
    }

    /// The tokens that are certain to come.
    ///
    /// # Errors
    /// The matcher is at a limit.
    pub fn certain(&mut self) -> Result<Vec<u32>, String> {
        self.find_certain().map_err(message)?;
        Ok(self.certain.iter().rev().copied().collect())
    }
}

/// Writes a mask that has these tokens and no others.
fn only(row: &mut [u32], tokens: &[u32]) {
    row.fill(0);
    for &token in tokens {
        if let Some(word) = row.get_mut(token as usize / 32) {
            *word |= 1 << (token % 32);
        }
    }
}

fn message(error: MatchError) -> String {
    error.to_string()
}
