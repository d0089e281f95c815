//! `Events` and `RuleEvents`: which JSON values, or which rules of a grammar, began, grew or ended with each commit.

use crate::artifact::Artifact;
use crate::error::library;
use gcc_grammar::{LimitOptions, Options};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What happened, the number of the document, the JSON Pointer, the type, and the text so far.
type Event = (&'static str, usize, String, &'static str, String);

/// Reads an output as it is written.
#[pyclass(frozen, module = "gcc_grammar._lib")]
pub(crate) struct Events(Mutex<gcc_grammar::events::Events>);

impl Events {
    fn lock(&self) -> MutexGuard<'_, gcc_grammar::events::Events> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The error that fewer commits can be taken back.
fn too_far(most: usize) -> PyErr {
    PyIndexError::new_err(format!("only {most} commits can be taken back"))
}

fn told(events: Vec<gcc_grammar::events::Event>) -> Vec<Event> {
    let told = |event: gcc_grammar::events::Event| {
        (event.happened.as_str(), event.document, event.pointer, event.kind.as_str(), event.text)
    };
    events.into_iter().map(told).collect()
}

#[pymethods]
impl Events {
    /// At the beginning of an output, with the marker after which values begin.
    #[new]
    fn new(marker: &[u8]) -> Self {
        Self(Mutex::new(gcc_grammar::events::Events::new(marker)))
    }

    /// Reads the bytes of a commit.
    fn commit(&self, bytes: &[u8]) -> Vec<Event> {
        told(self.lock().commit(bytes))
    }

    /// What happens if the output ends here.
    fn end(&self) -> Vec<Event> {
        told(self.lock().end())
    }

    /// Takes back commits.
    fn rollback(&self, count: usize) -> PyResult<()> {
        self.lock().rollback(count).map_err(too_far)
    }

    /// A copy.
    fn fork(&self) -> Self {
        Self(Mutex::new(self.lock().clone()))
    }

    /// The text so far.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.lock().text())
    }

    /// The JSON Pointer of the place; none outside of values.
    #[getter]
    fn pointer(&self) -> Option<String> {
        self.lock().pointer()
    }
}

/// What happened, the name of the rule, where it begins, and the text so far.
type RuleEvent<'py> = (&'static str, String, usize, Bound<'py, PyBytes>);

/// Reads an output as it is written, by the rules of its grammar.
#[pyclass(frozen, module = "gcc_grammar._lib")]
pub(crate) struct RuleEvents(Mutex<gcc_grammar::events::RuleEvents>);

impl RuleEvents {
    fn lock(&self) -> MutexGuard<'_, gcc_grammar::events::RuleEvents> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn told<'py>(
        &self,
        py: Python<'py>,
        read: impl Send
        + FnOnce(
            &mut gcc_grammar::events::RuleEvents,
        ) -> Result<Vec<gcc_grammar::events::RuleEvent>, gcc_grammar::Error>,
    ) -> PyResult<Vec<RuleEvent<'py>>> {
        let events = py.detach(|| read(&mut self.lock())).map_err(|error| library(&error))?;
        let told = |event: gcc_grammar::events::RuleEvent| {
            (event.happened.as_str(), event.rule.to_string(), event.start, PyBytes::new(py, &event.text))
        };
        Ok(events.into_iter().map(told).collect())
    }
}

#[pymethods]
impl RuleEvents {
    /// At the beginning of an output of an artifact. All that is read may take so much work and so many bytes.
    #[new]
    #[pyo3(signature = (artifact, work=None, bytes=None))]
    fn new(py: Python<'_>, artifact: &Artifact, work: Option<u64>, bytes: Option<u64>) -> PyResult<Self> {
        let limits = LimitOptions { work, bytes, ..LimitOptions::default() };
        let options = Options { limits, ..Options::default() };
        let events = py.detach(|| gcc_grammar::events::RuleEvents::new(&artifact.session, &options));
        events.map(|events| Self(Mutex::new(events))).map_err(|error| library(&error))
    }

    /// Reads a token.
    fn commit<'py>(&self, py: Python<'py>, token: u32) -> PyResult<Vec<RuleEvent<'py>>> {
        self.told(py, |events| events.commit(token))
    }

    /// Reads bytes as if they were one token.
    fn commit_bytes<'py>(&self, py: Python<'py>, bytes: &[u8]) -> PyResult<Vec<RuleEvent<'py>>> {
        self.told(py, |events| events.commit_bytes(bytes))
    }

    /// What happens if the output ends here.
    fn end<'py>(&self, py: Python<'py>) -> PyResult<Vec<RuleEvent<'py>>> {
        self.told(py, gcc_grammar::events::RuleEvents::end)
    }

    /// Takes back commits.
    fn rollback(&self, count: usize) -> PyResult<()> {
        self.lock().rollback(count).map_err(too_far)
    }

    /// The text so far.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.lock().text())
    }
}
