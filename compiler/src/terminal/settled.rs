//! Subtrees of the trie that need no walk, because all their tokens fare alike.
//!
//! In the middle of a string nearly every character leads to the same state, or to the same next one if the string's length is counted.
//! If all [`symbols`] that occur below a trie node stay on that way, then every token below ends inside the same lexeme and none can
//! end it: the subtree is one interval of tokens. Per class of states that no token tells apart, the symbols that stay on the way are kept
//! for strings of 1, 2, 4, 8, … bytes.
//!
//! Beyond ASCII the characters of text are not told apart: either all of them stay on the way ([`Characters`]), or they are walked.

use super::Tokens;
use super::characters::{Characters, Rest};
use super::levels::Levels;
use super::majority::Majority;
use crate::ids::LexState;
use crate::lexer::{Lexer, Symbols};
use crate::limits::{Budget, OverBudget};
use gcc_grammar_vocabulary::{ByteSet, Phase, symbols};
use rustc_hash::FxHashMap;

/// The level for strings of up to `length` bytes.
fn level_of(length: usize) -> usize {
    length.next_power_of_two().trailing_zeros() as usize
}

/// The ASCII characters.
const ASCII: ByteSet = [u64::MAX, u64::MAX, 0, 0];

/// What stays on the way, per class of states ([`Levels::of_tokens`]).
pub(super) struct Settled<'a> {
    levels: usize,
    /// Row-major `[class][level]`: which of `ways` holds for strings of up to so many bytes ([`level_of`]).
    way_of: Vec<u32>,
    /// Per height (255: any): its level.
    level_of_height: [u8; 256],
    ways: Vec<ByteSet>,
    /// The sets of symbols that can occur below a node of the trie.
    below: &'a [ByteSet],
}

impl<'a> Settled<'a> {
    /// For the strings that tokens are made of.
    pub(super) fn new(
        lexer: &Lexer,
        symbols: &Symbols,
        any_split: bool,
        tokens: &Tokens<'a>,
        of_tokens: &Levels,
        majority: &mut Majority<'_>,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let (class_of, representatives) = (of_tokens.of_tokens(), of_tokens.representatives());
        let classes = representatives.len();
        let levels = level_of(tokens.longest) + 1;
        budget.charge_bytes((classes * levels * 4) as u64)?;
        let mut settled = Self {
            levels,
            way_of: vec![0; classes * levels],
            level_of_height: std::array::from_fn(|height| match height {
                255 => levels - 1,
                _ => level_of(height).min(levels - 1),
            } as u8),
            ways: Vec::new(),
            below: tokens.trie.symbol_sets(),
        };
        let mut ids = FxHashMap::default();
        let characters = Characters::new(lexer, symbols, &representatives, class_of, any_split);
        let mut next: Vec<u32> = Vec::with_capacity(classes);
        let mut inside = Vec::new();
        for (class, &state) in representatives.iter().enumerate() {
            let key = |to: LexState| class_of[to.index()] as usize;
            let best = majority.find(state, key, |to| stays(lexer, any_split, state, to));
            let to = class_of[best.unwrap_or(LexState(0)).index()];
            let mut bytes = match best {
                Some(best) => both(majority.bytes_to(state, |to| key(to) == key(best)), symbols::TEXT),
                None => ByteSet::default(),
            };
            if both(bytes, ASCII) == [0; 4]
                && let Some(rest) = characters.rest(class)
            {
                inside.push((class, rest));
            } else {
                symbols::add(&mut bytes, symbols::BETWEEN);
                if characters.after(class) == Some(to) {
                    symbols::add(&mut bytes, symbols::of_phase(Phase::BETWEEN));
                }
            }
            settled.way_of[class * levels] = settled.intern(&mut ids, bytes);
            next.push(to);
        }
        // As far as before, and as far again.
        for level in 0..levels {
            if level > 0 {
                for (class, &to) in next.iter().enumerate() {
                    let near = settled.way_of[class * levels + level - 1];
                    let further = settled.way_of[to as usize * levels + level - 1];
                    settled.way_of[class * levels + level] = settled.common(&mut ids, near, further);
                }
                next = next.iter().map(|&middle| next[middle as usize]).collect();
            }
            for &(class, rest) in &inside {
                let way = settled.inside(rest, level);
                settled.way_of[class * levels + level] = settled.intern(&mut ids, way);
            }
        }
        budget.charge_bytes(settled.ways.len() as u64 * 64)?;
        Ok(settled)
    }

    /// What stays on the way from inside a character: the rest of it, and what stays on the way from where that leads.
    fn inside(&self, rest: Rest, level: usize) -> ByteSet {
        let further = self.ways[self.way_of[rest.to as usize * self.levels + level] as usize];
        if symbols::has(&further, symbols::of_phase(Phase::BETWEEN)) {
            return std::array::from_fn(|word| further[word] & ASCII[word] | rest.symbols[0][word]);
        }
        rest.symbols.get(1 << level).copied().unwrap_or_default()
    }

    /// Settles nothing any more.
    #[cfg(test)]
    pub(super) fn forget(&mut self) {
        self.ways.fill(ByteSet::default());
    }

    fn intern(&mut self, ids: &mut FxHashMap<ByteSet, u32>, bytes: ByteSet) -> u32 {
        *ids.entry(bytes).or_insert_with(|| {
            self.ways.push(bytes);
            self.ways.len() as u32 - 1
        })
    }

    /// What stays on both ways.
    fn common(&mut self, ids: &mut FxHashMap<ByteSet, u32>, a: u32, b: u32) -> u32 {
        if a == b {
            return a;
        }
        let [a, b] = [a, b].map(|way| self.ways[way as usize]);
        self.intern(ids, both(a, b))
    }

    /// Whether all strings of up to `height` (255: any number) bytes fare alike from states of `class`, if they are made of the
    /// [`symbols`] in the set `below`.
    #[inline]
    pub(super) fn is_settled(&self, class: u32, height: u8, below: u32) -> bool {
        let level = usize::from(self.level_of_height[usize::from(height)]);
        let way = &self.ways[self.way_of[class as usize * self.levels + level] as usize];
        let below = &self.below[below as usize];
        below.iter().zip(way).all(|(below, way)| below & !way == 0)
    }
}

/// The symbols in both sets.
fn both(a: ByteSet, b: ByteSet) -> ByteSet {
    std::array::from_fn(|word| a[word] & b[word])
}

/// Whether tokens that end in `to` fare as those that end in `state`, and none can end the lexeme on the way. Under any
/// split it may end at every accepting state. Under longest match one that goes on to accept again cannot have ended before.
pub(super) fn stays(lexer: &Lexer, any_split: bool, state: LexState, to: LexState) -> bool {
    to != LexState(0)
        && lexer.pending[to.index()] == lexer.pending[state.index()]
        && (lexer.accepts(state).is_empty() || !any_split && !lexer.accepts(to).is_empty())
}
