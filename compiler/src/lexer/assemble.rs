//! Lays the states of the lexer out as tables, and removes states that are not co-accessible.
//!
//! In: the [`Explored`] states. Out: a [`Lexer`] in which every state but the dead state can complete at
//! least one terminal, and knows which ones ([`Lexer::pending`]).

use super::counters::Counters;
use super::explore::{Explored, Row};
use super::rows::Rows;
use super::tables::{Lexer, Member, PendingId};
use crate::csr::Csr;
use crate::ids::LexState;
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

/// Per state: the terminals that win in a state that is reachable from it, sorted. Under longest match a
/// terminal of the subset may never win. A least fixpoint, computed backwards from the accepting states.
fn completable(rows: &[Row], budget: &Budget) -> Result<Vec<Vec<TerminalId>>, OverBudget> {
    let mut predecessors = vec![Vec::new(); rows.len()];
    for (from, row) in rows.iter().enumerate() {
        let mut targets: Vec<LexState> = row.successors.iter().map(|&(_, to)| to).collect();
        targets.sort_unstable();
        targets.dedup();
        targets.iter().for_each(|to| predecessors[to.index()].push(from));
    }
    let mut sets: Vec<Vec<TerminalId>> = vec![Vec::new(); rows.len()];
    let mut open: Vec<(usize, TerminalId)> = Vec::new();
    for (state, row) in rows.iter().enumerate() {
        open.extend(row.accepts.iter().map(|&t| (state, t)));
    }
    while let Some((state, t)) = open.pop() {
        budget.charge_work(1)?;
        if let Err(at) = sets[state].binary_search(&t) {
            budget.charge_bytes(4)?;
            sets[state].insert(at, t);
            open.extend(predecessors[state].iter().map(|&p| (p, t)));
        }
    }
    Ok(sets)
}

/// The terminals of a state, each once.
fn terminals(members: &[Member]) -> Vec<TerminalId> {
    let mut terminals: Vec<TerminalId> = members.iter().map(|member| member.terminal).collect();
    terminals.dedup();
    terminals
}

/// Lays the states out as tables. States that are not co-accessible become the dead state.
pub(super) fn assemble(explored: Explored, budget: &Budget) -> Result<Lexer, OverBudget> {
    let Explored { classes, read_classes, contexts, ref rows, .. } = explored;
    let completable = match &explored.members {
        Some(members) => (0..members.rows()).map(|state| terminals(members.row(state))).collect(),
        None => completable(rows, budget)?,
    };
    let live = |s: LexState| if completable[s.index()].is_empty() { LexState::DEAD } else { s };
    budget.charge_bytes((rows.len() * classes * 4) as u64)?;
    let mut transitions = vec![LexState::DEAD; rows.len() * classes];
    for (state, row) in rows.iter().enumerate() {
        for &(class, to) in &row.successors {
            let (next, is_limit) = (live(to), class.index() >= read_classes);
            // Where no text may follow, a limit does not end the lexeme.
            let stays = is_limit && next == LexState::DEAD;
            transitions[state * classes + class.index()] =
                if stays { live(LexState::new(state)) } else { next };
        }
    }
    budget.charge_bytes((explored.end_classes * contexts * 4) as u64)?;
    let mut restarts = vec![LexState::DEAD; explored.end_classes * contexts];
    for (&(end, context), &state) in &explored.restarts {
        restarts[end.index() * contexts + context.index()] = live(state);
    }
    let mut pending_ids: FxHashMap<&[TerminalId], PendingId> = FxHashMap::default();
    let mut pending_sets = Csr::default();
    let pending = completable
        .iter()
        .map(|set| {
            *pending_ids.entry(set).or_insert_with(|| {
                pending_sets.push(set.iter().copied());
                PendingId::new(pending_sets.rows() - 1)
            })
        })
        .collect();
    Ok(Lexer {
        classes,
        contexts,
        rows: Rows::new(&transitions, classes),
        transitions,
        end_class: rows.iter().map(|r| r.end_class).collect(),
        accepts: rows.iter().map(|r| r.accepts.iter().copied()).collect(),
        restarts,
        pending,
        pending_sets,
        members: explored.members,
        counters: Counters::default(),
        contested: explored.contested,
    })
}
