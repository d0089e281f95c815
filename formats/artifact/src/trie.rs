//! The trie of the text tokens of a vocabulary, as the runtime walks it.
//!
//! The tables are those of a compiled vocabulary ([`vocabulary`](crate::vocabulary)): nodes in preorder, and the tokens in the order of their
//! bytes. They need not be valid: every number is checked where it is used, and a walk always goes forward.

use core::ops::Range;

/// A set of symbols: symbol `b` is bit `b % 64` of word `b / 64`.
pub type SymbolSet = [u64; 4];

/// The trie of the text tokens.
#[derive(Clone, Copy, Debug)]
pub struct TokenTrie<'a> {
    /// Per node, and once more: the end of its subtree, its first rank, the set of the symbols below it, and its depth and byte.
    nodes: &'a [[u32; 4]],
    symbol_sets: &'a [SymbolSet],
    /// The tokens by rank.
    order: &'a [u32],
}

/// A node of the trie: a string with which tokens begin.
#[derive(Clone, Copy, Debug)]
pub struct TrieNode {
    /// The number of the node.
    pub number: usize,
    /// The length of the string.
    pub depth: usize,
    /// The last byte of the string.
    pub byte: u8,
    /// One past the last node whose string begins with this one.
    pub end: usize,
}

impl<'a> TokenTrie<'a> {
    /// The trie with these tables, which have the layout of the sections `trie_nodes`, `trie_symbol_sets` and `order`, in the order of
    /// bytes of the processor.
    #[must_use]
    pub const fn new(nodes: &'a [[u32; 4]], symbol_sets: &'a [SymbolSet], order: &'a [u32]) -> Self {
        Self { nodes, symbol_sets, order }
    }

    /// The node with this number; `None` behind the last one. Node 0 is the root.
    #[inline]
    #[must_use]
    pub fn node(&self, number: usize) -> Option<TrieNode> {
        // The last entry is no node.
        self.nodes.get(number + 1)?;
        let [end, _, _, place] = self.nodes[number];
        let [low, high, byte, _] = place.to_ne_bytes();
        let depth = usize::from(u16::from_ne_bytes([low, high]));
        Some(TrieNode { number, depth, byte, end: (end as usize).max(number + 1) })
    }

    /// The tokens that are the string of a node.
    #[inline]
    #[must_use]
    pub fn tokens_at(&self, node: TrieNode) -> &'a [u32] {
        self.tokens(node.number..node.number + 1)
    }

    /// The tokens that extend the string of a node.
    #[must_use]
    pub fn tokens_below(&self, node: TrieNode) -> &'a [u32] {
        self.tokens(node.number + 1..node.end)
    }

    /// The tokens of all these nodes.
    fn tokens(&self, nodes: Range<usize>) -> &'a [u32] {
        let rank = |node: usize| self.nodes.get(node).map_or(0, |node| node[1] as usize);
        self.order.get(rank(nodes.start)..rank(nodes.end)).unwrap_or_default()
    }

    /// Whether all tokens extend the string of a node by ASCII characters of this set alone:
    /// character `c` is bit `c % 64` of word `c / 64`.
    #[inline]
    #[must_use]
    pub fn goes_on_with(&self, node: TrieNode, ascii: [u64; 2]) -> bool {
        let set = self.nodes.get(node.number).and_then(|node| self.symbol_sets.get(node[2] as usize));
        set.is_some_and(|&[low, high, middle, wide]| {
            low & !ascii[0] == 0 && high & !ascii[1] == 0 && middle == 0 && wide & !BETWEEN == 0
        })
    }

    /// Whether the string of a node, or one of its extensions, has one of these symbols of 64 to 127 as its last one or behind it: symbol `64 + c` is bit `c`.
    #[inline]
    #[must_use]
    pub fn has_below(&self, node: TrieNode, symbols: u64) -> bool {
        let is_last = (64..128).contains(&node.byte) && symbols >> (node.byte % 64) & 1 == 1;
        let set = self.nodes.get(node.number).and_then(|node| self.symbol_sets.get(node[2] as usize));
        is_last || set.is_none_or(|set| set[1] & symbols != 0)
    }
}

/// Symbol 0xC1, which says that the string does not end within a character.
const BETWEEN: u64 = 1 << 1;

#[cfg(test)]
mod tests {
    use super::*;

    /// The trie of `a`, `ab`, `ac` and `b`, numbered so.
    fn with_trie(test: impl FnOnce(TokenTrie<'_>)) {
        let place = |depth: u16, byte: u8| {
            let [low, high] = depth.to_ne_bytes();
            u32::from_ne_bytes([low, high, byte, 0])
        };
        let nodes = [
            [5, 0, 0, place(0, 0)],
            [4, 0, 1, place(1, b'a')],
            [3, 1, 2, place(2, b'b')],
            [4, 2, 2, place(2, b'c')],
            [5, 3, 2, place(1, b'b')],
            [0, 4, 0, 0],
        ];
        let letters = |letters: &[u8]| letters.iter().fold(0, |set, letter| set | 1 << (letter - 64));
        let sets = [[0, letters(b"abc"), 0, BETWEEN], [0, letters(b"bc"), 0, BETWEEN], [0, 0, 0, BETWEEN]];
        test(TokenTrie::new(&nodes, &sets, &[0, 1, 2, 3]));
    }

    #[test]
    fn nodes_have_symbols_below_them() {
        with_trie(|trie| {
            let node = |number| trie.node(number).expect("a node");
            let symbol = |byte: u8| 1 << (byte - 64);
            assert!(trie.has_below(node(1), symbol(b'c')) && trie.has_below(node(1), symbol(b'a')));
            assert!(!trie.has_below(node(4), symbol(b'a')) && trie.has_below(node(0), symbol(b'b')));
        });
    }

    #[test]
    fn nodes_have_their_tokens() {
        with_trie(|trie| {
            let node = |number| trie.node(number).expect("a node");
            assert_eq!((node(1).depth, node(1).byte, node(1).end), (1, b'a', 4));
            assert_eq!((trie.tokens_at(node(1)), trie.tokens_below(node(1))), (&[0][..], &[1, 2][..]));
            assert_eq!((trie.tokens_at(node(0)), trie.tokens_below(node(0)).len()), (&[][..], 4));
            assert!(trie.node(5).is_none() && trie.node(usize::MAX - 1).is_none());
        });
    }

    #[test]
    fn sets_say_how_tokens_go_on() {
        with_trie(|trie| {
            let goes_on = |number, set| trie.goes_on_with(trie.node(number).expect("a node"), [0, set]);
            let all_but_a = !(1 << (b'a' - 64));
            assert!(goes_on(1, all_but_a) && goes_on(0, u64::MAX) && goes_on(2, 0));
            assert!(!goes_on(0, all_but_a) && !goes_on(1, 0));
        });
    }
}
