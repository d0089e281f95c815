//! The action and goto tables of the LR automaton.
//!
//! In: the LR(0) automaton and the lookahead sets. Out: [`LrTables`]. A cell of the action table has all
//! actions that are possible, the shift first; a cell with several actions is a *conflict*. Afterwards every
//! row is sorted, and every reduction pops at least one state.

use super::automaton::Automaton;
use super::copies::Copies;
use super::lookahead::Lookaheads;
use crate::csr::Csr;
use crate::ids::{LrState, ProductionId};
use crate::normalize::Cfg;
use gcc_grammar_ir::{NonterminalId, Symbol, TerminalId};

/// An action of the parser on a terminal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Pushes this state.
    Shift(LrState),
    /// Pops the right-hand side of this production, then pushes the goto on its left-hand side.
    Reduce(ProductionId),
}

impl Action {
    /// The state that a shift pushes; `None` for a reduction.
    pub(crate) fn shift(self) -> Option<LrState> {
        match self {
            Self::Shift(state) => Some(state),
            Self::Reduce(_) => None,
        }
    }
}

/// How a state is entered. All transitions to a state have the same label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// The state is the start state and is never entered.
    Start,
    /// By a shift of one of these terminals, sorted. Before minimization it is a single terminal.
    Shift(Vec<TerminalId>),
    /// By a goto on this nonterminal.
    Goto(NonterminalId),
}

/// The LR automaton as tables. State 0 is the start.
#[derive(Debug)]
pub struct LrTables {
    /// Per state: its actions, sorted by terminal. Several actions on a terminal are a conflict; all are followed.
    pub actions: Csr<(TerminalId, Action)>,
    /// Per state: its gotos, sorted by nonterminal.
    pub gotos: Csr<(NonterminalId, LrState)>,
    /// Per production: its left-hand side and its length, at least 1.
    pub productions: Vec<(NonterminalId, u32)>,
    /// Per state: the states that may lie directly below it on the stack, sorted.
    pub predecessors: Csr<LrState>,
    /// Number of nonterminals.
    pub nonterminals: usize,
    /// Number of terminals, the end of text included.
    pub terminals: usize,
    /// The end of text.
    pub end: TerminalId,
}

impl LrTables {
    /// Number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.actions.rows()
    }

    /// All actions of `state` on `terminal`.
    #[must_use]
    pub fn actions_on(&self, state: LrState, terminal: TerminalId) -> &[(TerminalId, Action)] {
        let row = self.actions.row(state.index());
        let from = row.partition_point(|&(t, _)| t < terminal);
        let count = row[from..].iter().take_while(|&&(t, _)| t == terminal).count();
        &row[from..from + count]
    }

    /// The goto of `state` on `nonterminal`, if there is one.
    #[must_use]
    pub fn goto(&self, state: LrState, nonterminal: NonterminalId) -> Option<LrState> {
        let row = self.gotos.row(state.index());
        row.binary_search_by_key(&nonterminal, |&(n, _)| n).ok().map(|i| row[i].1)
    }

    /// Per state: how it is entered.
    #[must_use]
    pub fn entries(&self) -> Vec<Entry> {
        let mut entries = vec![Entry::Start; self.states()];
        for &(terminal, action) in self.actions.items() {
            if let Action::Shift(state) = action {
                match &mut entries[state.index()] {
                    Entry::Shift(terminals) => terminals.push(terminal),
                    entry => *entry = Entry::Shift(vec![terminal]),
                }
            }
        }
        for &(nonterminal, state) in self.gotos.items() {
            entries[state.index()] = Entry::Goto(nonterminal);
        }
        for entry in &mut entries {
            if let Entry::Shift(terminals) = entry {
                terminals.sort_unstable();
                terminals.dedup();
            }
        }
        entries
    }

    /// The cells of a state with more than one action, in the order of terminals.
    pub fn conflicts_of(&self, state: LrState) -> impl Iterator<Item = &[(TerminalId, Action)]> {
        self.actions.row(state.index()).chunk_by(|a, b| a.0 == b.0).filter(|cell| cell.len() > 1)
    }

    /// Number of (state, terminal) cells with more than one action.
    #[must_use]
    pub fn conflicts(&self) -> usize {
        (0..self.states()).map(|state| self.conflicts_of(LrState::new(state)).count()).sum()
    }
}

/// Makes the tables of an automaton.
pub(super) fn build(
    cfg: &Cfg,
    automaton: &Automaton,
    copies: &impl Copies,
    lookaheads: &Lookaheads,
) -> LrTables {
    let Automaton { transitions, complete, .. } = automaton;
    let states = transitions.rows();
    let (mut actions, mut gotos) = (Csr::default(), Csr::default());
    for state in (0..states).map(LrState::new) {
        let mut row = Vec::new();
        let mut goto_row = Vec::new();
        for &(symbol, target) in transitions.row(state.index()) {
            match symbol {
                Symbol::Terminal(t) => row.extend(copies.of(t, target).map(|t| (t, Action::Shift(target)))),
                Symbol::Nonterminal(n) => goto_row.push((n, target)),
            }
        }
        for &production in complete.row(state.index()) {
            let on = lookaheads.get(&(state, production)).map_or(&[][..], |terminals| terminals);
            row.extend(on.iter().map(|&t| (t, Action::Reduce(production))));
        }
        row.sort_unstable();
        actions.push(row);
        gotos.push(goto_row);
    }
    LrTables {
        predecessors: predecessors(&actions, &gotos),
        actions,
        gotos,
        productions: cfg.productions.iter().map(|p| (p.lhs, cfg.length(p))).collect(),
        nonterminals: cfg.names.len(),
        terminals: copies.terminals(),
        end: cfg.end,
    }
}

/// Per state: the states with a shift or goto to it, sorted.
pub(super) fn predecessors(
    actions: &Csr<(TerminalId, Action)>,
    gotos: &Csr<(NonterminalId, LrState)>,
) -> Csr<LrState> {
    let edges = (0..actions.rows()).flat_map(|state| {
        let shifts = actions.row(state).iter().filter_map(|(_, action)| action.shift());
        let targets = shifts.chain(gotos.row(state).iter().map(|&(_, to)| to));
        targets.map(move |to| (LrState::new(state), to.index()))
    });
    Csr::inverse(actions.rows(), edges)
}
