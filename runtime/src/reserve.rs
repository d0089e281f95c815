//! The reserve: room of the scratch that is kept for tokens that do not make the parser stack higher.
//!
//! A commit adds to the scratch before anything can be dropped from it: it needs the stack before and the stack after,
//! and the history needs both as long as the commit can be rolled back. So in a scratch that is full, even a closing
//! bracket would be refused. Therefore a commit that makes the stack higher leaves the reserve free; one that does not
//! may use it. The reserve suffices for `max_rollback` such commits and one more, after which the history drops what the
//! first of them has added. It is at most an eighth of the scratch.
//!
//! A stack is compared at its *settled* height. The parser shifts a terminal only when the next lexeme begins, and
//! reduces only when it sees the terminal after; the settled height is the height after the lexeme is shifted and after all
//! reductions that follow whatever comes next. Thus `]` settles at the height from before its `[`.
//!
//! Heights are looked up only where the reserve would be used after a compaction, because that takes time in the height
//! of the stack, as the compaction does. Elsewhere the check is one comparison. Where a text has several readings, their
//! stacks share cells and have no one height; then every commit leaves the reserve free.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::Action;
use gcc_grammar_artifact::ids::{LrState, ProductionId, Terminal};

use crate::matcher::Matcher;
use crate::scratch::{Head, Heads, Node, Scratch};
use crate::simulate::{Outcome, Pushed};

/// Words that a commit of one lexeme adds: two cells, and an entry of the history with one head.
const COMMIT: usize = 12;
/// Words for the lexemes within a token, whose cells are dropped when the scratch is compacted.
const TOKEN: usize = 128;
/// The reserve is at most this part of the scratch.
const PART: usize = 8;

impl Matcher<'_, '_> {
    /// Whether the reserve is free.
    pub(crate) fn has_reserve(&self) -> bool {
        let commits = self.max_rollback as usize;
        let reserve = commits.saturating_add(1).saturating_mul(COMMIT).saturating_add(TOKEN);
        self.scratch.len() - self.scratch.used() >= reserve.min(self.scratch.len() / PART)
    }

    /// Whether the stack of the newest entry is settled at most as high as that of the heads before it.
    pub(crate) fn is_no_higher_than(&self, before: Heads) -> bool {
        let grammar = self.grammar();
        let height = |heads| self.scratch.settled_height(grammar, heads);
        match (height(before), height(self.scratch.newest())) {
            (Some(before), Some(after)) => after <= before,
            _ => false,
        }
    }
}

/// A stack whose topmost states are not in the scratch.
struct Stack {
    node: Node,
    /// The states on top of the node, of which `count` are in use.
    states: [LrState; 2],
    count: usize,
}

impl Scratch<'_> {
    /// The settled height of the stack of the only head; none if there are several heads, or several stacks where the
    /// settling looks. If the lexeme may be of several terminals, the highest stack counts.
    fn settled_height(&self, grammar: &GrammarView<'_>, heads: Heads) -> Option<usize> {
        let Head { lex, node, .. } = (heads.count == 1).then(|| self.head(heads, 0))?;
        let mut shifted = grammar.accepts(lex).filter(|&terminal| terminal != Terminal::IGNORE);
        let unshifted = Stack { node, states: [LrState::INITIAL; 2], count: 0 };
        shifted.try_fold(self.settle(grammar, unshifted)?, |highest, terminal| {
            let height = match self.simulate_within(grammar, node, terminal, usize::MAX) {
                Outcome::Refused => 0,
                Outcome::Ambiguous | Outcome::Long(_) => return None,
                Outcome::Shifted { reduced: None, target } => {
                    self.settle(grammar, Stack { node, states: [target; 2], count: 1 })?
                }
                Outcome::Shifted { reduced: Some(Pushed { state, on }), target } => {
                    self.settle(grammar, Stack { node: on, states: [state, target], count: 2 })?
                }
            };
            Some(height.max(highest))
        })
    }

    /// Performs all reductions that follow whatever comes next. Returns the height of the stack.
    fn settle(&self, grammar: &GrammarView<'_>, mut stack: Stack) -> Option<usize> {
        // Reductions of one state in a row may repeat for ever in a forged grammar.
        for _ in 0..=self.height(stack.node) + grammar.counts().lr_states {
            let top = self.top(&stack);
            let Some(production) = only_reduction(grammar, top) else { break };
            self.pop_and_goto(grammar, &mut stack, production)?;
        }
        Some(self.height(stack.node) + stack.count)
    }

    fn top(&self, stack: &Stack) -> LrState {
        if stack.count == 0 { self.lr(stack.node) } else { stack.states[stack.count - 1] }
    }

    fn pop_and_goto(
        &self,
        grammar: &GrammarView<'_>,
        stack: &mut Stack,
        production: ProductionId,
    ) -> Option<()> {
        let (nonterminal, length) = grammar.production(production);
        let popped = stack.count.min(length as usize);
        let (node, left) = self.descend(stack.node, length - popped as u32);
        if left > 0 {
            return None;
        }
        // At least one state was popped, so there is a place for the next one.
        *stack = Stack { node, count: stack.count - popped, ..*stack };
        stack.states[stack.count] = grammar.goto(self.top(stack), nonterminal)?;
        stack.count += 1;
        Some(())
    }

    /// The number of states on the stack; where stacks were merged, on one of them.
    fn height(&self, node: Node) -> usize {
        core::iter::successors(Some(node), |&node| self.parent(node)).count()
    }
}

/// The reduction of a state that has no other action.
fn only_reduction(grammar: &GrammarView<'_>, state: LrState) -> Option<ProductionId> {
    let mut codes = grammar.all_actions(state).iter();
    let first = codes.next()?;
    match Action::decode(*first) {
        Action::Reduce(production) if codes.all(|code| code == first) => Some(production),
        _ => None,
    }
}
