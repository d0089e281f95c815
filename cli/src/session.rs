//! A matcher with its memory.

use crate::failure::{Exit, Failure};
use gcc_grammar_ir::Code;
use gcc_grammar_ir::Diagnostic;
use gcc_grammar_runtime::{Engine, Error, Matcher};

/// Words beyond what the engine recommends, for outputs that nest a million levels deep. The system maps what is used.
const MORE: usize = 1 << 22;

/// Memory for one matcher.
pub(crate) fn scratch(engine: &Engine<'_>) -> Vec<u32> {
    vec![0; engine.scratch_words() + MORE]
}

/// A matcher at the beginning.
pub(crate) fn matcher<'a, 's>(
    engine: &'a Engine<'a>,
    scratch: &'s mut [u32],
    max_rollback: u32,
) -> Result<Matcher<'a, 's>, Failure> {
    Matcher::new(engine, scratch, max_rollback).map_err(runtime_failure)
}

/// An error of the runtime that no input of a user can be blamed for.
pub(crate) fn runtime_failure(error: Error) -> Failure {
    let diagnostic = Diagnostic::error(Code::Runtime, error.to_string());
    Failure::new(Exit::Refused, "runtime", diagnostic)
}
