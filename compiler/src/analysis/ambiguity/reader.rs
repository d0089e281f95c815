//! Reads a text with all heads, as the runtime does.
//!
//! In: the symbols of a text. Out: the number of heads after each symbol, and the cost of reading it. Lexemes
//! end lazily: at every symbol, a head continues its lexeme and, if the lexeme may have ended, shifts it and
//! starts the next lexeme. Heads with the same lexer state and the same LR state on top are merged. A head is
//! dropped when its lexeme can no longer become a terminal that the parser accepts.

use super::shift_memo::ShiftMemo;
use crate::automata::Decoding;
use crate::ids::{EndClass, LexState, LrState, SymbolClass};
use crate::lexer::IGNORED;
use crate::lr::StackId;
use gcc_grammar_ir::TerminalId;
use rustc_hash::FxHashMap;

/// The largest number of stack nodes that are kept for the next text.
const MAX_NODES: usize = 50_000;

/// The work of a head on a symbol that needs no parser step. That includes to spell the symbol.
const HEAD_WORK: usize = 16;

/// A lexer state, and the parser stacks before the lexeme in progress.
#[derive(Clone, Copy)]
struct Head {
    lexer: LexState,
    stack: StackId,
}

/// The cost of reading a symbol.
#[derive(Default)]
pub(super) struct StepCost {
    /// Parser steps beyond those of a single stack.
    pub(super) extra: usize,
    /// All parser steps that were not memoized, the extra steps, and the work of heads.
    pub(super) work: usize,
    /// The conflicts that were met and left more than one stack.
    pub(super) conflicts: Vec<(LrState, TerminalId)>,
}

/// Reads texts, one after the other.
pub(super) struct Reader<'a> {
    decoding: Decoding<'a>,
    /// Kept from text to text, because many begin alike.
    stacks: ShiftMemo<'a>,
    heads: Vec<Head>,
    /// The place of each head that was added on this symbol, by its lexer state and the top of its stack.
    places: FxHashMap<(LexState, LrState), usize>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(decoding: Decoding<'a>) -> Self {
        let stacks = ShiftMemo::new(decoding.lr);
        let mut reader = Self { decoding, stacks, heads: Vec::new(), places: FxHashMap::default() };
        reader.restart();
        reader
    }

    /// Goes back to the beginning of a text.
    pub(super) fn restart(&mut self) {
        if self.stacks.nodes() > MAX_NODES {
            self.stacks = ShiftMemo::new(self.decoding.lr);
        }
        let Decoding { lexer, contexts, .. } = self.decoding;
        let lexer = lexer.restart(EndClass(0), contexts.of(LrState(0)));
        self.heads.clear();
        self.heads.push(Head { lexer, stack: self.stacks.start() });
    }

    /// The number of heads; 0 if the text was refused.
    pub(super) fn heads(&self) -> usize {
        self.heads.len()
    }

    /// Reads one symbol.
    pub(super) fn step(&mut self, class: SymbolClass) -> StepCost {
        let Decoding { lexer, contexts, .. } = self.decoding;
        let before = std::mem::take(&mut self.heads);
        self.places.clear();
        let (before_work, mut step) = (self.stacks.work(), StepCost::default());
        let count = before.len();
        for head in before {
            self.add(lexer.next(head.lexer, class), head.stack);
            for (terminal, end) in lexer.endings(head.lexer) {
                let start = |reader: &mut Self, stack| {
                    let context = contexts.of(reader.stacks.top(stack));
                    reader.add(lexer.next(lexer.restart(end, context), class), stack);
                };
                if terminal == IGNORED {
                    start(self, head.stack);
                    continue;
                }
                let shifted = self.stacks.shift(head.stack, terminal);
                step.extra += shifted.extra;
                step.conflicts.extend_from_slice(&shifted.conflicts);
                shifted.stacks.iter().for_each(|&stack| start(self, stack));
            }
        }
        let heads = std::mem::take(&mut self.heads);
        self.heads = heads.into_iter().filter(|&head| self.is_viable(head)).collect();
        step.work = self.stacks.work() - before_work + step.extra + HEAD_WORK * count;
        step
    }

    /// Adds a head, or merges its stacks into the head with the same lexer state and top.
    fn add(&mut self, lexer: LexState, stack: StackId) {
        if lexer == LexState::DEAD {
            return;
        }
        let next = self.heads.len();
        let place = *self.places.entry((lexer, self.stacks.top(stack))).or_insert(next);
        match self.heads.get_mut(place) {
            Some(head) => head.stack = self.stacks.merge(head.stack, stack),
            None => self.heads.push(Head { lexer, stack }),
        }
    }

    /// Whether the lexeme in progress may become a terminal that the parser accepts.
    fn is_viable(&mut self, head: Head) -> bool {
        let mut pending = self.decoding.lexer.pending(head.lexer).iter();
        pending.any(|&terminal| {
            terminal == IGNORED || !self.stacks.shift(head.stack, terminal).stacks.is_empty()
        })
    }
}
