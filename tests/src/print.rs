//! Prints grammars in the notations of the front ends, to test that these read them back.
//!
//! In: a grammar or a regular expression. Out: a text, or `None` if the notation cannot express the grammar.

use gcc_grammar_ir::{Body, Expr, Grammar, Pattern, Symbol, Terminal, TokenSelector};
use gcc_grammar_notations::bnf::Dialect;
use gcc_grammar_regular::Regex;
use std::fmt::Write;

/// Prints a grammar in GBNF or EBNF; `None` if it has parts that these cannot express: bytes that are not UTF-8, intersections,
/// or complements of sets of tokens.
#[must_use]
pub fn bnf(grammar: &Grammar, dialect: Dialect) -> Option<String> {
    let mut out = format!("root ::= n{}\n", grammar.start.index());
    for (index, rule) in grammar.rules.iter().enumerate() {
        match &rule.body {
            Body::Expr(expr) => line(&mut out, &format!("n{index}"), &part(expr)?),
            Body::Automaton(automaton) => {
                line(&mut out, &format!("n{index}"), &format!("n{index}-0"));
                for (state, row) in automaton.states.iter().enumerate() {
                    let mut parts: Vec<String> = row
                        .transitions
                        .iter()
                        .map(|(symbol, target)| format!("{} n{index}-{target}", name(*symbol)))
                        .collect();
                    if row.accepting {
                        parts.push("\"\"".to_owned());
                    }
                    // A state without a way to the end derives nothing. A rule that never ends expresses this.
                    let nothing = format!("\"x\" n{index}-{state}");
                    let body = if parts.is_empty() { nothing } else { parts.join(" | ") };
                    line(&mut out, &format!("n{index}-{state}"), &body);
                }
            }
        }
    }
    for (index, terminal) in grammar.terminals.iter().enumerate() {
        line(&mut out, &format!("t{index}"), &terminal_body(terminal, dialect)?);
    }
    Some(out)
}

fn line(out: &mut String, name: &str, body: &str) {
    let _ = writeln!(out, "{name} ::= {body}");
}

fn name(symbol: Symbol) -> String {
    match symbol {
        Symbol::Terminal(id) => format!("t{}", id.index()),
        Symbol::Nonterminal(id) => format!("n{}", id.index()),
    }
}

fn part(expr: &Expr) -> Option<String> {
    let all = |parts: &[Expr]| parts.iter().map(part).collect::<Option<Vec<String>>>();
    match expr {
        Expr::Symbol(symbol) => Some(name(*symbol)),
        Expr::Sequence(parts) if parts.is_empty() => Some("\"\"".to_owned()),
        Expr::Sequence(parts) => Some(format!("({})", all(parts)?.join(" "))),
        Expr::Choice(parts) if parts.is_empty() => None,
        Expr::Choice(parts) => Some(format!("({})", all(parts)?.join(" | "))),
        Expr::Repeat { inner, min, max } => Some(format!("({}){}", part(inner)?, times(*min, *max))),
    }
}

fn times(min: u32, max: Option<u32>) -> String {
    match (min, max) {
        (0, None) => "*".to_owned(),
        (1, None) => "+".to_owned(),
        (0, Some(1)) => "?".to_owned(),
        (min, None) => format!("{{{min},}}"),
        (min, Some(max)) => format!("{{{min},{max}}}"),
    }
}

fn terminal_body(terminal: &Terminal, dialect: Dialect) -> Option<String> {
    match &terminal.pattern {
        Pattern::Regex(regex) => text(regex),
        Pattern::Marked(_) | Pattern::Limited(..) | Pattern::Counted(..) | Pattern::WithRole(..) => None,
        Pattern::Token(selectors) => {
            let tokens = selectors.iter().map(|selector| match selector {
                TokenSelector::Ids(low, high) if low == high => Some(match dialect {
                    Dialect::Gbnf => format!("<[{low}]>"),
                    Dialect::XGrammar => format!("Token({low})"),
                }),
                _ => None,
            });
            Some(tokens.collect::<Option<Vec<_>>>()?.join(" | "))
        }
    }
}

/// Prints a terminal, character by character.
fn text(regex: &Regex) -> Option<String> {
    let all = |parts: &[Regex]| parts.iter().map(text).collect::<Option<Vec<String>>>();
    match regex {
        Regex::Literal(bytes) => {
            let text = std::str::from_utf8(bytes).ok()?;
            Some(format!("\"{}\"", text.chars().map(escape).collect::<String>()))
        }
        Regex::Chars(set) if set.is_empty() => None,
        Regex::Chars(set) => {
            let range = |&(low, high): &(u32, u32)| {
                Some(format!("{}-{}", escape(char::from_u32(low)?), escape(char::from_u32(high)?)))
            };
            Some(format!("[{}]", set.0.iter().map(range).collect::<Option<String>>()?))
        }
        Regex::Concat(parts) => Some(format!("({})", all(parts)?.join(" "))),
        Regex::Union(parts) if parts.is_empty() => None,
        Regex::Union(parts) => Some(format!("({})", all(parts)?.join(" | "))),
        Regex::Repeat { inner, min, max } => Some(format!("({}){}", text(inner)?, times(*min, *max))),
        _ => None,
    }
}

fn escape(c: char) -> String {
    if c.is_ascii_alphanumeric() { c.to_string() } else { format!("\\U{:08x}", u32::from(c)) }
}

/// Prints a regular expression in the syntax of the crate `regex-syntax`; `None` if it has bytes that are not UTF-8, intersections
/// or automata.
#[must_use]
pub fn pattern(regex: &Regex) -> Option<String> {
    let all = |parts: &[Regex]| parts.iter().map(pattern).collect::<Option<Vec<String>>>();
    let code = |code: u32| format!("\\u{{{code:x}}}");
    match regex {
        Regex::Literal(bytes) => {
            Some(std::str::from_utf8(bytes).ok()?.chars().map(|c| code(u32::from(c))).collect())
        }
        Regex::Chars(set) if set.is_empty() => Some("[a&&b]".to_owned()),
        Regex::Chars(set) => {
            let ranges = set.0.iter().map(|&(low, high)| format!("{}-{}", code(low), code(high)));
            Some(format!("[{}]", ranges.collect::<String>()))
        }
        Regex::Bytes(set) if set.ranges().is_empty() => Some("[a&&b]".to_owned()),
        Regex::Bytes(set) => {
            let ranges = set.ranges().into_iter().map(|(low, high)| format!("\\x{low:02x}-\\x{high:02x}"));
            Some(format!("(?-u:[{}])", ranges.collect::<String>()))
        }
        Regex::Concat(parts) => Some(format!("(?:{})", all(parts)?.concat())),
        Regex::Union(parts) if parts.is_empty() => Some("[a&&b]".to_owned()),
        Regex::Union(parts) => Some(format!("(?:{})", all(parts)?.join("|"))),
        Regex::Repeat { inner, min, max } => Some(format!("(?:{}){}", pattern(inner)?, times(*min, *max))),
        _ => None,
    }
}
