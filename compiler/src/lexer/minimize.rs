//! Minimizes the lexer: merges equivalent states by partition refinement (Moore 1956).
//!
//! In: a [`Lexer`]. Out: a [`Lexer`] that splits every text as before, with one state per class. Two states
//! are equivalent if the same lexemes may end in them, their successors are equivalent, and the states in
//! which the next lexeme starts are equivalent for every context.

use super::rows::Rows;
use super::tables::Lexer;
use crate::csr::Csr;
use crate::ids::{EndClass, LexState};
use crate::partition::number;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

/// The minimal lexer for the same texts.
pub(super) fn minimize(raw: &Lexer, budget: &Budget) -> Result<Lexer, OverBudget> {
    let class_of = refine(raw, budget)?;
    Ok(quotient(raw, &class_of))
}

/// The class of each state in the coarsest stable partition. The dead state is alone in class 0, since only
/// it has no pending terminal.
fn refine(raw: &Lexer, budget: &Budget) -> Result<Vec<u32>, OverBudget> {
    let mut class_of = number((0..raw.states()).map(|s| (raw.accepts.row(s).to_vec(), raw.pending[s])));
    let mut count = distinct(&class_of);
    loop {
        budget.charge_work((raw.states() * raw.classes) as u64)?;
        let classes = |states: &[LexState]| states.iter().map(|s| class_of[s.index()]).collect::<Vec<_>>();
        let ends = number(raw.restarts.chunks(raw.contexts).map(classes));
        let key = |s: usize| {
            let end = if raw.accepts.row(s).is_empty() { 0 } else { ends[raw.end_class[s].index()] };
            (class_of[s], end, classes(raw.row(LexState::new(s))))
        };
        class_of = number((0..raw.states()).map(key));
        let now = distinct(&class_of);
        if now == count {
            return Ok(class_of);
        }
        count = now;
    }
}

/// Number of classes.
fn distinct(class_of: &[u32]) -> usize {
    class_of.iter().max().map_or(0, |&m| m as usize + 1)
}

/// The automaton of the classes.
fn quotient(raw: &Lexer, class_of: &[u32]) -> Lexer {
    let states = distinct(class_of);
    let mut representative = vec![0; states];
    (0..raw.states()).rev().for_each(|s| representative[class_of[s] as usize] = s);
    let map = |s: LexState| LexState(class_of[s.index()]);
    let (end_of, restarts) = end_classes(raw, map);
    let mut out = Lexer {
        classes: raw.classes,
        contexts: raw.contexts,
        transitions: Vec::with_capacity(states * raw.classes),
        rows: Rows::default(),
        accepts: Csr::default(),
        end_class: Vec::with_capacity(states),
        restarts,
        pending: Vec::with_capacity(states),
        pending_sets: raw.pending_sets.clone(),
        members: None,
        counters: raw.counters.clone(),
        contested: raw.contested,
    };
    for s in representative {
        out.transitions.extend(raw.transitions[s * raw.classes..][..raw.classes].iter().map(|&to| map(to)));
        out.accepts.push(raw.accepts.row(s).iter().copied());
        out.end_class.push(if raw.accepts.row(s).is_empty() {
            EndClass(0)
        } else {
            end_of[raw.end_class[s].index()]
        });
        out.pending.push(raw.pending[s]);
    }
    out.rows = Rows::new(&out.transitions, out.classes);
    out
}

/// Merges end classes with the same restarts: the new class of each, and the new restarts.
fn end_classes(raw: &Lexer, map: impl Fn(LexState) -> LexState) -> (Vec<EndClass>, Vec<LexState>) {
    let mut restarts = Vec::new();
    let mut ids: FxHashMap<Vec<LexState>, EndClass> = FxHashMap::default();
    let of = raw
        .restarts
        .chunks(raw.contexts)
        .map(|row| {
            let row: Vec<LexState> = row.iter().map(|&s| map(s)).collect();
            *ids.entry(row).or_insert_with_key(|row| {
                restarts.extend(row);
                EndClass::new(restarts.len() / raw.contexts - 1)
            })
        })
        .collect();
    (of, restarts)
}
