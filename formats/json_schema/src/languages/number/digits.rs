//! Bounds on the digits of a numeral: before the point, after it, and in an exponent.

use super::numerals::{digit, digit_but_zero, minus, text};
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, Regex, RegularLimits};
use std::num::NonZeroU16;

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
