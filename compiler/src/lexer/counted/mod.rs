//! The terminals whose characters are counted, under the conditions that [`counters`](super::counters) lists.
//!
//! In: the automaton of a terminal, whose strings have any length, and its bound. Out: [`CountedTerminal`], with the place of each state within a string, and the near states behind
//! what is counted, where states need further characters. [`mod@string`] looks at the automaton alone.

mod string;

use super::automaton::TerminalAutomaton;
use super::context::Contexts;
use crate::error::CompileError;
use crate::ids::SymbolClass;
use gcc_grammar_artifact::bases::{MANY, MOST_CHARACTERS};
use gcc_grammar_artifact::json_string::Place;
use gcc_grammar_ir::{Grammar, Pattern, TerminalId};
use gcc_grammar_regular::Dfa;
use gcc_grammar_vocabulary::Vocabulary;
use std::cmp::Reverse;
use string::{Edges, places};

/// A terminal whose characters are counted.
#[derive(Clone, Debug)]
pub(crate) struct CountedTerminal {
    pub(crate) terminal: TerminalId,
    /// The most characters that are counted.
    pub(super) most: u32,
    /// The characters behind those that are counted, which are read by near states.
    pub(super) more: u32,
    /// Per state of the automaton: where it is within a string; `None` outside.
    pub(super) states: Vec<Option<CountedState>>,
    /// Per state: its [long tokens](Self::long_tokens); empty if there are no near states.
    pub(super) long: Vec<Vec<u32>>,
}

/// A state of the automaton of a terminal whose characters are counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct CountedState {
    pub(super) place: Place,
    /// Whether a character may begin here, whatever the number of characters before it is.
    pub(super) may_begin: bool,
    /// The fewest characters that must still begin.
    needed: u32,
}

/// Checks that no terminal counts characters: the bitmaps for this are those of the vocabulary.
pub(crate) fn check_uncounted(grammar: &Grammar) -> Result<(), CompileError> {
    let is_counted = |t: &usize| matches!(grammar.terminals[*t].pattern, Pattern::Counted(..));
    let counted: Vec<TerminalId> =
        (0..grammar.terminals.len()).filter(is_counted).map(TerminalId::new).collect();
    if counted.is_empty() { Ok(()) } else { Err(CompileError::NotCounted(counted)) }
}

/// Those among the `counted` terminals with which a lexeme can be taken for another one: the automaton of another terminal of some context begins with a quote,
/// too.
pub(crate) fn ambiguous(
    contexts: &Contexts,
    dfas: &[Option<Dfa>],
    counted: &[(TerminalId, u32)],
) -> Vec<TerminalId> {
    let is_quoted = |t: &&TerminalId| {
        dfas.get(t.index()).and_then(Option::as_ref).is_some_and(|dfa| dfa.next(0, b'"').is_some())
    };
    let mut ambiguous = Vec::new();
    for terminals in &contexts.terminals {
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
