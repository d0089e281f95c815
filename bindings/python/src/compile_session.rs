//! Sessions of compilations.

use crate::artifact::{Artifact, Compiled, made, packing, source, warnings_json};
use crate::error::library;
use crate::vocabulary::Vocabulary;
use gcc_grammar::{DemandOptions, Error, Options, Packing, Source};
use pyo3::prelude::*;
use std::sync::Arc;

/// Compiles texts for one vocabulary, and keeps what they have in common.
#[pyclass(frozen, module = "gcc_grammar._lib")]
pub(crate) struct CompileSession(Arc<gcc_grammar::CompileSession>);

#[pymethods]
impl CompileSession {
    #[new]
    fn new(vocabulary: &Vocabulary, max_bytes: u64) -> Self {
        Self(Arc::new(gcc_grammar::CompileSession::with_bound(&vocabulary.0, max_bytes)))
    }

    /// Estimated bytes of the cache.
    #[getter]
    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    /// Compiles a text. The arguments are those of the function `compile`.
    #[pyo3(signature = (notation, text, options="{}", name=None, choices=None, embed_vocabulary=false, on_demand=false))]
    #[expect(clippy::too_many_arguments, reason = "the Python layer gives them names")]
    fn compile(
        &self,
        py: Python<'_>,
        notation: &str,
        text: &str,
        options: &str,
        name: Option<&str>,
        choices: Option<Vec<String>>,
        embed_vocabulary: bool,
        on_demand: bool,
    ) -> PyResult<Artifact> {
        let source = source(notation, text, name, choices)?;
        if on_demand {
            let opened = py.detach(|| self.on_demand(&source, &Options::from_json(options)?));
            return opened.map_err(|error| library(&error));
        }
        made(py, self.0.vocabulary(), || {
            self.compiled(&source, &Options::from_json(options)?, packing(embed_vocabulary))
        })
    }
}

impl CompileSession {
    /// Opens a source on demand, unless its artifact is kept.
    fn on_demand(&self, source: &Source, options: &Options) -> Result<Artifact, Error> {
        let (session, warnings) = self.0.on_demand(source, options, &DemandOptions::default())?;
        Ok(Artifact { session, warnings: warnings.map(|warnings| warnings_json(source, &warnings)) })
    }

    /// The session, for whoever compiles in the background.
    pub(crate) fn shared(&self) -> Arc<gcc_grammar::CompileSession> {
        Arc::clone(&self.0)
    }

    /// Compiles a source, unless its artifact is kept.
    pub(crate) fn compiled(
        &self,
        source: &Source,
        options: &Options,
        packing: Packing,
    ) -> Result<Compiled, Error> {
        let (artifact, warnings) = self.0.compile_with(source, options, packing)?;
        Ok(Compiled { artifact, warnings: warnings.map(|warnings| warnings_json(source, &warnings)) })
    }
}
