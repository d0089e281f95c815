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
use gcc_grammar_limits::{Budget, OverBudget};
use std::collections::HashSet;
use std::rc::Rc;

/// Ways followed at most.
const MAX_WAYS: usize = 10_000;
/// The bytes of a node of the stacks, estimated: in the list and the table of all, and while these grow.
const NODE_BYTES: usize = 200;
/// The bytes of a lexeme, estimated.
const LEXEME_BYTES: usize = 64;
/// The bytes of the counts after a byte of the text, estimated.
const COUNTS_BYTES: usize = 2 * size_of::<Counts>();

/// Reads texts, within a budget.
pub(super) struct Reader<'a> {
    automata: &'a Automata<'a>,
    run: Run<&'a LrTables>,
    /// The number of nodes below each node.
    depths: Vec<u32>,
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
    pub(super) fn new(automata: &'a Automata<'a>, budget: Budget) -> Self {
        Self { automata, run: Run::new(automata.decoding().lr), depths: Vec::new(), budget }
    }

    /// Reads the text as far as possible.
    pub(super) fn read(&mut self, text: &[u8]) -> Result<Reading, OverBudget> {
        let Decoding { lexer, contexts, .. } = self.automata.decoding();
        self.budget.charge_bytes((text.len() * COUNTS_BYTES) as u64)?;
        let stack = self.run.stacks.bottom(LrState(0));
        self.note_depths();
        let lexer = lexer.restart(EndClass(0), contexts.of(LrState(0)));
        let mut ways = vec![Way { lexer, start: 0, stack, last: None }];
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
    fn ended(&mut self, ways: &[Way], end: usize) -> Result<Vec<Way>, OverBudget> {
        let mut complete = Vec::new();
        for way in ways {
            for (terminal, stack) in self.ends(way)? {
                complete.extend(self.complete(after(way, terminal, stack, end))?);
            }
        }
        Ok(complete)
    }

    /// The way, if the text may end there.
    fn complete(&mut self, way: Way) -> Result<Vec<Way>, OverBudget> {
        let is_complete = self.can_shift(way.stack, self.automata.cfg.end)?;
        Ok(if is_complete { vec![way] } else { Vec::new() })
    }

    fn count(&self, ways: &[Way]) -> Counts {
        let heads: HashSet<_> = ways.iter().map(|way| (way.lexer, self.run.stacks.top(way.stack))).collect();
        Counts { heads: heads.len(), ways: ways.len() }
    }

    fn step(&mut self, ways: &[Way], at: usize, byte: u8) -> Result<Vec<Way>, OverBudget> {
        let Decoding { lexer, contexts, .. } = self.automata.decoding();
        let class = self.automata.symbols.class_of(byte);
        let (mut next, mut known) = (Vec::new(), HashSet::new());
        for way in ways {
            self.budget.charge_work(1)?;
            let state = lexer.next(way.lexer, class);
            if self.goes_on(state, way.stack, &mut known)? {
                next.push(Way { lexer: state, ..way.clone() });
            }
            let end = lexer.end_class[way.lexer.index()];
            for (terminal, stack) in self.ends(way)? {
                let start = lexer.restart(end, contexts.of(self.run.stacks.top(stack)));
                let state = lexer.next(start, class);
                if self.goes_on(state, stack, &mut known)? {
                    self.budget.charge_bytes(LEXEME_BYTES as u64)?;
                    next.push(Way { lexer: state, start: at, ..after(way, terminal, stack, at) });
                }
            }
        }
        Ok(next)
    }

    /// Whether a way in this state and with this stack is a new one and leads on.
    fn goes_on(
        &mut self,
        lexer: LexState,
        stack: StackId,
        known: &mut HashSet<(LexState, StackId)>,
    ) -> Result<bool, OverBudget> {
        Ok(lexer != LexState(0) && known.insert((lexer, stack)) && self.is_viable(lexer, stack)?)
    }

    /// What the lexeme in progress may end as: its terminal, once for each stack that this leads to.
    fn ends(&mut self, way: &Way) -> Result<Vec<(TerminalId, StackId)>, OverBudget> {
        let mut ends = Vec::new();
        for &terminal in self.automata.decoding().lexer.accepts(way.lexer) {
            match terminal {
                IGNORED => ends.push((terminal, way.stack)),
                _ => ends.extend(self.shift(way.stack, terminal)?.into_iter().map(|stack| (terminal, stack))),
            }
        }
        Ok(ends)
    }

    /// Whether the lexeme in progress may become one that the parser takes.
    fn is_viable(&mut self, lexer: LexState, stack: StackId) -> Result<bool, OverBudget> {
        for &terminal in self.automata.decoding().lexer.pending(lexer) {
            if terminal == IGNORED || self.can_shift(stack, terminal)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The terminals that the parser takes after this stack.
    pub(super) fn expected(&mut self, stack: StackId) -> Result<Vec<TerminalId>, OverBudget> {
        let mut expected = Vec::new();
        for terminal in (0..self.automata.decoding().lr.terminals).map(TerminalId::new) {
            if self.can_shift(stack, terminal)? {
                expected.push(self.automata.origin(terminal));
            }
        }
        expected.sort_unstable();
        expected.dedup();
        Ok(expected)
    }

    fn can_shift(&mut self, stack: StackId, terminal: TerminalId) -> Result<bool, OverBudget> {
        Ok(!self.shift(stack, terminal)?.is_empty())
    }

    /// The stacks after a terminal. Reductions may make as many nodes as the stack has, so there must be room for them.
    fn shift(&mut self, stack: StackId, terminal: TerminalId) -> Result<Vec<StackId>, OverBudget> {
        let room = ((self.depth(stack) + 2) * NODE_BYTES) as u64;
        self.budget.charge_bytes(room)?;
        let before = self.run.stacks.nodes();
        let shifted = self.run.shift_unmerged(stack, terminal);
        let made = self.run.stacks.nodes() - before;
        self.note_depths();
        let taken = (made * NODE_BYTES) as u64;
        self.budget.release_bytes(room.saturating_sub(taken));
        self.budget.charge_bytes(taken.saturating_sub(room))?;
        self.budget.charge_work((shifted.steps + made) as u64)?;
        Ok(shifted.stacks)
    }

    /// Notes the depths of new nodes. No stacks are merged, so that each has one node below, which is older.
    fn note_depths(&mut self) {
        for node in (self.depths.len()..self.run.stacks.nodes()).map(StackId::new) {
            let below = self.run.stacks.below(node).first();
            self.depths.push(below.map_or(0, |below| self.depths[below.index()] + 1));
        }
    }

    /// The number of symbols on a stack.
    pub(super) fn depth(&self, stack: StackId) -> usize {
        self.depths[stack.index()] as usize
    }

    /// The states of a stack, the top first.
    pub(super) fn downwards(&self, stack: StackId) -> impl Iterator<Item = LrState> + '_ {
        let stacks = &self.run.stacks;
        let below = |stack: &StackId| stacks.below(*stack).first().copied();
        std::iter::successors(Some(stack), below).map(|stack| stacks.top(stack))
    }

    /// The states of a stack, the bottom first.
    pub(super) fn states(&self, stack: StackId) -> Vec<LrState> {
        self.run.stacks.states(stack)
    }
}

/// The way with its lexeme ended.
fn after(way: &Way, terminal: TerminalId, stack: StackId, end: usize) -> Way {
    let lexeme = Lexeme { terminal, start: way.start, end, stack, before: way.last.clone() };
    Way { stack, last: Some(Rc::new(lexeme)), ..way.clone() }
}
