//! Finds the nodes of the trie at which a lexeme can begin.
//!
//! In: the bytes that a state reads. Out: the nodes with a child on one of them. What a lexeme ends at is often thousands of
//! nodes, of which a certain next lexeme can begin at a few only.

use super::walker::Walker;
use crate::ids::{LexState, SetId};
use crate::sets::Sets;
use gcc_grammar_regular::ByteSet;
use rustc_hash::FxHashMap;

/// Of fewer nodes than this, none are left out.
const MIN_NODES: u32 = 64;

/// The nodes at which lexemes can begin, by the bytes with which they begin.
#[derive(Default)]
pub(in crate::terminal) struct Entries {
    /// Per distinct set of bytes of children: whether a lexeme can begin with one of them.
    known: FxHashMap<ByteSet, Box<[bool]>>,
}

impl Entries {
    /// The nodes of a set, without nodes below which `state`, which does not accept, reads nothing. (The root may have
    /// special tokens.)
    pub(super) fn of(&mut self, walker: &Walker<'_>, sets: &Sets, nodes: SetId, state: LexState) -> Vec<u32> {
        if !walker.tables.shortcuts.entries
            || !sets.has_more_than(nodes, MIN_NODES)
            || !walker.lexer.accepts(state).is_empty()
        {
            return sets.ranks(nodes).collect();
        }
        let is_first = |&byte: &u8| walker.next(state, byte) != LexState::DEAD;
        let first: ByteSet = (0..=u8::MAX).filter(is_first).collect();
        let trie = walker.tokens.trie();
        let begins = self
            .known
            .entry(first)
            .or_insert_with(|| trie.child_sets().map(|children| children.intersects(&first)).collect());
        sets.ranks(nodes).filter(|&node| node == 0 || begins[trie.child_set(node) as usize]).collect()
    }

    /// Estimated bytes.
    pub(in crate::terminal) fn bytes(&self) -> u64 {
        self.known.values().map(|begins| begins.len() as u64 + 64).sum()
    }
}
