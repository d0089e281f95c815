//! Tokenizer vocabularies: found by name, file or model folder, loaded, and shared.

use crate::error::{Error, ErrorKind};
use crate::mapped::map_vocabulary;
use crate::metadata::VocabularyName;
use gcc_grammar_artifact::Fingerprint;
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_runtime::{TokenId, Tokens};
use gcc_grammar_vocabulary::{ErrorKind as VocabularyErrorKind, SpecialToken, TokenizerOptions};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

pub use gcc_grammar_vocabulary::{
    BUILTINS, Builtin, Cache, Origin, Overrides, Registry, Resolved, Tokenization,
};

/// A vocabulary with its name and origin. Clones share it.
#[derive(Clone)]
pub struct Vocabulary(Arc<Resolved>);

/// The registry of imported and compiled vocabularies: in `folder`, or by default in the user's data folder. If there is no
/// such folder, nothing is imported, and vocabularies are compiled each time.
#[must_use]
pub fn registry(folder: Option<PathBuf>) -> Registry {
    let folder = folder.or_else(default_folder);
    folder.map_or_else(Registry::without_folder, Registry::new).mapping(map_vocabulary)
}

/// The folder for data of programs, as operating systems define it. A relative path counts for nothing, as the XDG Base
/// Directory Specification says: files in the current folder may be anyone's.
fn default_folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = variable("XDG_DATA_HOME").or_else(|| variable("LOCALAPPDATA"));
    let data = data.or_else(|| Some(variable("HOME")?.join(".local").join("share")));
    data.map(|data| data.join("gcc-grammar"))
}

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

    /// Loads the vocabulary that an artifact names; `name` and `overrides` take precedence over what the artifact says.
    ///
    /// # Errors
    /// As [`load_from`](Self::load_from). Whether the vocabulary is the right one is for its fingerprint to say.
    pub(crate) fn load_for(
        registry: &Registry,
        artifact: &str,
        named: &VocabularyName,
        name: Option<&str>,
        overrides: &Overrides,
    ) -> Result<Self, Error> {
        let ids = |tokens: &[u32]| tokens.iter().map(u32::to_string).collect();
        let completed = Overrides {
            width: overrides.width.or(Some(named.width)),
            end_tokens: if overrides.end_tokens.is_empty() {
                ids(&named.end_tokens)
            } else {
                overrides.end_tokens.clone()
            },
        };
        match name {
            None => {
                registry.resolve(&named.name, &completed).map(Self::from).map_err(|error| match error.kind {
                    VocabularyErrorKind::NotFound => not_found(artifact, &named.name),
                    _ => error.into(),
                })
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
        let vocabulary =
            gcc_grammar_vocabulary::Vocabulary::from_tokens(tokens, vec![special], vec![end], end + 1)?;
        let (origin, cache) = (Origin::Compiled(PathBuf::from(name)), Cache::Read(PathBuf::from(name)));
        Ok(Resolved { name: name.to_owned(), origin, cache, vocabulary }.into())
    }

    /// Makes a vocabulary from a compiled one, such as the vocabulary inside a self-contained artifact.
    ///
    /// # Errors
    /// The bytes are no vocabulary artifact.
    pub fn from_artifact(name: &str, file: &[u8], path: PathBuf) -> Result<Self, Error> {
        let vocabulary =
            gcc_grammar_vocabulary::Vocabulary::from_artifact(file).map_err(|error| error.in_file(&path))?;
        let (origin, cache) = (Origin::Compiled(path.clone()), Cache::Read(path));
        Ok(Resolved { name: name.to_owned(), origin, cache, vocabulary }.into())
    }

    /// The name of the vocabulary.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The tokens.
    #[must_use]
    pub fn tokens(&self) -> &gcc_grammar_vocabulary::Vocabulary {
        &self.0.vocabulary
    }

    /// The vocabulary with its name, origin and cache, as the registry gives it.
    #[must_use]
    pub fn resolved(&self) -> &Resolved {
        &self.0
    }

    /// The bytes of a sequence of tokens; tokens without bytes count for nothing.
    #[must_use]
    pub fn text_of(&self, tokens: &[u32]) -> Vec<u8> {
        tokens.iter().flat_map(|&token| self.tokens().bytes(token).unwrap_or_default()).copied().collect()
    }

    /// Cuts a text into tokens as the model's own tokenizer does. If `special_names` is set, names of special tokens in the text stand for
    /// those tokens.
    ///
    /// # Errors
    /// The vocabulary cannot spell the text.
    pub fn tokenize(&self, text: &[u8], special_names: bool) -> Result<Tokenization, Error> {
        let tokenizer =
            self.0.tokenizer(TokenizerOptions { special_names, ..TokenizerOptions::default() })?;
        tokenizer.tokenize(text).map_err(|error| {
            let diagnostic = Diagnostic::error(Code::Unspellable, error.to_string());
            Error::new(ErrorKind::Refused, self.name(), diagnostic)
        })
    }

    /// The name, width and end tokens, as metadata stores them.
    pub(crate) fn to_metadata(&self) -> VocabularyName {
        VocabularyName {
            name: self.name().to_owned(),
            width: self.tokens().width(),
            end_tokens: self.tokens().end_tokens().to_vec(),
        }
    }
}

fn not_found(artifact: &str, name: &str) -> Error {
    let message = format!("compiled for the vocabulary `{name}`, which is neither built in nor imported");
    let diagnostic =
        Diagnostic::error(Code::VocabularyNotFound, message).help("say where it is with --vocab");
    Error::new(ErrorKind::NotFound, artifact, diagnostic)
}

impl From<Resolved> for Vocabulary {
    fn from(resolved: Resolved) -> Self {
        Self(Arc::new(resolved))
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
}
