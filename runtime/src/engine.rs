//! The engine: a validated grammar together with the bytes of its vocabulary's tokens.
//!
//! An [`Engine`] borrows both and never changes. [`Engine::new`] refuses a vocabulary other than the one that
//! the grammar was compiled for, because a mask is a set of token ids, which mean nothing without their
//! vocabulary.

use core::fmt;

use crate::characters::Characters;
use crate::error::Error;
use gcc_grammar_artifact::ids::TokenId;
use gcc_grammar_artifact::{
    ArtifactError, Fingerprint, GrammarView, TokenTrie, VocabularyBases, VocabularyView,
};

/// The bytes of the tokens, as the runtime needs them. It is `Sync`, so that an [`Engine`] can be shared by
/// threads.
pub trait Tokens: Sync {
    /// The bytes of a text token; `None` for special tokens, which are matched by id, and for ids without a
    /// token.
    fn bytes(&self, token: TokenId) -> Option<&[u8]>;

    /// The number of tokens in a mask, including padding.
    fn width(&self) -> u32;

    /// The fingerprint by which artifacts name the vocabulary. It covers the width.
    fn fingerprint(&self) -> Fingerprint;

    /// What each token is made of, by its id; or nothing, and then masks near the end of a budget take longer.
    fn characters(&self) -> &[Characters] {
        &[]
    }

    /// The trie of the text tokens; without it, masks near the end of a budget take longer.
    fn trie(&self) -> Option<TokenTrie<'_>> {
        None
    }

    /// The base bitmaps, to which masks of grammars may refer. Without them, such a grammar is refused.
    fn bases(&self) -> VocabularyBases<'_> {
        VocabularyBases::default()
    }
}

impl Tokens for VocabularyView<'_> {
    fn bytes(&self, token: TokenId) -> Option<&[u8]> {
        self.bytes(token)
    }

    fn width(&self) -> u32 {
        self.meta().mask_width
    }

    fn fingerprint(&self) -> Fingerprint {
        self.fingerprint()
    }

    fn bases(&self) -> VocabularyBases<'_> {
        self.bases()
    }
}

/// A validated grammar together with its vocabulary. Any number of [matchers](crate::Matcher) share one, also
/// from several threads: it is `Send` and `Sync`, and covariant in its lifetime.
#[derive(Clone, Copy)]
pub struct Engine<'a> {
    pub(crate) grammar: GrammarView<'a>,
    pub(crate) tokens: &'a dyn Tokens,
}

impl<'a> Engine<'a> {
    /// Combines a grammar with its vocabulary.
    ///
    /// # Errors
    /// [`ArtifactError::WrongVocabulary`] if the grammar was compiled for another vocabulary;
    /// [`ArtifactError::MissingBase`] and [`ArtifactError::WrongBase`] if it refers to base bitmaps that are not those of
    /// the vocabulary;
    /// [`ArtifactError::MalformedTable`] if its masks have another width than that vocabulary.
    pub fn new(grammar: GrammarView<'a>, tokens: &'a dyn Tokens) -> Result<Self, ArtifactError> {
        grammar.check_vocabulary(&tokens.fingerprint())?;
        grammar.check_width(tokens.width())?;
        let bases = if grammar.refers_to_bases() { tokens.bases() } else { VocabularyBases::default() };
        Ok(Self { grammar: grammar.with_bases(bases)?, tokens })
    }

    /// The grammar.
    #[must_use]
    pub const fn grammar(&self) -> &GrammarView<'a> {
        &self.grammar
    }

    /// The number of words in a mask row: ceil(V / 32), for a vocabulary of V token ids.
    #[must_use]
    pub const fn row_words(&self) -> usize {
        self.grammar.row_words()
    }

    /// Whether a matcher of this engine can continue on the other engine: what it remembers of masks has the same numbers there.
    pub(crate) fn is_alike(&self, other: &Engine<'_>) -> bool {
        self.grammar.numbering() == other.grammar.numbering()
    }

    /// The number of words of scratch that suffices for outputs of any length, nested up to about 16,000
    /// levels deep.
    ///
    /// Each further level takes five words more. Short or flat outputs need fewer words.
    #[must_use]
    pub const fn scratch_words(&self) -> usize {
        self.grammar.container().header().scratch_recommended as usize
    }

    /// The number of words of scratch for a matcher whose scratch is made larger when it is full: what
    /// [`scratch_words`](Self::scratch_words) recommends, within bounds, since that number may be forged.
    #[must_use]
    pub fn first_scratch_words(&self) -> usize {
        self.scratch_words().clamp(MIN_FIRST_SCRATCH_WORDS, MAX_FIRST_SCRATCH_WORDS)
    }
}

/// The largest scratch of a matcher whose scratch is made larger when it is full, in words: 256 MiB, enough for outputs that nest
/// millions of levels deep.
const MAX_SCRATCH_WORDS: usize = 1 << 26;
const MIN_FIRST_SCRATCH_WORDS: usize = 1 << 10;
const MAX_FIRST_SCRATCH_WORDS: usize = 1 << 18;

/// The size to replace a full scratch of `words` words by.
///
/// # Errors
/// [`Error::ScratchFull`] above 256 MiB.
pub const fn larger_scratch(words: usize) -> Result<usize, Error> {
    if words < MAX_SCRATCH_WORDS { Ok(words * 2) } else { Err(Error::ScratchFull) }
}

/// Makes something with `words` words of scratch, or with more as long as they are too few.
///
/// # Errors
/// Those of `make`, and [`Error::ScratchFull`] above 256 MiB.
pub fn with_enough_scratch<T>(
    mut words: usize,
    mut make: impl FnMut(usize) -> Result<T, Error>,
) -> Result<T, Error> {
    loop {
        match make(words) {
            Err(Error::ScratchFull) => words = larger_scratch(words)?,
            result => return result,
        }
    }
}

impl fmt::Debug for Engine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("grammar", self.grammar.counts()).finish_non_exhaustive()
    }
}
