//! Walks a subtree of the trie from a lexer state, node by node.
//!
//! In: a subtree, and the lexer state at its root. Out: everything that ends below the root, added to a
//! [`Collector`]. The walk is a linear scan over the flat trie in preorder. It skips subtrees that the lexer
//! cannot enter and subtrees that are uniform.

use super::collector::Collector;
use crate::ids::{EndClass, LexState, SymbolClass};
use crate::lexer::{Lexer, PendingId};
use crate::sets::Range;
use crate::terminal::tables::WalkTables;
use crate::terminal::tokens::Tokens;
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::Budget;
use gcc_grammar_regular::ByteSet;

/// What all walks have in common.
pub(in crate::terminal) struct Walker<'a> {
    pub(in crate::terminal) lexer: &'a Lexer,
    pub(in crate::terminal) tokens: &'a Tokens,
    pub(in crate::terminal) tables: &'a WalkTables,
    pub(in crate::terminal) budget: &'a Budget,
}

impl Walker<'_> {
    /// The state after `byte`.
    pub(super) fn next(&self, state: LexState, byte: u8) -> LexState {
        self.lexer.next(state, self.class_of(byte))
    }

    /// The bytes on which `state` has a transition to itself.
    pub(super) fn loop_bytes(&self, state: LexState) -> ByteSet {
        (0..=u8::MAX).filter(|&byte| self.next(state, byte) == state).collect()
    }

    pub(super) fn class_of(&self, byte: u8) -> SymbolClass {
        SymbolClass(u32::from(self.tables.byte_class[usize::from(byte)]))
    }

    /// Walks everything strictly below `root`, which is reached in `state` (not dead). `path` is a buffer.
    /// Returns the number of nodes visited.
    ///
    /// Most of the compiler's time is spent here.
    pub(super) fn scan(
        &self,
        root: u32,
        state: LexState,
        path: &mut Vec<LexState>,
        collector: &mut Collector,
    ) -> u64 {
        let trie = self.tokens.trie();
        let (nodes, symbol_sets) = (trie.nodes(), trie.symbol_sets());
        let WalkTables { uniform, byte_class, states, .. } = self.tables;
        let (classes, transitions) = (self.lexer.classes, self.lexer.transitions.as_slice());
        path.resize(self.tokens.longest + 1, LexState::DEAD);
        let path = path.as_mut_slice();
        path[usize::from(nodes[root as usize].depth)] = state;
        let end = nodes[root as usize].subtree_end;
        let (mut at, mut steps) = (root + 1, 0);
        while at < end {
            let node = nodes[at as usize];
            steps += 1;
            let depth = usize::from(node.depth);
            let class = usize::from(byte_class[usize::from(node.byte)]);
            let state = transitions[path[depth - 1].index() * classes + class];
            if state == LexState::DEAD {
                at = node.subtree_end;
                continue;
            }
            let data = states[state.index()];
            let below = &symbol_sets[node.below as usize];
            let alike = node.height == 0 || uniform.is_uniform(state, node.height, below);
            let next = if alike { node.subtree_end } else { at + 1 };
            collector.tokens_end(data.pending, (node.first_token, nodes[next as usize].first_token));
            if data.accepting && !alike {
                self.add_lexeme_ends(at, state, collector);
            }
            path[depth] = state;
            at = next;
        }
        collector.steps += steps;
        steps
    }

    /// Whether all tokens strictly below `node`, which is reached in `state`, end like tokens at the node, and no
    /// lexeme ends on the way.
    pub(super) fn is_uniform(&self, node: u32, state: LexState) -> bool {
        let trie = self.tokens.trie();
        let node = trie.nodes()[node as usize];
        let below = &trie.symbol_sets()[node.below as usize];
        node.height == 0 || self.tables.uniform.is_uniform(state, node.height, below)
    }

    /// If the subtree of `node`, which is reached in `state`, is uniform, adds its tokens. Returns whether it is.
    pub(super) fn add_uniform(&self, node: u32, state: LexState, collector: &mut Collector) -> bool {
        let is_uniform = self.is_uniform(node, state);
        if is_uniform {
            let tokens = self.tokens.trie().tokens_in_subtree(node);
            collector.tokens_end(self.lexer.pending[state.index()], (tokens.start, tokens.end));
        }
        is_uniform
    }

    /// The lexemes that may end at `node`, if any token continues there with another lexeme.
    pub(super) fn lexeme_ends(&self, node: u32, state: LexState, mut each: impl FnMut(TerminalId, EndClass)) {
        if self.may_end(node, state) {
            let end = self.lexer.end_class[state.index()];
            self.lexer.accepts(state).iter().for_each(|&terminal| each(terminal, end));
        }
    }

    /// Adds the lexemes that may end at `node`.
    #[inline]
    pub(super) fn add_lexeme_ends(&self, node: u32, state: LexState, collector: &mut Collector) {
        if self.may_end(node, state) {
            collector.lexemes_end(node, self.tables.states[state.index()].accepts_like);
        }
    }

    /// Whether a lexeme may end at `node`, which is reached in `state`, and any token continues there with another one.
    pub(super) fn may_end(&self, node: u32, state: LexState) -> bool {
        self.tables.states[state.index()].accepting && (node == 0 || self.can_start_lexeme(node, state))
    }

    /// Whether a lexeme can start with a token below `node`, after a lexeme that ended in `state`.
    pub(super) fn can_start_lexeme(&self, node: u32, state: LexState) -> bool {
        let starts = &self.tables.may_start[self.tables.states[state.index()].starts as usize];
        self.tokens.trie().child_bytes(node).intersects(starts)
    }

    /// The special tokens that can be read in `state`, with the pending sets in which they end.
    pub(super) fn special_tokens(&self, state: LexState, mut each: impl FnMut(PendingId, Range)) {
        for (i, ranges) in self.tokens.special.iter().enumerate() {
            let after = self.lexer.next(state, SymbolClass::new(self.tokens.byte_classes + i));
            if after != LexState::DEAD {
                let pending = self.lexer.pending[after.index()];
                ranges.iter().for_each(|&range| each(pending, range));
            }
        }
    }
}
