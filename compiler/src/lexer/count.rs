//! Gives a lexer its counters: numbers its states so that counting states come last.

use super::counted::{CountedState, CountedTerminal};
use super::counters::Counters;
use super::tables::{Lexer, Member};
use crate::ids::LexState;
use gcc_grammar_artifact::json_string::Place;
use gcc_grammar_artifact::wire::U32;

/// Numbers the states of a lexer anew, so that counting states come last, counter by counter. `None` if the terminals cannot be told by the state, or there are not
/// enough numbers for their counted states.
pub(crate) fn with_counters(lexer: Lexer, counted: &[CountedTerminal]) -> Option<Lexer> {
    if counted.is_empty() {
        return Some(lexer);
    }
    let found = (0..lexer.states()).map(|state| of_state(&lexer, counted, LexState::new(state)));
    let found: Vec<Option<(usize, u32, CountedState)>> = found.collect::<Option<_>>()?;
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|&state| found[state].map(|(counter, ..)| counter));
    let entered = counted.iter().map(|counted| counted.entered).min().unwrap_or(0);
    let mut counters = Counters { entered, ..Counters::default() };
    let mut last = None;
    for (place, &state) in order.iter().enumerate() {
        let Some((counter, own, state)) = found[state] else { continue };
        if last.replace(counter) != Some(counter) {
            counters.entries.push([place as u32, counted[counter].most, 0].map(U32::new));
        }
        counters.places.push(state.place as u8);
        counters.needed.push(state.needed);
        counters.left.push(state.left);
        counters.tokens.push(counted[counter].made_list(own).to_vec());
    }
    counters.numbered(found.len() as u32).then(|| Lexer { counters, ..lexer.reordered(&order) })
}

/// The counter of a lexer state, and its state of the automaton. The outer `None`: there is none, although some terminal is counted.
#[expect(clippy::option_option, reason = "neither is the absence of the other")]
fn of_state(
    lexer: &Lexer,
    counted: &[CountedTerminal],
    state: LexState,
) -> Option<Option<(usize, u32, CountedState)>> {
    let members = lexer.members.as_ref()?.row(state.index());
    let of_member = |member: &Member| {
        let counter = counted.iter().position(|counted| counted.terminal == member.automaton)?;
        let state = counted[counter].states.get(member.state as usize).copied()??;
        Some((counter, member.state, state))
    };
    match members {
        [only] => Some(of_member(only)),
        several => several.iter().all(|member| of_member(member).is_none()).then_some(None),
    }
}

impl Lexer {
    /// The first state that counts; all behind it do, too. One past the last state if there is none.
    pub(crate) fn first_counting(&self) -> LexState {
        self.counters
            .entries
            .first()
            .map_or(LexState::new(self.states()), |[first, ..]| LexState(first.get()))
    }

    /// The lexer in which characters begin only where they may, whatever the number of characters before them is: what it reads is read with every number.
    #[must_use]
    pub(crate) fn at_any_count(&self) -> Option<Self> {
        if self.counters.is_empty() {
            return None;
        }
        let first = self.first_counting().0;
        let mut transitions = self.transitions.clone();
        let Counters { places, needed, left, .. } = &self.counters;
        for (state, (&place, &left)) in (first..).zip(places.iter().zip(left)) {
            let begun = u32::from(Place::of_number(u32::from(place)) == Some(Place::Between));
            let fits = |to: LexState| begun + u32::from(needed[(to.0 - first) as usize]) <= left;
            let row = &mut transitions[state as usize * self.classes..][..self.classes];
            row.iter_mut().filter(|to| to.0 >= first && !fits(**to)).for_each(|to| *to = LexState::DEAD);
        }
        Some(self.with_transitions(transitions))
    }
}
