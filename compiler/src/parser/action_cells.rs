//! The cells of the action table: the list of actions of an LR state on a terminal.
//!
//! In: the LR tables. Out: [`Cells`], where equal lists have the same id, so that work on a cell is done once
//! for all states that have it.

use crate::csr::Csr;
use crate::ids::LrState;
use crate::lr::{Action, Entry, LrTables};
use gcc_grammar_ir::{NonterminalId, TerminalId, index_newtype};
use rustc_hash::FxHashMap;
use std::ops::Range;

index_newtype! {
    /// A distinct list of actions that is not empty.
    CellId;
}

/// The cells that are not empty.
pub(super) struct Cells {
    /// Per state: its cells, sorted by terminal.
    rows: Csr<(TerminalId, CellId)>,
    /// Per cell: its actions.
    actions: Csr<Action>,
    /// Per nonterminal, sorted by terminal: the cell, if all states that the nonterminal leads to have the
    /// same cell.
    after: Csr<(TerminalId, Option<CellId>)>,
}

/// What a nonterminal says about the cell of the states that it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum After {
    /// The cell is empty in all of them.
    Empty,
    /// All of them have this cell.
    Cell(CellId),
    /// It depends on the state.
    Depends,
}

impl Cells {
    pub(super) fn new(tables: &LrTables) -> Self {
        let mut ids: FxHashMap<Box<[Action]>, CellId> = FxHashMap::default();
        let (mut rows, mut actions) = (Csr::default(), Csr::default());
        let (mut row, mut list) = (Vec::new(), Vec::new());
        for state in 0..tables.states() {
            for cell in tables.actions.row(state).chunk_by(|a, b| a.0 == b.0) {
                list.clear();
                list.extend(cell.iter().map(|&(_, action)| action));
                let id = ids.get(list.as_slice()).copied().unwrap_or_else(|| {
                    actions.push(list.iter().copied());
                    let id = CellId::new(actions.rows() - 1);
                    ids.insert(list.as_slice().into(), id);
                    id
                });
                row.push((cell[0].0, id));
            }
            rows.push(row.drain(..));
        }
        let after = after(tables, &rows);
        Self { rows, actions, after }
    }

    /// The cell for `terminal` of the states that `nonterminal` leads to.
    pub(super) fn after(&self, nonterminal: NonterminalId, terminal: TerminalId) -> After {
        let row = self.after.row(nonterminal.index());
        match row.binary_search_by_key(&terminal, |&(t, _)| t).map(|at| row[at].1) {
            Err(_) => After::Empty,
            Ok(Some(cell)) => After::Cell(cell),
            Ok(None) => After::Depends,
        }
    }

    /// The actions of a cell.
    pub(super) fn actions(&self, cell: CellId) -> &[Action] {
        self.actions.row(cell.index())
    }

    /// The cells of a state.
    pub(super) fn row(&self, state: LrState) -> &[(TerminalId, CellId)] {
        self.rows.row(state.index())
    }

    /// The positions of the cells of a state, for [`find`](Self::find).
    pub(super) fn span(&self, state: LrState) -> Range<usize> {
        self.rows.span(state.index())
    }

    /// The cell of `terminal` among the cells at `left`, which becomes the rest behind it. Terminals must be
    /// looked up in ascending order.
    pub(super) fn find(&self, left: &mut Range<usize>, terminal: TerminalId) -> Option<CellId> {
        let row = &self.rows.items()[left.clone()];
        // Many terminals in turn are neighbours, so the first cells are tried first.
        let mut tried = 1;
        while tried <= row.len() && row[tried - 1].0 < terminal {
            tried *= 2;
        }
        let (low, high) = (tried / 2, tried.min(row.len()));
        let before = low + row[low..high].partition_point(|&(t, _)| t < terminal);
        left.start += before;
        let &(found, cell) = row.get(before)?;
        (found == terminal).then_some(cell)
    }
}

/// Per nonterminal: the cells of the states that it leads to ([`Cells::after`]).
fn after(tables: &LrTables, rows: &Csr<(TerminalId, CellId)>) -> Csr<(TerminalId, Option<CellId>)> {
    let mut states = vec![Vec::new(); tables.nonterminals];
    for (state, entry) in tables.entries().into_iter().enumerate() {
        if let Entry::Goto(nonterminal) = entry {
            states[nonterminal.index()].push(state);
        }
    }
    let common = |states: Vec<usize>| {
        let mut cells: Vec<(TerminalId, CellId)> =
            states.iter().flat_map(|&state| rows.row(state).iter().copied()).collect();
        cells.sort_unstable();
        let cells = cells.chunk_by(|a, b| a.0 == b.0).map(|of_terminal| {
            let (terminal, cell) = of_terminal[0];
            let same =
                of_terminal.len() == states.len() && of_terminal.iter().all(|&(_, other)| other == cell);
            (terminal, same.then_some(cell))
        });
        cells.collect::<Vec<_>>()
    };
    states.into_iter().map(common).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::ProductionId;

    /// Nonterminal 0 leads to states 1 and 2, from the start and from state 2; nonterminal 1 to state 3.
    fn tables() -> LrTables {
        let (shift, reduce) = (|to| Action::Shift(LrState(to)), |by| Action::Reduce(ProductionId(by)));
        let actions =
            |row: &[(u32, Action)]| row.iter().map(|&(t, a)| (TerminalId(t), a)).collect::<Vec<_>>();
        let gotos = |row: &[(u32, u32)]| row.iter().map(|&(n, s)| (NonterminalId(n), LrState(s))).collect();
        LrTables {
            actions: Csr::from_iter([
                actions(&[]),
                actions(&[(0, reduce(0)), (1, shift(2)), (2, shift(3))]),
                actions(&[(0, reduce(0)), (1, shift(3))]),
                actions(&[(1, shift(3))]),
            ]),
            gotos: Csr::from_iter::<[Vec<_>; 4]>([
                gotos(&[(0, 1), (1, 3)]),
                vec![],
                gotos(&[(0, 2)]),
                vec![],
            ]),
            productions: vec![(NonterminalId(0), 1)],
            predecessors: Csr::default(),
            nonterminals: 2,
            terminals: 3,
            end: TerminalId(0),
        }
    }

    #[test]
    fn a_cell_is_known_after_a_nonterminal_if_all_its_states_have_it() {
        let cells = Cells::new(&tables());
        let after = |nonterminal, terminal| cells.after(NonterminalId(nonterminal), TerminalId(terminal));
        let find =
            |state, terminal| cells.find(&mut cells.span(LrState(state)), TerminalId(terminal)).unwrap();
        assert_eq!(after(0, 0), After::Cell(find(1, 0)));
        assert_eq!(after(0, 1), After::Depends);
        assert_eq!(after(0, 2), After::Depends);
        assert_eq!(after(1, 1), After::Cell(find(2, 1)));
        assert_eq!(after(1, 0), After::Empty);
    }
}
