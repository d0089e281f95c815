//! The characters that strings may write as `\uXXXX`.

use super::state::CodePoints;
use crate::options::Strings;
use rustc_hash::FxHashMap;

/// Control characters without a short escape.
const BARE_CONTROLS: [(u32, u32); 3] = [(0, 7), (0xB, 0xB), (0xE, 0x1F)];
/// Everything but the printable characters of ASCII.
const NOT_PRINTABLE: [(u32, u32); 2] = [(0, 0x1F), (0x7F, 0x10_FFFF)];

/// The characters of ASCII that are no printable ones.
const NOT_PRINTABLE_ASCII: [(u32, u32); 2] = [(0, 0x1F), (0x7F, 0x7F)];
/// The most ranges outside of ASCII of a class whose characters have escapes in print. A larger class, such as all letters of Unicode, takes a
/// mask for nearly every set of last digits, each far from the others: 0.5 to 2 MB of an artifact (decision 49).
const MOST_RANGES: usize = 32;

/// The characters that may be spelled `\uXXXX` in a state of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Escaped {
    All,
    NotPrintable,
    NotPrintableAscii,
    BareControls,
}

impl Escaped {
    /// The characters with escapes in a state that reads these code points. Where it makes no difference which character comes next, printed
    /// strings have all escapes: that takes fewer states.
    pub(super) fn of(points: &CodePoints, strings: Strings) -> Self {
        let is_any = matches!(points[..], [(0, 0xD7FF, a), (0xE000, 0x10_FFFF, b)] if a == b);
        match strings {
            Strings::All => Self::All,
            Strings::Printed if is_any => Self::All,
            Strings::Printed if has_large_class(points) => Self::NotPrintableAscii,
            Strings::Printed => Self::NotPrintable,
            Strings::Canonical => Self::BareControls,
        }
    }

    /// The code points, as sorted ranges.
    pub(super) fn ranges(self) -> &'static [(u32, u32)] {
        match self {
            Self::All => &[(0, 0x10_FFFF)],
            Self::NotPrintable => &NOT_PRINTABLE,
            Self::NotPrintableAscii => &NOT_PRINTABLE_ASCII,
            Self::BareControls => &BARE_CONTROLS,
        }
    }

    /// Whether some spelling of the code points is left out.
    pub(super) fn refuses_some(self, points: &CodePoints) -> bool {
        let has_all = |low: u32, high: u32| match self {
            // U+0000 and the like are spelled by digits alone, whose case does not matter.
            Self::BareControls => high < 8 || (0x10 <= low && high < 0x1A),
            _ => self.ranges().iter().any(|&(least, greatest)| least <= low && high <= greatest),
        };
        points.iter().any(|&(low, high, _)| !has_all(low, high))
    }
}

/// Whether one text state is reached by more than [`MOST_RANGES`] ranges of characters outside of ASCII.
fn has_large_class(points: &CodePoints) -> bool {
    let mut ranges = FxHashMap::default();
    let outside = points.iter().filter(|point| point.1 > 0x7F);
    outside.for_each(|&(.., to)| *ranges.entry(to).or_insert(0) += 1);
    ranges.into_values().any(|count: usize| count > MOST_RANGES)
}
