//! A trie over tokens in byte order, as flat preorder arrays.
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
//! Preorder makes a walk a linear scan: `n + 1` goes down, `subtree_end(n)` skips. Since the nodes lie in byte order,
//! the tokens below a node are one interval of ranks.

use crate::Phase;
use crate::table::{Entry, Table};
use rustc_hash::FxHashMap;
use std::ops::Range;
use zerocopy::{FromBytes, Immutable};

/// A set of bytes: byte `b` is bit `b % 64` of word `b / 64`.
pub type ByteSet = [u64; 4];

/// What occurs below a node of a [`Trie`], as a set of bytes some of which stand for something else.
///
/// Most subtrees are text. If all strings below a node go on as well-formed UTF-8 from a [`Phase`], only their ASCII characters
/// are told apart, and [`of_phase`](symbols::of_phase) stands for everything else. Otherwise, each byte stands for itself; those that occur
/// in no UTF-8 text share [`STRAY`](symbols::STRAY). Whether strings are read from between two characters, or byte by byte, is
/// told by [`BETWEEN`](symbols::BETWEEN).
pub mod symbols {
    use super::{ByteSet, Phase};

    /// A byte that occurs in no UTF-8 text.
    pub const STRAY: u8 = 0xC0;
    /// The strings do not begin inside a character.
    pub const BETWEEN: u8 = 0xC1;

    /// Something beyond ASCII, in text that is well-formed from this phase on.
    #[must_use]
    pub fn of_phase(phase: Phase) -> u8 {
        0xF8 + phase.index() as u8
    }

    /// The bytes that occur in UTF-8 text: all but C0, C1, and F5 and above.
    pub const TEXT: ByteSet = [u64::MAX, u64::MAX, u64::MAX, (1 << (0xF5 - 0xC0)) - (1 << (0xC2 - 0xC0))];

    /// The byte by itself.
    #[must_use]
    pub fn of_byte(byte: u8) -> u8 {
        if has(&TEXT, byte) { byte } else { STRAY }
    }

    /// Whether the strings are made of ASCII characters.
    #[must_use]
    pub fn are_ascii(set: &ByteSet) -> bool {
        set[2] == 0 && set[3] & !(1 << (BETWEEN - 0xC0)) == 0
    }

    /// Adds a symbol to a set.
    pub fn add(set: &mut ByteSet, symbol: u8) {
        set[usize::from(symbol >> 6)] |= 1 << (symbol & 63);
    }

    /// Whether a symbol is in a set.
    #[must_use]
    pub fn has(set: &ByteSet, symbol: u8) -> bool {
        set[usize::from(symbol >> 6)] >> (symbol & 63) & 1 == 1
    }
}

/// A flat preorder trie over the text tokens of a vocabulary. Node 0 is the root, the empty string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trie {
    // Invariants, for every node n < len:
    // 1. n < subtree_end <= len; the subtree of n is n..subtree_end; subtrees nest.
    // 2. depth is at most 1 more than that of the node before; it is 0 for the root and for no other node.
    // 3. There is one entry more than there are nodes; first_token does not fall, begins with 0 and ends with the number
    //    of tokens.
    // 4. below < symbol_sets.len().
    pub(crate) nodes: Table<Node>,
    pub(crate) symbol_sets: Table<ByteSet>,
}

/// What a walk needs of a node, in one piece, with the layout that it has in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, Immutable)]
#[repr(C)]
pub struct Node {
    /// One past the last node of the subtree.
    pub subtree_end: u32,
    /// Rank of the first token at or after this node.
    pub first_token: u32,
    /// Index of the set of [`symbols`] below.
    pub below: u32,
    /// Length of the node's string.
    pub depth: u16,
    /// Last byte of the node's string.
    pub byte: u8,
    /// Bytes of the longest string below, 255 if it has more.
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

impl Entry for ByteSet {
    fn to_native(self) -> Self {
        self.map(u64::from_le)
    }
}

impl Trie {
    /// Number of nodes, at least 1.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a trie always has its root")]
    pub fn len(&self) -> u32 {
        self.nodes.len() as u32 - 1
    }

    /// All nodes in preorder, and one more whose `first_token` is the number of tokens.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Length of the node's string.
    #[must_use]
    pub fn depth(&self, node: u32) -> u16 {
        self.nodes[node as usize].depth
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

    /// Bytes of the longest string below this node, which is 0 for a leaf; 255 if it has more.
    #[must_use]
    pub fn height(&self, node: u32) -> u8 {
        self.nodes[node as usize].height
    }

    /// The [`symbols`] that occur strictly below this node, at any depth, as an index into
    /// [`symbol_sets`](Self::symbol_sets).
    #[must_use]
    pub fn symbols_below(&self, node: u32) -> u32 {
        self.nodes[node as usize].below
    }

    /// The distinct sets of [`symbols`] that occur below nodes.
    #[must_use]
    pub fn symbol_sets(&self) -> &[ByteSet] {
        &self.symbol_sets
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
    height: u8,
    /// Where its string stands. A byte that cannot follow begins anew: as the last of a character, or as the first.
    phase: Phase,
    /// Whether everything below goes on as UTF-8 from there.
    is_text: bool,
}

impl Open {
    /// The symbols below.
    fn symbols(&self) -> ByteSet {
        let mut set = ByteSet::default();
        if self.is_text {
            set[..2].copy_from_slice(&self.bytes_below[..2]);
            if self.bytes_below[2..] != [0; 2] {
                symbols::add(&mut set, symbols::of_phase(self.phase));
            }
        } else {
            let bytes = (0..=u8::MAX).filter(|&byte| symbols::has(&self.bytes_below, byte));
            bytes.for_each(|byte| symbols::add(&mut set, symbols::of_byte(byte)));
        }
        if !self.is_text || self.phase == Phase::BETWEEN {
            symbols::add(&mut set, symbols::BETWEEN);
        }
        set
    }
}

/// Appends nodes in preorder; `path` is the open chain from the root to the newest node.
struct Builder {
    nodes: Vec<Node>,
    symbol_sets: Vec<ByteSet>,
    path: Vec<Open>,
    interned: FxHashMap<ByteSet, u32>,
    tokens: u32,
}

impl Builder {
    fn new() -> Self {
        let (nodes, symbol_sets) = (Vec::new(), Vec::new());
        let mut builder =
            Self { nodes, symbol_sets, path: Vec::new(), interned: FxHashMap::default(), tokens: 0 };
        builder.open(0);
        builder
    }

    fn open(&mut self, byte: u8) {
        let (depth, node) = (self.path.len() as u16, self.nodes.len());
        let phase = match self.path.last() {
            None => Phase::BETWEEN,
            Some(above) => above.phase.after(byte).or(Phase::BETWEEN.after(byte)).unwrap_or(Phase::BETWEEN),
        };
        self.path.push(Open { node, bytes_below: [0; 4], height: 0, phase, is_text: true });
        self.nodes.push(Node { first_token: self.tokens, depth, byte, ..Node::default() });
    }

    /// Closes every open node deeper than `depth`.
    fn close_to(&mut self, depth: usize) {
        while self.path.len() > depth + 1 {
            self.close();
        }
    }

    fn close(&mut self) {
        let Some(open) = self.path.pop() else { return };
        let symbols = open.symbols();
        let end = self.nodes.len() as u32;
        let closed = &mut self.nodes[open.node];
        closed.subtree_end = end;
        closed.height = open.height;
        closed.below = *self.interned.entry(symbols).or_insert_with(|| {
            self.symbol_sets.push(symbols);
            self.symbol_sets.len() as u32 - 1
        });
        if let Some(parent) = self.path.last_mut() {
            let byte = closed.byte;
            parent.height = parent.height.max(open.height.saturating_add(1));
            parent.is_text &= open.is_text && parent.phase.after(byte) == Some(open.phase);
            symbols::add(&mut parent.bytes_below, byte);
            parent.bytes_below.iter_mut().zip(open.bytes_below).for_each(|(up, own)| *up |= own);
        }
    }

    fn finish(mut self) -> Trie {
        self.close_to(0);
        self.close();
        self.nodes.push(Node { first_token: self.tokens, ..Node::default() });
        Trie { nodes: self.nodes.into(), symbol_sets: self.symbol_sets.into() }
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
        let each = |of: fn(&Node) -> u32| trie.nodes.iter().map(of).collect::<Vec<_>>();
        assert_eq!(each(|node| node.depth.into()), [0, 1, 2, 2, 1, 0]);
        assert_eq!(each(|node| node.byte.into()), [0, 97, 98, 99, 98, 0]);
        assert_eq!(each(|node| node.subtree_end), [5, 4, 3, 4, 5, 0]);
        assert_eq!(each(|node| node.first_token), [0, 0, 1, 2, 3, 4]);
        assert_eq!(each(|node| node.height.into()), [2, 1, 0, 0, 0, 0]);
        assert_eq!(trie.children(0).collect::<Vec<_>>(), [1, 4]);
        assert_eq!(trie.children(1).collect::<Vec<_>>(), [2, 3]);
        assert_eq!((trie.tokens_at(1), trie.tokens_below(1)), (0..1, 1..3));
        assert_eq!(trie.tokens_in_subtree(0), 0..4);
    }

    /// The symbols below a node, in order.
    fn below(trie: &Trie, node: u32) -> Vec<u8> {
        let set = trie.symbol_sets()[trie.symbols_below(node) as usize];
        (0..=255).filter(|&symbol| symbols::has(&set, symbol)).collect()
    }

    #[test]
    fn symbols_below_are_those_of_all_descendants() {
        let trie = trie(&["a", "xyz"]);
        assert_eq!(below(&trie, 0), *b"axyz\xC1");
        assert_eq!(below(&trie, 2), *b"yz\xC1");
        assert_eq!(trie.symbols_below(1), trie.symbols_below(4), "two leaves");
    }

    #[test]
    fn text_is_told_apart_by_its_ascii_characters() {
        let trie = trie(&["aé", "aü!", "€b", "€b€"]);
        assert_eq!(below(&trie, 1), *b"!\xC1\xF8", "two characters beyond ASCII, one symbol");
        assert_eq!(below(&trie, 2), *b"!\xF9", "inside a character: one more byte");
        assert_eq!((below(&trie, 6), below(&trie, 7)), (b"b\xFA".to_vec(), b"b\xF9".to_vec()), "two, one");
        assert_eq!(below(&trie, 8), *b"b\xC1\xF8");
    }

    #[test]
    fn what_is_no_text_is_told_apart_by_its_bytes() {
        let tokens: [&[u8]; 4] = [b"\x80\xC3\xA9", b"a\xC3b", b"a\xFFc", b"\xE2\x82d"];
        let trie = Trie::build(tokens.into_iter());
        assert_eq!(below(&trie, 1), *b"\xC1\xF8", "text after the last byte of a character");
        assert_eq!(below(&trie, 4), *b"bc\xC0\xC1\xC3");
        assert_eq!(below(&trie, 5), *b"b\xC1", "read byte by byte");
        assert_eq!(below(&trie, 7), *b"c\xC1", "after a byte that is no text, between characters");
        assert_eq!((below(&trie, 9), below(&trie, 10)), (b"d\x82\xC1".to_vec(), b"d\xC1".to_vec()));
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
