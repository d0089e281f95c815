//! The characters that strings may write as `\uXXXX`.

use super::state::CodePoints;
use crate::options::Strings;

/// Control characters without a short escape.
const BARE_CONTROLS: [(u32, u32); 3] = [(0, 7), (0xB, 0xB), (0xE, 0x1F)];
/// Everything but the printable characters of ASCII.
const NOT_PRINTABLE: [(u32, u32); 2] = [(0, 0x1F), (0x7F, 0x10_FFFF)];

/// The code points that `\u` may spell.
pub(super) fn escaped(strings: Strings) -> &'static [(u32, u32)] {
    match strings {
        Strings::Printed => &NOT_PRINTABLE,
        Strings::All => &[(0, 0x10_FFFF)],
        Strings::Canonical => &BARE_CONTROLS,
    }
}

/// Whether some spelling of the code points is left out.
pub(super) fn refuses_some(points: &CodePoints, strings: Strings) -> bool {
    let has_all = |low: u32, high: u32| match strings {
        Strings::All => true,
        Strings::Printed => NOT_PRINTABLE.iter().any(|&(least, greatest)| least <= low && high <= greatest),
        // U+0000 and the like are spelled by digits alone, whose case does not matter.
        Strings::Canonical => high < 8 || (0x10 <= low && high < 0x1A),
    };
    points.iter().any(|&(low, high, _)| !has_all(low, high))
}
