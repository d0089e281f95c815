//! How free text ends that is at its limit: the token that alone may come next, for each number of bytes of the marker that are written.
//!
//! It is the special token that the marker names, if there is one. Otherwise the marker is cut as the model's own tokenizer cuts it, and the
//! rest of a marker that is partly written as the tokenizer cuts that rest, up to a place where tokens of the whole marker begin.

use crate::vocabulary::Vocabulary;

/// The longest marker that a limit can force, in bytes: each of its rests may have to be cut.
const MAX_MARKER: usize = 1024;

/// A limit on the tokens of free text, and what comes at it.
#[derive(Debug)]
pub(crate) struct Ending {
    /// The number of tokens of free text at most.
    pub(crate) most: u64,
    /// For each number of bytes of the marker that are written, the token that comes next.
    next: Vec<u32>,
}

impl Ending {
    /// The ending with a token.
    pub(crate) fn with_token(most: u64, token: u32, marker: &[u8]) -> Self {
        Self { most, next: vec![token; marker.len().max(1)] }
    }

    /// The ending with a text; the reason if the vocabulary cannot spell it.
    pub(crate) fn with_text(most: u64, marker: &[u8], vocabulary: &Vocabulary) -> Result<Self, String> {
        if marker.len() > MAX_MARKER {
            return Err(format!(
                "with max_free_tokens, the text to start after has at most {MAX_MARKER} bytes"
            ));
        }
        let mut next = vec![None; marker.len()];
        for start in 0..marker.len() {
            if next[start].is_some() {
                continue;
            }
            let mut at = start;
            for token in spell(&marker[start..], vocabulary)? {
                // From where an earlier cut has a token, this one continues like it.
                if next[at].is_some() {
                    break;
                }
                next[at] = Some(token);
                at += vocabulary.tokens().bytes(token).map_or(0, <[u8]>::len);
            }
        }
        Ok(Self { most, next: next.into_iter().flatten().collect() })
    }

    /// The token that comes next if this number of bytes of the marker is written.
    pub(crate) fn next(&self, matched: usize) -> Option<u32> {
        self.next.get(matched).copied()
    }
}

/// The tokens of a text, as the model's own tokenizer cuts it where that is known.
fn spell(text: &[u8], vocabulary: &Vocabulary) -> Result<Vec<u32>, String> {
    vocabulary.spell(text).map_err(|error| {
        format!("with max_free_tokens, the vocabulary must spell the text to start after: {error}")
    })
}
