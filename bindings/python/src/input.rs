//! `Input`: what is compiled.

use crate::error::{library, refused};
use gcc_grammar::{Notation, Options, Source};
use pyo3::prelude::*;

/// A text in a notation, with options.
#[pyclass(frozen, module = "gcc_grammar._lib")]
pub(crate) struct Input {
    pub(crate) source: Source,
    pub(crate) options: Options,
}

#[pymethods]
impl Input {
    /// `options` is a JSON object. `choices` are the alternatives of the notation `choices`.
    #[new]
    #[pyo3(signature = (notation, text, options="{}", name=None, choices=None))]
    fn new(
        py: Python<'_>,
        notation: &str,
        text: &str,
        options: &str,
        name: Option<&str>,
        choices: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let notation: Notation =
            notation.parse().map_err(|_| refused(format!("there is no notation {notation:?}")))?;
        let source = match (choices, name) {
            (Some(choices), _) => Source::choices(choices),
            (None, Some(name)) => Source::named(notation, name, text),
            (None, None) => Source::new(notation, text),
        };
        let options = py.detach(|| Options::from_json(options)).map_err(|error| library(&error))?;
        Ok(Self { source, options })
    }
}
