//! One walk over the trie from a set of (position, lexer state).

use super::{Position, Tokens};
use crate::ids::{ContextId, LexState, SymbolClass};
use crate::lexer::{IGNORED, Lexer, Symbols};
use crate::limits::{Budget, OverBudget};
use crate::sets::Range;
use gcc_grammar_frontends::TerminalId;
use rustc_hash::FxHashMap;

/// A set of bytes, as the trie has them.
type ByteSet = [u64; 4];

/// What a walk collects.
pub(super) struct Walked {
    /// Per pending set: tokens that end in a state with it, as ranges in any order.
    pub(super) ends: Vec<(u32, Vec<Range>)>,
    /// Per terminal (never an ignored one): where it may have ended inside a token.
    pub(super) cuts: Vec<(TerminalId, Vec<Position>)>,
}

/// What walks ask of lexer states again and again.
pub(super) struct WalkTables {
    byte_class: [u16; 256],
    /// Per state: the bytes that lead back to it, if the tokens made of them need no look: nothing can end among them.
    loops: Vec<ByteSet>,
    /// Per end class: the bytes that can start a lexeme after it in some context.
    may_start: Vec<ByteSet>,
}

impl WalkTables {
    pub(super) fn new(lexer: &Lexer, symbols: &Symbols, any_split: bool) -> Self {
        let bytes_where = |keep: &dyn Fn(SymbolClass) -> bool| {
            let class_keeps: Vec<bool> = (0..symbols.byte_classes).map(|c| keep(SymbolClass::new(c))).collect();
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
        Self { byte_class: symbols.byte_class, may_start: may_start.collect(), loops: loops.collect() }
    }
}

/// Buffers kept between walks.
#[derive(Default)]
pub(super) struct Scratch {
    /// Lexer state per depth below the seed.
    path: Vec<LexState>,
}

struct Walk<'a, 'b> {
    lexer: &'a Lexer,
    tokens: &'a Tokens<'b>,
    tables: &'a WalkTables,
    context: ContextId,
    ends: FxHashMap<u32, Vec<Range>>,
    cuts: FxHashMap<TerminalId, Vec<Position>>,
    /// Seeds still to walk; ignored lexemes add to them.
    open: Vec<(u32, LexState)>,
    seen: rustc_hash::FxHashSet<(u32, LexState)>,
    visited: u64,
}

/// Walks the subtrees of all seeds: `(position, state in which what follows is read)`.
pub(super) fn walk(
    lexer: &Lexer,
    tokens: &Tokens<'_>,
    tables: &WalkTables,
    scratch: &mut Scratch,
    seeds: Vec<(u32, LexState)>,
    context: ContextId,
    budget: &Budget,
) -> Result<Walked, OverBudget> {
    let mut walk = Walk {
        lexer,
        tokens,
        tables,
        context,
        ends: FxHashMap::default(),
        cuts: FxHashMap::default(),
        seen: seeds.iter().copied().collect(),
        open: seeds,
        visited: 0,
    };
    while let Some((position, state)) = walk.open.pop() {
        walk.subtree(position, state, &mut scratch.path);
        budget.charge_work(std::mem::take(&mut walk.visited) + 1)?;
    }
    let mut ends: Vec<_> = walk.ends.into_iter().collect();
    let mut cuts: Vec<_> = walk.cuts.into_iter().collect();
    ends.sort_unstable_by_key(|(pending, _)| *pending);
    cuts.sort_unstable_by_key(|(t, _)| *t);
    Ok(Walked { ends, cuts })
}

impl Walk<'_, '_> {
    fn subtree(&mut self, seed: u32, state: LexState, path: &mut Vec<LexState>) {
        self.lexeme_ends(seed, state);
        if seed == 0 {
            self.special_tokens(state);
        }
        let trie = self.tokens.trie;
        let top = usize::from(trie.depth(seed));
        path.clear();
        path.push(state);
        let end = trie.subtree_end(seed);
        let mut node = seed + 1;
        while node < end {
            self.visited += 1;
            let depth = usize::from(trie.depth(node)) - top;
            let class = self.tables.byte_class[usize::from(trie.byte(node))];
            let state = self.lexer.next(path[depth - 1], SymbolClass(u32::from(class)));
            if state == LexState(0) {
                node = trie.subtree_end(node);
                continue;
            }
            let loops = &self.tables.loops[state.index()];
            let below = trie.bytes_below(node);
            if below.iter().zip(loops).all(|(b, l)| b & !l == 0) {
                let tokens = trie.tokens_in_subtree(node);
                self.tokens_end(state, (tokens.start, tokens.end));
                node = trie.subtree_end(node);
                continue;
            }
            let tokens = trie.tokens_at(node);
            self.tokens_end(state, (tokens.start, tokens.end));
            self.lexeme_ends(node, state);
            path.truncate(depth);
            path.push(state);
            node += 1;
        }
    }

    fn tokens_end(&mut self, state: LexState, range: Range) {
        if range.0 == range.1 {
            return;
        }
        let ranges = self.ends.entry(self.lexer.pending[state.index()]).or_default();
        match ranges.last_mut() {
            Some(last) if last.1 == range.0 => last.1 = range.1,
            _ => ranges.push(range),
        }
    }

    /// Notes which lexemes may have ended at `node`, if any token goes on there.
    fn lexeme_ends(&mut self, node: u32, state: LexState) {
        let accepts = self.lexer.accepts(state);
        if accepts.is_empty() {
            return;
        }
        let end = self.lexer.end_class[state.index()];
        if node != 0 && !self.can_go_on(node, &self.tables.may_start[end.index()]) {
            return;
        }
        for &t in accepts {
            if t == IGNORED {
                let start = self.lexer.restart(end, self.context);
                if start != LexState(0) && self.seen.insert((node, start)) {
                    self.open.push((node, start));
                }
            } else {
                self.cuts.entry(t).or_default().push((node, end));
            }
        }
    }

    fn can_go_on(&self, node: u32, starts: &ByteSet) -> bool {
        let trie = self.tokens.trie;
        let has = |byte: u8| starts[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1;
        trie.bytes_below(node).iter().zip(starts).any(|(b, s)| b & s != 0)
            && trie.children(node).any(|child| has(trie.byte(child)))
    }

    fn special_tokens(&mut self, state: LexState) {
        let tokens = self.tokens;
        for (i, ranges) in tokens.special.iter().enumerate() {
            let after = self.lexer.next(state, SymbolClass::new(tokens.byte_classes + i));
            if after != LexState(0) {
                ranges.iter().for_each(|&range| self.tokens_end(after, range));
            }
        }
    }
}
