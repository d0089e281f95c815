//! The result of reading a notation in which JSON Schemas may be embedded.

use gcc_grammar_ir::{Diagnostic, Grammar};
use gcc_grammar_json_schema::{Entry, Report};

/// A grammar, with warnings and the coverage of the schemas in it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Parsed {
    /// The grammar.
    pub grammar: Grammar,
    /// Warnings about parts that can be used, but probably do not mean what the author intended.
    pub warnings: Vec<Diagnostic>,
    /// What becomes of every keyword of every embedded schema. Pointers say where the schema is, too.
    pub report: Report,
    /// Whether schemas are embedded, so that the options of schemas have a meaning.
    pub has_schemas: bool,
}

/// The entries of an embedded schema, with pointers that `relocate` makes of those into the schema.
pub(crate) fn relocated<'r>(
    report: &'r Report,
    relocate: impl Fn(&str) -> String + 'r,
) -> impl Iterator<Item = Entry> + 'r {
    let entries = report.entries.iter();
    entries.map(move |entry| Entry { pointer: relocate(&entry.pointer), coverage: entry.coverage.clone() })
}
