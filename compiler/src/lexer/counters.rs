//! Counters: strings of bounded length whose characters are counted, where a lexer state for each number would be too many.
//!
//! In: the terminals that are [`Counted`](gcc_grammar_ir::Pattern::Counted). The lexer is built from their strings of any length. Out: [`Counters`], which say
//! what states of the lexer count, how far, and at which place within a character they are. A head then has a *counted* state, the state of the lexer
//! and the number of characters that began ([`gcc_grammar_artifact::grammar::Counters`]). Definition and proof are in section 2.10 of `docs/theory.md`.
//!
//! The masks of a counted state are those of the lexer state, without the tokens that begin more characters than are left. This is so under four
//! conditions, which are checked here; a terminal that does not meet them is not counted ([`NotCounted`](crate::CompileError::NotCounted)):
//! 1. A lexeme that begins like the terminal is no other terminal ([`alone`]).
//! 2. The place within a JSON string follows from the state of the terminal's automaton, and no state needs more characters than are left ([`CountedTerminal::new`]).
//!    Where states need some, the last characters are not counted but read by *near* states, one for each state and number of characters that are left.
//! 3. No token has more characters behind a quote than the terminal allows, so that only a lexeme under way can become too long.
//! 4. The characters of all tokens follow from their bytes and the place, as the vocabulary says.

use super::automaton::TerminalAutomaton;
use super::context::distinct;
use super::symbols::Symbols;
use super::tables::Lexer;
use crate::csr::Csr;
use crate::ids::{LexState, SymbolClass};
use crate::lr::LrTables;
use gcc_grammar_artifact::bases::{MANY, MOST_CHARACTERS};
use gcc_grammar_artifact::grammar::index_bits;
use gcc_grammar_artifact::json_string::{After, Place};
use gcc_grammar_artifact::wire::U32;
use gcc_grammar_ir::{Grammar, TerminalId, components};
use gcc_grammar_regular::Dfa;
use gcc_grammar_vocabulary::Vocabulary;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// A terminal whose characters are counted.
#[derive(Clone, Debug)]
pub(crate) struct CountedTerminal {
    pub(crate) terminal: TerminalId,
    /// The most characters that are counted.
    most: u32,
    /// The characters behind those that are counted, which are read by near states.
    more: u32,
    /// Per state of the automaton: where it is within a string; `None` outside.
    states: Vec<Option<CountedState>>,
    /// Per state: its [long tokens](Self::long_tokens); empty if there are no near states.
    long: Vec<Vec<u32>>,
}

/// A state of the automaton of a terminal whose characters are counted.
#[derive(Clone, Copy, Debug)]
struct CountedState {
    place: Place,
    /// Whether a character may begin here, whatever the number of characters before it is.
    may_begin: bool,
    /// The fewest characters that must still begin.
    needed: u32,
}

/// The counters of a lexer; by default, none.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    /// Per counter: its first state, the most characters, and the first number of its counted states.
    pub(crate) entries: Vec<[U32; 3]>,
    /// Per state from the first counting one on: its place.
    pub(crate) places: Vec<u8>,
    /// Per counter: the characters behind those that are counted. Then per state that counts: the state in which these begin, or 0. Empty if there are none.
    pub(crate) overflow: Vec<u32>,
    /// Per state that counts: its own long tokens, if it has some. Empty if there are no near states.
    pub(crate) long: Csr<u32>,
    /// Per state from the first counting one on: whether a character may begin there, whatever the number of characters before it is.
    may_begin: Vec<bool>,
}

/// Those among the `counted` terminals with which a lexeme can be taken for another one: the automaton of another terminal of some context begins with a quote,
/// too.
pub(crate) fn ambiguous(
    grammar: &Grammar,
    lr: &LrTables,
    dfas: &[Option<Dfa>],
    counted: &[(TerminalId, u32)],
) -> Vec<TerminalId> {
    let is_quoted = |t: &&TerminalId| {
        dfas.get(t.index()).and_then(Option::as_ref).is_some_and(|dfa| dfa.next(0, b'"').is_some())
    };
    let mut ambiguous = Vec::new();
    for terminals in distinct(grammar, lr).0.terminals {
        let mut quoted = terminals.iter().filter(is_quoted);
        if quoted.clone().nth(1).is_some() {
            ambiguous.extend(quoted.by_ref().filter(|t| counted.iter().any(|(other, _)| other == *t)));
        }
    }
    ambiguous.sort_unstable();
    ambiguous.dedup();
    ambiguous
}

/// Whether the characters of the tokens of a vocabulary can be counted in strings of at most so many.
pub(crate) fn are_countable(vocabulary: &Vocabulary, most: u32) -> bool {
    vocabulary.bases().view().long_tokens().most_behind_quote().is_some_and(|least| most >= least)
}

impl CountedTerminal {
    /// The terminal with this automaton, of strings with quotes and any number of characters; `None` if the number does not decide alone how a string may go
    /// on.
    pub(crate) fn new(terminal: TerminalId, dfa: &Dfa, most: u32, vocabulary: &Vocabulary) -> Option<Self> {
        let places = places(dfa)?;
        let edges = Edges::new(dfa, &places);
        let (longest, needed) = (edges.longest(), edges.needed());
        let state = |state: usize| {
            let Some(place) = places[state] else { return Some(None) };
            let may_begin = longest[state].is_some_and(|longest| longest < most);
            Some(Some(CountedState { place, may_begin, needed: needed[state]? }))
        };
        let states = (0..places.len()).map(state).collect::<Option<Vec<_>>>()?;
        let is_in_time = |(state, counted): (usize, &Option<CountedState>)| {
            let needed = counted.map_or(0, |counted| counted.needed);
            let all = longest[state].map(|longest| longest.saturating_add(needed));
            needed == 0 || all.is_some_and(|all| all <= most)
        };
        let counted = Self { terminal, most, more: 0, states, long: Vec::new() };
        if counted.states.iter().enumerate().all(is_in_time) {
            return Some(counted);
        }
        // A token that is none of the long ones leaves as many characters as a state may need.
        let more = MANY - 1 + counted.needed().max()?;
        let far = Self { most: most.checked_sub(more)?, more, ..counted };
        Some(Self { long: far.long_tokens(dfa, vocabulary)?, ..far })
    }

    /// The most characters that are counted.
    pub(crate) const fn most(&self) -> u32 {
        self.most
    }

    /// The characters behind those that are counted.
    pub(super) const fn more(&self) -> u32 {
        self.more
    }

    /// The fewest characters that must still begin, in each state within the string.
    fn needed(&self) -> impl Iterator<Item = u32> {
        self.states.iter().flatten().map(|state| state.needed)
    }

    /// Per state: the long tokens that are read there and too long for some number of characters although fewer are left, if there is one that must be
    /// followed by further characters: each with the characters that it begins and needs, above 24 bits, the greatest first. `None` if these are too many
    /// to be told.
    fn long_tokens(&self, dfa: &Dfa, vocabulary: &Vocabulary) -> Option<Vec<Vec<u32>>> {
        let long = vocabulary.bases().view().long_tokens();
        (0..)
            .zip(&self.states)
            .map(|(from, state)| {
                let Some(state) = state else { return Some(Vec::new()) };
                let (mut found, mut is_own) = (Vec::new(), false);
                for token in long.list(state.place == Place::Escape) {
                    let token = token.get() & 0xff_ffff;
                    let bytes = vocabulary.bytes(token).unwrap_or_default();
                    let end = bytes.iter().try_fold(from, |state, &byte| dfa.next(state, byte));
                    let Some((end, begun)) = end.zip(state.place.characters(bytes)) else { continue };
                    let needed = self.states[end as usize].map_or(0, |end| end.needed);
                    if begun + needed > self.more {
                        is_own |= needed > 0;
                        let all = begun + needed + state.place.shift();
                        (all <= MOST_CHARACTERS).then_some(())?;
                        found.push(all << 24 | token);
                    }
                }
                found.sort_unstable_by_key(|token| (Reverse(token >> 24), *token));
                Some(if is_own { found } else { Vec::new() })
            })
            .collect()
    }

    /// The automaton with near states behind those that count.
    pub(super) fn with_near(&self, automaton: &TerminalAutomaton) -> TerminalAutomaton {
        let far = 0..automaton.states() as u32;
        let own = far.clone().map(|state| automaton.transitions(state).to_vec());
        let near = (0..self.more).flat_map(|left| far.clone().map(move |state| (state, left)));
        let rows = own.chain(near.map(|(state, left)| self.near_row(automaton, state, left)));
        let accepts = |state: u32| state < far.end && automaton.is_accepting(state);
        TerminalAutomaton::of_states((0..).zip(rows).map(|(state, row)| (accepts(state), row)).collect())
    }

    /// The transitions of the near state of `state` in which `left` characters may still begin.
    fn near_row(&self, automaton: &TerminalAutomaton, state: u32, left: u32) -> Vec<(SymbolClass, u32)> {
        let Some(from) = self.states[state as usize] else { return Vec::new() };
        let target = |&(class, to): &(SymbolClass, u32)| {
            let Some(within) = self.states[to as usize] else { return Some((class, to)) };
            let left = left.checked_sub(u32::from(from.place == Place::Between))?;
            (within.needed <= left).then(|| (class, self.near(to, left)))
        };
        automaton.transitions(state).iter().filter_map(target).collect()
    }

    /// The number of the near state of `state` in which `left` characters may still begin.
    fn near(&self, state: u32, left: u32) -> u32 {
        state + self.states.len() as u32 * (left + 1)
    }

    /// The states that a character leads to, each with the near state after the first character that is not counted.
    pub(super) fn overflow(&self, automaton: &TerminalAutomaton) -> Vec<(u32, u32)> {
        let Some(left) = self.more.checked_sub(1) else { return Vec::new() };
        let begins = |state: &usize| self.states[*state].is_some_and(|state| state.place == Place::Between);
        let after =
            (0..self.states.len()).filter(begins).flat_map(|state| automaton.transitions(state as u32));
        let mut after: Vec<u32> = after
            .map(|&(_, to)| to)
            .filter(|&to| self.states.get(to as usize).is_some_and(Option::is_some))
            .collect();
        after.sort_unstable();
        after.dedup();
        after.into_iter().map(|state| (state, self.near(state, left))).collect()
    }
}

/// Per state: its place within a string, `None` outside. `None` if some text is no JSON string, or if a place does not follow from the state.
fn places(dfa: &Dfa) -> Option<Vec<Option<Place>>> {
    let mut places = vec![None; dfa.state_count()];
    let mut is_outside = vec![false; dfa.state_count()];
    is_outside[0] = true;
    let mut open = Vec::new();
    for (low, high, to) in dfa.edges(0) {
        if (low, high) != (b'"', b'"') {
            return None;
        }
        places[to as usize] = Some(Place::Between);
        open.push(to);
    }
    while let Some(state) = open.pop() {
        let place = places[state as usize]?;
        for (low, high, to) in dfa.edges(state) {
            let to = to as usize;
            for byte in low..=high {
                match place.after(byte) {
                    After::Nothing => return None,
                    After::Closed => is_outside[to] = true,
                    After::Within(next) => match places[to] {
                        None => {
                            places[to] = Some(next);
                            open.push(to as u32);
                        }
                        known if known == Some(next) => {}
                        _ => return None,
                    },
                }
            }
        }
    }
    // Behind the string there are no further characters to count.
    let leads_in = |state: usize| {
        state > 0
            && is_outside[state]
            && dfa.edges(state as u32).any(|(_, _, to)| places[to as usize].is_some())
    };
    let is_sound =
        (0..places.len()).all(|state| !(is_outside[state] && places[state].is_some()) && !leads_in(state));
    is_sound.then_some(places)
}

/// The transitions within the string of a terminal.
struct Edges {
    /// Per state: the states that follow, each with the characters that begin.
    after: Vec<Vec<(usize, u32)>>,
    /// Per state: whether the string may be over after the next byte.
    closes: Vec<bool>,
    is_within: Vec<bool>,
}

impl Edges {
    fn new(dfa: &Dfa, places: &[Option<Place>]) -> Self {
        let is_within = |state: usize| places[state].is_some();
        let begins = |state: usize| u32::from(places[state] == Some(Place::Between));
        let row = |state: usize| dfa.edges(state as u32).map(|(_, _, to)| to as usize);
        let after = |state: usize| match is_within(state) {
            true => row(state).filter(|&to| is_within(to)).map(|to| (to, begins(state))).collect(),
            false => Vec::new(),
        };
        let states = 0..places.len();
        Self {
            after: states.clone().map(after).collect(),
            closes: states
                .clone()
                .map(|state| is_within(state) && row(state).any(|to| !is_within(to)))
                .collect(),
            is_within: states.map(is_within).collect(),
        }
    }

    /// Per state: the most characters that can have begun before it; `None` if these are any number.
    fn longest(&self) -> Vec<Option<u32>> {
        let states = self.after.len();
        let targets: Vec<Vec<u32>> =
            self.after.iter().map(|row| row.iter().map(|&(to, _)| to as u32).collect()).collect();
        let mut longest = vec![Some(0); states];
        // A component comes behind those to which it leads.
        for component in components(states, 0..states as u32, |state| &targets[state as usize]).iter().rev() {
            let repeats = |&state: &u32| component.len() > 1 || targets[state as usize].contains(&state);
            if component.iter().any(repeats) {
                component.iter().for_each(|&state| longest[state as usize] = None);
            }
            for state in component.iter().map(|&state| state as usize) {
                for &(to, begun) in &self.after[state] {
                    let here = longest[state].map(|before: u32| before.saturating_add(begun));
                    longest[to] = longest[to].zip(here).map(|(known, here)| known.max(here));
                }
            }
        }
        longest
    }

    /// Per state: the fewest characters that must still begin before the string can be over; `None` if it cannot.
    fn needed(&self) -> Vec<Option<u32>> {
        let mut needed: Vec<Option<u32>> = self.closes.iter().map(|&closes| closes.then_some(0)).collect();
        // Numbers become smaller, and a path needs no state twice.
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for state in (0..needed.len()).rev().filter(|&state| self.is_within[state]) {
                let through =
                    self.after[state].iter().filter_map(|&(to, begun)| Some(needed[to]? + begun)).min();
                if through.is_some_and(|through| needed[state].is_none_or(|known| through < known)) {
                    needed[state] = through;
                    has_changed = true;
                }
            }
        }
        needed
    }
}

impl Counters {
    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

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
    let of_member = |member: &super::tables::Member| {
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
