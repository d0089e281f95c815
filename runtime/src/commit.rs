//! Operations that read input: commit it, or find out how much of it could be committed.
//!
//! Within a budget, a commit must leave enough of it to complete the text.
//!
//! A commit adds one entry to the history. It leaves the [reserve](crate::reserve) of the scratch free, unless it makes
//! the stack no higher. The questions ([`validate`](Matcher::validate),
//! [`validate_bytes`](Matcher::validate_bytes), [`is_accepting`](Matcher::is_accepting)) change nothing.

use gcc_grammar_artifact::ids::TokenId;

use crate::error::Error;
use crate::matcher::Matcher;
use crate::read::Position;

impl Matcher<'_, '_> {
    /// Commits a token.
    ///
    /// # Errors
    /// [`Error::Refused`] if and only if the mask does not allow the token; [`Error::ScratchFull`], [`Error::TooMuchWork`].
    pub fn commit(&mut self, token: TokenId) -> Result<(), Error> {
        self.commit_by(|matcher, position| matcher.read_token(position, token))
    }

    /// Commits bytes as if they were one token. An empty slice is no commit.
    ///
    /// # Errors
    /// [`Error::Refused`] if no text of the language continues with these bytes; [`Error::ScratchFull`], [`Error::TooMuchWork`].
    pub fn commit_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.commit_by(|matcher, position| {
            matcher.budget.forget();
            matcher.as_token(position, |matcher, position| matcher.read_bytes(position, bytes))
        })
    }

    fn commit_by(
        &mut self,
        read: impl Fn(&mut Self, Position) -> Result<Position, Error>,
    ) -> Result<(), Error> {
        self.begin_work();
        let mut is_compact = false;
        self.attempt(|matcher| {
            let before = matcher.position();
            let after = read(matcher, before)?;
            matcher.push(after)?;
            matcher.check_budget()?;
            let is_enough = matcher.has_reserve() || (is_compact && matcher.is_no_higher_than(before.heads));
            // If this fails, it is tried again after the scratch was compacted.
            is_compact = true;
            if is_enough { Ok(()) } else { Err(Error::ScratchFull) }
        })
    }

    /// Counts how many of the tokens could be committed one after the other, without committing them.
    ///
    /// # Errors
    /// [`Error::ScratchFull`], [`Error::TooMuchWork`].
    pub fn validate(&mut self, tokens: &[TokenId]) -> Result<usize, Error> {
        self.attempt_and_undo(|matcher| {
            for (index, &token) in tokens.iter().enumerate() {
                matcher.begin_work();
                let position = match matcher.read_token(matcher.position(), token) {
                    Err(Error::Refused) => return Ok(index),
                    position => position?,
                };
                matcher.push(position)?;
                match matcher.check_budget() {
                    Err(Error::Refused) => return Ok(index),
                    checked => checked?,
                }
            }
            Ok(tokens.len())
        })
    }

    /// Counts how many of the bytes could be committed one after the other, without committing them. A budget and
    /// limits on the tokens of lexemes do not matter, as bytes are not tokens.
    ///
    /// # Errors
    /// [`Error::ScratchFull`], [`Error::TooMuchWork`].
    pub fn validate_bytes(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        self.attempt_and_undo(|matcher| {
            let mut position = matcher.position();
            for (index, &byte) in bytes.iter().enumerate() {
                matcher.begin_work();
                position = match matcher.read_bytes(position, &[byte]) {
                    Err(Error::Refused) => return Ok(index),
                    result => result?,
                };
            }
            Ok(bytes.len())
        })
    }

    /// Whether the text so far is in the language.
    ///
    /// # Errors
    /// [`Error::ScratchFull`], [`Error::TooMuchWork`].
    pub fn is_accepting(&mut self) -> Result<bool, Error> {
        if self.is_terminated() {
            return Ok(true);
        }
        self.begin_work();
        self.attempt_and_undo(|matcher| matcher.can_finish())
    }
}
