//! The states of a lexer one by one, where a state is a subset and nothing else.
//!
//! In: the subset construction over all terminals, and the contexts. Out: the state in which a lexeme starts, and the state after a symbol, when they
//! are asked for. [`explore`](super::explore) makes all states from the same subsets.
//!
//! Under any split this is so for most grammars ([`are_subsets`]). In all others a state is more than its subset, or something is read off all
//! states: longest-match constraints and end classes, where terminals compete or it matters what comes before or behind a lexeme; limits, whose
//! states have numbers of their own; lists whose items differ, and objects whose keys are remembered, with tables over all states. A state that counts characters is a
//! subset, too, of one terminal.

use super::context::Contexts;
use super::counters::FIRST_COUNTING;
use super::subsets::{SubsetId, Subsets};
use super::symbols::Symbols;
use super::tables::Member;
use crate::ids::{ContextId, LexState, SymbolClass};
use gcc_grammar_ir::{Grammar, Terminal, TerminalId};
use gcc_grammar_limits::{Budget, OverBudget, Resource};

/// Whether the states of the lexer are subsets and nothing else.
pub(crate) fn are_subsets(grammar: &Grammar, symbols: &Symbols) -> bool {
    grammar.is_any_split()
        && !grammar.competing().contains(&true)
        && grammar.terminals.iter().all(has_no_role)
        && symbols.limits.is_empty()
        && symbols.followed.is_empty()
        && symbols.history.is_empty()
}

/// Whether the runtime remembers nothing of a terminal: what it needs to remember is found in the whole lexer.
fn has_no_role(terminal: &Terminal) -> bool {
    terminal.pattern.role().is_none()
}

/// The states so far. Their numbers are those of their subsets.
pub(crate) struct OneByOne<'a> {
    subsets: Subsets<'a>,
    contexts: &'a Contexts,
}

impl<'a> OneByOne<'a> {
    /// Nothing but the dead state.
    ///
    /// # Errors
    /// The budget is spent.
    pub(crate) fn new(
        grammar: &Grammar,
        symbols: &'a Symbols,
        contexts: &'a Contexts,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        Ok(Self { subsets: Subsets::new(grammar, symbols, budget.stage("lexer"))?, contexts })
    }

    /// The state in which a lexeme starts.
    ///
    /// # Errors
    /// The budget is spent, or there are too many states.
    pub(crate) fn start(&mut self, context: ContextId) -> Result<LexState, OverBudget> {
        let start = self.subsets.start(&self.contexts.terminals[context.index()])?;
        self.checked(start)
    }

    /// The state after one more symbol of the same lexeme; 0 if there is none.
    ///
    /// # Errors
    /// The budget is spent, or there are too many states.
    pub(crate) fn next(&mut self, state: LexState, class: SymbolClass) -> Result<LexState, OverBudget> {
        let next = self.subsets.successor(SubsetId(state.0), class)?;
        self.checked(next)
    }

    /// The state with these members.
    ///
    /// # Errors
    /// The budget is spent, or there are too many states.
    pub(crate) fn of_members(&mut self, members: &[Member]) -> Result<LexState, OverBudget> {
        let subset =
            self.subsets.intern(members.iter().map(|member| (member.automaton, member.state)).collect())?;
        self.checked(subset)
    }

    /// The terminals that the lexeme may be, each with a state of its automaton.
    pub(crate) fn members(&self, state: LexState) -> Vec<Member> {
        self.subsets.members(SubsetId(state.0))
    }

    /// The terminals whose lexeme may end in a state.
    pub(crate) fn accepting(&self, state: LexState) -> Vec<TerminalId> {
        self.subsets.accepting(SubsetId(state.0))
    }

    fn checked(&self, subset: SubsetId) -> Result<LexState, OverBudget> {
        let (budget, states) = (&self.subsets.budget, subset.index() + 1);
        let most = budget.limits().lexer_states.min(u64::from(FIRST_COUNTING));
        budget.check(Resource::LexerStates, states, most)?;
        Ok(LexState(subset.0))
    }
}
