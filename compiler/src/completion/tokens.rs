//! The tokens, as completions read them.

use crate::ids::SymbolClass;
use crate::lexer::{Lexer, Symbols};
use gcc_grammar_vocabulary::{Trie, Vocabulary};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// A number of tokens.
pub(crate) type Cost = u32;

/// Children of nodes with this many descendants are looked up in an index.
const WIDE_SUBTREE: u32 = 256;

/// The tokens, as this stage reads them.
pub(crate) struct Tokens<'a> {
    pub(crate) trie: &'a Trie,
    pub(crate) symbols: &'a Symbols,
    /// Nodes with many children, each with its child by byte; 0 where there is none. They are indexed when first used.
    wide_nodes: RefCell<FxHashMap<u32, Box<[u32; 256]>>>,
    /// The classes of special tokens, end tokens included, that have a token.
    pub(crate) special: Vec<SymbolClass>,
    /// Length of the longest text token, in bytes.
    pub(crate) longest: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(vocabulary: &'a Vocabulary, symbols: &'a Symbols) -> Self {
        let trie = vocabulary.trie();
        let mut special: Vec<_> = symbols.special_class.iter().map(|&(_, class)| class).collect();
        special.sort_unstable();
        special.dedup();
        let wide_nodes = RefCell::default();
        Self { trie, symbols, wide_nodes, special, longest: vocabulary.max_token_len() }
    }

    /// Whether a node has so many descendants that its children are indexed.
    pub(crate) fn is_wide(&self, node: u32) -> bool {
        self.trie.subtree_end(node) - node >= WIDE_SUBTREE
    }

    /// The child of a node with this byte.
    pub(crate) fn child(&self, node: u32, byte: u8) -> Option<u32> {
        let trie = self.trie;
        if !self.is_wide(node) {
            return trie.children(node).find(|&child| trie.byte(child) == byte);
        }
        let mut indexed = self.wide_nodes.borrow_mut();
        let children = indexed.entry(node).or_insert_with(|| {
            let mut children = Box::new([0; 256]);
            trie.children(node).for_each(|child| children[usize::from(trie.byte(child))] = child);
            children
        });
        Some(children[usize::from(byte)]).filter(|&child| child != 0)
    }

    /// Whether a token of its own has each byte that a lexeme can have.
    pub(super) fn spell_all(&self, lexer: &Lexer) -> bool {
        let is_used = |byte: u8| {
            let class = self.symbols.class_of(byte).index();
            lexer.rows.slots().chunks(lexer.classes).any(|slots| slots[class] != 0)
        };
        let has_token =
            |byte: u8| self.child(0, byte).is_some_and(|node| !self.trie.tokens_at(node).is_empty());
        (0..=u8::MAX).all(|byte| has_token(byte) || !is_used(byte))
    }

    /// Whether the vocabulary has an end token.
    pub(crate) fn has_end(&self) -> bool {
        self.special.contains(&self.symbols.end_class)
    }
}
