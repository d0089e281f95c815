//! A trie over tokens in byte order, as flat preorder arrays.
//!
//! ```text
//! tokens   a  ab  ac  b          rank      0  1   2   3
//!
//! node             0:""  1:"a"  2:"ab"  3:"ac"  4:"b"
//! depth            0     1      2       2       1
//! subtree_end      5     4      3       4       5
//! first_token      0     0      1       2       3      | 4
//! ```
//!
//! Preorder makes a walk a linear scan: `n + 1` goes down, `subtree_end(n)` skips. Since the nodes lie in byte order,
//! the tokens below a node are one interval of ranks.

use rustc_hash::FxHashMap;
use std::ops::Range;

/// A set of bytes: byte `b` is bit `b % 64` of word `b / 64`.
pub type ByteSet = [u64; 4];

/// A flat preorder trie over the text tokens of a vocabulary. Node 0 is the root, the empty string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trie {
    // Invariants, for every node n < len:
    // 1. n < subtree_end[n] <= len; the subtree of n is n..subtree_end[n]; subtrees nest.
    // 2. depth[n + 1] <= depth[n] + 1; depth[0] = 0, and no other node has depth 0.
    // 3. first_token has len + 1 entries, does not fall, begins with 0 and ends with the number of tokens.
    // 4. below[n] < byte_sets.len().
    pub(crate) depth: Vec<u16>,
    pub(crate) byte: Vec<u8>,
    pub(crate) subtree_end: Vec<u32>,
    pub(crate) first_token: Vec<u32>,
    pub(crate) below: Vec<u32>,
    pub(crate) byte_sets: Vec<ByteSet>,
}

impl Trie {
    /// Number of nodes, at least 1.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a trie always has its root")]
    pub fn len(&self) -> u32 {
        self.byte.len() as u32
    }

    /// Length of the node's string.
    #[must_use]
    pub fn depth(&self, node: u32) -> u16 {
        self.depth[node as usize]
    }

    /// Last byte of the node's string; 0 for the root.
    #[must_use]
    pub fn byte(&self, node: u32) -> u8 {
        self.byte[node as usize]
    }

    /// One past the last node of the node's subtree.
    #[must_use]
    pub fn subtree_end(&self, node: u32) -> u32 {
        self.subtree_end[node as usize]
    }

    /// Ranks of the tokens that end at this node.
    #[must_use]
    pub fn tokens_at(&self, node: u32) -> Range<u32> {
        self.first_token[node as usize]..self.first_token[node as usize + 1]
    }

    /// Ranks of the tokens that end strictly below this node.
    #[must_use]
    pub fn tokens_below(&self, node: u32) -> Range<u32> {
        self.first_token[node as usize + 1]..self.first_token[self.subtree_end(node) as usize]
    }

    /// Ranks of the tokens that end at or below this node.
    #[must_use]
    pub fn tokens_in_subtree(&self, node: u32) -> Range<u32> {
        self.first_token[node as usize]..self.first_token[self.subtree_end(node) as usize]
    }

    /// The bytes that occur strictly below this node, at any depth.
    #[must_use]
    pub fn bytes_below(&self, node: u32) -> &ByteSet {
        &self.byte_sets[self.below[node as usize] as usize]
    }

    /// Which of the [`byte_sets`](Self::byte_sets) is [`bytes_below`](Self::bytes_below): equal sets have equal numbers.
    #[must_use]
    pub fn bytes_below_id(&self, node: u32) -> u32 {
        self.below[node as usize]
    }

    /// The distinct sets of bytes that occur below nodes.
    #[must_use]
    pub fn byte_sets(&self) -> &[ByteSet] {
        &self.byte_sets
    }

    /// The node's children, in byte order.
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

    /// Builds the trie of `tokens`, which must be in byte order and not empty strings.
    pub(crate) fn build<'a>(tokens: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut builder = Builder::new();
        let mut last: &[u8] = &[];
        for token in tokens {
            let shared = token.iter().zip(last).take_while(|(a, b)| a == b).count();
            builder.close_to(shared);
            token[shared..].iter().for_each(|&byte| builder.open(byte));
            builder.tokens += 1;
            last = token;
        }
        builder.finish()
    }
}

/// A node whose subtree is still growing.
struct Open {
    node: usize,
    bytes_below: ByteSet,
}

/// Appends nodes in preorder; `path` is the open chain from the root to the newest node.
struct Builder {
    trie: Trie,
    path: Vec<Open>,
    interned: FxHashMap<ByteSet, u32>,
    tokens: u32,
}

impl Builder {
    fn new() -> Self {
        let trie = Trie {
            depth: Vec::new(),
            byte: Vec::new(),
            subtree_end: Vec::new(),
            first_token: Vec::new(),
            below: Vec::new(),
            byte_sets: Vec::new(),
        };
        let mut builder = Self { trie, path: Vec::new(), interned: FxHashMap::default(), tokens: 0 };
        builder.open(0);
        builder
    }

    fn open(&mut self, byte: u8) {
        let trie = &mut self.trie;
        self.path.push(Open { node: trie.byte.len(), bytes_below: [0; 4] });
        trie.depth.push((self.path.len() - 1) as u16);
        trie.byte.push(byte);
        trie.subtree_end.push(0);
        trie.first_token.push(self.tokens);
        trie.below.push(0);
    }

    /// Closes every open node deeper than `depth`.
    fn close_to(&mut self, depth: usize) {
        while self.path.len() > depth + 1 {
            self.close();
        }
    }

    fn close(&mut self) {
        let Some(Open { node, bytes_below }) = self.path.pop() else { return };
        let trie = &mut self.trie;
        trie.subtree_end[node] = trie.byte.len() as u32;
        trie.below[node] = *self.interned.entry(bytes_below).or_insert_with(|| {
            trie.byte_sets.push(bytes_below);
            trie.byte_sets.len() as u32 - 1
        });
        if let Some(parent) = self.path.last_mut() {
            let byte = trie.byte[node];
            parent.bytes_below[usize::from(byte >> 6)] |= 1 << (byte & 63);
            parent.bytes_below.iter_mut().zip(bytes_below).for_each(|(up, own)| *up |= own);
        }
    }

    fn finish(mut self) -> Trie {
        self.close_to(0);
        self.close();
        self.trie.first_token.push(self.tokens);
        self.trie
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trie(tokens: &[&str]) -> Trie {
        Trie::build(tokens.iter().map(|token| token.as_bytes()))
    }

    #[test]
    fn the_drawing_above() {
        let trie = trie(&["a", "ab", "ac", "b"]);
        assert_eq!(trie.depth, [0, 1, 2, 2, 1]);
        assert_eq!(trie.byte, *b"\0abcb");
        assert_eq!(trie.subtree_end, [5, 4, 3, 4, 5]);
        assert_eq!(trie.first_token, [0, 0, 1, 2, 3, 4]);
        assert_eq!(trie.children(0).collect::<Vec<_>>(), [1, 4]);
        assert_eq!(trie.children(1).collect::<Vec<_>>(), [2, 3]);
        assert_eq!((trie.tokens_at(1), trie.tokens_below(1)), (0..1, 1..3));
        assert_eq!(trie.tokens_in_subtree(0), 0..4);
    }

    #[test]
    fn bytes_below_are_the_bytes_of_all_descendants() {
        let trie = trie(&["a", "xyz"]);
        let has = |set: &ByteSet, byte: u8| set[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1;
        let members = |node| (0..=255).filter(|&byte| has(trie.bytes_below(node), byte)).collect::<Vec<u8>>();
        assert_eq!(members(0), *b"axyz");
        assert_eq!(members(2), *b"yz");
        assert_eq!(trie.bytes_below_id(1), trie.bytes_below_id(4), "two leaves");
    }

    #[test]
    fn equal_tokens_share_a_node() {
        let trie = trie(&["a", "a", "ab"]);
        assert_eq!((trie.len(), trie.tokens_at(1), trie.tokens_below(1)), (3, 0..2, 2..3));
    }

    #[test]
    fn no_tokens_leave_a_root() {
        let trie = trie(&[]);
        assert_eq!((trie.len(), trie.subtree_end(0), trie.tokens_in_subtree(0)), (1, 1, 0..0));
    }
}
