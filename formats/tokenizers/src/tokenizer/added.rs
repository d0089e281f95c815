//! Tokens that a tokenizer cuts out of the text before it cuts the rest: from left to right, and at each place the longest.

use rustc_hash::FxHashMap;
use std::ops::Range;

/// The tokens, by their bytes.
#[derive(Default)]
pub(super) struct Added {
    ids: FxHashMap<Vec<u8>, u32>,
    /// Length of the longest one in bytes.
    longest: usize,
}

impl Added {
    /// Adds a token.
    pub(super) fn insert(&mut self, bytes: Vec<u8>, id: u32) {
        self.longest = self.longest.max(bytes.len());
        self.ids.insert(bytes, id);
    }

    /// The ids of the tokens.
    pub(super) fn ids(&self) -> Vec<u32> {
        self.ids.values().copied().collect()
    }

    /// The tokens in a text.
    pub(super) fn spans(&self, text: &str) -> Vec<(Range<usize>, u32)> {
        let mut spans = Vec::new();
        let mut end = 0;
        if self.ids.is_empty() {
            return spans;
        }
        for (start, _) in text.char_indices() {
            if start < end {
                continue;
            }
            let rest = &text.as_bytes()[start..];
            let mut longest_first = (1..=self.longest.min(rest.len())).rev();
            let found = longest_first.find_map(|length| Some((length, *self.ids.get(&rest[..length])?)));
            if let Some((length, id)) = found {
                end = start + length;
                spans.push((start..end, id));
            }
        }
        spans
    }
}
