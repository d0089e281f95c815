//! The argument ARTIFACT and the options for the vocabulary that the artifact is used with.

use super::{StoreArguments, VocabularyArguments, warn_if_not_kept};
use crate::failure::Failure;
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::{Artifact, Key, Session};
use gcc_grammar_store::{Place, Store};
use std::path::{Path, PathBuf};

/// An artifact and its vocabulary.
#[derive(Args)]
pub(crate) struct ArtifactArguments {
    /// The artifact; `-` is the standard input. With --store, the key of the artifact
    #[arg(value_name = "ARTIFACT")]
    path: PathBuf,
    #[command(flatten)]
    store: StoreArguments,
    #[command(flatten)]
    vocabulary: VocabularyArguments,
}

impl ArtifactArguments {
    /// Opens the artifact without its vocabulary. Nothing is validated yet.
    pub(crate) fn artifact(&self) -> Result<Artifact, Failure> {
        match self.store.open()? {
            Some(store) => self.find(&store),
            None => Ok(Artifact::open_sealed(&self.path, &self.store.seal()?)?),
        }
    }

    /// The artifact of a key in a store. If the vocabulary is not named, the store is searched, so it must be one that can be listed.
    fn find(&self, store: &Store) -> Result<Artifact, Failure> {
        let key: Key = self.path.to_string_lossy().parse()?;
        let found = match self.vocabulary.is_named() {
            true => store.get(&Place::new(key, &self.vocabulary.load()?))?,
            false => store.find(key)?,
        };
        Ok(found.ok_or_else(|| store.missing(key))?)
    }

    /// Opens the artifact with its vocabulary. That is the vocabulary that `--vocab` names, or else the vocabulary inside the artifact,
    /// or else the vocabulary that the metadata name.
    pub(crate) fn session(&self, shell: &Shell) -> Result<Session, Failure> {
        let vocabulary = &self.vocabulary;
        let session = Session::open_with(self.artifact()?, &vocabulary.registry(), &vocabulary.request())?;
        warn_if_not_kept(session.vocabulary(), shell);
        Ok(session)
    }

    /// The vocabulary that is named.
    pub(crate) fn vocabulary(&self) -> &VocabularyArguments {
        &self.vocabulary
    }

    /// The path of the artifact.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}
