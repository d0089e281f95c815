//! Keys of languages: what a language is, whatever compilation it belongs to.
//!
//! In: the interner of a compilation, and its automaton. Out: per language, when it is asked for, a digest of the automaton that reads it, as far as it reads
//! bytes. Equal keys mean equal languages of byte strings: a state is described by whether it accepts, by the target of
//! each byte, and by the keys of the languages that targets have. Classes of symbols and numbers of states and patterns,
//! which other terminals of the grammar may change, are no part of a description.
//!
//! Transitions on tokens that the grammar matches by id are left out, because no text token takes them.

use super::interner::{Interner, renumbered};
use crate::ids::LexState;
use crate::lexer::{Lexer, PatternId, Symbols};
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use std::ops::Range;
use std::sync::OnceLock;

/// The digest of a language.
pub(in crate::terminal) type LanguageKey = [u8; 32];

/// The input of a digest: a language without a cycle, or a language on a cycle.
const TREE: u8 = 0;
const CYCLE: u8 = 1;
/// A row of a state on a cycle.
const ROW: u8 = 2;

/// Languages that lead to each other.
struct Cycle {
    /// The states of the automaton.
    states: Range<usize>,
    /// From its first language, which is the last state, if that stands for all of them.
    description: Option<Box<[u32]>>,
}

/// The bytes of the longest description of a pattern that is digested as it is.
const LONGEST: usize = 30;

/// What a pattern is: the runs of bytes with the same target, with the first byte and the number of the target. None is the beginning of another one.
struct PatternKey(Vec<u8>);

impl PatternKey {
    fn new(description: Vec<u8>) -> Self {
        let is_short = description.len() <= LONGEST;
        let length = if is_short { description.len() as u8 } else { u8::MAX };
        let digest = if is_short { description } else { Sha256::digest(&description).to_vec() };
        Self([&[length], &*digest].concat())
    }

    fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The runs of bytes of the same class: the first byte and the class.
fn runs(byte_class: &[u16; 256]) -> Vec<(u8, u16)> {
    let mut runs: Vec<(u8, u16)> = Vec::new();
    for (byte, &class) in (0..=u8::MAX).zip(byte_class) {
        if runs.last().is_none_or(|&(_, before)| before != class) {
            runs.push((byte, class));
        }
    }
    runs
}

/// The keys of an automaton, each worked out when it is asked for first: most languages of a grammar are not read by a single output.
pub(super) struct Keys {
    /// The runs of bytes of the same class.
    runs: Vec<(u8, u16)>,
    /// Per pattern.
    patterns: Box<[OnceLock<PatternKey>]>,
    /// Ascending.
    cycles: Vec<Cycle>,
    /// Of the states on small cycles.
    descriptions: FxHashMap<LexState, Box<[u32]>>,
    /// Per state.
    known: Box<[OnceLock<LanguageKey>]>,
}

/// Estimated bytes of a key.
pub(super) const KEY_BYTES: usize = size_of::<OnceLock<LanguageKey>>();

impl Keys {
    /// No key is known yet. `interner` gives away the descriptions of its cycles.
    pub(super) fn new(interner: &mut Interner, symbols: &Symbols) -> Self {
        let states = interner.accepting.len();
        let on_cycle = |first: LexState, members: usize, description| {
            let last = renumbered(states, first).index();
            Cycle { states: last + 1 - members..last + 1, description }
        };
        let small =
            interner.small_cycles.iter().map(|&(first, members)| on_cycle(first, members as usize, None));
        let large =
            std::mem::take(&mut interner.large_cycles).into_iter().filter_map(|(description, members)| {
                Some(on_cycle(*members.first()?, members.len(), Some(description)))
            });
        let mut cycles: Vec<Cycle> = small.chain(large).collect();
        cycles.sort_unstable_by_key(|cycle| cycle.states.start);
        let descriptions = std::mem::take(&mut interner.cycles).into_iter();
        Self {
            runs: runs(&symbols.byte_class),
            patterns: unknown(interner.sizes.len()),
            cycles,
            descriptions: descriptions.map(|(text, state)| (renumbered(states, state), text)).collect(),
            known: unknown(states),
        }
    }

    /// The key of the language of a state.
    pub(super) fn of(&self, automaton: &Lexer, state: LexState) -> LanguageKey {
        let mut open = vec![state.index()];
        while let Some(&state) = open.last() {
            let before = open.len();
            if self.known[state].get().is_none() {
                let states = self.cycle(state).map_or(state..state + 1, |cycle| cycle.states.clone());
                let targets = states.clone().flat_map(|state| automaton.rows.targets(LexState::new(state)));
                let outside = targets.map(|to| to.index()).filter(|to| !states.contains(to));
                open.extend(outside.filter(|&to| self.known[to].get().is_none()));
                if open.len() == before {
                    self.make(automaton, state);
                }
            }
            if open.len() == before {
                open.pop();
            }
        }
        self.get(state.index())
    }

    /// A key that is known.
    fn get(&self, state: usize) -> LanguageKey {
        self.known[state].get().copied().unwrap_or_default()
    }

    /// Works out the key of a state, and of those that it is on a cycle with. Those that they lead to are known.
    fn make(&self, automaton: &Lexer, state: usize) {
        let keys = Known { keys: self, automaton };
        match self.cycle(state) {
            None => self.set(state, keys.tree_key(state)),
            Some(Cycle { states, description: Some(description) }) => {
                let digest = keys.cycle_digest(description);
                let members = states.len() as u32;
                for (number, state) in (0..).zip(states.clone().rev()) {
                    self.set(state, member_key(&digest, members, number));
                }
            }
            Some(cycle) => keys.make_small_cycle(cycle),
        }
    }

    fn set(&self, state: usize, key: LanguageKey) {
        // Another thread may have found the same.
        let _ = self.known[state].set(key);
    }

    fn cycle(&self, state: usize) -> Option<&Cycle> {
        let behind = self.cycles.partition_point(|cycle| cycle.states.start <= state);
        self.cycles[..behind].last().filter(|cycle| cycle.states.contains(&state))
    }
}

fn unknown<T>(count: usize) -> Box<[OnceLock<T>]> {
    (0..count).map(|_| OnceLock::new()).collect()
}

/// An automaton, and the keys that are known.
struct Known<'k> {
    keys: &'k Keys,
    automaton: &'k Lexer,
}

impl Known<'_> {
    fn targets(&self, state: usize) -> impl Iterator<Item = usize> {
        self.automaton.rows.targets(LexState::new(state)).iter().map(|to| to.index())
    }

    fn is_accepting(&self, state: usize) -> bool {
        !self.automaton.accepts.row(state).is_empty()
    }

    /// The pattern of a state, as a key.
    fn pattern_of(&self, state: usize) -> &[u8] {
        self.pattern(self.automaton.rows.pattern(LexState::new(state)))
    }

    /// What a pattern is: the number of the target of each byte.
    fn pattern(&self, pattern: PatternId) -> &[u8] {
        let make = || {
            let slots = self.automaton.rows.slots_of(pattern);
            let mut description = Vec::with_capacity(LONGEST);
            let mut before = None;
            for &(first, class) in &self.keys.runs {
                // Targets are numbered in the order of their first bytes, so a number has at most 9 bits.
                let slot = slots[usize::from(class)] as u16;
                if before.replace(slot) != Some(slot) {
                    description.push(first);
                    description.extend(slot.to_le_bytes());
                }
            }
            PatternKey::new(description)
        };
        self.keys.patterns[pattern.index()].get_or_init(make).bytes()
    }

    /// Adds the keys of the states on a small cycle: their places in the description of a state whose own row no other state of the cycle has.
    /// Where there is no such state, each has its own description.
    fn make_small_cycle(&self, cycle: &Cycle) {
        let description = |state: usize| {
            self.keys.descriptions.get(&LexState::new(state)).map(|text| &**text).unwrap_or_default()
        };
        let states = cycle.states.clone();
        let Some(start) = self.start_of(&states) else {
            for state in states {
                self.keys.set(state, member_key(&self.cycle_digest(description(state)), 1, 0));
            }
            return;
        };
        let digest = self.cycle_digest(description(start));
        let (members, places) = (states.len() as u32, self.places_from(start, &states));
        for (state, number) in states.zip(places) {
            self.keys.set(state, member_key(&digest, members, number));
        }
    }

    /// The state with the least row among those whose rows no other state on the cycle has.
    fn start_of(&self, cycle: &Range<usize>) -> Option<usize> {
        let mut rows: Vec<(LanguageKey, usize)> =
            cycle.clone().map(|state| (self.row_digest(state, cycle), state)).collect();
        rows.sort_unstable();
        let mut groups = rows.chunk_by(|a, b| a.0 == b.0);
        groups.find(|group| group.len() == 1).map(|group| group[0].1)
    }

    /// The digest of the row of a state on a cycle: the states of the cycle are all alike in it.
    fn row_digest(&self, state: usize, cycle: &Range<usize>) -> LanguageKey {
        let mut digest = Sha256::new();
        digest.update([ROW, u8::from(self.is_accepting(state))]);
        digest.update(self.pattern_of(state));
        for to in self.targets(state) {
            match cycle.contains(&to) {
                true => digest.update([0]),
                false => digest.update([&[1][..], &self.keys.get(to)].concat()),
            }
        }
        digest.finalize().into()
    }

    /// Per state of the cycle: when a breadth-first search from `start` comes to it.
    fn places_from(&self, start: usize, cycle: &Range<usize>) -> Vec<u32> {
        let mut places = vec![u32::MAX; cycle.len()];
        let mut order = vec![start];
        places[start - cycle.start] = 0;
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for to in self.targets(state).filter(|to| cycle.contains(to)) {
                let place = &mut places[to - cycle.start];
                if *place == u32::MAX {
                    *place = order.len() as u32;
                    order.push(to);
                }
            }
        }
        places
    }

    fn tree_key(&self, state: usize) -> LanguageKey {
        let mut digest = Sha256::new();
        digest.update([TREE, u8::from(self.is_accepting(state))]);
        digest.update(self.pattern_of(state));
        for to in self.targets(state) {
            digest.update(self.keys.get(to));
        }
        digest.finalize().into()
    }

    /// The digest of a description that [`describe`](super::describe) made, with keys in place of numbers.
    fn cycle_digest(&self, description: &[u32]) -> Sha256 {
        let mut digest = Sha256::new();
        digest.update([CYCLE]);
        let (&states, mut rest) = description.split_first().unwrap_or((&0, &[]));
        digest.update(states.to_le_bytes());
        for _ in 0..states {
            let [accepts, pattern, after @ ..] = rest else { break };
            let pattern = PatternId(*pattern);
            digest.update(accepts.to_le_bytes());
            digest.update(self.pattern(pattern));
            let (targets, after) = after.split_at(self.automaton.rows.sizes()[pattern.index()] as usize);
            for &target in targets {
                digest.update([(target & 1) as u8]);
                match target & 1 {
                    0 => digest.update((target >> 1).to_le_bytes()),
                    _ => {
                        let to = renumbered(self.automaton.states(), LexState(target >> 1));
                        digest.update(self.keys.get(to.index()));
                    }
                }
            }
            rest = after;
        }
        digest
    }
}

/// The key of a state on a cycle with this digest. If one description stands for several `states`, the number of the state follows.
fn member_key(digest: &Sha256, states: u32, number: u32) -> LanguageKey {
    let mut digest = digest.clone();
    if states > 1 {
        digest.update(number.to_le_bytes());
    }
    digest.finalize().into()
}
