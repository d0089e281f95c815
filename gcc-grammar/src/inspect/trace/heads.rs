//! The heads of a text: a lexer state and a parser stack each, and how a byte or a special token leads from one to others.
//!
//! Lexemes end lazily: at every symbol, a head continues its lexeme and, if the lexeme may have ended, shifts it and starts the next one. A head
//! is dropped when its lexeme can no longer become a terminal that the parser accepts.
//!
//! A stack may be known only above some state. What would depend on the states below is then left out, and [`Heads::takes_below`] says so.

use gcc_grammar_compiler::ids::{EndClass, LexState, LrState, SymbolClass};
use gcc_grammar_compiler::lexer::IGNORED;
use gcc_grammar_compiler::lr::{LrTables, Run, StackId};
use gcc_grammar_compiler::{Automata, Decoding};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};

/// The bytes of a node of the stacks, estimated: in the list and the table of all, and while these grow.
const NODE_BYTES: usize = 200;

/// The stacks of texts, and steps from one to others, within a budget.
pub(crate) struct Heads<'a> {
    pub(crate) automata: &'a Automata,
    run: Run<&'a LrTables>,
    /// The number of nodes below each node.
    depths: Vec<u32>,
    budget: Budget,
    /// Whether something was left out, because it depends on states below the bottom of a stack.
    pub(crate) takes_below: bool,
}

/// Where a head leads to.
pub(crate) struct Move {
    /// The lexeme that ended before the symbol: its terminal.
    pub(crate) ended: Option<TerminalId>,
    pub(crate) lexer: LexState,
    pub(crate) stack: StackId,
}

impl<'a> Heads<'a> {
    pub(crate) fn new(automata: &'a Automata, budget: Budget) -> Self {
        let run = Run::new(automata.decoding().lr);
        Self { automata, run, depths: Vec::new(), budget, takes_below: false }
    }

    /// The head before the first symbol.
    pub(crate) fn first(&mut self) -> (LexState, StackId) {
        let Decoding { lexer, contexts, .. } = self.automata.decoding();
        let stack = self.stack(&[LrState(0)]);
        (lexer.restart(EndClass(0), contexts.of(LrState(0))), stack)
    }

    /// The stack of these states, the bottom first, of which there is one at least.
    pub(crate) fn stack(&mut self, states: &[LrState]) -> StackId {
        let mut stack = self.run.stacks.bottom(states[0]);
        for &state in &states[1..] {
            stack = self.run.stacks.push(stack, state);
        }
        self.note_depths();
        stack
    }

    /// Where a head leads by a symbol, as far as `is_new` says so of a lexer state and a stack.
    pub(crate) fn moves(
        &mut self,
        (state, stack): (LexState, StackId),
        class: SymbolClass,
        mut is_new: impl FnMut(LexState, StackId) -> bool,
    ) -> Result<Vec<Move>, OverBudget> {
        let Decoding { lexer, contexts, .. } = self.automata.decoding();
        self.budget.charge_work(1)?;
        let mut moves = Vec::new();
        let mut add = |heads: &mut Self, ended, lexer, stack| {
            if lexer != LexState(0) && is_new(lexer, stack) && heads.is_viable(lexer, stack)? {
                moves.push(Move { ended, lexer, stack });
            }
            Ok(())
        };
        add(self, None, lexer.next(state, class), stack)?;
        let end = lexer.end_class[state.index()];
        for (terminal, stack) in self.ends((state, stack))? {
            let start = lexer.restart(end, contexts.of(self.run.stacks.top(stack)));
            add(self, Some(terminal), lexer.next(start, class), stack)?;
        }
        Ok(moves)
    }

    /// What the lexeme in progress may end as: its terminal, once for each stack that this leads to.
    pub(crate) fn ends(
        &mut self,
        (state, stack): (LexState, StackId),
    ) -> Result<Vec<(TerminalId, StackId)>, OverBudget> {
        let mut ends = Vec::new();
        for &terminal in self.automata.decoding().lexer.accepts(state) {
            match terminal {
                IGNORED => ends.push((terminal, stack)),
                _ => ends.extend(self.shift(stack, terminal)?.into_iter().map(|stack| (terminal, stack))),
            }
        }
        Ok(ends)
    }

    /// Whether the text may end after the lexemes of a stack.
    pub(crate) fn may_end(&mut self, stack: StackId) -> Result<bool, OverBudget> {
        self.can_shift(stack, self.automata.cfg.end)
    }

    /// Whether the text may end after the lexeme in progress. A certain answer takes nothing from below.
    pub(crate) fn may_end_after(&mut self, head: (LexState, StackId)) -> Result<bool, OverBudget> {
        let took_below = self.takes_below;
        for (_, stack) in self.ends(head)? {
            if self.may_end_behind(head.0, stack)? {
                self.takes_below = took_below;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the text may end behind a lexeme that ended in a lexer state and led to a stack. What has to follow the lexeme may forbid it.
    pub(crate) fn may_end_behind(&mut self, ended: LexState, stack: StackId) -> Result<bool, OverBudget> {
        let Decoding { lexer, contexts, .. } = self.automata.decoding();
        let start = lexer.restart(lexer.end_class[ended.index()], contexts.of(self.top(stack)));
        let end = lexer.next(start, self.automata.symbols.end_class);
        Ok(end != LexState(0) && self.may_end(stack)?)
    }

    /// Whether the lexeme in progress may become one that the parser takes. A certain answer takes nothing from below.
    fn is_viable(&mut self, lexer: LexState, stack: StackId) -> Result<bool, OverBudget> {
        let took_below = self.takes_below;
        for &terminal in self.automata.decoding().lexer.pending(lexer) {
            if terminal == IGNORED || self.can_shift(stack, terminal)? {
                self.takes_below = took_below;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The terminals that the parser takes after this stack.
    pub(crate) fn expected(&mut self, stack: StackId) -> Result<Vec<TerminalId>, OverBudget> {
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
        self.takes_below |= shifted.underflow;
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
    pub(crate) fn depth(&self, stack: StackId) -> usize {
        self.depths[stack.index()] as usize
    }

    /// The state on top of a stack.
    pub(crate) fn top(&self, stack: StackId) -> LrState {
        self.run.stacks.top(stack)
    }

    /// The states of a stack, the top first.
    pub(crate) fn downwards(&self, stack: StackId) -> impl Iterator<Item = LrState> + '_ {
        let stacks = &self.run.stacks;
        let below = |stack: &StackId| stacks.below(*stack).first().copied();
        std::iter::successors(Some(stack), below).map(|stack| stacks.top(stack))
    }

    /// The states of a stack, the bottom first.
    pub(crate) fn states(&self, stack: StackId) -> Vec<LrState> {
        self.run.stacks.states(stack)
    }
}
