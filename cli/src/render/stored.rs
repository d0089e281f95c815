//! Renders the contents of a store as text and as JSON.

use super::show::{hex, number, printable, size};
use gcc_grammar::{Artifact, Error};
use gcc_grammar_store::{Place, Removed};
use serde_json::{Value, json};
use std::fmt::Write;

/// The most characters of a source that are shown.
const SHOWN_SOURCE: usize = 40;

/// The file at a place of a store.
pub(crate) struct Found {
    place: Place,
    /// The artifact, or why it is of no use.
    pub(crate) artifact: Result<Contents, String>,
}

/// What an artifact is.
pub(crate) struct Contents {
    bytes: usize,
    /// The notation, the version of the compiler, and the beginning of the source; none if its metadata cannot be read.
    source: Option<[String; 3]>,
}

impl Contents {
    fn notation(&self) -> &str {
        self.source.as_ref().map_or("unknown", |[notation, ..]| notation)
    }
}

/// The beginning of a source in one line.
fn beginning(source: &str) -> String {
    let mut words = source.split_ascii_whitespace().flat_map(|word| [" ", word]).skip(1).flat_map(str::chars);
    let begins: String = words.by_ref().take(SHOWN_SOURCE).collect();
    if words.next().is_some() { begins + "…" } else { begins }
}

impl Found {
    /// The artifact, or an error about it.
    pub(crate) fn new(place: Place, artifact: Result<&Artifact, Error>) -> Self {
        let artifact = artifact.map_err(|error| error.to_string()).and_then(|artifact| {
            let grammar = artifact.grammar().map_err(|error| error.to_string())?;
            let metadata = artifact.metadata(&grammar).ok();
            let source = metadata.map(|metadata| {
                [metadata.source.format, metadata.compiler, beginning(&metadata.source.text)]
            });
            Ok(Contents { bytes: artifact.bytes().len(), source })
        });
        Self { place, artifact }
    }

    fn json(&self) -> Value {
        let mut value =
            json!({ "key": self.place.key.to_string(), "vocabulary": hex(&self.place.vocabulary) });
        match &self.artifact {
            Ok(contents) => {
                value["bytes"] = json!(contents.bytes);
                value["notation"] = json!(contents.notation());
                if let Some([_, compiler, source]) = &contents.source {
                    value["compiler"] = json!(compiler);
                    value["source"] = json!(source);
                }
            }
            Err(error) => value["error"] = json!(error),
        }
        value
    }
}

/// A line for each artifact, by vocabulary.
pub(crate) fn list_text(all: &[Found]) -> String {
    let (mut out, mut vocabulary) = (String::new(), None);
    for found in all {
        if vocabulary.replace(found.place.vocabulary) != Some(found.place.vocabulary) {
            let _ = writeln!(out, "vocabulary {}", hex(&found.place.vocabulary));
        }
        let what = match &found.artifact {
            Ok(Contents { bytes, source: None }) => format!("{:>9}  unknown", size(*bytes)),
            Ok(Contents { bytes, source: Some(source) }) => {
                let [notation, compiler, source] = source.each_ref().map(|text| printable(text));
                format!("{:>9}  {notation:<14} {compiler:<6} {source}", size(*bytes))
            }
            Err(error) => printable(error),
        };
        let _ = writeln!(out, "  {}  {what}", found.place.key);
    }
    let bytes =
        all.iter().filter_map(|found| found.artifact.as_ref().ok()).map(|contents| contents.bytes).sum();
    let _ = writeln!(out, "{} artifacts, {}", number(all.len() as u64), size(bytes));
    out
}

/// The artifacts as JSON.
pub(crate) fn list_json(all: &[Found]) -> Value {
    json!({ "artifacts": all.iter().map(Found::json).collect::<Vec<_>>() })
}

/// The artifacts that are of no use, and how many there are.
pub(crate) fn verified_text(all: &[Found]) -> String {
    let mut out = String::new();
    let mut damaged = 0;
    for found in all {
        if let Err(error) = &found.artifact {
            damaged += 1;
            let _ = writeln!(out, "{}  {}", found.place.key, printable(error));
        }
    }
    let intact = number((all.len() - damaged) as u64);
    let _ = writeln!(out, "{intact} artifacts are intact, {damaged} are not");
    out
}

/// The same as JSON, with all artifacts.
pub(crate) fn verified_json(all: &[Found]) -> Value {
    let damaged = all.iter().filter(|found| found.artifact.is_err()).count();
    let mut value = list_json(all);
    value["intact"] = json!(all.len() - damaged);
    value["damaged"] = json!(damaged);
    value
}

/// How many artifacts were removed.
pub(crate) fn removed_text(removed: &[Removed]) -> String {
    let bytes: u64 = removed.iter().map(|removed| removed.bytes).sum();
    let bytes = size(usize::try_from(bytes).unwrap_or(usize::MAX));
    format!("removed {} artifacts, {bytes}\n", number(removed.len() as u64))
}

/// The artifacts that were removed as JSON.
pub(crate) fn removed_json(removed: &[Removed]) -> Value {
    let one = |removed: &Removed| json!({"path": removed.path.display().to_string(), "bytes": removed.bytes});
    json!({ "removed": removed.iter().map(one).collect::<Vec<_>>() })
}
