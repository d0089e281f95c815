//! Keys of languages: what a language is, whatever compilation it belongs to.
//!
//! In: the interner of a compilation. Out: per language a digest of the automaton that reads it, as far as it reads
//! bytes. Equal keys mean equal languages of byte strings: a state is described by whether it accepts, by the target of
//! each byte, and by the keys of the languages that targets have. Classes of symbols and numbers of states and patterns,
//! which other terminals of the grammar may change, are no part of a description.
//!
//! Transitions on tokens that the grammar matches by id are left out, because no text token takes them.

use super::Interner;
use crate::lexer::Symbols;
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

/// The digest of a language.
pub(in crate::terminal) type LanguageKey = [u8; 32];

/// What is digested: a language without a cycle, or one on a cycle.
const TREE: u8 = 0;
const CYCLE: u8 = 1;

impl Interner {
    /// Per language, in the order in which they were interned: its key.
    pub(super) fn keys(&self, symbols: &Symbols) -> Vec<LanguageKey> {
        let patterns: Vec<LanguageKey> =
            (0..self.sizes.len()).map(|pattern| self.pattern_key(pattern, symbols)).collect();
        let on_cycles: FxHashMap<usize, &[u32]> =
            self.cycles.iter().map(|(description, state)| (state.index(), &**description)).collect();
        let mut keys = Vec::with_capacity(self.accepting.len());
        for state in 0..self.accepting.len() {
            // All languages outside of its cycle that a language leads to were interned before.
            let key = match on_cycles.get(&state) {
                Some(description) => self.cycle_key(description, &patterns, &keys),
                None => self.tree_key(state, &patterns, &keys),
            };
            keys.push(key);
        }
        keys
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
    fn cycle_key(&self, description: &[u32], patterns: &[LanguageKey], keys: &[LanguageKey]) -> LanguageKey {
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
        // On a large cycle, the place of the state follows.
        rest.iter().for_each(|number| digest.update(number.to_le_bytes()));
        digest.finalize().into()
    }
}
