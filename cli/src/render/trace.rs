//! Renders the result of `gcc-grammar trace` as text and as JSON.

use super::show::quote;
use gcc_grammar::diagnostic::line_and_column;
use gcc_grammar::{Counts, Stuck, Trace, TracedLexeme};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::sync::Arc;

/// The greatest number of symbols of a stack that are shown as text.
const SHOWN_SYMBOLS: usize = 8;

/// The name of the terminals of ignored lexemes.
const IGNORED: &str = "(ignored)";

/// Writes the trace as lines of text.
pub(crate) fn write_trace(out: &mut impl Write, trace: &Trace, text: &[u8]) -> io::Result<()> {
    trace.lexemes.iter().try_for_each(|lexeme| write_lexeme(out, lexeme))?;
    if trace.is_accepted {
        let readings =
            if trace.readings > 1 { format!(", on {} stacks", trace.readings) } else { String::new() };
        return writeln!(out, "accepted: {} bytes{readings}", trace.read);
    }
    let (line, column) = line_and_column(&String::from_utf8_lossy(&text[..trace.read]), usize::MAX);
    let verdict = match trace.gave_up {
        true => "given up, there are too many ways to read this",
        false if trace.read == text.len() => "the text ends too early",
        false => "refused",
    };
    writeln!(out, "{verdict}: at byte {} (line {line}, column {column})", trace.read)?;
    for Stuck { stack, depth, expected, reading, .. } in &trace.stuck {
        writeln!(out, "stack     {}\nexpected  {}", top(stack, *depth), expected.join(" "))?;
        if !reading.is_empty() {
            writeln!(out, "reading   {}", quote(reading))?;
        }
    }
    Ok(())
}

fn write_lexeme(out: &mut impl Write, lexeme: &TracedLexeme) -> io::Result<()> {
    let TracedLexeme { line, column, terminal, text, stack, depth, counts, .. } = lexeme;
    let place = format!("{line}:{column}");
    let terminal = terminal.as_deref().unwrap_or(IGNORED);
    writeln!(
        out,
        "{place:<8} {terminal:<16} {:<20} {}{}",
        quote(text),
        top(stack, *depth),
        counts_text(*counts)
    )
}

/// The number of parser stacks and of heads, if there are several.
fn counts_text(counts: Counts) -> String {
    match counts {
        Counts { ways: 0 | 1, .. } => String::new(),
        Counts { heads: 1, ways, .. } => format!("  ({ways} stacks)"),
        Counts { heads, ways, .. } if heads == ways => format!("  ({heads} heads)"),
        Counts { heads, ways, .. } => format!("  ({heads} heads, {ways} stacks)"),
    }
}

/// The topmost symbols of a stack, the top last.
fn top(stack: &[Arc<str>], depth: usize) -> String {
    let shown = &stack[stack.len().saturating_sub(SHOWN_SYMBOLS)..];
    let dots = if depth > shown.len() { "… " } else { "" };
    format!("{dots}{}", shown.join(" "))
}

/// The trace as JSON, whose lexemes are values only while they are written.
#[derive(Serialize)]
pub(crate) struct TraceJson<'t> {
    accepted: bool,
    bytes: usize,
    gave_up: bool,
    lexemes: Lexemes<'t>,
    stacks: usize,
    stuck: Vec<Value>,
}

struct Lexemes<'t>(&'t [TracedLexeme]);

impl Serialize for Lexemes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(lexeme_json))
    }
}

/// The trace as JSON.
pub(crate) fn trace_json(trace: &Trace) -> TraceJson<'_> {
    let stuck = trace.stuck.iter().map(|Stuck { stack, depth, expected, reading, .. }| {
        json!({"stack": symbols(stack), "depth": depth, "expected": expected, "reading": String::from_utf8_lossy(reading)})
    });
    TraceJson {
        accepted: trace.is_accepted,
        bytes: trace.read,
        gave_up: trace.gave_up,
        lexemes: Lexemes(&trace.lexemes),
        stacks: trace.readings,
        stuck: stuck.collect(),
    }
}

fn lexeme_json(lexeme: &TracedLexeme) -> Value {
    json!({
        "line": lexeme.line, "column": lexeme.column,
        "terminal": lexeme.terminal.as_deref().unwrap_or(IGNORED),
        "text": String::from_utf8_lossy(&lexeme.text), "stack": symbols(&lexeme.stack), "depth": lexeme.depth,
        "heads": lexeme.counts.heads, "stacks": lexeme.counts.ways,
    })
}

fn symbols(stack: &[Arc<str>]) -> Vec<&str> {
    stack.iter().map(AsRef::as_ref).collect()
}
