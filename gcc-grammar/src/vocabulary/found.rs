//! Vocabularies by name, file or model folder, and texts as their tokens.

use super::Vocabulary;
use super::folder::default_folder;
use super::named::Named;
use crate::error::{Error, ErrorKind};
use crate::files::mapped::map_vocabulary;
use crate::metadata::VocabularyTokens;
use crate::precomputed_walks::walks;
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_tokenizers::{Overrides, Registry, Resolved, Tokenization, Tokenizer, TokenizerOptions};
use gcc_grammar_vocabulary::ErrorKind as VocabularyErrorKind;
use std::path::PathBuf;

/// The registry of imported and compiled vocabularies: in `folder`, or by default in the user's data folder. If there is no
/// such folder, nothing is imported, and vocabularies are compiled each time.
#[must_use]
pub fn registry(folder: Option<PathBuf>) -> Registry {
    let folder = folder.or_else(default_folder);
    folder.map_or_else(Registry::without_folder, Registry::new).mapping(map_vocabulary).walking(walks)
}

/// Finding.
impl Vocabulary {
    /// Loads the vocabulary of a built-in or imported name, a tokenizer file or a model folder, from the default registry.
    ///
    /// # Errors
    /// The name is unknown, or the file is no usable tokenizer.
    pub fn load(name: &str) -> Result<Self, Error> {
        Self::load_from(&registry(None), name, &Overrides::default())
    }

    /// Loads a vocabulary from a registry, with another mask width or other end tokens than its source says.
    ///
    /// # Errors
    /// As [`load`](Self::load), and if the overrides do not fit the vocabulary.
    pub fn load_from(registry: &Registry, name: &str, overrides: &Overrides) -> Result<Self, Error> {
        Ok(registry.resolve(name, overrides)?.into())
    }

    /// Loads the vocabulary of an artifact; `name` and `overrides` take precedence over what the artifact says. Without a name, it is
    /// the built-in or imported vocabulary with the same tokens.
    ///
    /// # Errors
    /// As [`load_from`](Self::load_from). Whether the vocabulary is the right one is for its fingerprint to say.
    pub(crate) fn load_for(
        registry: &Registry,
        artifact: &str,
        wanted: &VocabularyTokens,
        name: Option<&str>,
        overrides: &Overrides,
    ) -> Result<Self, Error> {
        let ids = |tokens: &[u32]| tokens.iter().map(u32::to_string).collect();
        let completed = Overrides {
            width: overrides.width.or(Some(wanted.width)),
            end_tokens: if overrides.end_tokens.is_empty() {
                ids(&wanted.end_tokens)
            } else {
                overrides.end_tokens.clone()
            },
        };
        match name {
            None => {
                let name = registry.name_of_tokens(&wanted.tokens).ok_or_else(|| not_found(artifact))?;
                Ok(registry.resolve(&name, &completed)?.into())
            }
            Some(name) => match registry.resolve(name, &completed) {
                // The width or end tokens of the artifact do not fit the vocabulary: it is another one, as its fingerprint will say.
                Err(error) if error.kind == VocabularyErrorKind::Inconsistent => {
                    Self::load_from(registry, name, overrides)
                }
                resolved => Ok(resolved?.into()),
            },
        }
    }
}

/// The model's own tokenizer.
impl Vocabulary {
    /// The vocabulary with its name, origin and cache, as the registry gives it.
    #[must_use]
    pub fn resolved(&self) -> &Resolved {
        self.0.named.resolved()
    }

    /// The model's own tokenizer, which takes names of special tokens for ordinary text. It is made once for all clones.
    ///
    /// # Errors
    /// The tokenizer file cannot be read any more.
    pub fn tokenizer(&self) -> Result<&Tokenizer, Error> {
        self.0.named.tokenizer(TokenizerOptions::default())
    }

    /// Cuts the text of an output into tokens, as the model's own tokenizer cuts it in the middle of a text: it is not normalized, and gets no
    /// space in front, so that the tokens spell exactly the text. If `special_names` is set, names of special tokens in the text stand for
    /// those tokens.
    ///
    /// # Errors
    /// The vocabulary cannot spell the text.
    pub fn tokenize(&self, text: &[u8], special_names: bool) -> Result<Tokenization, Error> {
        let tokenizer = self.tokenizer()?;
        let tokens = match special_names {
            true => tokenizer.tokenize_with_names(text),
            false => tokenizer.tokenize(text),
        };
        tokens.map_err(|error| self.0.named.unspellable(error))
    }

    /// Cuts a text that starts a prompt into tokens, as the model's own tokenizer does, without the special tokens that frame a prompt: the
    /// text is normalized, and gets a space in front, where the tokenizer does so.
    ///
    /// # Errors
    /// The tokenizer file cannot be read any more, or the vocabulary cannot spell the text.
    pub fn tokenize_prompt(&self, text: &[u8], special_names: bool) -> Result<Tokenization, Error> {
        let options = TokenizerOptions { special_names, prompt: true };
        let tokens = self.0.named.tokenizer(options)?.tokenize(text);
        tokens.map_err(|error| self.0.named.unspellable(error))
    }
}

fn not_found(artifact: &str) -> Error {
    let message = "compiled for a vocabulary whose tokens are neither those of a built-in vocabulary nor of an imported one";
    let diagnostic =
        Diagnostic::error(Code::VocabularyNotFound, message).help("say where it is with --vocab");
    Error::new(ErrorKind::NotFound, artifact, diagnostic)
}

impl From<Resolved> for Vocabulary {
    fn from(resolved: Resolved) -> Self {
        Named::from(resolved).into()
    }
}
