//! The predefined sets of characters of ECMA-262 (section 22.2.2.9): `\d`, `\w`, `\s`, and the complement of
//! `.`.
//!
//! They differ from those of other regular expressions: `\d` and `\w` are ASCII, and `\s` has a list of its
//! own.

use gcc_grammar_regular::CharSet;

/// `\d`
pub(super) fn digits() -> CharSet {
    CharSet::range('0', '9')
}

/// `\w`
pub(super) fn word() -> CharSet {
    CharSet::new(
        [('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')].map(|(low, high)| (low as u32, high as u32)),
    )
}

/// The characters that `.` does not match.
pub(super) fn line_terminators() -> CharSet {
    CharSet::new([(0xA, 0xA), (0xD, 0xD), (0x2028, 0x2029)])
}

/// `\s`: `WhiteSpace` and `LineTerminator` of ECMA-262.
pub(super) fn space() -> CharSet {
    let ranges =
        [(0x9, 0xD), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029)];
    CharSet::new(ranges.into_iter().chain([
        (0x202F, 0x202F),
        (0x205F, 0x205F),
        (0x3000, 0x3000),
        (0xFEFF, 0xFEFF),
    ]))
}
