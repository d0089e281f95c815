//! Compressed files are expanded first, whatever they are.

use super::{MAX_FILE_BYTES, malformed, too_large};
use crate::VocabularyError;
use std::borrow::Cow;
use std::io::Read;

/// The content, expanded if it is compressed with gzip.
pub(crate) fn expand(data: Cow<'_, [u8]>) -> Result<Cow<'_, [u8]>, VocabularyError> {
    if !data.starts_with(&[0x1f, 0x8b]) {
        return Ok(data);
    }
    let mut expanded = Vec::new();
    let mut reader = flate2::bufread::MultiGzDecoder::new(&data[..]).take(MAX_FILE_BYTES as u64 + 1);
    reader
        .read_to_end(&mut expanded)
        .map_err(|error| malformed(format!("damaged gzip file: {error}")).caused_by(error))?;
    if expanded.len() > MAX_FILE_BYTES {
        return Err(too_large(format!("the compressed file expands to more than {MAX_FILE_BYTES} bytes")));
    }
    Ok(Cow::Owned(expanded))
}
