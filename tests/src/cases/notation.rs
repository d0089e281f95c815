//! Reads and writes regular expressions and right-hand sides as nested lists of TOML.
//!
//! Regular expressions: a string is a literal; `["cat", …]`, `["or", …]`, `["and", …]`, `["not", x]`, `["rep", x, min, max]`
//! (without `max`: no bound), `["chars", "a-z", "_"]`, `["bytes", "00-7f", "ff"]`, `["hex", "ff00"]`, `["pattern", "[a-z]+"]`,
//! `["look", "start"]`, `["dfa", x]` (the same language, given to the compiler as an automaton).
//! Right-hand sides: a string is a symbol; `["seq", …]`, `["or", …]`, `["rep", x, min, max]`.

use super::eliminate;
use gcc_grammar_ir::{Expr, Symbol};
use gcc_grammar_regular::Regex;
use gcc_grammar_regular::{ByteSet, CharSet, Look, PatternFlags, RegularLimits};
use std::sync::Arc;
use toml::Value;

/// Names of assertions.
const LOOKS: [(&str, Look); Look::ALL.len()] = [
    ("start", Look::Start),
    ("end", Look::End),
    ("line-start", Look::LineStart),
    ("line-end", Look::LineEnd),
    ("word-boundary", Look::WordBoundary),
    ("not-word-boundary", Look::NotWordBoundary),
    ("line-start-crlf", Look::LineStartCrlf),
    ("line-end-crlf", Look::LineEndCrlf),
    ("word-start", Look::WordStart),
    ("word-end", Look::WordEnd),
    ("word-start-half", Look::WordStartHalf),
    ("word-end-half", Look::WordEndHalf),
];

/// A message about an expression that cannot be read.
type Wrong = String;

/// Splits a list into its head and the rest.
fn list(value: &Value) -> Result<(&str, &[Value]), Wrong> {
    let parts = value.as_array().map(Vec::as_slice).unwrap_or_default();
    let [Value::String(head), rest @ ..] = parts else {
        return Err(format!("not a list with a head: {value:?}"));
    };
    Ok((head, rest))
}

fn only(parts: &[Value]) -> Result<&Value, Wrong> {
    parts.first().filter(|_| parts.len() == 1).ok_or_else(|| format!("one part is wanted: {parts:?}"))
}

fn text(value: &Value) -> Result<&str, Wrong> {
    value.as_str().ok_or_else(|| format!("not a string: {value:?}"))
}

/// The bounds after the inner expression of a `rep`.
fn bounds(parts: &[Value]) -> Result<(u32, Option<u32>), Wrong> {
    let number = |value: &Value| {
        let number = value.as_integer().and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| format!("not a count: {value:?}"))
    };
    match parts {
        [min] => Ok((number(min)?, None)),
        [min, max] => Ok((number(min)?, Some(number(max)?))),
        _ => Err("rep wants an expression, a minimum and perhaps a maximum".to_owned()),
    }
}

/// A regular expression.
pub(super) fn read_regex(value: &Value) -> Result<Regex, Wrong> {
    if let Some(literal) = value.as_str() {
        return Ok(Regex::literal(literal));
    }
    let (head, parts) = list(value)?;
    let all = || parts.iter().map(read_regex).collect::<Result<Vec<_>, _>>();
    match head {
        "cat" => Ok(Regex::Concat(all()?)),
        "or" => Ok(Regex::Union(all()?)),
        "and" => Ok(Regex::Intersect(all()?)),
        "not" => Ok(Regex::Complement(Box::new(read_regex(only(parts)?)?))),
        "rep" => {
            let [inner, rest @ ..] = parts else { return Err("rep of nothing".to_owned()) };
            let (min, max) = bounds(rest)?;
            Ok(Regex::Repeat { inner: Box::new(read_regex(inner)?), min, max })
        }
        "chars" => {
            let ranges = parts.iter().map(|part| char_range(text(part)?)).collect::<Result<Vec<_>, _>>()?;
            Ok(Regex::Chars(CharSet::new(ranges)))
        }
        "bytes" => parts
            .iter()
            .try_fold(ByteSet::default(), |set, part| add_bytes(set, text(part)?))
            .map(Regex::Bytes),
        "hex" => Ok(Regex::Literal(read_hex(text(only(parts)?)?)?)),
        "pattern" => {
            let pattern = text(only(parts)?)?;
            Regex::parse(pattern, PatternFlags::default()).map_err(|error| format!("{pattern}: {error:?}"))
        }
        "look" => {
            let name = text(only(parts)?)?;
            let look = LOOKS.iter().find(|look| look.0 == name);
            look.map(|look| Regex::Look(look.1)).ok_or_else(|| format!("unknown assertion: {name}"))
        }
        "dfa" => {
            let automaton = read_regex(only(parts)?)?.to_dfa(&RegularLimits::default());
            automaton
                .map(|automaton| Regex::Automaton(Arc::new(automaton)))
                .map_err(|error| format!("{error:?}"))
        }
        _ => Err(format!("unknown regular expression: {head}")),
    }
}

/// `a` or `a-z`.
fn char_range(range: &str) -> Result<(u32, u32), Wrong> {
    match range.chars().collect::<Vec<_>>()[..] {
        [only] => Ok((u32::from(only), u32::from(only))),
        [low, '-', high] => Ok((u32::from(low), u32::from(high))),
        _ => Err(format!("not a character or a range of characters: {range}")),
    }
}

fn add_bytes(mut set: ByteSet, range: &str) -> Result<ByteSet, Wrong> {
    let (low, high) = range.split_once('-').unwrap_or((range, range));
    let ([low], [high]) = (&read_hex(low)?[..], &read_hex(high)?[..]) else {
        return Err(format!("not a byte or a range of bytes: {range}"));
    };
    (*low..=*high).for_each(|byte| set.insert(byte));
    Ok(set)
}

/// Bytes written as pairs of hexadecimal digits.
pub(super) fn read_hex(digits: &str) -> Result<Vec<u8>, Wrong> {
    let pairs = digits.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap_or_default());
    pairs.map(|pair| u8::from_str_radix(pair, 16).map_err(|_| format!("not hexadecimal: {digits}"))).collect()
}

/// A right part; `symbol` looks names up.
pub(super) fn read_expr(
    value: &Value,
    symbol: &impl Fn(&str) -> Result<Symbol, Wrong>,
) -> Result<Expr, Wrong> {
    if let Some(name) = value.as_str() {
        return symbol(name).map(Expr::Symbol);
    }
    let (head, parts) = list(value)?;
    let all = || parts.iter().map(|part| read_expr(part, symbol)).collect::<Result<Vec<_>, _>>();
    match head {
        "seq" => Ok(Expr::Sequence(all()?)),
        "or" => Ok(Expr::Choice(all()?)),
        "rep" => {
            let [inner, rest @ ..] = parts else { return Err("rep of nothing".to_owned()) };
            let (min, max) = bounds(rest)?;
            Ok(Expr::Repeat { inner: Box::new(read_expr(inner, symbol)?), min, max })
        }
        _ => Err(format!("unknown right part: {head}")),
    }
}

/// A string in quotes.
pub(super) fn quote(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

/// Bytes: a string if they are text, else hexadecimal.
pub(super) fn write_bytes(bytes: &[u8]) -> String {
    let hex = || bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    std::str::from_utf8(bytes).map_or_else(|_| format!("[\"hex\", \"{}\"]", hex()), quote)
}

fn write_list(head: &str, parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = [quote(head)].into_iter().chain(parts).collect();
    format!("[{}]", parts.join(", "))
}

fn write_repeat(inner: String, min: u32, max: Option<u32>) -> String {
    let bounds = [Some(min), max].into_iter().flatten().map(|bound| bound.to_string());
    write_list("rep", [inner].into_iter().chain(bounds))
}

/// A regular expression.
pub(super) fn write_regex(regex: &Regex) -> String {
    let list = |head: &str, parts: &[Regex]| write_list(head, parts.iter().map(write_regex));
    match regex {
        Regex::Literal(bytes) => write_bytes(bytes),
        Regex::Concat(parts) => list("cat", parts),
        Regex::Union(parts) => list("or", parts),
        Regex::Intersect(parts) => list("and", parts),
        Regex::Complement(inner) => write_list("not", [write_regex(inner)].into_iter()),
        Regex::Repeat { inner, min, max } => write_repeat(write_regex(inner), *min, *max),
        Regex::Chars(set) => {
            write_list("chars", set.0.iter().map(|&(low, high)| quote(&write_chars(low, high))))
        }
        Regex::Bytes(set) => write_list("bytes", set.iter().map(|byte| quote(&format!("{byte:02x}")))),
        Regex::Lazy(inner) => write_regex(inner),
        Regex::Look(look) => {
            let names = LOOKS.iter().filter(|known| known.1 == *look).map(|known| quote(known.0));
            write_list("look", names)
        }
        Regex::Around(_) => unreachable!("front ends make automata of expressions with look-around"),
        Regex::Automaton(automaton) => {
            write_list("dfa", [write_regex(&eliminate::expression(automaton))].into_iter())
        }
    }
}

fn write_chars(low: u32, high: u32) -> String {
    let letter = |code: u32| char::from_u32(code).expect("a code point set holds scalar values only");
    if low == high { letter(low).to_string() } else { format!("{}-{}", letter(low), letter(high)) }
}

/// A right part; `name` gives the names of symbols.
pub(super) fn write_expr(expr: &Expr, name: &impl Fn(Symbol) -> String) -> String {
    let list = |head: &str, parts: &[Expr]| write_list(head, parts.iter().map(|part| write_expr(part, name)));
    match expr {
        Expr::Symbol(symbol) => quote(&name(*symbol)),
        Expr::Sequence(parts) => list("seq", parts),
        Expr::Choice(parts) => list("or", parts),
        Expr::Repeat { inner, min, max } => write_repeat(write_expr(inner, name), *min, *max),
    }
}
