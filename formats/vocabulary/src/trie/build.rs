//! Builds a [`Trie`] from tokens in byte order, in one pass.
//!
//! The builder keeps the path from the root to the newest node. A new token closes the nodes of the path that are not its
//! prefixes, and opens nodes for the bytes that it does not share with its predecessor. A node is complete when it is
//! closed: only then its subtree, its height and the symbols below it are known.

use super::symbols;
use super::{Node, Trie};
use crate::utf8::Phase;
use gcc_grammar_artifact::trie::SymbolSet;
use gcc_grammar_regular::ByteSet;
use rustc_hash::FxHashMap;

impl Trie {
    /// Builds the trie of `tokens`, which must be in byte order and not empty.
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

/// A node whose subtree is not complete.
struct Open {
    node: usize,
    bytes_below: ByteSet,
    height: u8,
    /// The phase at the end of the node's string. A byte that cannot follow its predecessor is taken as the first byte of a
    /// character if it can be one, and as the last byte of a character otherwise.
    phase: Phase,
    /// Whether all strings below continue as well-formed UTF-8 from `phase`.
    is_text: bool,
}

impl Open {
    /// The symbols below this node.
    fn symbols(&self) -> ByteSet {
        let mut set = ByteSet::default();
        if self.is_text {
            set = self.bytes_below & symbols::ASCII;
            if set != self.bytes_below {
                set.insert(symbols::of_phase(self.phase));
            }
        } else {
            self.bytes_below.iter().for_each(|byte| set.insert(symbols::of_byte(byte)));
        }
        if !self.is_text || self.phase == Phase::BETWEEN {
            set.insert(symbols::BETWEEN);
        }
        set
    }
}

/// A trie under construction. Nodes are appended in preorder.
struct Builder {
    nodes: Vec<Node>,
    symbol_sets: Vec<SymbolSet>,
    /// The open nodes, from the root to the newest node.
    path: Vec<Open>,
    /// Index of each set in `symbol_sets`.
    interned: FxHashMap<ByteSet, u32>,
    /// Number of tokens so far.
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

    /// Opens a child of the newest open node.
    fn open(&mut self, byte: u8) {
        let (depth, node) = (self.path.len() as u16, self.nodes.len());
        let phase = match self.path.last() {
            None => Phase::BETWEEN,
            Some(above) => above.phase.after(byte).or(Phase::BETWEEN.after(byte)).unwrap_or(Phase::BETWEEN),
        };
        self.path.push(Open { node, bytes_below: ByteSet::default(), height: 0, phase, is_text: true });
        self.nodes.push(Node { first_token: self.tokens, depth, byte, ..Node::default() });
    }

    /// Closes every open node deeper than `depth`.
    fn close_to(&mut self, depth: usize) {
        while self.path.len() > depth + 1 {
            self.close();
        }
    }

    /// Closes the newest open node.
    fn close(&mut self) {
        let Some(open) = self.path.pop() else { return };
        let symbols = open.symbols();
        let end = self.nodes.len() as u32;
        let closed = &mut self.nodes[open.node];
        closed.subtree_end = end;
        closed.height = open.height;
        closed.below = *self.interned.entry(symbols).or_insert_with(|| {
            self.symbol_sets.push(symbols.0);
            self.symbol_sets.len() as u32 - 1
        });
        if let Some(parent) = self.path.last_mut() {
            let byte = closed.byte;
            parent.height = parent.height.max(open.height.saturating_add(1));
            parent.is_text &= open.is_text && parent.phase.after(byte) == Some(open.phase);
            parent.bytes_below.insert(byte);
            parent.bytes_below |= open.bytes_below;
        }
    }

    /// Closes all nodes, and appends the entry past the last node.
    fn finish(mut self) -> Trie {
        self.close_to(0);
        self.close();
        self.nodes.push(Node { first_token: self.tokens, ..Node::default() });
        Trie::from_tables(self.nodes.into(), self.symbol_sets.into(), None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trie(tokens: &[&str]) -> Trie {
        Trie::build(tokens.iter().map(|token| token.as_bytes()))
    }

    #[test]
    fn the_trie_of_the_module_page() {
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

    /// The symbols below a node, ascending.
    fn below(trie: &Trie, node: u32) -> Vec<u8> {
        ByteSet(trie.symbol_sets()[trie.symbols_below(node) as usize]).iter().collect()
    }

    #[test]
    fn symbols_below_are_those_of_all_descendants() {
        let trie = trie(&["a", "xyz"]);
        assert_eq!(below(&trie, 0), *b"axyz\xC1");
        assert_eq!(below(&trie, 2), *b"yz\xC1");
        assert_eq!(trie.symbols_below(1), trie.symbols_below(4), "two leaves");
    }

    #[test]
    fn text_is_described_by_its_ascii_characters() {
        let trie = trie(&["aé", "aü!", "€b", "€b€"]);
        assert_eq!(below(&trie, 1), *b"!\xC1\xF8", "two characters beyond ASCII, one symbol");
        assert_eq!(below(&trie, 2), *b"!\xF9", "inside a character: one more byte");
        assert_eq!((below(&trie, 6), below(&trie, 7)), (b"b\xFA".to_vec(), b"b\xF9".to_vec()), "two, one");
        assert_eq!(below(&trie, 8), *b"b\xC1\xF8");
    }

    #[test]
    fn strings_that_are_no_text_are_described_by_their_bytes() {
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
