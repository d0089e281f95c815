//! Choices in a file with one JSON string per line, `NAME.choices.jsonl`: they may contain line breaks, and be empty.

use crate::error::{Error, SourceText};
use gcc_grammar_ir::{Code, Diagnostic, Location};
use gcc_grammar_notations::notation::Notation;
use std::path::Path;

/// Whether the name of a file says that it has choices as JSON strings.
pub(crate) fn is_list(path: &Path, notation: Notation) -> bool {
    notation == Notation::Choices && path.extension().is_some_and(|extension| extension == "jsonl")
}

/// The strings of the lines; blank lines have none.
pub(crate) fn choices(source: &SourceText) -> Result<Vec<String>, Error> {
    let text = source.text.strip_prefix('\u{FEFF}').unwrap_or(&source.text);
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| serde_json::from_str(line).map_err(|error| refused(source, line, &error))).collect()
}

fn refused(source: &SourceText, line: &str, error: &serde_json::Error) -> Error {
    let start = line.as_ptr() as usize - source.text.as_ptr() as usize;
    let diagnostic = Diagnostic::error(Code::JsonSyntax, format!("this line is no JSON string: {error}"))
        .at(Location::Span(start..start + line.len()))
        .help(r#"write one string per line, in double quotes, such as "yes" or "two\nlines""#);
    Error::refused(vec![diagnostic], source)
}
