//! Finds the ignored lexemes that must not end in some LR states.
//!
//! An ignored lexeme takes no step of the parser, but it changes the boundary: after a comment that extends to the end
//! of the line, only a line break can come, and not everywhere can one follow. In: the states of the automaton without
//! dead ends. Out: per state that is entered by a shift, its context and a *filter*, the end classes with which an
//! ignored lexeme would leave a dead boundary.

use super::labels::Labels;
use super::lexemes::Lexemes;
use crate::ids::{ContextId, EndClass, LrState};
use crate::lexer::{FilterId, IGNORED};
use crate::lr::Automaton;
use gcc_grammar_ir::{Symbol, TerminalId};
use rustc_hash::FxHashMap;

/// The contexts with filters.
pub(super) struct Filtered {
    /// Per state: its new context. States that are entered by a goto have the context of the start.
    pub(super) of_state: Vec<ContextId>,
    /// Per new context: the old one, and the filter.
    pub(super) contexts: Vec<(ContextId, FilterId)>,
    /// The filters. The first one is empty.
    pub(super) filters: Vec<Vec<EndClass>>,
}

/// Finds the filter of every state.
pub(super) fn filter(automaton: &Automaton, labels: &Labels<'_>, lexemes: &Lexemes<'_>) -> Filtered {
    let ends = ends_before(automaton, labels);
    let mut out = Filtered { of_state: Vec::new(), contexts: Vec::new(), filters: vec![Vec::new()] };
    let mut filter_ids: FxHashMap<Vec<EndClass>, FilterId> = FxHashMap::from_iter([(Vec::new(), 0)]);
    let mut ids: FxHashMap<(ContextId, FilterId), ContextId> = FxHashMap::default();
    for (state, ends) in ends.into_iter().enumerate() {
        let Some(ends) = ends else {
            out.of_state.push(ContextId(0));
            continue;
        };
        let state = LrState::new(state);
        let filter = dead_ends(state, ends, labels, lexemes);
        let filter = *filter_ids.entry(filter).or_insert_with_key(|filter| {
            out.filters.push(filter.clone());
            out.filters.len() - 1
        });
        let key = (labels.context(state), filter);
        out.of_state.push(*ids.entry(key).or_insert_with(|| {
            out.contexts.push(key);
            ContextId::new(out.contexts.len() - 1)
        }));
    }
    out
}

/// Per state that is entered by a shift, or is the start: the end classes of the lexemes that lead to it.
fn ends_before(automaton: &Automaton, labels: &Labels<'_>) -> Vec<Option<Vec<EndClass>>> {
    let mut ends_of: FxHashMap<(TerminalId, usize), Vec<EndClass>> = FxHashMap::default();
    for ((terminal, end), label) in labels.situations.labelled() {
        ends_of.entry((terminal, label)).or_default().push(end);
    }
    let mut ends: Vec<Option<Vec<EndClass>>> = vec![None; automaton.transitions.rows()];
    ends[0] = Some(vec![EndClass(0)]);
    for &(symbol, to) in automaton.transitions.items() {
        let Symbol::Terminal(terminal) = symbol else { continue };
        let into = ends[to.index()].get_or_insert_default();
        for label in 0..labels.situations.labels(terminal) {
            if let Some(before) = ends_of.get(&(terminal, label)) {
                into.extend(before);
            }
        }
    }
    ends
}

/// The end classes with which an ignored lexeme leaves a dead boundary in `state`, sorted.
fn dead_ends(
    state: LrState,
    mut ends: Vec<EndClass>,
    labels: &Labels<'_>,
    lexemes: &Lexemes<'_>,
) -> Vec<EndClass> {
    let context = labels.context(state);
    let live = labels.states[state.index()].live;
    let is_live = |end: EndClass| {
        let situation = labels.situations.of((end, context));
        situation.is_some_and(|situation| live >> situation & 1 == 1)
    };
    ends.sort_unstable();
    ends.dedup();
    ends.retain(|&end| is_live(end));
    let (mut next, mut dead) = (0, Vec::new());
    while let Some(&end) = ends.get(next) {
        next += 1;
        for (terminal, after) in lexemes.directly((end, context)) {
            if terminal == IGNORED && !is_live(after) {
                dead.push(after);
            } else if terminal == IGNORED && !ends.contains(&after) {
                ends.push(after);
            }
        }
    }
    dead.sort_unstable();
    dead.dedup();
    dead
}
