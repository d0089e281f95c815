//! What a compiled grammar states about the cost of its masks.
//!
//! The section `costs` has the record [`MaskBounds`] and, after it, the construct of the grammar that makes masks
//! read on for ever, as text. Programs that decode do not read it.

use super::meta::NONE;
use crate::container::{Section, SectionElement};

/// The record [`MaskBounds`] and a text.
pub const COSTS: Section = Section {
    kind: 0x150,
    name: "costs",
    element: SectionElement::Byte,
    doc: "The record `MaskBounds` below, then a text in UTF-8. The runtime does not read it.",
};

record! {
    /// Bounds on the cost of masks and commits, for all texts. NONE stands for a number without a bound.
    pub struct MaskBounds {
        /// Cells that a mask reads of a parser stack at most. NONE: it grows with the text, where the stack repeats the symbols that follow the record, separated by spaces.
        cells_read: u32,
        /// Masks that are united for a mask at most, per stack.
        masks_united: u32,
        /// Words of the row that are written for a mask at most.
        words_written: u32,
        /// Heads at most. NONE: several, and no bound was computed.
        heads: u32,
        /// Cells that a byte pushes at most. NONE: it depends on the number of stacks.
        cells_pushed: u32,
    }
}

impl Default for MaskBounds {
    /// No bounds.
    fn default() -> Self {
        Self { cells_read: NONE, masks_united: NONE, words_written: NONE, heads: NONE, cells_pushed: NONE }
    }
}

/// A number of [`MaskBounds`]; `None` if there is no bound.
#[must_use]
pub fn bound(number: u32) -> Option<u32> {
    (number != NONE).then_some(number)
}
