//! The in-memory vocabulary: id → bytes, byte order, trie, special and end tokens, mask width.

use crate::table::Table;
use crate::{ErrorKind, Trie, VocabularyError};
use sha2::{Digest, Sha256};

/// Limits that keep every count and offset in 32 bits and memory within reason.
pub(crate) mod limits {
    /// Ids and mask width stay below this.
    pub(crate) const WIDTH: u32 = 1 << 24;
    /// Longest token in bytes; the trie stores depths in 16 bits.
    pub(crate) const TOKEN_BYTES: usize = u16::MAX as usize;
    /// Sum of all token bytes.
    pub(crate) const TOTAL_BYTES: usize = 1 << 27;
}

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
    // 2. offsets has one entry more than there are ids up to the highest token with bytes, begins with 0, does not
    //    fall, and ends with blob.len(); the bytes of token t are blob[offsets[t]..offsets[t + 1]].
    // 3. is_text has a bit for each of those ids: 1 for exactly the text tokens. No special and no end token is one;
    //    an end token may have bytes, so that it can become text when other end tokens are chosen.
    // 4. specials is sorted, end_tokens is sorted, neither repeats an entry.
    // 5. order holds the non-empty text tokens sorted by (bytes, id), trie is the trie of order, and characters has an
    //    entry for each of them.
    // 6. canonical covers all tokens that have bytes; fingerprint covers everything.
    pub(crate) width: u32,
    pub(crate) offsets: Table<u32>,
    pub(crate) is_text: Table<u32>,
    pub(crate) blob: Table<u8>,
    pub(crate) specials: Vec<SpecialToken>,
    pub(crate) end_tokens: Vec<u32>,
    pub(crate) order: Table<u32>,
    pub(crate) trie: Trie,
    pub(crate) characters: Table<u32>,
    pub(crate) max_token_len: usize,
    pub(crate) canonical: [u8; 32],
    pub(crate) fingerprint: [u8; 32],
}

impl Vocabulary {
    /// A vocabulary of these text tokens (in any order, ids may have holes), special tokens and end tokens.
    ///
    /// `width` is the number of mask bits: at least the highest id + 1, more for padded models. An end token that is
    /// also given as text is not matched as text, since it ends the output. A special token may have several names.
    ///
    /// # Errors
    /// An id at or above `width`, an id given twice as text, an id both text and special, or a size over the limits.
    pub fn from_tokens(
        mut tokens: Vec<(u32, Vec<u8>)>,
        mut specials: Vec<SpecialToken>,
        end_tokens: Vec<u32>,
        width: u32,
    ) -> Result<Self, VocabularyError> {
        tokens.sort_unstable_by_key(|&(id, _)| id);
        specials.sort_unstable();
        specials.dedup();
        check_ids(&tokens, &specials)?;
        check_sizes(&tokens)?;

        let (offsets, has_bytes, blob) = lay_out(&tokens);
        let canonical = canonical_hash(tokens.iter().map(|(id, bytes)| (*id, bytes.as_slice())));
        let mut vocabulary = Self {
            width: 0,
            offsets: offsets.into(),
            is_text: has_bytes.into(),
            blob: blob.into(),
            specials,
            end_tokens: Vec::new(),
            order: Table::default(),
            characters: Table::default(),
            trie: Trie::build(std::iter::empty()),
            max_token_len: 0,
            canonical,
            fingerprint: [0; 32],
        };
        vocabulary.end_tokens = sorted(end_tokens);
        vocabulary.end_tokens.iter().for_each(|&id| clear(vocabulary.is_text.to_mut(), id));
        vocabulary.set_order();
        vocabulary.with_width(width)
    }

    /// The same vocabulary with another mask width.
    ///
    /// # Errors
    /// A width that does not cover every id, or is over the limit.
    pub fn with_width(mut self, width: u32) -> Result<Self, VocabularyError> {
        self.width = width;
        self.check_width()?;
        self.fingerprint = self.describe();
        Ok(self)
    }

    /// The same vocabulary with other end tokens. A former end token that has bytes is text again.
    ///
    /// # Errors
    /// An end token at or above the width.
    pub fn with_end_tokens(mut self, end_tokens: Vec<u32>) -> Result<Self, VocabularyError> {
        let text_before = self.is_text.clone();
        for &id in &self.end_tokens {
            if self.stored(id).is_some_and(|bytes| !bytes.is_empty()) && self.special_text(id).is_none() {
                self.is_text.to_mut()[id as usize / 32] |= 1 << (id % 32);
            }
        }
        self.end_tokens = sorted(end_tokens);
        self.end_tokens.iter().for_each(|&id| clear(self.is_text.to_mut(), id));
        if self.is_text != text_before {
            self.set_order();
        }
        let width = self.width;
        self.with_width(width)
    }

    /// Mask width in bits. May exceed the tokenizer's ids; the bits of padding ids are always 0.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of ids that are in use, holes included: one more than the highest text, special or end token.
    #[must_use]
    pub fn ids(&self) -> u32 {
        let special = self.specials.last().map_or(0, |special| special.id.saturating_add(1));
        let end = self.end_tokens.last().map_or(0, |&id| id.saturating_add(1));
        (self.offsets.len() as u32 - 1).max(special).max(end)
    }

    /// The bytes of a text token (maybe none at all); `None` for a special token, an end token, a hole or padding.
    #[must_use]
    pub fn bytes(&self, id: u32) -> Option<&[u8]> {
        let word = self.is_text.get(id as usize / 32)?;
        if word >> (id % 32) & 1 == 1 { self.stored(id) } else { None }
    }

    /// The bytes of a token, text or not; empty for a hole.
    fn stored(&self, id: u32) -> Option<&[u8]> {
        let end = *self.offsets.get(id as usize + 1)?;
        Some(&self.blob[self.offsets[id as usize] as usize..end as usize])
    }

    /// The text tokens by ascending id, with their bytes.
    pub fn text_tokens(&self) -> impl Iterator<Item = (u32, &[u8])> {
        (0..self.offsets.len() as u32 - 1).filter_map(|id| Some((id, self.bytes(id)?)))
    }

    /// The text token with these bytes; of several, the one with the lowest id.
    #[must_use]
    pub fn find(&self, bytes: &[u8]) -> Option<u32> {
        let at = self.order.partition_point(|&id| self.stored(id).is_some_and(|stored| stored < bytes));
        self.order.get(at).copied().filter(|&id| self.stored(id) == Some(bytes))
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

    /// Characters of each token of [`order`](Self::order): bytes that [begin one](begins_character).
    #[must_use]
    pub fn characters(&self) -> &[u32] {
        &self.characters
    }

    /// SHA-256 over all tokens that have bytes, by ascending id: id, number of bytes (each 32 bits little-endian),
    /// bytes. Equal for two files exactly when they hold the same text tokens.
    #[must_use]
    pub fn canonical_hash(&self) -> [u8; 32] {
        self.canonical
    }

    /// SHA-256 of a description of text tokens, special tokens, end tokens and width. A compiled grammar names its
    /// vocabulary by it: masks are interchangeable only where it is equal.
    #[must_use]
    pub fn fingerprint(&self) -> [u8; 32] {
        self.fingerprint
    }

    /// Length of the longest text token in bytes.
    #[must_use]
    pub fn max_token_len(&self) -> usize {
        self.max_token_len
    }

    /// Sets what follows from `is_text`: byte order, trie and the longest token.
    pub(crate) fn set_order(&mut self) {
        let mut sorted: Vec<(&[u8], u32)> = self.text_tokens().map(|(id, bytes)| (bytes, id)).collect();
        sorted.retain(|(bytes, _)| !bytes.is_empty());
        sorted.sort_unstable();
        let trie = Trie::build(sorted.iter().map(|&(bytes, _)| bytes));
        let max_token_len = sorted.iter().map(|(bytes, _)| bytes.len()).max().unwrap_or(0);
        let characters: Vec<u32> = sorted.iter().map(|(bytes, _)| characters(bytes)).collect();
        self.order = sorted.into_iter().map(|(_, id)| id).collect();
        self.trie = trie;
        self.characters = characters.into();
        self.max_token_len = max_token_len;
    }

    fn check_width(&self) -> Result<(), VocabularyError> {
        let (width, ids) = (self.width, self.ids());
        if width > limits::WIDTH {
            let message = format!("mask width {width} is over the limit of {}", limits::WIDTH);
            return Err(VocabularyError::new(ErrorKind::TooLarge, message).help("check the vocabulary size"));
        }
        if ids > width {
            let message = format!("token id {} does not fit into a mask of {width} bits", ids - 1);
            return Err(inconsistent(message, "give a vocabulary size above the highest id"));
        }
        Ok(())
    }

    /// The fingerprint. Everything is length-prefixed, so that no two descriptions coincide.
    fn describe(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(b"gcc-grammar vocabulary 1\0");
        hash.update(self.canonical);
        for number in [self.width, self.specials.len() as u32, self.end_tokens.len() as u32] {
            hash.update(number.to_le_bytes());
        }
        for special in &self.specials {
            hash.update(special.id.to_le_bytes());
            hash.update((special.text.len() as u32).to_le_bytes());
            hash.update(&special.text);
        }
        self.end_tokens.iter().for_each(|id| hash.update(id.to_le_bytes()));
        hash.finalize().into()
    }
}

/// SHA-256 over tokens by ascending id: id, number of bytes (each 32 bits little-endian), bytes.
pub(crate) fn canonical_hash<'a>(tokens: impl Iterator<Item = (u32, &'a [u8])>) -> [u8; 32] {
    let mut hash = Sha256::new();
    for (id, bytes) in tokens {
        hash.update(id.to_le_bytes());
        hash.update((bytes.len() as u32).to_le_bytes());
        hash.update(bytes);
    }
    hash.finalize().into()
}

/// Whether a byte is not the rest of a character in UTF-8. A byte that is no text begins one, too, unless it looks like a rest.
#[must_use]
pub fn begins_character(byte: u8) -> bool {
    !matches!(byte, 0x80..0xC0)
}

fn characters(bytes: &[u8]) -> u32 {
    bytes.iter().map(|&byte| u32::from(begins_character(byte))).sum()
}

fn sorted(mut ids: Vec<u32>) -> Vec<u32> {
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn clear(bits: &mut [u32], id: u32) {
    if let Some(word) = bits.get_mut(id as usize / 32) {
        *word &= !(1 << (id % 32));
    }
}

fn inconsistent(message: String, help: &str) -> VocabularyError {
    VocabularyError::new(ErrorKind::Inconsistent, message).help(help)
}

/// Both are sorted by id.
fn check_ids(tokens: &[(u32, Vec<u8>)], specials: &[SpecialToken]) -> Result<(), VocabularyError> {
    let highest = tokens.last().map(|&(id, _)| id).max(specials.last().map(|special| special.id));
    if let Some(id) = highest.filter(|&id| id >= limits::WIDTH) {
        let message = format!("token id {id} is over the limit of {}", limits::WIDTH - 1);
        return Err(VocabularyError::new(ErrorKind::TooLarge, message).help("is this a tokenizer file?"));
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

/// Offsets by id, the set of tokens with bytes, and all bytes in id order. `tokens` is sorted by id.
fn lay_out(tokens: &[(u32, Vec<u8>)]) -> (Vec<u32>, Vec<u32>, Vec<u8>) {
    let ids = tokens.last().map_or(0, |&(id, _)| id as usize + 1);
    let mut offsets = Vec::with_capacity(ids + 1);
    let mut has_bytes = vec![0; ids.div_ceil(32)];
    let mut blob = Vec::with_capacity(tokens.iter().map(|(_, bytes)| bytes.len()).sum());
    for (id, bytes) in tokens {
        offsets.resize(*id as usize + 1, blob.len() as u32);
        has_bytes[*id as usize / 32] |= 1 << (id % 32);
        blob.extend_from_slice(bytes);
    }
    offsets.push(blob.len() as u32);
    (offsets, has_bytes, blob)
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
        let text = tokens(&[(0, "é€"), (1, "a"), (2, "😀b")]);
        let vocabulary = Vocabulary::from_tokens(text, vec![], vec![], 3).unwrap();
        assert_eq!((vocabulary.order(), vocabulary.characters()), (&[1, 0, 2][..], &[1, 2, 2][..]));
    }

    #[test]
    fn text_tokens_are_found_by_bytes() {
        let found = [&b"a"[..], b"ab", b"b", b"", b"c", b"aa"].map(|bytes| small().find(bytes));
        assert_eq!(found, [Some(3), Some(0), Some(7), None, None, None]);
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
        let text = tokens(&[(0, "a"), (1, "\n")]);
        let vocabulary = Vocabulary::from_tokens(text.clone(), vec![], vec![1, 1], 2).unwrap();
        assert_eq!(vocabulary.bytes(1), None);
        assert_eq!(vocabulary.order(), [0]);
        assert_eq!(vocabulary.end_tokens(), [1]);
        let other = vocabulary.with_end_tokens(vec![0]).unwrap();
        assert_eq!((other.bytes(0), other.bytes(1), other.order()), (None, Some(&b"\n"[..]), &[1][..]));
        assert_eq!(other, Vocabulary::from_tokens(text, vec![], vec![0], 2).unwrap());
    }

    #[test]
    fn another_width_is_another_fingerprint() {
        let wider = small().with_width(64).unwrap();
        assert_eq!((wider.width(), wider.ids()), (64, 10));
        assert_ne!(wider.fingerprint(), small().fingerprint());
        assert_eq!(wider.with_width(16).unwrap(), small());
        assert_eq!(small().with_width(9).unwrap_err().kind, ErrorKind::Inconsistent);
        assert_eq!(small().with_end_tokens(vec![u32::MAX]).unwrap_err().kind, ErrorKind::Inconsistent);
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
