//! The vocabulary as the compiler sees it: a trie over the text tokens, and the tokens that the grammar matches by id.
//!
//! Ranks number the text tokens in byte order, then the other tokens that the grammar uses by id. All sets of tokens are sets of
//! ranks until the masks are made. A text token that is matched by id, too, keeps its rank: a token of a set may be read in several ways.

use crate::lexer::Symbols;
use crate::sets::Range;
use gcc_grammar_vocabulary::walks::PrecomputedWalks;
use gcc_grammar_vocabulary::{Trie, Vocabulary};
use std::sync::Arc;

/// The tokens that can occur in a text of the grammar, by rank.
pub struct Tokens {
    vocabulary: Vocabulary,
    /// Number of text tokens.
    text: u32,
    /// Per class of tokens that are matched by id, from the first class after the bytes: their ranks.
    pub(super) special: Vec<Vec<Range>>,
    pub(super) byte_classes: usize,
    /// Length of the longest text token, in bytes.
    pub(super) longest: usize,
}

impl Tokens {
    /// Ranks the text tokens of `vocabulary` and the special tokens of `symbols`.
    #[must_use]
    pub fn new(vocabulary: &Vocabulary, symbols: &Symbols) -> Self {
        let text = vocabulary.order().len() as u32;
        let special = ranges_of_classes(vocabulary, symbols);
        let longest = vocabulary.max_token_len();
        Self { vocabulary: vocabulary.clone(), text, special, byte_classes: symbols.byte_classes, longest }
    }

    pub(super) fn trie(&self) -> &Trie {
        self.vocabulary.trie()
    }

    /// Per text token, by rank: its number of characters.
    pub(super) fn characters(&self) -> &[u32] {
        self.vocabulary.characters()
    }

    /// The walks that come with the vocabulary.
    pub(super) fn known(&self) -> Option<&Arc<PrecomputedWalks>> {
        self.vocabulary.walks()
    }

    /// Number of ranks.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.special.iter().flatten().map(|&(_, end)| end).fold(self.text, u32::max)
    }

    /// The tokens strictly below a trie node. The special tokens are below the root.
    pub(super) fn below(&self, node: u32) -> Range {
        let tokens = self.trie().tokens_below(node);
        (tokens.start, if node == 0 { self.count() } else { tokens.end })
    }
}

/// The token id of every rank: the text tokens in byte order, then the other tokens that the grammar uses.
#[derive(Debug)]
pub struct TokenIds<'a> {
    text: &'a [u32],
    others: Vec<u32>,
}

impl<'a> TokenIds<'a> {
    /// The ids of the text tokens of a vocabulary, and of the tokens of `symbols`.
    #[must_use]
    pub fn new(vocabulary: &'a Vocabulary, symbols: &Symbols) -> Self {
        let used = symbols.special_class.iter().map(|&(token, _)| token);
        let mut others: Vec<u32> = used.filter(|&token| has_no_text(vocabulary, token)).collect();
        others.dedup();
        Self { text: vocabulary.order(), others }
    }

    /// The token of a rank.
    ///
    /// # Panics
    /// No token has the rank.
    #[must_use]
    pub fn of(&self, rank: u32) -> u32 {
        let rank = rank as usize;
        self.text.get(rank).copied().unwrap_or_else(|| self.others[rank - self.text.len()])
    }

    /// The tokens of all ranks, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.text.iter().chain(&self.others).copied()
    }
}

impl<'a> From<&'a [u32]> for TokenIds<'a> {
    fn from(text: &'a [u32]) -> Self {
        Self { text, others: Vec::new() }
    }
}

/// Whether a token is none of the text tokens.
fn has_no_text(vocabulary: &Vocabulary, token: u32) -> bool {
    vocabulary.bytes(token).is_none()
}

/// Per class of tokens that are matched by id: the ranks of its tokens.
fn ranges_of_classes(vocabulary: &Vocabulary, symbols: &Symbols) -> Vec<Vec<Range>> {
    let classes_of = |token: u32| {
        let start = symbols.special_class.partition_point(|&(known, _)| known < token);
        symbols.special_class[start..]
            .iter()
            .take_while(move |&&(known, _)| known == token)
            .map(|&(_, class)| class)
    };
    let mut tokens: Vec<u32> = symbols.special_class.iter().map(|&(token, _)| token).collect();
    tokens.dedup();
    let mut ranges: Vec<Vec<Range>> = vec![Vec::new(); symbols.classes - symbols.byte_classes];
    let order = vocabulary.order();
    // Text tokens are rarely matched by id, too.
    let has_text = tokens.iter().any(|&token| !has_no_text(vocabulary, token));
    let text = if has_text { order } else { &[] };
    let others = tokens.into_iter().filter(|&token| has_no_text(vocabulary, token));
    let others = (order.len() as u32..).zip(others);
    for (rank, token) in (0..).zip(text.iter().copied()).chain(others) {
        for class in classes_of(token) {
            let ranges = &mut ranges[class.index() - symbols.byte_classes];
            match ranges.last_mut() {
                Some((_, end)) if *end == rank => *end += 1,
                _ => ranges.push((rank, rank + 1)),
            }
        }
    }
    ranges
}
