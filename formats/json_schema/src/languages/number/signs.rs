//! The sets of numbers that are defined by sign, in plain notation and with exponents.
//!
//! The magnitude of a numeral with an exponent depends on two counters, which is not a regular property; its
//! sign is regular. So a *class* (a union of {negative numbers}, {0}, {positive numbers}) can be spelled with
//! exponents, and every other set of numbers in plain notation only. In a class of integers, an integer
//! has every exponent that is not negative (`1e1`). After other digits there are the exponents that printers of
//! floating-point numbers use: at most 16 digits after the point and an exponent of at least 16 (`1.5e21`).
//!
//! Nearly every schema needs some of these automata. So they are constructed state by state, which takes a
//! fraction of the time that the equivalent regular expressions take; the tests compare the two.

use gcc_grammar_regular::{Dfa, RegularLimits};
use std::sync::{Arc, OnceLock};

/// The class of all numbers. A class is a set of the bits negative (1), zero (2), positive (4) and
/// [`INTEGERS`].
pub(crate) const ALL: usize = 7;
/// The bit that restricts a class to integers.
pub(crate) const INTEGERS: usize = 8;
/// An integer with more digits after the point than this is not written with an exponent.
const MAX_PLACES: u8 = 16;

/// The automata by class, in plain notation. All schemas share them.
static PLAIN: [OnceLock<Arc<Dfa>>; 16] = [const { OnceLock::new() }; 16];
/// The automata by class, with exponents where they are allowed.
static WRITTEN: [OnceLock<Arc<Dfa>>; 16] = [const { OnceLock::new() }; 16];

/// The numbers of a class in plain notation.
pub(crate) fn plain_of(class: usize) -> &'static Arc<Dfa> {
    PLAIN[class].get_or_init(|| Numerals { class, exponents: false }.automaton())
}

/// The numbers of a class with exponents where they are allowed.
pub(super) fn written_of(class: usize) -> &'static Arc<Dfa> {
    WRITTEN[class].get_or_init(|| Numerals { class, exponents: true }.automaton())
}

/// Which numerals an automaton accepts.
#[derive(Clone, Copy)]
struct Numerals {
    class: usize,
    exponents: bool,
}

/// The state after a part of a numeral.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum NumeralState {
    Start,
    Minus,
    /// In the whole part, which goes on unless it is zero.
    Whole(Mantissa),
    /// After the point.
    Point(Mantissa),
    Fraction(Mantissa),
    /// After `e` or `E`. The exponent may be small after an integer.
    Exponent {
        small: bool,
    },
    /// After the sign of the exponent.
    ExponentSign {
        small: bool,
    },
    /// After a 1 that begins the exponent of an integer.
    One,
    /// One more digit makes the exponent large enough.
    NearlyEnough,
    /// The exponent may end.
    Enough,
}

/// The properties of the digits before the exponent. Properties that do not matter for the class are false or
/// 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Mantissa {
    negative: bool,
    /// All digits so far are zeros.
    zero: bool,
    /// A digit of the fraction is not zero, and the class is one of integers.
    broken: bool,
    /// Digits after the point, up to one more than [`MAX_PLACES`], if they are to be counted.
    places: u8,
}

type Edges = Vec<(u8, u8, NumeralState)>;

impl Numerals {
    fn automaton(self) -> Arc<Dfa> {
        let step = |&state: &NumeralState| (self.may_end(state), self.edges(state));
        Arc::new(
            Dfa::explore(NumeralState::Start, &RegularLimits::default(), step).expect("a handful of states"),
        )
    }

    fn integers(self) -> bool {
        self.class & INTEGERS != 0
    }

    /// Whether the sign of a number belongs to the class.
    fn has_sign(self, mantissa: Mantissa) -> bool {
        let sign = match mantissa {
            Mantissa { zero: true, .. } => 1,
            Mantissa { negative: true, .. } => 0,
            _ => 2,
        };
        self.class >> sign & 1 == 1
    }

    fn may_end(self, state: NumeralState) -> bool {
        match state {
            NumeralState::Whole(mantissa) | NumeralState::Fraction(mantissa) => {
                self.has_sign(mantissa) && !mantissa.broken
            }
            state => state == NumeralState::Enough,
        }
    }

    fn edges(self, state: NumeralState) -> Edges {
        let any = [(b'0', b'9', NumeralState::Enough)];
        let large = [(b'1', b'1', NumeralState::One), (b'2', b'9', NumeralState::NearlyEnough)];
        match state {
            NumeralState::Start => {
                [&[(b'-', b'-', NumeralState::Minus)][..], &self.first_digit(false)].concat()
            }
            NumeralState::Minus => self.first_digit(true).to_vec(),
            NumeralState::Whole(mantissa) => {
                let mut edges = self.exponent(mantissa);
                edges.push((b'.', b'.', NumeralState::Point(mantissa)));
                if !mantissa.zero {
                    edges.push((b'0', b'9', state));
                }
                edges
            }
            NumeralState::Point(mantissa) => self.fraction(mantissa).to_vec(),
            NumeralState::Fraction(mantissa) => {
                [&self.exponent(mantissa)[..], &self.fraction(mantissa)].concat()
            }
            NumeralState::Exponent { small } => {
                let signs: &[u8] = if self.integers() { b"+" } else { b"+-" };
                let signs = signs.iter().map(|&sign| (sign, sign, NumeralState::ExponentSign { small }));
                signs.chain(if small { any.to_vec() } else { large.to_vec() }).collect()
            }
            NumeralState::ExponentSign { small: false } => large.to_vec(),
            NumeralState::One => {
                vec![(b'0', b'5', NumeralState::NearlyEnough), (b'6', b'9', NumeralState::Enough)]
            }
            NumeralState::ExponentSign { small: true }
            | NumeralState::NearlyEnough
            | NumeralState::Enough => any.to_vec(),
        }
    }

    fn exponent(self, mantissa: Mantissa) -> Edges {
        let small = !mantissa.broken;
        if !self.exponents || !self.has_sign(mantissa) || (!small && mantissa.places > MAX_PLACES) {
            return Vec::new();
        }
        [b'E', b'e'].map(|letter| (letter, letter, NumeralState::Exponent { small })).to_vec()
    }

    fn fraction(self, mantissa: Mantissa) -> [(u8, u8, NumeralState); 2] {
        let counts = self.integers() && self.exponents;
        let places = if counts { (mantissa.places + 1).min(MAX_PLACES + 1) } else { 0 };
        let zero = Mantissa { places, zero: mantissa.zero && self.class & ALL != ALL, ..mantissa };
        let other = Mantissa { zero: false, broken: self.integers(), ..zero };
        [(b'0', b'0', NumeralState::Fraction(zero)), (b'1', b'9', NumeralState::Fraction(other))]
    }

    fn first_digit(self, negative: bool) -> [(u8, u8, NumeralState); 2] {
        let negative = negative && self.class & 1 != self.class >> 2 & 1;
        let zero = Mantissa { negative, zero: true, broken: false, places: 0 };
        [
            (b'0', b'0', NumeralState::Whole(zero)),
            (b'1', b'9', NumeralState::Whole(Mantissa { zero: false, ..zero })),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::numerals::{digit, digit_but_zero, minus, text, whole};
    use super::*;
    use gcc_grammar_regular::CharSet;
    use gcc_grammar_regular::Regex;

    fn dfa(regex: &Regex) -> Dfa {
        regex.to_dfa(&RegularLimits::default()).unwrap()
    }

    fn integer() -> Regex {
        Regex::concat([minus(), whole(), text(".").then(text("0").plus()).optional()])
    }

    /// `e` or `E`, then `rest`.
    fn exponent(rest: Regex) -> Regex {
        Regex::union([text("e"), text("E")]).then(rest)
    }

    /// The numerals of some signs in plain notation.
    fn signs(class: usize) -> impl Iterator<Item = Regex> {
        let zero = || text("0").then(text(".").then(text("0").plus()).optional());
        let fraction = text(".").then(digit().plus()).optional();
        let not_zero = Regex::Intersect(vec![whole().then(fraction), Regex::Complement(Box::new(zero()))]);
        let members = [text("-").then(not_zero.clone()), minus().then(zero()), not_zero];
        members
            .into_iter()
            .enumerate()
            .filter(move |(sign, _)| class >> sign & 1 == 1)
            .map(|(_, regex)| regex)
    }

    /// The numbers of a class in plain notation.
    fn plain(class: usize) -> Regex {
        if class < INTEGERS {
            return Regex::union(signs(class));
        }
        Regex::Intersect(vec![plain(class - INTEGERS), integer()])
    }

    /// The numbers of a class as they are written.
    fn written(class: usize) -> Regex {
        if class < INTEGERS {
            let sign = Regex::union([text("+"), text("-")]).optional();
            let exponent = exponent(sign.then(digit().plus())).optional();
            return Regex::union(signs(class).map(|sign| sign.then(exponent.clone())));
        }
        let small = plain(class).then(exponent(text("+").optional().then(digit().plus())));
        Regex::union([plain(class), small, Regex::Intersect(vec![written(class - INTEGERS), large()])])
    }

    /// Numerals of integers that printers of floating-point numbers give an exponent.
    fn large() -> Regex {
        let sixteen_or_more = Regex::union([
            text("1").then(Regex::chars(CharSet::range('6', '9'))),
            Regex::chars(CharSet::range('2', '9')).then(digit()),
            digit_but_zero().then(digit().repeat(2, None)),
        ]);
        let fraction = text(".").then(digit().repeat(1, Some(16))).optional();
        let exponent = exponent(text("+").optional().then(sixteen_or_more));
        Regex::concat([minus(), whole(), fraction, exponent])
    }

    #[test]
    fn the_automata_are_those_of_the_expressions() {
        for class in 0..=ALL | INTEGERS {
            assert_eq!(**plain_of(class), dfa(&plain(class)), "{class}");
            assert_eq!(**written_of(class), dfa(&written(class)), "{class}");
        }
    }
}
