//! Writing output files: as a whole or not at all.

use crate::error::{Error, ErrorKind};
use gcc_grammar_ir::{Code, Diagnostic};
use std::path::Path;

pub use gcc_grammar_files::remove_temporaries;

/// Writes a file. A regular file is written beside its place and renamed, so that an existing one stays as it was if anything
/// fails; its permissions are kept. Symbolic links are followed. Devices and pipes are written to directly.
///
/// # Errors
/// The file cannot be written, is a directory, or is a symbolic link that leads to no file.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    gcc_grammar_files::replace(path, bytes).map_err(|error| Error::io(path, "cannot be written", error))
}

/// Checks that writing to `output` would not replace one of the inputs, also if links lead to it.
///
/// # Errors
/// The output is one of the inputs.
pub fn check_distinct<'a>(output: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> Result<(), Error> {
    let is_output = |input: &&Path| gcc_grammar_files::same_file(output, input);
    let Some(input) = inputs.into_iter().find(is_output) else { return Ok(()) };
    let message = format!("the output is the input {}", input.display());
    let diagnostic = Diagnostic::error(Code::Usage, message).help("give the output another name");
    Err(Error::new(ErrorKind::NotFound, output.display().to_string(), diagnostic))
}
