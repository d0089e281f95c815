//! Errors of the library as Python exceptions: the classes of `gcc_grammar._errors`, with the diagnostics as data.

use gcc_grammar::{Error, ErrorKind, MatchError};
use pyo3::prelude::*;
use serde_json::{Value, json};

/// Raises the exception of the class with this message and these diagnostics, a JSON array.
fn exception(class: &str, message: &str, diagnostics: &Value) -> PyErr {
    Python::attach(|py| {
        let make = || {
            let class = py.import("gcc_grammar._errors")?.getattr(class)?;
            class.call1((message, diagnostics.to_string()))
        };
        make().map_or_else(|error| error, |exception| PyErr::from_value(exception))
    })
}

/// An error of the library.
pub(crate) fn library(error: &Error) -> PyErr {
    let class = match error.kind() {
        ErrorKind::NotFound => "NotFoundError",
        ErrorKind::OverBudget => "OverBudgetError",
        ErrorKind::OtherVocabulary => "OtherVocabularyError",
        _ => "RefusedError",
    };
    exception(class, error.render().trim_end(), &error.diagnostics_json())
}

/// An argument that cannot be meant.
pub(crate) fn refused(message: impl AsRef<str>) -> PyErr {
    exception("RefusedError", message.as_ref(), &json!([]))
}

/// A row that masks cannot be written to.
pub(crate) fn bad_row(message: impl AsRef<str>) -> PyErr {
    exception("RowError", message.as_ref(), &json!([]))
}

/// An error of a matcher.
pub(crate) fn runtime(error: MatchError) -> PyErr {
    let class = match error {
        MatchError::ScratchFull | MatchError::TooMuchWork { .. } => "OverBudgetError",
        MatchError::OtherArtifact => "OtherVocabularyError",
        MatchError::RowTooShort { .. } => "RowError",
        _ => "RefusedError",
    };
    exception(class, &error.to_string(), &json!([]))
}
