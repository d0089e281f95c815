//! Sessions of compilations.

use crate::artifact::{Artifact, Compiled, made, warnings_json};
use crate::error::library;
use crate::input::Input;
use crate::vocabulary::Vocabulary;
use gcc_grammar::{DemandOptions, Error, Options, Packing, Source};
use pyo3::prelude::*;
use std::sync::Arc;

/// Compiles texts for one vocabulary, and keeps what they have in common.
#[pyclass(frozen, skip_from_py_object, module = "gcc_grammar._lib")]
#[derive(Clone)]
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

    /// Compiles an input, as the function `compile` does.
    #[pyo3(signature = (input, embed_vocabulary=false, on_demand=false))]
    fn compile(
        &self,
        py: Python<'_>,
        input: &Input,
        embed_vocabulary: bool,
        on_demand: bool,
    ) -> PyResult<Artifact> {
        if on_demand {
            let Input { source, options } = input;
            return py.detach(|| self.on_demand(source, options)).map_err(|error| library(&error));
        }
        let (own, packing) = (self.clone(), Packing::of(embed_vocabulary));
        let vocabulary = self.0.vocabulary().clone();
        made(py, input, vocabulary, move |source, options| own.compiled(source, options, packing))
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
