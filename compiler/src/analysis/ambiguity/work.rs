//! The work of a measurement, and how much of it there may be.
//!
//! Units are chosen such that one takes about 30 instructions, as a work unit of the stages before takes at least.

use std::cell::Cell;
use std::rc::Rc;

/// The work if all is measured.
const WHOLE: usize = 20_000_000;
/// The units that a compilation has to charge for one unit of measuring.
const CHARGED_PER_UNIT: u64 = 20;
/// The least work to find the recursions.
const LEAST_SEARCH: usize = 50_000;
/// The least work to try them: enough for the worst grammars of a few rules, which cost most at run time. It is spent where
/// there are extra steps only.
const LEAST_GROWTH: usize = 200_000;

/// How much is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Growth and random texts, within fixed limits.
    Whole,
    /// Growth, within a twentieth of the work that the compilation has charged before, or little.
    OfCompile,
}

impl Extent {
    /// The work after a compilation has charged some.
    pub(super) fn work(self, charged: u64) -> Share {
        let share = usize::try_from(charged / CHARGED_PER_UNIT).unwrap_or(usize::MAX);
        Share(if self == Self::Whole { WHOLE } else { share.min(WHOLE) })
    }
}

/// The work of a measurement. A part may spend the work that the parts before it have left.
pub(super) struct Share(usize);

impl Share {
    /// The work to find the recursions.
    pub(super) fn for_search(&self) -> usize {
        (self.0 / 4).max(LEAST_SEARCH)
    }

    /// The work to try them, after some was spent.
    pub(super) fn for_growth(&self, spent: usize) -> usize {
        (self.0 / 4 * 3).saturating_sub(spent).max(LEAST_GROWTH)
    }

    /// The work to read random texts, after some was spent.
    pub(super) fn for_sample(&self, spent: usize) -> usize {
        self.0.saturating_sub(spent).max(self.0 / 4)
    }
}

/// The work that is left. Clones share it.
#[derive(Clone)]
pub(super) struct Work {
    all: usize,
    left: Rc<Cell<usize>>,
}

impl Work {
    pub(super) fn new(all: usize) -> Self {
        Self { all, left: Rc::new(Cell::new(all)) }
    }

    /// Spends work that was done.
    pub(super) fn spend(&self, units: usize) {
        self.left.set(self.left.get().saturating_sub(units));
    }

    /// Whether any is left.
    pub(super) fn is_left(&self) -> bool {
        self.left.get() > 0
    }

    /// The work that is left.
    pub(super) fn left(&self) -> usize {
        self.left.get()
    }

    /// What was spent.
    pub(super) fn spent(&self) -> usize {
        self.all - self.left.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compilation_measures_a_share_of_its_work() {
        let share = |charged| Extent::OfCompile.work(charged);
        assert_eq!(share(100_000_000).0, 5_000_000);
        assert_eq!(share(u64::MAX).0, WHOLE, "not more than a check");
        let small = share(0);
        assert_eq!((small.for_search(), small.for_growth(0)), (LEAST_SEARCH, LEAST_GROWTH));
        let large = share(100_000_000);
        assert_eq!(large.for_growth(1_000_000), 2_750_000);
        let whole = Extent::Whole.work(0);
        assert_eq!(whole.for_sample(3_000_000), WHOLE - 3_000_000);
        assert_eq!(whole.for_sample(WHOLE), WHOLE / 4, "growth leaves enough for random texts");
    }
}
