//! Random valid outputs.
//!
//! [`draw()`] draws tokens at random from masks; the budget of a matcher leads to the end of the output. Input: a session. Output: the tokens of
//! valid outputs.

mod draw;

use crate::decoding::matcher::Matcher;
use crate::sessions::session::Session;
use gcc_grammar_compiler::random::Random;
use gcc_grammar_runtime::Error;

pub use draw::{Drawn, draw};
pub use gcc_grammar_compiler::random::Random as RandomNumbers;

/// Makes random outputs of one artifact.
pub struct Generator {
    matcher: Matcher,
}

impl Generator {
    /// A generator for the artifact of a session.
    ///
    /// # Errors
    /// As [`Session::matcher`] and [`Session::verify`].
    pub fn new(session: &Session) -> Result<Self, Error> {
        session.verify()?;
        Ok(Self { matcher: session.matcher()? })
    }

    /// The number of masks so far that may lack tokens ([`Matcher::degraded_masks`]).
    #[must_use]
    pub fn degraded_masks(&self) -> u64 {
        self.matcher.degraded_masks()
    }

    /// Draws an output of at most `max_tokens` tokens at random. The end token is included, if there is one: a grammar may name all end tokens
    /// of the vocabulary, and then none of them ends the text.
    ///
    /// # Errors
    /// [`Error::BudgetTooSmall`] if no output of so few tokens is known, [`Error::CannotComplete`] if none is known at all;
    /// [`Error::NoBudgets`] if the artifact was compiled without budgets; [`Error::ScratchFull`] if the output nests too deeply.
    pub fn generate(&mut self, random: &mut Random, max_tokens: usize) -> Result<Vec<u32>, Error> {
        self.matcher.reset();
        self.matcher.set_budget(Some(u32::try_from(max_tokens).unwrap_or(u32::MAX)))?;
        let mut tokens = Vec::new();
        loop {
            match draw(&mut self.matcher, random)? {
                Drawn::Token(token) => {
                    self.matcher.commit(token)?;
                    tokens.push(token);
                }
                Drawn::End(end) => {
                    tokens.extend(end);
                    return Ok(tokens);
                }
                Drawn::Nothing => return Err(Error::CannotComplete),
            }
        }
    }
}
