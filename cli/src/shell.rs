//! Writes output: results to the standard output, and warnings, errors and progress to the standard error. With `--json`, errors are
//! results, too.

use crate::failure::{Exit, Failure};
use crate::render::wrap::wrapped;
use clap::{ColorChoice, ValueEnum};
use gcc_grammar::diagnostic::render_all;
use gcc_grammar::{Diagnostic, Error, SourceText};
use serde::Serialize;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use terminal_size::{Width, terminal_size_of};

/// The greatest number of diagnostics that are shown as text. Further diagnostics are only counted.
const MAX_SHOWN: usize = 50;

/// The version of outputs in JSON. It counts up when a member is removed or means something else.
const JSON_VERSION: u32 = 1;

/// A result with the version of its form in front.
#[derive(Serialize)]
pub(crate) struct Versioned<'v, T: Serialize> {
    version: u32,
    #[serde(flatten)]
    value: &'v T,
}

impl<'v, T: Serialize> Versioned<'v, T> {
    pub(crate) const fn new(value: &'v T) -> Self {
        Self { version: JSON_VERSION, value }
    }
}

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Color {
    /// On terminals, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// The value of `--color`, found without parsing the command line. It counts for errors of parsing and for help, too.
    pub(crate) fn of(arguments: &[OsString]) -> Self {
        let mut arguments = arguments.iter().skip(1).map(|argument| argument.to_string_lossy().into_owned());
        let mut found = Self::default();
        while let Some(argument) = arguments.next() {
            let value = match argument.strip_prefix("--color") {
                Some("") => arguments.next(),
                Some(rest) => rest.strip_prefix('=').map(str::to_owned),
                None => None,
            };
            found = value.and_then(|value| Self::from_str(&value, false).ok()).unwrap_or(found);
        }
        found
    }
}

impl From<Color> for ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => Self::Auto,
            Color::Always => Self::Always,
            Color::Never => Self::Never,
        }
    }
}

/// The settings of the output.
pub(crate) struct Shell {
    /// Whether results and errors are written as JSON.
    pub(crate) json: bool,
    /// Whether progress, warnings and the summary are left out.
    pub(crate) quiet: bool,
    /// Whether warnings and errors are coloured.
    color: bool,
}

impl Shell {
    /// The output for these options.
    pub(crate) fn new(json: bool, quiet: bool, color: Color) -> Self {
        let color = match color {
            Color::Auto => io::stderr().is_terminal() && allows_color(),
            Color::Always => true,
            Color::Never => false,
        };
        Self { json, quiet, color }
    }

    /// Whether progress is shown.
    pub(crate) fn is_watched(&self) -> bool {
        !self.quiet && !self.json && io::stderr().is_terminal()
    }

    /// The standard output.
    pub(crate) fn out(&self) -> BufWriter<StdoutLock<'static>> {
        BufWriter::new(io::stdout().lock())
    }

    /// Expects that the standard output can take a binary result, as an argument wants it: that it is no terminal.
    pub(crate) fn expect_binary_output(&self, argument: &str) -> Result<(), Failure> {
        if io::stdout().is_terminal() {
            let help = "redirect the standard output, or name a file";
            return Err(Failure::usage(argument, "binary data cannot be shown on a terminal", help));
        }
        Ok(())
    }

    /// Writes a binary result.
    pub(crate) fn write_binary(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        Ok(out.flush()?)
    }

    /// Writes a result, an object, as JSON.
    pub(crate) fn write_json(&self, value: &impl Serialize) -> Result<(), Failure> {
        let mut out = self.out();
        serde_json::to_writer_pretty(&mut out, &Versioned::new(value)).map_err(io::Error::from)?;
        writeln!(out)?;
        Ok(out.flush()?)
    }

    /// Writes one of several results, an object, as a line of JSON. It is there at once, also if the program is ended; and it is an error if the reader has gone.
    pub(crate) fn write_json_line(&self, value: &impl Serialize) -> Result<(), Failure> {
        let mut out = self.out();
        serde_json::to_writer(&mut out, &Versioned::new(value)).map_err(io::Error::from)?;
        writeln!(out)?;
        Ok(out.flush()?)
    }

    /// Writes the result of a command, as text or as JSON.
    pub(crate) fn write<J: Serialize>(
        &self,
        text: impl FnOnce() -> String,
        json: impl FnOnce() -> J,
    ) -> Result<Exit, Failure> {
        match self.json {
            true => self.write_json(&json())?,
            false => self.write_binary(text().as_bytes())?,
        }
        Ok(Exit::Done)
    }

    /// The same about files that were written: as text, only if not asked to be quiet.
    pub(crate) fn tell<J: Serialize>(
        &self,
        text: impl FnOnce() -> String,
        json: impl FnOnce() -> J,
    ) -> Result<Exit, Failure> {
        if self.json || !self.quiet { self.write(text, json) } else { Ok(Exit::Done) }
    }

    /// Shows warnings. In JSON they are part of the result.
    pub(crate) fn warn(&self, diagnostics: &[Diagnostic], source: &SourceText) {
        if self.json || self.quiet {
            return;
        }
        self.show(diagnostics, source);
    }

    fn show(&self, diagnostics: &[Diagnostic], source: &SourceText) {
        let mut err = io::stderr().lock();
        let width = terminal_size_of(&err).map(|(Width(width), _)| usize::from(width));
        let texts = render_all(diagnostics, &source.name, &source.text, self.color);
        let others = texts.len().saturating_sub(MAX_SHOWN);
        for text in texts.take(MAX_SHOWN) {
            let wrapped = width.map(|width| wrapped(&text, width));
            // If the standard error is closed, there is no place left to report that.
            let _ = err.write_all(wrapped.as_ref().unwrap_or(&text).as_bytes());
        }
        if others > 0 {
            let _ = writeln!(err, "... and {others} more, see --json");
        }
        if let (Some(first), Some(_)) = (diagnostics.first(), width) {
            let _ = writeln!(err, "`gcc-grammar check --explain {}` explains more", first.code.as_str());
        }
    }

    /// Reports a failure.
    pub(crate) fn fail(&self, failure: &Failure) -> Exit {
        let Failure::Reported(exit, error) = failure else { return Exit::Done };
        if self.json {
            // If the standard output is closed, nobody reads the error.
            let _ = self.write_json_line(&failure_json(*exit, error));
        } else {
            self.show(error.diagnostics(), error.input());
        }
        *exit
    }
}

/// Whether the environment allows colours.
fn allows_color() -> bool {
    let forbids = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !forbids && std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}

/// A failure as a JSON object.
pub(crate) fn failure_json(exit: Exit, error: &Error) -> Value {
    json!({ "error": { "exit": exit as u8, "diagnostics": error.diagnostics_json() } })
}
