//! Takes tokens out of a row of the grammar's mask: all of some nodes of the trie, or those that cannot be read.

use gcc_grammar_artifact::TokenTrie;
use gcc_grammar_artifact::ids::TokenId;
use gcc_grammar_artifact::trie::TrieNode;

use crate::bitmap::{bit, word_of};
use crate::error::Error;
use crate::matcher::Matcher;
use crate::scratch::{Head, Node, Sorted};

impl Matcher<'_, '_> {
    /// Does something with each head, and with whether it is the only one. The scratch may be compacted before that is done once more, which moves
    /// what heads refer to.
    pub(crate) fn each_newest_head(
        &mut self,
        mut operation: impl FnMut(&mut Self, Head, bool) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for index in 0..self.scratch.newest().count {
            self.attempt_and_undo(|matcher| {
                let heads = matcher.scratch.newest();
                let head = matcher.scratch.head(heads, index);
                operation(matcher, head, heads.count == 1)
            })?;
        }
        Ok(())
    }

    /// Does something with the items of a list: at once, if they are in the table, or with each.
    #[inline]
    pub(super) fn each_part(
        &mut self,
        last: Node,
        mut operation: impl FnMut(&mut Self, Sorted) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if let Some(items) = self.scratch.sorted(last)? {
            return operation(self, items);
        }
        let mut next = Some(last);
        while let Some(item) = next {
            self.scratch.charge(1)?;
            operation(self, Sorted::one(item))?;
            next = self.scratch.listed_before(item);
        }
        Ok(())
    }

    /// Tries a token, if the row has it, and takes it out if it cannot be read.
    #[inline]
    pub(crate) fn try_in(&mut self, row: &mut [u32], token: TokenId) -> Result<(), Error> {
        let Some(word) = row.get_mut(word_of(token.0)) else { return Ok(()) };
        if *word & bit(token.0) != 0 && !self.is_readable(token)? {
            *word &= !bit(token.0);
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn try_tokens(&mut self, row: &mut [u32], tokens: &[u32]) -> Result<(), Error> {
        tokens.iter().try_for_each(|&token| self.try_in(row, TokenId(token)))
    }

    /// Tries all tokens of the row.
    pub(crate) fn try_all(&mut self, row: &mut [u32]) -> Result<(), Error> {
        let width = self.grammar().meta().mask_width;
        (0..width).try_for_each(|token| self.try_in(row, TokenId(token)))
    }

    /// Takes the tokens at and below a node out of a row, or tries them.
    #[inline]
    pub(crate) fn refuse_tokens(
        &mut self,
        row: &mut [u32],
        trie: TokenTrie<'_>,
        node: TrieNode,
        is_certain: bool,
    ) -> Result<(), Error> {
        for tokens in [trie.tokens_at(node), trie.tokens_below(node)] {
            if is_certain { self.remove(row, tokens)? } else { self.try_tokens(row, tokens)? }
        }
        Ok(())
    }

    /// Takes tokens out of a row.
    #[inline]
    fn remove(&mut self, row: &mut [u32], tokens: &[u32]) -> Result<(), Error> {
        self.scratch.charge(tokens.len())?;
        for &token in tokens {
            if let Some(word) = row.get_mut(word_of(token)) {
                *word &= !bit(token);
            }
        }
        Ok(())
    }
}
