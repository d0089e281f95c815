//! Renders how long outputs are at least, as text and as JSON.

use super::show::{bytes_json, number, printable, quote, token_json};
use gcc_grammar::Vocabulary;
use gcc_grammar::lengths::{FAR, FarPart, Lengths, Shortest, Unknown};
use serde_json::{Value, json};

/// The number of far parts that are shown to people.
const SHOWN: usize = 20;

/// The number of tokens of the shortest output.
pub(crate) fn count_text(count: u32, is_exact: bool) -> String {
    let at_most = if is_exact { "" } else { "at most " };
    let s = if count == 1 { "" } else { "s" };
    format!("{at_most}{} token{s}, the end token included", number(u64::from(count)))
}

/// The shortest output: the number of its tokens, and its text.
pub(crate) fn shortest_text(shortest: &Shortest) -> String {
    format!("{}: {}", count_text(shortest.tokens.len() as u32, shortest.is_exact), quote(&shortest.text))
}

/// Why the shortest output is not known, as a line of `check` says it.
pub(crate) fn unknown_text(unknown: &Unknown) -> String {
    let help = unknown.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
    format!("unknown: {}{help}", unknown.why)
}

/// Why the shortest output is not known, as JSON.
pub(crate) fn unknown_json(unknown: &Unknown) -> Value {
    json!({ "why": unknown.why, "help": unknown.help })
}

/// The number of tokens of the shortest output as JSON.
pub(crate) fn count_json(count: u32, is_exact: bool) -> Value {
    json!({ "count": count, "exact": is_exact })
}

/// The shortest output as JSON.
pub(crate) fn shortest_json(vocabulary: &Vocabulary, shortest: &Shortest) -> Value {
    let tokens: Vec<Value> = shortest.tokens.iter().map(|&token| token_json(vocabulary, token)).collect();
    let mut object = count_json(shortest.tokens.len() as u32, shortest.is_exact);
    object["text"] = bytes_json(&shortest.text);
    object["tokens"] = tokens.into();
    object
}

/// How long outputs are, as the lines of `check`.
pub(crate) fn lengths_text(lengths: &Lengths) -> String {
    let shortest = lengths.shortest.as_ref().map_or_else(unknown_text, shortest_text);
    let mut out = format!("  shortest   {shortest}\n");
    match lengths.far.as_deref() {
        None => out.push_str("  far        unknown: a limit was exceeded\n"),
        Some([]) => {
            out.push_str(&format!("  far        every part is reached within {} tokens\n", FAR - 1));
        }
        Some(far) => {
            far.iter().take(SHOWN).for_each(|part| out.push_str(&far_text(part, lengths.far_is_exact)));
            if far.len() > SHOWN {
                out.push_str(&format!("  far        and {} more; see --json\n", far.len() - SHOWN));
            }
        }
    }
    out
}

fn far_text(part: &FarPart, is_exact: bool) -> String {
    let known = if is_exact { "" } else { " is known that" };
    let tokens = number(u64::from(part.tokens));
    let (symbols, rule) = (printable(&part.symbols.join(" ")), printable(&part.rule));
    format!("  far        {symbols} in {rule}: no output of fewer than {tokens} tokens{known} has it\n")
}

/// How long outputs are, as JSON.
pub(crate) fn lengths_json(vocabulary: &Vocabulary, lengths: &Lengths) -> Value {
    let part = |part: &FarPart| json!({"rule": part.rule, "symbols": part.symbols, "tokens": part.tokens});
    json!({
        "shortest": lengths.shortest.as_ref().ok().map(|shortest| shortest_json(vocabulary, shortest)),
        "shortest_unknown": lengths.shortest.as_ref().err().map(unknown_json),
        "far_from": FAR,
        "far": lengths.far.as_ref().map(|far| far.iter().map(part).collect::<Vec<_>>()),
        "far_exact": lengths.far_is_exact,
    })
}
