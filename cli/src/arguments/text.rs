//! The options `--text` and `--text-file`: a text to read.

use crate::failure::Failure;
use clap::Args;
use gcc_grammar::read_output;
use std::path::{Path, PathBuf};

/// A text, given on the command line or in a file.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub(crate) struct TextArguments {
    /// A file with the text, of at most 4 MiB; `-` is the standard input
    #[arg(long, value_name = "FILE")]
    text_file: Option<PathBuf>,
    /// The text
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
}

impl TextArguments {
    /// Reads the text.
    pub(crate) fn read(&self) -> Result<Vec<u8>, Failure> {
        read_text(self.text.as_deref(), self.text_file.as_deref())
    }
}

/// The text, or that of the file.
pub(crate) fn read_text(text: Option<&str>, file: Option<&Path>) -> Result<Vec<u8>, Failure> {
    match (text, file) {
        (Some(text), _) => Ok(text.as_bytes().to_vec()),
        (None, Some(file)) => Ok(read_output(file)?),
        (None, None) => Ok(Vec::new()),
    }
}
