//! Writing output files: as a whole or not at all.

use crate::error::{Error, ErrorKind};
use gcc_grammar_ir::{Code, Diagnostic};
use std::fs::File;
use std::io;
use std::path::Path;

pub use gcc_grammar_files::remove_temporaries;

/// Writes a file. A regular file is written to a temporary file in its folder and renamed, so that an existing one stays as it was if anything
/// fails; its permissions are kept. Symbolic links are followed. Devices and pipes are written to directly.
///
/// # Errors
/// The file cannot be written, is a directory, or is a symbolic link that leads to no file.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    gcc_grammar_files::replace(path, bytes).map_err(|error| Error::io(path, "cannot be written", error))
}

/// Writes a file as [`write()`] does, by a function that gets the open file. If the function fails, an existing regular file stays as it was.
///
/// # Errors
/// As [`write()`]; and the errors of the function.
pub fn write_with<T, E: From<Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<T, E>,
) -> Result<T, E> {
    let written = gcc_grammar_files::replace_with(path, |file| write(file).map_err(Failed::Content));
    written.map_err(|failed| match failed {
        Failed::File(error) => Error::io(path, "cannot be written", error).into(),
        Failed::Content(error) => error,
    })
}

/// Why a file is not written.
enum Failed<E> {
    File(io::Error),
    Content(E),
}

impl<E> From<io::Error> for Failed<E> {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
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
