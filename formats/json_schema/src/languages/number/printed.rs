//! Exponents of very small and very large numbers, as printers of floating-point numbers write them: `1e-05`, `2.5e-7`, `1e+21`.
//!
//! Printers have one digit before the point, and an exponent of at most -5 or at least 16. So such a numeral stands for a number nearer to zero
//! than 10⁻⁴, or at least as far from it as 10¹⁶. If a set has all numbers of that size and sign, it has this one: the bounds need no look at
//! the digits.

use super::numerals::text;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{CharSet, Dfa, Regex, RegularLimits};

/// For positive and negative numbers, whether a set has all that are small, and all that are large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Printed {
    small: [bool; 2],
    large: [bool; 2],
}

/// The sign before a numeral.
const SIGNS: [&str; 2] = ["", "-"];

impl Printed {
    pub(super) const NONE: Self = Self { small: [false; 2], large: [false; 2] };

    /// What a set of numbers in plain notation has. Its automaton must be minimal.
    pub(super) fn of(numbers: &Dfa) -> Self {
        Self {
            small: SIGNS.map(|sign| has_small(numbers, sign)),
            large: SIGNS.map(|sign| has_large(numbers, sign)),
        }
    }

    /// The numerals with an exponent of the numbers that the set has.
    pub(super) fn exponents(self, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
        let digit = || range('0', '9');
        let zeros = || text("0").star();
        let small = || {
            let size = Regex::union([range('5', '9'), range('1', '9').then(digit().plus())]);
            text("-").then(zeros()).then(size)
        };
        let large = || {
            let two = Regex::union([text("1").then(range('6', '9')), range('2', '9').then(digit())]);
            let more = range('1', '9').then(digit().repeat(2, None));
            text("+").optional().then(zeros()).then(Regex::union([two, more]))
        };
        let mut all = Vec::new();
        for (place, sign) in SIGNS.into_iter().enumerate() {
            let sizes = [self.small[place].then(small), self.large[place].then(large)];
            let mantissa = range('1', '9').then(text(".").then(digit().plus()).optional());
            let exponent = Regex::union([text("e"), text("E")]);
            all.push(Regex::concat([
                text(sign),
                mantissa,
                exponent,
                Regex::union(sizes.into_iter().flatten()),
            ]));
        }
        Regex::union(all).to_dfa(limits)
    }
}

fn range(low: char, high: char) -> Regex {
    Regex::chars(CharSet::range(low, high))
}

/// The state after a text.
fn after(numbers: &Dfa, text: &str) -> Option<u32> {
    text.bytes().try_fold(0, |state, byte| numbers.next(state, byte))
}

/// Whether all digits lead from one state to another one.
fn all_lead(numbers: &Dfa, from: u32, to: u32) -> bool {
    (b'0'..=b'9').all(|digit| numbers.next(from, digit) == Some(to))
}

/// Whether a state accepts, and every digit leads back to it.
fn accepts_digits(numbers: &Dfa, state: u32) -> bool {
    numbers.is_accepting(state) && all_lead(numbers, state, state)
}

/// Whether all numbers between zero and 0.0001 are in the set: after four zeros, any digits may follow, except for zero itself.
fn has_small(numbers: &Dfa, sign: &str) -> bool {
    let Some(zeros) = after(numbers, &format!("{sign}0.0000")) else { return false };
    let follows = |digit| numbers.next(zeros, digit).is_some_and(|state| accepts_digits(numbers, state));
    numbers.next(zeros, b'0') == Some(zeros) && (b'1'..=b'9').all(follows)
}

/// Whether all numbers from 10¹⁶ on are in the set: every 17 digits lead to a state after which any digits and any fraction may follow.
fn has_large(numbers: &Dfa, sign: &str) -> bool {
    let Some(state) = after(numbers, &format!("{sign}1{}", "0".repeat(16))) else { return false };
    let fraction = numbers.next(state, b'.').and_then(|point| {
        let fraction = numbers.next(point, b'1')?;
        all_lead(numbers, point, fraction).then_some(fraction)
    });
    accepts_digits(numbers, state)
        && fraction.is_some_and(|fraction| accepts_digits(numbers, fraction))
        && all_reach(numbers, sign, state)
}

/// Whether every numeral of 17 digits leads to a state.
fn all_reach(numbers: &Dfa, sign: &str, target: u32) -> bool {
    let Some(start) = after(numbers, sign) else { return false };
    let step = |states: &[u32], digits: std::ops::RangeInclusive<u8>| -> Option<Vec<u32>> {
        let next =
            states.iter().flat_map(|&state| digits.clone().map(move |digit| numbers.next(state, digit)));
        let mut next = next.collect::<Option<Vec<u32>>>()?;
        next.sort_unstable();
        next.dedup();
        Some(next)
    };
    let first = step(&[start], b'1'..=b'9');
    let last = (0..16).try_fold(first, |states, _| states.map(|states| step(&states, b'0'..=b'9')));
    last.flatten().is_some_and(|states| states == [target])
}

#[cfg(test)]
mod tests {
    use super::super::comparing;
    use super::*;
    use crate::read::decimal::Decimal;
    use std::cmp::Ordering;

    fn set(least: &str, greatest: &str) -> Dfa {
        let limits = RegularLimits::default();
        let compared = |bound: &str, accepted: fn(Ordering) -> bool| {
            comparing(&Decimal::parse(bound).unwrap(), accepted, &limits).unwrap().unwrap()
        };
        compared(least, Ordering::is_ge).intersect(&compared(greatest, Ordering::is_le), &limits).unwrap()
    }

    /// Every numeral with an exponent that is accepted is between the bounds, and those of printers are accepted where all of their size are.
    #[test]
    fn exponents_are_between_the_bounds() {
        let bounds = [
            "-1e30",
            "-1e16",
            "-100",
            "-0.0001",
            "-1e-5",
            "-1e-30",
            "0",
            "1e-30",
            "0.00005",
            "1e-4",
            "0.3",
            "5",
            "99999999999999999",
            "1e16",
            "1e40",
        ];
        let mantissas = ["1", "-1", "9.99", "-9.99", "5.0", "-2.5"];
        for (index, least) in bounds.iter().enumerate() {
            for greatest in &bounds[index..] {
                let numbers = set(least, greatest);
                let printed = Printed::of(&numbers);
                let spelled = printed.exponents(&RegularLimits::default()).unwrap();
                let (low, high): (f64, f64) = (least.parse().unwrap(), greatest.parse().unwrap());
                for mantissa in mantissas {
                    for exponent in ["e-05", "E-7", "e-4", "e-40", "e15", "e16", "e+21", "e016", "e300", "e0"]
                    {
                        let numeral = format!("{mantissa}{exponent}");
                        let value: f64 = numeral.parse().unwrap();
                        let is_between = low <= value && value <= high;
                        assert!(
                            !spelled.accepts(numeral.as_bytes()) || is_between,
                            "{numeral} in {least} to {greatest}"
                        );
                    }
                }
                let all_small = low <= 0.0 && high >= 1e-4;
                assert_eq!(spelled.accepts(b"2.5e-05"), all_small, "{least} to {greatest}");
                assert_eq!(
                    spelled.accepts(b"-2.5e-05"),
                    low <= -1e-4 && high >= 0.0,
                    "{least} to {greatest}"
                );
                assert!(!spelled.accepts(b"1e16"));
            }
            let above =
                comparing(&Decimal::parse(least).unwrap(), Ordering::is_ge, &RegularLimits::default());
            let spelled = Printed::of(&above.unwrap().unwrap()).exponents(&RegularLimits::default()).unwrap();
            let least: f64 = least.parse().unwrap();
            assert_eq!(spelled.accepts(b"1.5e+21"), least <= 1e16, "{least}");
            assert!(!spelled.accepts(b"-1e21"));
        }
    }
}
