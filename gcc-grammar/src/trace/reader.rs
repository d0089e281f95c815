//! Reads a text byte by byte in all ways, as the runtime does, but with every parser stack by itself.
//!
//! A way is a lexer state and a parser stack. Lexemes end lazily: at every byte, a way continues its lexeme and, if the
//! lexeme may have ended, shifts it and starts the next one. A way is dropped when its lexeme can no longer become a terminal that the
//! parser accepts.

use gcc_grammar_compiler::ids::{EndClass, LexState, LrState};
use gcc_grammar_compiler::lexer::IGNORED;
use gcc_grammar_compiler::lr::{LrTables, Run, StackId};
use gcc_grammar_compiler::{Automata, Decoding};
use gcc_grammar_ir::TerminalId;
use std::collections::HashSet;
use std::rc::Rc;

/// Ways followed at most.
const MAX_WAYS: usize = 10_000;

/// Reads texts.
pub(super) struct Reader<'a> {
    automata: &'a Automata<'a>,
    run: Run<&'a LrTables>,
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

/// One way to read the text so far.
#[derive(Clone)]
pub(super) struct Way {
    pub(super) lexer: LexState,
    /// Where the lexeme in progress began.
    pub(super) start: usize,
    pub(super) stack: StackId,
    last: Option<Rc<Lexeme>>,
}

impl Way {
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
    pub(super) ways: Vec<Way>,
    /// After each byte.
    pub(super) counts: Vec<Counts>,
    /// The ways to end there; none if the text may not end.
    pub(super) complete: Vec<Way>,
    /// Whether reading stopped because there were too many ways.
    pub(super) gave_up: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(automata: &'a Automata<'a>) -> Self {
        Self { automata, run: Run::new(automata.decoding().lr) }
    }

    /// Reads the text as far as possible.
    pub(super) fn read(&mut self, text: &[u8]) -> Reading {
        let Decoding { lexer, contexts, .. } = self.automata.decoding();
        let stack = self.run.stacks.bottom(LrState(0));
        let lexer = lexer.restart(EndClass(0), contexts.of(LrState(0)));
        let mut ways = vec![Way { lexer, start: 0, stack, last: None }];
        let mut counts = Vec::new();
        for (at, &byte) in text.iter().enumerate() {
            let next = self.step(&ways, at, byte);
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
        let ended: Vec<Way> = match read {
            0 => ways.clone(),
            _ => ways.iter().flat_map(|way| self.end_lexeme(way, read)).collect(),
        };
        let end = self.automata.cfg.end;
        let complete = ended.into_iter().filter(|way| self.can_shift(way.stack, end)).collect();
        Reading { read, complete, gave_up: ways.len() > MAX_WAYS, ways, counts }
    }

    fn count(&self, ways: &[Way]) -> Counts {
        let heads: HashSet<_> = ways.iter().map(|way| (way.lexer, self.run.stacks.top(way.stack))).collect();
        Counts { heads: heads.len(), ways: ways.len() }
    }

    fn step(&mut self, ways: &[Way], at: usize, byte: u8) -> Vec<Way> {
        let Decoding { lexer, contexts, .. } = self.automata.decoding();
        let class = self.automata.symbols.class_of(byte);
        let (mut next, mut known) = (Vec::new(), HashSet::new());
        for way in ways {
            let end = lexer.end_class[way.lexer.index()];
            let mut starts = vec![way.clone()];
            for after in self.end_lexeme(way, at) {
                let start = lexer.restart(end, contexts.of(self.run.stacks.top(after.stack)));
                starts.push(Way { lexer: start, start: at, ..after });
            }
            for way in starts {
                let state = lexer.next(way.lexer, class);
                if state != LexState(0)
                    && known.insert((state, way.stack))
                    && self.is_viable(state, way.stack)
                {
                    next.push(Way { lexer: state, ..way });
                }
            }
        }
        next
    }

    /// The way with its lexeme ended, once for each stack that this leads to.
    fn end_lexeme(&mut self, way: &Way, end: usize) -> Vec<Way> {
        let mut after = Vec::new();
        for &terminal in self.automata.decoding().lexer.accepts(way.lexer) {
            let stacks = match terminal {
                IGNORED => vec![way.stack],
                terminal => self.shift(way.stack, terminal),
            };
            for stack in stacks {
                let lexeme = Lexeme { terminal, start: way.start, end, stack, before: way.last.clone() };
                after.push(Way { stack, last: Some(Rc::new(lexeme)), ..way.clone() });
            }
        }
        after
    }

    /// Whether the lexeme in progress may become one that the parser takes.
    fn is_viable(&mut self, lexer: LexState, stack: StackId) -> bool {
        let mut pending = self.automata.decoding().lexer.pending(lexer).iter();
        pending.any(|&terminal| terminal == IGNORED || self.can_shift(stack, terminal))
    }

    /// The terminals that the parser takes after this stack.
    pub(super) fn expected(&mut self, stack: StackId) -> Vec<TerminalId> {
        let terminals = (0..self.automata.decoding().lr.terminals).map(TerminalId::new);
        let taken = terminals.filter(|&terminal| self.can_shift(stack, terminal));
        let mut expected: Vec<TerminalId> = taken.collect();
        expected.iter_mut().for_each(|terminal| *terminal = self.automata.origin(*terminal));
        expected.sort_unstable();
        expected.dedup();
        expected
    }

    fn can_shift(&mut self, stack: StackId, terminal: TerminalId) -> bool {
        !self.shift(stack, terminal).is_empty()
    }

    fn shift(&mut self, stack: StackId, terminal: TerminalId) -> Vec<StackId> {
        self.run.shift_unmerged(stack, terminal).stacks
    }

    /// The states of a stack, the bottom first.
    pub(super) fn states(&self, stack: StackId) -> Vec<LrState> {
        self.run.stacks.states(stack)
    }
}
