//! One shared lexer automaton for all terminals and contexts.
//!
//! ```text
//! terminals ──symbols──▶ byte and token classes        LR states ──context──▶ sets of terminals that may start a lexeme
//!                        └───────────── runs (subset automaton over all terminals) ─────────────┘
//!                                        automaton ──minimize──▶ Lexer
//! ```
//!
//! A lexeme ends lazily: only when the next symbol arrives is it decided whether the run goes on or ended before it.
//! So the runtime needs one table for "goes on" ([`Lexer::next`]) and one for "ended, and the next lexeme starts"
//! ([`Lexer::restart`]).
//!
//! **Any split.** A state is a run: the terminals that may be under way, each with the state of its own automaton. A run
//! may end wherever a terminal accepts.
//!
//! **Longest match.** A lexeme that ended is wrong if its run could have gone on to accept again. Both possibilities are
//! followed: a state is (run, inhibitor), where the inhibitor is what the ended runs would still be, and a state dies
//! when its inhibitor accepts. One byte of lookahead would only be an approximation (`1..2`, `/*`).

mod automaton;
mod context;
mod minimize;
mod rows;
mod runs;
mod symbols;

pub use context::{Contexts, kinds};
pub use rows::Rows;
pub use symbols::{Symbols, TerminalAutomaton};

use crate::csr::Csr;
use crate::ids::{ContextId, EndClass, LexState, SymbolClass};
use crate::limits::{Budget, OverBudget};
use crate::lr::LrTables;
use gcc_grammar_ir::{Discipline, Grammar, TerminalId};

/// Marks an ignored terminal in [`Lexer::accepts`]: a lexeme without a parser step.
pub const IGNORED: TerminalId = TerminalId(u32::MAX);

/// The lexer automaton. State 0 is dead.
#[derive(Debug)]
pub struct Lexer {
    /// Number of symbol classes: columns of `transitions`.
    pub classes: usize,
    /// Number of contexts: columns of `restarts`.
    pub contexts: usize,
    /// Row-major `[state][class]`; 0 is dead.
    pub transitions: Vec<LexState>,
    /// The same as patterns and targets.
    pub rows: Rows,
    /// Per state: terminals whose lexeme may end here, sorted, [`IGNORED`] last. At most one under longest match.
    pub accepts: Csr<TerminalId>,
    /// Per state: how a lexeme that ends here restricts the next one.
    pub end_class: Vec<EndClass>,
    /// Row-major `[end class][context]`: where the next lexeme starts; 0 where that combination never occurs.
    pub restarts: Vec<LexState>,
    /// Per state: index into `pending_sets`.
    pub pending: Vec<u32>,
    /// Distinct sets of terminals that a lexeme under way may still become, sorted, [`IGNORED`] last.
    pub pending_sets: Csr<TerminalId>,
}

impl Lexer {
    /// Number of states, the dead one included.
    #[must_use]
    pub fn states(&self) -> usize {
        self.end_class.len()
    }

    /// Per class: the state after one more symbol of the same lexeme; 0 if there is none.
    #[must_use]
    pub fn row(&self, state: LexState) -> &[LexState] {
        &self.transitions[state.index() * self.classes..][..self.classes]
    }

    /// Where the same symbols lead from several states, side by side: per class, or, if they all have the same pattern, per target.
    #[must_use]
    pub fn abreast<const N: usize>(&self, states: [LexState; N]) -> [&[LexState]; N] {
        let pattern = |state: LexState| self.rows.pattern(state);
        if states.iter().all(|&state| pattern(state) == pattern(states[0])) {
            states.map(|state| self.rows.targets(state))
        } else {
            states.map(|state| self.row(state))
        }
    }

    /// The state after one more symbol of the same lexeme; 0 if there is none.
    #[must_use]
    pub fn next(&self, state: LexState, class: SymbolClass) -> LexState {
        self.transitions[state.index() * self.classes + class.index()]
    }

    /// Where the next lexeme starts after one that ended with `end`, in `context`; 0 if it never does.
    #[must_use]
    pub fn restart(&self, end: EndClass, context: ContextId) -> LexState {
        self.restarts[end.index() * self.contexts + context.index()]
    }

    /// The terminals whose lexeme may end in `state`.
    #[must_use]
    pub fn accepts(&self, state: LexState) -> &[TerminalId] {
        self.accepts.row(state.index())
    }

    /// The terminals that a lexeme under way in `state` may still become.
    #[must_use]
    pub fn pending(&self, state: LexState) -> &[TerminalId] {
        self.pending_sets.row(self.pending[state.index()] as usize)
    }
}

/// Builds the lexer of `grammar` for the LR states of `tables`.
pub fn build(
    grammar: &Grammar,
    tables: &LrTables,
    symbols: &Symbols,
    budget: &Budget,
) -> Result<(Lexer, Contexts), OverBudget> {
    let budget = budget.stage("lexer");
    let mut runs = runs::Runs::new(grammar, symbols, budget.clone());
    let (mut contexts, withheld) = context::distinct(grammar, tables);
    if grammar.discipline == Discipline::LongestMatch {
        context::merge(&mut contexts, &withheld, &mut runs)?;
    }
    let raw = automaton::explore(grammar, tables, &contexts, &mut runs, &budget)?;
    let lexer = match grammar.discipline {
        Discipline::LongestMatch => minimize::minimize(&raw, &budget)?,
        // Runs are built from minimal automata; states that are still equivalent are rare, looking for them costs more.
        Discipline::AnySplit => raw,
    };
    budget.charge_bytes(lexer.rows.bytes())?;
    Ok((lexer, contexts))
}
