//! The Parser DWA: from a lexer state and the parser stack, top first, to the set of allowed tokens.
//!
//! ```text
//! Terminal DWA ∘ LR tables ──effect──▶ stack effects ──compose──▶ outcomes ──determinize──▶ DWA ──minimize──▶ DWA
//! ```
//!
//! Stack effects are elements of the polycyclic monoid: pop some states, then push some. Pasting a template automaton for every
//! terminal onto the arcs of the Terminal DWA and cancelling afterwards makes millions of states; instead the LR automaton is
//! run over the *known part* γ of the stack, the states pushed above the deepest symbol read so far. When γ is
//! used up, the run is *suspended*: a nonterminal to go to, and how many more symbols to discard before that. What was read is
//! never part of γ, so the two memo tables (a node over γ, an arc resumed on a goto) stay small.

mod compose;
mod determinize;
mod effect;
mod minimize;
mod outcome;
mod parts;
mod tops;

pub use determinize::{Dwa, Transition};

use crate::ids::{LexState, LrState};
use crate::lexer::{Contexts, IGNORED, Lexer};
use crate::limits::{Budget, OverBudget};
use crate::lr::LrTables;
use crate::sets::Sets;
use crate::terminal::{Tokens, WalkTables};
use gcc_grammar_frontends::Symbol;

/// The Parser DWA and where it starts.
#[derive(Debug)]
pub struct ParserDwa {
    /// Minimal.
    pub dwa: Dwa,
    /// Number of states before minimization.
    pub raw_states: usize,
    /// Nodes and arcs of the Terminal DWA.
    pub terminal_size: (usize, usize),
}

/// What the automaton is made from.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The parser.
    pub tables: &'a LrTables,
    /// The terminals that may start a lexeme, per LR state.
    pub contexts: &'a Contexts,
    /// The lexer.
    pub lexer: &'a Lexer,
    /// The vocabulary.
    pub tokens: &'a Tokens<'a>,
    /// What walks over the vocabulary need.
    pub walks: &'a WalkTables<'a>,
    /// Pairs of lexer and LR states from which on it is built in two parts.
    pub two_parts_from: usize,
}

/// Builds the automaton for every lexer state that can occur together with some LR state.
pub fn build(sources: Sources<'_>, sets: &mut Sets, budget: &Budget) -> Result<ParserDwa, OverBudget> {
    let budget = budget.stage("parser");
    let raw = parts::build(sources, sets, &budget)?;
    let raw_states = raw.dwa.states();
    let dwa = minimize::minimize(raw.dwa, &budget)?;
    Ok(ParserDwa { dwa, raw_states, terminal_size: raw.terminal_size })
}

/// Which LR states a lexer state may be met in: those in which some terminal under way has an action, and which are the start or come
/// after a shift. Other states are on top of the stack only between two reductions.
struct Meeting {
    /// Per terminal: the LR states with an action on it, sorted.
    by_terminal: Vec<Vec<LrState>>,
    /// The LR states with any action.
    all: Vec<LrState>,
}

impl Meeting {
    fn new(tables: &LrTables) -> Self {
        let mut out = Self { by_terminal: vec![Vec::new(); tables.terminals], all: Vec::new() };
        for (state, entered_by) in tables.entered_by().into_iter().enumerate() {
            if matches!(entered_by, Some(Symbol::Nonterminal(_))) {
                continue;
            }
            let (state, row) = (LrState::new(state), tables.actions.row(state));
            if !row.is_empty() {
                out.all.push(state);
            }
            for cell in row.chunk_by(|a, b| a.0 == b.0) {
                out.by_terminal[cell[0].0.index()].push(state);
            }
        }
        out
    }

    /// Sorted.
    fn states_for(&self, lexer: &Lexer, lex: LexState) -> Vec<LrState> {
        let pending = lexer.pending(lex);
        if pending.last() == Some(&IGNORED) {
            return self.all.clone();
        }
        let mut states: Vec<LrState> =
            pending.iter().flat_map(|t| self.by_terminal[t.index()].iter().copied()).collect();
        states.sort_unstable();
        states.dedup();
        states
    }
}
