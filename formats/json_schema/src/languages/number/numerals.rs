//! Regular expressions for the parts of a numeral (RFC 8259, section 6), and bounds on their digits.

use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{CharSet, Dfa, Regex, RegularLimits};
use std::num::NonZeroU16;
use std::sync::Arc;

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

/// All numerals with at most so many digits in each part.
pub(crate) fn digits(most: NonZeroU16, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
    let most = u32::from(most.get());
    let part = || digit().repeat(1, Some(most));
    let whole = Regex::union([text("0"), digit_but_zero().then(digit().repeat(0, Some(most - 1)))]);
    let fraction = text(".").then(part()).optional();
    let sign = Regex::union([text("+"), text("-")]).optional();
    let exponent = Regex::concat([Regex::union([text("e"), text("E")]), sign, part()]).optional();
    Regex::concat([minus(), whole, fraction, exponent]).to_dfa(limits)
}

/// Whether a set of numbers has numerals with more digits than any bound.
pub(crate) fn has_more_digits(numbers: &Dfa, most: Option<NonZeroU16>) -> bool {
    most.is_some() && !numbers.is_finite()
}

/// The numerals with no more digits in some part than a bound allows, if there is one.
pub(crate) fn bounded_digits(
    numerals: Arc<Dfa>,
    most: Option<NonZeroU16>,
    limits: &RegularLimits,
) -> Result<Arc<Dfa>, OverBudget> {
    let Some(most) = most else { return Ok(numerals) };
    Ok(Arc::new(numerals.intersect(&digits(most, limits)?, limits)?))
}
