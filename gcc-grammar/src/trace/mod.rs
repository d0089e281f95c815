//! Traces a text: its lexemes, the parser stack after each of them, and what is expected where the text is refused.

mod reader;

use crate::error::Error;
use crate::options::Options;
use crate::parse::Parsed;
use gcc_grammar_compiler::Automata;
use gcc_grammar_compiler::ids::{LexState, LrState};
use gcc_grammar_compiler::lexer::IGNORED;
use gcc_grammar_compiler::lr::{Entry, StackId};
use gcc_grammar_ir::Symbol;
use gcc_grammar_ir::diagnostic::line_and_column;
use reader::{Lexeme, Reader, Reading, Way};

pub use reader::Counts;

/// The ways that did not go on and are reported, at most.
const MAX_STUCK: usize = 20;

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
    /// The first ways that did not go on, if the text is not accepted.
    pub stuck: Vec<Stuck>,
}

/// A way to read the text that did not go on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Stuck {
    /// The symbols on the parser stack, the bottom first.
    pub stack: Vec<String>,
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
    pub terminal: Option<String>,
    /// Its bytes.
    pub text: Vec<u8>,
    /// The symbols on the parser stack after it, the bottom first.
    pub stack: Vec<String>,
    /// How many ways there were to read the text up to its last byte.
    pub counts: Counts,
}

/// Traces a text of a grammar. Ignored lexemes are left out.
///
/// # Errors
/// The grammar cannot be compiled within the limits.
pub fn trace(parsed: &Parsed, text: &[u8], options: &Options) -> Result<Trace, Error> {
    trace_with(parsed, text, options, false)
}

/// Traces a text of a grammar, with or without ignored lexemes.
///
/// # Errors
/// The grammar cannot be compiled within the limits.
pub fn trace_with(parsed: &Parsed, text: &[u8], options: &Options, ignored: bool) -> Result<Trace, Error> {
    let budget = parsed.budget(options)?;
    let automata = Automata::without_vocabulary(&parsed.grammar, budget);
    let automata = automata.map_err(|error| Error::compile(error, parsed))?;
    let mut reader = Reader::new(&automata);
    let reading = reader.read(text);
    let mut names = Names { automata: &automata, entries: automata.decoding().lr.entries(), reader };
    Ok(names.trace(text, &reading, ignored))
}

/// The lexer state and the parser stack, its bottom first, of every way to read a text; the number of bytes
/// that could be read if the text is refused.
pub(crate) fn heads(automata: &Automata<'_>, text: &[u8]) -> Result<Vec<(LexState, Vec<LrState>)>, usize> {
    let mut reader = Reader::new(automata);
    let Reading { read, ways, .. } = reader.read(text);
    if read < text.len() {
        return Err(read);
    }
    Ok(ways.iter().map(|way| (way.lexer, reader.states(way.stack))).collect())
}

/// Gives names to what the reader found.
struct Names<'a> {
    automata: &'a Automata<'a>,
    entries: Vec<Entry>,
    reader: Reader<'a>,
}

impl Names<'_> {
    fn trace(&mut self, text: &[u8], reading: &Reading, ignored: bool) -> Trace {
        let Reading { read, ways, counts, complete, gave_up } = reading;
        let is_accepted = *read == text.len() && !complete.is_empty();
        let shown = if is_accepted { complete.first() } else { ways.first() };
        let lexemes = shown.map(Way::lexemes).unwrap_or_default().into_iter();
        let lexemes = lexemes.filter(|lexeme| ignored || lexeme.terminal != IGNORED);
        Trace {
            lexemes: lexemes.map(|lexeme| self.lexeme(text, lexeme, counts)).collect(),
            gave_up: *gave_up,
            readings: complete.len(),
            read: *read,
            is_accepted,
            stuck: match is_accepted {
                true => Vec::new(),
                false => ways.iter().take(MAX_STUCK).map(|way| self.stuck(&text[..*read], way)).collect(),
            },
        }
    }

    fn lexeme(&self, text: &[u8], lexeme: &Lexeme, counts: &[Counts]) -> TracedLexeme {
        let before = String::from_utf8_lossy(&text[..lexeme.start]);
        let (line, column) = line_and_column(&before, usize::MAX);
        TracedLexeme {
            line,
            column,
            terminal: match lexeme.terminal {
                IGNORED => None,
                terminal => Some(self.automata.terminal_name(terminal).to_owned()),
            },
            text: text[lexeme.start..lexeme.end].to_vec(),
            stack: self.stack(lexeme.stack),
            counts: counts[lexeme.end - 1],
        }
    }

    fn stuck(&mut self, read: &[u8], way: &Way) -> Stuck {
        let expected = self.reader.expected(way.stack).into_iter();
        Stuck {
            expected: expected.map(|terminal| self.automata.terminal_name(terminal).to_owned()).collect(),
            stack: self.stack(way.stack),
            reading: read[way.start..].to_vec(),
        }
    }

    /// The symbols that led to the states of a stack, the bottom first.
    fn stack(&self, stack: StackId) -> Vec<String> {
        let states = self.reader.states(stack).into_iter();
        let symbols = states.filter_map(|state| match &self.entries[state.index()] {
            Entry::Start => None,
            Entry::Shift(terminals) => terminals.first().copied().map(Symbol::Terminal),
            Entry::Goto(nonterminal) => {
                Some(Symbol::Nonterminal(self.automata.nonterminal_origin(*nonterminal)))
            }
        });
        symbols.map(|symbol| self.automata.symbol_name(symbol).to_owned()).collect()
    }
}
