//! Gives a lexer its counters: numbers its states so that those that count come last, and finds where strings go on behind them.

use super::counted::{CountedState, CountedTerminal};
use super::counters::Counters;
use super::symbols::Symbols;
use super::tables::{Lexer, Member};
use crate::ids::LexState;
use gcc_grammar_artifact::grammar::index_bits;
use gcc_grammar_artifact::json_string::Place;
use gcc_grammar_artifact::wire::U32;
use gcc_grammar_ir::TerminalId;
use rustc_hash::FxHashMap;

/// Numbers the states of a lexer anew, so that those that count come last, counter by counter. `None` if the terminals cannot be told by the state, or there are not
/// enough numbers for their counted states.
pub(crate) fn with_counters(lexer: Lexer, symbols: &Symbols, counted: &[CountedTerminal]) -> Option<Lexer> {
    if counted.is_empty() {
        return Some(lexer);
    }
    let found = (0..lexer.states()).map(|state| of_state(&lexer, counted, LexState::new(state)));
    let found: Vec<Option<(usize, u32, CountedState)>> = found.collect::<Option<_>>()?;
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|&state| found[state].map(|(counter, ..)| counter));
    let mut counters = Counters::default();
    let mut last = None;
    for (place, &state) in order.iter().enumerate() {
        let Some((counter, _, CountedState { place: within, may_begin, .. })) = found[state] else {
            continue;
        };
        if last.replace(counter) != Some(counter) {
            counters.entries.push([place as u32, counted[counter].most, 0].map(U32::new));
        }
        counters.places.push(within as u8);
        counters.may_begin.push(may_begin);
    }
    let mut counters = with_overflow(counters, &lexer, symbols, counted, &order, &found);
    let mut number = found.len() as u64;
    for counter in 0..counters.entries.len() {
        let end = counters.entries.get(counter + 1).map_or(found.len() as u32, |[first, ..]| first.get());
        let [first, most, first_number] = &mut counters.entries[counter];
        *first_number = U32::new(number as u32);
        number += (u64::from(most.get()) + 1) << index_bits(end - first.get());
        if number > u64::from(u32::MAX) {
            return None;
        }
    }
    Some(Lexer { counters, ..lexer.reordered(&order) })
}

/// Adds where strings go on behind the characters that are counted. `order` has the old number of each state.
fn with_overflow(
    mut counters: Counters,
    lexer: &Lexer,
    symbols: &Symbols,
    counted: &[CountedTerminal],
    order: &[usize],
    found: &[Option<(usize, u32, CountedState)>],
) -> Counters {
    if counted.iter().all(|counted| counted.more == 0) {
        return counters;
    }
    // Per terminal and state of its automaton: the state of the lexer, by its new number.
    let mut number: FxHashMap<(TerminalId, u32), u32> = FxHashMap::default();
    for (new, &old) in (0..).zip(order) {
        if let Some([only]) = lexer.members.as_ref().map(|members| members.row(old)) {
            number.insert((only.automaton, only.state), new);
        }
    }
    let near = counted.iter().map(|counted| -> FxHashMap<u32, u32> {
        let automaton = &symbols.terminals[counted.terminal.index()];
        let of = |(state, near)| Some((state, *number.get(&(counted.terminal, near))?));
        counted.overflow(automaton).into_iter().filter_map(of).collect()
    });
    let near: Vec<FxHashMap<u32, u32>> = near.collect();
    let states = || order.iter().filter_map(|&old| found[old]);
    let mut of_counters: Vec<usize> = states().map(|(counter, ..)| counter).collect();
    of_counters.dedup();
    counters.overflow = of_counters.into_iter().map(|counter| counted[counter].more).collect();
    let overflow = |(counter, state, _): (usize, u32, CountedState)| near[counter].get(&state).copied();
    counters.overflow.extend(states().map(|state| overflow(state).unwrap_or(0)));
    let long = |(counter, state, _): (usize, u32, CountedState)| counted[counter].long.get(state as usize);
    counters.long = states().map(|state| long(state).into_iter().flatten().copied()).collect();
    counters
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
        // Near states do not count.
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

    /// The state in which a string goes on in place of this one, where characters are no longer counted.
    pub(crate) fn overflow(&self, state: LexState) -> Option<LexState> {
        let Counters { entries, overflow, .. } = &self.counters;
        let place = state.0.checked_sub(self.first_counting().0)? as usize;
        overflow.get(entries.len() + place).map(|&near| LexState(near)).filter(|&near| near != LexState::DEAD)
    }

    /// The lexer in which characters begin only where they may, whatever the number of characters before them is: what it reads is read with every number.
    #[must_use]
    pub(crate) fn at_any_count(&self) -> Option<Self> {
        if self.counters.is_empty() {
            return None;
        }
        let first = self.first_counting().0;
        let mut transitions = self.transitions.clone();
        let Counters { entries, places, overflow, may_begin, .. } = &self.counters;
        let counter = |state: u32| entries.partition_point(|[first, ..]| first.get() <= state) - 1;
        for (state, (&place, may_begin)) in (first..).zip(places.iter().zip(may_begin)) {
            if Place::of_number(u32::from(place)) != Some(Place::Between) {
                continue;
            }
            // Where near states follow, as few characters may begin as there.
            let is_far = overflow.get(counter(state)).is_some_and(|&more| more > 0);
            let near =
                |to: LexState| if is_far { overflow[entries.len() + (to.0 - first) as usize] } else { 0 };
            if is_far || !may_begin {
                let row = &mut transitions[state as usize * self.classes..][..self.classes];
                row.iter_mut().filter(|to| to.0 >= first).for_each(|to| *to = LexState(near(*to)));
            }
        }
        Some(self.with_transitions(transitions))
    }
}
