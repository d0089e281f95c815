//! Walks over the trie from a set of (position, lexer state).
//!
//! Many lexer states differ only in the next few bytes: inside a string, all but a few bytes lead to the state "somewhere in a string".
//! So what a larger subtree gives from a state is remembered and shared by all walks that come there, also from any state
//! that strings as long as the subtree is high cannot tell apart from it ([`Levels`]).

use super::levels::{Levels, colour};
use super::settled::Settled;
use super::{Position, Tokens};
use crate::ids::{ContextId, EndClass, LexState, SetId, SymbolClass};
use crate::lexer::{IGNORED, Lexer, Symbols};
use crate::limits::{Budget, OverBudget};
use crate::sets::{Range, Sets};
use gcc_grammar_frontends::TerminalId;
use gcc_grammar_vocabulary::ByteSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Subtrees with at least so many nodes are remembered.
const MIN_REMEMBERED: u32 = 1024;

/// What walks give: a subtree's, or all together.
#[derive(Default)]
pub(super) struct Walked {
    /// Tokens that end in a state with this pending set. Sorted by pending set, which may repeat.
    pub(super) ends: Vec<(u32, SetId)>,
    /// Where a terminal may have ended inside a token. Sorted.
    pub(super) cuts: Vec<(TerminalId, Position)>,
}

/// What stays the same between walks.
pub(super) struct Setting<'a, 'b> {
    pub(super) lexer: &'a Lexer,
    pub(super) tokens: &'a Tokens<'b>,
    pub(super) tables: &'a WalkTables<'b>,
}

/// What walks ask of lexer states again and again.
pub(super) struct WalkTables<'a> {
    levels: Levels,
    settled: Settled<'a>,
    byte_class: [u16; 256],
    accepting: Vec<bool>,
    /// Per end class: the bytes that can start a lexeme after it in some context.
    may_start: Vec<ByteSet>,
}

impl<'a> WalkTables<'a> {
    pub(super) fn new(
        lexer: &Lexer,
        symbols: &Symbols,
        tokens: &Tokens<'a>,
        any_split: bool,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        Ok(Self {
            levels: Levels::new(lexer, tokens.longest, budget)?,
            settled: Settled::new(lexer, symbols, any_split, tokens, budget)?,
            byte_class: symbols.byte_class,
            accepting: (0..lexer.states()).map(|s| !lexer.accepts.row(s).is_empty()).collect(),
            may_start: may_start(lexer, symbols),
        })
    }
}

/// Per end class: the bytes that can start a lexeme after it in some context.
fn may_start(lexer: &Lexer, symbols: &Symbols) -> Vec<ByteSet> {
    let starts_of = |row: &[LexState]| {
        let mut starts: Vec<LexState> = row.iter().copied().filter(|&s| s != LexState(0)).collect();
        starts.sort_unstable();
        starts.dedup();
        let mut bytes = ByteSet::default();
        for (byte, &class) in symbols.byte_class.iter().enumerate() {
            if starts.iter().any(|&s| lexer.next(s, SymbolClass(u32::from(class))) != LexState(0)) {
                bytes[byte / 64] |= 1 << (byte % 64);
            }
        }
        bytes
    };
    lexer.restarts.chunks(lexer.contexts).map(starts_of).collect()
}

/// Subtrees walked before, by their root and the class of the state there.
#[derive(Default)]
pub(super) struct Subtrees {
    known: FxHashMap<(u32, u32), Rc<Walked>>,
    /// Per node whose subtree is remembered: its children, with the byte that leads to each.
    children: FxHashMap<u32, Rc<[(u8, u32)]>>,
    /// Lexer state per depth; a buffer.
    path: Vec<LexState>,
}

/// Things found, not yet in order.
#[derive(Default)]
struct Found {
    /// Runs of tokens that end in a state with this pending set.
    runs: Vec<(u32, Range)>,
    /// Sets of tokens that do.
    ends: Vec<(u32, SetId)>,
    /// Ignored terminals included: where the walk goes on after them depends on the context.
    cuts: Vec<(TerminalId, Position)>,
    visited: u64,
}

impl Found {
    /// Adds what a subtree gives from `state`, or from one of another colour that is equivalent otherwise ([`Levels`]).
    fn add(&mut self, walked: &Walked, lexer: &Lexer, state: LexState) {
        match colour(lexer, state) {
            None => {
                self.ends.extend_from_slice(&walked.ends);
                self.cuts.extend_from_slice(&walked.cuts);
            }
            Some(terminal) => {
                let pending = lexer.pending[state.index()];
                self.ends.extend(walked.ends.iter().map(|&(_, set)| (pending, set)));
                self.cuts.extend(walked.cuts.iter().map(|&(_, position)| (terminal, position)));
            }
        }
    }

    /// Makes sets of the runs and puts everything in order.
    fn finish(mut self, sets: &mut Sets) -> Result<Walked, OverBudget> {
        self.runs.sort_by_key(|(pending, _)| *pending);
        let mut ranges: Vec<Range> = Vec::new();
        for group in self.runs.chunk_by(|a, b| a.0 == b.0) {
            ranges.clear();
            ranges.extend(group.iter().map(|(_, range)| *range));
            self.ends.push((group[0].0, sets.intern(&ranges)?));
        }
        self.ends.sort_unstable();
        self.cuts.sort_unstable();
        Ok(Walked { ends: self.ends, cuts: self.cuts })
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
        let from = found.cuts.len();
        subtrees.below(setting, sets, seed, state, &mut found, budget)?;
        for index in from..found.cuts.len() {
            let (terminal, (position, end)) = found.cuts[index];
            let start = setting.lexer.restart(end, context);
            if terminal == IGNORED && start != LexState(0) && seen.insert((position, start)) {
                open.push((position, start));
            }
        }
    }
    found.cuts.retain(|(terminal, _)| *terminal != IGNORED);
    found.finish(sets)
}

impl Subtrees {
    /// Adds everything strictly below `node`, which is reached in `state`, and the lexeme that ends there. Recursion is as
    /// deep as a token is long.
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
        if trie.subtree_end(node) - node < MIN_REMEMBERED && node != 0 {
            setting.lexeme_ends(node, state, found);
            setting.scan(node, state, &mut self.path, found);
            return budget.charge_work(std::mem::take(&mut found.visited));
        }
        let key = (node, setting.tables.levels.class(trie.height(node), state));
        if let Some(walked) = self.known.get(&key) {
            found.add(walked, setting.lexer, state);
            return Ok(());
        }
        let mut own = Found::default();
        setting.lexeme_ends(node, state, &mut own);
        if node == 0 {
            setting.special_tokens(state, &mut own);
        }
        for &(byte, child) in self.children(setting, node).iter() {
            own.visited += 1;
            let state = setting.next(state, byte);
            if state != LexState(0) && !setting.is_settled(child, state, &mut own) {
                let tokens = trie.tokens_at(child);
                own.tokens_end(setting.lexer.pending[state.index()], (tokens.start, tokens.end));
                self.below(setting, sets, child, state, &mut own, budget)?;
            }
        }
        budget.charge_work(std::mem::take(&mut own.visited))?;
        let walked = Rc::new(own.finish(sets)?);
        budget.charge_bytes((walked.cuts.len() * 12 + walked.ends.len() * 8 + 96) as u64)?;
        found.add(&walked, setting.lexer, state);
        self.known.insert(key, walked);
        Ok(())
    }

    fn children(&mut self, setting: &Setting<'_, '_>, node: u32) -> Rc<[(u8, u32)]> {
        let trie = setting.tokens.trie;
        let list = || trie.children(node).map(|child| (trie.byte(child), child)).collect();
        self.children.entry(node).or_insert_with(list).clone()
    }
}

impl Found {
    fn tokens_end(&mut self, pending: u32, range: Range) {
        match self.runs.last_mut() {
            Some((same, last)) if *same == pending && last.1 == range.0 => last.1 = range.1,
            _ if range.0 < range.1 => self.runs.push((pending, range)),
            _ => {}
        }
    }
}

impl Setting<'_, '_> {
    /// The state after `byte`.
    fn next(&self, state: LexState, byte: u8) -> LexState {
        let class = self.tables.byte_class[usize::from(byte)];
        self.lexer.next(state, SymbolClass(u32::from(class)))
    }

    /// Everything strictly below `root`, which is reached in `state` (not dead).
    fn scan(&self, root: u32, state: LexState, path: &mut Vec<LexState>, found: &mut Found) {
        let trie = self.tokens.trie;
        let top = usize::from(trie.depth(root));
        path.clear();
        path.push(state);
        let end = trie.subtree_end(root);
        let mut node = root + 1;
        while node < end {
            found.visited += 1;
            let depth = usize::from(trie.depth(node)) - top;
            let state = self.next(path[depth - 1], trie.byte(node));
            if state == LexState(0) || self.is_settled(node, state, found) {
                node = trie.subtree_end(node);
                continue;
            }
            let tokens = trie.tokens_at(node);
            found.tokens_end(self.lexer.pending[state.index()], (tokens.start, tokens.end));
            self.lexeme_ends(node, state, found);
            path.truncate(depth);
            path.push(state);
            node += 1;
        }
    }

    /// Whether all tokens in the subtree of `node` end like one that ends there.
    fn is_settled(&self, node: u32, state: LexState, found: &mut Found) -> bool {
        let trie = self.tokens.trie;
        let height = trie.height(node);
        let settled = height == 0 || self.tables.settled.is_settled(state, height, trie.bytes_below_id(node));
        if settled {
            let tokens = trie.tokens_in_subtree(node);
            found.tokens_end(self.lexer.pending[state.index()], (tokens.start, tokens.end));
        }
        settled
    }

    /// Notes which lexemes may have ended at `node`, if any token goes on there.
    fn lexeme_ends(&self, node: u32, state: LexState, found: &mut Found) {
        if !self.tables.accepting[state.index()] {
            return;
        }
        let end = self.lexer.end_class[state.index()];
        if node == 0 || self.can_go_on(node, end) {
            let accepts = self.lexer.accepts(state).iter();
            found.cuts.extend(accepts.map(|&terminal| (terminal, (node, end))));
        }
    }

    fn can_go_on(&self, node: u32, end: EndClass) -> bool {
        let trie = self.tokens.trie;
        let starts = &self.tables.may_start[end.index()];
        let has = |byte: u8| starts[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1;
        trie.bytes_below(node).iter().zip(starts).any(|(b, s)| b & s != 0)
            && trie.children(node).any(|child| has(trie.byte(child)))
    }

    fn special_tokens(&self, state: LexState, found: &mut Found) {
        for (i, ranges) in self.tokens.special.iter().enumerate() {
            let after = self.lexer.next(state, SymbolClass::new(self.tokens.byte_classes + i));
            if after != LexState(0) {
                let pending = self.lexer.pending[after.index()];
                ranges.iter().for_each(|&range| found.tokens_end(pending, range));
            }
        }
    }
}
