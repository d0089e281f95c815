//! Divisibility by a constant, as an automaton over numerals in plain notation.
//!
//! The divisor is `p · 10^-k`. The automaton keeps the remainder of the digits read so far modulo `p`, takes
//! at most `k` digits of the fraction, and accepts only zeros after them.

use crate::read::decimal::Decimal;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, RegularLimits};

/// A divisor with more remainders than this has no automaton.
const MAX_REMAINDERS: u64 = 50_000;

/// A positive number whose multiples have an automaton: `modulus · 10^-places`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Divisor {
    modulus: u64,
    places: u32,
}

impl Divisor {
    /// `None` if there are too many remainders.
    pub(crate) fn of(step: &Decimal) -> Option<Self> {
        let places = u32::try_from((-step.exponent).max(0)).ok()?;
        let whole = Decimal { exponent: step.exponent.max(0), ..step.clone() };
        Self::with_few_remainders(whole.to_u64()?, places)
    }

    /// The divisor whose multiples are the common multiples of two. `None` if there are too many remainders.
    pub(crate) fn common(self, other: Self) -> Option<Self> {
        let mut places = self.places.max(other.places);
        let at_places =
            |divisor: Self| divisor.modulus.checked_mul(10u64.checked_pow(places - divisor.places)?);
        let (a, b) = (at_places(self)?, at_places(other)?);
        let mut modulus = (a / greatest_common_divisor(a, b)).checked_mul(b)?;
        while places > 0 && modulus.is_multiple_of(10) {
            (modulus, places) = (modulus / 10, places - 1);
        }
        Self::with_few_remainders(modulus, places)
    }

    fn with_few_remainders(modulus: u64, places: u32) -> Option<Self> {
        let remainders = modulus.checked_mul(u64::from(places) + 1)?;
        (remainders <= MAX_REMAINDERS).then_some(Self { modulus, places })
    }

    /// The numerals of all multiples.
    pub(crate) fn multiples(self, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
        Dfa::explore(Quotient::Start, limits, |state| (self.divides(state), self.edges(state)))
    }
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// The state of a division after a part of a numeral: `rest` is the remainder of the digits read.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Quotient {
    Start,
    Minus,
    Whole { rest: u64, closed: bool },
    Point { rest: u64 },
    Fraction { rest: u64, places: u32 },
}

impl Divisor {
    fn divides(&self, state: &Quotient) -> bool {
        match *state {
            Quotient::Start | Quotient::Minus | Quotient::Point { .. } => false,
            Quotient::Whole { rest, .. } => self.divides_after(rest, 0),
            Quotient::Fraction { rest, places } => self.divides_after(rest, places),
        }
    }

    /// Whether zeros in the remaining places make the number a multiple.
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

    fn multiples(step: &Decimal) -> Option<Dfa> {
        Divisor::of(step).map(|divisor| divisor.multiples(&RegularLimits::default()).unwrap())
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
    #[test]
    fn common_multiples_are_those_of_both() {
        let limits = RegularLimits::default();
        for (one, two) in
            [("6.75", "9.5"), ("4", "6"), ("0.5", "0.2"), ("20", "0.5"), ("2.125", "19"), ("3", "3")]
        {
            let [one, two] = [one, two].map(|step| Divisor::of(&decimal(step)).unwrap());
            let both = one.multiples(&limits).unwrap().intersect(&two.multiples(&limits).unwrap(), &limits);
            assert_eq!(one.common(two).unwrap().multiples(&limits).unwrap(), both.unwrap());
        }
        let large = Divisor::of(&decimal("49999")).unwrap();
        assert_eq!(large.common(Divisor::of(&decimal("49998")).unwrap()), None);
    }
}
