//! An artifact together with its vocabulary, owned, so that it can be kept in a struct and shared by threads.

use crate::artifact::{Artifact, embedded_vocabulary};
use crate::error::Error;
use crate::seal::Seal;
use crate::vocabulary::{Vocabulary, registry};
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_runtime::{Engine, Error as MatchError};
use gcc_grammar_tokenizers::{Builtin, Overrides, Registry};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// An artifact with its vocabulary. It is `Send` and `Sync`; clones share it.
#[derive(Clone)]
pub struct Session(Arc<OwnedEngine>);

struct Parts {
    artifact: Artifact,
    /// Set when the engine is made, which may have to look into the artifact first.
    vocabulary: OnceLock<Vocabulary>,
    /// Whether the tables of the artifact are intact, once somebody has asked.
    is_intact: OnceLock<bool>,
}

self_cell::self_cell!(
    struct OwnedEngine {
        owner: Parts,
        #[covariant]
        dependent: Engine,
    }
);

/// Which vocabulary an artifact is used with. By default it is the one inside the artifact, or else the one that the artifact names.
#[derive(Clone, Default, Debug)]
pub struct VocabularyRequest {
    /// The name, tokenizer file or model folder, if it is not the one that the artifact names.
    pub name: Option<String>,
    /// The mask width and the end tokens, if they are not those that the artifact names.
    pub overrides: Overrides,
}

impl VocabularyRequest {
    fn is_default(&self) -> bool {
        self.name.is_none() && self.overrides.width.is_none() && self.overrides.end_tokens.is_empty()
    }
}

impl Session {
    /// Opens an artifact with its vocabulary.
    ///
    /// # Errors
    /// The artifact is damaged, or was compiled for another vocabulary.
    pub fn new(artifact: Artifact, vocabulary: &Vocabulary) -> Result<Self, Error> {
        Self::with(artifact, |_, _| Ok(vocabulary.clone()))
    }

    /// Verifies the artifact, finds its vocabulary, and brings the two together.
    fn with(
        artifact: Artifact,
        find: impl FnOnce(&Artifact, &GrammarView<'_>) -> Result<Vocabulary, Error>,
    ) -> Result<Self, Error> {
        let parts = Parts { artifact, vocabulary: OnceLock::new(), is_intact: OnceLock::new() };
        let engine = OwnedEngine::try_new(parts, |Parts { artifact, vocabulary, .. }| {
            let grammar = artifact.grammar()?;
            let found = find(artifact, &grammar)?;
            let vocabulary = vocabulary.get_or_init(|| found);
            Engine::new(grammar, vocabulary).map_err(|error| artifact.error(error))
        });
        Ok(Self(Arc::new(engine?)))
    }

    /// Opens the bytes of an artifact with its vocabulary; `name` is for errors.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn from_bytes(name: &str, bytes: Vec<u8>, vocabulary: &Vocabulary) -> Result<Self, Error> {
        Self::new(Artifact::from_bytes(name, bytes)?, vocabulary)
    }

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
    /// As [`open`](Self::open), and if there is no valid signature beside the file.
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

    /// The artifact.
    #[must_use]
    pub fn artifact(&self) -> &Artifact {
        &self.0.borrow_owner().artifact
    }

    /// The vocabulary.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        self.0.borrow_owner().vocabulary.get().expect("the vocabulary is set when the engine is made")
    }

    /// Checks that the tables of the artifact are intact, also if it is [trusted](Artifact::trusted). They are read once.
    ///
    /// # Errors
    /// [`MatchError::Damaged`].
    pub fn verify(&self) -> Result<(), MatchError> {
        let Parts { artifact, is_intact, .. } = self.0.borrow_owner();
        let is_intact = is_intact.get_or_init(|| artifact.verify(self.engine().grammar()).is_ok());
        if *is_intact { Ok(()) } else { Err(MatchError::Damaged) }
    }

    /// Whether the other is a clone of this session.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// A number that no other session has as long as this one or a clone of it is in use.
    pub(crate) fn identity(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// The engine of the runtime, for callers that manage scratch memory themselves.
    #[must_use]
    pub fn engine(&self) -> &Engine<'_> {
        self.0.borrow_dependent()
    }

    /// The number of `u32` words of a mask row: the mask width divided by 32, rounded up.
    #[must_use]
    pub fn row_words(&self) -> usize {
        self.engine().row_words()
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
            Vocabulary::load_for(registry, artifact.name(), wanted, name.as_deref(), overrides)
        }
        (Err(_), Some(name)) => Vocabulary::load_from(registry, name, overrides),
        (Err(error), None) => Err(artifact.nameless(error)),
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("artifact", &self.artifact().name()).finish_non_exhaustive()
    }
}
