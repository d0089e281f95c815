//! Artifacts of a store with their signatures.

use gcc_grammar::seal::{Seal, comment};
use gcc_grammar::{Artifact, Error, Key};

/// An artifact of a store, with its signature if signatures matter.
#[derive(Debug)]
pub(crate) struct Sealed {
    pub(crate) artifact: Artifact,
    pub(crate) signature: Option<Vec<u8>>,
}

impl Sealed {
    /// An artifact that was read, if its signature is valid, which is read only if signatures matter.
    pub(crate) fn checked(
        seal: &Seal,
        artifact: Artifact,
        read: impl FnOnce() -> Result<Option<Vec<u8>>, Error>,
    ) -> Result<Self, Error> {
        let signature = seal.check_read(artifact.name(), artifact.bytes(), read)?;
        Ok(Self { artifact, signature })
    }

    /// An artifact that was made here, signed if there is a key.
    pub(crate) fn made(seal: &Seal, artifact: Artifact, key: Key) -> Result<Self, Error> {
        let signature = seal.sign(artifact.bytes(), &comment(key))?;
        Ok(Self { artifact, signature })
    }
}
