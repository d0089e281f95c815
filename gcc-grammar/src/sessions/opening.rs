//! Opens artifacts with the vocabularies that they name.

use crate::artifacts::artifact::{Artifact, embedded_vocabulary};
use crate::artifacts::seal::Seal;
use crate::error::{Error, ErrorKind};
use crate::metadata::MetadataError;
use crate::sessions::session::Session;
use crate::vocabulary::{Vocabulary, registry};
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_tokenizers::{Builtin, Overrides, Registry};
use std::path::Path;

/// Which vocabulary an artifact is used with. By default it is the one inside the artifact, or else the one that the artifact names.
#[derive(Clone, Default, Debug)]
pub struct VocabularyRequest {
    /// The name, tokenizer file or model folder, if it is not the one that the artifact names.
    pub name: Option<String>,
    /// The mask width and the end tokens, if the artifact names others.
    pub overrides: Overrides,
}

impl VocabularyRequest {
    fn is_default(&self) -> bool {
        self.name.is_none() && self.overrides.width.is_none() && self.overrides.end_tokens.is_empty()
    }
}

impl Session {
    /// Maps an artifact file, and finds its vocabulary: the tokens inside the artifact, or the vocabulary that it names.
    ///
    /// # Errors
    /// The file cannot be read or is damaged, or the vocabulary is not found.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(Artifact::open(path.as_ref())?, &registry(None), &VocabularyRequest::default())
    }

    /// Opens an artifact whose signature the seal trusts, with the vocabulary that it was compiled for.
    ///
    /// # Errors
    /// As [`open`](Self::open), and if the file has no valid signature.
    pub fn open_sealed(path: impl AsRef<Path>, seal: &Seal) -> Result<Self, Error> {
        let artifact = Artifact::open_sealed(path.as_ref(), seal)?;
        Self::open_with(artifact, &registry(None), &VocabularyRequest::default())
    }

    /// Opens an artifact with the vocabulary that is requested.
    ///
    /// # Errors
    /// As [`open`](Self::open), and if the artifact was compiled for another vocabulary.
    pub fn open_with(
        artifact: Artifact,
        registry: &Registry,
        request: &VocabularyRequest,
    ) -> Result<Self, Error> {
        Self::with(artifact, |artifact, grammar| find_vocabulary(artifact, grammar, registry, request))
    }
}

/// Finds the vocabulary of an artifact.
fn find_vocabulary(
    artifact: &Artifact,
    grammar: &GrammarView<'_>,
    registry: &Registry,
    request: &VocabularyRequest,
) -> Result<Vocabulary, Error> {
    let metadata = artifact.metadata(grammar);
    let embedded = embedded_vocabulary(grammar).map_err(|error| artifact.error(error))?;
    if let Some(bytes) = embedded.filter(|_| request.is_default()) {
        let builtin = metadata.as_ref().ok().and_then(|found| Builtin::by_tokens(&found.vocabulary.tokens));
        let name = builtin.map_or("embedded", |builtin| builtin.name);
        return Vocabulary::from_artifact(name, bytes, artifact.name().into());
    }
    let VocabularyRequest { name, overrides } = request;
    match (&metadata, name) {
        (Ok(metadata), name) => {
            let wanted = &metadata.vocabulary;
            let found = Vocabulary::load_for(registry, artifact.name(), wanted, name.as_deref(), overrides)?;
            if found.tokens().canonical_hash() == wanted.tokens {
                return Ok(found);
            }
            match registry.name_of_tokens(&wanted.tokens) {
                Some(wanted) => Err(another(artifact, &wanted, found.name())),
                // The artifact says which fingerprint it needs.
                None => Ok(found),
            }
        }
        (Err(_), Some(name)) => Vocabulary::load_from(registry, name, overrides),
        (Err(error), None) => Err(nameless(artifact, error)),
    }
}

/// The error that another vocabulary was given than the one that the artifact is for, whose name is known.
fn another(artifact: &Artifact, wanted: &str, given: &str) -> Error {
    let message = format!("the grammar was compiled for the vocabulary {wanted}, and {given} was given");
    let help = "leave out --vocab, or compile the grammar again for this vocabulary";
    let diagnostic = Diagnostic::error(Code::OtherVocabulary, message).help(help);
    Error::new(ErrorKind::OtherVocabulary, artifact.name(), diagnostic)
}

/// The error that the artifact does not say which vocabulary it is for.
fn nameless(artifact: &Artifact, error: &MetadataError) -> Error {
    let diagnostic = Diagnostic::error(Code::DamagedArtifact, format!("{error}, so no vocabulary is named"))
        .help("name it with --vocab, or fetch or compile the artifact again");
    Error::new(ErrorKind::Refused, artifact.name(), diagnostic)
}
