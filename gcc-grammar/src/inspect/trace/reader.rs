//! Reads a text byte by byte in all ways, as the runtime does, but with every parser stack by itself.
//!
//! A way is a [head](super::heads) with the lexemes that led to it.

use super::heads::{Heads, Move};
use gcc_grammar_compiler::Automata;
use gcc_grammar_compiler::ids::{LexState, LrState};
use gcc_grammar_compiler::lr::StackId;
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use std::collections::HashSet;
use std::rc::Rc;

/// Ways followed at most.
const MAX_WAYS: usize = 10_000;
/// The bytes of a lexeme, estimated.
const LEXEME_BYTES: usize = 64;
/// The bytes of the counts after a byte of the text, estimated.
const COUNTS_BYTES: usize = 2 * size_of::<Counts>();

/// Reads texts, within a budget.
pub(super) struct Reader<'a> {
    heads: Heads<'a>,
    budget: Budget,
}

/// A lexeme that has been read.
#[derive(Debug)]
pub(super) struct Lexeme {
    /// Which terminal it is; [`IGNORED`] if the parser does not see it.
    pub(super) terminal: TerminalId,
    /// Bytes of the text.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The parser stack after it.
    pub(super) stack: StackId,
    /// The one before.
    before: Option<Rc<Lexeme>>,
}

impl Drop for Lexeme {
    /// Frees the lexemes before one after the other: a text has more of them than a thread has room for calls.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut lexeme) = next.and_then(Rc::into_inner) {
            next = lexeme.before.take();
        }
    }
}

/// One way to read the text so far.
#[derive(Clone)]
pub(super) struct TextHead {
    pub(super) lexer: LexState,
    /// Where the lexeme in progress began.
    pub(super) start: usize,
    pub(super) stack: StackId,
    last: Option<Rc<Lexeme>>,
}

impl TextHead {
    fn head(&self) -> (LexState, StackId) {
        (self.lexer, self.stack)
    }

    /// Its lexemes, the first one first.
    pub(super) fn lexemes(&self) -> Vec<&Lexeme> {
        let mut lexemes: Vec<&Lexeme> =
            std::iter::successors(self.last.as_deref(), |lexeme| lexeme.before.as_deref()).collect();
        lexemes.reverse();
        lexemes
    }
}

/// How many ways there are to read a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Counts {
    /// The heads that the runtime follows: ways with the same lexer state and the same top of the stack are one head.
    pub heads: usize,
    /// The ways, each with a parser stack of its own.
    pub ways: usize,
}

/// What became of a text.
pub(super) struct Reading {
    /// Bytes that could be read.
    pub(super) read: usize,
    /// The ways to read them.
    pub(super) ways: Vec<TextHead>,
    /// After each byte.
    pub(super) counts: Vec<Counts>,
    /// The ways to end there; none if the text may not end.
    pub(super) complete: Vec<TextHead>,
    /// Whether reading stopped because there were too many ways.
    pub(super) gave_up: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(automata: &'a Automata, budget: Budget) -> Self {
        Self { heads: Heads::new(automata, budget.clone()), budget }
    }

    /// Reads the text as far as possible.
    pub(super) fn read(&mut self, text: &[u8]) -> Result<Reading, OverBudget> {
        self.budget.charge_bytes((text.len() * COUNTS_BYTES) as u64)?;
        let (lexer, stack) = self.heads.first();
        let mut ways = vec![TextHead { lexer, start: 0, stack, last: None }];
        let mut counts = Vec::new();
        for (at, &byte) in text.iter().enumerate() {
            let next = self.step(&ways, at, byte)?;
            if next.is_empty() {
                break;
            }
            counts.push(self.count(&next));
            ways = next;
            if ways.len() > MAX_WAYS {
                break;
            }
        }
        let read = counts.len();
        let complete = if read == 0 { self.complete(ways[0].clone())? } else { self.ended(&ways, read)? };
        Ok(Reading { read, complete, gave_up: ways.len() > MAX_WAYS, ways, counts })
    }

    /// The ways with their lexemes ended, on which the text is complete.
    fn ended(&mut self, ways: &[TextHead], end: usize) -> Result<Vec<TextHead>, OverBudget> {
        let mut complete = Vec::new();
        for way in ways {
            for (terminal, stack) in self.heads.ends(way.head())? {
                if self.heads.may_end_behind(way.lexer, stack)? {
                    complete.push(after(way, terminal, stack, end));
                }
            }
        }
        Ok(complete)
    }

    /// The way, if the text may end there.
    fn complete(&mut self, way: TextHead) -> Result<Vec<TextHead>, OverBudget> {
        let is_complete = self.heads.may_end(way.stack)?;
        Ok(if is_complete { vec![way] } else { Vec::new() })
    }

    fn count(&self, ways: &[TextHead]) -> Counts {
        let heads: HashSet<_> = ways.iter().map(|way| (way.lexer, self.heads.top(way.stack))).collect();
        Counts { heads: heads.len(), ways: ways.len() }
    }

    fn step(&mut self, ways: &[TextHead], at: usize, byte: u8) -> Result<Vec<TextHead>, OverBudget> {
        let class = self.heads.automata.symbols.class_of(byte);
        let (mut next, mut known) = (Vec::new(), HashSet::new());
        for way in ways {
            let moves = self.heads.moves(way.head(), class, |lexer, stack| known.insert((lexer, stack)))?;
            for Move { ended, lexer, stack } in moves {
                next.push(match ended {
                    None => TextHead { lexer, ..way.clone() },
                    Some(terminal) => {
                        self.budget.charge_bytes(LEXEME_BYTES as u64)?;
                        TextHead { lexer, start: at, ..after(way, terminal, stack, at) }
                    }
                });
            }
        }
        Ok(next)
    }

    /// The terminals that the parser takes after this stack.
    pub(super) fn expected(&mut self, stack: StackId) -> Result<Vec<TerminalId>, OverBudget> {
        self.heads.expected(stack)
    }

    /// The number of symbols on a stack.
    pub(super) fn depth(&self, stack: StackId) -> usize {
        self.heads.depth(stack)
    }

    /// The states of a stack, the top first.
    pub(super) fn downwards(&self, stack: StackId) -> impl Iterator<Item = LrState> + '_ {
        self.heads.downwards(stack)
    }

    /// The states of a stack, the bottom first.
    pub(super) fn states(&self, stack: StackId) -> Vec<LrState> {
        self.heads.states(stack)
    }
}

/// The way with its lexeme ended.
fn after(way: &TextHead, terminal: TerminalId, stack: StackId, end: usize) -> TextHead {
    let lexeme = Lexeme { terminal, start: way.start, end, stack, before: way.last.clone() };
    TextHead { stack, last: Some(Rc::new(lexeme)), ..way.clone() }
}
