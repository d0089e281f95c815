//! Tells the lexemes of a terminal apart where it matters what they leave to the next lexeme.
//!
//! In: the situations, and the states of the automaton without dead ends. Out: a copy of a terminal for every one of its
//! labels; a copy is shifted to a state only if the state is live in the situation after it. Later, copies with the same
//! actions in all states become one ([`Labels::merge`]), so that in most grammars few terminals have several.

use super::restricted::State;
use super::situations::Situations;
use crate::ids::{ContextId, EndClass, LrState};
use crate::lr::{Action, Copies, LrTables};
use gcc_grammar_ir::TerminalId;
use rustc_hash::FxHashMap;

/// The actions on a copy: the states, each with its action.
type Column = Vec<(usize, Action)>;

/// A copy per terminal and label.
pub(super) struct Labels<'a> {
    pub(super) situations: &'a Situations,
    pub(super) states: &'a [State],
    pub(super) context_of: &'a [ContextId],
    /// Per terminal: the first of its copies. The others follow.
    first: Vec<usize>,
    count: usize,
}

impl<'a> Labels<'a> {
    pub(super) fn new(
        situations: &'a Situations,
        states: &'a [State],
        context_of: &'a [ContextId],
        terminals: usize,
    ) -> Self {
        let mut count = 0;
        let first = (0..terminals).map(|terminal| {
            count += situations.labels(TerminalId::new(terminal));
            count - situations.labels(TerminalId::new(terminal))
        });
        Self { situations, states, context_of, first: first.collect(), count }
    }

    /// The context of a state that is entered by a shift.
    pub(super) fn context(&self, state: LrState) -> ContextId {
        self.context_of[self.states[state.index()].base.index()]
    }

    /// Makes copies with the same actions in all states one, and removes those without actions. The first copy that is
    /// left of a terminal has the number of the terminal; the others come after all terminals.
    pub(super) fn merge(&self, tables: &LrTables) -> Merged {
        let mut columns: Vec<Column> = vec![Vec::new(); self.count];
        for state in 0..tables.states() {
            tables
                .actions
                .row(state)
                .iter()
                .for_each(|&(copy, action)| columns[copy.index()].push((state, action)));
        }
        let mut known: FxHashMap<(usize, &Column), TerminalId> = FxHashMap::default();
        let mut merged =
            Merged { of_copy: vec![None; self.count], origin: Vec::new(), terminals: self.first.len() };
        for terminal in 0..self.first.len() {
            let mut own = Some(TerminalId::new(terminal));
            for copy in self.copies(TerminalId::new(terminal)).filter(|&copy| !columns[copy].is_empty()) {
                merged.of_copy[copy] = Some(*known.entry((terminal, &columns[copy])).or_insert_with(|| {
                    own.take().unwrap_or_else(|| {
                        merged.origin.push(TerminalId::new(terminal));
                        TerminalId::new(self.first.len() + merged.origin.len() - 1)
                    })
                }));
            }
        }
        merged
    }

    /// The terminal of a lexeme after merging.
    pub(super) fn terminal(
        &self,
        merged: &Merged,
        terminal: TerminalId,
        end: EndClass,
    ) -> Option<TerminalId> {
        merged.of_copy[self.first[terminal.index()] + self.situations.label_of(terminal, end)?]
    }

    fn copies(&self, terminal: TerminalId) -> std::ops::Range<usize> {
        let first = self.first[terminal.index()];
        first..first + self.situations.labels(terminal)
    }
}

impl Copies for Labels<'_> {
    fn terminals(&self) -> usize {
        self.count
    }

    fn of(&self, terminal: TerminalId, to: LrState) -> impl Iterator<Item = TerminalId> {
        let first = self.first[terminal.index()];
        let (live, context) = (self.states[to.index()].live, self.context(to));
        let is_live = move |&label: &usize| {
            let situation = self.situations.after(terminal, label, context);
            situation.is_some_and(|situation| live >> situation & 1 == 1)
        };
        (0..self.situations.labels(terminal)).filter(is_live).map(move |label| TerminalId::new(first + label))
    }
}

/// The copies after merging.
pub(super) struct Merged {
    /// Per copy: its terminal; `None` if nothing can be done with it.
    of_copy: Vec<Option<TerminalId>>,
    /// Per terminal beyond those of the grammar: the terminal that it is a copy of.
    pub(super) origin: Vec<TerminalId>,
    /// Number of terminals of the grammar, END included.
    terminals: usize,
}

impl Merged {
    /// The tables with these terminals.
    pub(super) fn apply(&self, tables: &LrTables) -> LrTables {
        let actions = (0..tables.states()).map(|state| {
            let row = tables.actions.row(state).iter();
            let mut row: Vec<_> =
                row.filter_map(|&(copy, action)| Some((self.of_copy[copy.index()]?, action))).collect();
            row.sort_unstable();
            row.dedup();
            row
        });
        LrTables {
            actions: actions.collect(),
            gotos: tables.gotos.clone(),
            productions: tables.productions.clone(),
            predecessors: tables.predecessors.clone(),
            terminals: self.terminals + self.origin.len(),
            ..*tables
        }
    }
}
