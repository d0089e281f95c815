//! Expands files that are compressed with gzip (RFC 1952). Other files pass through unchanged.

use crate::files::FILE_BYTES;
use gcc_grammar_vocabulary::VocabularyError;
use std::borrow::Cow;
use std::io::Read;

/// Expands `data` if it starts with the magic number of gzip.
///
/// # Errors
/// The compressed data is damaged, or expands to more than [`FILE_BYTES`].
pub(crate) fn expand(data: Cow<'_, [u8]>) -> Result<Cow<'_, [u8]>, VocabularyError> {
    if !data.starts_with(&[0x1f, 0x8b]) {
        return Ok(data);
    }
    let mut expanded = Vec::new();
    let mut reader = flate2::bufread::MultiGzDecoder::new(&data[..]).take(FILE_BYTES as u64 + 1);
    reader.read_to_end(&mut expanded).map_err(|error| {
        VocabularyError::malformed(format!("the gzip data is damaged: {error}")).caused_by(error)
    })?;
    if expanded.len() > FILE_BYTES {
        let limit = FILE_BYTES;
        let message = format!("the compressed file expands to more than the limit of {limit} bytes");
        return Err(VocabularyError::too_large(message));
    }
    Ok(Cow::Owned(expanded))
}
