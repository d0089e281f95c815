//! Random valid outputs, and completions of a text that has begun.
//!
//! [`draw()`] draws tokens at random from the masks; a guided search then finds a short completion. [`complete`] is that search alone.
//! Input: a session or matcher. Output: tokens of valid outputs.

mod bound;
mod draw;
mod finish;

use crate::matcher::Matcher;
use crate::session::Session;
use bound::Bounds;
use finish::finish;
use gcc_grammar_compiler::random::Random;
use gcc_grammar_runtime::{Error, TokenId};

pub use draw::{Drawn, draw};
pub use finish::ROLLBACK;
pub use gcc_grammar_compiler::random::Random as RandomNumbers;

/// Makes random outputs of one artifact.
pub struct Generator<'s> {
    session: &'s Session,
    matcher: Matcher,
    bounds: Bounds<'s>,
}

impl<'s> Generator<'s> {
    /// A generator for the artifact of a session.
    ///
    /// # Errors
    /// As [`Session::matcher`] and [`Session::verify`].
    pub fn new(session: &'s Session) -> Result<Self, Error> {
        session.verify()?;
        let matcher = session.matcher_with_rollback(ROLLBACK)?;
        Ok(Self { session, matcher, bounds: Bounds::new(*session.engine().grammar()) })
    }

    /// The number of masks so far that may lack tokens ([`Matcher::degraded_masks`]).
    #[must_use]
    pub fn degraded_masks(&self) -> u64 {
        self.matcher.degraded_masks()
    }

    /// Draws an output of at most `max_tokens` tokens at random. The end token is included, if there is one: a grammar may name all end tokens
    /// of the vocabulary, and then none of them ends the text.
    ///
    /// If the artifact knows no completion of the beginning, as without budgets, the output is completed after `max_tokens` tokens, and may
    /// be longer. `None` if no completion is found.
    ///
    /// # Errors
    /// [`Error::BudgetTooSmall`] if no output of so few tokens is known; [`Error::ScratchFull`] if the output nests too deeply.
    pub fn generate(&mut self, random: &mut Random, max_tokens: usize) -> Result<Option<Vec<u32>>, Error> {
        self.matcher.reset();
        let is_bounded = self.set_budget(max_tokens)?;
        let mut tokens = Vec::new();
        while is_bounded || tokens.len() < max_tokens {
            let token = match draw(&mut self.matcher, random)? {
                Drawn::Token(token) => token,
                Drawn::End(end) => {
                    tokens.extend(end);
                    return Ok(Some(tokens));
                }
                Drawn::Nothing => return Ok(None),
            };
            self.matcher.commit(token)?;
            tokens.push(token);
        }
        let Some(rest) = self.finish_or_go_back(&mut tokens)? else { return Ok(None) };
        tokens.extend(rest);
        let ends = self.session.vocabulary().tokens().end_tokens();
        tokens.extend(ends.iter().find(|&&token| ends_text(self.session, token)));
        Ok(Some(tokens))
    }

    /// Limits the number of tokens. Returns false if the artifact does not know the cost of completions.
    fn set_budget(&mut self, max_tokens: usize) -> Result<bool, Error> {
        let remaining = u32::try_from(max_tokens).unwrap_or(u32::MAX);
        match self.matcher.set_budget(Some(remaining)) {
            Ok(()) => Ok(true),
            Err(Error::NoBudgets | Error::CannotComplete) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Finds tokens that complete the text. If there are none, takes back more and more tokens: a mask does not ask whether another lexeme
    /// can follow the current one, so a text may have no completion.
    fn finish_or_go_back(&mut self, tokens: &mut Vec<u32>) -> Result<Option<Vec<u32>>, Error> {
        let mut back = 1;
        loop {
            let rest = finish(&mut self.matcher, &mut self.bounds)?;
            if rest.is_some() || tokens.is_empty() {
                return Ok(rest);
            }
            tokens.truncate(tokens.len().saturating_sub(back));
            back *= 2;
            self.matcher.reset();
            for &token in tokens.iter() {
                self.matcher.commit(token)?;
            }
        }
    }
}

/// Whether the token ends the text where that may end. An end token of the vocabulary that the grammar names by id is a part of the text.
fn ends_text(session: &Session, token: u32) -> bool {
    session.engine().grammar().ends_text(TokenId(token))
}

/// Commits tokens that complete the text of a matcher, without the end token, and returns them; `None` if no completion was found. The
/// completion is short in bytes, but not always the shortest. Free text in front of the output has none.
///
/// # Errors
/// [`Error::ScratchFull`] if the output nests too deeply; as [`Session::verify`].
pub fn complete(matcher: &mut Matcher) -> Result<Option<Vec<u32>>, Error> {
    if matcher.is_free() {
        return Ok(None);
    }
    let session = matcher.session().clone();
    session.verify()?;
    let mut bounds = Bounds::new(*session.engine().grammar());
    finish(matcher, &mut bounds)
}
