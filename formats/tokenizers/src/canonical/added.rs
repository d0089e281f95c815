//! Texts that a tokenizer cuts out before it does anything else: none of them may come about by other tokens.
//!
//! In: the texts. Out: a deterministic automaton that reads bytes and says whether one of the texts ends (Aho, Corasick, "Efficient string
//! matching", 1975).

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The automaton. State 0 is the beginning.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// For each state, the next one by byte, unless that is the beginning.
    next: Vec<FxHashMap<u8, u16>>,
    /// Whether a text ends in a state.
    ends: Vec<bool>,
}

impl Texts {
    /// The automaton of these texts; none if they have too many bytes.
    pub(super) fn new(texts: &[&[u8]]) -> Option<Self> {
        let prefixes = texts.iter().flat_map(|text| (1..=text.len()).map(|end| &text[..end]));
        let prefixes: BTreeSet<&[u8]> = prefixes.chain([&[][..]]).collect();
        let number = |text: &[u8]| prefixes.iter().position(|prefix| *prefix == text);
        let bytes: BTreeSet<u8> = texts.iter().flat_map(|text| text.iter().copied()).collect();
        u16::try_from(prefixes.len()).ok()?;
        let mut automaton = Self::default();
        for prefix in &prefixes {
            let step = |&byte: &u8| {
                let read = [prefix, &[byte][..]].concat();
                let longest = (0..read.len()).find_map(|start| number(&read[start..]));
                longest.map(|state| (byte, state as u16))
            };
            automaton.next.push(bytes.iter().filter_map(step).collect());
            automaton.ends.push(texts.iter().any(|text| !text.is_empty() && prefix.ends_with(text)));
        }
        Some(automaton)
    }

    /// The state behind a byte; none if a text ends there.
    pub(super) fn step(&self, state: u16, byte: u8) -> Option<u16> {
        if self.next.len() <= 1 {
            return Some(0);
        }
        let next = self.next.get(usize::from(state)).and_then(|next| next.get(&byte)).copied().unwrap_or(0);
        let ends = self.ends.get(usize::from(next)).is_some_and(|ends| *ends);
        (!ends).then_some(next)
    }

    pub(super) fn len(&self) -> usize {
        self.next.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_comes_about_is_found() {
        let texts = Texts::new(&[b"<a>", b"<ab>", b"b<"]).expect("few texts");
        let reads = |text: &str| text.bytes().try_fold(0, |state, byte| texts.step(state, byte)).is_some();
        for text in ["<<a", "a>", "<ab", "", "< a>", "<a<a"] {
            assert!(reads(text), "{text}");
        }
        for text in ["<a>", "<<a>", "x<ab>", "ab<", "<ab<"] {
            assert!(!reads(text), "{text}");
        }
    }
}
