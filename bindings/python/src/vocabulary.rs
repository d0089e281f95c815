//! Vocabularies.

use crate::error::library;
use gcc_grammar::vocabulary::{Overrides, SpecialToken, registry};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The tokens of a model.
#[pyclass(frozen, module = "gcc_grammar._lib")]
pub(crate) struct Vocabulary(pub(crate) gcc_grammar::Vocabulary);

#[pymethods]
impl Vocabulary {
    /// Loads the vocabulary of a built-in or imported name, a tokenizer file or a model folder.
    #[new]
    #[pyo3(signature = (name, width=None, end_tokens=Vec::new()))]
    fn new(py: Python<'_>, name: &str, width: Option<u32>, end_tokens: Vec<String>) -> PyResult<Self> {
        let overrides = Overrides { width, end_tokens };
        let loaded = py.detach(|| gcc_grammar::Vocabulary::load_from(&registry(None), name, &overrides));
        loaded.map(Self).map_err(|error| library(&error))
    }

    /// Makes a vocabulary of tokens with their ids.
    #[staticmethod]
    fn from_parts(
        py: Python<'_>,
        name: &str,
        tokens: Vec<(u32, Vec<u8>)>,
        specials: Vec<(u32, String)>,
        end_tokens: Vec<u32>,
        width: u32,
    ) -> PyResult<Self> {
        let specials = specials.into_iter().map(|(id, text)| SpecialToken { id, text }).collect();
        let made =
            py.detach(|| gcc_grammar::Vocabulary::from_parts(name, tokens, specials, end_tokens, width));
        made.map(Self).map_err(|error| library(&error))
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// The number of bits of a mask.
    #[getter]
    fn width(&self) -> u32 {
        self.0.tokens().width()
    }

    /// The tokens that end an output.
    #[getter]
    fn end_tokens(&self) -> Vec<u32> {
        self.0.tokens().end_tokens().to_vec()
    }

    /// The special tokens, by name.
    #[getter]
    fn special_tokens(&self) -> Vec<(String, u32)> {
        self.0.tokens().specials().iter().map(|special| (special.text.clone(), special.id)).collect()
    }

    /// The identity of the vocabulary, in hexadecimal digits.
    #[getter]
    fn fingerprint(&self) -> String {
        self.0.tokens().fingerprint().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The bytes of a token; none if it is a special token or no token has the id.
    fn token_bytes<'py>(&self, py: Python<'py>, token: u32) -> Option<Bound<'py, PyBytes>> {
        self.0.tokens().bytes(token).map(|bytes| PyBytes::new(py, bytes))
    }

    /// The bytes of a sequence of tokens; special tokens count for nothing.
    fn decode<'py>(&self, py: Python<'py>, tokens: Vec<u32>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.text_of(&tokens))
    }

    /// The tokens of the text of an output, or of a text that starts a prompt, as the model's own tokenizer cuts it.
    #[pyo3(signature = (text, special_names=false, prompt=false))]
    fn tokenize(&self, py: Python<'_>, text: &[u8], special_names: bool, prompt: bool) -> PyResult<Vec<u32>> {
        let tokens = py.detach(|| match prompt {
            true => self.0.tokenize_prompt(text, special_names),
            false => self.0.tokenize(text, special_names),
        });
        tokens.map(|tokens| tokens.ids).map_err(|error| library(&error))
    }

    fn __len__(&self) -> usize {
        self.0.tokens().width() as usize
    }

    fn __repr__(&self) -> String {
        format!("Vocabulary({:?}, width={})", self.name(), self.width())
    }
}
