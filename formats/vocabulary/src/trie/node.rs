//! The nodes of a [`Trie`](crate::Trie).

use crate::table::Entry;
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// A node of a [`Trie`](crate::Trie), with the layout that it has in a compiled file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, Immutable, IntoBytes)]
#[repr(C)]
pub struct Node {
    /// One past the last node of the subtree.
    pub subtree_end: u32,
    /// Rank of the first token at or after this node.
    pub first_token: u32,
    /// Index of the set of [`symbols`](super::symbols) that occur below this node.
    pub below: u32,
    /// Length of the node's string.
    pub depth: u16,
    /// Last byte of the node's string.
    pub byte: u8,
    /// Length in bytes of the longest string below this node, at most 255.
    pub height: u8,
}

impl Entry for Node {
    fn to_native(self) -> Self {
        Self {
            subtree_end: u32::from_le(self.subtree_end),
            first_token: u32::from_le(self.first_token),
            below: u32::from_le(self.below),
            depth: u16::from_le(self.depth),
            ..self
        }
    }
}
