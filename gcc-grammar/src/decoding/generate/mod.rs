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

/// How many walks without a budget may fail to end.
const TRIES: usize = 100;

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
    /// of the vocabulary, and then none of them ends the text. If the artifact has no budgets, outputs are drawn until one is that short.
    ///
    /// # Errors
    /// [`Error::BudgetTooSmall`] if no output of so few tokens is known, [`Error::CannotComplete`] if none is known at all;
    /// [`Error::NoBudgets`] if the artifact has no budgets, and no output was that short; [`Error::ScratchFull`] if the output nests too deeply.
    pub fn generate(&mut self, random: &mut Random, max_tokens: usize) -> Result<Vec<u32>, Error> {
        self.matcher.reset();
        match self.matcher.set_budget(Some(u32::try_from(max_tokens).unwrap_or(u32::MAX))) {
            Err(Error::NoBudgets) => self.search(random, max_tokens),
            result => {
                result?;
                Ok(self.walk(random, usize::MAX)?.0)
            }
        }
    }

    /// Draws tokens at random until the output ends, or has `max_tokens` tokens.
    ///
    /// # Errors
    /// [`Error::CannotComplete`] if no token is known to go on with; [`Error::ScratchFull`] if the output nests too deeply.
    pub fn beginning(&mut self, random: &mut Random, max_tokens: usize) -> Result<Vec<u32>, Error> {
        self.matcher.reset();
        if self.matcher.remaining().is_some() {
            self.matcher.set_budget(None)?;
        }
        Ok(self.walk(random, max_tokens)?.0)
    }

    /// An output of at most so many tokens, by chance.
    fn search(&mut self, random: &mut Random, max_tokens: usize) -> Result<Vec<u32>, Error> {
        for _ in 0..TRIES {
            self.matcher.reset();
            let (tokens, ends) = self.walk(random, max_tokens)?;
            if ends {
                return Ok(tokens);
            }
        }
        Err(Error::NoBudgets)
    }

    /// At most so many tokens, and whether they are an output.
    fn walk(&mut self, random: &mut Random, most: usize) -> Result<(Vec<u32>, bool), Error> {
        let mut tokens = Vec::new();
        loop {
            match draw(&mut self.matcher, random)? {
                Drawn::End(end) if tokens.len() + usize::from(end.is_some()) <= most => {
                    tokens.extend(end);
                    return Ok((tokens, true));
                }
                Drawn::Token(token) if tokens.len() < most => {
                    self.matcher.commit(token)?;
                    tokens.push(token);
                }
                Drawn::Nothing => return Err(Error::CannotComplete),
                _ => return Ok((tokens, false)),
            }
        }
    }
}
