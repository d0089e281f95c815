//! A trie over the text tokens of a vocabulary in byte order, stored as flat preorder arrays.
//!
//! ```text
//! tokens   a  ab  ac  b          rank      0  1   2   3
//!
//! node             0:""  1:"a"  2:"ab"  3:"ac"  4:"b"
//! depth            0     1      2       2       1
//! subtree_end      5     4      3       4       5
//! first_token      0     0      1       2       3      | 4
//! height           2     1      0       0       0
//! ```
//!
//! Preorder makes a walk a linear scan: node `n + 1` is the first child of node `n` or, after a leaf, its successor, and
//! `subtree_end(n)` skips the subtree of `n`. Since the nodes are in byte order, the tokens below a node are one interval of
//! ranks. Every node names the set of [`symbols`] that occur below it, so that a walk can decide for a whole subtree
//! without entering it.

mod build;
mod children;
mod node;
pub mod symbols;

use crate::table::Table;
pub(crate) use children::ChildSets;
use gcc_grammar_artifact::TokenTrie;
use gcc_grammar_artifact::trie::SymbolSet;
use gcc_grammar_regular::ByteSet;
pub use node::Node;
use std::ops::Range;
use zerocopy::{FromBytes, IntoBytes};

/// A flat preorder trie over the text tokens of a vocabulary. Node 0 is the root, the empty string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trie {
    // Invariants, for every node n < len:
    // 1. n < subtree_end <= len; the subtree of n is n..subtree_end; subtrees nest.
    // 2. depth exceeds that of the preceding node by at most 1; it is 0 for the root and for no other node.
    // 3. There is one entry more than there are nodes; first_token does not decrease, starts with 0 and ends with the
    //    number of tokens.
    // 4. below < symbol_sets.len().
    // 5. children follows from the nodes.
    pub(crate) nodes: Table<Node>,
    pub(crate) symbol_sets: Table<SymbolSet>,
    pub(crate) children: ChildSets,
}

impl Trie {
    /// The trie with these tables. The sets of children are made if there are none.
    pub(crate) fn from_tables(
        nodes: Table<Node>,
        symbol_sets: Table<SymbolSet>,
        children: Option<ChildSets>,
    ) -> Self {
        let without_last = nodes.split_last().map_or(&[][..], |(_, nodes)| nodes);
        let children = children.unwrap_or_else(|| ChildSets::of_nodes(without_last));
        Self { nodes, symbol_sets, children }
    }

    /// Number of nodes, at least 1.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a trie always has its root")]
    pub fn len(&self) -> u32 {
        self.nodes.len() as u32 - 1
    }

    /// All nodes in preorder, followed by one entry whose `first_token` is the number of tokens.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The trie as the runtime walks it, with the tokens by rank.
    pub(crate) fn view<'a>(&'a self, order: &'a [u32]) -> TokenTrie<'a> {
        let nodes = <[[u32; 4]]>::ref_from_bytes(self.nodes.as_bytes()).unwrap_or_default();
        TokenTrie::new(nodes, &self.symbol_sets, order)
    }

    /// Last byte of the node's string; 0 for the root.
    #[must_use]
    pub fn byte(&self, node: u32) -> u8 {
        self.nodes[node as usize].byte
    }

    /// One past the last node of the node's subtree.
    #[must_use]
    pub fn subtree_end(&self, node: u32) -> u32 {
        self.nodes[node as usize].subtree_end
    }

    /// Ranks of the tokens that end at this node.
    #[must_use]
    pub fn tokens_at(&self, node: u32) -> Range<u32> {
        self.nodes[node as usize].first_token..self.nodes[node as usize + 1].first_token
    }

    /// Ranks of the tokens that end strictly below this node.
    #[must_use]
    pub fn tokens_below(&self, node: u32) -> Range<u32> {
        self.nodes[node as usize + 1].first_token..self.nodes[self.subtree_end(node) as usize].first_token
    }

    /// Ranks of the tokens that end at or below this node.
    #[must_use]
    pub fn tokens_in_subtree(&self, node: u32) -> Range<u32> {
        self.nodes[node as usize].first_token..self.nodes[self.subtree_end(node) as usize].first_token
    }

    /// Length in bytes of the longest string below this node, at most 255; 0 for a leaf.
    #[must_use]
    pub fn height(&self, node: u32) -> u8 {
        self.nodes[node as usize].height
    }

    /// Index in [`symbol_sets`](Self::symbol_sets) of the set of [`symbols`] that occur strictly below this node, at any
    /// depth.
    #[must_use]
    pub fn symbols_below(&self, node: u32) -> u32 {
        self.nodes[node as usize].below
    }

    /// The distinct sets of [`symbols`] below nodes, as words of a [`ByteSet`].
    #[must_use]
    pub fn symbol_sets(&self) -> &[SymbolSet] {
        &self.symbol_sets
    }

    /// The bytes of the children of this node.
    #[must_use]
    pub fn child_bytes(&self, node: u32) -> ByteSet {
        ByteSet(self.children.sets[self.child_set(node) as usize])
    }

    /// Index in [`child_sets`](Self::child_sets) of the set of the bytes of the children of this node.
    #[must_use]
    pub fn child_set(&self, node: u32) -> u32 {
        self.children.of[node as usize]
    }

    /// The distinct sets of the bytes of the children of nodes.
    pub fn child_sets(&self) -> impl ExactSizeIterator<Item = ByteSet> {
        self.children.sets.iter().copied().map(ByteSet)
    }

    /// The children of this node, in byte order.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.subtree_end(node);
        let mut next = node + 1;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.subtree_end(child);
                child
            })
        })
    }
}
