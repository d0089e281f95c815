//! Strings and sets of characters, with their escapes.

use super::ast::ElementKind;
use crate::scanner::{Scanner, error};
use gcc_grammar_ir::{Code, Diagnostic};
use std::ops::Range;

/// The contents of the string in quotes that comes next.
pub(super) fn string(scanner: &mut Scanner<'_>) -> Result<String, Diagnostic> {
    let start = scanner.at;
    scanner.next();
    let mut text = String::new();
    loop {
        match scanner.peek() {
            Some('\'') => {
                scanner.next();
                return Ok(text);
            }
            None | Some('\n' | '\r') => {
                let message = "this string has no closing quote";
                let error = error(Code::UnterminatedString, message, start..scanner.at);
                return Err(error.help("strings end on the line they begin on; write \\n for a line break"));
            }
            Some('\\') => {
                let start = scanner.at;
                let code = joined(escape(scanner)?, scanner);
                text.push(char::from_u32(code).ok_or_else(|| bad_escape(start..scanner.at))?);
            }
            Some(c) => {
                text.push(c);
                scanner.next();
            }
        }
    }
}

/// The code point of which this is the first surrogate, if the escape of the second one comes next. Otherwise it stays as it is.
fn joined(first: u32, scanner: &mut Scanner<'_>) -> u32 {
    let mut ahead = *scanner;
    let is_first = (0xD800..0xDC00).contains(&first) && ahead.rest().starts_with('\\');
    match is_first.then(|| escape(&mut ahead)) {
        Some(Ok(second @ 0xDC00..0xE000)) => {
            *scanner = ahead;
            0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00)
        }
        _ => first,
    }
}

/// The code point of a string of one character, which may be a surrogate. Another string stays as it is.
pub(super) fn code_point(scanner: &mut Scanner<'_>) -> Option<u32> {
    let mut ahead = *scanner;
    let is_empty = ahead.eat("''");
    let code = (!is_empty && ahead.eat("'")).then(|| character(&mut ahead).ok()).flatten()?;
    ahead.eat("'").then(|| *scanner = ahead)?;
    Some(code)
}

/// The code point of an escape, which may be a surrogate.
fn escape(scanner: &mut Scanner<'_>) -> Result<u32, Diagnostic> {
    let start = scanner.at;
    scanner.next();
    Ok(u32::from(match scanner.next() {
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some('b') => '\u{8}',
        Some('f') => '\u{C}',
        Some('u') => {
            let digits = if scanner.eat("{") {
                scanner.take_to("}").unwrap_or_default()
            } else {
                let rest = scanner.rest();
                let digits = rest.bytes().take(4).take_while(u8::is_ascii_hexdigit).count();
                scanner.at += digits;
                if digits == 4 { &rest[..4] } else { "" }
            };
            let code = u32::from_str_radix(digits, 16).ok().filter(|&code| code <= 0x10_FFFF);
            return code.ok_or_else(|| bad_escape(start..scanner.at));
        }
        Some(c) if !c.is_ascii_alphanumeric() => c,
        _ => return Err(bad_escape(start..scanner.at)),
    }))
}

fn bad_escape(span: Range<usize>) -> Diagnostic {
    error(Code::BadEscape, "this is no escape of ANTLR", span)
        .help("write a code point as \\u00E9 or \\u{1F600}, and a backslash as \\\\")
}

/// The set of characters in brackets that comes next.
pub(super) fn set(scanner: &mut Scanner<'_>, ignore_case: bool) -> Result<ElementKind, Diagnostic> {
    let start = scanner.at;
    scanner.next();
    let mut class = String::new();
    loop {
        match scanner.peek() {
            Some(']') => {
                scanner.next();
                break;
            }
            None | Some('\n' | '\r') => {
                let message = "this set of characters has no closing bracket";
                return Err(error(Code::UnterminatedClass, message, start..scanner.at));
            }
            Some('\\') if is_property(scanner) => class.push_str(&property(scanner)),
            Some(_) => {
                let (low, high) = scanner.range(character)?;
                class.push_str(&if ignore_case {
                    range_in_any_case(low, high)
                } else {
                    range_in_class(low, high)
                });
            }
        }
    }
    if scanner.text[start..scanner.at].len() == 2 {
        return Err(error(Code::EmptyClass, "this set has no characters", start..scanner.at));
    }
    Ok(ElementKind::Set(class))
}

fn is_property(scanner: &Scanner<'_>) -> bool {
    let rest = scanner.rest();
    rest.starts_with("\\p{") || rest.starts_with("\\P{")
}

/// A property of Unicode, which is written in the same way in a pattern.
fn property(scanner: &mut Scanner<'_>) -> String {
    let start = scanner.at;
    if scanner.take_to("}").is_none() {
        scanner.next();
    }
    scanner.text[start..scanner.at].to_owned()
}

/// A range of code points in a class, with the same letters in the other case. As in ANTLR, the ends of the range decide: it is the range of both ends
/// in lower case and that in upper case, or it stays as it is if one end is in lower case only, or the two ranges differ in length.
pub(super) fn range_in_any_case(low: u32, high: u32) -> String {
    let [lower, upper] = [(lower(low), lower(high)), (upper(low), upper(high))];
    let is_mixed = (lower.0 == low) != (lower.1 == high);
    let length = |range: (u32, u32)| range.1.wrapping_sub(range.0);
    if lower == upper || is_mixed || length(lower) != length(upper) {
        return range_in_class(low, high);
    }
    range_in_class(lower.0, lower.1) + &range_in_class(upper.0, upper.1)
}

/// The lower-case letter of a letter, if it is a single one.
fn lower(code: u32) -> u32 {
    single(code, char::from_u32(code).into_iter().flat_map(char::to_lowercase))
}

/// The upper-case letter of a letter, if it is a single one.
fn upper(code: u32) -> u32 {
    single(code, char::from_u32(code).into_iter().flat_map(char::to_uppercase))
}

fn single(code: u32, mut other: impl Iterator<Item = char>) -> u32 {
    match (other.next(), other.next()) {
        (Some(only), None) => u32::from(only),
        _ => code,
    }
}

/// A range of code points in a class. No text has surrogates, so they are left out.
pub(super) fn range_in_class(low: u32, high: u32) -> String {
    let one = |code: u32| match char::from_u32(code) {
        Some(c @ ('a'..='z' | 'A'..='Z' | '0'..='9' | '_')) => c.to_string(),
        _ => format!("\\U{code:08x}"),
    };
    let parts = [(low, high.min(0xD7FF)), (low.max(0xE000), high)];
    let parts = parts.into_iter().filter(|(low, high)| low <= high);
    parts
        .map(|(low, high)| if low == high { one(low) } else { format!("{}-{}", one(low), one(high)) })
        .collect()
}

fn character(scanner: &mut Scanner<'_>) -> Result<u32, Diagnostic> {
    match scanner.peek() {
        Some('\\') => escape(scanner),
        Some(c) if c != '\n' => {
            scanner.next();
            Ok(u32::from(c))
        }
        _ => Err(scanner.expected("the upper end of the range")),
    }
}
