//! Masks by number, for the memory of an accelerator. The format is that of [`gcc_grammar::numbered`].

use crate::artifact::Artifact;
use crate::error::{refused, runtime};
use crate::matcher::{Matcher, row};
use gcc_grammar::MatchError;
use gcc_grammar::numbered::{BaseSlots, Staging};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The slots of an accelerator that hold the base bitmaps of artifacts.
#[pyclass(frozen, module = "gcc_grammar._lib")]
#[derive(Default)]
pub(crate) struct Slots(Mutex<BaseSlots>);

impl Slots {
    fn lock(&self) -> MutexGuard<'_, BaseSlots> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Slots {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Notes the slot of each base of an artifact.
    fn insert(&self, py: Python<'_>, artifact: &Artifact, slots: Vec<u32>) -> PyResult<()> {
        let complete = self.lock().insert(&artifact.whole(py)?, slots);
        complete.then_some(()).ok_or_else(|| refused("every base needs a slot"))
    }

    /// Forgets the slots of an artifact.
    fn remove(&self, py: Python<'_>, artifact: &Artifact) -> PyResult<()> {
        self.lock().remove(&artifact.whole(py)?);
        Ok(())
    }

    /// Writes the masks of matchers as numbers into the words at an address, and returns how many words have to be copied. The first
    /// matchers have the first rows, and none stands for a row that allows every token. The Python layer vouches for the memory.
    fn stage_at(
        &self,
        py: Python<'_>,
        matchers: Vec<Option<Py<Matcher>>>,
        rows: usize,
        row_words: usize,
        address: usize,
        words: usize,
    ) -> PyResult<usize> {
        if matchers.len() > rows {
            return Err(refused(format!("{} matchers for {rows} rows", matchers.len())));
        }
        let matchers: Vec<Option<&Matcher>> =
            matchers.iter().map(|matcher| matcher.as_ref().map(Py::get)).collect();
        let write = || {
            // SAFETY: the Python layer passes the address of an array of this length, and keeps it alive during the call.
            let mut staging = Staging::new(unsafe { row(address, words) }, rows, row_words)?;
            let slots = self.lock();
            for (row, matcher) in matchers.iter().enumerate() {
                if let Some(matcher) = matcher {
                    matcher.use_with(|matcher| staging.write(row, matcher, &slots))?;
                }
            }
            Ok(staging.used())
        };
        py.detach(write).map_err(|error: MatchError| runtime(error))
    }
}
