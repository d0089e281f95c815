//! Keys of languages: what a language is, whatever compilation it belongs to.
//!
//! In: the interner of a compilation. Out: per language a digest of the automaton that reads it, as far as it reads
//! bytes. Equal keys mean equal languages of byte strings: a state is described by whether it accepts, by the target of
//! each byte, and by the keys of the languages that targets have. Classes of symbols and numbers of states and patterns,
//! which other terminals of the grammar may change, are no part of a description.
//!
//! Transitions on tokens that the grammar matches by id are left out, because no text token takes them.

use super::{Interner, LanguageKey};
use crate::lexer::Symbols;
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

/// The input of a digest: a language without a cycle, or a language on a cycle.
const TREE: u8 = 0;
const CYCLE: u8 = 1;

impl Interner {
    /// Per language, in the order in which they were interned: its key.
    pub(super) fn keys(&self, symbols: &Symbols) -> Vec<LanguageKey> {
        let patterns: Vec<LanguageKey> =
            (0..self.sizes.len()).map(|pattern| self.pattern_key(pattern, symbols)).collect();
        let cycles = self.cycles_by_first_state();
        let mut keys = Vec::with_capacity(self.accepting.len());
        while keys.len() < self.accepting.len() {
            // All languages outside of its cycle that a language leads to were interned before.
            match cycles.get(&keys.len()) {
                Some(&(description, states)) => {
                    let digest = self.cycle_digest(description, &patterns, &keys);
                    keys.extend((0..states).map(|number| member_key(&digest, states, number)));
                }
                None => keys.push(self.tree_key(keys.len(), &patterns, &keys)),
            }
        }
        keys
    }

    /// Per cycle description, by the number of its first state: the description, and the number of states that it
    /// stands for, which follow each other.
    fn cycles_by_first_state(&self) -> FxHashMap<usize, (&[u32], u32)> {
        let small = self.cycles.iter().map(|(description, state)| (state.index(), (&**description, 1)));
        let large = self.large_cycles.iter().filter_map(|(description, states)| {
            Some((states.first()?.index(), (&**description, states.len() as u32)))
        });
        small.chain(large).collect()
    }

    /// The digest of a pattern: the number of the target of each byte.
    fn pattern_key(&self, pattern: usize, symbols: &Symbols) -> LanguageKey {
        let slots = &self.slots[pattern * self.classes..][..self.classes];
        // Targets are numbered in the order of their first bytes, so a number has at most 9 bits.
        let numbers: Vec<u8> = symbols
            .byte_class
            .iter()
            .flat_map(|&class| (slots[usize::from(class)] as u16).to_le_bytes())
            .collect();
        Sha256::digest(&numbers).into()
    }

    fn tree_key(&self, state: usize, patterns: &[LanguageKey], keys: &[LanguageKey]) -> LanguageKey {
        let mut digest = Sha256::new();
        digest.update([TREE, u8::from(self.accepting[state])]);
        digest.update(patterns[self.pattern[state].index()]);
        for to in &self.targets[state] {
            digest.update(keys[to.index()]);
        }
        digest.finalize().into()
    }

    /// The digest of a description that [`describe`](super::describe) made, with keys in place of numbers.
    fn cycle_digest(&self, description: &[u32], patterns: &[LanguageKey], keys: &[LanguageKey]) -> Sha256 {
        let mut digest = Sha256::new();
        digest.update([CYCLE]);
        let (&states, mut rest) = description.split_first().unwrap_or((&0, &[]));
        digest.update(states.to_le_bytes());
        for _ in 0..states {
            let [accepts, pattern, after @ ..] = rest else { break };
            digest.update(accepts.to_le_bytes());
            digest.update(patterns[*pattern as usize]);
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

/// The key of a state on a cycle with this digest. On a large cycle, one description stands for all `states`, and the
/// number of the state follows.
fn member_key(digest: &Sha256, states: u32, number: u32) -> LanguageKey {
    let mut digest = digest.clone();
    if states > 1 {
        digest.update(number.to_le_bytes());
    }
    digest.finalize().into()
}
