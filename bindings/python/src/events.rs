//! `Events`: which JSON values began, grew or ended with each commit.

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
        let most = |most| PyIndexError::new_err(format!("only {most} commits can be taken back"));
        self.lock().rollback(count).map_err(most)
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
