//! Subtrees of the trie that need no walk, because all their tokens fare alike.
//!
//! In the middle of a string nearly every byte leads to the same state, or to the same next one if the string's length is counted.
//! If all bytes that occur below a trie node stay on that way, then every token below ends inside the same lexeme and none can
//! end it: the subtree is one interval of tokens. Per state, the bytes that stay on the way for 1, 2, 4, … steps are found by doubling.

use crate::ids::LexState;
use crate::lexer::{Lexer, Symbols};
use crate::limits::{Budget, OverBudget};
use gcc_grammar_vocabulary::ByteSet;

/// Bytes that stay on the way, per state.
pub(super) struct Settled {
    levels: usize,
    /// Row-major `[state][level]`: for strings of up to `2^level` bytes.
    ways: Vec<ByteSet>,
}

impl Settled {
    /// For strings of up to `longest` bytes.
    pub(super) fn new(
        lexer: &Lexer,
        symbols: &Symbols,
        any_split: bool,
        longest: usize,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let states = lexer.states();
        let levels = longest.max(1).next_power_of_two().trailing_zeros() as usize + 1;
        budget.charge_bytes((states * levels * size_of::<ByteSet>()) as u64)?;
        let mut ways = vec![ByteSet::default(); states * levels];
        let mut jump: Vec<LexState> = Vec::with_capacity(states);
        let mut steps = Steps::new(lexer, symbols, any_split);
        for state in (0..states).map(LexState::new) {
            let (next, bytes) = steps.first(state);
            ways[state.index() * levels] = bytes;
            jump.push(next);
        }
        for level in 1..levels {
            for state in 0..states {
                let further = ways[jump[state].index() * levels + level - 1];
                let near = ways[state * levels + level - 1];
                ways[state * levels + level] = std::array::from_fn(|word| near[word] & further[word]);
            }
            jump = jump.iter().map(|middle| jump[middle.index()]).collect();
        }
        Ok(Self { levels, ways })
    }

    /// Whether all strings of up to `height` (255: any number) bytes out of `bytes` fare alike from `state`.
    pub(super) fn is_settled(&self, state: LexState, height: u8, bytes: &ByteSet) -> bool {
        let level = match height {
            255 => self.levels - 1,
            _ => height.next_power_of_two().trailing_zeros() as usize,
        };
        let way = &self.ways[state.index() * self.levels + level];
        bytes.iter().zip(way).all(|(bytes, way)| bytes & !way == 0)
    }
}

/// Finds where most bytes lead.
struct Steps<'a> {
    lexer: &'a Lexer,
    any_split: bool,
    bytes_of_class: Vec<ByteSet>,
    /// Per class: number of its bytes.
    sizes: Vec<u32>,
    /// Per state: number of bytes that lead to it; all zero between calls.
    counts: Vec<u32>,
}

impl<'a> Steps<'a> {
    fn new(lexer: &'a Lexer, symbols: &Symbols, any_split: bool) -> Self {
        let mut bytes_of_class = vec![ByteSet::default(); symbols.byte_classes];
        let mut sizes = vec![0; symbols.byte_classes];
        for (byte, &class) in symbols.byte_class.iter().enumerate() {
            bytes_of_class[usize::from(class)][byte / 64] |= 1 << (byte % 64);
            sizes[usize::from(class)] += 1;
        }
        Self { lexer, any_split, bytes_of_class, sizes, counts: vec![0; lexer.states()] }
    }

    /// The state that most bytes lead to without a chance for the lexeme to end, and those bytes.
    fn first(&mut self, state: LexState) -> (LexState, ByteSet) {
        let row = &self.lexer.transitions[state.index() * self.lexer.classes..][..self.sizes.len()];
        row.iter().zip(&self.sizes).for_each(|(to, size)| self.counts[to.index()] += size);
        let mut best = LexState(0);
        for &to in row {
            let more = best == LexState(0) || self.counts[to.index()] > self.counts[best.index()];
            if more && self.stays(state, to) {
                best = to;
            }
        }
        row.iter().for_each(|to| self.counts[to.index()] = 0);
        let mut bytes = ByteSet::default();
        for (class, _) in row.iter().enumerate().filter(|&(_, &to)| to == best && best != LexState(0)) {
            bytes.iter_mut().zip(self.bytes_of_class[class]).for_each(|(all, own)| *all |= own);
        }
        (best, bytes)
    }

    /// Whether tokens that end in `to` fare as those that end in `state`, and none can end the lexeme on the way. Under any
    /// split it may end at every accepting state. Under longest match one that goes on to accept again cannot have ended before.
    fn stays(&self, state: LexState, to: LexState) -> bool {
        to != LexState(0)
            && self.lexer.pending[to.index()] == self.lexer.pending[state.index()]
            && (self.lexer.accepts(state).is_empty() || !self.any_split && !self.lexer.accepts(to).is_empty())
    }
}
