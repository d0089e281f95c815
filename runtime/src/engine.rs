//! A validated grammar together with its vocabulary.

use core::fmt;

use gcc_grammar_artifact::ids::TokenId;
use gcc_grammar_artifact::{ArtifactError, Fingerprint, GrammarView, VocabularyView};

/// The bytes of the tokens, as the runtime needs them. It is `Sync`, so that an [`Engine`] can be shared by threads.
pub trait Tokens: Sync {
    /// The bytes of a text token; `None` for special tokens (they are matched by id) and for ids without a token.
    fn bytes(&self, token: TokenId) -> Option<&[u8]>;

    /// The fingerprint that grammar artifacts name the vocabulary by.
    fn fingerprint(&self) -> Fingerprint;
}

impl Tokens for VocabularyView<'_> {
    fn bytes(&self, token: TokenId) -> Option<&[u8]> {
        self.bytes(token)
    }

    fn fingerprint(&self) -> Fingerprint {
        self.fingerprint()
    }
}

/// A validated grammar together with its vocabulary. Any number of [matchers](crate::Matcher) share one, also from
/// several threads: it is `Send` and `Sync`, and covariant in its lifetime.
#[derive(Clone, Copy)]
pub struct Engine<'a> {
    pub(crate) grammar: GrammarView<'a>,
    pub(crate) tokens: &'a dyn Tokens,
}

impl<'a> Engine<'a> {
    /// Brings a grammar and a vocabulary together.
    ///
    /// # Errors
    /// [`ArtifactError::WrongVocabulary`] if the grammar was compiled for another one.
    pub fn new(grammar: GrammarView<'a>, tokens: &'a dyn Tokens) -> Result<Self, ArtifactError> {
        grammar.check_vocabulary(&tokens.fingerprint())?;
        Ok(Self { grammar, tokens })
    }

    /// The grammar.
    #[must_use]
    pub const fn grammar(&self) -> &GrammarView<'a> {
        &self.grammar
    }

    /// Words in a mask row: ceil(V / 32).
    #[must_use]
    pub const fn row_words(&self) -> usize {
        self.grammar.row_words()
    }

    /// The header checksum of the artifact. It covers the whole file: the header holds the checksum of the directory, and
    /// the directory those of the sections.
    pub(crate) const fn artifact_checksum(&self) -> u64 {
        self.grammar.container().header().header_checksum
    }

    /// Words of scratch for outputs of any length that nest less than about 16,000 levels deep; deeper ones need four words more
    /// for each level. A matcher works with fewer, if the output is short or not nested deeply.
    #[must_use]
    pub const fn scratch_words(&self) -> usize {
        self.grammar.container().header().scratch_recommended as usize
    }
}

impl fmt::Debug for Engine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("grammar", self.grammar.counts()).finish_non_exhaustive()
    }
}
