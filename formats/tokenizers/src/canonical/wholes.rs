//! Tokens that merging does not make: a tokenizer writes one of them where a piece is just its text, and nowhere else.
//!
//! In: these tokens, each with the tokens that merging makes of its text. Out: a trie of those sequences. Where a piece has come to the end of a
//! sequence, it cannot end, since the tokenizer would have written the token.

use super::pairs::Pairs;
use crate::tokenizer::merge_bytes;
use gcc_grammar_vocabulary::Vocabulary;
use rustc_hash::FxHashMap;

/// A place in a piece.
pub(super) type Part = u16;
/// On no sequence.
pub(super) const ELSEWHERE: Part = 0;
/// The beginning of a piece.
pub(super) const BEGIN: Part = 1;
/// Behind a token that is a piece by itself.
pub(super) const WHOLE: Part = 2;

/// The trie.
#[derive(Debug)]
pub(super) struct Wholes {
    /// Ascending.
    tokens: Vec<u32>,
    next: FxHashMap<(Part, u32), Part>,
    ends: Vec<bool>,
    /// Whether something follows on a sequence.
    leads_on: Vec<bool>,
}

impl Wholes {
    /// The trie of a vocabulary; none if it has too many such tokens.
    pub(super) fn new(pairs: &Pairs, vocabulary: &Vocabulary) -> Option<Self> {
        let mut wholes = Self {
            tokens: pairs.unmade().to_vec(),
            next: FxHashMap::default(),
            ends: vec![false; 3],
            leads_on: vec![false; 3],
        };
        for at in 0..wholes.tokens.len() {
            let bytes = vocabulary.bytes(wholes.tokens[at])?;
            let mut part = BEGIN;
            for span in merge_bytes(bytes, vocabulary) {
                part = wholes.extend(part, vocabulary.find(&bytes[span])?)?;
            }
            wholes.ends[usize::from(part)] = true;
        }
        Some(wholes)
    }

    fn extend(&mut self, part: Part, token: u32) -> Option<Part> {
        let new = Part::try_from(self.ends.len()).ok()?;
        let next = *self.next.entry((part, token)).or_insert(new);
        if next == new {
            self.ends.push(false);
            self.leads_on.push(false);
        }
        self.leads_on[usize::from(part)] = true;
        Some(next)
    }

    /// Whether merging does not make a token.
    pub(super) fn has(&self, token: u32) -> bool {
        self.tokens.binary_search(&token).is_ok()
    }

    /// The place behind a token of a piece.
    pub(super) fn step(&self, part: Part, token: u32) -> Part {
        if part == ELSEWHERE {
            ELSEWHERE
        } else {
            self.next.get(&(part, token)).copied().unwrap_or(ELSEWHERE)
        }
    }

    /// Whether the piece so far is the text of one of the tokens, but not that token.
    pub(super) fn ends(&self, part: Part) -> bool {
        self.ends[usize::from(part)]
    }

    /// The same place, or elsewhere if that comes to the same for what follows.
    pub(super) fn reduced(&self, part: Part) -> Part {
        let counts = part == BEGIN || self.leads_on[usize::from(part)];
        if counts { part } else { ELSEWHERE }
    }

    /// The number of places.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }
}
