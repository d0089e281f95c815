//! Reads a file into memory, up to the limit on its length.

use gcc_grammar_files::{ReadError, read_within};
use gcc_grammar_vocabulary::VocabularyError;
use std::path::Path;

/// Limit on the length of a file in bytes, before and after it is expanded. Real tokenizer files have up to 40 MB.
pub(crate) const FILE_BYTES: usize = 1 << 27;

/// Reads a whole file.
///
/// # Errors
/// The file cannot be read, is no regular file, or exceeds [`FILE_BYTES`]. The error does not name the file.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, VocabularyError> {
    read_within(path, FILE_BYTES as u64).map_err(|error| match error {
        ReadError::Io(error) => VocabularyError::io(error, "the file cannot be read"),
        ReadError::TooLarge { limit } => {
            VocabularyError::too_large(format!("the file is larger than the limit of {limit} bytes"))
        }
    })
}
