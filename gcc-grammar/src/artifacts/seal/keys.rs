//! Files with keys.

use crate::error::{Error, ErrorKind};
use crate::sources::source::read_bytes;
use gcc_grammar_ir::{Code, Diagnostic};
use minisign_verify::PublicKey;
use std::path::Path;

/// Longer signatures and keys are refused, in bytes.
pub const MAX_BYTES: usize = 4096;

pub(super) fn public_key(path: &Path) -> Result<PublicKey, Error> {
    let text = key_text(path)?;
    // Copied keys often lack the comment.
    let key = PublicKey::decode(&text).or_else(|_| PublicKey::from_base64(text.trim()));
    key.map_err(|_| unusable(path, "this is no public key of minisign", "make keys with `minisign -G -W`"))
}

/// The text of a file with a key; keys are short.
pub(super) fn key_text(path: &Path) -> Result<String, Error> {
    let bytes = read_bytes(path)?;
    let text = String::from_utf8(bytes).ok().filter(|text| text.len() <= MAX_BYTES);
    text.ok_or_else(|| unusable(path, "this is no key of minisign", "make keys with `minisign -G -W`"))
}

pub(super) fn unusable(path: &Path, message: &str, help: &str) -> Error {
    let diagnostic = Diagnostic::error(Code::Usage, message).help(help);
    Error::new(ErrorKind::NotFound, path.display().to_string(), diagnostic)
}
