//! Lays the states of the lexer out as tables, and removes states that are not co-accessible.
//!
//! In: the [`Explored`] states. Out: a [`Lexer`] in which every state but the dead state can complete at
//! least one terminal, and knows which ones ([`Lexer::pending`]).

use super::counters::Counters;
use super::explore::{Explored, States};
use super::rows::Rows;
use super::tables::{Lexer, Member, PendingId};
use crate::csr::Csr;
use crate::ids::LexState;
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

/// Per state: the terminals that win in a state that is reachable from it, sorted. Under longest match a
/// terminal of the subset may never win. A least fixpoint, computed backwards from the accepting states.
fn completable(states: &States, budget: &Budget) -> Result<Csr<TerminalId>, OverBudget> {
    let mut predecessors = vec![Vec::new(); states.len()];
    for from in 0..states.len() {
        let mut targets: Vec<LexState> = states.successors.row(from).iter().map(|&(_, to)| to).collect();
        targets.sort_unstable();
        targets.dedup();
        targets.iter().for_each(|to| predecessors[to.index()].push(from));
    }
    let mut sets: Vec<Vec<TerminalId>> = vec![Vec::new(); states.len()];
    let mut open: Vec<(usize, TerminalId)> = Vec::new();
    for state in 0..states.len() {
        open.extend(states.accepts.row(state).iter().map(|&t| (state, t)));
    }
    while let Some((state, t)) = open.pop() {
        budget.charge_work(1)?;
        if let Err(at) = sets[state].binary_search(&t) {
            budget.charge_bytes(4)?;
            sets[state].insert(at, t);
            open.extend(predecessors[state].iter().map(|&p| (p, t)));
        }
    }
    Ok(sets.into_iter().collect())
}

/// The terminals of a state, each once.
fn terminals(members: &[Member]) -> impl Iterator<Item = TerminalId> {
    members.chunk_by(|a, b| a.terminal == b.terminal).map(|same| same[0].terminal)
}

/// Lays the states out as tables. States that are not co-accessible become the dead state.
pub(super) fn assemble(explored: Explored, budget: &Budget) -> Result<Lexer, OverBudget> {
    let Explored { classes, read_classes, contexts, end_classes, states, members, .. } = explored;
    let completable = match &members {
        Some(members) => (0..members.rows()).map(|state| terminals(members.row(state))).collect(),
        None => completable(&states, budget)?,
    };
    let live = |s: LexState| if completable.row(s.index()).is_empty() { LexState::DEAD } else { s };
    budget.charge_bytes((states.len() * classes * 4) as u64)?;
    let mut transitions = vec![LexState::DEAD; states.len() * classes];
    for state in 0..states.len() {
        for &(class, to) in states.successors.row(state) {
            let (next, is_limit) = (live(to), class.index() >= read_classes);
            // Where no text may follow, a limit does not end the lexeme.
            let stays = is_limit && next == LexState::DEAD;
            transitions[state * classes + class.index()] =
                if stays { live(LexState::new(state)) } else { next };
        }
    }
    let States { successors, accepts, end_class } = states;
    drop(successors);
    budget.charge_bytes((end_classes * contexts * 4) as u64)?;
    let mut restarts = vec![LexState::DEAD; end_classes * contexts];
    for (&(end, context), &state) in &explored.restarts {
        restarts[end.index() * contexts + context.index()] = live(state);
    }
    let mut pending_ids: FxHashMap<&[TerminalId], PendingId> = FxHashMap::default();
    let mut pending_sets = Csr::default();
    let number = |state| {
        let set = completable.row(state);
        *pending_ids.entry(set).or_insert_with(|| {
            pending_sets.push(set.iter().copied());
            PendingId::new(pending_sets.rows() - 1)
        })
    };
    let pending = (0..completable.rows()).map(number).collect();
    Ok(Lexer {
        classes,
        contexts,
        rows: Rows::new(&transitions, classes),
        transitions,
        end_class,
        accepts,
        restarts,
        pending,
        pending_sets,
        members,
        counters: Counters::default(),
        contested: explored.contested,
    })
}
