//! The spellings of a set of numbers: with exponents if it is a class of signs, else in plain notation, with the exponents that printers write
//! where all numbers of that size and sign are in the set; and those of integers by option.

use super::printed::Printed;
use super::signs::{ALL, INTEGERS, plain_of, written_of};
use super::whole_numerals;
use crate::options::IntegerSpelling;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, RegularLimits};
use std::sync::Arc;

/// The numerals of a set of numbers.
pub(crate) fn spelled(
    numbers: &Arc<Dfa>,
    integers: IntegerSpelling,
    limits: &RegularLimits,
) -> Result<Arc<Dfa>, OverBudget> {
    let class = class_of(numbers).filter(|class| class & INTEGERS == 0 || integers == IntegerSpelling::All);
    match class {
        Some(class) => Ok(written_of(class).clone()),
        None if integers == IntegerSpelling::Plain && points(numbers) == Points::Zeros => {
            numbers.intersect(&whole_numerals(), limits).map(Arc::new)
        }
        None => match Printed::of(numbers) {
            Printed::NONE => Ok(numbers.clone()),
            printed => numbers.union(&printed.exponents(limits)?, limits).map(Arc::new),
        },
    }
}

/// Which spellings of its numbers a set has, from all to fewest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(crate) enum Spellings {
    /// All that JSON has.
    #[default]
    All,
    /// Plain notation, and the exponents that printers write for integers.
    Integers,
    /// Digits, and a point with zeros.
    Zeros,
    /// Digits only, although the numbers have a point elsewhere.
    Digits,
    /// Digits only. If `1.0` is no integer, these are all spellings.
    Whole,
    /// Plain notation, and the exponents that printers write for very small or very large numbers.
    Printed,
    /// Plain notation only.
    Plain,
}

impl Spellings {
    /// Whether a spelling is missing. `whole_is_narrow` tells whether one is missing where there is no point.
    pub(crate) fn are_narrow(self, whole_is_narrow: bool) -> bool {
        match self {
            Self::All => false,
            Self::Whole => whole_is_narrow,
            Self::Integers | Self::Zeros | Self::Digits | Self::Printed | Self::Plain => true,
        }
    }
}

/// The spellings that [`spelled`] gives to a set of numbers.
pub(crate) fn spellings(numbers: &Arc<Dfa>, integers: IntegerSpelling) -> Spellings {
    let class = class_of(numbers);
    if class.is_some_and(|class| class & INTEGERS == 0) {
        return Spellings::All;
    }
    match (points(numbers), integers) {
        (Points::None, _) => Spellings::Whole,
        (Points::Zeros, IntegerSpelling::Plain) => Spellings::Digits,
        (Points::Zeros, IntegerSpelling::Zeros) if class.is_some() => Spellings::Zeros,
        (Points::Zeros, IntegerSpelling::All) if class.is_some() => Spellings::Integers,
        _ if Printed::of(numbers) != Printed::NONE => Spellings::Printed,
        _ => Spellings::Plain,
    }
}

/// The class that the set of numbers is equal to.
fn class_of(numbers: &Arc<Dfa>) -> Option<usize> {
    let has = |text: &str| numbers.accepts(text.as_bytes());
    let signs = usize::from(has("-1")) | usize::from(has("0")) << 1 | usize::from(has("1")) << 2;
    // Zero alone is not a class of integers.
    let integers = signs & ALL & !2 != 0 && !has("-0.5") && !has("0.5");
    let class = signs | if integers { INTEGERS } else { 0 };
    (plain_of(class) == numbers).then_some(class)
}

/// What a set of numbers has after the point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Points {
    /// There is no point.
    None,
    /// Zeros only, so all numbers are integers.
    Zeros,
    Digits,
}

fn points(numbers: &Dfa) -> Points {
    let states = 0..numbers.state_count() as u32;
    let mut open: Vec<u32> = states.filter_map(|state| numbers.next(state, b'.')).collect();
    if open.is_empty() {
        return Points::None;
    }
    let mut is_seen = vec![false; numbers.state_count()];
    while let Some(state) = open.pop() {
        if (b'1'..=b'9').any(|digit| numbers.next(state, digit).is_some()) {
            return Points::Digits;
        }
        if !std::mem::replace(&mut is_seen[state as usize], true) {
            open.extend(numbers.next(state, b'0'));
        }
    }
    Points::Zeros
}

#[cfg(test)]
mod tests {
    use super::super::comparison::comparing;
    use super::super::numerals::{minus, text, whole};
    use super::*;
    use crate::read::decimal::Decimal;
    use gcc_grammar_regular::Regex;
    use std::cmp::Ordering;

    const LIMITS: fn() -> RegularLimits = RegularLimits::default;

    fn dfa(regex: &Regex) -> Arc<Dfa> {
        Arc::new(regex.to_dfa(&LIMITS()).unwrap())
    }

    fn spelled_as(numbers: &Arc<Dfa>, integers: IntegerSpelling) -> Arc<Dfa> {
        spelled(numbers, integers, &LIMITS()).unwrap()
    }

    fn compared(bound: &str) -> Arc<Dfa> {
        Arc::new(comparing(&Decimal::parse(bound).unwrap(), Ordering::is_ge, &LIMITS()).unwrap().unwrap())
    }

    /// Whether a class has integers only, and not zero alone.
    fn is_integers(class: usize) -> bool {
        class & INTEGERS != 0 && class & 5 != 0
    }

    #[test]
    fn every_class_is_recognized_by_its_automaton() {
        for class in 0..=ALL | INTEGERS {
            // Integers among nothing and among zeros are nothing and all zeros.
            let expected = if class & 5 == 0 { class & ALL } else { class };
            let numbers = plain_of(class);
            assert_eq!(class_of(numbers), Some(expected));
            assert_eq!(spelled_as(numbers, IntegerSpelling::All), *written_of(expected));
            let zeros = spelled_as(numbers, IntegerSpelling::Zeros);
            assert_eq!(
                zeros,
                if is_integers(class) { numbers.clone() } else { written_of(expected).clone() }
            );
        }
    }

    #[test]
    fn plain_integers_have_digits_only() {
        let integers = spelled_as(plain_of(ALL | INTEGERS), IntegerSpelling::Plain);
        assert_eq!(integers, dfa(&minus().then(whole())));
        let five = dfa(&text("5").then(text(".").then(text("0").plus()).optional()));
        assert_eq!(spelled_as(&five, IntegerSpelling::Plain), dfa(&text("5")));
        for other in [dfa(&text("5").then(text(".5").optional())), compared("1")] {
            let spelled = spelled_as(&other, IntegerSpelling::Plain);
            assert_eq!(spelled.accepts(b"1e16"), other.accepts(b"20000000000000000"));
        }
    }

    #[test]
    fn spellings_are_told_apart() {
        for class in 0..=ALL | INTEGERS {
            for (option, of_integers) in [
                (IntegerSpelling::All, Spellings::Integers),
                (IntegerSpelling::Zeros, Spellings::Zeros),
                (IntegerSpelling::Plain, Spellings::Digits),
            ] {
                let expected = if is_integers(class) { of_integers } else { Spellings::All };
                assert_eq!(spellings(plain_of(class), option), expected, "{class}");
            }
        }
        let of = |regex: &Regex| spellings(&dfa(regex), IntegerSpelling::Zeros);
        assert_eq!(of(&minus().then(whole())), Spellings::Whole);
        assert_eq!(of(&text("5")), Spellings::Whole);
        assert_eq!(of(&text("5").then(text(".5").optional())), Spellings::Plain);
        assert_eq!(of(&text("5").then(text(".0").optional())), Spellings::Plain);
    }

    #[test]
    fn signs_get_exponents() {
        for integers in IntegerSpelling::ALL {
            let written = spelled_as(&compared("0"), *integers);
            assert!(["0", "-0e5", "1e-7", "12.5E+3"].iter().all(|text| written.accepts(text.as_bytes())));
            assert!(!written.accepts(b"-1e5"));
        }
    }
}
