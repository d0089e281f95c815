//! The work of a measurement, and how much of it there may be.
//!
//! Units are chosen such that one takes about 30 instructions, as a work unit of the stages before takes at least.

use std::cell::Cell;
use std::rc::Rc;

/// The work if all is measured.
const WHOLE: usize = 20_000_000;
/// A compilation measures for one unit if it has charged so many before.
const CHARGED_PER_UNIT: u64 = 20;
/// The least work of a measurement: enough to find the growth of the smallest ambiguous grammars, and a twentieth of what it takes to
/// compile these.
const LEAST: usize = 8_000;

/// How much is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// All, within fixed limits.
    Whole,
    /// What takes at most a twentieth of the work that the compilation has charged before, or very little.
    OfCompile,
}

impl Extent {
    /// The work after a compilation has charged some.
    pub(super) fn work(self, charged: u64) -> Shares {
        let share = usize::try_from(charged / CHARGED_PER_UNIT).unwrap_or(usize::MAX);
        let all = if self == Self::Whole { WHOLE } else { share.clamp(LEAST, WHOLE) };
        Shares { search: all / 4, growth: all / 2, sample: all / 4 }
    }
}

/// The work of each part of a measurement. A part goes on with what the parts before it have left.
pub(super) struct Shares {
    /// To find the recursions.
    pub(super) search: usize,
    /// To try them.
    pub(super) growth: usize,
    /// To read random texts.
    pub(super) sample: usize,
}

/// The work that is left. Clones share it.
#[derive(Clone)]
pub(super) struct Work(Rc<Cell<usize>>);

impl Work {
    pub(super) fn new(left: usize) -> Self {
        Self(Rc::new(Cell::new(left)))
    }

    /// Spends work that was done.
    pub(super) fn spend(&self, units: usize) {
        self.0.set(self.left().saturating_sub(units));
    }

    /// Whether any is left.
    pub(super) fn is_left(&self) -> bool {
        self.left() > 0
    }

    /// What is left.
    pub(super) fn left(&self) -> usize {
        self.0.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compilation_measures_a_share_of_its_work() {
        let all = |charged| {
            let Shares { search, growth, sample } = Extent::OfCompile.work(charged);
            search + growth + sample
        };
        assert_eq!(all(0), LEAST);
        assert_eq!(all(100_000_000), 5_000_000);
        assert_eq!(all(u64::MAX), WHOLE, "not more than a check");
    }
}
