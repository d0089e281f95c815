//! Says why a grammar has no text: which terminals can never come where the parser expects them.

use super::certificate::Unspelled;
use crate::error::CompileError;
use crate::lr::{Entry, LrTables};
use gcc_grammar_ir::{Code, Diagnostic, Grammar, TerminalId};

/// The number of terminals and places that a message names at most.
const NAMED: usize = 3;

/// The error that no text is in the language.
pub(super) fn empty(grammar: &Grammar, lr: &LrTables, found: &[Unspelled]) -> CompileError {
    let entries = lr.entries();
    let mut reasons: Vec<String> = Vec::new();
    for Unspelled { state, terminals } in found {
        let place = match &entries[state.index()] {
            Entry::Shift(before) => format!("after {}", names(grammar, before)),
            _ => "at the start".to_owned(),
        };
        let reason = format!("{place} there is never {}", names(grammar, terminals));
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    reasons.truncate(NAMED);
    let message = format!(
        "no text at all matches this grammar: {}, because the longest match of another terminal takes its text",
        reasons.join(", ")
    );
    CompileError::Grammar(vec![Diagnostic::error(Code::EmptyLanguage, message).help(
        "let something stand between them, such as white space that is ignored, or let the first one end earlier",
    )])
}

fn names(grammar: &Grammar, terminals: &[TerminalId]) -> String {
    let name = |terminal: &TerminalId| {
        grammar
            .terminals
            .get(terminal.index())
            .map_or("the end of the text", |terminal| terminal.name.as_str())
    };
    let mut names: Vec<String> = terminals.iter().take(NAMED).map(|t| name(t).to_owned()).collect();
    if terminals.len() > NAMED {
        names.push(format!("{} more", terminals.len() - NAMED));
    }
    names.join(" or ")
}
