//! The cells of the action table: what a state does on a terminal. States with equal cells share a number for it.

use crate::csr::Csr;
use crate::ids::LrState;
use crate::lr::{Action, LrTables};
use gcc_grammar_frontends::{TerminalId, index_newtype};
use rustc_hash::FxHashMap;
use std::ops::Range;

index_newtype! {
    /// A list of actions on some terminal.
    CellId;
}

/// All cells that are not empty.
pub(super) struct Cells {
    /// Per state, sorted by terminal.
    rows: Csr<(TerminalId, CellId)>,
    /// Per cell.
    actions: Csr<Action>,
}

impl Cells {
    pub(super) fn new(tables: &LrTables) -> Self {
        let mut ids = FxHashMap::default();
        let (mut rows, mut actions) = (Csr::default(), Csr::default());
        for state in 0..tables.states() {
            let mut row = Vec::new();
            for cell in tables.actions.row(state).chunk_by(|a, b| a.0 == b.0) {
                let id = *ids
                    .entry(cell.iter().map(|&(_, action)| action).collect::<Box<[_]>>())
                    .or_insert_with_key(|cell| {
                        actions.push(cell.iter().copied());
                        CellId::new(actions.rows() - 1)
                    });
                row.push((cell[0].0, id));
            }
            rows.push(row);
        }
        Self { rows, actions }
    }

    /// What the actions of a cell are.
    pub(super) fn actions(&self, cell: CellId) -> &[Action] {
        self.actions.row(cell.index())
    }

    /// The cells of a state.
    pub(super) fn row(&self, state: LrState) -> &[(TerminalId, CellId)] {
        self.rows.row(state.index())
    }

    /// All cells of a state, for [`find`](Self::find).
    pub(super) fn span(&self, state: LrState) -> Range<usize> {
        self.rows.span(state.index())
    }

    /// The cell of `terminal` among `left`, which then are those after it: terminals are asked for in order.
    pub(super) fn find(&self, left: &mut Range<usize>, terminal: TerminalId) -> Option<CellId> {
        let row = &self.rows.items()[left.clone()];
        left.start += row.partition_point(|&(t, _)| t < terminal);
        let &(found, cell) = self.rows.items()[left.clone()].first()?;
        (found == terminal).then_some(cell)
    }
}
