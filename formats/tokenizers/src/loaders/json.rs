//! Parses JSON into a typed document, and reports syntax and type errors with line and column.

use gcc_grammar_vocabulary::{Place, VocabularyError};
use serde::de::DeserializeOwned;

/// Parses a whole document.
pub(super) fn parse<T: DeserializeOwned>(data: &[u8]) -> Result<T, VocabularyError> {
    serde_json::from_slice(data).map_err(malformed)
}

/// A syntax or type error with its place.
pub(super) fn malformed(error: serde_json::Error) -> VocabularyError {
    // serde_json appends the place to its message; here the place has a field of its own.
    let text = error.to_string();
    let problem = text.rsplit_once(" at line ").map_or(text.as_str(), |(problem, _)| problem);
    VocabularyError::malformed(format!("the file violates its format: {problem}"))
        .at(Place::Line(error.line(), error.column()))
        .caused_by(error)
}
