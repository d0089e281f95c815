//! Keys of languages: what a language is, whatever compilation it belongs to.
//!
//! In: the interner of a compilation. Out: per language a digest of the automaton that reads it, as far as it reads
//! bytes. Equal keys mean equal languages of byte strings: a state is described by whether it accepts, by the target of
//! each byte, and by the keys of the languages that targets have. Classes of symbols and numbers of states and patterns,
//! which other terminals of the grammar may change, are no part of a description.
//!
//! Transitions on tokens that the grammar matches by id are left out, because no text token takes them.

use super::{Interner, LanguageKey};
use crate::ids::LexState;
use crate::lexer::Symbols;
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use std::ops::Range;

/// The input of a digest: a language without a cycle, or a language on a cycle.
const TREE: u8 = 0;
const CYCLE: u8 = 1;
/// A row of a state on a cycle.
const ROW: u8 = 2;

/// The states of a small cycle.
struct Cycle {
    first: usize,
    states: usize,
}

impl Cycle {
    fn range(&self) -> Range<usize> {
        self.first..self.first + self.states
    }
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

impl Interner {
    /// Per language, in the order in which they were interned: its key.
    pub(super) fn keys(&self, symbols: &Symbols) -> Vec<LanguageKey> {
        let runs = runs(&symbols.byte_class);
        let patterns: Vec<PatternKey> =
            (0..self.sizes.len()).map(|pattern| self.pattern_key(pattern, &runs)).collect();
        let (small, large) = (self.descriptions(), self.large_cycles_by_first_state());
        let mut sizes = self.small_cycles.iter().map(|&(first, states)| (first.index(), states)).peekable();
        let mut keys = Vec::with_capacity(self.accepting.len());
        while keys.len() < self.accepting.len() {
            // All languages outside of its cycle that a language leads to were interned before.
            if let Some((first, states)) = sizes.next_if(|&(first, _)| first == keys.len()) {
                let cycle = Cycle { first, states: states as usize };
                self.add_small_cycle(&cycle, &small, &patterns, &mut keys);
            } else if let Some(&(description, states)) = large.get(&keys.len()) {
                let digest = self.cycle_digest(description, &patterns, &keys);
                keys.extend((0..states).map(|number| member_key(&digest, states, number)));
            } else {
                keys.push(self.tree_key(keys.len(), &patterns, &keys));
            }
        }
        keys
    }

    /// The descriptions of the states on small cycles.
    fn descriptions(&self) -> FxHashMap<LexState, &[u32]> {
        self.cycles.iter().map(|(description, &state)| (state, &**description)).collect()
    }

    /// Per large cycle, by the number of its first state: the description, and the number of states that it
    /// stands for, which follow each other.
    fn large_cycles_by_first_state(&self) -> FxHashMap<usize, (&[u32], u32)> {
        let large = self.large_cycles.iter().filter_map(|(description, states)| {
            Some((states.first()?.index(), (&**description, states.len() as u32)))
        });
        large.collect()
    }

    /// Adds the keys of the states on a small cycle: their places in the description of a state whose own row no other state of the cycle has.
    /// Where there is no such state, each has its own description.
    fn add_small_cycle(
        &self,
        cycle: &Cycle,
        descriptions: &FxHashMap<LexState, &[u32]>,
        patterns: &[PatternKey],
        keys: &mut Vec<LanguageKey>,
    ) {
        let description = |state: usize| descriptions.get(&LexState::new(state)).copied().unwrap_or_default();
        let Some(start) = self.start_of(cycle, patterns, keys) else {
            let digests: Vec<LanguageKey> = cycle
                .range()
                .map(|state| member_key(&self.cycle_digest(description(state), patterns, keys), 1, 0))
                .collect();
            return keys.extend(digests);
        };
        let digest = self.cycle_digest(description(start), patterns, keys);
        let place = self.places_from(start, cycle);
        keys.extend(place.into_iter().map(|number| member_key(&digest, cycle.states as u32, number)));
    }

    /// The state with the least row among those whose rows no other state on the cycle has.
    fn start_of(&self, cycle: &Cycle, patterns: &[PatternKey], keys: &[LanguageKey]) -> Option<usize> {
        let mut rows: Vec<(LanguageKey, usize)> =
            cycle.range().map(|state| (self.row_digest(state, cycle, patterns, keys), state)).collect();
        rows.sort_unstable();
        let mut groups = rows.chunk_by(|a, b| a.0 == b.0);
        groups.find(|group| group.len() == 1).map(|group| group[0].1)
    }

    /// The digest of the row of a state on a cycle: the states of the cycle are all alike in it.
    fn row_digest(
        &self,
        state: usize,
        cycle: &Cycle,
        patterns: &[PatternKey],
        keys: &[LanguageKey],
    ) -> LanguageKey {
        let mut digest = Sha256::new();
        digest.update([ROW, u8::from(self.accepting[state])]);
        digest.update(patterns[self.pattern[state].index()].bytes());
        for to in &self.targets[state] {
            match cycle.range().contains(&to.index()) {
                true => digest.update([0]),
                false => digest.update([&[1][..], &keys[to.index()]].concat()),
            }
        }
        digest.finalize().into()
    }

    /// Per state of the cycle: when a breadth-first search from `start` comes to it.
    fn places_from(&self, start: usize, cycle: &Cycle) -> Vec<u32> {
        let mut places = vec![u32::MAX; cycle.states];
        let mut order = vec![start];
        places[start - cycle.first] = 0;
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for to in self.targets[state].iter().map(|to| to.index()).filter(|to| cycle.range().contains(to))
            {
                let place = &mut places[to - cycle.first];
                if *place == u32::MAX {
                    *place = order.len() as u32;
                    order.push(to);
                }
            }
        }
        places
    }

    /// What a pattern is: the number of the target of each byte.
    fn pattern_key(&self, pattern: usize, runs: &[(u8, u16)]) -> PatternKey {
        let slots = &self.slots[pattern * self.classes..][..self.classes];
        let mut description = Vec::with_capacity(LONGEST);
        let mut before = None;
        for &(first, class) in runs {
            // Targets are numbered in the order of their first bytes, so a number has at most 9 bits.
            let slot = slots[usize::from(class)] as u16;
            if before.replace(slot) != Some(slot) {
                description.push(first);
                description.extend(slot.to_le_bytes());
            }
        }
        PatternKey::new(description)
    }

    fn tree_key(&self, state: usize, patterns: &[PatternKey], keys: &[LanguageKey]) -> LanguageKey {
        let mut digest = Sha256::new();
        digest.update([TREE, u8::from(self.accepting[state])]);
        digest.update(patterns[self.pattern[state].index()].bytes());
        for to in &self.targets[state] {
            digest.update(keys[to.index()]);
        }
        digest.finalize().into()
    }

    /// The digest of a description that [`describe`](super::describe) made, with keys in place of numbers.
    fn cycle_digest(&self, description: &[u32], patterns: &[PatternKey], keys: &[LanguageKey]) -> Sha256 {
        let mut digest = Sha256::new();
        digest.update([CYCLE]);
        let (&states, mut rest) = description.split_first().unwrap_or((&0, &[]));
        digest.update(states.to_le_bytes());
        for _ in 0..states {
            let [accepts, pattern, after @ ..] = rest else { break };
            digest.update(accepts.to_le_bytes());
            digest.update(patterns[*pattern as usize].bytes());
            let (targets, after) = after.split_at(self.sizes[*pattern as usize] as usize);
            for &target in targets {
                digest.update([(target & 1) as u8]);
                match target & 1 {
                    0 => digest.update((target >> 1).to_le_bytes()),
                    _ => digest.update(keys[(target >> 1) as usize]),
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
