//! Sessions of compilations.

use crate::artifact::{Artifact, Compiled, made, packing, source, warnings_json};
use crate::vocabulary::Vocabulary;
use gcc_grammar::{Error, Options, Packing, Source};
use pyo3::prelude::*;

/// Compiles texts for one vocabulary, and keeps what they have in common.
#[pyclass(frozen, module = "gcc_grammar._lib")]
pub(crate) struct CompileSession(gcc_grammar::CompileSession);

#[pymethods]
impl CompileSession {
    #[new]
    fn new(vocabulary: &Vocabulary, max_bytes: u64) -> Self {
        Self(gcc_grammar::CompileSession::with_bound(&vocabulary.0, max_bytes))
    }

    /// Estimated bytes of what is kept.
    #[getter]
    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    /// Compiles a text. The arguments are those of the function `compile`.
    #[pyo3(signature = (notation, text, options="{}", name=None, choices=None, embed_vocabulary=false))]
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
    ) -> PyResult<Artifact> {
        let source = source(notation, text, name, choices)?;
        made(py, self.0.vocabulary(), || {
            self.compiled(&source, &Options::from_json(options)?, packing(embed_vocabulary))
        })
    }
}

impl CompileSession {
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
