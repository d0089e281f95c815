//! Comparison of numbers with a constant, as an automaton over numerals in plain notation.
//!
//! The automaton reads the digits of a numeral against those of the bound: the longer whole part is greater,
//! and among whole parts of equal length the first different digit decides.

use crate::read::decimal::Decimal;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, RegularLimits};
use std::cmp::Ordering;

/// A bound with more digits than this has no automaton.
const MAX_DIGITS: u64 = 5_000;

/// The numerals of all numbers whose order to `bound` satisfies `accepted`. `None` if the bound has too many
/// digits.
pub(crate) fn comparing(
    bound: &Decimal,
    accepted: impl Fn(Ordering) -> bool,
    limits: &RegularLimits,
) -> Option<Result<Dfa, OverBudget>> {
    if bound.plain_length() > MAX_DIGITS {
        return None;
    }
    let (whole, fraction) = bound.plain();
    let comparison = Comparison { negative: bound.negative, zero: bound.is_zero(), whole, fraction };
    Some(Dfa::explore(Numeral::Start, limits, |state| {
        let is_final = comparison.order(state).is_some_and(&accepted);
        (is_final, comparison.edges(state))
    }))
}

/// The state of a comparison after a part of a numeral. `order` compares the digits read with as many of the
/// bound.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Numeral {
    Start,
    Minus,
    /// In the whole part. `count` is the number of digits read, at most one more than the bound has. `closed`
    /// means that the whole part is a zero, which no digit may follow.
    Whole {
        negative: bool,
        count: usize,
        order: Ordering,
        closed: bool,
    },
    /// After the point, before any digit.
    Point {
        negative: bool,
        order: Ordering,
    },
    Fraction {
        negative: bool,
        count: usize,
        order: Ordering,
    },
}

/// The bound of a comparison, by its digits.
struct Comparison {
    negative: bool,
    zero: bool,
    whole: Vec<u8>,
    fraction: Vec<u8>,
}

impl Comparison {
    /// The order of the number read to the bound, if a numeral may end here.
    fn order(&self, state: &Numeral) -> Option<Ordering> {
        match *state {
            Numeral::Start | Numeral::Minus | Numeral::Point { .. } => None,
            Numeral::Whole { negative, count, order, .. } => {
                let order = self.after_whole(count, order);
                Some(self.signed(negative, self.at_end(0, order)))
            }
            Numeral::Fraction { negative, count, order } => {
                Some(self.signed(negative, self.at_end(count, order)))
            }
        }
    }

    /// The order of the magnitudes once the whole part is complete.
    fn after_whole(&self, count: usize, order: Ordering) -> Ordering {
        count.cmp(&self.whole.len()).then(order)
    }

    /// The order of the magnitudes if nothing follows `count` digits of the fraction.
    fn at_end(&self, count: usize, order: Ordering) -> Ordering {
        if order == Ordering::Equal && count < self.fraction.len() { Ordering::Less } else { order }
    }

    /// From the order of the magnitudes to that of the values.
    fn signed(&self, negative: bool, magnitudes: Ordering) -> Ordering {
        match (negative, self.negative) {
            (true, true) => magnitudes.reverse(),
            (false, true) => Ordering::Greater,
            (true, false) if !self.zero => Ordering::Less,
            // The bound is zero: minus zero equals it, all other negative numbers are less.
            (true, false) => magnitudes.reverse(),
            (false, false) => magnitudes,
        }
    }

    fn edges(&self, state: &Numeral) -> Vec<(u8, u8, Numeral)> {
        let mut edges = Vec::new();
        match *state {
            Numeral::Start => {
                edges.push((b'-', b'-', Numeral::Minus));
                self.push_first(&mut edges, false);
            }
            Numeral::Minus => self.push_first(&mut edges, true),
            Numeral::Whole { negative, count, order, closed } => {
                let order_now = self.after_whole(count, order);
                edges.push((b'.', b'.', Numeral::Point { negative, order: order_now }));
                if !closed {
                    for digit in 0..10 {
                        edges.push(self.digit(digit, self.whole_after(negative, count, order, digit)));
                    }
                }
            }
            Numeral::Point { negative, order } => self.push_fraction(&mut edges, negative, 0, order),
            Numeral::Fraction { negative, count, order } => {
                self.push_fraction(&mut edges, negative, count, order)
            }
        }
        edges
    }

    fn digit(&self, digit: u8, state: Numeral) -> (u8, u8, Numeral) {
        (b'0' + digit, b'0' + digit, state)
    }

    fn push_first(&self, edges: &mut Vec<(u8, u8, Numeral)>, negative: bool) {
        for digit in 0..10 {
            edges.push(self.digit(digit, self.whole_after(negative, 0, Ordering::Equal, digit)));
        }
    }

    fn whole_after(&self, negative: bool, count: usize, order: Ordering, digit: u8) -> Numeral {
        let order = match self.whole.get(count) {
            Some(other) => order.then(digit.cmp(other)),
            // The whole part is longer than that of the bound, which decides, whatever the digits are.
            None => Ordering::Equal,
        };
        let closed = count == 0 && digit == 0;
        Numeral::Whole { negative, count: (count + 1).min(self.whole.len() + 1), order, closed }
    }

    fn push_fraction(
        &self,
        edges: &mut Vec<(u8, u8, Numeral)>,
        negative: bool,
        count: usize,
        order: Ordering,
    ) {
        for digit in 0..10u8 {
            let other = self.fraction.get(count).copied().unwrap_or(0);
            let order = order.then(digit.cmp(&other));
            let all = self.fraction.len();
            let count = if order == Ordering::Equal { (count + 1).min(all) } else { all };
            edges.push(self.digit(digit, Numeral::Fraction { negative, count, order }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    const NUMERALS: [&str; 24] = [
        "0",
        "-0",
        "0.0",
        "-0.00",
        "1",
        "1.0",
        "-1",
        "9",
        "10",
        "10.5",
        "10.50",
        "10.51",
        "-10.5",
        "-10.6",
        "11",
        "99",
        "100",
        "0.5",
        "0.05",
        "-0.5",
        "7.25",
        "123456789",
        "-123456789.001",
        "12.30",
    ];

    #[test]
    fn comparisons_agree_with_decimal_order() {
        for bound in NUMERALS {
            let bound = decimal(bound);
            for wanted in [Ordering::Less, Ordering::Equal, Ordering::Greater] {
                let dfa = comparing(&bound, |order| order == wanted, &RegularLimits::default());
                let dfa = dfa.unwrap().unwrap();
                for text in NUMERALS {
                    assert_eq!(
                        dfa.accepts(text.as_bytes()),
                        decimal(text).cmp(&bound) == wanted,
                        "{text} {bound:?}"
                    );
                }
                for text in ["", "-", "01", "1.", ".5", "1e1", "+1", "00"] {
                    assert!(!dfa.accepts(text.as_bytes()), "{text}");
                }
            }
        }
    }
}
