//! The option `--vocab` and the options beside it: the vocabulary, its end tokens and size, and the folder of vocabularies.

use crate::failure::Failure;
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::vocabulary::{BUILTINS, Cache, Overrides, Registry, registry};
use gcc_grammar::{Code, Diagnostic, SourceText, Vocabulary, VocabularyRequest};
use std::path::PathBuf;

/// A vocabulary.
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

/// Several vocabularies.
#[derive(Args)]
#[command(next_help_heading = "Vocabulary")]
pub(crate) struct VocabulariesArguments {
    /// A built-in or imported vocabulary, a tokenizer file, or a model directory; once for each of several vocabularies
    #[arg(long = "vocab", value_name = "NAME|FILE|DIR")]
    names: Vec<String>,
    #[command(flatten)]
    overrides: OverrideArguments,
    #[command(flatten)]
    registry: RegistryArguments,
}

impl VocabulariesArguments {
    /// Loads the vocabularies. At least one must be named, and only one if properties are given.
    pub(crate) fn load(&self) -> Result<Vec<Vocabulary>, Failure> {
        let overrides = self.overrides.overrides();
        if self.names.is_empty() {
            return Err(no_vocabulary());
        }
        if self.names.len() > 1 && overrides != Overrides::default() {
            let message = "--vocab-size and --eos are properties of one vocabulary, and several are given";
            return Err(Failure::usage("--vocab", message, "run the program once for each vocabulary"));
        }
        let load = |name: &String| Ok(Vocabulary::load_from(&self.registry.registry(), name, &overrides)?);
        self.names.iter().map(load).collect()
    }
}

/// Properties of the model that the file of the vocabulary does not tell.
#[derive(Args)]
pub(crate) struct OverrideArguments {
    /// The number of bits in a mask: the vocabulary size of the model, at least that of the tokenizer
    #[arg(long = "vocab-size", value_name = "N")]
    width: Option<u32>,
    /// The tokens that end the output, as ids or names of special tokens [default: those that the vocabulary names]
    #[arg(long = "eos", value_name = "TOKEN,..", value_delimiter = ',')]
    end_tokens: Vec<String>,
}

/// The folder of imported and compiled vocabularies.
#[derive(Args)]
pub(crate) struct RegistryArguments {
    /// The folder of imported and compiled vocabularies [default: gcc-grammar in the user's data folder]
    #[arg(long = "vocab-dir", value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl RegistryArguments {
    /// The registry.
    pub(crate) fn registry(&self) -> Registry {
        registry(self.folder.clone())
    }
}

impl OverrideArguments {
    /// The overrides for the library.
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides { width: self.width, end_tokens: self.end_tokens.clone() }
    }
}

/// Warns if the vocabulary was compiled and could not be kept, so that it is compiled each time.
pub(crate) fn warn_if_not_kept(vocabulary: &Vocabulary, shell: &Shell) {
    let Cache::Unavailable(error) = &vocabulary.resolved().cache else { return };
    let message = format!("the vocabulary is compiled each time: {}", error.message);
    let mut warning = Diagnostic::warning(Code::VocabularyIo, message);
    warning.help.clone_from(&error.help);
    let name =
        error.file.as_ref().map_or_else(|| vocabulary.name().to_owned(), |file| file.display().to_string());
    shell.warn(&[warning], &SourceText::named(name));
}

fn no_vocabulary() -> Failure {
    let names: Vec<&str> = BUILTINS.iter().map(|builtin| builtin.name).collect();
    let help = format!("add --vocab with one of {}, a tokenizer file or a model directory", names.join(", "));
    Failure::usage("--vocab", "no vocabulary is given", &help)
}

impl VocabularyArguments {
    /// Loads the named vocabulary. A name must be given.
    pub(crate) fn load(&self) -> Result<Vocabulary, Failure> {
        let name = self.name.as_deref().ok_or_else(no_vocabulary)?;
        Ok(Vocabulary::load_from(&self.registry(), name, &self.overrides.overrides())?)
    }

    /// Whether a vocabulary is named.
    pub(crate) fn is_named(&self) -> bool {
        self.name.is_some()
    }

    /// The registry.
    pub(crate) fn registry(&self) -> Registry {
        self.registry.registry()
    }

    /// The vocabulary to use with an artifact.
    pub(crate) fn request(&self) -> VocabularyRequest {
        VocabularyRequest { name: self.name.clone(), overrides: self.overrides.overrides() }
    }
}
