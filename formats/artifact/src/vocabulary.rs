//! Compiled vocabularies: the bytes of the tokens, and the trie of the text tokens, as tables.
//!
//! [`VocabularyView`] opens a file and validates the tables that the runtime needs: the bytes of each token.
//! The compiler also reads the other tables, the text tokens in the order of their bytes and their trie, so
//! that it does not have to sort or build anything when it opens a vocabulary.
//!
//! Tokens are numbered from 0 to the highest token with bytes; `token_offsets` has one entry more. A *rank*
//! is a position in `order`, the non-empty text tokens sorted by (bytes, id). The trie is stored in preorder:
//! node 0 is the root, the subtree of node `n` is the interval `n..subtree_end(n)`, and the tokens that end
//! in it are the ranks `first_rank(n)..first_rank(subtree_end(n))`.

use crate::bases::{LongTokens, VocabularyBases};
use crate::container::{Container, FileKind, Fingerprint, Section, SectionElement};
use crate::error::ArtifactError;
use crate::ids::TokenId;
use crate::wire::{U32, words};

/// The largest mask width. Token ids stay below it.
pub const MAX_WIDTH: u32 = 1 << 24;

/// The largest length of a token in bytes. The trie stores depths in 16 bits.
pub const MAX_TOKEN_BYTES: u32 = u16::MAX as u32;

record! {
    /// Numbers that are not the length of a table.
    pub struct VocabularyMeta {
        /// V: number of tokens in a mask, the padded vocabulary size of the model.
        mask_width: u32,
        /// Length of the longest text token in bytes.
        max_token_bytes: u32,
        /// SHA-256 of number, length and bytes of each token that has bytes, by ascending number.
        token_hash: [u8; 32],
    }
}

/// Declares section constants, and `SECTIONS`, the list of them.
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
    /// Per token, and once more: the offset of its bytes in `token_bytes`.
    TOKEN_OFFSETS = 0x201, "token_offsets", Word;
    /// The bytes of all tokens, by ascending number.
    TOKEN_BYTES = 0x202, "token_bytes", Byte;
    /// A bitmap over the tokens: 1 for text tokens, 0 for special tokens, end tokens and unused ids.
    TEXT_TOKENS = 0x203, "text_tokens", Word;
    /// Special tokens, ascending; a token with several names occurs several times.
    SPECIAL_IDS = 0x204, "special_ids", Word;
    /// CSR offsets per entry of `special_ids` into `special_names`.
    SPECIAL_OFFSETS = 0x205, "special_offsets", Word;
    /// The names of the special tokens, UTF-8.
    SPECIAL_NAMES = 0x206, "special_names", Byte;
    /// End tokens, strictly ascending.
    END_TOKENS = 0x207, "end_tokens", Word;
    /// Base bitmaps, to which grammars refer: as in `base_words` of a grammar. Vocabularies inside of
    /// grammars have neither this section nor `long_tokens` and the others whose names begin with `base`.
    BASE_WORDS = 0x208, "base_words", Word;
    /// Two words per base bitmap: its checksum, XXH3-64, the low word first.
    BASE_CHECKSUMS = 0x209, "base_checksums", Word;
    /// How many characters of a JSON string tokens begin: the numbers of entries of the first two lists; 1 if characters can be counted, else 0; then the entries of three lists. The first
    /// two have the tokens that begin 16 or more where they are read between two characters, and after a backslash, and the third those that begin some behind a quote, the most
    /// behind any. An entry is a token + (number of characters << 24); greater numbers come first.
    LONG_TOKENS = 0x20a, "long_tokens", Word;
    /// Non-empty text tokens, sorted by bytes, then by number.
    ORDER = 0x210, "order", Word;
    /// Four words per node, and once more: the end of its subtree; the rank of the first token at or after
    /// it; the entry of `trie_symbol_sets` with the symbols that occur below it; depth + (last byte << 16) +
    /// (length of the longest string below in bytes, at most 255, << 24).
    TRIE_NODES = 0x211, "trie_nodes", Word;
    /// Sets of symbols, eight words each: symbol b is bit b % 32 of word b / 32. If all strings below a node
    /// continue as well-formed UTF-8, the set has their ASCII characters, and 0xF8 + k if they have others,
    /// where k is the place of the node: 0 between two characters; 1, 2, 3 that many bytes before the end of
    /// a character; 4, 5, 6, 7 after a first byte E0, ED, F0, F4. Else it has the bytes of the strings, with
    /// 0xC0 for bytes that occur in no UTF-8 text. 0xC1 is in all sets except those with k from 1 to 7.
    TRIE_SYMBOL_SETS = 0x213, "trie_symbol_sets", Word;
    /// Per rank: the number of characters in the token, that is, of bytes outside 80 to BF.
    CHARACTERS = 0x214, "characters", Word;
    /// CSR offsets per base bitmap into `base_ranges`, in ranges.
    BASE_OFFSETS = 0x215, "base_offsets", Word;
    /// Two words per range of ranks in a base bitmap: the first rank, and one past the last. The ranges of a bitmap ascend.
    BASE_RANGES = 0x216, "base_ranges", Word;
    /// Per node of the trie: the entry of `trie_child_sets` with the bytes of its children. Files may lack this section and
    /// `trie_child_sets`; both follow from `trie_nodes`.
    TRIE_CHILDREN = 0x217, "trie_children", Word;
    /// Sets of bytes, eight words each: byte b is bit b % 32 of word b / 32.
    TRIE_CHILD_SETS = 0x218, "trie_child_sets", Word;
    /// Precomputed walks, which save compilations time: the keys of languages, eight words each, strictly ascending as four words of 64 bits.
    /// Files may lack this section and the others whose names begin with `walk`.
    WALK_LANGUAGES = 0x219, "walk_languages", Word;
    /// CSR offsets per language into `walks`, in walks.
    WALK_OFFSETS = 0x21a, "walk_offsets", Word;
    /// Three words per walk: a node below which it begins, or 2^31 + the set of nodes at which it begins; the set of tokens, by rank, that
    /// end within a lexeme; the set of nodes at which a lexeme may have ended. The walks of a language ascend by their first words.
    WALKS = 0x21b, "walks", Word;
    /// CSR offsets per set into `walk_parts`, in parts. Sets ascend by their parts.
    WALK_SETS = 0x21c, "walk_sets", Word;
    /// Two words per part of a set of ranks or nodes: a position p, and the entry of `walk_blocks` with the ranks or nodes from 1024 p on.
    /// The parts of a set ascend by their positions.
    WALK_PARTS = 0x21d, "walk_parts", Word;
    /// Bitmaps, 32 words each, strictly ascending as 16 words of 64 bits.
    WALK_BLOCKS = 0x21e, "walk_blocks", Word;
}

/// The tokens of a compiled vocabulary, whose tables were validated.
///
/// # Invariants
/// 1. `offsets` is not empty, begins with 0, does not descend, and ends with the length of `bytes`.
/// 2. `text` has a bit for every token with bytes.
/// 3. `ends` ascends strictly, `specials` does not descend.
/// 4. Every token is below `mask_width`, which is at most [`MAX_WIDTH`]; `max_token_bytes` is at most
///    [`MAX_TOKEN_BYTES`].
#[derive(Clone, Copy, Debug)]
pub struct VocabularyView<'a> {
    container: Container<'a>,
    meta: VocabularyMeta,
    offsets: &'a [U32],
    bytes: &'a [u8],
    text: &'a [U32],
    specials: &'a [U32],
    ends: &'a [U32],
    bases: VocabularyBases<'a>,
}

impl<'a> VocabularyView<'a> {
    /// Opens the bytes of a file and validates the tables that this view reads, in time linear in their size,
    /// without allocation.
    ///
    /// # Errors
    /// The errors of [`Container::open`]; [`ArtifactError::MissingSection`],
    /// [`ArtifactError::SectionChecksum`] and [`ArtifactError::MalformedTable`] for a section.
    pub fn open(file: &'a [u8]) -> Result<Self, ArtifactError> {
        let container = Container::open(file, FileKind::Vocabulary)?;
        container.check_gaps()?;
        let meta = container.bytes(&META)?.try_into().map(VocabularyMeta::read);
        let view = Self {
            container,
            meta: meta.or(malformed(&META, 0, "wrong size"))?,
            offsets: container.words(&TOKEN_OFFSETS)?,
            bytes: container.bytes(&TOKEN_BYTES)?,
            text: container.words(&TEXT_TOKENS)?,
            specials: container.words(&SPECIAL_IDS)?,
            ends: container.words(&END_TOKENS)?,
            bases: VocabularyBases::default(),
        };
        view.validate()?;
        let view = Self { bases: view.read_bases()?, ..view };
        Ok(view)
    }

    fn validate(&self) -> Result<(), ArtifactError> {
        check_offsets(&TOKEN_OFFSETS, self.offsets, self.bytes.len())?;
        if self.text.len() != (self.offsets.len() - 1).div_ceil(32) {
            return malformed(&TEXT_TOKENS, self.text.len(), "wrong number of entries");
        }
        check_pairs(&SPECIAL_IDS, self.specials, |a, b| a <= b)?;
        check_pairs(&END_TOKENS, self.ends, |a, b| a < b)?;
        self.check_meta()
    }

    fn check_meta(&self) -> Result<(), ArtifactError> {
        let VocabularyMeta { mask_width, max_token_bytes, .. } = self.meta;
        if mask_width > MAX_WIDTH {
            return malformed(&META, 0, "`mask_width` is more than a vocabulary may have");
        }
        if max_token_bytes > MAX_TOKEN_BYTES {
            return malformed(&META, 0, "`max_token_bytes` is more than a token may have");
        }
        let highest = [self.specials.last(), self.ends.last()].into_iter().flatten().map(|id| id.get()).max();
        if self.offsets.len() - 1 > mask_width as usize || highest.is_some_and(|id| id >= mask_width) {
            return malformed(&META, 0, "there is a token beyond `mask_width`");
        }
        Ok(())
    }

    /// Reads and validates the base bitmaps, if the file has them.
    fn read_bases(&self) -> Result<VocabularyBases<'a>, ArtifactError> {
        let checksums = match self.container.words(&BASE_CHECKSUMS) {
            Err(ArtifactError::MissingSection { .. }) => return Ok(VocabularyBases::default()),
            checksums => checksums?,
        };
        // The bitmaps have checksums of their own.
        let (bytes, _) = self.container.stored(&BASE_WORDS)?;
        let row_words = self.meta.mask_width.div_ceil(32) as usize;
        let bases = words(bytes).and_then(|words| VocabularyBases::new(words, checksums, row_words));
        let problem = "wrong number of entries";
        let malformed_words = ArtifactError::MalformedTable { table: BASE_WORDS.name, index: 0, problem };
        let bases = bases.ok_or(malformed_words)?;
        if bases.first_damaged().is_some() {
            return Err(ArtifactError::SectionChecksum { kind: BASE_WORDS.kind });
        }
        let last_bits = self.meta.mask_width % 32;
        let beyond = if last_bits == 0 { 0 } else { u32::MAX << last_bits };
        let mut last_words = bases.words().iter().skip(row_words.saturating_sub(1)).step_by(row_words.max(1));
        if let Some(base) = last_words.position(|word| word.get() & beyond != 0) {
            return malformed(&BASE_WORDS, base * row_words, "there is a token beyond `mask_width`");
        }
        match self.container.words(&LONG_TOKENS) {
            Err(ArtifactError::MissingSection { .. }) => Ok(bases),
            words => Ok(bases.with_long_tokens(LongTokens::new(words?))),
        }
    }

    /// The base bitmaps, to which grammars refer.
    #[must_use]
    pub const fn bases(&self) -> VocabularyBases<'a> {
        self.bases
    }

    /// The container of the vocabulary.
    #[must_use]
    pub const fn container(&self) -> &Container<'a> {
        &self.container
    }

    /// The record with numbers that are not the length of a table.
    #[must_use]
    pub const fn meta(&self) -> &VocabularyMeta {
        &self.meta
    }

    /// The fingerprint by which grammar artifacts name the vocabulary.
    #[must_use]
    pub const fn fingerprint(&self) -> Fingerprint {
        self.container.header().vocabulary
    }

    /// The offset of each token's bytes, and the end of the last ones.
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

    /// The bytes of a text token; `None` for a special token, an end token, an unused id or padding.
    #[must_use]
    pub fn bytes(&self, token: TokenId) -> Option<&'a [u8]> {
        let word = self.text.get(token.index() / 32)?;
        if word.get() >> (token.0 % 32) & 1 == 1 { self.stored(token) } else { None }
    }

    /// The bytes stored for a token of any kind, empty for an unused id; `None` beyond the last token.
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

/// Checks that the words are CSR offsets into `length` columns: they begin with 0, do not descend, and end
/// with `length`.
///
/// # Errors
/// [`ArtifactError::MalformedTable`].
pub fn check_offsets(section: &Section, words: &[U32], length: usize) -> Result<(), ArtifactError> {
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return malformed(section, 0, "there are no entries");
    };
    if first.get() != 0 {
        return malformed(section, 0, "the offsets do not start at 0");
    }
    if last.get() as usize != length {
        return malformed(section, words.len() - 1, "the offsets do not end at the end of the columns");
    }
    check_pairs(section, words, |a, b| a <= b)
}

/// Checks that neighbours satisfy `ordered`.
fn check_pairs(
    section: &Section,
    words: &[U32],
    ordered: impl Fn(u32, u32) -> bool,
) -> Result<(), ArtifactError> {
    let is_ordered = |pair: &[U32]| ordered(pair[0].get(), pair[1].get());
    // The loop does not stop early: this is faster in the usual case that all pairs are ordered.
    if words.windows(2).fold(true, |all, pair| all & is_ordered(pair)) {
        return Ok(());
    }
    match words.windows(2).position(|pair| !is_ordered(pair)) {
        Some(index) => malformed(section, index + 1, "the entries are not in order"),
        None => Ok(()),
    }
}

fn malformed<T>(section: &Section, index: usize, problem: &'static str) -> Result<T, ArtifactError> {
    Err(ArtifactError::MalformedTable { table: section.name, index, problem })
}
