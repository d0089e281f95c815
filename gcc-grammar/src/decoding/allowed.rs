//! The tokens that may come next, in full: ranges, number, and the bytes that are certain.

use crate::decoding::matcher::Matcher;
use gcc_grammar_runtime::Error;
use std::ops::Range;

/// Certain bytes are looked for up to this number.
const MAX_FORCED: usize = 256;

/// The tokens that may come next.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Allowed {
    /// Token ids, as ascending ranges that do not touch.
    pub ranges: Vec<Range<u32>>,
    /// The number of tokens.
    pub count: u32,
    /// Whether the text may end here.
    pub complete: bool,
    /// The bytes that are certain to come.
    pub forced: Vec<u8>,
}

impl Allowed {
    /// Asks a matcher.
    ///
    /// # Errors
    /// [`Error::ScratchFull`] at the limit of the scratch.
    pub fn new(matcher: &mut Matcher) -> Result<Self, Error> {
        Ok(Self {
            ranges: matcher.allowed_ranges()?,
            count: matcher.count_allowed()?,
            complete: matcher.is_accepting()?,
            forced: matcher.forced(MAX_FORCED)?,
        })
    }

    /// At most `most` of the tokens, spread evenly.
    #[must_use]
    pub fn sample(&self, most: usize) -> Vec<u32> {
        let all = self.ranges.iter().map(|range| range.len() as u64).sum::<u64>();
        let most = (most as u64).min(all);
        (0..most).filter_map(|index| self.nth(index * all / most)).collect()
    }

    fn nth(&self, mut index: u64) -> Option<u32> {
        for range in &self.ranges {
            let length = range.len() as u64;
            if index < length {
                return Some(range.start + index as u32);
            }
            index -= length;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_spread() {
        let allowed = Allowed { ranges: vec![0..4, 10..12], count: 6, complete: false, forced: vec![] };
        assert_eq!(allowed.sample(3), [0, 2, 10]);
        assert_eq!(allowed.sample(99), [0, 1, 2, 3, 10, 11]);
    }
}
