//! Renders the result of `gcc-grammar trace` as text and as JSON.

use super::show::quote;
use gcc_grammar::diagnostic::line_and_column;
use gcc_grammar::{Counts, Stuck, Trace, TracedLexeme};
use serde_json::{Value, json};

/// The greatest number of symbols of a stack that are shown as text.
const SHOWN_SYMBOLS: usize = 8;

/// The name of the terminals of ignored lexemes.
const IGNORED: &str = "(ignored)";

/// The trace as lines of text.
pub(crate) fn trace_text(trace: &Trace, text: &[u8]) -> String {
    let mut out: String = trace.lexemes.iter().map(lexeme_text).collect();
    if trace.is_accepted {
        let readings =
            if trace.readings > 1 { format!(", on {} stacks", trace.readings) } else { String::new() };
        out.push_str(&format!("accepted: {} bytes{readings}\n", trace.read));
        return out;
    }
    let (line, column) = line_and_column(&String::from_utf8_lossy(&text[..trace.read]), usize::MAX);
    let verdict = match trace.gave_up {
        true => "given up, there are too many ways to read this",
        false if trace.read == text.len() => "the text ends too early",
        false => "refused",
    };
    out.push_str(&format!("{verdict}: at byte {} (line {line}, column {column})\n", trace.read));
    for Stuck { stack, expected, reading, .. } in &trace.stuck {
        out.push_str(&format!("stack     {}\nexpected  {}\n", top(stack), expected.join(" ")));
        if !reading.is_empty() {
            out.push_str(&format!("reading   {}\n", quote(reading)));
        }
    }
    out
}

fn lexeme_text(lexeme: &TracedLexeme) -> String {
    let TracedLexeme { line, column, terminal, text, stack, counts, .. } = lexeme;
    let place = format!("{line}:{column}");
    let terminal = terminal.as_deref().unwrap_or(IGNORED);
    format!("{place:<8} {terminal:<16} {:<20} {}{}\n", quote(text), top(stack), counts_text(*counts))
}

/// The number of parser stacks and of heads, if there are several.
fn counts_text(counts: Counts) -> String {
    match counts {
        Counts { ways: 0 | 1, .. } => String::new(),
        Counts { heads: 1, ways } => format!("  ({ways} stacks)"),
        Counts { heads, ways } if heads == ways => format!("  ({heads} heads)"),
        Counts { heads, ways } => format!("  ({heads} heads, {ways} stacks)"),
    }
}

/// The topmost symbols of a stack, the top last.
fn top(stack: &[String]) -> String {
    let hidden = stack.len().saturating_sub(SHOWN_SYMBOLS);
    let dots = if hidden > 0 { "… " } else { "" };
    format!("{dots}{}", stack[hidden..].join(" "))
}

/// The trace as JSON.
pub(crate) fn trace_json(trace: &Trace) -> Value {
    let lexemes = trace.lexemes.iter().map(|lexeme| {
        json!({
            "line": lexeme.line, "column": lexeme.column,
            "terminal": lexeme.terminal.as_deref().unwrap_or(IGNORED),
            "text": String::from_utf8_lossy(&lexeme.text), "stack": lexeme.stack,
            "heads": lexeme.counts.heads, "stacks": lexeme.counts.ways,
        })
    });
    let stuck = trace.stuck.iter().map(|Stuck { stack, expected, reading, .. }| {
        json!({"stack": stack, "expected": expected, "reading": String::from_utf8_lossy(reading)})
    });
    json!({
        "accepted": trace.is_accepted,
        "bytes": trace.read,
        "readings": trace.readings,
        "gave_up": trace.gave_up,
        "lexemes": lexemes.collect::<Vec<_>>(),
        "stuck": stuck.collect::<Vec<_>>(),
    })
}
