//! The error of every operation of this crate: diagnostics about an input, and what kind of failure they are.

use crate::suggest::{Kind, near};
use gcc_grammar_artifact::ArtifactError;
use gcc_grammar_artifact::grammar::{COMPLETION_SECTIONS, SECTIONS};
use gcc_grammar_files::ReadError;
use gcc_grammar_ir::diagnostic::{all_to_json, render_all, shortened};
use gcc_grammar_ir::{Code, Diagnostic, Location};
use gcc_grammar_vocabulary::{ErrorKind as VocabularyErrorKind, Place, VocabularyError};
use serde_json::Value;
use std::fmt;
use std::io;
use std::path::Path;

/// The most diagnostics that are rendered as text.
const MAX_RENDERED: usize = 50;

/// The kind of a failure. A program may decide by it what to do next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input was understood and refused.
    Refused,
    /// A file cannot be read or written, or a name is not known.
    NotFound,
    /// A limit was exceeded.
    OverBudget,
    /// The artifact was compiled for another vocabulary.
    OtherVocabulary,
    /// The [`Interrupt`](crate::Interrupt) of the options was set.
    Interrupted,
}

/// An input text with its name, for diagnostics that point into it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SourceText {
    /// The name of the file or argument.
    pub name: String,
    /// The text; empty if no diagnostic points into it.
    pub text: String,
}

impl SourceText {
    /// An input that no diagnostic points into.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), text: String::new() }
    }

    /// Diagnostics about this input as a JSON array.
    #[must_use]
    pub fn diagnostics_json(&self, diagnostics: &[Diagnostic]) -> Value {
        all_to_json(diagnostics, &self.name, &self.text)
    }
}

/// A failure: its kind, the diagnostics that explain it, and the input that they are about.
#[derive(Debug)]
pub struct Error {
    content: Box<Content>,
}

#[derive(Debug)]
struct Content {
    kind: ErrorKind,
    diagnostics: Vec<Diagnostic>,
    input: SourceText,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// An error with one diagnostic about an input without a text.
    #[must_use]
    pub fn new(kind: ErrorKind, input: impl Into<String>, diagnostic: Diagnostic) -> Self {
        Self::with(kind, vec![diagnostic], SourceText::named(input))
    }

    pub(crate) fn with(kind: ErrorKind, diagnostics: Vec<Diagnostic>, input: SourceText) -> Self {
        Self { content: Box::new(Content { kind, diagnostics, input, source: None }) }
    }

    pub(crate) fn caused_by(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.content.source = Some(Box::new(source));
        self
    }

    /// A copy, without the error behind it.
    pub(crate) fn without_source(&self) -> Self {
        let Content { kind, diagnostics, input, .. } = &*self.content;
        Self::with(*kind, diagnostics.clone(), input.clone())
    }

    /// The error that an input is refused. It is [`ErrorKind::OverBudget`] if a front end exceeded one of its limits, and
    /// [`ErrorKind::Interrupted`] if it was interrupted.
    pub(crate) fn refused(diagnostics: Vec<Diagnostic>, input: &SourceText) -> Self {
        let any = |is: fn(Code) -> bool| diagnostics.iter().any(|diagnostic| is(diagnostic.code));
        let kind = match any(is_limit) {
            _ if any(|code| code == Code::Interrupted) => ErrorKind::Interrupted,
            true => ErrorKind::OverBudget,
            false => ErrorKind::Refused,
        };
        Self::with(kind, diagnostics, input.clone())
    }

    /// The error that an input was not compiled to its end.
    pub(crate) fn interrupted(input: &SourceText) -> Self {
        let diagnostic = Diagnostic::error(Code::Interrupted, "interrupted");
        Self::new(ErrorKind::Interrupted, input.name.clone(), diagnostic)
    }

    /// The error that a file cannot be read or written.
    #[must_use]
    pub fn io(path: &Path, what: &str, error: io::Error) -> Self {
        let diagnostic = Diagnostic::error(Code::Io, format!("{what}: {error}"));
        Self::new(ErrorKind::NotFound, path.display().to_string(), diagnostic).caused_by(error)
    }

    /// The error with advice, if it has none yet.
    #[must_use]
    pub fn advising(mut self, help: &str) -> Self {
        for diagnostic in self.content.diagnostics.iter_mut().filter(|diagnostic| diagnostic.help.is_none()) {
            diagnostic.help = Some(help.to_owned());
        }
        self
    }

    /// The error that an input file was not read.
    #[must_use]
    pub fn read(name: &str, error: ReadError) -> Self {
        match error {
            ReadError::Io(error) => {
                let is_missing = error.kind() == io::ErrorKind::NotFound;
                let message = match is_missing {
                    true if Path::new(name).is_symlink() => "the symbolic link leads to no file".to_owned(),
                    true => "there is no such file".to_owned(),
                    false => format!("cannot be read: {error}"),
                };
                let mut diagnostic = Diagnostic::error(Code::Io, message);
                if is_missing {
                    diagnostic.help = near(Path::new(name)).map(|near| format!("there is {near}"));
                } else if error.kind() == io::ErrorKind::InvalidInput {
                    diagnostic =
                        diagnostic.help("give a regular file; commands read the standard input as `-`");
                }
                Self::new(ErrorKind::NotFound, name, diagnostic).caused_by(error)
            }
            ReadError::TooLarge { limit } => Self::too_large(name, limit),
        }
    }

    /// The error that an input has more bytes than any that is read.
    #[must_use]
    pub fn too_large(name: impl Into<String>, limit: u64) -> Self {
        let message = format!("the input has more than the limit of {limit} bytes");
        Self::new(ErrorKind::OverBudget, name, Diagnostic::error(Code::TooLarge, message))
    }

    /// The error that an artifact cannot be used.
    pub(crate) fn artifact(name: &str, error: ArtifactError) -> Self {
        let (kind, code, help) = match error {
            ArtifactError::WrongVocabulary { .. } => (
                ErrorKind::OtherVocabulary,
                Code::OtherVocabulary,
                "give the vocabulary it was compiled for with --vocab, --vocab-size and --eos, or compile it again for this one",
            ),
            ArtifactError::NotAContainer | ArtifactError::WrongKind { .. } => {
                (ErrorKind::Refused, Code::NotAnArtifact, instead_of_artifact(Path::new(name)))
            }
            ArtifactError::OtherMajor { .. } | ArtifactError::UnknownFeature { .. } => (
                ErrorKind::Refused,
                Code::OtherFormat,
                "compile or import it again with this version of gcc-grammar, or use the version that wrote it",
            ),
            _ => (ErrorKind::Refused, Code::DamagedArtifact, "fetch or compile it again"),
        };
        let message = damaged_section(&error).unwrap_or_else(|| error.to_string());
        Self::new(kind, name, Diagnostic::error(code, message).help(help)).caused_by(error)
    }

    /// The kind of the failure.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.content.kind
    }

    /// The diagnostics, at least one.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.content.diagnostics
    }

    /// The input that the diagnostics are about.
    #[must_use]
    pub fn input(&self) -> &SourceText {
        &self.content.input
    }

    /// The diagnostics as a JSON array.
    #[must_use]
    pub fn diagnostics_json(&self) -> Value {
        self.input().diagnostics_json(self.diagnostics())
    }

    /// The diagnostics as text, with the lines that they point at. Of more than 50, the others are counted.
    #[must_use]
    pub fn render(&self) -> String {
        let SourceText { name, text } = self.input();
        let texts = render_all(self.diagnostics(), name, text, false);
        let others = match texts.len().saturating_sub(MAX_RENDERED) {
            0 => String::new(),
            others => format!("... and {others} more\n"),
        };
        texts.take(MAX_RENDERED).chain([others]).collect()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.input().name;
        match self.diagnostics() {
            [] => write!(f, "{name}: refused"),
            [first] => write!(f, "{name}: {}", shortened(&first.message)),
            [first, rest @ ..] => {
                write!(f, "{name}: {} (and {} more)", shortened(&first.message), rest.len())
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.content.source.as_deref().map(|source| source as _)
    }
}

impl From<VocabularyError> for Error {
    fn from(error: VocabularyError) -> Self {
        let kind = match error.kind {
            VocabularyErrorKind::Io | VocabularyErrorKind::NotFound => ErrorKind::NotFound,
            _ => ErrorKind::Refused,
        };
        let mut name =
            error.file.as_ref().map_or_else(|| "vocabulary".to_owned(), |file| file.display().to_string());
        let code = Code::ALL.iter().find(|code| code.as_str() == error.kind.code());
        let code = *code.unwrap_or(&Code::VocabularyMalformed);
        let mut diagnostic = Diagnostic::error(code, error.message.as_str());
        match &error.place {
            Some(Place::Line(line, column)) => name = format!("{name}:{line}:{column}"),
            Some(Place::Offset(offset)) => diagnostic = diagnostic.at(Location::Offset(*offset as u64)),
            Some(Place::Pointer(pointer)) => diagnostic = diagnostic.at(Location::Pointer(pointer.clone())),
            _ => {}
        }
        diagnostic.help.clone_from(&error.help);
        Self::new(kind, name, diagnostic).caused_by(error)
    }
}

impl From<gcc_grammar_runtime::Error> for Error {
    fn from(error: gcc_grammar_runtime::Error) -> Self {
        let diagnostic = Diagnostic::error(Code::Runtime, error.to_string());
        Self::new(ErrorKind::Refused, "runtime", diagnostic).caused_by(error)
    }
}

/// What is wrong with a section of a grammar, by its name.
fn damaged_section(error: &ArtifactError) -> Option<String> {
    let &ArtifactError::SectionChecksum { kind } = error else { return None };
    let section = SECTIONS.iter().chain(COMPLETION_SECTIONS).find(|section| section.kind == kind)?;
    Some(format!("the file is damaged: the section `{}` does not match its checksum", section.name))
}

/// What to do with a file that is no artifact.
fn instead_of_artifact(path: &Path) -> &'static str {
    match Kind::of(path) {
        Some(Kind::Pack) => {
            "this is a pack of artifacts: name it with --store, and give the key of an artifact instead of a file"
        }
        Some(Kind::Source) => "this is a schema or grammar: `gcc-grammar compile` makes an artifact of it",
        _ => "make one with `gcc-grammar compile`",
    }
}

/// Whether a front end reports with this code that it exceeded one of its own limits.
fn is_limit(code: Code) -> bool {
    matches!(code, Code::OverBudget | Code::TooLarge | Code::TerminalTooLarge | Code::TooManyRules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_is_that_of_the_diagnostics() {
        let kind = |codes: &[Code]| {
            let diagnostics = codes.iter().map(|&code| Diagnostic::error(code, "message")).collect();
            Error::refused(diagnostics, &SourceText::default()).kind()
        };
        assert_eq!(kind(&[Code::Syntax]), ErrorKind::Refused);
        assert_eq!(kind(&[Code::Syntax, Code::OverBudget]), ErrorKind::OverBudget);
        assert_eq!(kind(&[Code::TooLarge, Code::Interrupted]), ErrorKind::Interrupted);
    }
}
