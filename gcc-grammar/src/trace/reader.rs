//! Reads a text byte by byte in all ways, as the runtime does, but with every parser stack by itself.
//!
//! A way is a lexer state and a parser stack. Lexemes end lazily: at every byte, a way continues its lexeme and, if the
//! lexeme may have ended, shifts it and starts the next one. A way is dropped when its lexeme can no longer become a terminal that the
//! parser accepts.

use gcc_grammar_compiler::Automata;
use gcc_grammar_compiler::ids::{EndClass, LexState, LrState};
use gcc_grammar_compiler::lexer::IGNORED;
use gcc_grammar_compiler::lr::Action;
use gcc_grammar_ir::TerminalId;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// Ways followed at most.
const MAX_WAYS: usize = 10_000;

/// A stack: its top and what lies below. Equal ones are made once, so that they are equal if their numbers are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Stack(usize);

/// The empty stack.
const EMPTY: Stack = Stack(0);

/// Reads texts.
pub(super) struct Reader<'a> {
    automata: &'a Automata<'a>,
    nodes: Vec<(LrState, Stack)>,
    numbers: HashMap<(LrState, Stack), Stack>,
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
    pub(super) stack: Stack,
    /// The one before.
    before: Option<Rc<Lexeme>>,
}

/// One way to read the text so far.
#[derive(Clone)]
pub(super) struct Way {
    pub(super) lexer: LexState,
    /// Where the lexeme in progress began.
    pub(super) start: usize,
    pub(super) stack: Stack,
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
        Self { automata, nodes: vec![(LrState(0), EMPTY)], numbers: HashMap::new() }
    }

    /// Reads the text as far as possible.
    pub(super) fn read(&mut self, text: &[u8]) -> Reading {
        let Automata { lexer, contexts, .. } = self.automata;
        let stack = self.push(EMPTY, LrState(0));
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
        let heads: HashSet<_> = ways.iter().map(|way| (way.lexer, self.top(way.stack))).collect();
        Counts { heads: heads.len(), ways: ways.len() }
    }

    fn step(&mut self, ways: &[Way], at: usize, byte: u8) -> Vec<Way> {
        let Automata { lexer, contexts, symbols, .. } = self.automata;
        let class = symbols.class_of(byte);
        let (mut next, mut known) = (Vec::new(), HashSet::new());
        for way in ways {
            let end = lexer.end_class[way.lexer.index()];
            let mut starts = vec![way.clone()];
            for after in self.end_lexeme(way, at) {
                let start = lexer.restart(end, contexts.of(self.top(after.stack)));
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
        for &terminal in self.automata.lexer.accepts(way.lexer) {
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
    fn is_viable(&mut self, lexer: LexState, stack: Stack) -> bool {
        let mut pending = self.automata.lexer.pending(lexer).iter();
        pending.any(|&terminal| terminal == IGNORED || self.can_shift(stack, terminal))
    }

    /// The terminals that the parser takes after this stack.
    pub(super) fn expected(&mut self, stack: Stack) -> Vec<TerminalId> {
        let terminals = (0..self.automata.lr.terminals).map(TerminalId::new);
        terminals.filter(|&terminal| self.can_shift(stack, terminal)).collect()
    }

    fn can_shift(&mut self, stack: Stack, terminal: TerminalId) -> bool {
        !self.shift(stack, terminal).is_empty()
    }

    /// The stacks after a terminal: all reductions, then its shift.
    fn shift(&mut self, stack: Stack, terminal: TerminalId) -> Vec<Stack> {
        let (mut open, mut seen, mut out) = (vec![stack], HashSet::from([stack]), BTreeSet::new());
        while let Some(stack) = open.pop() {
            for &(_, action) in self.automata.lr.actions_on(self.top(stack), terminal) {
                match action {
                    Action::Shift(state) => {
                        out.insert(self.push(stack, state).0);
                    }
                    Action::Reduce(production) => {
                        let (left, length) = self.automata.lr.productions[production.index()];
                        let below = (0..length).fold(stack, |stack, _| self.nodes[stack.0].1);
                        let Some(state) = self.automata.lr.goto(self.top(below), left) else { continue };
                        let reduced = self.push(below, state);
                        if seen.insert(reduced) {
                            open.push(reduced);
                        }
                    }
                }
            }
        }
        out.into_iter().map(Stack).collect()
    }

    fn push(&mut self, below: Stack, state: LrState) -> Stack {
        let next = Stack(self.nodes.len());
        let number = *self.numbers.entry((state, below)).or_insert(next);
        if number == next {
            self.nodes.push((state, below));
        }
        number
    }

    fn top(&self, stack: Stack) -> LrState {
        self.nodes[stack.0].0
    }

    /// The states of a stack, bottom first.
    pub(super) fn states(&self, stack: Stack) -> Vec<LrState> {
        let below = |&stack: &Stack| Some(self.nodes[stack.0].1);
        let mut states: Vec<LrState> = std::iter::successors(Some(stack), below)
            .take_while(|&stack| stack != EMPTY)
            .map(|stack| self.top(stack))
            .collect();
        states.reverse();
        states
    }
}
