//! Numbers as languages of numerals.
//!
//! The normal form is plain notation: an optional minus, digits without leading zeros, an optional fraction of any
//! length. A set of numbers is the language of the numerals in plain notation whose value is in the set, so ranges,
//! divisibility and constants combine by the operations on automata:
//! - a comparison reads digits against those of the bound: the longer whole part is greater, among equally long
//!   ones the first difference decides;
//! - divisibility by `p · 10^-k` keeps the remainder of the digits read so far modulo `p`, takes at most `k`
//!   digits of the fraction, and after them zeros only.
//!
//! How sets of numbers are written, with exponents or without, is decided in [`signs`](super::signs).

use super::decimal::Decimal;
use super::signs;
use gcc_grammar_regular::RegularLimits;
use gcc_grammar_regular::{CharSet, Dfa, Regex};
use std::cmp::Ordering;
use std::sync::{Arc, LazyLock};

/// More remainders than this are too many for `multipleOf`.
const MAX_REMAINDERS: u64 = 50_000;
/// More digits than this are too many for a bound or a constant.
const MAX_DIGITS: u64 = 5_000;

/// Automata that all schemas share, made when they are first asked for.
static WHOLE: LazyLock<Arc<Dfa>> = LazyLock::new(|| dfa(minus().then(whole())));
static SHORTEST: LazyLock<Arc<Dfa>> = LazyLock::new(|| {
    let last = text(".").then(digit().star()).then(digit_but_zero()).optional();
    let numeral = Regex::concat([minus(), whole(), last]);
    dfa(Regex::Intersect(vec![numeral, Regex::Complement(Box::new(text("-0")))]))
});

fn dfa(regex: Regex) -> Arc<Dfa> {
    Arc::new(regex.to_dfa(&RegularLimits::default()).expect("a handful of states"))
}

pub(super) fn text(text: &str) -> Regex {
    Regex::literal(text)
}

pub(super) fn digit() -> Regex {
    Regex::chars(CharSet::range('0', '9'))
}

pub(super) fn digit_but_zero() -> Regex {
    Regex::chars(CharSet::range('1', '9'))
}

pub(super) fn minus() -> Regex {
    text("-").optional()
}

pub(super) fn whole() -> Regex {
    Regex::union([text("0"), digit_but_zero().then(digit().star())])
}

/// All numbers.
pub(super) fn plain() -> Arc<Dfa> {
    signs::plain_of(signs::ALL).clone()
}

/// All integers; `1.0` is one if `with_point`.
pub(super) fn integers(with_point: bool) -> Arc<Dfa> {
    if with_point { signs::plain_of(signs::ALL | signs::INTEGERS).clone() } else { WHOLE.clone() }
}

/// The shortest numeral of every number.
pub(super) fn shortest() -> Arc<Dfa> {
    SHORTEST.clone()
}

/// The numbers that compare with `bound` as `wanted` says. `None` if the bound has too many digits.
pub(super) fn comparing(bound: &Decimal, wanted: impl Fn(Ordering) -> bool) -> Option<Dfa> {
    if bound.plain_length() > MAX_DIGITS {
        return None;
    }
    let (whole, fraction) = bound.plain();
    let comparison = Comparison { negative: bound.negative, zero: bound.is_zero(), whole, fraction };
    Dfa::explore(Numeral::Start, usize::MAX, |state| {
        let accepting = comparison.order(state).is_some_and(&wanted);
        (accepting, comparison.edges(state))
    })
}

/// Where a comparison is in a numeral. `order`: the digits so far against the same number of digits of the bound.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Numeral {
    Start,
    Minus,
    /// In the whole part. `count` stops at one more than the bound has; `closed`: it is a lone zero.
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

struct Comparison {
    negative: bool,
    zero: bool,
    whole: Vec<u8>,
    fraction: Vec<u8>,
}

impl Comparison {
    /// How the number read compares with the bound, if a number may end here.
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
            // Only minus zero is not less than zero.
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
            // Longer than the bound: greater, whatever the digits.
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

/// The multiples of a positive number. `None` if there would be too many remainders.
pub(super) fn multiples(step: &Decimal) -> Option<Dfa> {
    let (modulus, places) = modulus(step)?;
    let division = Division { modulus, places };
    Dfa::explore(Quotient::Start, usize::MAX, |state| (division.divides(state), division.edges(state)))
}

/// `step = modulus · 10^-places`.
fn modulus(step: &Decimal) -> Option<(u64, u32)> {
    let places = u32::try_from((-step.exponent).max(0)).ok()?;
    let whole = Decimal { exponent: step.exponent.max(0), ..step.clone() };
    let modulus = whole.to_u64()?;
    (modulus.checked_mul(u64::from(places) + 1)? <= MAX_REMAINDERS).then_some((modulus, places))
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Quotient {
    Start,
    Minus,
    Whole { rest: u64, closed: bool },
    Point { rest: u64 },
    Fraction { rest: u64, places: u32 },
}

struct Division {
    modulus: u64,
    places: u32,
}

impl Division {
    fn divides(&self, state: &Quotient) -> bool {
        match *state {
            Quotient::Start | Quotient::Minus | Quotient::Point { .. } => false,
            Quotient::Whole { rest, .. } => self.divides_after(rest, 0),
            Quotient::Fraction { rest, places } => self.divides_after(rest, places),
        }
    }

    /// Would zeros in the remaining places make it a multiple?
    fn divides_after(&self, rest: u64, places: u32) -> bool {
        (places..self.places).fold(rest, |rest, _| self.next(rest, 0)) == 0
    }

    fn next(&self, rest: u64, digit: u8) -> u64 {
        (rest * 10 + u64::from(digit)) % self.modulus
    }

    fn edges(&self, state: &Quotient) -> Vec<(u8, u8, Quotient)> {
        let mut edges = Vec::new();
        match *state {
            Quotient::Start => {
                edges.push((b'-', b'-', Quotient::Minus));
                self.push_whole(&mut edges, 0, true);
            }
            Quotient::Minus => self.push_whole(&mut edges, 0, true),
            Quotient::Whole { rest, closed } => {
                edges.push((b'.', b'.', Quotient::Point { rest }));
                if !closed {
                    self.push_whole(&mut edges, rest, false);
                }
            }
            Quotient::Point { rest } => self.push_fraction(&mut edges, rest, 0),
            Quotient::Fraction { rest, places } => self.push_fraction(&mut edges, rest, places),
        }
        edges
    }

    fn push_whole(&self, edges: &mut Vec<(u8, u8, Quotient)>, rest: u64, first: bool) {
        for digit in 0..10 {
            let closed = first && digit == 0;
            edges.push((
                b'0' + digit,
                b'0' + digit,
                Quotient::Whole { rest: self.next(rest, digit), closed },
            ));
        }
    }

    fn push_fraction(&self, edges: &mut Vec<(u8, u8, Quotient)>, rest: u64, places: u32) {
        if places < self.places {
            for digit in 0..10 {
                let rest = self.next(rest, digit);
                edges.push((b'0' + digit, b'0' + digit, Quotient::Fraction { rest, places: places + 1 }));
            }
        } else if rest == 0 {
            edges.push((b'0', b'0', Quotient::Fraction { rest, places }));
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
                let dfa = comparing(&bound, |order| order == wanted).unwrap();
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

    #[test]
    fn multiples_agree_with_integers() {
        for (step, hundredths) in
            [("3", 300), ("0.25", 25), ("10", 1000), ("2.5", 250), ("0.01", 1), ("7", 700)]
        {
            let dfa = multiples(&decimal(step)).unwrap();
            for n in -3000i64..3000 {
                let sign = if n < 0 { "-" } else { "" };
                let text = format!("{sign}{}.{:02}", n.abs() / 100, n.abs() % 100);
                assert_eq!(dfa.accepts(text.as_bytes()), n % hundredths == 0, "{text} by {step}");
            }
        }
        assert!(multiples(&decimal("3")).unwrap().accepts(b"9.000"));
        assert!(multiples(&decimal("123456789")).is_none());
    }
}
