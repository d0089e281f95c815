//! Regular expressions for the parts of a numeral (RFC 8259, section 6).

use gcc_grammar_regular::{CharSet, Regex};

/// Exactly this text.
pub(super) fn text(text: &str) -> Regex {
    Regex::literal(text)
}

pub(super) fn digit() -> Regex {
    Regex::chars(CharSet::range('0', '9'))
}

pub(super) fn digit_but_zero() -> Regex {
    Regex::chars(CharSet::range('1', '9'))
}

/// An optional minus.
pub(super) fn minus() -> Regex {
    text("-").optional()
}

/// The digits before the point, without leading zeros.
pub(super) fn whole() -> Regex {
    Regex::union([text("0"), digit_but_zero().then(digit().star())])
}
