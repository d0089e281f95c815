//! Stores of artifacts.

use crate::artifact::{Artifact, Compiled, compiled, warnings_json};
use crate::compile_session::CompileSession;
use crate::error::library;
use crate::input::Input;
use crate::signals::interruptible;
use crate::vocabulary::Vocabulary;
use gcc_grammar::{Error, Key, Options, Packing, Session, Source, Uncompiled, artifact_key};
use gcc_grammar_store::{CacheOptions, Place};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// Artifacts by key, which processes and machines share.
#[pyclass(frozen, skip_from_py_object, module = "gcc_grammar._lib")]
#[derive(Clone)]
pub(crate) struct Store(Arc<gcc_grammar_store::Store>);

#[pymethods]
impl Store {
    /// Opens the store at an address, with a cache in front of it; or, without an address, a cache alone.
    #[new]
    #[pyo3(signature = (url=None, cache=None, cache_bytes=gcc_grammar_store::CACHE_BYTES))]
    fn new(py: Python<'_>, url: Option<&str>, cache: Option<PathBuf>, cache_bytes: u64) -> PyResult<Self> {
        let cache = cache.map(|folder| CacheOptions { folder, most_bytes: cache_bytes });
        let opened = py.detach(|| match (url, &cache) {
            (None, Some(cache)) => gcc_grammar_store::Store::bounded(cache),
            _ => gcc_grammar_store::Store::open(url.unwrap_or_default(), cache.as_ref()),
        });
        opened.map(|store| Self(Arc::new(store))).map_err(|error| library(&error))
    }

    /// The artifact of a key; none if the store does not have it.
    fn get(&self, py: Python<'_>, key: &str, vocabulary: &Vocabulary) -> PyResult<Option<Artifact>> {
        let found = py.detach(|| {
            let place = Place::new(key.parse::<Key>()?, &vocabulary.0);
            let found = self.0.get(&place)?;
            found.map(|artifact| Session::new(artifact, &vocabulary.0)).transpose()
        });
        let opened = |session| Artifact { session, warnings: None };
        found.map(|found| found.map(opened)).map_err(|error| library(&error))
    }

    /// The artifact of an input: from the store, or compiled now and put there. The second value says what was wrong with the
    /// store, if anything was; the artifact is all right then. A session for the vocabulary compiles, if there is one.
    #[pyo3(signature = (input, vocabulary, session=None, on_demand=false))]
    fn compile(
        &self,
        py: Python<'_>,
        input: &Input,
        vocabulary: &Vocabulary,
        session: Option<&CompileSession>,
        on_demand: bool,
    ) -> PyResult<(Artifact, Option<String>)> {
        let (own, vocabulary, session) = (self.clone(), vocabulary.0.clone(), session.cloned());
        interruptible(py, input, move |source, options| {
            if on_demand {
                let session = session.as_ref().map(CompileSession::shared);
                return own.on_demand(source, &vocabulary, options, session).map(|artifact| (artifact, None));
            }
            let key = artifact_key(source, &vocabulary, options, Packing::Referenced)?;
            let mut warnings = None;
            let (stored, unsaved) = own.0.get_or_use(&Place::new(key, &vocabulary), || {
                let made: Compiled = match &session {
                    Some(session) => session.compiled(source, options, Packing::Referenced)?,
                    None => compiled(source, &vocabulary, options, Packing::Referenced)?,
                };
                warnings = made.warnings;
                Ok(made.artifact)
            })?;
            let problem = unsaved.or(stored.damage).map(|problem| problem.to_string());
            Ok((Artifact { session: Session::new(stored.artifact, &vocabulary)?, warnings }, problem))
        })
    }
}

impl Store {
    /// The artifact of the store; or masks on demand, and the artifact is compiled in the background and put there.
    fn on_demand(
        &self,
        source: &Source,
        vocabulary: &gcc_grammar::Vocabulary,
        options: &Options,
        session: Option<Arc<gcc_grammar::CompileSession>>,
    ) -> Result<Artifact, Error> {
        let compile = move |uncompiled: &Uncompiled<'_>| match &session {
            Some(session) => session.compile_uncompiled(uncompiled),
            None => uncompiled.compile(),
        };
        let (session, warnings) = self.0.on_demand(source, vocabulary, options, compile)?;
        Ok(Artifact { session, warnings: warnings.map(|warnings| warnings_json(source, &warnings)) })
    }
}
