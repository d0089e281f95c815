//! What a matcher remembers about its budget.

use crate::scratch::Head;

/// The bound of the search for one mask, unless [`set_max_search`](crate::Matcher::set_max_search) sets another one.
const DEFAULT_MAX_SEARCH: u64 = 1 << 15;

/// The cost of what cannot be completed. Sums of costs saturate at it.
pub(crate) const NEVER: u32 = u32::MAX;

/// The budget of a matcher.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TokenBudget {
    /// The number of commits, counted from the beginning, after which the output ends; `None` if there is no budget.
    pub(crate) end: Option<u64>,
    /// A number of commits, and the cost after them. It was computed since the last rollback, and only tokens were committed
    /// since then.
    pub(super) known: Option<(u64, Cost)>,
    /// A head, and a number that no token of its mask exceeds with the cost after it. Cells have not been moved or taken back
    /// since.
    pub(super) costliest: Option<(Head, u32)>,
}

/// What heads cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// The cost of the cheapest head.
    pub(super) least: u32,
    /// The cost of the dearest head; [`NEVER`] if one of them has stacks of different costs.
    pub(super) worst: u32,
}

impl TokenBudget {
    /// A budget that ends after this number of commits.
    pub(crate) const fn ending(end: Option<u64>) -> Self {
        Self { end, known: None, costliest: None }
    }

    /// Forgets the costs, because commits are taken back, or something else than a token is committed.
    pub(crate) const fn forget(&mut self) {
        self.known = None;
        self.costliest = None;
    }

    /// Forgets what belongs to a cell, because cells are moved.
    pub(crate) const fn forget_cells(&mut self) {
        self.costliest = None;
    }
}

/// The bound of searches, and what became of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    pub(super) most: u64,
    pub(super) degraded: u64,
}

impl Default for Search {
    fn default() -> Self {
        Self { most: DEFAULT_MAX_SEARCH, degraded: 0 }
    }
}
