//! Reads a file into memory, up to the limit on its length.

use crate::error::VocabularyError;
use crate::limits;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Reads a whole file.
///
/// # Errors
/// The file cannot be read, or exceeds [`limits::FILE_BYTES`]. The error does not name the file.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, VocabularyError> {
    let cannot_read = |error| VocabularyError::io(error, "the file cannot be read");
    let mut data = Vec::new();
    let file = File::open(path).map_err(cannot_read)?;
    file.take(limits::FILE_BYTES as u64 + 1).read_to_end(&mut data).map_err(cannot_read)?;
    if data.len() > limits::FILE_BYTES {
        let limit = limits::FILE_BYTES;
        return Err(VocabularyError::too_large(format!(
            "the file is larger than the limit of {limit} bytes"
        )));
    }
    Ok(data)
}
