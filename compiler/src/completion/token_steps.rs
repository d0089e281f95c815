//! Finds the lexer states that one token leads to, within a lexeme.
//!
//! In: the lexer and the trie. Out: [`TokenSteps`]: for each *narrow* state, from which few nodes of the trie can be
//! reached, the states that a token leads to. A *wide* state, such as the inside of a string, reaches most of the trie. It
//! is asked on request whether a token leads to one of certain states, for which it is known how far in bytes they are
//! from each state: first along bytes that come nearer with each step ([`TokenSteps::approach`]), which is quick, and only
//! where nothing else helps along all others ([`TokenSteps::search`]). Steps that are not found make the costs higher.

use super::tokens::Tokens;
use crate::csr::Csr;
use crate::ids::{LexState, SymbolClass};
use crate::lexer::Lexer;
use gcc_grammar_limits::{Budget, OverBudget};

/// A state is wide if more bytes than this lead on from it,
const NARROW_BYTES: usize = 16;
/// or if a walk from it meets more nodes of the trie than this.
const NARROW: usize = 256;
/// Nodes that a search may meet.
const MAX_SEARCHED: usize = 1 << 16;

/// The steps of tokens within a lexeme.
pub(super) struct TokenSteps {
    live: LiveBytes,
    /// Per state: the states from which a token leads to it; from wide states special tokens only.
    pub(super) before: Csr<u32>,
    /// The wide states, ascending.
    pub(super) wide: Vec<LexState>,
}

/// How far the states looked for are: the bytes to the nearest of them, 0 for these states, [`FAR`] if there is none.
pub(super) trait Distance {
    fn bytes(&self, state: LexState) -> u32;
}

/// No path leads to the states looked for.
pub(super) const FAR: u32 = u32::MAX;

impl TokenSteps {
    pub(super) fn new(lexer: &Lexer, tokens: &Tokens<'_>, budget: &Budget) -> Result<Self, OverBudget> {
        let live = LiveBytes::new(lexer, tokens);
        let mut walk =
            TrieWalk { lexer, tokens, path: vec![LexState::DEAD; tokens.longest + 1], found: Vec::new() };
        let mut wide = Vec::new();
        let mut pairs: Vec<(u32, usize)> = Vec::new();
        for state in (1..lexer.states()).map(LexState::new) {
            let met = if live.count(lexer, state) > NARROW_BYTES { None } else { walk.from(state, &live) };
            budget.charge_work(met.unwrap_or(NARROW_BYTES) as u64 + 1)?;
            if met.is_none() {
                wide.push(state);
                walk.found.clear();
            }
            walk.special_tokens(state);
            pairs.extend(walk.found.iter().map(|to| (state.0, to.index())));
        }
        budget.charge_bytes(pairs.len() as u64 * 12)?;
        Ok(Self { live, before: Csr::inverse(lexer.states(), pairs.iter().copied()), wide })
    }

    /// Whether some token leads from `state` to one of the states looked for, and comes nearer to them with each byte.
    pub(super) fn approach(
        &self,
        lexer: &Lexer,
        tokens: &Tokens<'_>,
        state: LexState,
        distance: &impl Distance,
        budget: &Budget,
    ) -> Result<bool, OverBudget> {
        let trie = tokens.trie;
        let (mut open, mut met) = (vec![(0, state)], 0);
        let mut nearer: Vec<(u32, LexState, u32)> = Vec::new();
        while let Some((node, state)) = open.pop().filter(|_| met < MAX_SEARCHED) {
            nearer.clear();
            self.nearer(lexer, tokens, (node, state), distance, &mut nearer);
            met += nearer.len();
            for &(child, next, left) in &nearer {
                if left == 0 && !trie.tokens_at(child).is_empty() {
                    budget.charge_work(met as u64 + 1)?;
                    return Ok(true);
                }
                if left > 0 && left <= height(trie.height(child)) {
                    open.push((child, next));
                }
            }
        }
        budget.charge_work(met as u64 + 1)?;
        Ok(false)
    }

    /// The children of a node whose bytes come nearer to the states looked for, each with the state there and how far it is.
    fn nearer(
        &self,
        lexer: &Lexer,
        tokens: &Tokens<'_>,
        (node, state): (u32, LexState),
        distance: &impl Distance,
        nearer: &mut Vec<(u32, LexState, u32)>,
    ) {
        let bytes = distance.bytes(state);
        if !tokens.is_wide(node) {
            for child in tokens.trie.children(node) {
                let next = lexer.next(state, tokens.symbols.class_of(tokens.trie.byte(child)));
                if next != LexState::DEAD && distance.bytes(next) < bytes {
                    nearer.push((child, next, distance.bytes(next)));
                }
            }
            return;
        }
        for (first, &next) in self.live.of(lexer, state).iter().zip(lexer.rows.targets(state)) {
            let left = distance.bytes(next);
            if left < bytes {
                let children = first.iter().filter_map(|&byte| tokens.child(node, byte));
                nearer.extend(children.map(|child| (child, next, left)));
            }
        }
    }

    /// Whether some token of the subtree of `node`, which is reached in `state`, ends in one of the states looked for.
    pub(super) fn search(
        lexer: &Lexer,
        tokens: &Tokens<'_>,
        (node, state): (u32, LexState),
        distance: &impl Distance,
        budget: &Budget,
    ) -> Result<bool, OverBudget> {
        let nodes = tokens.trie.nodes();
        let mut path = vec![LexState::DEAD; tokens.longest + 1];
        path[usize::from(nodes[node as usize].depth)] = state;
        let end = nodes[node as usize].subtree_end;
        let (mut at, mut met) = (node + 1, 0);
        while at < end && met < MAX_SEARCHED {
            met += 1;
            let here = nodes[at as usize];
            let depth = usize::from(here.depth);
            let state = lexer.next(path[depth - 1], tokens.symbols.class_of(here.byte));
            let bytes = if state == LexState::DEAD { FAR } else { distance.bytes(state) };
            if bytes == 0 && !tokens.trie.tokens_at(at).is_empty() {
                budget.charge_work(met as u64)?;
                return Ok(true);
            }
            path[depth] = state;
            at = if bytes <= height(here.height) { at + 1 } else { here.subtree_end };
        }
        budget.charge_work(met as u64)?;
        Ok(false)
    }
}

/// The bytes that can follow a node of this height. A height of 255 stands for that many or more.
fn height(height: u8) -> u32 {
    if height == u8::MAX { FAR - 1 } else { u32::from(height) }
}

/// The bytes with which tokens begin, by row pattern and target.
struct LiveBytes(Vec<Vec<Vec<u8>>>);

impl LiveBytes {
    fn new(lexer: &Lexer, tokens: &Tokens<'_>) -> Self {
        let first: Vec<u8> = (0..=u8::MAX).filter(|&byte| tokens.child(0, byte).is_some()).collect();
        let live = |(slots, &targets): (&[u32], &u32)| {
            let mut live = vec![Vec::new(); targets as usize];
            for &byte in &first {
                if let Some(target) = slots[tokens.symbols.class_of(byte).index()].checked_sub(1) {
                    live[target as usize].push(byte);
                }
            }
            live
        };
        Self(lexer.rows.slots().chunks(lexer.classes).zip(lexer.rows.sizes()).map(live).collect())
    }

    /// Per target of a state: the bytes that lead to it.
    fn of(&self, lexer: &Lexer, state: LexState) -> &[Vec<u8>] {
        &self.0[lexer.rows.pattern(state).0 as usize]
    }

    fn count(&self, lexer: &Lexer, state: LexState) -> usize {
        self.of(lexer, state).iter().map(Vec::len).sum()
    }
}

/// A walk over the trie from one state.
struct TrieWalk<'a> {
    lexer: &'a Lexer,
    tokens: &'a Tokens<'a>,
    /// The state at each depth.
    path: Vec<LexState>,
    /// The states that a token leads to.
    found: Vec<LexState>,
}

impl TrieWalk<'_> {
    /// Finds the states that a token leads to. Returns the number of nodes that were met, `None` if there are too many.
    fn from(&mut self, state: LexState, live: &LiveBytes) -> Option<usize> {
        self.found.clear();
        self.path[0] = state;
        let mut left = NARROW;
        for &byte in live.of(self.lexer, state).iter().flatten() {
            if let Some(node) = self.tokens.child(0, byte) {
                self.below(node, &mut left)?;
            }
        }
        Some(NARROW - left)
    }

    /// Adds the states that a special token leads to.
    fn special_tokens(&mut self, state: LexState) {
        for &class in &self.tokens.special {
            self.add(self.lexer.next(state, class));
        }
        self.found.sort_unstable();
        self.found.dedup();
    }

    /// Walks the subtree of a node; `None` if it meets more than `left` nodes.
    fn below(&mut self, node: u32, left: &mut usize) -> Option<()> {
        let trie = self.tokens.trie;
        let nodes = trie.nodes();
        let (mut at, end) = (node, nodes[node as usize].subtree_end);
        while at < end {
            *left = left.checked_sub(1)?;
            let here = nodes[at as usize];
            let depth = usize::from(here.depth);
            let class: SymbolClass = self.tokens.symbols.class_of(here.byte);
            let state = self.lexer.next(self.path[depth - 1], class);
            self.path[depth] = state;
            if state == LexState::DEAD {
                at = here.subtree_end;
                continue;
            }
            if !trie.tokens_at(at).is_empty() {
                self.add(state);
            }
            at += 1;
        }
        Some(())
    }

    fn add(&mut self, state: LexState) {
        if state != LexState::DEAD && self.found.last() != Some(&state) {
            self.found.push(state);
        }
    }
}
