//! Failures of commands, and the exit codes of the program.

use gcc_grammar::{Code, Diagnostic, Error, ErrorKind, MatchError};
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// How the program ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// The command did its work.
    Done = 0,
    /// The input was understood and refused.
    Refused = 1,
    /// The command line is wrong, or a file is not there.
    Usage = 2,
    /// A limit was exceeded.
    OverBudget = 3,
    /// The artifact was compiled for another vocabulary.
    OtherVocabulary = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// With this error, which is shown to the user.
    Reported(Exit, Error),
    /// The reader of the output has stopped reading. This is not an error.
    BrokenPipe,
}

impl Failure {
    /// The input was refused, for one reason.
    pub(crate) fn refused(input: &str, diagnostic: Diagnostic) -> Self {
        Error::new(ErrorKind::Refused, input, diagnostic).into()
    }

    /// An argument is wrong.
    pub(crate) fn usage(argument: &str, message: impl Into<String>, help: &str) -> Self {
        let diagnostic = Diagnostic::error(Code::Usage, message).help(help);
        Self::Reported(Exit::Usage, Error::new(ErrorKind::Refused, argument, diagnostic))
    }

    /// The command line cannot be parsed: the first paragraph of clap's error says why.
    pub(crate) fn arguments(error: &clap::Error) -> Self {
        let text = error.render().to_string();
        let why = text.strip_prefix("error: ").unwrap_or(&text).split("\n\n").next().unwrap_or_default();
        let message = why.split_whitespace().collect::<Vec<_>>().join(" ");
        Self::usage("command line", message, "see --help")
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let cause = std::error::Error::source(&error).and_then(|source| source.downcast_ref::<io::Error>());
        if cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe) {
            return Self::BrokenPipe;
        }
        let exit = match error.kind() {
            ErrorKind::NotFound => Exit::Usage,
            ErrorKind::OverBudget => Exit::OverBudget,
            ErrorKind::OtherVocabulary => Exit::OtherVocabulary,
            _ => Exit::Refused,
        };
        Self::Reported(exit, error)
    }
}

/// An error of the runtime that no input of the user causes.
impl From<MatchError> for Failure {
    fn from(error: MatchError) -> Self {
        Error::from(error).into()
    }
}

/// Writing to the standard output failed.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Error::io(Path::new("standard output"), "cannot be written", error).into()
    }
}
