//! The bound of the search for affordable tokens, and masks that lack some of them.
//!
//! Near the end of a budget each token of a mask is asked for its cost, mostly many at a time. That can take any amount of work where the text has many
//! readings. So this search has a bound, in units of [work](crate::work), for each mask and for each step. A token whose cost is not found within them has the
//! upper bound that the lexer knows, or none. A mask that lacks a token for that reason is *degraded*: it has only tokens after which
//! the text can be completed within the budget, but not all of them. It is not empty where the exact mask is not: if no token was found,
//! the search continues until one is.

use super::state::NEVER;
use crate::error::Error;
use crate::matcher::Matcher;

/// The bound of the search for each token of a completion, which nobody waits for between two tokens of a model.
const MAX_SEARCH_OF_COMPLETION: u64 = 1 << 20;
/// No token takes more than this part of the search.
const PART_OF_TOKEN: u64 = 16;

/// A search that is under way.
pub(super) struct Bounded {
    left: u64,
    of_token: u64,
    /// Whether the cost of some token was not found.
    pub(super) is_cut: bool,
}

impl Bounded {
    /// A search without a bound of its own.
    pub(super) const UNBOUNDED: Self = Self { left: u64::MAX, of_token: u64::MAX, is_cut: false };

    /// A cost that takes at least `least` units; [`NEVER`] if there is too little work left for it.
    pub(super) fn cost<'a, 's>(
        &mut self,
        matcher: &mut Matcher<'a, 's>,
        least: usize,
        cost: impl FnOnce(&mut Matcher<'a, 's>) -> Result<u32, Error>,
    ) -> Result<u32, Error> {
        Ok(self.bounded(matcher, least, cost)?.unwrap_or(NEVER))
    }

    /// Work that takes at least `least` units; `None` if there is too little left for it.
    pub(super) fn bounded<'a, 's, T>(
        &mut self,
        matcher: &mut Matcher<'a, 's>,
        least: usize,
        work: impl FnOnce(&mut Matcher<'a, 's>) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let granted = self.left.min(self.of_token);
        let mut left = granted;
        let done = matcher.within(&mut left, |matcher| {
            matcher.scratch.charge(least)?;
            work(matcher)
        })?;
        self.left -= granted - left;
        self.is_cut |= done.is_none();
        Ok(done)
    }
}

impl Matcher<'_, '_> {
    /// Bounds the work of the search for the tokens of one mask near the end of a budget, in the units of
    /// [`set_max_work`](Self::set_max_work). Beyond it the mask is [degraded](Self::degraded_masks).
    pub const fn set_max_search(&mut self, most: u64) {
        self.search.most = most;
    }

    /// The number of masks within a budget that may lack tokens, because their search went beyond its bound. Such a mask has only
    /// tokens after which the text can be completed within the budget, and at least one if there is one.
    ///
    /// Rows, ranges, counts and [`allows`](Self::allows) lack the same tokens. [`commit`](Self::commit) and [`validate`](Self::validate) ask for their token
    /// alone, and may take an affordable one that such a mask lacks.
    #[must_use]
    pub const fn degraded_masks(&self) -> u64 {
        self.search.degraded
    }

    /// The search for the tokens of a mask.
    pub(super) fn search(&self) -> Bounded {
        self.search_within(self.search.most)
    }

    /// The search for a token of a completion.
    pub(super) fn search_of_completion(&self) -> Bounded {
        self.search_within(self.search.most.max(MAX_SEARCH_OF_COMPLETION))
    }

    fn search_within(&self, most: u64) -> Bounded {
        // The call continues if the search does not: it must have work left.
        let most = most.min(self.scratch.work.left / 2);
        Bounded { left: most, of_token: most.div_ceil(PART_OF_TOKEN), is_cut: false }
    }

    /// Counts a mask that lacks tokens.
    pub(super) const fn note(&mut self, search: &Bounded) {
        self.search.degraded += search.is_cut as u64;
    }
}
