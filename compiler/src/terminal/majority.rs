//! Where most bytes lead from a lexer state.

use crate::csr::Csr;
use crate::ids::LexState;
use crate::lexer::{Lexer, Symbols};
use gcc_grammar_vocabulary::{ByteSet, symbols};

/// Counts bytes by where they lead.
pub(super) struct Majority<'a> {
    lexer: &'a Lexer,
    /// Per pattern of the lexer's rows: the bytes that lead to each target.
    bytes: Csr<ByteSet>,
    /// The same, how many.
    sizes: Csr<u32>,
    /// Per key: number of bytes that lead there; all zero between calls.
    counts: Vec<u32>,
}

impl<'a> Majority<'a> {
    /// For the states of this lexer.
    pub(super) fn new(lexer: &'a Lexer, symbols: &Symbols) -> Self {
        let bytes_of = |(pattern, &targets): (u32, &u32)| {
            let slots = lexer.rows.slots_of(pattern);
            let mut bytes = vec![ByteSet::default(); targets as usize];
            for byte in 0..=u8::MAX {
                if let Some(slot) = slots[symbols.class_of(byte).index()].checked_sub(1) {
                    symbols::add(&mut bytes[slot as usize], byte);
                }
            }
            bytes
        };
        let bytes: Csr<ByteSet> = (0..).zip(lexer.rows.sizes()).map(bytes_of).collect();
        let size = |bytes: &ByteSet| bytes.iter().map(|word| word.count_ones()).sum::<u32>();
        let sizes = (0..bytes.rows()).map(|row| bytes.row(row).iter().map(size).collect::<Vec<_>>());
        Self { lexer, sizes: sizes.collect(), bytes, counts: vec![0; lexer.states()] }
    }

    /// Of the states that suit, the one that most bytes lead to from `state`, the first of equal ones. States with the same
    /// `key`, a number below that of states, are counted together.
    pub(super) fn find(
        &mut self,
        state: LexState,
        key: impl Fn(LexState) -> usize,
        suits: impl Fn(LexState) -> bool,
    ) -> Option<LexState> {
        let targets = self.lexer.rows.targets(state);
        let sizes = self.sizes.row(self.lexer.rows.pattern(state) as usize);
        targets.iter().zip(sizes).for_each(|(&to, size)| self.counts[key(to)] += size);
        let (mut most, mut found) = (0, None);
        for &to in targets {
            // Zero if it was looked at before.
            let count = std::mem::take(&mut self.counts[key(to)]);
            if count > most && suits(to) {
                (most, found) = (count, Some(to));
            }
        }
        found
    }

    /// The bytes that lead from `state` to states that suit.
    pub(super) fn bytes_to(&self, state: LexState, suits: impl Fn(LexState) -> bool) -> ByteSet {
        let bytes = self.bytes.row(self.lexer.rows.pattern(state) as usize);
        let suiting = self.lexer.rows.targets(state).iter().zip(bytes).filter(|&(&to, _)| suits(to));
        suiting.fold(ByteSet::default(), |all, (_, own)| std::array::from_fn(|word| all[word] | own[word]))
    }
}
