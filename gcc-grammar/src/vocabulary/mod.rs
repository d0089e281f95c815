//! Tokenizer vocabularies: given as tokens or as a compiled file, or found by name, and shared.
//!
//! | module | content |
//! |---|---|
//! | `named` | the tokens with their name, and with the feature `tokenizers` the model's own tokenizer |
//! | `found` | vocabularies by name, file or model folder; texts as tokens; with the feature `tokenizers` |
//! | `folder` | the folder where they are kept |

mod folder;
#[cfg(feature = "tokenizers")]
mod found;
#[cfg_attr(not(feature = "tokenizers"), path = "named_without_tokenizer.rs")]
mod named;

pub(crate) use self::named::CanonicalState;
use self::named::Named;
use crate::error::Error;
use crate::metadata::VocabularyTokens;
use gcc_grammar_artifact::{Fingerprint, TokenTrie, VocabularyBases};
use gcc_grammar_ir::{SpecialNames, SpecialTokens};
use gcc_grammar_runtime::{Characters, TokenId, Tokens};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

pub use self::folder::default_folder;
#[cfg(feature = "tokenizers")]
pub use self::found::registry;
#[cfg(feature = "tokenizers")]
pub use gcc_grammar_tokenizers::{
    BUILTINS, Builtin, Cache, CompiledFile, Origin, Overrides, Registry, Resolved, Tokenization, Tokenizer,
};
pub use gcc_grammar_vocabulary::SpecialToken;

/// A vocabulary with its name and origin. Clones share it.
#[derive(Clone)]
pub struct Vocabulary(Arc<Shared>);

struct Shared {
    named: Named,
    /// What each token is made of, once a matcher with a budget needs it.
    characters: OnceLock<Box<[Characters]>>,
    /// The names of the special tokens, once a grammar is read.
    special_names: OnceLock<SpecialNames>,
}

impl Vocabulary {
    /// Gives a vocabulary of the compiler a name.
    #[must_use]
    pub fn new(name: &str, tokens: gcc_grammar_vocabulary::Vocabulary) -> Self {
        Named::compiled(name, PathBuf::from(name), tokens).into()
    }

    /// Makes a vocabulary of the given tokens, whose ids are their positions. One more token, the special
    /// token `<end>`, ends the output.
    ///
    /// # Errors
    /// There are too many tokens, or a token is too long.
    pub fn from_tokens<T: Into<Vec<u8>>>(
        name: &str,
        tokens: impl IntoIterator<Item = T>,
    ) -> Result<Self, Error> {
        let tokens: Vec<(u32, Vec<u8>)> = (0..).zip(tokens.into_iter().map(Into::into)).collect();
        let end = tokens.len() as u32;
        let special = SpecialToken { id: end, text: "<end>".to_owned() };
        Self::from_parts(name, tokens, vec![special], vec![end], end + 1)
    }

    /// Makes a vocabulary of tokens with their ids and bytes, special tokens, the ids of the tokens that end the output,
    /// and the width of masks in tokens. Ids that have neither bytes nor a name are never allowed.
    ///
    /// # Errors
    /// An id occurs twice or is not below the width, an end token is not among the tokens, or a limit is exceeded.
    pub fn from_parts(
        name: &str,
        tokens: Vec<(u32, Vec<u8>)>,
        specials: Vec<SpecialToken>,
        end_tokens: Vec<u32>,
        width: u32,
    ) -> Result<Self, Error> {
        let vocabulary =
            gcc_grammar_vocabulary::Vocabulary::from_tokens(tokens, specials, end_tokens, width)?;
        Ok(Self::new(name, vocabulary))
    }

    /// Makes a vocabulary from a compiled one, such as the vocabulary inside a self-contained artifact.
    ///
    /// # Errors
    /// The bytes are no vocabulary artifact.
    pub fn from_artifact(name: &str, file: &[u8], path: PathBuf) -> Result<Self, Error> {
        let vocabulary =
            gcc_grammar_vocabulary::Vocabulary::from_artifact(file).map_err(|error| error.in_file(&path))?;
        Ok(Named::compiled(name, path, vocabulary).into())
    }

    /// The name of the vocabulary.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.named.name()
    }

    /// The tokens.
    #[must_use]
    pub fn tokens(&self) -> &gcc_grammar_vocabulary::Vocabulary {
        self.0.named.tokens()
    }

    /// The tokens of a text as the model's own tokenizer cuts it; none if that is not known, or changes the text.
    ///
    /// # Errors
    /// The tokenizer file cannot be read any more.
    pub(crate) fn cut_exactly(&self, text: &[u8]) -> Result<Option<Vec<u32>>, Error> {
        self.0.named.cut_exactly(text)
    }

    /// What can be the case at the beginning of a text that the model's own tokenizer cuts; none if that is not known.
    pub(crate) fn canonical_begin(&self) -> Option<CanonicalState> {
        self.0.named.canonical_begin()
    }

    /// The same behind a token; none if the tokenizer does not write it there.
    pub(crate) fn canonical_push(&self, state: &CanonicalState, token: u32) -> Option<CanonicalState> {
        self.0.named.canonical_push(state, token)
    }

    /// Takes the tokens out of a mask that the tokenizer does not write there.
    pub(crate) fn canonical_restrict(&self, state: &CanonicalState, row: &mut [u32]) {
        self.0.named.canonical_restrict(state, row);
    }

    /// Whether a state can be one of this vocabulary.
    pub(crate) fn canonical_has(&self, state: &CanonicalState) -> bool {
        self.0.named.canonical_has(state)
    }

    /// The tokens of a text, as the model's own tokenizer cuts it where that is known.
    ///
    /// # Errors
    /// The tokenizer file cannot be read any more, or no tokens spell the text.
    pub(crate) fn spell(&self, text: &[u8]) -> Result<Vec<u32>, Error> {
        self.0.named.spell(text)
    }

    /// The bytes of a sequence of tokens; tokens without bytes count for nothing.
    #[must_use]
    pub fn text_of(&self, tokens: &[u32]) -> Vec<u8> {
        tokens.iter().flat_map(|&token| self.tokens().bytes(token).unwrap_or_default()).copied().collect()
    }

    /// The name, width and end tokens, as metadata stores them.
    pub(crate) fn to_metadata(&self) -> VocabularyTokens {
        VocabularyTokens {
            tokens: self.tokens().canonical_hash(),
            width: self.tokens().width(),
            end_tokens: self.tokens().end_tokens().to_vec(),
        }
    }
}

impl Vocabulary {
    /// The names of the special tokens, which literals may contain.
    pub(crate) fn special_names(&self) -> &SpecialNames {
        let specials = || self.tokens().specials().iter().map(|special| (special.id, special.text.as_str()));
        self.0.special_names.get_or_init(|| SpecialNames::new(specials(), SpecialTokens::default()))
    }
}

impl From<Named> for Vocabulary {
    fn from(named: Named) -> Self {
        Self(Arc::new(Shared { named, characters: OnceLock::new(), special_names: OnceLock::new() }))
    }
}

impl fmt::Debug for Vocabulary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vocabulary")
            .field("name", &self.name())
            .field("width", &self.tokens().width())
            .finish_non_exhaustive()
    }
}

impl Tokens for Vocabulary {
    fn bytes(&self, token: TokenId) -> Option<&[u8]> {
        self.tokens().bytes(token.0)
    }

    fn width(&self) -> u32 {
        self.tokens().width()
    }

    fn fingerprint(&self) -> Fingerprint {
        self.tokens().fingerprint()
    }

    fn characters(&self) -> &[Characters] {
        let of = |id| Characters::of(self.tokens().bytes(id).unwrap_or_default());
        self.0.characters.get_or_init(|| (0..self.tokens().width()).map(of).collect())
    }

    fn trie(&self) -> Option<TokenTrie<'_>> {
        Some(self.tokens().token_trie())
    }

    fn bases(&self) -> VocabularyBases<'_> {
        self.tokens().bases().view()
    }
}
