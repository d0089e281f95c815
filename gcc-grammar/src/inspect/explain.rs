//! Explains whether a sequence of tokens is accepted: if not, which token is refused, and what would have been possible.

use crate::decoding::allowed::Allowed;
use crate::decoding::matcher::Matcher;
use gcc_grammar_runtime::Error;
use std::time::{Duration, Instant};

/// What became of a sequence of tokens.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The number of tokens that were accepted.
    pub accepted: usize,
    /// The bytes of the accepted tokens.
    pub text: Vec<u8>,
    /// The token that was refused; none if all were accepted.
    pub refused: Option<u32>,
    /// The tokens that may come after the accepted ones.
    pub allowed: Allowed,
    /// The time of each mask, sorted.
    pub mask_times: Vec<Duration>,
    /// The time of each commit, sorted.
    pub commit_times: Vec<Duration>,
}

impl Explanation {
    /// Whether all tokens were accepted and the text may end after them.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.refused.is_none() && self.allowed.complete
    }
}

/// Fills a mask and commits, token after token, up to the first token that is refused.
///
/// # Errors
/// [`Error::ScratchFull`] if the output nests too deeply.
pub fn explain(matcher: &mut Matcher, tokens: &[u32]) -> Result<Explanation, Error> {
    let session = matcher.session().clone();
    let mut row = vec![0u32; session.row_words()];
    let (mut mask_times, mut commit_times) = (Vec::new(), Vec::new());
    let mut refused = None;
    for &token in tokens {
        let start = Instant::now();
        matcher.fill_mask(&mut row)?;
        let masked = Instant::now();
        let committed = matcher.commit(token);
        commit_times.push(masked.elapsed());
        mask_times.push(masked - start);
        match committed {
            Ok(()) => {}
            Err(Error::Refused) => {
                refused = Some(token);
                break;
            }
            Err(error) => return Err(error),
        }
    }
    mask_times.sort_unstable();
    commit_times.sort_unstable();
    let accepted = commit_times.len() - usize::from(refused.is_some());
    let text = session.vocabulary().text_of(&tokens[..accepted]);
    Ok(Explanation { accepted, text, refused, allowed: Allowed::new(matcher)?, mask_times, commit_times })
}
