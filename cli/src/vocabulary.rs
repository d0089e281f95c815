//! `--vocab`: to a vocabulary and its tokenizer.

use crate::failure::{Exit, Failure};
use crate::files::map_for_good;
use clap::Args;
use gcc_grammar::metadata::VocabularyName;
use gcc_grammar_artifact::Fingerprint;
use gcc_grammar_ir::Code;
use gcc_grammar_ir::Diagnostic;
use gcc_grammar_runtime::{TokenId, Tokens};
use gcc_grammar_vocabulary::{
    BUILTINS, Cache, ErrorKind, Origin, Overrides, Registry, Resolved, Tokenization, TokenizerOptions,
    Vocabulary,
};
use std::ops::Deref;
use std::path::PathBuf;

/// Which vocabulary.
#[derive(Args)]
#[command(next_help_heading = "Vocabulary")]
pub(crate) struct VocabularyArguments {
    /// A built-in or imported vocabulary, a tokenizer file, or a model directory
    #[arg(long = "vocab", value_name = "NAME|FILE|DIR")]
    name: Option<String>,
    #[command(flatten)]
    overrides: OverrideArguments,
    #[command(flatten)]
    registry: RegistryArguments,
}

/// What the vocabulary's source does not know of the model.
#[derive(Args)]
pub(crate) struct OverrideArguments {
    /// Bits in a mask: the model's vocabulary size, at least the tokenizer's
    #[arg(long = "vocab-size", value_name = "N")]
    width: Option<u32>,
    /// Tokens that end the output (ids, or names of special tokens), instead of those the vocabulary names
    #[arg(long = "eos", value_name = "TOKEN,..", value_delimiter = ',')]
    end_tokens: Vec<String>,
}

/// Where imported and compiled vocabularies are kept.
#[derive(Args)]
pub(crate) struct RegistryArguments {
    /// Where imported and compiled vocabularies are kept [default: gcc-grammar in the user's data folder]
    #[arg(long = "vocab-dir", value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// A vocabulary, and where it comes from.
pub(crate) struct Loaded(Resolved);

impl Deref for Loaded {
    type Target = Resolved;

    fn deref(&self) -> &Resolved {
        &self.0
    }
}

impl RegistryArguments {
    /// The registry.
    pub(crate) fn registry(&self) -> Registry {
        Registry::new(self.folder.clone().unwrap_or_else(default_folder)).mapping(map_for_good)
    }
}

/// The folder for data of programs, as systems have it.
fn default_folder() -> PathBuf {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = variable("XDG_DATA_HOME").or_else(|| variable("LOCALAPPDATA"));
    let data = data.or_else(|| Some(variable("HOME")?.join(".local").join("share")));
    data.map_or_else(|| PathBuf::from(".gcc-grammar"), |data| data.join("gcc-grammar"))
}

impl OverrideArguments {
    /// As the registry takes them.
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides { width: self.width, end_tokens: self.end_tokens.clone() }
    }
}

impl VocabularyArguments {
    /// The vocabulary that is named, which must be.
    pub(crate) fn load(&self) -> Result<Loaded, Failure> {
        let name = self.name.as_deref().ok_or_else(|| {
            let names: Vec<&str> = BUILTINS.iter().map(|builtin| builtin.name).collect();
            let help = format!(
                "add --vocab with one of {}, a tokenizer file or a model directory",
                names.join(", ")
            );
            Failure::usage("--vocab", "no vocabulary is given", &help)
        })?;
        Ok(Loaded(self.registry.registry().resolve(name, &self.overrides.overrides())?))
    }

    /// Whether a vocabulary is named.
    pub(crate) fn is_named(&self) -> bool {
        self.name.is_some()
    }

    /// Whether nothing is said about the vocabulary.
    pub(crate) fn is_silent(&self) -> bool {
        self.name.is_none() && self.overrides.width.is_none() && self.overrides.end_tokens.is_empty()
    }

    /// The vocabulary that is named, or else the one that an artifact names; as wide and with the end tokens that the
    /// artifact has it, unless told otherwise.
    pub(crate) fn load_for(&self, artifact: &str, named: Option<&VocabularyName>) -> Result<Loaded, Failure> {
        let Some(named) = named else { return self.load() };
        let given = self.overrides.overrides();
        let overrides = Overrides {
            width: given.width.or(Some(named.width)),
            end_tokens: if given.end_tokens.is_empty() { ids(&named.end_tokens) } else { given.end_tokens },
        };
        let registry = self.registry.registry();
        match &self.name {
            None => registry.resolve(&named.name, &overrides).map(Loaded).map_err(|error| match error.kind {
                ErrorKind::NotFound => not_found(artifact, &named.name),
                _ => error.into(),
            }),
            Some(name) => match registry.resolve(name, &overrides) {
                // What the artifact says does not fit the vocabulary: it is another one, as its fingerprint will say.
                Err(error) if error.kind == ErrorKind::Inconsistent => self.load(),
                resolved => Ok(Loaded(resolved?)),
            },
        }
    }
}

fn ids(tokens: &[u32]) -> Vec<String> {
    tokens.iter().map(u32::to_string).collect()
}

fn not_found(artifact: &str, name: &str) -> Failure {
    let message = format!("compiled for the vocabulary `{name}`, which is neither built in nor imported");
    let diagnostic =
        Diagnostic::error(Code::VocabularyNotFound, message).help("say where it is with --vocab");
    Failure::new(Exit::Usage, artifact, diagnostic)
}

impl Loaded {
    /// The vocabulary inside a self-contained artifact.
    pub(crate) fn embedded(artifact: &str, name: &str, file: &[u8]) -> Result<Self, Failure> {
        let path = PathBuf::from(artifact);
        let vocabulary = Vocabulary::from_artifact(file).map_err(|error| error.in_file(&path))?;
        let (origin, cache) = (Origin::Compiled(path.clone()), Cache::Read(path));
        Ok(Self(Resolved { name: name.to_owned(), origin, cache, vocabulary }))
    }

    /// Cuts a text into tokens as the model's own tokenizer does.
    pub(crate) fn tokenize(&self, text: &[u8], special_names: bool) -> Result<Tokenization, Failure> {
        let tokenizer = self.tokenizer(TokenizerOptions { special_names, ..TokenizerOptions::default() })?;
        tokenizer.tokenize(text).map_err(|error| {
            let diagnostic = Diagnostic::error(Code::Unspellable, error.to_string());
            Failure::new(Exit::Refused, self.name.as_str(), diagnostic)
        })
    }

    /// How metadata names it.
    pub(crate) fn to_metadata(&self) -> VocabularyName {
        VocabularyName {
            name: self.name.clone(),
            width: self.vocabulary.width(),
            end_tokens: self.vocabulary.end_tokens().to_vec(),
        }
    }
}

impl Tokens for Loaded {
    fn bytes(&self, token: TokenId) -> Option<&[u8]> {
        self.vocabulary.bytes(token.0)
    }

    fn fingerprint(&self) -> Fingerprint {
        self.vocabulary.fingerprint()
    }
}
