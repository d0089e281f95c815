//! What can go wrong, and exit codes.

use gcc_grammar_compiler::{CompileError, OverBudget};
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, Location};
use gcc_grammar_vocabulary::{ErrorKind, Place, VocabularyError};
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// Codes of diagnostics that say that a front end passed a limit of its own.
const LIMIT_CODES: [&str; 3] = [Code::TooLarge, Code::TerminalTooLarge, Code::TooManyRules];

/// How the program ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Done.
    Done = 0,
    /// The input was understood and refused.
    Refused = 1,
    /// The program was not called as it should be, or a file is not there.
    Usage = 2,
    /// A limit was passed.
    OverBudget = 3,
    /// The artifact was compiled for another vocabulary.
    OtherVocabulary = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// A text that diagnostics are about.
#[derive(Clone, Default, Debug)]
pub(crate) struct SourceText {
    /// Name of the file.
    pub(crate) name: String,
    /// Its contents; empty if nothing points into it.
    pub(crate) text: String,
}

impl SourceText {
    /// A name alone.
    pub(crate) fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), text: String::new() }
    }
}

/// Why a command was not done.
#[derive(Debug)]
pub(crate) enum Failure {
    /// With these errors.
    Reported { exit: Exit, diagnostics: Vec<Diagnostic>, source: SourceText },
    /// Whoever reads the output has stopped reading. Not an error.
    BrokenPipe,
}

impl Failure {
    /// One error about a file or an argument.
    pub(crate) fn new(exit: Exit, source: impl Into<String>, diagnostic: Diagnostic) -> Self {
        Self::Reported { exit, diagnostics: vec![diagnostic], source: SourceText::named(source) }
    }

    /// The input was refused for these reasons.
    pub(crate) fn refused(diagnostics: Vec<Diagnostic>, source: &SourceText) -> Self {
        let is_limit = diagnostics.iter().any(|diagnostic| LIMIT_CODES.contains(&diagnostic.code));
        let exit = if is_limit { Exit::OverBudget } else { Exit::Refused };
        Self::Reported { exit, diagnostics, source: source.clone() }
    }

    /// An argument is wrong.
    pub(crate) fn usage(argument: &str, message: impl Into<String>, help: &str) -> Self {
        Self::new(Exit::Usage, argument, Diagnostic::error(Code::Usage, message).help(help))
    }

    /// The command line cannot be read: its first paragraph says why.
    pub(crate) fn arguments(error: &clap::Error) -> Self {
        let text = error.render().to_string();
        let why = text.strip_prefix("error: ").unwrap_or(&text).split("\n\n").next().unwrap_or_default();
        let message = why.split_whitespace().collect::<Vec<_>>().join(" ");
        Self::usage("command line", message, "see --help")
    }

    /// A file cannot be read or written.
    pub(crate) fn io(path: &Path, what: &str, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::BrokenPipe;
        }
        let diagnostic = Diagnostic::error(Code::Io, format!("{what}: {error}"));
        Self::new(Exit::Usage, path.display().to_string(), diagnostic)
    }

    /// A grammar was not compiled.
    pub(crate) fn compile(error: CompileError, source: &SourceText) -> Self {
        match error {
            CompileError::Grammar(diagnostics) => Self::refused(diagnostics, source),
            CompileError::OverBudget(over) => {
                Self::new(Exit::OverBudget, source.name.as_str(), over_budget(&over))
            }
        }
    }
}

/// Writing to the standard output failed.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::io(Path::new("standard output"), "cannot be written", &error)
    }
}

impl From<VocabularyError> for Failure {
    fn from(error: VocabularyError) -> Self {
        let exit = match error.kind {
            ErrorKind::Io | ErrorKind::NotFound => Exit::Usage,
            _ => Exit::Refused,
        };
        let mut diagnostic = Diagnostic::error(error.kind.code(), error.message);
        let file = error.file.map_or_else(|| "vocabulary".to_owned(), |file| file.display().to_string());
        let mut name = file;
        match error.place {
            Some(Place::Line(line, column)) => name = format!("{name}:{line}:{column}"),
            Some(Place::Offset(offset)) => diagnostic = diagnostic.at(Location::Offset(offset as u64)),
            Some(Place::Pointer(pointer)) => diagnostic = diagnostic.at(Location::Pointer(pointer)),
            None => {}
        }
        diagnostic.help = error.help;
        Self::new(exit, name, diagnostic)
    }
}

fn over_budget(over: &OverBudget) -> Diagnostic {
    let advice = match over.what {
        "work units" => "raise --limit-work, or simplify the grammar: large bounds and wide unions cost most",
        "bytes" => "raise --limit-bytes, or simplify the grammar: large bounds and wide unions cost most",
        "LR states" => "raise --limit-lr-states, or use fewer and shorter alternatives",
        "lexer states" => {
            "raise --limit-lexer-states, or use smaller repetition bounds in terminals and strings"
        }
        "Parser DWA states" => {
            "raise --limit-dwa-states, or remove ambiguity from the grammar (see check --conflicts)"
        }
        _ => {
            "raise --limit-terminal-states, or use smaller repetition bounds in terminals, strings and patterns"
        }
    };
    Diagnostic::error(Code::OverBudget, over.to_string()).help(advice)
}
