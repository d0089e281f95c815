//! The texts that are judged: every program as it is, and its mutations.

use crate::Arguments;
use gcc_grammar_benches::Result;
use gcc_grammar_benches::corpus::files;
use gcc_grammar_benches::mutation::{Comments, Mutation, edit, lexemes, mutate};
use gcc_grammar_benches::tokenization::Random;
use gcc_grammar_ir::diagnostic::line_and_column;
use std::cmp::Reverse;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The bytes that are shown after a place in a text.
const AFTER: usize = 60;

/// A program, as it is or mutated.
pub(crate) struct Case {
    pub(crate) file: PathBuf,
    /// The byte offset of the mutation and its description; `None` for the program as it is.
    pub(crate) change: Option<(usize, String)>,
    pub(crate) text: String,
}

impl Case {
    pub(crate) fn extension(&self) -> &str {
        extension(&self.file)
    }

    pub(crate) fn description(&self) -> &str {
        self.change.as_ref().map_or("as it is", |(_, description)| description)
    }

    /// File, line and column of a byte offset.
    pub(crate) fn place(&self, at: usize) -> String {
        // The offset may be inside a character.
        let before = String::from_utf8_lossy(&self.text.as_bytes()[..at]);
        let (line, column) = line_and_column(&before, before.len());
        format!("{}:{line}:{column}", self.file.display())
    }

    /// The text around a byte offset, with at most `before` bytes before it.
    pub(crate) fn around(&self, at: usize, before: usize) -> String {
        let shown = |range: Range<usize>| {
            String::from_utf8_lossy(&self.text.as_bytes()[range]).escape_debug().to_string()
        };
        let end = (at + AFTER).min(self.text.len());
        format!("{} ⟦here⟧ {}", shown(at.saturating_sub(before)..at), shown(at..end))
    }
}

fn extension(file: &Path) -> &str {
    file.extension().and_then(|extension| extension.to_str()).unwrap_or("")
}

/// Reads every file, and mutates it. A file as it is comes before its mutations.
pub(crate) fn cases(arguments: &Arguments) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for (index, file) in files(&arguments.folders)?.into_iter().enumerate() {
        let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let mut random = arguments.random(index);
        let mutated =
            mutations(arguments, &text, extension(&file), &mut random).into_iter().map(|mutation| {
                let change = Some((mutation.at, mutation.description));
                Case { file: file.clone(), change, text: mutation.text }
            });
        let mutated: Vec<Case> = mutated.collect();
        cases.push(Case { file, change: None, text });
        cases.extend(mutated);
    }
    Ok(cases)
}

/// Random mutations, the last in the text first: then successive texts have long common prefixes, which the oracle reads only once.
fn mutations(arguments: &Arguments, text: &str, extension: &str, random: &mut Random) -> Vec<Mutation> {
    let lexemes = lexemes(text, Comments::of_extension(extension));
    let each = if lexemes.is_empty() { 0 } else { arguments.each };
    let edits = if text.is_empty() { 0 } else { arguments.edits };
    let mut mutations: Vec<_> = (0..each).map(|_| mutate(text, &lexemes, random)).collect();
    mutations.extend((0..edits).map(|_| edit(text, random)));
    mutations.sort_by_key(|mutation| Reverse(mutation.at));
    mutations
}
