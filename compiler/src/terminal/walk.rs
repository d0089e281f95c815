//! Walks over the trie from a set of (position, lexer state).
//!
//! Many lexer states differ only in the next few bytes: inside a string, all but a few bytes lead to the state "somewhere in a string".
//! So what a larger subtree gives from a state is remembered and shared by all walks that come there, also from any state
//! that strings as long as the subtree is high cannot tell apart from it ([`Levels`]).

use super::levels::Levels;
use super::{Position, Tokens};
use crate::ids::{ContextId, LexState, SetId, SymbolClass};
use crate::lexer::{IGNORED, Lexer, Symbols};
use crate::limits::{Budget, OverBudget};
use crate::sets::{Range, Sets};
use gcc_grammar_frontends::TerminalId;
use gcc_grammar_vocabulary::Trie;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A set of bytes, as the trie has them.
type ByteSet = [u64; 4];

/// Subtrees with at least so many nodes are remembered.
const MIN_REMEMBERED: u32 = 256;

/// What a walk collects.
pub(super) struct Walked {
    /// Per pending set: tokens that end in a state with it, as parts of a union.
    pub(super) ends: Vec<(u32, Vec<SetId>)>,
    /// Per terminal (never an ignored one): where it may have ended inside a token.
    pub(super) cuts: Vec<(TerminalId, Vec<Position>)>,
}

/// What stays the same between walks.
pub(super) struct Setting<'a, 'b> {
    pub(super) lexer: &'a Lexer,
    pub(super) tokens: &'a Tokens<'b>,
    pub(super) tables: &'a WalkTables,
}

/// What walks ask of lexer states again and again.
pub(super) struct WalkTables {
    levels: Levels,
    /// Per trie node: bytes of the longest string below it.
    heights: Vec<u16>,
    byte_class: [u16; 256],
    /// Per state: the bytes that lead back to it, if the tokens made of them need no look: nothing can end among them.
    loops: Vec<ByteSet>,
    /// Per end class: the bytes that can start a lexeme after it in some context.
    may_start: Vec<ByteSet>,
}

impl WalkTables {
    pub(super) fn new(
        lexer: &Lexer,
        symbols: &Symbols,
        tokens: &Tokens<'_>,
        any_split: bool,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let bytes_where = |keep: &dyn Fn(SymbolClass) -> bool| {
            let class_keeps: Vec<bool> =
                (0..symbols.byte_classes).map(|c| keep(SymbolClass::new(c))).collect();
            let mut set = ByteSet::default();
            for byte in 0..256 {
                if class_keeps[usize::from(symbols.byte_class[byte])] {
                    set[byte / 64] |= 1 << (byte % 64);
                }
            }
            set
        };
        let loops = (0..lexer.states()).map(LexState::new).map(|s| {
            // Under any split a lexeme may end at every accepting state. Under longest match one that goes on to
            // accept again cannot have ended before.
            if any_split && !lexer.accepts(s).is_empty() {
                ByteSet::default()
            } else {
                bytes_where(&|c| lexer.next(s, c) == s)
            }
        });
        let may_start = lexer.restarts.chunks(lexer.contexts).map(|row| {
            let mut starts: Vec<LexState> = row.iter().copied().filter(|&s| s != LexState(0)).collect();
            starts.sort_unstable();
            starts.dedup();
            bytes_where(&|c| starts.iter().any(|&s| lexer.next(s, c) != LexState(0)))
        });
        let heights = heights(tokens.trie);
        Ok(Self {
            levels: Levels::new(lexer, usize::from(heights[0]), budget)?,
            heights,
            byte_class: symbols.byte_class,
            may_start: may_start.collect(),
            loops: loops.collect(),
        })
    }
}

/// Bytes of the longest string below each node.
fn heights(trie: &Trie) -> Vec<u16> {
    let mut deepest: Vec<u16> = (0..trie.len()).map(|node| trie.depth(node)).collect();
    // Backwards, so that a node's subtree is complete before the node is reached; its parent is the last shallower one.
    let mut path: Vec<u32> = Vec::new();
    let mut parents = vec![0; deepest.len()];
    for node in 0..trie.len() {
        path.truncate(usize::from(trie.depth(node)));
        parents[node as usize] = path.last().copied().unwrap_or(0);
        path.push(node);
    }
    for node in (1..deepest.len()).rev() {
        let parent = parents[node] as usize;
        deepest[parent] = deepest[parent].max(deepest[node]);
    }
    deepest.iter().zip(0..).map(|(deepest, node)| deepest - trie.depth(node)).collect()
}

/// Subtrees walked before, by their root and the class of the state there.
#[derive(Default)]
pub(super) struct Subtrees {
    known: FxHashMap<(u32, u32), Rc<Subtree>>,
    /// Lexer state per depth; a buffer.
    path: Vec<LexState>,
}

/// What a subtree gives.
struct Subtree {
    ends: Vec<(u32, SetId)>,
    /// Ignored terminals included: where the walk goes on after them depends on the context.
    cuts: Vec<(TerminalId, Vec<Position>)>,
}

/// Things found, not yet in order.
#[derive(Default)]
struct Found {
    ends: FxHashMap<u32, Vec<Range>>,
    /// Parts that are sets already.
    end_sets: FxHashMap<u32, Vec<SetId>>,
    cuts: FxHashMap<TerminalId, Vec<Position>>,
    visited: u64,
}

impl Found {
    /// Interns the ranges and puts everything in order.
    fn finish(mut self, sets: &mut Sets) -> Result<Walked, OverBudget> {
        for (pending, ranges) in self.ends {
            let set = sets.intern(&ranges)?;
            self.end_sets.entry(pending).or_default().push(set);
        }
        let mut ends: Vec<_> = self.end_sets.into_iter().collect();
        let mut cuts: Vec<_> = self.cuts.into_iter().collect();
        ends.sort_unstable_by_key(|(pending, _)| *pending);
        cuts.sort_unstable_by_key(|(t, _)| *t);
        Ok(Walked { ends, cuts })
    }
}

/// Walks the subtrees of all seeds: `(position, state in which what follows is read)`.
pub(super) fn walk(
    setting: &Setting<'_, '_>,
    subtrees: &mut Subtrees,
    sets: &mut Sets,
    seeds: Vec<(u32, LexState)>,
    context: ContextId,
    budget: &Budget,
) -> Result<Walked, OverBudget> {
    let mut found = Found::default();
    let mut seen: FxHashSet<(u32, LexState)> = seeds.iter().copied().collect();
    let mut open = seeds;
    while let Some((seed, state)) = open.pop() {
        setting.lexeme_ends(seed, state, &mut found);
        if seed == 0 {
            setting.special_tokens(state, &mut found);
        }
        subtrees.below(setting, sets, seed, state, &mut found, budget)?;
        for (position, end) in found.cuts.remove(&IGNORED).unwrap_or_default() {
            let start = setting.lexer.restart(end, context);
            if start != LexState(0) && seen.insert((position, start)) {
                open.push((position, start));
            }
        }
    }
    found.finish(sets)
}

impl Subtrees {
    /// Everything strictly below `node`, which is reached in `state`. Recursion is as deep as a token is long.
    fn below(
        &mut self,
        setting: &Setting<'_, '_>,
        sets: &mut Sets,
        node: u32,
        state: LexState,
        found: &mut Found,
        budget: &Budget,
    ) -> Result<(), OverBudget> {
        let trie = setting.tokens.trie;
        for child in trie.children(node) {
            found.visited += 1;
            let state = setting.next(state, child);
            if state == LexState(0) || setting.is_settled(child, state, found) {
                continue;
            }
            if trie.subtree_end(child) - child < MIN_REMEMBERED {
                setting.scan(child, state, &mut self.path, found);
                continue;
            }
            let subtree = self.get(setting, sets, child, state, budget)?;
            for &(pending, set) in &subtree.ends {
                found.end_sets.entry(pending).or_default().push(set);
            }
            for (t, positions) in &subtree.cuts {
                found.cuts.entry(*t).or_default().extend_from_slice(positions);
            }
        }
        budget.charge_work(std::mem::take(&mut found.visited))
    }

    /// The subtree of `node`, which is reached in `state`.
    fn get(
        &mut self,
        setting: &Setting<'_, '_>,
        sets: &mut Sets,
        node: u32,
        state: LexState,
        budget: &Budget,
    ) -> Result<Rc<Subtree>, OverBudget> {
        let height = usize::from(setting.tables.heights[node as usize]);
        let key = (node, setting.tables.levels.class(height, state));
        if let Some(subtree) = self.known.get(&key) {
            return Ok(subtree.clone());
        }
        let mut found = Found::default();
        let tokens = setting.tokens.trie.tokens_at(node);
        setting.tokens_end(state, (tokens.start, tokens.end), &mut found);
        setting.lexeme_ends(node, state, &mut found);
        self.below(setting, sets, node, state, &mut found, budget)?;
        let Walked { ends, cuts } = found.finish(sets)?;
        let ends = ends.into_iter().map(|(pending, mut parts)| Ok((pending, sets.union_all(&mut parts)?)));
        let subtree = Rc::new(Subtree { ends: ends.collect::<Result<_, OverBudget>>()?, cuts });
        let positions: usize = subtree.cuts.iter().map(|(_, positions)| positions.len()).sum();
        budget.charge_bytes((positions * 8 + subtree.ends.len() * 8 + 96) as u64)?;
        self.known.insert(key, subtree.clone());
        Ok(subtree)
    }
}

impl Setting<'_, '_> {
    /// The state after the last byte of `node`.
    fn next(&self, state: LexState, node: u32) -> LexState {
        let class = self.tables.byte_class[usize::from(self.tokens.trie.byte(node))];
        self.lexer.next(state, SymbolClass(u32::from(class)))
    }

    /// Everything in the subtree of `root`, which is reached in `state` (not dead).
    fn scan(&self, root: u32, state: LexState, path: &mut Vec<LexState>, found: &mut Found) {
        let trie = self.tokens.trie;
        let top = usize::from(trie.depth(root));
        path.clear();
        let end = trie.subtree_end(root);
        let mut node = root;
        while node < end {
            found.visited += 1;
            let depth = usize::from(trie.depth(node)) - top;
            let state = if depth == 0 { state } else { self.next(path[depth - 1], node) };
            if state == LexState(0) || self.is_settled(node, state, found) {
                node = trie.subtree_end(node);
                continue;
            }
            let tokens = trie.tokens_at(node);
            self.tokens_end(state, (tokens.start, tokens.end), found);
            self.lexeme_ends(node, state, found);
            path.truncate(depth);
            path.push(state);
            node += 1;
        }
    }

    /// Whether all bytes below `node` lead from `state` back to it, so that nothing below needs a look.
    fn is_settled(&self, node: u32, state: LexState, found: &mut Found) -> bool {
        let trie = self.tokens.trie;
        let loops = &self.tables.loops[state.index()];
        let settled = trie.bytes_below(node).iter().zip(loops).all(|(below, loops)| below & !loops == 0);
        if settled {
            let tokens = trie.tokens_in_subtree(node);
            self.tokens_end(state, (tokens.start, tokens.end), found);
        }
        settled
    }

    fn tokens_end(&self, state: LexState, range: Range, found: &mut Found) {
        if range.0 == range.1 {
            return;
        }
        let ranges = found.ends.entry(self.lexer.pending[state.index()]).or_default();
        match ranges.last_mut() {
            Some(last) if last.1 == range.0 => last.1 = range.1,
            _ => ranges.push(range),
        }
    }

    /// Notes which lexemes may have ended at `node`, if any token goes on there.
    fn lexeme_ends(&self, node: u32, state: LexState, found: &mut Found) {
        let accepts = self.lexer.accepts(state);
        if accepts.is_empty() {
            return;
        }
        let end = self.lexer.end_class[state.index()];
        if node == 0 || self.can_go_on(node, &self.tables.may_start[end.index()]) {
            accepts.iter().for_each(|&t| found.cuts.entry(t).or_default().push((node, end)));
        }
    }

    fn can_go_on(&self, node: u32, starts: &ByteSet) -> bool {
        let trie = self.tokens.trie;
        let has = |byte: u8| starts[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1;
        trie.bytes_below(node).iter().zip(starts).any(|(b, s)| b & s != 0)
            && trie.children(node).any(|child| has(trie.byte(child)))
    }

    fn special_tokens(&self, state: LexState, found: &mut Found) {
        for (i, ranges) in self.tokens.special.iter().enumerate() {
            let after = self.lexer.next(state, SymbolClass::new(self.tokens.byte_classes + i));
            if after != LexState(0) {
                ranges.iter().for_each(|&range| self.tokens_end(after, range, found));
            }
        }
    }
}
