//! Masks in items of several lexemes: the tokens after which such an item would be one that was there before, or could only become one.
//!
//! Such a token goes along an earlier item of the same list that begins with what is written, white space outside of strings aside, or along one of a list around it. So the
//! trie of the vocabulary is walked along these items. A token that comes to the end of one is wrong; the others are tried, unless they end within a scalar of which
//! there are plenty.

use gcc_grammar_artifact::TokenTrie;
use gcc_grammar_artifact::ids::{LexState, TokenId};
use gcc_grammar_artifact::trie::TrieNode;

use crate::bitmap::{bit, word_of};
use crate::error::Error;
use crate::matcher::Matcher;
use crate::repeated::MOST_BYTES;
use crate::scratch::{Head, Reading, Span};

impl Matcher<'_, '_> {
    /// The tokens of a head along the items before those that are open.
    pub(crate) fn refuse_like_open(
        &mut self,
        row: &mut [u32],
        trie: (TokenTrie<'_>, TrieNode),
        head: Head,
        is_only: bool,
    ) -> Result<(), Error> {
        let end = self.scratch.text.len();
        let mut next = self.scratch.innermost_item(head.memory)?;
        while let Some(open) = next {
            let written = Span { start: self.scratch.item(open).start, end };
            let list = self.scratch.item_before(open);
            let mut item = list;
            while let Some(other) = item.filter(|&other| !self.scratch.is_open(other)) {
                self.scratch.charge(1)?;
                if let Some(rest) = self.scratch.text.behind(written, self.scratch.item(other)) {
                    self.refuse_rest(row, trie, rest, Some(head), is_only)?;
                }
                item = self.scratch.item_before(other);
            }
            next = self.scratch.innermost_item(item)?;
        }
        Ok(())
    }

    /// The tokens behind a node of the trie that go along the rest of an item. If no lexeme has ended before the node, the head is known.
    pub(crate) fn refuse_rest(
        &mut self,
        row: &mut [u32],
        (trie, from): (TokenTrie<'_>, TrieNode),
        rest: Reading,
        head: Option<Head>,
        is_only: bool,
    ) -> Result<(), Error> {
        let grammar = self.grammar();
        // What is left of the item, and the state of the lexeme that was there in the beginning, by the depth of nodes.
        let mut path = [(rest, LexState::DEAD); MOST_BYTES + 1];
        path[0].1 = head.map_or(LexState::DEAD, |head| head.lex);
        let mut number = from.number + 1;
        while number < from.end
            && let Some(node) = trie.node(number)
        {
            self.scratch.charge(1)?;
            let depth = node.depth - from.depth;
            number = node.end;
            if depth > MOST_BYTES {
                self.refuse_tokens(row, trie, node, false)?;
                continue;
            }
            let (mut rest, mut lex) = path[depth - 1];
            if !rest.place.skips(node.byte) && self.scratch.text.next(&mut rest) != Some(node.byte) {
                continue;
            }
            if lex != LexState::DEAD {
                lex = grammar.next(lex, grammar.byte_symbol(node.byte));
            }
            if self.scratch.text.is_read(rest) {
                self.refuse_tokens(row, trie, node, is_only)?;
                continue;
            }
            path[depth] = (rest, lex);
            number = node.number + 1;
            let is_left = |&token: &u32| row.get(word_of(token)).is_some_and(|word| word & bit(token) != 0);
            if trie.tokens_at(node).iter().any(is_left) && !self.is_in_free_lexeme(head, lex)? {
                for &token in trie.tokens_at(node) {
                    self.try_in(row, TokenId(token))?;
                }
            }
        }
        Ok(())
    }

    /// Whether the lexeme of a head, in a later state, can become plenty of scalars.
    fn is_in_free_lexeme(&mut self, head: Option<Head>, lex: LexState) -> Result<bool, Error> {
        let Some(head) = head.filter(|_| lex != LexState::DEAD) else { return Ok(false) };
        let grammar = self.grammar();
        self.scratch.is_free(grammar, Head { lex, ..head })
    }
}
