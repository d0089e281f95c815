//! Random valid outputs, and completions of a text that has begun.
//!
//! Tokens are drawn at random from the masks; then a guided search finds a short way to the end. The same search completes a text
//! for [`complete`].

mod bound;
mod draw;
mod finish;

use crate::matcher::Matcher;
use crate::session::Session;
use bound::Distances;
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
    distances: Distances<'s>,
}

impl<'s> Generator<'s> {
    /// Prepares for the artifact of a session.
    ///
    /// # Errors
    /// As [`Session::matcher`].
    pub fn new(session: &'s Session) -> Result<Self, Error> {
        let matcher = session.matcher_with_rollback(ROLLBACK)?;
        Ok(Self { session, matcher, distances: Distances::new(*session.engine().grammar()) })
    }

    /// Draws `max_tokens` tokens at random, or fewer if the output ends before, and completes the output. The end token is included.
    /// `None` if no way to complete an output is found.
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

    /// Finds tokens that complete the text. Where there are none, tokens are taken back, more and more of them: whether a lexeme can be
    /// followed by another one is not known before it has ended, so a text may have no way to go on.
    fn finish_or_go_back(&mut self, tokens: &mut Vec<u32>) -> Result<Option<Vec<u32>>, Error> {
        let mut back = 1;
        loop {
            let rest = finish(&mut self.matcher, &mut self.distances)?;
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

/// Commits tokens that complete the text of a matcher, without the end token, and returns them; `None` if no way was found. The way is
/// short in bytes, but not always the shortest.
///
/// # Errors
/// [`Error::ScratchFull`] if the output nests too deeply.
pub fn complete(matcher: &mut Matcher) -> Result<Option<Vec<u32>>, Error> {
    let session = matcher.session().clone();
    let mut distances = Distances::new(*session.engine().grammar());
    finish(matcher, &mut distances)
}
