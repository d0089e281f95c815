//! What the grammar leaves out.

use crate::content::Vertex;
use rustc_hash::FxHashSet;

/// The nodes that have values of which the grammar leaves out some spelling.
#[derive(Default)]
pub(crate) struct NarrowNodes {
    /// Those whose strings leave out a spelling.
    pub(crate) strings: FxHashSet<Vertex>,
    /// Those whose objects have keys that leave out a spelling.
    pub(crate) keys: FxHashSet<Vertex>,
    /// Those whose objects have keys that the style cannot write.
    pub(crate) left_out: FxHashSet<Vertex>,
}

impl NarrowNodes {
    /// Whether no spelling is left out.
    pub(crate) fn is_empty(&self) -> bool {
        self.strings.is_empty() && self.keys.is_empty()
    }
}
