//! The walk of the trie by the states of lexemes. That along [values](super::values) is written out there, where it is a fifth faster.

use gcc_grammar_artifact::TokenTrie;
use gcc_grammar_artifact::ids::{LexState, Terminal};
use gcc_grammar_artifact::trie::TrieNode;

use crate::error::Error;
use crate::matcher::Matcher;
use crate::scratch::Head;

/// Tokens with more bytes than this behind the node where a walk begins are tried without a look at them.
pub(super) const MOST_BYTES: usize = 128;

/// A walk of the nodes below one, in the order of their numbers, with a state for each node of the path.
pub(super) struct Walk<'t, S> {
    pub(super) trie: TokenTrie<'t>,
    from: TrieNode,
    /// The number of the next node.
    next: usize,
    /// The states by the depth of nodes.
    path: [S; MOST_BYTES + 1],
}

impl<'t, S: Copy> Walk<'t, S> {
    pub(super) const fn new((trie, from): (TokenTrie<'t>, TrieNode), state: S) -> Self {
        Self { trie, from, next: from.number + 1, path: [state; MOST_BYTES + 1] }
    }

    /// The state of the node before this one.
    #[inline]
    pub(super) const fn before(&self, node: TrieNode) -> S {
        self.path[node.depth - self.from.depth - 1]
    }

    /// Goes on below the last node, which has this state.
    #[inline]
    pub(super) const fn enter(&mut self, node: TrieNode, state: S) {
        self.path[node.depth - self.from.depth] = state;
        self.next = node.number + 1;
    }
}

impl Matcher<'_, '_> {
    /// The next node of a walk: below the last one, if that was [entered](Walk::enter), and behind it otherwise. Tokens that are too long are tried.
    #[inline(always)]
    pub(super) fn next_node<S: Copy>(
        &mut self,
        row: &mut [u32],
        walk: &mut Walk<'_, S>,
    ) -> Result<Option<TrieNode>, Error> {
        while walk.next < walk.from.end
            && let Some(node) = walk.trie.node(walk.next)
        {
            self.scratch.charge(1)?;
            walk.next = node.end;
            if node.depth - walk.from.depth <= MOST_BYTES {
                return Ok(Some(node));
            }
            self.refuse_tokens(row, walk.trie, node, false)?;
        }
        Ok(None)
    }

    /// Does something at each node of the trie up to which a lexeme ends as a terminal, with the head behind it. The given head has the stack behind the
    /// terminal, and the state of the lexeme at the root. That of the lexeme at the node comes along.
    pub(super) fn each_end(
        &mut self,
        row: &mut [u32],
        (trie, root): (TokenTrie<'_>, TrieNode),
        head: Head,
        terminal: Terminal,
        mut at_end: impl FnMut(&mut Self, &mut [u32], TrieNode, Head, LexState) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let grammar = self.grammar();
        let mut walk = Walk::new((trie, root), head.lex);
        let (mut next, mut lex) = (Some(root), head.lex);
        while let Some(node) = next {
            if lex != LexState::DEAD {
                walk.enter(node, lex);
                if grammar.accepts(lex).any(|accepted| accepted == terminal) {
                    let start = grammar.restart(lex, self.scratch.lr(head.node));
                    at_end(self, row, node, Head { lex: start, ..head }, lex)?;
                }
            }
            next = self.next_node(row, &mut walk)?;
            let after = |node| grammar.next(walk.before(node), grammar.byte_symbol(node.byte));
            lex = next.map_or(LexState::DEAD, after);
        }
        Ok(())
    }
}

/// The children of a node.
#[inline]
pub(super) fn children(trie: TokenTrie<'_>, node: TrieNode) -> impl Iterator<Item = TrieNode> {
    let mut number = node.number + 1;
    core::iter::from_fn(move || {
        let child = if number < node.end { trie.node(number) } else { None };
        number = child.map_or(node.end, |child| child.end);
        child
    })
}
