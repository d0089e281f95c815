//! The lexer as tables: transitions within a lexeme, and restarts between lexemes.
//!
//! A lexeme ends lazily: only the next symbol decides whether the lexeme continues ([`Lexer::next`]) or ended
//! before that symbol and the next lexeme starts ([`Lexer::restart`]).

use super::counters::Counters;
use super::rows::Rows;
use crate::csr::Csr;
use crate::ids::{ContextId, EndClass, LexState, SymbolClass};
use gcc_grammar_ir::{TerminalId, index_newtype};

/// Stands for all ignored terminals in [`Lexer::accepts`] and [`Lexer::pending`]: their lexemes need no
/// parser step.
pub const IGNORED: TerminalId = TerminalId(u32::MAX);

index_newtype! {
    /// A distinct set of pending terminals, a row of [`Lexer::pending_sets`].
    PendingId;
}

/// The lexer automaton. State 0 is dead.
#[derive(Clone, Debug)]
pub struct Lexer {
    /// Number of symbol classes: columns of `transitions`.
    pub classes: usize,
    /// Number of contexts: columns of `restarts`.
    pub contexts: usize,
    /// Row-major `[state][class]`; 0 is dead.
    pub transitions: Vec<LexState>,
    /// The same transitions, with each row as a pattern and targets.
    pub rows: Rows,
    /// Per state: the terminals whose lexeme may end here, sorted, [`IGNORED`] last. Under longest match
    /// there is at most one.
    pub accepts: Csr<TerminalId>,
    /// Per state: the longest-match constraint that a lexeme that ends here puts on the next lexeme.
    pub end_class: Vec<EndClass>,
    /// Row-major `[end class][context]`: the state in which the next lexeme starts; 0 if the combination
    /// never occurs.
    pub restarts: Vec<LexState>,
    /// Per state: its row of `pending_sets`.
    pub pending: Vec<PendingId>,
    /// The distinct sets of terminals that the current lexeme may still become, sorted, [`IGNORED`] last.
    pub pending_sets: Csr<TerminalId>,
    /// Per state: the terminals that the lexeme may be, each with a state of its automaton. Only under any split,
    /// where each of them continues by itself.
    pub members: Option<Csr<Member>>,
    /// Which of the last states count characters.
    pub counters: Counters,
    /// Two terminals, or [`IGNORED`], that match the same text, where what follows decides which of them it is: the tables have the first only.
    pub contested: Option<(TerminalId, TerminalId)>,
}

/// A terminal that a lexeme may be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Member {
    /// The terminal, or [`IGNORED`].
    pub terminal: TerminalId,
    /// The terminal whose automaton it is.
    pub automaton: TerminalId,
    /// The state of the automaton.
    pub state: u32,
}

impl Lexer {
    /// A lexer whose states are made on demand: it has only the dead state, and the numbers of those that count.
    pub(crate) fn unmade(classes: usize, contexts: usize, counters: Counters) -> Self {
        let transitions = vec![LexState::DEAD; classes];
        let nothing = || [None].into_iter().collect();
        Self {
            classes,
            contexts,
            rows: Rows::new(&transitions, classes),
            transitions,
            accepts: nothing(),
            end_class: vec![EndClass(0)],
            restarts: vec![LexState::DEAD; contexts],
            pending: vec![PendingId(0)],
            pending_sets: nothing(),
            members: None,
            counters,
            contested: None,
        }
    }

    /// The same states in another order: per new number, the old one. The dead state stays the first.
    pub(super) fn reordered(&self, order: &[usize]) -> Self {
        let mut number = vec![LexState::DEAD; order.len()];
        (0..).zip(order).for_each(|(new, &old)| number[old] = LexState(new));
        let old = || order.iter().copied();
        let rows = self.rows.reordered(order, &number);
        Self {
            transitions: rows.expanded(),
            rows,
            accepts: old().map(|state| self.accepts.row(state).iter().copied()).collect(),
            end_class: old().map(|state| self.end_class[state]).collect(),
            restarts: self.restarts.iter().map(|state| number[state.index()]).collect(),
            pending: old().map(|state| self.pending[state]).collect(),
            pending_sets: self.pending_sets.clone(),
            members: self
                .members
                .as_ref()
                .map(|members| old().map(|state| members.row(state).iter().copied()).collect()),
            counters: self.counters.clone(),
            ..*self
        }
    }

    /// The same lexer with other transitions.
    pub(super) fn with_transitions(&self, transitions: Vec<LexState>) -> Self {
        Self { rows: Rows::new(&transitions, self.classes), transitions, ..self.clone() }
    }

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

    /// The transitions of several states, side by side: per target if all states have the same pattern, else
    /// per class.
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

    /// The state in which the next lexeme starts, in `context`, after a lexeme that ended with `end`; 0 if
    /// none ever does.
    #[must_use]
    pub fn restart(&self, end: EndClass, context: ContextId) -> LexState {
        self.restarts[end.index() * self.contexts + context.index()]
    }

    /// The terminals whose lexeme may end in `state`.
    #[must_use]
    pub fn accepts(&self, state: LexState) -> &[TerminalId] {
        self.accepts.row(state.index())
    }

    /// The ways in which a lexeme may end in `state`: as which terminal, and the end class that it leaves to the next lexeme.
    pub fn endings(&self, state: LexState) -> impl Iterator<Item = (TerminalId, EndClass)> + '_ {
        let end = self.end_class[state.index()];
        self.accepts(state).iter().map(move |&terminal| (terminal, end))
    }

    /// The terminals that the lexeme under way in `state` may still become.
    #[must_use]
    pub fn pending(&self, state: LexState) -> &[TerminalId] {
        self.pending_sets.row(self.pending[state.index()].index())
    }
}
