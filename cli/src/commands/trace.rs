//! `gcc-grammar trace`.

use crate::commands::compile::LimitArguments;
use crate::failure::{Exit, Failure};
use crate::grammar::{GrammarArguments, Parsed, read_bytes};
use crate::shell::Shell;
use crate::show::quote;
use crate::stages::{FirstStages, Names};
use crate::tracer::{Counts, Lexeme, Stack, Trace, Tracer};
use clap::Args;
use gcc_grammar_compiler::CompileError;
use gcc_grammar_compiler::lexer::IGNORED;
use gcc_grammar_compiler::lr::Entry;
use gcc_grammar_ir::Symbol;
use gcc_grammar_ir::diagnostic::line_and_column;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Symbols of a stack shown to people.
const SHOWN_SYMBOLS: usize = 8;

/// Ways that did not go on shown.
const SHOWN_WAYS: usize = 20;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    text: Text,
    /// Show what is ignored, too
    #[arg(long)]
    ignored: bool,
    #[command(flatten)]
    grammar: GrammarArguments,
    #[command(flatten)]
    limits: LimitArguments,
}

/// What is read.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct Text {
    /// A file; `-` is the standard input
    #[arg(long, value_name = "FILE")]
    text_file: Option<PathBuf>,
    /// A text
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
}

impl Text {
    fn read(&self) -> Result<Vec<u8>, Failure> {
        match (&self.text, &self.text_file) {
            (Some(text), _) => Ok(text.clone().into_bytes()),
            (None, Some(path)) => read_bytes(path),
            (None, None) => Ok(Vec::new()),
        }
    }
}

/// Tells the lexemes of a text, the stack after each and how many there are.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let parsed = arguments.grammar.parse()?;
    let text = arguments.text.read()?;
    let story = story(&parsed, &text, arguments).map_err(|error| Failure::compile(error, &parsed.text))?;
    if shell.json {
        shell.write_json(&story.to_json())?;
    } else {
        let mut out = shell.out();
        out.write_all(story.to_text(&text).as_bytes())?;
        out.flush()?;
    }
    Ok(if story.is_accepted { Exit::Done } else { Exit::Refused })
}

/// A trace with everything by name.
struct Story {
    lexemes: Vec<Step>,
    readings: usize,
    read: usize,
    is_accepted: bool,
    /// Whether there were too many ways to read on.
    gave_up: bool,
    /// The first ways that did not go on.
    stuck: Vec<Stuck>,
}

/// A way that is not at the end of a text.
struct Stuck {
    stack: Vec<String>,
    /// What the parser expects after it.
    expected: Vec<String>,
    /// The lexeme in progress.
    reading: Vec<u8>,
}

/// A lexeme.
struct Step {
    at: (usize, usize),
    terminal: String,
    text: Vec<u8>,
    stack: Vec<String>,
    /// Of the byte that ends it.
    counts: Counts,
}

fn story(parsed: &Parsed, text: &[u8], arguments: &Arguments) -> Result<Story, CompileError> {
    let grammar = &parsed.grammar;
    let first = FirstStages::of(grammar, arguments.limits.over(parsed.limits()))?;
    let lexed = first.lexed(grammar)?;
    let mut tracer = Tracer::new(first.front(grammar, &lexed));
    let trace = tracer.trace(text);
    let names = Names { cfg: &first.cfg, grammar };
    let entries = first.tables.entries();
    let stack = |tracer: &Tracer<'_>, stack: Stack| -> Vec<String> {
        let states = tracer.states(stack).into_iter();
        let symbols = states.filter_map(|state| match &entries[state.index()] {
            Entry::Start => None,
            Entry::Shift(terminals) => terminals.first().copied().map(Symbol::Terminal),
            Entry::Goto(nonterminal) => Some(Symbol::Nonterminal(*nonterminal)),
        });
        symbols.map(|symbol| names.symbol(symbol).to_owned()).collect()
    };
    let Trace { read, ways, counts, complete, gave_up } = &trace;
    let is_accepted = *read == text.len() && !complete.is_empty();
    let shown = if is_accepted { complete.first() } else { ways.first() };
    let step = |lexeme: &Lexeme| Step {
        at: line_and_column(&String::from_utf8_lossy(&text[..lexeme.start]), usize::MAX),
        terminal: match lexeme.terminal {
            IGNORED => "(ignored)".to_owned(),
            terminal => names.symbol(Symbol::Terminal(terminal)).to_owned(),
        },
        text: text[lexeme.start..lexeme.end].to_vec(),
        stack: stack(&tracer, lexeme.stack),
        counts: counts[lexeme.end - 1],
    };
    let lexemes = shown.map(|way| way.lexemes()).unwrap_or_default().into_iter();
    let lexemes = lexemes.filter(|lexeme| arguments.ignored || lexeme.terminal != IGNORED);
    let lexemes: Vec<Step> = lexemes.map(step).collect();
    let stuck = ways.iter().map(|way| {
        let expected = tracer.expected(way.stack).into_iter();
        let expected = expected.map(|terminal| names.symbol(Symbol::Terminal(terminal)).to_owned());
        let reading = text[way.start..*read].to_vec();
        Stuck { stack: stack(&tracer, way.stack), expected: expected.collect(), reading }
    });
    Ok(Story {
        lexemes,
        gave_up: *gave_up,
        readings: complete.len(),
        read: *read,
        is_accepted,
        stuck: if is_accepted { Vec::new() } else { stuck.take(SHOWN_WAYS).collect() },
    })
}

impl Counts {
    /// If there are several ways to read a text.
    fn to_text(self) -> String {
        match self {
            Self { ways: 0 | 1, .. } => String::new(),
            Self { heads: 1, ways } => format!("  ({ways} stacks)"),
            Self { heads, ways } if heads == ways => format!("  ({heads} heads)"),
            Self { heads, ways } => format!("  ({heads} heads, {ways} stacks)"),
        }
    }
}

/// The top of a stack, written with its bottom first.
fn top(stack: &[String]) -> String {
    let hidden = stack.len().saturating_sub(SHOWN_SYMBOLS);
    let dots = if hidden > 0 { "… " } else { "" };
    format!("{dots}{}", stack[hidden..].join(" "))
}

impl Story {
    fn to_text(&self, text: &[u8]) -> String {
        let mut out = String::new();
        for Step { at: (line, column), terminal, text, stack, counts } in &self.lexemes {
            let place = format!("{line}:{column}");
            let heads = counts.to_text();
            out.push_str(&format!("{place:<8} {terminal:<16} {:<20} {}{heads}\n", quote(text), top(stack)));
        }
        if self.is_accepted {
            let readings =
                if self.readings > 1 { format!(", on {} stacks", self.readings) } else { String::new() };
            out.push_str(&format!("accepted: {} bytes{readings}\n", self.read));
            return out;
        }
        let (line, column) = line_and_column(&String::from_utf8_lossy(&text[..self.read]), usize::MAX);
        let what = match self.gave_up {
            true => "given up, there are too many ways to read this",
            false if self.read == text.len() => "the text ends too early",
            false => "refused",
        };
        out.push_str(&format!("{what}: at byte {} (line {line}, column {column})\n", self.read));
        for Stuck { stack, expected, reading } in &self.stuck {
            out.push_str(&format!("stack     {}\nexpected  {}\n", top(stack), expected.join(" ")));
            if !reading.is_empty() {
                out.push_str(&format!("reading   {}\n", quote(reading)));
            }
        }
        out
    }

    fn to_json(&self) -> Value {
        let lexemes = self.lexemes.iter().map(|step| {
            json!({
                "line": step.at.0, "column": step.at.1, "terminal": step.terminal,
                "text": String::from_utf8_lossy(&step.text), "stack": step.stack, "heads": step.counts.heads, "stacks": step.counts.ways,
            })
        });
        let stuck = self.stuck.iter().map(|Stuck { stack, expected, reading }| {
            json!({"stack": stack, "expected": expected, "reading": String::from_utf8_lossy(reading)})
        });
        json!({
            "accepted": self.is_accepted,
            "bytes": self.read,
            "readings": self.readings,
            "gave_up": self.gave_up,
            "lexemes": lexemes.collect::<Vec<_>>(),
            "stuck": stuck.collect::<Vec<_>>(),
        })
    }
}
