//! The failures of commands and the exit codes of the program. Every error of the library becomes a [`Failure`] with the exit code of
//! its kind.

use gcc_grammar::{Code, Diagnostic, Error, ErrorKind, MatchError};
use std::io;
use std::path::Path;

/// The exit codes of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// The command did its work.
    Done = 0,
    /// The input was understood and refused.
    Refused = 1,
    /// The command line is wrong, or a file cannot be read or written.
    Usage = 2,
    /// A limit was exceeded.
    OverBudget = 3,
    /// The artifact was compiled for another vocabulary.
    OtherVocabulary = 4,
}

/// The failure of a command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command failed with this error, which is shown to the user.
    Reported(Exit, Error),
    /// The reader of the output has stopped reading. This is not an error.
    BrokenPipe,
}

impl Failure {
    /// The failure that an input is refused, with one diagnostic.
    pub(crate) fn refused(input: &str, diagnostic: Diagnostic) -> Self {
        Error::new(ErrorKind::Refused, input, diagnostic).into()
    }

    /// The failure that an argument is wrong, with advice.
    pub(crate) fn usage(argument: &str, message: impl Into<String>, help: &str) -> Self {
        let diagnostic = Diagnostic::error(Code::Usage, message).help(help);
        Self::Reported(Exit::Usage, Error::new(ErrorKind::Refused, argument, diagnostic))
    }

    /// The failure that the command line cannot be parsed. The first paragraph of clap's error tells the reason.
    pub(crate) fn arguments(error: &clap::Error) -> Self {
        let text = error.render().to_string();
        let reason = text.strip_prefix("error: ").unwrap_or(&text).split("\n\n").next().unwrap_or_default();
        let message = reason.split_whitespace().collect::<Vec<_>>().join(" ");
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

/// An error of the runtime, which no input of the user causes.
impl From<MatchError> for Failure {
    fn from(error: MatchError) -> Self {
        Error::from(error).into()
    }
}

/// Every other error of input and output is about the standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Error::io(Path::new("standard output"), "cannot be written", error).into()
    }
}
