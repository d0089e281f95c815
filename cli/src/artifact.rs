//! An artifact, mapped or read.

use crate::failure::{Exit, Failure};
use crate::files::{Bytes, map};
use crate::grammar::read_bytes;
use crate::vocabulary::{Loaded, VocabularyArguments};
use clap::Args;
use gcc_grammar::artifact::{embedded_vocabulary, expand, is_compressed};
use gcc_grammar::metadata::{Metadata, MetadataError};
use gcc_grammar_artifact::grammar::METADATA;
use gcc_grammar_artifact::{ArtifactError, GrammarView};
use gcc_grammar_ir::Code;
use gcc_grammar_ir::Diagnostic;
use gcc_grammar_runtime::{Engine, Tokens};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Which artifact, and the vocabulary it needs.
#[derive(Args)]
pub(crate) struct ArtifactArguments {
    /// The artifact; `-` is the standard input
    #[arg(value_name = "ARTIFACT")]
    path: PathBuf,
    #[command(flatten)]
    vocabulary: VocabularyArguments,
}

/// An artifact in memory.
pub(crate) struct ArtifactFile {
    pub(crate) name: String,
    bytes: Bytes,
    /// Bytes of the file, if it is compressed.
    pub(crate) compressed: Option<usize>,
}

impl ArtifactArguments {
    /// Opens the artifact. Nothing is validated yet.
    pub(crate) fn open(&self) -> Result<ArtifactFile, Failure> {
        ArtifactFile::open(&self.path)
    }

    /// Loads the vocabulary that a grammar needs: the one that is named, else the one inside the artifact, else the one
    /// that the metadata names.
    pub(crate) fn vocabulary(
        &self,
        file: &ArtifactFile,
        grammar: &GrammarView<'_>,
    ) -> Result<Loaded, Failure> {
        let metadata = file.metadata(grammar);
        let embedded = embedded_vocabulary(grammar).map_err(|error| file.failure(&error))?;
        let named = metadata.as_ref().ok().map(|metadata| &metadata.vocabulary);
        let vocabulary = match (embedded.filter(|_| self.vocabulary.is_silent()), &metadata) {
            (Some(bytes), _) => Loaded::embedded(&file.name, named.map_or("", |named| &named.name), bytes)?,
            (None, Err(error)) if !self.vocabulary.is_named() => return Err(file.nameless(error)),
            (None, _) => self.vocabulary.load_for(&file.name, named)?,
        };
        match grammar.check_vocabulary(&vocabulary.fingerprint()) {
            Ok(()) => Ok(vocabulary),
            Err(error) => Err(file.failure(&error)),
        }
    }
}

impl ArtifactFile {
    /// Maps a file. What cannot be mapped is read: the standard input, and compressed files.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let name = if path.as_os_str() == "-" { "<stdin>".to_owned() } else { path.display().to_string() };
        let bytes = if path.as_os_str() == "-" {
            Bytes::Owned(read_bytes(path)?)
        } else {
            map(path).map_err(|error| Failure::io(path, "cannot be read", &error))?
        };
        let file = Self { name, bytes, compressed: None };
        file.expanded()
    }

    fn expanded(mut self) -> Result<Self, Failure> {
        if !is_compressed(self.bytes()) {
            return Ok(self);
        }
        let expanded = expand(self.bytes()).map(Cow::into_owned).map_err(|error| {
            let diagnostic =
                Diagnostic::error(Code::DamagedArtifact, error.to_string()).help("fetch it again");
            Failure::new(Exit::Refused, self.name.as_str(), diagnostic)
        })?;
        self.compressed = Some(self.bytes().len());
        self.bytes = Bytes::Owned(expanded);
        Ok(self)
    }

    /// The artifact, expanded.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The grammar, validated.
    pub(crate) fn grammar(&self) -> Result<GrammarView<'_>, Failure> {
        GrammarView::open(self.bytes()).map_err(|error| self.failure(&error))
    }

    /// Grammar and vocabulary together.
    pub(crate) fn engine<'a>(
        &self,
        grammar: GrammarView<'a>,
        vocabulary: &'a Loaded,
    ) -> Result<Engine<'a>, Failure> {
        Engine::new(grammar, vocabulary).map_err(|error| self.failure(&error))
    }

    /// The metadata of the grammar.
    pub(crate) fn metadata(&self, grammar: &GrammarView<'_>) -> Result<Metadata, MetadataError> {
        let section = grammar.container().bytes(&METADATA);
        Metadata::decode(section.map_err(|_| MetadataError::Malformed)?)
    }

    /// The failure that the artifact does not say which vocabulary it is for.
    fn nameless(&self, error: &MetadataError) -> Failure {
        let diagnostic =
            Diagnostic::error(Code::DamagedArtifact, format!("{error}, so no vocabulary is named"))
                .help("name it with --vocab, or fetch or compile the artifact again");
        Failure::new(Exit::Refused, self.name.as_str(), diagnostic)
    }

    /// The failure that the artifact cannot be used.
    pub(crate) fn failure(&self, error: &ArtifactError) -> Failure {
        let (exit, code, help) = match error {
            ArtifactError::WrongVocabulary { .. } => (
                Exit::OtherVocabulary,
                Code::OtherVocabulary,
                "give the vocabulary it was compiled for with --vocab, --vocab-size and --eos, or compile it again for this one",
            ),
            ArtifactError::NotAContainer | ArtifactError::WrongKind { .. } => {
                (Exit::Refused, Code::NotAnArtifact, "make one with `gcc-grammar compile`")
            }
            ArtifactError::OtherMajor { .. } | ArtifactError::UnknownFeature { .. } => (
                Exit::Refused,
                Code::OtherFormat,
                "compile or import it again with this version of gcc-grammar, or use the version that wrote it",
            ),
            _ => (Exit::Refused, Code::DamagedArtifact, "fetch or compile it again"),
        };
        Failure::new(exit, self.name.as_str(), Diagnostic::error(code, error.to_string()).help(help))
    }
}
