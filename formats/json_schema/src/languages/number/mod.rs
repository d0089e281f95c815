//! Sets of numbers as languages of numerals.
//!
//! The normal form of a numeral is plain notation: an optional minus, digits without leading zeros, an
//! optional fraction of any length. A set of numbers is the language of all numerals in plain notation whose
//! value is in the set. So ranges ([`comparing`]), divisibility ([`Divisor`]) and constants combine by
//! the operations on automata. Which spellings with exponents the grammar accepts besides is decided in
//! [`spellings`].

mod comparison;
mod digits;
mod multiples;
mod numerals;
mod printed;
mod signs;
pub(crate) mod spellings;

pub(crate) use comparison::comparing;
pub(crate) use digits::{digits, has_more_digits};
pub(crate) use multiples::Divisor;

use gcc_grammar_regular::{Dfa, Regex, RegularLimits};
use numerals::{digit, digit_but_zero, minus, text, whole};
use std::sync::{Arc, LazyLock};

/// Integers without a point. All schemas share this automaton.
static WHOLE: LazyLock<Arc<Dfa>> = LazyLock::new(|| dfa(&minus().then(whole())));
/// The shortest numerals. All schemas share this automaton.
static SHORTEST: LazyLock<Arc<Dfa>> = LazyLock::new(|| {
    let last = text(".").then(digit().star()).then(digit_but_zero()).optional();
    let numeral = Regex::concat([minus(), whole(), last]);
    dfa(&Regex::Intersect(vec![numeral, Regex::Complement(Box::new(text("-0")))]))
});

fn dfa(regex: &Regex) -> Arc<Dfa> {
    Arc::new(regex.to_dfa(&RegularLimits::default()).expect("the automaton has a handful of states"))
}

/// All numbers.
pub(crate) fn all() -> Arc<Dfa> {
    signs::plain_of(signs::ALL).clone()
}

/// All integers. `with_point` decides whether `1.0` is an integer.
pub(crate) fn integers(with_point: bool) -> Arc<Dfa> {
    if with_point { signs::plain_of(signs::ALL | signs::INTEGERS).clone() } else { whole_numerals() }
}

/// Integers without a point.
fn whole_numerals() -> Arc<Dfa> {
    WHOLE.clone()
}

/// The shortest numeral of every number.
pub(crate) fn shortest() -> Arc<Dfa> {
    SHORTEST.clone()
}
