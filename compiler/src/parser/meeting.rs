//! Which LR states a lexer state may be met in.
//!
//! Those after which a lexeme may begin that leads to the lexer state ([`Origins`]), in which a terminal under way has an action, and
//! which are the start or come after a shift: other states are on top of the stack only between two reductions.

use super::cells::Cells;
use super::origins::Origins;
use crate::ids::{LexState, LrState};
use crate::lexer::{Contexts, IGNORED, Lexer, PendingId};
use crate::limits::{Budget, OverBudget};
use crate::lr::{Entry, LrTables};
use gcc_grammar_ir::TerminalId;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// LR states in groups that begin with the same actions, whatever lexeme is read: what the tokens do first is worked out once for all.
pub(super) type Groups = Rc<[Vec<LrState>]>;

/// Finds the LR states of lexer states, in groups.
pub(super) struct Meeting<'a> {
    lexer: &'a Lexer,
    contexts: &'a Contexts,
    origins: &'a Origins,
    /// Per terminal: the LR states with an action on it, sorted.
    by_terminal: Vec<Vec<LrState>>,
    /// The LR states with any action.
    all: Vec<LrState>,
    /// By pending set and origins.
    known: FxHashMap<(PendingId, Box<[u64]>), Groups>,
}

impl<'a> Meeting<'a> {
    pub(super) fn new(
        tables: &LrTables,
        contexts: &'a Contexts,
        lexer: &'a Lexer,
        origins: &'a Origins,
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
        Self { lexer, contexts, origins, by_terminal, all, known: FxHashMap::default() }
    }

    /// The groups for a lexer state, in the order of first members.
    pub(super) fn groups(
        &mut self,
        lex: LexState,
        cells: &Cells,
        budget: &Budget,
    ) -> Result<Groups, OverBudget> {
        let key = (self.lexer.pending[lex.index()], self.origins.of(lex).into());
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
            budget.charge_work(pending.len() as u64 + 1)?;
            let group = *ids.entry(self.beginning(state, pending, cells)).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups[group].push(state);
        }
        Ok(groups.into())
    }

    /// Sorted.
    fn states(&self, lex: LexState, pending: &[TerminalId]) -> Vec<LrState> {
        let mut states: Vec<LrState> = match pending.last() {
            Some(&IGNORED) => self.all.clone(),
            _ => pending.iter().flat_map(|t| self.by_terminal[t.index()].iter().copied()).collect(),
        };
        states.retain(|&state| self.origins.can_meet(lex, state));
        states.sort_unstable();
        states.dedup();
        states
    }

    /// What `state` does on the terminals that the lexeme may become. After an ignored one that may be any, and depends on the context.
    fn beginning(&self, state: LrState, pending: &[TerminalId], cells: &Cells) -> Vec<u32> {
        if pending.last() == Some(&IGNORED) {
            let row = cells.row(state).iter().flat_map(|&(terminal, cell)| [terminal.0, cell.0]);
            return [self.contexts.of(state).0].into_iter().chain(row).collect();
        }
        let mut left = cells.span(state);
        pending.iter().map(|&t| cells.find(&mut left, t).map_or(u32::MAX, |cell| cell.0)).collect()
    }
}
