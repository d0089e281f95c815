//! Traces a text: its lexemes, the parser stack after each of them, and the terminals that are expected where the text is refused.
//!
//! Work and memory grow with the length of the text, and are charged to the budget of the compilation: of a stack, only the topmost symbols are in the
//! trace.

pub(crate) mod heads;
mod places;
mod reader;

use crate::error::Error;
use crate::sources::options::Options;
use crate::sources::parse::Parsed;
use gcc_grammar_compiler::Automata;
use gcc_grammar_compiler::ids::{LexState, LrState};
use gcc_grammar_compiler::lexer::IGNORED;
use gcc_grammar_compiler::lr::{Entry, LrTables, StackId};
use gcc_grammar_ir::Symbol;
use gcc_grammar_limits::{Budget, OverBudget};
use places::Places;
use reader::{Lexeme, Reader, Reading, TextHead};
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub use reader::Counts;

/// The most dead ends that are reported.
const MAX_STUCK: usize = 20;
/// The terminals that lead to one state of the parser and are named, at most.
const MAX_ALIKE: usize = 3;
/// The symbols of a stack that are in a trace, at most.
pub const MAX_SYMBOLS: usize = 32;
/// The bytes of a lexeme in a trace without its text and its stack, estimated.
const LEXEME_BYTES: usize = 256;

/// The trace of a text, with everything by name.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Trace {
    /// The lexemes of the first way to read the text, the first one first.
    pub lexemes: Vec<TracedLexeme>,
    /// The number of parser stacks on which the text is complete.
    pub readings: usize,
    /// The number of bytes that could be read.
    pub read: usize,
    /// Whether the text is in the language.
    pub is_accepted: bool,
    /// Whether the trace ended because there were too many ways to read the text.
    pub gave_up: bool,
    /// The first dead ends, if the text is not accepted.
    pub stuck: Vec<Stuck>,
}

/// A dead end: a way to read the text that could not continue.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Stuck {
    /// The topmost symbols on the parser stack, the top last, at most [`MAX_SYMBOLS`].
    pub stack: Vec<Arc<str>>,
    /// The number of symbols on the parser stack.
    pub depth: usize,
    /// The terminals that the parser expects.
    pub expected: Vec<String>,
    /// The bytes of the lexeme that was not complete.
    pub reading: Vec<u8>,
}

/// A lexeme of the text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TracedLexeme {
    /// Its line, from 1.
    pub line: usize,
    /// Its column, from 1.
    pub column: usize,
    /// The name of its terminal; none if the lexeme is ignored.
    pub terminal: Option<Arc<str>>,
    /// Its bytes.
    pub text: Vec<u8>,
    /// The topmost symbols on the parser stack after it, the top last, at most [`MAX_SYMBOLS`].
    pub stack: Vec<Arc<str>>,
    /// The number of symbols on the parser stack after it.
    pub depth: usize,
    /// How many ways there were to read the text up to its last byte.
    pub counts: Counts,
}

/// Traces a text of a grammar. Ignored lexemes are left out.
///
/// # Errors
/// The grammar cannot be compiled, or the text not be traced, within the limits.
pub fn trace(parsed: &Parsed, text: &[u8], options: &Options) -> Result<Trace, Error> {
    trace_with(parsed, text, options, false)
}

/// Traces a text of a grammar, with or without ignored lexemes.
///
/// # Errors
/// The grammar cannot be compiled, or the text not be traced, within the limits.
pub fn trace_with(parsed: &Parsed, text: &[u8], options: &Options, ignored: bool) -> Result<Trace, Error> {
    let parsed = &*parsed.spelled_out()?;
    let tracer = Tracer::new(parsed, options)?;
    tracer.within(text, ignored, &tracer.budget.stage("trace"))
}

/// Traces many texts of one grammar, whose tables are built once.
#[derive(Debug)]
pub struct Tracer<'p> {
    parsed: &'p Parsed,
    automata: Automata,
    budget: Budget,
}

impl<'p> Tracer<'p> {
    /// Builds the tables of a grammar.
    ///
    /// # Errors
    /// The grammar cannot be compiled within the limits.
    pub fn new(parsed: &'p Parsed, options: &Options) -> Result<Self, Error> {
        parsed.without_lists("trace")?;
        let budget = parsed.budget(options)?;
        let automata = Automata::without_vocabulary(&parsed.grammar, budget.clone());
        Ok(Self { parsed, automata: automata.map_err(|error| parsed.error(error))?, budget })
    }

    /// Traces a text, without ignored lexemes. Each text may spend what the limits allow.
    ///
    /// # Errors
    /// The text cannot be traced within the limits.
    pub fn trace(&self, text: &[u8]) -> Result<Trace, Error> {
        self.within(text, false, &Budget::new(*self.budget.limits()).stage("trace"))
    }

    fn within(&self, text: &[u8], ignored: bool, budget: &Budget) -> Result<Trace, Error> {
        traced(&self.automata, text, ignored, budget).map_err(|over| self.parsed.error(over.into()))
    }
}

fn traced(automata: &Automata, text: &[u8], ignored: bool, budget: &Budget) -> Result<Trace, OverBudget> {
    let mut reader = Reader::new(automata, budget.clone());
    let reading = reader.read(text)?;
    Names::new(automata, reader).trace(text, &reading, ignored, budget)
}

/// A lexer state, and a parser stack with its bottom first.
pub(crate) type Head = (LexState, Vec<LrState>);

/// The bytes of a state of a stack in a table, estimated.
const SHOWN_STATE_BYTES: usize = 64;

/// The head of every way to read a text; the number of bytes that could be read if the text is refused.
pub(crate) fn heads(
    automata: &Automata,
    text: &[u8],
    budget: &Budget,
) -> Result<Result<Vec<Head>, usize>, OverBudget> {
    let mut reader = Reader::new(automata, budget.clone());
    let Reading { read, ways, .. } = reader.read(text)?;
    if read < text.len() {
        return Ok(Err(read));
    }
    let states: usize = ways.iter().map(|way| reader.depth(way.stack) + 1).sum();
    budget.charge_bytes((states * SHOWN_STATE_BYTES) as u64)?;
    Ok(Ok(ways.iter().map(|way| (way.lexer, reader.states(way.stack))).collect()))
}

/// Gives names to what the reader found.
struct Names<'a> {
    automata: &'a Automata,
    reader: Reader<'a>,
    /// The symbol that leads to each LR state; none to the first.
    symbols: Vec<Option<Arc<str>>>,
    /// All names, each once.
    names: FxHashMap<&'a str, Arc<str>>,
}

impl<'a> Names<'a> {
    fn new(automata: &'a Automata, reader: Reader<'a>) -> Self {
        let mut names = Self { automata, reader, symbols: Vec::new(), names: FxHashMap::default() };
        let entries = LrTables::entries(automata.decoding().lr);
        names.symbols = entries.iter().map(|entry| names.symbol(entry)).collect();
        names
    }

    /// The symbol that leads to a state, or the terminals that lead to it: behind which the parser goes on alike.
    fn symbol(&mut self, entry: &Entry) -> Option<Arc<str>> {
        let automata = self.automata;
        match entry {
            Entry::Start => None,
            Entry::Shift(terminals) => {
                let names =
                    terminals.iter().take(MAX_ALIKE).map(|&terminal| automata.terminal_name(terminal));
                let more = (terminals.len() > MAX_ALIKE).then_some("…");
                let names: Vec<&str> = names.chain(more).collect();
                Some(names.join("|").into())
            }
            Entry::Goto(nonterminal) => {
                let symbol = Symbol::Nonterminal(automata.nonterminal_origin(*nonterminal));
                Some(self.name(automata.symbol_name(symbol)))
            }
        }
    }

    fn name(&mut self, name: &'a str) -> Arc<str> {
        Arc::clone(self.names.entry(name).or_insert_with(|| name.into()))
    }

    fn trace(
        &mut self,
        text: &[u8],
        reading: &Reading,
        ignored: bool,
        budget: &Budget,
    ) -> Result<Trace, OverBudget> {
        let Reading { read, ways, counts, complete, gave_up } = reading;
        let is_accepted = *read == text.len() && !complete.is_empty();
        let shown = if is_accepted { complete.first() } else { ways.first() };
        let mut lexemes = shown.map(TextHead::lexemes).unwrap_or_default();
        lexemes.retain(|lexeme| ignored || lexeme.terminal != IGNORED);
        let bytes = |lexeme: &&Lexeme| lexeme.end - lexeme.start + self.bytes(lexeme.stack);
        budget.charge_bytes(lexemes.iter().map(bytes).sum::<usize>() as u64)?;
        let mut places = Places::new(text);
        let stuck: &[TextHead] = if is_accepted { &[] } else { &ways[..ways.len().min(MAX_STUCK)] };
        Ok(Trace {
            lexemes: lexemes.iter().map(|lexeme| self.lexeme(text, lexeme, counts, &mut places)).collect(),
            gave_up: *gave_up,
            readings: complete.len(),
            read: *read,
            is_accepted,
            stuck: stuck
                .iter()
                .map(|way| self.stuck(&text[..*read], way, budget))
                .collect::<Result<_, _>>()?,
        })
    }

    /// The bytes of a lexeme or a way with this stack, estimated.
    fn bytes(&self, stack: StackId) -> usize {
        LEXEME_BYTES + self.reader.depth(stack).min(MAX_SYMBOLS) * size_of::<Arc<str>>()
    }

    fn lexeme(
        &mut self,
        text: &[u8],
        lexeme: &Lexeme,
        counts: &[Counts],
        places: &mut Places<'_>,
    ) -> TracedLexeme {
        let (line, column) = places.of(lexeme.start);
        TracedLexeme {
            line,
            column,
            terminal: match lexeme.terminal {
                IGNORED => None,
                terminal => Some(self.name(self.automata.terminal_name(terminal))),
            },
            text: text[lexeme.start..lexeme.end].to_vec(),
            stack: self.stack(lexeme.stack),
            depth: self.reader.depth(lexeme.stack),
            counts: counts[lexeme.end - 1],
        }
    }

    fn stuck(&mut self, read: &[u8], way: &TextHead, budget: &Budget) -> Result<Stuck, OverBudget> {
        budget.charge_bytes((read.len() - way.start + self.bytes(way.stack)) as u64)?;
        let expected = self.reader.expected(way.stack)?.into_iter();
        Ok(Stuck {
            expected: expected.map(|terminal| self.automata.terminal_name(terminal).to_owned()).collect(),
            stack: self.stack(way.stack),
            depth: self.reader.depth(way.stack),
            reading: read[way.start..].to_vec(),
        })
    }

    /// The symbols that led to the topmost states of a stack, the top last.
    fn stack(&self, stack: StackId) -> Vec<Arc<str>> {
        let mut symbols: Vec<Arc<str>> = self
            .reader
            .downwards(stack)
            .take(MAX_SYMBOLS)
            .filter_map(|state| self.symbols[state.index()].clone())
            .collect();
        symbols.reverse();
        symbols
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::parse::parse;
    use crate::sources::source::Source;
    use crate::{ErrorKind, LimitOptions};

    const BRACKETS: &str = "start: \"[\" start \"]\" | \"x\"";

    fn limited(text: &str, limits: LimitOptions) -> Result<Trace, Error> {
        let options = Options { limits, ..Options::default() };
        trace(&parse(&Source::lark(BRACKETS), &options)?, text.as_bytes(), &options)
    }

    fn nested(depth: usize) -> String {
        format!("{}x{}", "[".repeat(depth), "]".repeat(depth))
    }

    /// States that behave alike are one, whatever terminal leads to them.
    #[test]
    fn a_stack_names_all_terminals_that_lead_to_a_state() {
        let grammar = "start: x \"!\"\nx: A | B\nA: /a+/\nB: /b+/";
        let options = Options::default();
        let trace = trace(&parse(&Source::lark(grammar), &options).expect("a grammar"), b"b!", &options);
        let lexemes = trace.expect("within the limits").lexemes;
        assert_eq!(lexemes[0].stack.iter().map(|symbol| &**symbol).collect::<Vec<_>>(), ["A|B"]);
    }

    #[test]
    fn what_is_remembered_is_named() {
        let schemas = [
            (r#"{"type": "array", "items": {"type": "string"}, "uniqueItems": true}"#, "uniqueItems differ"),
            (r#"{"type": "object", "minProperties": 2}"#, "no key of an object occurs twice"),
        ];
        for (schema, named) in schemas {
            let options = Options::default();
            let parsed = parse(&Source::json_schema(schema), &options).expect("a schema");
            let error = trace(&parsed, b"", &options).map(drop).expect_err("texts are remembered");
            assert!(error.to_string().contains(named), "{error}");
        }
    }

    /// The trace of a text that nests has the topmost symbols of each stack only, and the depth of all.
    #[test]
    fn stacks_are_shown_from_their_tops() {
        let trace = limited(&nested(5000), LimitOptions::default()).expect("within the limits");
        assert!(trace.is_accepted && trace.lexemes.len() == 10_001);
        assert!(trace.lexemes.iter().all(|lexeme| lexeme.stack.len() == lexeme.depth.min(MAX_SYMBOLS)));
        let depths: Vec<usize> = [0, 4999, 5000, 10_000].map(|at| trace.lexemes[at].depth).into();
        assert_eq!(depths, [1, 5000, 5001, 3]);
        assert_eq!(trace.lexemes[4999].stack[MAX_SYMBOLS - 1].as_ref(), "\"[\"");
    }

    /// What a trace costs is charged, and grows with the length of the text.
    #[test]
    fn traces_end_within_the_limits() {
        let bytes = |bytes| LimitOptions { bytes: Some(bytes), ..LimitOptions::default() };
        let work = |work| LimitOptions { work: Some(work), ..LimitOptions::default() };
        for depth in [1000, 2000, 4000] {
            let (few, many) = (depth as u64 * 500, depth as u64 * 5000);
            for limits in [bytes(few), work(depth as u64)] {
                let error = limited(&nested(depth), limits).expect_err("too little");
                assert_eq!(error.kind(), ErrorKind::OverBudget);
                assert!(error.to_string().contains("in stage trace"), "{error}");
            }
            assert!(limited(&nested(depth), bytes(many)).expect("enough").is_accepted, "{depth}");
            assert!(
                limited(&nested(depth), work(depth as u64 * 100 + 10_000)).expect("enough").is_accepted,
                "{depth}"
            );
        }
    }

    /// Many lexemes are freed without recursion, also in a thread with a small stack.
    #[test]
    fn long_texts_are_freed_without_recursion() {
        let grammar = Source::lark("start: (A | B)*\nA: \"a\"\nB: \"b\"");
        let options = Options::default();
        let text = b"ab".repeat(100_000);
        let read = move || trace(&parse(&grammar, &options)?, &text, &options);
        let thread = std::thread::Builder::new().stack_size(1 << 19).spawn(read).expect("a thread");
        assert_eq!(thread.join().expect("no overflow").expect("within the limits").lexemes.len(), 200_000);
    }
}
