//! Numeric values, `%x41`, `%d13.10` and `%x30-39`, and whether they are octets or code points.

use crate::scanner::{Scanner, check_surrogates, error};
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_regular::{ByteSet, CharSet, Regex};

/// What a value stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Units {
    CodePoints,
    Octets,
}

/// The values of one element.
pub(super) enum Values {
    /// One after the other.
    Sequence(Vec<u32>),
    Range(u32, u32),
}

impl Values {
    /// The texts of the values.
    pub(super) fn regex(&self, units: Units) -> Regex {
        match self {
            Self::Sequence(values) => Regex::concat(values.iter().map(|&value| one(value, value, units))),
            &Self::Range(low, high) => one(low, high, units),
        }
    }

    fn greatest(&self) -> u32 {
        match self {
            Self::Sequence(values) => values.iter().copied().max().unwrap_or(0),
            Self::Range(_, high) => *high,
        }
    }
}

fn one(low: u32, high: u32, units: Units) -> Regex {
    match (u8::try_from(low), u8::try_from(high)) {
        (Ok(low), Ok(high)) if units == Units::Octets => Regex::Bytes((low..=high).collect::<ByteSet>()),
        _ => Regex::chars(CharSet::new([(low, high)])),
    }
}

/// Reads the values behind the `%`.
pub(super) fn read(scanner: &mut Scanner<'_>) -> Result<Values, Diagnostic> {
    let start = scanner.at;
    scanner.eat("%");
    let radix = match scanner.peek().map(|c| c.to_ascii_lowercase()) {
        Some('x') => 16,
        Some('d') => 10,
        Some('b') => 2,
        _ => return Err(scanner.expected("`x`, `d` or `b` behind `%`, or `s` or `i` and a string")),
    };
    scanner.next();
    let first = number(scanner, radix, start)?;
    if scanner.eat("-") {
        let last = number(scanner, radix, start)?;
        if first > last {
            let message = "this range is empty: its first value is greater than its last one";
            return Err(
                error(Code::EmptyRange, message, start..scanner.at).help("write the smaller value first")
            );
        }
        check_surrogates(first, last, start..scanner.at)?;
        return Ok(Values::Range(first, last));
    }
    let mut values = vec![first];
    while scanner.eat(".") {
        values.push(number(scanner, radix, start)?);
    }
    values.iter().try_for_each(|&value| check_surrogates(value, value, start..scanner.at))?;
    Ok(Values::Sequence(values))
}

fn number(scanner: &mut Scanner<'_>, radix: u32, start: usize) -> Result<u32, Diagnostic> {
    let digits = scanner.take_while(|c| c.is_digit(radix));
    if digits.is_empty() {
        return Err(scanner.expected("the digits of a value"));
    }
    let value = u32::from_str_radix(digits, radix).ok().filter(|&value| value <= 0x10_FFFF);
    value.ok_or_else(|| {
        let message = "this value is no code point of Unicode";
        error(Code::BadNumber, message, start..scanner.at).help("the greatest one is %x10FFFF")
    })
}

/// What the values of a grammar stand for: octets if some are beyond 7F, and none is beyond FF.
pub(super) fn units(text: &str) -> Units {
    let mut greatest = 0;
    let mut scanner = Scanner::new(text);
    while let Some(c) = scanner.peek() {
        match c {
            ';' => _ = scanner.take_while(|c| c != '\n'),
            '"' => {
                scanner.next();
                scanner.take_while(|c| c != '"' && c != '\n');
                scanner.next();
            }
            '%' => match read(&mut scanner) {
                Ok(values) => greatest = greatest.max(values.greatest()),
                Err(_) => _ = scanner.next(),
            },
            _ => _ = scanner.next(),
        }
    }
    if (0x80..=0xFF).contains(&greatest) { Units::Octets } else { Units::CodePoints }
}
