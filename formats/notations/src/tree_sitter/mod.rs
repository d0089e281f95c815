//! Reads the [grammars of tree-sitter](https://tree-sitter.github.io/tree-sitter/creating-parsers), as `tree-sitter generate` writes them to `grammar.json`.
//!
//! ```text
//! JSON ──json──▶ rules ──lower──▶ definitions as in Lark ──lark──▶ Grammar
//! ```
//! Input: the text of a `grammar.json`. Output: a checked grammar under longest match, or diagnostics located in the text. As in tree-sitter, tokens are
//! recognized where the parser expects them, and words as a whole. Precedences of rules, conflicts and names of nodes choose between readings or shape trees,
//! and have no effect. External scanners are refused by name where the start rule reaches them.

mod json;
mod lower;

use crate::lark::{self, File, Parsed};
use crate::options::GrammarOptions;
use gcc_grammar_ir::Diagnostic;

/// Estimated bytes of the tree of a JSON text, per byte of the text.
const BYTES_PER_BYTE: u64 = 16;

/// Reads a grammar. Locations of diagnostics are byte ranges of `text`.
pub fn parse(text: &str, options: &GrammarOptions<'_>) -> Result<Parsed, Vec<Diagnostic>> {
    let (budget, length) = (&options.limits.budget, text.len() as u64);
    let charged = budget.charge_work(length).and_then(|()| budget.charge_bytes(BYTES_PER_BYTE * length));
    charged.map_err(|over| vec![over.into()])?;
    let grammar = json::read(text).map_err(|error| vec![error])?;
    let lower::Lowered { start, items, immediate, warnings } = lower::lower(&grammar, options)?;
    let lark_options = lark::Options {
        start: &start,
        limits: options.limits.clone(),
        names: options.names.clone(),
        keeps_rules: options.keeps_rules,
        ..lark::Options::default()
    };
    let file = File { name: String::new(), text: text.to_owned(), imported_at: None, items };
    let mut parsed = lark::read_files(
        vec![file],
        lark::Additions { immediate, ..lark::Additions::default() },
        &lark_options,
    )?;
    parsed.warnings.extend(warnings);
    Ok(parsed)
}

/// Whether a JSON text is a grammar of tree-sitter: an object with a name and rules, all of which are of kinds that tree-sitter has.
#[must_use]
pub fn looks_like(text: &str) -> bool {
    text.contains("\"rules\"") && json::is_grammar(text)
}
