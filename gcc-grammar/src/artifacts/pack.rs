//! Packs: many artifacts for one vocabulary in one file, which is mapped once, with the base bitmaps that they share once.
//!
//! A pack is written from a store, and never changes. An artifact that is taken out of it and saved has the bytes that it had before.

use crate::artifacts::key::Key;
use crate::error::Error;
use crate::files::mapped::map_pack;
use gcc_grammar_artifact::pack::PackView;
use gcc_grammar_artifact::{ArtifactError, Fingerprint};
use memmap2::Mmap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A pack that is mapped. Clones share it.
#[derive(Clone)]
pub struct Pack(Arc<Mapped>);

struct Mapped {
    name: String,
    content: Content,
}

self_cell::self_cell!(
    struct Content {
        owner: Mmap,
        #[covariant]
        dependent: PackView,
    }
);

impl Pack {
    /// Maps a pack. Header, index and base bitmaps are compared with their checksums, each artifact when it is taken out.
    ///
    /// # Errors
    /// The file cannot be read, is no pack, or damaged.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let map = map_pack(path).map_err(|error| Error::read(&name, error.into()))?;
        let damaged = |error: ArtifactError| Error::artifact(&name, error);
        let content = Content::try_new(map, |map| PackView::open(map)).map_err(damaged)?;
        content.borrow_dependent().verify_bases().map_err(damaged)?;
        Ok(Self(Arc::new(Mapped { name, content })))
    }

    pub(crate) fn view(&self) -> &PackView<'_> {
        self.0.content.borrow_dependent()
    }

    /// The bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.0.content.borrow_owner()
    }

    pub(crate) fn bases(&self) -> &[u8] {
        self.view().bases()
    }

    /// The fingerprint of the vocabulary of all artifacts.
    #[must_use]
    pub fn vocabulary(&self) -> Fingerprint {
        self.view().header().vocabulary
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = Key> + '_ {
        self.view().entries().map(|entry| Key(entry.key))
    }

    /// The number of different base bitmaps.
    #[must_use]
    pub fn base_count(&self) -> u32 {
        self.view().header().bases
    }

    /// The name of the file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }
}

impl fmt::Debug for Pack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pack").field("name", &self.name()).field("header", self.view().header()).finish()
    }
}
