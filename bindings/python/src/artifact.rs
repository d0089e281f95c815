//! Artifacts: compiled grammars, opened with their vocabulary.

use crate::error::{library, refused, runtime};
use crate::input::Input;
use crate::matcher::{Matcher, row};
use crate::signals::{interruptible, waited};
use crate::vocabulary::Vocabulary;
use gcc_grammar::metadata::ReportEntry;
use gcc_grammar::vocabulary::registry;
use gcc_grammar::{
    DemandOptions, Diagnostic, Error, Key, MatcherOptions, Notation, Options, Packing, Session, Source,
    VocabularyRequest, compile_parsed, parse, parse_for,
};
use gcc_grammar_tensors::{Array, Elements, TensorOptions, tensors};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::{Value, json};
use std::path::PathBuf;

/// An array: its name, its type as NumPy writes it, its shape and its bytes.
type NamedArray<'py> = (&'static str, &'static str, Vec<usize>, Bound<'py, PyBytes>);

/// A compiled grammar with its vocabulary.
#[pyclass(frozen, module = "gcc_grammar._lib")]
pub(crate) struct Artifact {
    pub(crate) session: Session,
    /// The warnings of the compilation as a JSON array; none if the artifact was opened.
    pub(crate) warnings: Option<String>,
}

/// What a compilation gives.
pub(crate) struct Compiled {
    pub(crate) artifact: gcc_grammar::Artifact,
    /// As a JSON array; none if the artifact was kept.
    pub(crate) warnings: Option<String>,
}

/// Compiles a source.
pub(crate) fn compiled(
    source: &Source,
    vocabulary: &gcc_grammar::Vocabulary,
    options: &Options,
    packing: Packing,
) -> Result<Compiled, Error> {
    let parsed = parse_for(source, vocabulary, options)?;
    let made = compile_parsed(&parsed, vocabulary, options, packing, &mut ())?;
    Ok(Compiled { artifact: made.artifact, warnings: Some(warnings_json(source, &made.warnings)) })
}

/// Warnings about a source as a JSON array.
pub(crate) fn warnings_json(source: &Source, warnings: &[Diagnostic]) -> String {
    source.text().diagnostics_json(warnings).to_string()
}

/// The warnings of an artifact, of which it has the messages: those that are known with more than that, and the others.
fn all_warnings(known: &str, messages: Vec<String>) -> Value {
    let mut known: Vec<Value> = serde_json::from_str(known).unwrap_or_default();
    let warning = |message: String| match known.iter().position(|warning| warning["message"] == *message) {
        Some(place) => known.remove(place),
        None => json!({"severity": "warning", "message": message}),
    };
    messages.into_iter().map(warning).collect()
}

/// Compiles an input.
#[pyfunction]
#[pyo3(signature = (input, vocabulary, embed_vocabulary=false, on_demand=false))]
pub(crate) fn compile(
    py: Python<'_>,
    input: &Input,
    vocabulary: &Vocabulary,
    embed_vocabulary: bool,
    on_demand: bool,
) -> PyResult<Artifact> {
    let vocabulary = vocabulary.0.clone();
    if on_demand {
        return opened_on_demand(py, input, &vocabulary);
    }
    let (own, packing) = (vocabulary.clone(), Packing::of(embed_vocabulary));
    made(py, input, vocabulary, move |source, options| compiled(source, &own, options, packing))
}

/// An artifact that is compiled in the background, with masks on demand until it is there. Signals have to wait: a thread of its
/// own would take a tenth of the time that most schemas take.
fn opened_on_demand(
    py: Python<'_>,
    Input { source, options }: &Input,
    vocabulary: &gcc_grammar::Vocabulary,
) -> PyResult<Artifact> {
    let opened = py.detach(|| Session::on_demand(source, vocabulary, options, &DemandOptions::default()));
    let (session, warnings) = opened.map_err(|error| library(&error))?;
    Ok(Artifact { session, warnings: Some(warnings_json(source, &warnings)) })
}

/// The artifact that `compile` makes. Other threads of Python run meanwhile.
pub(crate) fn made(
    py: Python<'_>,
    input: &Input,
    vocabulary: gcc_grammar::Vocabulary,
    compile: impl FnOnce(&Source, &Options) -> Result<Compiled, Error> + Send + 'static,
) -> PyResult<Artifact> {
    interruptible(py, input, move |source, options| {
        let Compiled { artifact, warnings } = compile(source, options)?;
        Ok(Artifact { session: Session::new(artifact, &vocabulary)?, warnings })
    })
}

/// The name of the family of a model, from the path of its chat template or of its folder.
#[pyfunction]
pub(crate) fn family_of_model(py: Python<'_>, path: std::path::PathBuf) -> PyResult<String> {
    py.detach(|| gcc_grammar::family_of_model(&path)).map_err(|error| library(&error))
}

/// The content key of the artifact that `compile` gives for the same arguments.
#[pyfunction]
#[pyo3(signature = (input, vocabulary, embed_vocabulary=false))]
pub(crate) fn artifact_key(
    py: Python<'_>,
    input: &Input,
    vocabulary: &Vocabulary,
    embed_vocabulary: bool,
) -> PyResult<String> {
    let (vocabulary, packing) = (vocabulary.0.clone(), Packing::of(embed_vocabulary));
    let key = move |source: &_, options: &_| gcc_grammar::artifact_key(source, &vocabulary, options, packing);
    interruptible(py, input, key).map(|key| key.to_string())
}

/// Reads an input without compiling it, and returns the warnings as a JSON array.
#[pyfunction]
pub(crate) fn check(py: Python<'_>, input: &Input) -> PyResult<String> {
    let parsed = interruptible(py, input, parse)?;
    let warnings = parsed.text.diagnostics_json(&parsed.warnings);
    let report: Value = parsed.report.iter().map(ReportEntry::to_json).collect();
    Ok(json!({"warnings": warnings, "report": report}).to_string())
}

/// A pattern of Python with flag letters as a regular expression of this library.
#[pyfunction]
pub(crate) fn python_pattern(pattern: &str, flags: &str) -> PyResult<String> {
    let source = Source::python_regex(pattern, flags).map_err(|error| library(&error))?;
    Ok(source.text().text.clone())
}

/// The notation, the text and the name of a file. Without a notation, its name decides.
#[pyfunction]
pub(crate) fn read_source(py: Python<'_>, path: PathBuf) -> PyResult<(String, String, String)> {
    if Notation::of_path(&path).is_none() {
        return Err(refused(format!(
            "the name of {} does not say what it is: give its text to Lark, Regex or another Source",
            path.display()
        )));
    }
    let source = py.detach(|| Source::file(&path, None)).map_err(|error| library(&error))?;
    let text = source.text();
    Ok((source.notation().to_string(), text.text.clone(), text.name.clone()))
}

#[pymethods]
impl Artifact {
    /// Opens the file of an artifact. Without a vocabulary, the tokens inside the artifact are used, or the vocabulary that it names.
    /// The content of a trusted file is not compared with its checksums.
    #[staticmethod]
    #[pyo3(signature = (path, vocabulary=None, trusted=false))]
    fn open(py: Python<'_>, path: PathBuf, vocabulary: Option<&Vocabulary>, trusted: bool) -> PyResult<Self> {
        py.detach(|| {
            let artifact = gcc_grammar::Artifact::open(&path);
            let artifact = artifact.map(|artifact| if trusted { artifact.trusted() } else { artifact });
            Self::with_vocabulary(artifact, vocabulary)
        })
    }

    /// Opens the bytes of an artifact.
    #[staticmethod]
    #[pyo3(signature = (content, vocabulary=None))]
    fn from_bytes(py: Python<'_>, content: Vec<u8>, vocabulary: Option<&Vocabulary>) -> PyResult<Self> {
        py.detach(|| Self::with_vocabulary(gcc_grammar::Artifact::from_bytes("<bytes>", content), vocabulary))
    }

    /// Writes the artifact to a file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let whole = self.whole(py)?;
        py.detach(|| whole.artifact().save(&path)).map_err(|error| library(&error))
    }

    /// The bytes of the artifact.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.whole(py)?.artifact().bytes()))
    }

    /// Whether all masks are there: not, while the artifact is compiled in the background.
    #[getter]
    fn is_complete(&self) -> bool {
        !self.session.is_on_demand() || self.session.completed().is_some()
    }

    /// Waits for the artifact, if it is compiled in the background.
    fn complete(&self, py: Python<'_>) -> PyResult<()> {
        self.whole(py).map(|_| ())
    }

    /// The vocabulary.
    #[getter]
    fn vocabulary(&self) -> Vocabulary {
        Vocabulary(self.session.vocabulary().clone())
    }

    /// What became of every keyword, as a JSON array.
    fn report_json(&self, py: Python<'_>) -> PyResult<String> {
        let report =
            self.metadata(py, |metadata| metadata.report.iter().map(ReportEntry::to_json).collect())?;
        Ok(Value::to_string(&report))
    }

    /// The warnings as a JSON array.
    fn warnings_json(&self, py: Python<'_>) -> PyResult<String> {
        match &self.warnings {
            Some(warnings) if self.session.completed().is_none() => Ok(warnings.clone()),
            known => {
                let messages = self.metadata(py, |metadata| metadata.warnings.clone())?;
                Ok(all_warnings(known.as_deref().unwrap_or("[]"), messages).to_string())
            }
        }
    }

    /// The text that the artifact was compiled from, and its notation.
    fn source(&self, py: Python<'_>) -> PyResult<(String, String)> {
        self.metadata(py, |metadata| (metadata.source.format.clone(), metadata.source.text.clone()))
    }

    /// The content key in the header.
    #[getter]
    fn key(&self, py: Python<'_>) -> PyResult<String> {
        Ok(Key(self.whole(py)?.engine().grammar().container().header().key).to_string())
    }

    /// The number of 32-bit words of a mask.
    #[getter]
    fn row_words(&self) -> usize {
        self.session.row_words()
    }

    /// The number of base bitmaps.
    #[getter]
    fn base_count(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.whole(py)?.base_count())
    }

    /// Writes the base bitmaps into the words at an address. The Python layer vouches for the memory.
    fn copy_bases_at(&self, py: Python<'_>, address: usize, words: usize) -> PyResult<()> {
        // SAFETY: the Python layer passes the address of an array of this length, and keeps it alive during the call.
        self.whole(py)?.copy_bases(unsafe { row(address, words) }).map_err(runtime)
    }

    /// The artifact as a finite automaton over tokens: arrays as (name, type, shape, bytes), and a description as a JSON object.
    #[pyo3(signature = (depth=None, tokens=None, max_states=None, max_work=None, max_bytes=None))]
    fn tensors<'py>(
        &self,
        py: Python<'py>,
        depth: Option<u32>,
        tokens: Option<u32>,
        max_states: Option<u64>,
        max_work: Option<u64>,
        max_bytes: Option<u64>,
    ) -> PyResult<(Vec<NamedArray<'py>>, String)> {
        let default = TensorOptions::default();
        let options = TensorOptions {
            depth,
            tokens,
            max_states: max_states.unwrap_or(default.max_states),
            max_work: max_work.unwrap_or(default.max_work),
            max_bytes: max_bytes.unwrap_or(default.max_bytes),
        };
        let whole = self.whole(py)?;
        let tensors = py.detach(|| tensors(&whole, &options)).map_err(|error| library(&error))?;
        let description = tensors.description(&whole, depth, tokens).to_string();
        let named = |array: Array| {
            let kind = if matches!(array.elements, Elements::Bool(_)) { "|b1" } else { "<i4" };
            (array.name, kind, array.shape, PyBytes::new(py, &array.elements.bytes()))
        };
        Ok((tensors.arrays().into_iter().map(named).collect(), description))
    }

    /// The size in bytes; that of the tables that are there, while the artifact is compiled in the background.
    fn __len__(&self) -> usize {
        self.session.completed().unwrap_or(&self.session).artifact().bytes().len()
    }

    /// Makes a matcher at the beginning of an output. `options` is a JSON object.
    #[pyo3(signature = (options="{}"))]
    fn matcher(&self, options: &str) -> PyResult<Matcher> {
        let matcher =
            MatcherOptions::from_json(options).and_then(|options| self.session.matcher_with(&options));
        matcher.map(Matcher::new).map_err(|error| library(&error))
    }

    /// Makes a matcher from saved bytes, with a bound on the work of each call, which they do not have.
    #[pyo3(signature = (saved, max_work=None))]
    fn restore(&self, saved: &[u8], max_work: Option<u64>) -> PyResult<Matcher> {
        let mut matcher = self.session.restore(saved).map_err(runtime)?;
        if max_work.is_some() {
            matcher.set_max_work(max_work);
        }
        Ok(Matcher::new(matcher))
    }
}

impl Artifact {
    fn with_vocabulary(
        artifact: Result<gcc_grammar::Artifact, gcc_grammar::Error>,
        vocabulary: Option<&Vocabulary>,
    ) -> PyResult<Self> {
        let opened = artifact.and_then(|artifact| match vocabulary {
            Some(vocabulary) => Session::new(artifact, &vocabulary.0),
            None => Session::open_with(artifact, &registry(None), &VocabularyRequest::default()),
        });
        let session = opened.map_err(|error| library(&error))?;
        Ok(Self { session, warnings: None })
    }

    /// The session of the whole artifact, which may have to be waited for.
    pub(crate) fn whole(&self, py: Python<'_>) -> PyResult<Session> {
        let session = self.session.clone();
        if session.is_on_demand() { waited(py, move || session.complete()) } else { Ok(session) }
    }

    fn metadata<T>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&gcc_grammar::metadata::Metadata) -> T,
    ) -> PyResult<T> {
        let whole = self.whole(py)?;
        let metadata = whole.artifact().metadata(whole.engine().grammar());
        metadata.map(|metadata| read(&metadata)).map_err(|error| refused(error.to_string()))
    }
}
