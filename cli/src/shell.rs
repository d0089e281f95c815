//! Where output goes, and how: results to the standard output, all else to the standard error.

use crate::failure::{Exit, Failure};
use clap::ValueEnum;
use gcc_grammar::diagnostic::{render_text, to_json};
use gcc_grammar::{Diagnostic, Error, SourceText};
use serde_json::{Value, json};
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

/// More diagnostics than this are only counted for people.
const MAX_SHOWN: usize = 50;

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Color {
    /// On terminals, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

/// How to talk to whoever called.
pub(crate) struct Shell {
    /// Results and errors as JSON.
    pub(crate) json: bool,
    /// Neither progress nor summary.
    pub(crate) quiet: bool,
    color: bool,
}

impl Shell {
    pub(crate) fn new(json: bool, quiet: bool, color: Color) -> Self {
        let no_color = || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color = match color {
            Color::Auto => io::stderr().is_terminal() && !no_color(),
            Color::Always => true,
            Color::Never => false,
        };
        Self { json, quiet, color }
    }

    /// Whether to show progress: someone is watching.
    pub(crate) fn is_watched(&self) -> bool {
        !self.quiet && !self.json && io::stderr().is_terminal()
    }

    /// For results.
    pub(crate) fn out(&self) -> BufWriter<StdoutLock<'static>> {
        BufWriter::new(io::stdout().lock())
    }

    /// Writes a result as JSON.
    pub(crate) fn write_json(&self, value: &Value) -> Result<(), Failure> {
        let mut out = self.out();
        serde_json::to_writer_pretty(&mut out, value).map_err(io::Error::from)?;
        writeln!(out)?;
        Ok(out.flush()?)
    }

    /// Shows warnings to people. In JSON they are part of the result.
    pub(crate) fn warn(&self, diagnostics: &[Diagnostic], source: &SourceText) {
        if self.json || self.quiet {
            return;
        }
        self.complain(diagnostics, source);
    }

    fn complain(&self, diagnostics: &[Diagnostic], source: &SourceText) {
        let mut err = io::stderr().lock();
        for diagnostic in diagnostics.iter().take(MAX_SHOWN) {
            let text = render_text(diagnostic, &source.name, &source.text, self.color);
            // If nobody hears complaints, there is nobody to tell.
            let _ = err.write_all(text.as_bytes());
        }
        if diagnostics.len() > MAX_SHOWN {
            let _ = writeln!(err, "... and {} more, see --json", diagnostics.len() - MAX_SHOWN);
        }
    }

    /// Reports a failure.
    pub(crate) fn fail(&self, failure: &Failure) -> Exit {
        let Failure::Reported(exit, error) = failure else { return Exit::Done };
        if self.json {
            // A closed pipe is all that can go wrong, and then nobody reads this.
            let _ = self.write_json(&failure_json(*exit, error));
        } else {
            self.complain(error.diagnostics(), error.input());
        }
        *exit
    }
}

/// A failure as a JSON object.
pub(crate) fn failure_json(exit: Exit, error: &Error) -> Value {
    let diagnostics = diagnostics_json(error.diagnostics(), error.input());
    json!({ "error": { "exit": exit as u8, "diagnostics": diagnostics } })
}

/// Diagnostics as a JSON array.
pub(crate) fn diagnostics_json(diagnostics: &[Diagnostic], source: &SourceText) -> Value {
    diagnostics.iter().map(|diagnostic| to_json(diagnostic, &source.name, &source.text)).collect()
}
