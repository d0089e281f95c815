//! The vocabulary as the compiler sees it: a trie over the text tokens, and the special tokens that the
//! grammar uses.
//!
//! Ranks number the text tokens in byte order, then the special tokens by id. All sets of tokens are sets of
//! ranks until the masks are made.

use crate::lexer::Symbols;
use crate::sets::Range;
use gcc_grammar_vocabulary::{Trie, Vocabulary};

/// The tokens that can occur in a text of the grammar, by rank.
pub struct Tokens<'a> {
    pub(super) trie: &'a Trie,
    /// Number of text tokens.
    text: u32,
    /// Per class of special tokens, from the first class after the bytes: its ranks.
    pub(super) special: Vec<Vec<Range>>,
    pub(super) byte_classes: usize,
    /// Length of the longest text token, in bytes.
    pub(super) longest: usize,
    /// Per text token, by rank: its number of characters.
    pub(super) characters: &'a [u32],
}

impl<'a> Tokens<'a> {
    /// Ranks the text tokens of `vocabulary` and the special tokens of `symbols`.
    #[must_use]
    pub fn new(vocabulary: &'a Vocabulary, symbols: &Symbols) -> Self {
        let text = vocabulary.order().len() as u32;
        let mut special = vec![Vec::new(); symbols.classes - symbols.byte_classes];
        for (rank, &(_, class)) in (text..).zip(&symbols.special_class) {
            special[class.index() - symbols.byte_classes].push((rank, rank + 1));
        }
        let longest = vocabulary.max_token_len();
        Self {
            trie: vocabulary.trie(),
            text,
            special,
            byte_classes: symbols.byte_classes,
            longest,
            characters: vocabulary.characters(),
        }
    }

    /// Number of ranks.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.text + self.special.iter().map(|s| s.len() as u32).sum::<u32>()
    }

    /// The tokens strictly below a trie node. The special tokens are below the root.
    pub(super) fn below(&self, node: u32) -> Range {
        let tokens = self.trie.tokens_below(node);
        (tokens.start, if node == 0 { self.count() } else { tokens.end })
    }
}
