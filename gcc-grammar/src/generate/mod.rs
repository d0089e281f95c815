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
use gcc_grammar_runtime::Error;

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
    /// As [`Session::matcher`].
    pub fn new(session: &'s Session) -> Result<Self, Error> {
        let matcher = session.matcher_with_rollback(ROLLBACK)?;
        Ok(Self { session, matcher, bounds: Bounds::new(*session.engine().grammar()) })
    }

    /// Draws `max_tokens` tokens at random, or fewer if the output ends before, and completes the output. The end token is included.
    /// `None` if no completion is found.
    ///
    /// # Errors
    /// [`Error::ScratchFull`] if the output nests too deeply.
    pub fn generate(&mut self, random: &mut Random, max_tokens: usize) -> Result<Option<Vec<u32>>, Error> {
        self.matcher.reset();
        let vocabulary = self.session.vocabulary();
        let mut tokens = Vec::new();
        while tokens.len() < max_tokens {
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
        tokens.extend(vocabulary.tokens().end_tokens().first());
        Ok(Some(tokens))
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

/// Commits tokens that complete the text of a matcher, without the end token, and returns them; `None` if no completion was found. The
/// completion is short in bytes, but not always the shortest.
///
/// # Errors
/// [`Error::ScratchFull`] if the output nests too deeply.
pub fn complete(matcher: &mut Matcher) -> Result<Option<Vec<u32>>, Error> {
    let session = matcher.session().clone();
    let mut bounds = Bounds::new(*session.engine().grammar());
    finish(matcher, &mut bounds)
}
