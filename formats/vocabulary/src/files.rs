//! Reads a file into memory, up to the limit on its length.

use crate::error::VocabularyError;
use crate::limits;
use gcc_grammar_files::{ReadError, read_within};
use std::path::Path;

/// Reads a whole file.
///
/// # Errors
/// The file cannot be read, is no regular file, or exceeds [`limits::FILE_BYTES`]. The error does not name the file.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, VocabularyError> {
    read_within(path, limits::FILE_BYTES as u64).map_err(|error| match error {
        ReadError::Io(error) => VocabularyError::io(error, "the file cannot be read"),
        ReadError::TooLarge { limit } => {
            VocabularyError::too_large(format!("the file is larger than the limit of {limit} bytes"))
        }
    })
}
