//! The bytes of the children of each node of a trie, as one of few distinct sets.
//!
//! In: the nodes of a [`Trie`](super::Trie). Out: per node the number of a set, so that a question about the children of many
//! nodes is answered once per set.

use super::node::Node;
use crate::table::Table;
use gcc_grammar_artifact::trie::SymbolSet;
use gcc_grammar_regular::ByteSet;
use rustc_hash::FxHashMap;

/// Which sets of bytes the children of nodes have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ChildSets {
    // Invariant: the entries of `of`, one per node, are below sets.len().
    /// Per node: the number of its set.
    pub(crate) of: Table<u32>,
    /// The sets, as words of a [`ByteSet`].
    pub(crate) sets: Table<SymbolSet>,
}

impl ChildSets {
    /// The sets of these nodes, which are in preorder.
    pub(super) fn of_nodes(nodes: &[Node]) -> Self {
        let deepest = nodes.iter().map(|node| usize::from(node.depth)).max().unwrap_or(0);
        // Backwards, the children of a node come just before it. Per depth: the bytes of the nodes since one less deep.
        let mut bytes = vec![ByteSet::default(); deepest + 2];
        let mut sets = Vec::new();
        let mut numbers = FxHashMap::default();
        let mut of = vec![0; nodes.len()];
        for (at, node) in nodes.iter().enumerate().rev() {
            let depth = usize::from(node.depth);
            let children = std::mem::take(&mut bytes[depth + 1]);
            of[at] = *numbers.entry(children).or_insert_with(|| {
                sets.push(children.0);
                sets.len() as u32 - 1
            });
            bytes[depth].insert(node.byte);
        }
        Self { of: of.into(), sets: sets.into() }
    }
}

#[cfg(test)]
mod tests {
    use crate::trie::Trie;
    use gcc_grammar_regular::ByteSet;

    #[test]
    fn the_sets_are_those_of_the_children() {
        let tokens: [&[u8]; 8] = [b"a", b"ab", b"abx", b"ac", b"b", b"bbb", b"\xC3\xA9", b"\xFF"];
        let trie = Trie::build(tokens.into_iter());
        for node in 0..trie.len() {
            let expected: ByteSet = trie.children(node).map(|child| trie.byte(child)).collect();
            assert_eq!(trie.child_bytes(node), expected, "node {node}");
        }
        assert_eq!(trie.child_sets().len(), 6, "of the root, a, ab, b and bb, C3, and the leaves");
        assert_eq!(Trie::build(std::iter::empty()).child_bytes(0), ByteSet::default());
    }
}
