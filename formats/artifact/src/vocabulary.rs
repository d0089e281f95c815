//! The tables of a compiled vocabulary.
//!
//! The runtime reads the first group through [`VocabularyView`]: which bytes a token stands for. The compiler reads all
//! of it: text tokens in the order of their bytes, and their trie, so that nothing is sorted or built when a
//! vocabulary is opened.
//!
//! Tokens are numbered 0.. up to the highest one with bytes; `token_offsets` has one entry more than that. A *rank* is a
//! position in `order`, the non-empty text tokens sorted by (bytes, id). The trie lies in preorder: node 0 is the
//! root, the subtree of node `n` is `n..subtree_end(n)`, the tokens that end in it are the ranks
//! `first_rank(n)..first_rank(subtree_end(n))`.

use crate::container::{Container, FileKind, Fingerprint, Section, SectionElement};
use crate::error::ArtifactError;
use crate::ids::TokenId;
use crate::wire::U32;

record! {
    /// Numbers that are not the length of a table.
    pub struct VocabularyMeta {
        /// V: tokens in a mask, the model's padded vocabulary size.
        mask_width: u32,
        /// Bytes in the longest text token.
        max_token_bytes: u32,
        /// SHA-256 over the tokens that have bytes, by ascending number: number, length, bytes.
        token_hash: [u8; 32],
    }
}

/// Declares a section constant.
macro_rules! sections {
    ($($(#[doc = $doc:literal])+ $constant:ident = $kind:literal, $name:literal, $element:ident;)+) => {
        $($(#[doc = $doc])+ pub const $constant: Section = Section {
            kind: $kind,
            name: $name,
            element: SectionElement::$element,
            doc: concat!($($doc),+),
        };)+

        /// The sections, in order.
        pub const SECTIONS: &[Section] = &[$($constant),+];
    };
}

sections! {
    /// The record `VocabularyMeta`.
    META = 0x200, "vocabulary_meta", Byte;
    /// Per token, and once more: where its bytes start in `token_bytes`.
    TOKEN_OFFSETS = 0x201, "token_offsets", Word;
    /// The bytes of all tokens, by ascending number.
    TOKEN_BYTES = 0x202, "token_bytes", Byte;
    /// A bitmap over the tokens: 1 for text tokens. Special tokens, end tokens and holes are not text.
    TEXT_TOKENS = 0x203, "text_tokens", Word;
    /// Special tokens, ascending; one with several names occurs several times.
    SPECIAL_IDS = 0x204, "special_ids", Word;
    /// CSR offsets per entry of `special_ids` into `special_names`.
    SPECIAL_OFFSETS = 0x205, "special_offsets", Word;
    /// The names of the special tokens, UTF-8.
    SPECIAL_NAMES = 0x206, "special_names", Byte;
    /// End tokens, strictly ascending.
    END_TOKENS = 0x207, "end_tokens", Word;
    /// Non-empty text tokens, sorted by bytes, then by number.
    ORDER = 0x210, "order", Word;
    /// Four words per node, and once more: one past the last node of its subtree; the rank of the first token at or after
    /// it; which entry of `trie_symbol_sets` is the set of symbols that occur below it; depth + (last byte << 16) + (bytes
    /// of the longest string below, at most 255 << 24).
    TRIE_NODES = 0x211, "trie_nodes", Word;
    /// Sets of bytes, eight words each: byte b is bit b % 32 of word b / 32. Where all strings below a node go on as well-formed UTF-8,
    /// they are their ASCII characters, and 0xF8 + k if there is anything beyond ASCII, where the node lies k = 0: between two
    /// characters; 1, 2, 3: so many bytes before the end of one; 4, 5, 6, 7: after its first byte E0, ED, F0, F4. Elsewhere they are the bytes of the
    /// strings, with 0xC0 for those that occur in no UTF-8 text. 0xC1 is in all sets but those of k = 1 to 7.
    TRIE_SYMBOL_SETS = 0x213, "trie_symbol_sets", Word;
    /// Per rank: characters of the token, which are its bytes but for those from 80 to BF.
    CHARACTERS = 0x214, "characters", Word;
}

/// The bytes of the tokens of a compiled vocabulary, validated.
///
/// # Invariants
/// 1. `offsets` is not empty, begins with 0, does not descend and ends with the length of `bytes`.
/// 2. `text` has a bit for every token that `offsets` has bytes for.
/// 3. `ends` ascends strictly, `specials` does not descend.
#[derive(Clone, Copy, Debug)]
pub struct VocabularyView<'a> {
    container: Container<'a>,
    meta: VocabularyMeta,
    offsets: &'a [U32],
    bytes: &'a [u8],
    text: &'a [U32],
    specials: &'a [U32],
    ends: &'a [U32],
}

impl<'a> VocabularyView<'a> {
    /// Opens the bytes of a file and validates the tables that this view reads: O(n), without allocation.
    ///
    /// # Errors
    /// What [`Container::open`] finds; a section that is missing or damaged; a malformed table.
    pub fn open(file: &'a [u8]) -> Result<Self, ArtifactError> {
        let container = Container::open(file, FileKind::Vocabulary)?;
        let meta = container.bytes(&META)?.try_into().map(VocabularyMeta::read);
        let view = Self {
            container,
            meta: meta.or(malformed(&META, 0, "wrong size"))?,
            offsets: container.words(&TOKEN_OFFSETS)?,
            bytes: container.bytes(&TOKEN_BYTES)?,
            text: container.words(&TEXT_TOKENS)?,
            specials: container.words(&SPECIAL_IDS)?,
            ends: container.words(&END_TOKENS)?,
        };
        view.validate()?;
        Ok(view)
    }

    fn validate(&self) -> Result<(), ArtifactError> {
        check_offsets(&TOKEN_OFFSETS, self.offsets, self.bytes.len())?;
        if self.text.len() != (self.offsets.len() - 1).div_ceil(32) {
            return malformed(&TEXT_TOKENS, self.text.len(), "wrong number of entries");
        }
        check_pairs(&SPECIAL_IDS, self.specials, |a, b| a <= b)?;
        check_pairs(&END_TOKENS, self.ends, |a, b| a < b)
    }

    /// The container it lies in.
    #[must_use]
    pub const fn container(&self) -> &Container<'a> {
        &self.container
    }

    /// Numbers that are not the length of a table.
    #[must_use]
    pub const fn meta(&self) -> &VocabularyMeta {
        &self.meta
    }

    /// The fingerprint that grammar artifacts name the vocabulary by.
    #[must_use]
    pub const fn fingerprint(&self) -> Fingerprint {
        self.container.header().vocabulary
    }

    /// Where the bytes of each token start, and where the last ones end.
    #[must_use]
    pub const fn token_offsets(&self) -> &'a [U32] {
        self.offsets
    }

    /// The bytes of all tokens.
    #[must_use]
    pub const fn token_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The bitmap of text tokens.
    #[must_use]
    pub const fn text_tokens(&self) -> &'a [U32] {
        self.text
    }

    /// The special tokens, once per name.
    #[must_use]
    pub const fn special_ids(&self) -> &'a [U32] {
        self.specials
    }

    /// The bytes of a text token; `None` for a special token, an end token, a hole or padding.
    #[must_use]
    pub fn bytes(&self, token: TokenId) -> Option<&'a [u8]> {
        let word = self.text.get(token.index() / 32)?;
        if word.get() >> (token.0 % 32) & 1 == 1 { self.stored(token) } else { None }
    }

    /// The bytes that are stored for a token, text or not: none for a hole. `None` past the last one.
    #[must_use]
    pub fn stored(&self, token: TokenId) -> Option<&'a [u8]> {
        let end = self.offsets.get(token.index() + 1)?;
        self.bytes.get(self.offsets[token.index()].get() as usize..end.get() as usize)
    }

    /// Whether this is a special token.
    #[must_use]
    pub fn is_special(&self, token: TokenId) -> bool {
        self.specials.binary_search_by_key(&token.0, |id| id.get()).is_ok()
    }

    /// Whether this is an end token.
    #[must_use]
    pub fn is_end(&self, token: TokenId) -> bool {
        self.ends.binary_search_by_key(&token.0, |id| id.get()).is_ok()
    }

    /// The end tokens, ascending.
    pub fn end_tokens(&self) -> impl ExactSizeIterator<Item = TokenId> + use<'a> {
        self.ends.iter().map(|id| TokenId(id.get()))
    }
}

/// The words are the offsets of rows that make up `length` columns: 0, not descending, `length`.
///
/// # Errors
/// [`ArtifactError::MalformedTable`].
pub fn check_offsets(section: &Section, words: &[U32], length: usize) -> Result<(), ArtifactError> {
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return malformed(section, 0, "no entries");
    };
    if first.get() != 0 {
        return malformed(section, 0, "offsets do not start at 0");
    }
    if last.get() as usize != length {
        return malformed(section, words.len() - 1, "offsets do not end at the end of the columns");
    }
    check_pairs(section, words, |a, b| a <= b)
}

/// Neighbours satisfy `ordered`.
fn check_pairs(
    section: &Section,
    words: &[U32],
    ordered: impl Fn(u32, u32) -> bool,
) -> Result<(), ArtifactError> {
    let is_ordered = |pair: &[U32]| ordered(pair[0].get(), pair[1].get());
    // Without stopping at the first that is not, which is faster where all are.
    if words.windows(2).fold(true, |all, pair| all & is_ordered(pair)) {
        return Ok(());
    }
    match words.windows(2).position(|pair| !is_ordered(pair)) {
        Some(index) => malformed(section, index + 1, "not in order"),
        None => Ok(()),
    }
}

fn malformed<T>(section: &Section, index: usize, problem: &'static str) -> Result<T, ArtifactError> {
    Err(ArtifactError::MalformedTable { table: section.name, index, problem })
}
