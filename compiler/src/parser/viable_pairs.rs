//! Finds the LR states that can be on top of the stack in a lexer state.
//!
//! In: the lexer, the LR tables, and where lexemes start. Out: for a lexer state the LR states of its viable
//! pairs, in groups. A pair of a lexer state and an LR state is viable if
//! - a lexeme that starts after the LR state can be in the lexer state ([`LexemeStarts`]),
//! - the LR state has an action on a pending terminal, and
//! - the LR state is the start or a shift leads to it: other states are on top of the stack only between two
//!   reductions.

use super::action_cells::{CellId, Cells};
use super::lexeme_starts::LexemeStarts;
use crate::ids::{LexState, LrState};
use crate::lexer::{Contexts, IGNORED, Lexer, PendingId};
use crate::lr::{Entry, LrTables};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// LR states in groups with the same actions on all pending terminals. The first actions of tokens are worked
/// out once per group.
pub(super) type Groups = Rc<[Vec<LrState>]>;

/// The work to find the cell of a pending terminal, and to sort it to the other cells of its state.
const SORTED_CELL_WORK: u64 = 2;
/// The cells of a row that are copied with a unit of work.
const COPIED_CELLS: u64 = 8;

/// Estimated bytes of the groups of a lexer state, besides their states.
const GROUPS_BYTES: u64 = 64;

/// A cell, in the order in which cells make up first actions.
type FirstAction = (LrState, TerminalId, CellId);

/// The bytes of this number of first actions.
fn bytes(first_actions: usize) -> u64 {
    (first_actions * size_of::<FirstAction>()) as u64
}

/// Finds the viable pairs of lexer states.
pub(super) struct ViablePairs<'a> {
    lexer: &'a Lexer,
    contexts: &'a Contexts,
    starts: &'a LexemeStarts,
    /// Per terminal: its cells in the LR states that a shift leads to, sorted by state.
    by_terminal: Vec<Vec<(LrState, CellId)>>,
    /// The states that a shift leads to, and the start, with any action.
    all: Vec<LrState>,
    /// By pending set and starts.
    known: FxHashMap<(PendingId, Box<[u64]>), Groups>,
}

impl<'a> ViablePairs<'a> {
    pub(super) fn new(
        tables: &LrTables,
        cells: &Cells,
        contexts: &'a Contexts,
        lexer: &'a Lexer,
        starts: &'a LexemeStarts,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let mut by_terminal = vec![Vec::new(); tables.terminals];
        let mut all = Vec::new();
        for (state, entry) in tables.entries().into_iter().enumerate() {
            if matches!(entry, Entry::Goto(_)) {
                continue;
            }
            let state = LrState::new(state);
            let row = cells.row(state);
            if !row.is_empty() {
                all.push(state);
            }
            budget.charge_bytes(size_of_val(row) as u64)?;
            for &(terminal, cell) in row {
                by_terminal[terminal.index()].push((state, cell));
            }
        }
        Ok(Self { lexer, contexts, starts, by_terminal, all, known: FxHashMap::default() })
    }

    /// The LR states of a lexer state, in groups, in the order of the first members.
    pub(super) fn groups(
        &mut self,
        lex: LexState,
        cells: &Cells,
        budget: &Budget,
    ) -> Result<Groups, OverBudget> {
        let key = (self.lexer.pending[lex.index()], self.starts.leading_to(lex).into());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let groups = self.grouped(lex, cells, budget)?;
        self.known.insert(key, groups.clone());
        Ok(groups)
    }

    /// Ends the search, and gives back the bytes of its tables.
    pub(super) fn end(self, budget: &Budget) {
        let cells = self.by_terminal.iter().map(Vec::len).sum::<usize>();
        let states = self.known.values().flat_map(|groups| groups.iter()).map(Vec::len).sum::<usize>();
        budget.release_bytes((cells * size_of::<(TerminalId, CellId)>()) as u64);
        budget.release_bytes((states * size_of::<LrState>()) as u64 + self.known.len() as u64 * GROUPS_BYTES);
    }

    fn grouped(&self, lex: LexState, cells: &Cells, budget: &Budget) -> Result<Groups, OverBudget> {
        budget.charge_bytes(GROUPS_BYTES)?;
        let actions = self.first_actions(lex, cells, budget)?;
        let is_ignored = self.lexer.pending(lex).last() == Some(&IGNORED);
        let mut ids: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        let mut groups: Vec<Vec<LrState>> = Vec::new();
        for row in actions.chunk_by(|a, b| a.0 == b.0) {
            let state = row[0].0;
            budget.charge_work(1)?;
            budget.charge_bytes(size_of::<LrState>() as u64)?;
            // After an ignored lexeme, the terminals that may come depend on the context.
            let context = is_ignored.then(|| self.contexts.of(state).0);
            let first_actions = row.iter().flat_map(|&(_, terminal, cell)| [terminal.0, cell.0]);
            let group =
                *ids.entry(context.into_iter().chain(first_actions).collect()).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups[group].push(state);
        }
        budget.release_bytes(bytes(actions.len()));
        Ok(groups.into())
    }

    /// The cells of the pending terminals of a lexer state in the LR states below it, sorted. After an ignored lexeme any terminal may come.
    fn first_actions(
        &self,
        lex: LexState,
        cells: &Cells,
        budget: &Budget,
    ) -> Result<Vec<FirstAction>, OverBudget> {
        let pending = self.lexer.pending(lex);
        let mut found = Vec::new();
        if pending.last() == Some(&IGNORED) {
            for &state in self.all.iter().filter(|&&state| self.starts.can_occur(lex, state)) {
                let row = cells.row(state);
                budget.charge_work(row.len() as u64 / COPIED_CELLS + 1)?;
                budget.charge_bytes(bytes(row.len()))?;
                found.extend(row.iter().map(|&(terminal, cell)| (state, terminal, cell)));
            }
        } else {
            for &terminal in pending {
                let of_terminal = &self.by_terminal[terminal.index()];
                budget.charge_work(of_terminal.len() as u64 * SORTED_CELL_WORK)?;
                budget.charge_bytes(bytes(of_terminal.len()))?;
                let occurring = of_terminal.iter().filter(|&&(state, _)| self.starts.can_occur(lex, state));
                let before = found.len();
                found.extend(occurring.map(|&(state, cell)| (state, terminal, cell)));
                budget.release_bytes(bytes(of_terminal.len() - (found.len() - before)));
            }
            found.sort_unstable();
        }
        Ok(found)
    }
}
