//! Subtrees of the trie that need no walk, because all their tokens fare alike.
//!
//! In the middle of a string nearly every byte leads to the same state, or to the same next one if the string's length is counted.
//! If all bytes that occur below a trie node stay on that way, then every token below ends inside the same lexeme and none can
//! end it: the subtree is one interval of tokens. Per class of states that no token tells apart, the bytes that stay on the way are kept
//! for 1, 2, 3, … 32, 64, 128, … steps.

use super::Tokens;
use super::levels::Levels;
use super::majority::Majority;
use crate::ids::LexState;
use crate::lexer::{Lexer, Symbols};
use crate::limits::{Budget, OverBudget};
use gcc_grammar_vocabulary::ByteSet;
use rustc_hash::FxHashMap;

/// Up to here, there is a level for every number of steps; from here on for every doubling.
const EXACT: usize = 32;

/// The level for strings of up to `length` bytes.
fn level_of(length: usize) -> usize {
    match length {
        0 => 0,
        1..=EXACT => length - 1,
        _ => EXACT - 1 + (length.next_power_of_two() / EXACT).trailing_zeros() as usize,
    }
}

/// Bytes that stay on the way, per class of states ([`Levels::of_tokens`]).
pub(super) struct Settled<'a> {
    levels: usize,
    /// Row-major `[class][level]`: which of `ways` holds for strings of up to so many bytes ([`level_of`]).
    way_of: Vec<u32>,
    /// Per height (255: any): its level.
    level_of_height: [u8; 256],
    ways: Vec<ByteSet>,
    /// The sets of bytes that can occur below a node of the trie.
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
        majority: &mut Majority,
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
            below: tokens.trie.byte_sets(),
        };
        let mut ids = FxHashMap::default();
        let mut steps = Steps::new(lexer, symbols, any_split, class_of, majority);
        let mut next: Vec<u32> = Vec::with_capacity(classes);
        for (class, &state) in representatives.iter().enumerate() {
            let (to, bytes) = steps.first(state);
            settled.way_of[class * levels] = settled.intern(&mut ids, bytes);
            next.push(class_of[to.index()]);
        }
        // One step, then as before; from `EXACT` steps on, as many again.
        let mut jump = next.clone();
        for level in 1..levels {
            let (near, over) = if level < EXACT { (0, &next) } else { (level - 1, &jump) };
            for (class, &to) in over.iter().enumerate() {
                let near = settled.way_of[class * levels + near];
                let further = settled.way_of[to as usize * levels + level - 1];
                settled.way_of[class * levels + level] = settled.both(&mut ids, near, further);
            }
            jump = over.iter().map(|&middle| jump[middle as usize]).collect();
        }
        budget.charge_bytes(settled.ways.len() as u64 * 64)?;
        Ok(settled)
    }

    fn intern(&mut self, ids: &mut FxHashMap<ByteSet, u32>, bytes: ByteSet) -> u32 {
        *ids.entry(bytes).or_insert_with(|| {
            self.ways.push(bytes);
            self.ways.len() as u32 - 1
        })
    }

    /// The bytes that both ways hold.
    fn both(&mut self, ids: &mut FxHashMap<ByteSet, u32>, a: u32, b: u32) -> u32 {
        if a == b {
            return a;
        }
        let [a, b] = [a, b].map(|way| self.ways[way as usize]);
        self.intern(ids, std::array::from_fn(|word| a[word] & b[word]))
    }

    /// Whether all strings of up to `height` (255: any number) bytes fare alike from states of `class`, if they are made of the bytes
    /// in the set `below` (see [`Trie::bytes_below_id`](gcc_grammar_vocabulary::Trie::bytes_below_id)).
    #[inline]
    pub(super) fn is_settled(&self, class: u32, height: u8, below: u32) -> bool {
        let level = usize::from(self.level_of_height[usize::from(height)]);
        let way = &self.ways[self.way_of[class as usize * self.levels + level] as usize];
        let below = &self.below[below as usize];
        below.iter().zip(way).all(|(below, way)| below & !way == 0)
    }
}

/// Finds where most bytes lead.
struct Steps<'a> {
    lexer: &'a Lexer,
    any_split: bool,
    /// Per lexer state.
    class_of: &'a [u32],
    bytes_of_class: Vec<ByteSet>,
    majority: &'a mut Majority,
}

impl<'a> Steps<'a> {
    fn new(
        lexer: &'a Lexer,
        symbols: &Symbols,
        any_split: bool,
        class_of: &'a [u32],
        majority: &'a mut Majority,
    ) -> Self {
        let mut bytes_of_class = vec![ByteSet::default(); symbols.byte_classes];
        for (byte, &class) in symbols.byte_class.iter().enumerate() {
            bytes_of_class[usize::from(class)][byte / 64] |= 1 << (byte % 64);
        }
        Self { lexer, any_split, class_of, bytes_of_class, majority }
    }

    /// The state that most bytes lead to without a chance for the lexeme to end, and those bytes.
    fn first(&mut self, state: LexState) -> (LexState, ByteSet) {
        let (lexer, any_split) = (self.lexer, self.any_split);
        let row = lexer.row(state);
        let class_of = |to: LexState| self.class_of[to.index()] as usize;
        let found = self.majority.find(row, class_of, |to| stays(lexer, any_split, state, to));
        let mut bytes = ByteSet::default();
        let Some(best) = found else { return (LexState(0), bytes) };
        let on_the_way = |to: LexState| class_of(to) == class_of(best);
        for (_, own) in row.iter().zip(&self.bytes_of_class).filter(|&(&to, _)| on_the_way(to)) {
            bytes.iter_mut().zip(own).for_each(|(all, own)| *all |= own);
        }
        (best, bytes)
    }
}

/// Whether tokens that end in `to` fare as those that end in `state`, and none can end the lexeme on the way. Under any
/// split it may end at every accepting state. Under longest match one that goes on to accept again cannot have ended before.
fn stays(lexer: &Lexer, any_split: bool, state: LexState, to: LexState) -> bool {
    to != LexState(0)
        && lexer.pending[to.index()] == lexer.pending[state.index()]
        && (lexer.accepts(state).is_empty() || !any_split && !lexer.accepts(to).is_empty())
}
