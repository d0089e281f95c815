//! [`Vocabulary`]: the tokens of a model, prepared for compiling grammars.
//!
//! A vocabulary holds the bytes of every text token, the text tokens in byte order, the trie over them, the special
//! tokens, the end tokens and the mask width. It is built from unordered tokens (`build`) or read from a compiled file
//! (`artifact`). Equal vocabularies have equal fingerprints, and with the same precomputed walks equal compiled files, whatever they were read from.

mod build;
mod hash;

pub use hash::canonical_hash;

use crate::bases::{Bases, LazyBases};
use crate::containing::Containing;
use crate::follows::Follows;
use crate::table::Table;
use crate::trie::Trie;
use crate::walks::{MaybeWalks, PrecomputedWalks};
use gcc_grammar_artifact::TokenTrie;
use std::sync::Arc;

/// A control token. It is matched by its id and never by its text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SpecialToken {
    /// The id.
    pub id: u32,
    /// The name, such as `<|eot_id|>`.
    pub text: String,
}

/// The tokens of a model, prepared for compiling grammars. Clones share them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vocabulary(pub(crate) Arc<Tables>);

/// The tables of a vocabulary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tables {
    // Invariants:
    // 1. Every id is below `width`, which is at most `limits::WIDTH`.
    // 2. offsets has one entry more than there are ids up to the highest token with bytes. It starts with 0, does not
    //    decrease, and ends with blob.len(); the bytes of token t are blob[offsets[t]..offsets[t + 1]].
    // 3. is_text has a bit for each of those ids. The bit is 1 exactly for text tokens. Special tokens and end tokens are
    //    not text tokens. An end token may have bytes, so that it can become text when other end tokens are chosen.
    // 4. specials and end_tokens are sorted and have no repeated entries.
    // 5. order holds the non-empty text tokens sorted by (bytes, id), trie is the trie of order, and characters has an
    //    entry for each of them.
    // 6. canonical covers all tokens that have bytes; fingerprint covers everything but bases, walks and containing, which follow from the rest.
    // 7. bases, if they are made, are those of order, trie and width.
    // 8. walks, if there are any, are walks of the trie. They follow from the compiler and the trie.
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
    pub(crate) bases: LazyBases,
    pub(crate) walks: MaybeWalks,
    pub(crate) containing: Containing,
}

impl From<Tables> for Vocabulary {
    fn from(tables: Tables) -> Self {
        Self(Arc::new(tables))
    }
}

impl Vocabulary {
    /// The mask width in bits. It may exceed the ids of the tokenizer; the bits of padding ids are always 0.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.0.width
    }

    /// The number of ids, holes included: the highest id of a text, special or end token, plus 1.
    #[must_use]
    pub fn ids(&self) -> u32 {
        let special = self.0.specials.last().map_or(0, |special| special.id.saturating_add(1));
        let end = self.0.end_tokens.last().map_or(0, |&id| id.saturating_add(1));
        (self.0.offsets.len() as u32 - 1).max(special).max(end)
    }

    /// The bytes of a text token, which may be empty; `None` for a special token, an end token, a hole or padding.
    #[must_use]
    pub fn bytes(&self, id: u32) -> Option<&[u8]> {
        let word = self.0.is_text.get(id as usize / 32)?;
        if word >> (id % 32) & 1 == 1 { self.stored(id) } else { None }
    }

    /// The bytes of a token, whether it is a text token or not; empty for a hole.
    fn stored(&self, id: u32) -> Option<&[u8]> {
        let end = *self.0.offsets.get(id as usize + 1)?;
        Some(&self.0.blob[self.0.offsets[id as usize] as usize..end as usize])
    }

    /// The text tokens by ascending id: id and bytes.
    pub fn text_tokens(&self) -> impl Iterator<Item = (u32, &[u8])> {
        (0..self.0.offsets.len() as u32 - 1).filter_map(|id| Some((id, self.bytes(id)?)))
    }

    /// The text tokens that contain a byte, ascending.
    #[must_use]
    pub fn tokens_with(&self, byte: u8) -> &[u32] {
        self.0.containing.get_or_make(byte, self.text_tokens())
    }

    /// The text token with these bytes. Of several such tokens, this is the one with the lowest id.
    #[must_use]
    pub fn find(&self, bytes: &[u8]) -> Option<u32> {
        let at = self.0.order.partition_point(|&id| self.stored(id).is_some_and(|stored| stored < bytes));
        self.0.order.get(at).copied().filter(|&id| self.stored(id) == Some(bytes))
    }

    /// The special token with this name. Of several such tokens, this is the one with the lowest id.
    #[must_use]
    pub fn special(&self, text: &str) -> Option<u32> {
        self.0.specials.iter().find(|special| special.text == text).map(|special| special.id)
    }

    /// The name of a special token. Of several names, this is the first in text order.
    #[must_use]
    pub fn special_text(&self, id: u32) -> Option<&str> {
        let at = self.0.specials.partition_point(|special| special.id < id);
        self.0.specials.get(at).filter(|special| special.id == id).map(|special| special.text.as_str())
    }

    /// The special tokens by ascending id.
    #[must_use]
    pub fn specials(&self) -> &[SpecialToken] {
        &self.0.specials
    }

    /// The ids of the end tokens, ascending.
    #[must_use]
    pub fn end_tokens(&self) -> &[u32] {
        &self.0.end_tokens
    }

    /// The byte order: the ids of the non-empty text tokens, sorted by (bytes, id). A rank is an index into it.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.0.order
    }

    /// The trie and the order, as the runtime walks them.
    #[must_use]
    pub fn token_trie(&self) -> TokenTrie<'_> {
        self.0.trie.view(&self.0.order)
    }

    /// The trie over [`order`](Self::order).
    #[must_use]
    pub fn trie(&self) -> &Trie {
        &self.0.trie
    }

    /// The number of characters of each token of [`order`](Self::order): the number of its bytes that
    /// [begin a character](crate::begins_character).
    #[must_use]
    pub fn characters(&self) -> &[u32] {
        &self.0.characters
    }

    /// The SHA-256 of all tokens that have bytes, by ascending id: id and number of bytes as 32 bits little-endian, and
    /// bytes. It is equal for two files exactly if they define the same text tokens.
    #[must_use]
    pub fn canonical_hash(&self) -> [u8; 32] {
        self.0.canonical
    }

    /// The SHA-256 of a description of text tokens, special tokens, end tokens and width. A compiled grammar identifies
    /// its vocabulary by the fingerprint: masks are valid only for vocabularies with the same one.
    #[must_use]
    pub fn fingerprint(&self) -> [u8; 32] {
        self.0.fingerprint
    }

    /// The base bitmaps, to which grammars refer. If they were not read from a compiled file, the first call makes them.
    #[must_use]
    pub fn bases(&self) -> &Bases {
        self.0.bases.get_or_make(|| Bases::new(&self.0.trie, &self.0.order, self.0.width))
    }

    /// Walks of the trie that need not be made any more, if some are known.
    #[must_use]
    pub fn walks(&self) -> Option<&Arc<PrecomputedWalks>> {
        self.0.walks.0.as_ref()
    }

    /// The vocabulary with precomputed walks of its trie, in place of its own.
    #[must_use]
    pub fn with_walks(mut self, walks: PrecomputedWalks) -> Self {
        Arc::make_mut(&mut self.0).walks = Follows(Some(Arc::new(walks)));
        self
    }

    /// The length of the longest text token in bytes.
    #[must_use]
    pub fn max_token_len(&self) -> usize {
        self.0.max_token_len
    }
}
