//! Cases written down: a grammar, a vocabulary, and the masks along a walk, or the error.
//!
//! A file holds any number of them:
//! ```toml
//! [[case]]
//! name = "a lexeme may go on"
//! discipline = "longest-match"            # or "any-split"
//! ignored = ["SPACE"]                     # may be left out
//! everywhere = ["NUMBER"]                 # recognized in every context; may be left out
//! after.END = ["NUMBER", "DOTS"]          # END is recognized after these lexemes and nowhere else; may be left out
//! verbatim = ["TEXT"]                     # where it is expected, nothing else is recognized; may be left out
//! start = "s"
//! [case.terminals]                        # in order of declaration
//! SPACE = " "                             # a literal
//! NUMBER = ["rep", ["chars", "0-9"], 1]   # a regular expression, see `notation`
//! DOTS = { literal = "..", priority = 1 }
//! TURN = { tokens = ["<turn>", [3, 5]] }  # special tokens by name, or by a range of ids
//! [case.rules]
//! s = ["seq", "NUMBER", ["rep", ["seq", "DOTS", "s"], 0, 1]]
//! [case.vocabulary]
//! tokens = ["1", ".", "1.", ["hex", "ff"], { special = "<turn>" }, { hole = true }]
//! end = [4]
//! padding = 2
//! [[case.steps]]
//! allowed = ["1", 2]                      # by text where it is unique, or by id; nothing else is allowed
//! accepting = false                       # if it matters
//! then = { commit = "1" }                 # or { rollback = 2 }; a token that is not allowed must be refused
//! ```
//! A case that must not compile has `error = "cyclic-rule"` in place of `steps`.

mod eliminate;
mod notation;
mod read;
mod write;

pub use read::{BadCase, read_cases};
pub use write::write_case;

use crate::compare::{Engine, Overflow, Step};
use crate::files::{entries, read, repository};
use crate::generate::Sample;

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it shows.
    pub name: String,
    /// Grammar and vocabulary.
    pub sample: Sample,
    /// What must come of it.
    pub expected: Expected,
}

/// What must come of a case.
#[derive(Clone, Debug)]
pub enum Expected {
    /// The compiler refuses the grammar with this code.
    Error(String),
    /// These masks, step by step.
    Steps(Vec<Expectation>),
}

/// What must hold, and what to do then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// The ids allowed, sorted.
    pub allowed: Vec<u32>,
    /// Whether the text is complete, if that is to be checked.
    pub accepting: Option<bool>,
    /// The next move.
    pub then: Option<Step>,
}

/// All cases of the folder `cases`, each with its file and name.
///
/// # Panics
/// If a file cannot be read, or there is no case.
#[must_use]
pub fn all_cases() -> Vec<(String, Case)> {
    let mut all = Vec::new();
    let files = entries(&repository().join("tests/cases"));
    for path in files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "toml")) {
        let cases = read_cases(&read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        all.extend(cases.into_iter().map(|case| (format!("{}: {}", path.display(), case.name), case)));
    }
    assert!(!all.is_empty(), "no cases");
    all
}

/// Takes `engine` along the steps; the error tells the first that is not met.
pub fn follow(engine: &mut dyn Engine, steps: &[Expectation]) -> Result<(), String> {
    for (index, step) in steps.iter().enumerate() {
        let met = meets(engine, step).unwrap_or_else(|Overflow| Err("a limit was reached".to_owned()));
        met.map_err(|message| format!("step {index}: {message}"))?;
    }
    Ok(())
}

/// Whether the engine does as one step says.
fn meets(engine: &mut dyn Engine, step: &Expectation) -> Result<Result<(), String>, Overflow> {
    let found: Vec<u32> = (0..).zip(engine.mask()?).filter(|(_, bit)| *bit).map(|(id, _)| id).collect();
    if found != step.allowed {
        return Ok(Err(format!("allowed {found:?} instead of {:?}", step.allowed)));
    }
    if let Some(expected) = step.accepting
        && engine.is_accepting()? != expected
    {
        return Ok(Err(format!("accepting is {} instead of {expected}", !expected)));
    }
    let done = match step.then {
        None => true,
        Some(Step::Rollback(tokens)) => engine.rollback(tokens),
        Some(Step::Commit(token)) => engine.commit(token)? == step.allowed.contains(&token),
    };
    Ok(if done { Ok(()) } else { Err(format!("{:?} went wrong", step.then)) })
}
