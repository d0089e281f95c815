//! [`Signer`] in builds without the feature `sign`: there is none.

use super::keys::unusable;
use crate::error::Error;
use minisign_verify::PublicKey;
use std::path::Path;

/// Builds without the feature `sign` have none.
#[derive(Debug)]
pub(super) enum Signer {}

impl Signer {
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        Err(unusable(path, "this build cannot sign", "use a build with the feature `sign`"))
    }

    pub(super) fn public(&self, _path: &Path) -> Result<PublicKey, Error> {
        match *self {}
    }

    pub(super) fn sign(&self, _content: &[u8], _comment: &str) -> Result<Vec<u8>, Error> {
        match *self {}
    }
}
