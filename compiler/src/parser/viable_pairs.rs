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

/// The work to look up the cell of a pending terminal in a row, or the terminal of a cell among the pending ones.
const CELL_WORK: u64 = 4;

/// Finds the viable pairs of lexer states.
pub(super) struct ViablePairs<'a> {
    lexer: &'a Lexer,
    contexts: &'a Contexts,
    starts: &'a LexemeStarts,
    /// Per terminal: the LR states with an action on it, sorted.
    by_terminal: Vec<Vec<LrState>>,
    /// The LR states with any action.
    all: Vec<LrState>,
    /// By pending set and starts.
    known: FxHashMap<(PendingId, Box<[u64]>), Groups>,
}

impl<'a> ViablePairs<'a> {
    pub(super) fn new(
        tables: &LrTables,
        contexts: &'a Contexts,
        lexer: &'a Lexer,
        starts: &'a LexemeStarts,
    ) -> Self {
        let mut by_terminal = vec![Vec::new(); tables.terminals];
        let mut all = Vec::new();
        for (state, entry) in tables.entries().into_iter().enumerate() {
            if matches!(entry, Entry::Goto(_)) {
                continue;
            }
            let (state, row) = (LrState::new(state), tables.actions.row(state));
            if !row.is_empty() {
                all.push(state);
            }
            for cell in row.chunk_by(|a, b| a.0 == b.0) {
                by_terminal[cell[0].0.index()].push(state);
            }
        }
        Self { lexer, contexts, starts, by_terminal, all, known: FxHashMap::default() }
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

    fn grouped(&self, lex: LexState, cells: &Cells, budget: &Budget) -> Result<Groups, OverBudget> {
        let pending = self.lexer.pending(lex);
        let mut ids: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        let mut groups: Vec<Vec<LrState>> = Vec::new();
        let states = self.states(lex, pending);
        budget.charge_bytes(states.len() as u64 * 4 + 64)?;
        for state in states {
            let looked_up = pending.len().min(cells.row(state).len()) as u64;
            budget.charge_work(looked_up * CELL_WORK + 1)?;
            let group = *ids.entry(self.first_actions(state, pending, cells)).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups[group].push(state);
        }
        Ok(groups.into())
    }

    /// The LR states of a lexer state with these pending terminals, sorted.
    fn states(&self, lex: LexState, pending: &[TerminalId]) -> Vec<LrState> {
        let mut states: Vec<LrState> = match pending.last() {
            Some(&IGNORED) => self.all.clone(),
            _ => pending.iter().flat_map(|t| self.by_terminal[t.index()].iter().copied()).collect(),
        };
        states.retain(|&state| self.starts.can_occur(lex, state));
        states.sort_unstable();
        states.dedup();
        states
    }

    /// The cells of `state` for the pending terminals, with their terminals. After an ignored lexeme any terminal may come,
    /// depending on the context.
    fn first_actions(&self, state: LrState, pending: &[TerminalId], cells: &Cells) -> Vec<u32> {
        let row = cells.row(state);
        let number = |&(terminal, cell): &(TerminalId, CellId)| [terminal.0, cell.0];
        if pending.last() == Some(&IGNORED) {
            return [self.contexts.of(state).0].into_iter().chain(row.iter().flat_map(number)).collect();
        }
        // The longer of the two lists is searched.
        if row.len() < pending.len() {
            let is_pending =
                |&&(terminal, _): &&(TerminalId, CellId)| pending.binary_search(&terminal).is_ok();
            return row.iter().filter(is_pending).flat_map(number).collect();
        }
        let mut left = cells.span(state);
        let cell = |&terminal| Some((terminal, cells.find(&mut left, terminal)?));
        pending.iter().filter_map(cell).flat_map(|found| number(&found)).collect()
    }
}
