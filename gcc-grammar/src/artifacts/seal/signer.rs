//! [`Signer`]: a secret key of minisign.

use super::keys::{key_text, unusable};
use crate::error::{Error, ErrorKind};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gcc_grammar_ir::{Code, Diagnostic};
use minisign::SecretKey;
use minisign_verify::PublicKey;
use std::fmt;
use std::io::Cursor;
use std::path::Path;

/// The length of a secret key.
const SECRET_BYTES: usize = 158;
/// Where the secret key says how it is encrypted, and what it says there if it is not.
const ENCRYPTION: (std::ops::Range<usize>, [u8; 2]) = (2..4, [0, 0]);

/// A secret key.
pub(super) struct Signer(SecretKey);

impl Signer {
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let wrong = || unusable(path, "this is no secret key of minisign", "make keys with `minisign -G -W`");
        let text = key_text(path)?;
        let encoded = text.lines().nth(1).ok_or_else(wrong)?;
        let bytes = STANDARD.decode(encoded.trim()).map_err(|_| wrong())?;
        if bytes.len() != SECRET_BYTES {
            return Err(wrong());
        }
        let (range, none) = ENCRYPTION;
        if bytes.get(range).is_some_and(|encryption| encryption != none) {
            let help = "make one without a password with `minisign -G -W`, and keep its file secret";
            return Err(unusable(path, "this key has a password", help));
        }
        // The checksum of keys without a password is not the same in all programs; `public` compares the signed content.
        SecretKey::from_bytes(&bytes).map(Self).map_err(|_| wrong())
    }

    /// The public key, which verifies signatures.
    pub(super) fn public(&self, path: &Path) -> Result<PublicKey, Error> {
        let damaged = || unusable(path, "this secret key is damaged", "make keys with `minisign -G -W`");
        let public = minisign::PublicKey::from_secret_key(&self.0).map_err(|_| damaged())?;
        let public = PublicKey::from_base64(&public.to_base64()).map_err(|_| damaged())?;
        let signature = String::from_utf8(self.sign(b"", "")?).map_err(|_| damaged())?;
        let signature = minisign_verify::Signature::decode(&signature).map_err(|_| damaged())?;
        public.verify(b"", &signature, false).map_err(|_| damaged())?;
        Ok(public)
    }

    pub(super) fn sign(&self, content: &[u8], comment: &str) -> Result<Vec<u8>, Error> {
        let untrusted = Some("signature from gcc-grammar");
        let signed = minisign::sign(None, &self.0, Cursor::new(content), Some(comment), untrusted);
        let failed = |error: minisign::PError| {
            let diagnostic = Diagnostic::error(Code::Io, format!("nothing can be signed: {error}"));
            Error::new(ErrorKind::NotFound, "signature", diagnostic)
        };
        signed.map(|signature| signature.into_string().into_bytes()).map_err(failed)
    }
}

impl fmt::Debug for Signer {
    /// Shows nothing of the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signer")
    }
}
