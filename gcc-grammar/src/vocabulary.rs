//! Tokenizer vocabularies: found by name, file or model folder, loaded, and shared.

use crate::common;
use crate::error::{Error, ErrorKind};
use crate::mapped::map_vocabulary;
use crate::metadata::VocabularyTokens;
use gcc_grammar_artifact::{Fingerprint, VocabularyBases};
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_runtime::{Characters, TokenId, Tokens};
use gcc_grammar_tokenizers::{TokenizerOptions, Unspellable};
use gcc_grammar_vocabulary::ErrorKind as VocabularyErrorKind;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

pub use gcc_grammar_tokenizers::{
    BUILTINS, Builtin, Cache, Origin, Overrides, Registry, Resolved, Tokenization, Tokenizer,
};
pub use gcc_grammar_vocabulary::SpecialToken;

/// A vocabulary with its name and origin. Clones share it.
#[derive(Clone)]
pub struct Vocabulary(Arc<Shared>);

struct Shared {
    tokens: WithTokenizer,
    /// What each token is made of, once a matcher with a budget needs it.
    characters: OnceLock<Box<[Characters]>>,
}

/// The tokenizers of a vocabulary, each made when it is first used.
#[derive(Default)]
struct LazyTokenizers<'v> {
    outputs: OnceLock<Tokenizer<'v>>,
    /// Of prompts, in which names of special tokens are text, or stand for the tokens.
    prompts: [OnceLock<Tokenizer<'v>>; 2],
}

impl<'v> LazyTokenizers<'v> {
    fn get(&self, options: TokenizerOptions) -> &OnceLock<Tokenizer<'v>> {
        if options.prompt { &self.prompts[usize::from(options.special_names)] } else { &self.outputs }
    }
}

self_cell::self_cell!(
    struct WithTokenizer {
        owner: Resolved,
        #[not_covariant]
        dependent: LazyTokenizers,
    }
);

/// The registry of imported and compiled vocabularies: in `folder`, or by default in the user's data folder. If there is no
/// such folder, nothing is imported, and vocabularies are compiled each time.
#[must_use]
pub fn registry(folder: Option<PathBuf>) -> Registry {
    let folder = folder.or_else(default_folder);
    folder.map_or_else(Registry::without_folder, Registry::new).mapping(map_vocabulary).walking(common::walks)
}

/// The folder for data of programs, as operating systems define it. A relative path counts for nothing, as the XDG Base
/// Directory Specification says: files in the current folder may be anyone's.
#[must_use]
pub fn default_folder() -> Option<PathBuf> {
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
        &self.resolved().name
    }

    /// The tokens.
    #[must_use]
    pub fn tokens(&self) -> &gcc_grammar_vocabulary::Vocabulary {
        &self.resolved().vocabulary
    }

    /// The vocabulary with its name, origin and cache, as the registry gives it.
    #[must_use]
    pub fn resolved(&self) -> &Resolved {
        self.0.tokens.borrow_owner()
    }

    /// Calls `work` with the model's own tokenizer, which takes names of special tokens for ordinary text. It is made once for all
    /// clones.
    ///
    /// # Errors
    /// The tokenizer file cannot be read any more.
    pub fn with_tokenizer<T>(&self, work: impl FnOnce(&Tokenizer<'_>) -> T) -> Result<T, Error> {
        self.with_tokenizer_of(TokenizerOptions::default(), work)
    }

    fn with_tokenizer_of<T>(
        &self,
        options: TokenizerOptions,
        work: impl FnOnce(&Tokenizer<'_>) -> T,
    ) -> Result<T, Error> {
        self.0.tokens.with_dependent(|resolved, tokenizers| {
            let tokenizer = tokenizers.get(options);
            match tokenizer.get() {
                Some(tokenizer) => Ok(work(tokenizer)),
                None => {
                    let made = resolved.tokenizer(options)?;
                    Ok(work(tokenizer.get_or_init(|| made)))
                }
            }
        })
    }

    /// The bytes of a sequence of tokens; tokens without bytes count for nothing.
    #[must_use]
    pub fn text_of(&self, tokens: &[u32]) -> Vec<u8> {
        tokens.iter().flat_map(|&token| self.tokens().bytes(token).unwrap_or_default()).copied().collect()
    }

    /// Cuts the text of an output into tokens, as the model's own tokenizer cuts it in the middle of a text: it is not normalized, and gets no
    /// space in front, so that the tokens spell exactly the text. If `special_names` is set, names of special tokens in the text stand for
    /// those tokens.
    ///
    /// # Errors
    /// The vocabulary cannot spell the text.
    pub fn tokenize(&self, text: &[u8], special_names: bool) -> Result<Tokenization, Error> {
        let cut = |tokenizer: &Tokenizer<'_>| match special_names {
            true => tokenizer.tokenize_with_names(text),
            false => tokenizer.tokenize(text),
        };
        self.with_tokenizer(cut)?.map_err(|error| self.unspellable(error))
    }

    /// Cuts a text that starts a prompt into tokens, as the model's own tokenizer does, without the special tokens that frame a prompt: the
    /// text is normalized, and gets a space in front, where the tokenizer does so.
    ///
    /// # Errors
    /// The tokenizer file cannot be read any more, or the vocabulary cannot spell the text.
    pub fn tokenize_prompt(&self, text: &[u8], special_names: bool) -> Result<Tokenization, Error> {
        let options = TokenizerOptions { special_names, prompt: true };
        let cut = |tokenizer: &Tokenizer<'_>| tokenizer.tokenize(text);
        self.with_tokenizer_of(options, cut)?.map_err(|error| self.unspellable(error))
    }

    fn unspellable(&self, error: Unspellable) -> Error {
        let diagnostic = Diagnostic::error(Code::Unspellable, error.to_string());
        Error::new(ErrorKind::Refused, self.name(), diagnostic)
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

fn not_found(artifact: &str) -> Error {
    let message = "compiled for a vocabulary whose tokens are neither those of a built-in vocabulary nor of an imported one";
    let diagnostic =
        Diagnostic::error(Code::VocabularyNotFound, message).help("say where it is with --vocab");
    Error::new(ErrorKind::NotFound, artifact, diagnostic)
}

impl From<Resolved> for Vocabulary {
    fn from(resolved: Resolved) -> Self {
        let tokens = WithTokenizer::new(resolved, |_| LazyTokenizers::default());
        Self(Arc::new(Shared { tokens, characters: OnceLock::new() }))
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

    fn bases(&self) -> VocabularyBases<'_> {
        self.tokens().bases().view()
    }
}
