//! The in-memory vocabulary: id → bytes, byte order, trie, special and end tokens, mask width.

use crate::{ErrorKind, Trie, VocabularyError};
use sha2::{Digest, Sha256};

/// Limits that keep every count and offset in 32 bits and memory within reason.
pub(crate) mod limits {
    /// Ids and mask width stay below this.
    pub(crate) const WIDTH: u32 = 1 << 24;
    /// Longest token in bytes; the trie stores depths in 16 bits.
    pub(crate) const TOKEN_BYTES: usize = u16::MAX as usize;
    /// Sum of all token bytes.
    pub(crate) const TOTAL_BYTES: usize = 1 << 28;
}

/// A token id, for code that keeps ids apart from ranks by type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TokenId(pub u32);

/// A control token: matched by its id, never by bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SpecialToken {
    /// Its id.
    pub id: u32,
    /// Its name, such as `<|eot_id|>`.
    pub text: String,
}

/// A vocabulary, ready for compiling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vocabulary {
    // Invariants:
    // 1. Every id is below `width`, which is at most `limits::WIDTH`.
    // 2. offsets has one entry more than there are ids up to the highest text token, does not fall, and ends with
    //    blob.len(); the bytes of text token t are blob[offsets[t]..offsets[t + 1]].
    // 3. is_text holds exactly the text tokens; no special and no end token is among them.
    // 4. specials is sorted, end_tokens is sorted, neither repeats an entry.
    // 5. order holds the non-empty text tokens sorted by (bytes, id), and trie is the trie of order.
    pub(crate) width: u32,
    pub(crate) offsets: Vec<u32>,
    pub(crate) is_text: Vec<u64>,
    pub(crate) blob: Vec<u8>,
    pub(crate) specials: Vec<SpecialToken>,
    pub(crate) end_tokens: Vec<u32>,
    pub(crate) order: Vec<u32>,
    pub(crate) trie: Trie,
    pub(crate) max_token_len: usize,
    pub(crate) fingerprint: [u8; 32],
}

impl Vocabulary {
    /// A vocabulary of these text tokens (in any order, ids may have holes), special tokens and end tokens.
    ///
    /// `width` is the number of mask bits: at least the highest id + 1, more for padded models. An end token that is
    /// also given as text stops being text, since it ends the output. A special token may have several names.
    ///
    /// # Errors
    /// An id at or above `width`, an id given twice as text, an id both text and special, or a size over the limits.
    pub fn from_tokens(
        mut tokens: Vec<(u32, Vec<u8>)>,
        mut specials: Vec<SpecialToken>,
        mut end_tokens: Vec<u32>,
        width: u32,
    ) -> Result<Self, VocabularyError> {
        specials.sort_unstable();
        specials.dedup();
        end_tokens.sort_unstable();
        end_tokens.dedup();
        tokens.retain(|(id, _)| end_tokens.binary_search(id).is_err());
        tokens.sort_unstable_by_key(|&(id, _)| id);
        check_ids(&tokens, &specials, &end_tokens, width)?;
        check_sizes(&tokens)?;

        let (offsets, is_text, blob) = lay_out(&tokens);
        let order = byte_order(&tokens);
        let bytes_at = |id: u32| &blob[offsets[id as usize] as usize..offsets[id as usize + 1] as usize];
        let trie = Trie::build(order.iter().map(|&id| bytes_at(id)));
        let max_token_len = tokens.iter().map(|(_, bytes)| bytes.len()).max().unwrap_or(0);
        let fingerprint = fingerprint(&tokens, &specials, &end_tokens, width);
        Ok(Self {
            width,
            offsets,
            is_text,
            blob,
            specials,
            end_tokens,
            order,
            trie,
            max_token_len,
            fingerprint,
        })
    }

    /// Mask width in bits. May exceed the tokenizer's ids; the bits of padding ids are always 0.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The bytes of a text token (maybe none at all); `None` for a special token, an end token, a hole or padding.
    #[must_use]
    pub fn bytes(&self, id: u32) -> Option<&[u8]> {
        let index = id as usize;
        let word = self.is_text.get(index / 64)?;
        if word >> (index % 64) & 1 == 0 {
            return None;
        }
        Some(&self.blob[self.offsets[index] as usize..self.offsets[index + 1] as usize])
    }

    /// The text tokens by ascending id, with their bytes.
    pub fn text_tokens(&self) -> impl Iterator<Item = (u32, &[u8])> {
        (0..self.offsets.len() as u32 - 1).filter_map(|id| Some((id, self.bytes(id)?)))
    }

    /// The special token of this name; of several, the one with the lowest id.
    #[must_use]
    pub fn special(&self, text: &str) -> Option<u32> {
        self.specials.iter().find(|special| special.text == text).map(|special| special.id)
    }

    /// The name of a special token; of several, the first in text order.
    #[must_use]
    pub fn special_text(&self, id: u32) -> Option<&str> {
        let at = self.specials.partition_point(|special| special.id < id);
        self.specials.get(at).filter(|special| special.id == id).map(|special| special.text.as_str())
    }

    /// The special tokens by ascending id.
    #[must_use]
    pub fn specials(&self) -> &[SpecialToken] {
        &self.specials
    }

    /// The end tokens, ascending.
    #[must_use]
    pub fn end_tokens(&self) -> &[u32] {
        &self.end_tokens
    }

    /// The ids of the non-empty text tokens sorted by (bytes, id): the byte order. Ranks index it.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The trie over [`order`](Self::order).
    #[must_use]
    pub fn trie(&self) -> &Trie {
        &self.trie
    }

    /// SHA-256 of a canonical description of text tokens, special tokens, end tokens and width: equal exactly when
    /// masks are interchangeable.
    #[must_use]
    pub fn fingerprint(&self) -> [u8; 32] {
        self.fingerprint
    }

    /// Length of the longest text token in bytes.
    #[must_use]
    pub fn max_token_len(&self) -> usize {
        self.max_token_len
    }
}

fn inconsistent(message: String, help: &str) -> VocabularyError {
    VocabularyError::new(ErrorKind::Inconsistent, message).help(help)
}

/// `tokens` and `specials` are sorted by id.
fn check_ids(
    tokens: &[(u32, Vec<u8>)],
    specials: &[SpecialToken],
    end_tokens: &[u32],
    width: u32,
) -> Result<(), VocabularyError> {
    if width > limits::WIDTH {
        let message = format!("mask width {width} is over the limit of {}", limits::WIDTH);
        return Err(VocabularyError::new(ErrorKind::TooLarge, message).help("check the vocabulary size"));
    }
    let highest_token = tokens.last().map(|&(id, _)| id);
    let highest_special = specials.last().map(|special| special.id);
    let highest = highest_token.max(highest_special).max(end_tokens.last().copied());
    if let Some(id) = highest.filter(|&id| id >= width) {
        let message = format!("token id {id} does not fit into a mask of {width} bits");
        return Err(inconsistent(message, "give a vocabulary size above the highest id"));
    }
    if let Some(pair) = tokens.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let message = format!("token id {} is given twice", pair[0].0);
        return Err(inconsistent(message, "every id must name one token"));
    }
    let both =
        specials.iter().find(|special| tokens.binary_search_by_key(&special.id, |&(id, _)| id).is_ok());
    if let Some(SpecialToken { id, text }) = both {
        let message = format!("token id {id} is both text and the special token {text:?}");
        return Err(inconsistent(message, "a token is matched either by its bytes or by its id"));
    }
    Ok(())
}

fn check_sizes(tokens: &[(u32, Vec<u8>)]) -> Result<(), VocabularyError> {
    if let Some((id, bytes)) = tokens.iter().find(|(_, bytes)| bytes.len() > limits::TOKEN_BYTES) {
        let message = format!("token {id} has {} bytes; the limit is {}", bytes.len(), limits::TOKEN_BYTES);
        return Err(VocabularyError::new(ErrorKind::TooLarge, message).help("is this a tokenizer file?"));
    }
    let total: usize = tokens.iter().map(|(_, bytes)| bytes.len()).sum();
    if total > limits::TOTAL_BYTES {
        let message = format!("all tokens together have {total} bytes; the limit is {}", limits::TOTAL_BYTES);
        return Err(VocabularyError::new(ErrorKind::TooLarge, message).help("is this a tokenizer file?"));
    }
    Ok(())
}

/// Offsets by id, the set of text tokens, and all bytes in id order. `tokens` is sorted by id.
fn lay_out(tokens: &[(u32, Vec<u8>)]) -> (Vec<u32>, Vec<u64>, Vec<u8>) {
    let ids = tokens.last().map_or(0, |&(id, _)| id as usize + 1);
    let mut offsets = Vec::with_capacity(ids + 1);
    let mut is_text = vec![0u64; ids.div_ceil(64)];
    let mut blob = Vec::with_capacity(tokens.iter().map(|(_, bytes)| bytes.len()).sum());
    for (id, bytes) in tokens {
        offsets.resize(*id as usize + 1, blob.len() as u32);
        is_text[*id as usize / 64] |= 1 << (id % 64);
        blob.extend_from_slice(bytes);
    }
    offsets.push(blob.len() as u32);
    (offsets, is_text, blob)
}

/// `tokens` is sorted by id, so a stable sort by bytes gives the order by (bytes, id).
fn byte_order(tokens: &[(u32, Vec<u8>)]) -> Vec<u32> {
    let mut sorted: Vec<&(u32, Vec<u8>)> = tokens.iter().filter(|(_, bytes)| !bytes.is_empty()).collect();
    sorted.sort_by(|a, b| a.1.cmp(&b.1));
    sorted.into_iter().map(|&(id, _)| id).collect()
}

/// Everything is length-prefixed, so that no two descriptions coincide. Arguments are sorted by id.
fn fingerprint(
    tokens: &[(u32, Vec<u8>)],
    specials: &[SpecialToken],
    end_tokens: &[u32],
    width: u32,
) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"gcc-grammar vocabulary 1\0");
    for count in [width, tokens.len() as u32, specials.len() as u32, end_tokens.len() as u32] {
        hash.update(count.to_le_bytes());
    }
    let texts = tokens.iter().map(|(id, bytes)| (*id, bytes.as_slice()));
    let names = specials.iter().map(|special| (special.id, special.text.as_bytes()));
    for (id, bytes) in texts.chain(names) {
        hash.update(id.to_le_bytes());
        hash.update((bytes.len() as u32).to_le_bytes());
        hash.update(bytes);
    }
    end_tokens.iter().for_each(|id| hash.update(id.to_le_bytes()));
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn special(id: u32, text: &str) -> SpecialToken {
        SpecialToken { id, text: text.to_owned() }
    }

    fn tokens(list: &[(u32, &str)]) -> Vec<(u32, Vec<u8>)> {
        list.iter().map(|&(id, text)| (id, text.as_bytes().to_vec())).collect()
    }

    fn small() -> Vocabulary {
        let text = tokens(&[(7, "b"), (0, "ab"), (3, "a"), (4, ""), (5, "a")]);
        Vocabulary::from_tokens(text, vec![special(9, "<end>"), special(8, "<x>")], vec![9], 16).unwrap()
    }

    #[test]
    fn bytes_of_text_holes_specials_padding_and_empty_tokens() {
        let vocabulary = small();
        let bytes: Vec<_> = (0..17).map(|id| vocabulary.bytes(id)).collect();
        let mut expected = vec![None; 17];
        for (id, text) in [(0, "ab"), (3, "a"), (4, ""), (5, "a"), (7, "b")] {
            expected[id] = Some(text.as_bytes());
        }
        assert_eq!(bytes, expected);
        assert_eq!(vocabulary.bytes(u32::MAX), None);
        assert_eq!(vocabulary.max_token_len(), 2);
        assert_eq!(vocabulary.text_tokens().count(), 5);
    }

    #[test]
    fn byte_order_is_by_bytes_then_id_and_leaves_empty_tokens_out() {
        assert_eq!(small().order(), [3, 5, 0, 7]);
        assert_eq!(small().trie().tokens_in_subtree(0), 0..4);
    }

    #[test]
    fn special_tokens_go_by_name_and_id() {
        let vocabulary = small();
        assert_eq!(vocabulary.special("<end>"), Some(9));
        assert_eq!(vocabulary.special("b"), None);
        assert_eq!(vocabulary.special_text(8), Some("<x>"));
        assert_eq!(vocabulary.special_text(7), None);
        assert_eq!(vocabulary.end_tokens(), [9]);
    }

    #[test]
    fn an_end_token_is_not_text() {
        let vocabulary =
            Vocabulary::from_tokens(tokens(&[(0, "a"), (1, "\n")]), vec![], vec![1, 1], 2).unwrap();
        assert_eq!(vocabulary.bytes(1), None);
        assert_eq!(vocabulary.order(), [0]);
        assert_eq!(vocabulary.end_tokens(), [1]);
    }

    #[test]
    fn contradictions_are_refused() {
        let kind = |tokens, specials, ends, width| {
            Vocabulary::from_tokens(tokens, specials, ends, width).unwrap_err().kind
        };
        assert_eq!(kind(tokens(&[(2, "a")]), vec![], vec![], 2), ErrorKind::Inconsistent);
        assert_eq!(kind(vec![], vec![special(2, "x")], vec![], 2), ErrorKind::Inconsistent);
        assert_eq!(kind(vec![], vec![], vec![2], 2), ErrorKind::Inconsistent);
        assert_eq!(kind(tokens(&[(1, "a"), (1, "b")]), vec![], vec![], 2), ErrorKind::Inconsistent);
        assert_eq!(kind(tokens(&[(1, "a")]), vec![special(1, "a")], vec![], 2), ErrorKind::Inconsistent);
        assert_eq!(kind(vec![], vec![], vec![], u32::MAX), ErrorKind::TooLarge);
        assert_eq!(kind(vec![(0, vec![0; 70_000])], vec![], vec![], 1), ErrorKind::TooLarge);
    }

    #[test]
    fn the_fingerprint_sees_every_part_and_no_order() {
        let make = |text: &[(u32, &str)], names: &[(u32, &str)], ends: &[u32], width| {
            let names = names.iter().map(|&(id, text)| special(id, text)).collect();
            Vocabulary::from_tokens(tokens(text), names, ends.to_vec(), width).unwrap().fingerprint()
        };
        let base = make(&[(0, "a"), (1, "b")], &[(2, "x")], &[2], 4);
        assert_eq!(base, make(&[(1, "b"), (0, "a")], &[(2, "x")], &[2, 2], 4));
        let others = [
            make(&[(0, "a"), (1, "c")], &[(2, "x")], &[2], 4),
            make(&[(0, "a"), (3, "b")], &[(2, "x")], &[2], 4),
            make(&[(0, "a"), (1, "b")], &[(2, "y")], &[2], 4),
            make(&[(0, "a"), (1, "b")], &[(2, "x")], &[3], 4),
            make(&[(0, "a"), (1, "b")], &[(2, "x")], &[2], 5),
        ];
        assert!(others.iter().all(|other| *other != base));
    }
}
