//! Builds a [`Vocabulary`] from tokens in any order, and changes its width or end tokens.
//!
//! Every function here checks its input and returns a vocabulary that keeps the invariants stated at [`Vocabulary`]. The
//! result depends on the set of tokens only, not on their order.

use super::hash::{canonical_hash, fingerprint};
use super::{SpecialToken, Tables, Vocabulary};
use crate::bases::LazyBases;
use crate::containing::Containing;
use crate::error::VocabularyError;
use crate::limits;
use crate::table::Table;
use crate::trie::Trie;
use crate::utf8::begins_character;
use crate::walks::MaybeWalks;
use std::sync::Arc;

impl Vocabulary {
    /// Builds the vocabulary of these text tokens, special tokens and end tokens.
    ///
    /// Tokens may come in any order, and ids may have holes. `width` is the number of mask bits: at least the highest
    /// id plus 1, and more for padded models. An end token that is also given as text is not matched as text, since it
    /// ends the output. A special token may have several names.
    ///
    /// # Errors
    /// An id is not below `width`, two text tokens have the same id, a text token and a special token have the same id, or a
    /// size exceeds its limit.
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
        let mut vocabulary = Self::from(Tables {
            width: 0,
            offsets: offsets.into(),
            is_text: has_bytes.into(),
            blob: blob.into(),
            specials,
            end_tokens: sorted(end_tokens),
            order: Table::default(),
            characters: Table::default(),
            trie: Trie::build(std::iter::empty()),
            max_token_len: 0,
            canonical,
            fingerprint: [0; 32],
            bases: LazyBases::default(),
            walks: MaybeWalks::default(),
            containing: Containing::default(),
        });
        vocabulary.exclude_end_tokens_from_text();
        vocabulary.set_order();
        vocabulary.with_width(width)
    }

    /// Changes the mask width.
    ///
    /// # Errors
    /// An id is not below `width`, or `width` exceeds the limit.
    pub fn with_width(mut self, width: u32) -> Result<Self, VocabularyError> {
        let ids = self.ids();
        let tables = Arc::make_mut(&mut self.0);
        if tables.width != width {
            tables.bases = LazyBases::default();
        }
        tables.width = width;
        check_width(width, ids)?;
        let specials = tables.specials.iter().map(|special| (special.id, special.text.as_str()));
        tables.fingerprint = fingerprint(&tables.canonical, width, specials, &tables.end_tokens);
        Ok(self)
    }

    /// Replaces the end tokens. A former end token that has bytes becomes a text token.
    ///
    /// # Errors
    /// An end token is not below the width.
    pub fn with_end_tokens(mut self, end_tokens: Vec<u32>) -> Result<Self, VocabularyError> {
        let (text_before, width) = (self.0.is_text.clone(), self.0.width);
        let mut former = self.0.end_tokens.clone();
        former.retain(|&id| {
            self.stored(id).is_some_and(|bytes| !bytes.is_empty()) && self.special_text(id).is_none()
        });
        let tables = Arc::make_mut(&mut self.0);
        for id in former {
            tables.is_text.to_mut()[id as usize / 32] |= 1 << (id % 32);
        }
        tables.end_tokens = sorted(end_tokens);
        self.exclude_end_tokens_from_text();
        if self.0.is_text != text_before {
            self.set_order();
        }
        self.with_width(width)
    }

    /// Computes the fields that follow from the text tokens: byte order, trie, characters and the longest token.
    pub(crate) fn set_order(&mut self) {
        let mut sorted: Vec<(&[u8], u32)> = self.text_tokens().map(|(id, bytes)| (bytes, id)).collect();
        sorted.retain(|(bytes, _)| !bytes.is_empty());
        sorted.sort_unstable();
        let trie = Trie::build(sorted.iter().map(|&(bytes, _)| bytes));
        let max_token_len = sorted.iter().map(|(bytes, _)| bytes.len()).max().unwrap_or(0);
        let characters: Vec<u32> = sorted.iter().map(|(bytes, _)| count_characters(bytes)).collect();
        let order: Table<u32> = sorted.into_iter().map(|(_, id)| id).collect();
        let tables = Arc::make_mut(&mut self.0);
        (tables.order, tables.trie, tables.characters) = (order, trie, characters.into());
        tables.max_token_len = max_token_len;
        tables.bases = LazyBases::default();
        tables.walks = MaybeWalks::default();
        tables.containing = Containing::default();
    }

    fn exclude_end_tokens_from_text(&mut self) {
        let Tables { is_text, end_tokens, .. } = Arc::make_mut(&mut self.0);
        let is_text = is_text.to_mut();
        for &id in &*end_tokens {
            if let Some(word) = is_text.get_mut(id as usize / 32) {
                *word &= !(1 << (id % 32));
            }
        }
    }
}

/// Checks that all ids are below the width, and the width below its limit.
fn check_width(width: u32, ids: u32) -> Result<(), VocabularyError> {
    if width > limits::WIDTH {
        let message = format!("the mask width {width} exceeds the limit of {}", limits::WIDTH);
        return Err(VocabularyError::too_large(message).help("check the vocabulary size"));
    }
    if ids > width {
        let message = format!("the token id {} does not fit into a mask of {width} bits", ids - 1);
        let help = "give a vocabulary size that exceeds the highest id";
        return Err(VocabularyError::inconsistent(message, help));
    }
    Ok(())
}

fn sorted(mut ids: Vec<u32>) -> Vec<u32> {
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn count_characters(bytes: &[u8]) -> u32 {
    bytes.iter().map(|&byte| u32::from(begins_character(byte))).sum()
}

/// Checks that ids are below the limit and name one token each. Both lists are sorted by id.
fn check_ids(tokens: &[(u32, Vec<u8>)], specials: &[SpecialToken]) -> Result<(), VocabularyError> {
    let highest = tokens.last().map(|&(id, _)| id).max(specials.last().map(|special| special.id));
    if let Some(id) = highest.filter(|&id| id >= limits::WIDTH) {
        let limit = limits::WIDTH - 1;
        return Err(VocabularyError::too_large(format!("the token id {id} exceeds the limit of {limit}")));
    }
    if let Some(pair) = tokens.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let message = format!("the token id {} occurs twice", pair[0].0);
        return Err(VocabularyError::inconsistent(message, "give every token an id of its own"));
    }
    let is_text = |special: &&SpecialToken| tokens.binary_search_by_key(&special.id, |&(id, _)| id).is_ok();
    if let Some(SpecialToken { id, text }) = specials.iter().find(is_text) {
        let message = format!("the token id {id} belongs to a text token and to the special token {text:?}");
        let help =
            "give the token either as text or as special; it is matched either by its bytes or by its id";
        return Err(VocabularyError::inconsistent(message, help));
    }
    Ok(())
}

/// Checks the length of every token and of all tokens together.
fn check_sizes(tokens: &[(u32, Vec<u8>)]) -> Result<(), VocabularyError> {
    if let Some((id, bytes)) = tokens.iter().find(|(_, bytes)| bytes.len() > limits::TOKEN_BYTES) {
        let (length, limit) = (bytes.len(), limits::TOKEN_BYTES);
        let message = format!("the token {id} has {length} bytes; the limit is {limit}");
        return Err(VocabularyError::too_large(message));
    }
    let total: usize = tokens.iter().map(|(_, bytes)| bytes.len()).sum();
    if total > limits::TOTAL_BYTES {
        let limit = limits::TOTAL_BYTES;
        let message = format!("all tokens together have {total} bytes; the limit is {limit}");
        return Err(VocabularyError::too_large(message));
    }
    Ok(())
}

/// Lays out tokens, which are sorted by id: offsets by id, the set of ids that have bytes, and all bytes in id order.
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
    use crate::error::ErrorKind;

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
    fn byte_order_sorts_by_bytes_and_id_without_empty_tokens() {
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
    fn special_tokens_are_found_by_name_and_id() {
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

    /// What was asked of another vocabulary before is not what this one says.
    #[test]
    fn tokens_with_a_byte_are_text() {
        let vocabulary = Vocabulary::from_tokens(tokens(&[(0, "a"), (1, "ab")]), vec![], vec![1], 2).unwrap();
        assert_eq!(vocabulary.tokens_with(b'a'), [0]);
        let other = vocabulary.clone().with_end_tokens(vec![0]).unwrap();
        assert_eq!((other.tokens_with(b'a'), vocabulary.tokens_with(b'a')), (&[1][..], &[0][..]));
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
