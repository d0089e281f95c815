//! Finds the default transition of a lexer state: the target that most bytes lead to.
//!
//! In: the rows of the lexer. Out, on request: the most frequent target of a state among the admitted
//! targets, and the bytes that lead to given targets. Each row pattern is counted once, since many states
//! share it.

use crate::csr::Csr;
use crate::ids::LexState;
use crate::lexer::{Lexer, PatternId, Symbols};
use gcc_grammar_regular::ByteSet;

/// Counts bytes by their targets.
pub(super) struct DefaultTransitions<'a> {
    lexer: &'a Lexer,
    /// Per row pattern: the bytes that lead to each target.
    bytes: Csr<ByteSet>,
    /// Per row pattern: the number of bytes that lead to each target.
    sizes: Csr<u32>,
}

impl<'a> DefaultTransitions<'a> {
    /// Tables for the states of this lexer.
    pub(super) fn new(lexer: &'a Lexer, symbols: &Symbols) -> Self {
        let mut of_class = vec![ByteSet::default(); symbols.byte_classes];
        (0..=u8::MAX).for_each(|byte| of_class[symbols.class_of(byte).index()].insert(byte));
        let bytes_of = |(pattern, &targets): (usize, &u32)| {
            let slots = lexer.rows.slots_of(PatternId::new(pattern));
            let mut bytes = vec![ByteSet::default(); targets as usize];
            for (class, slot) in of_class.iter().zip(slots) {
                if let Some(slot) = slot.checked_sub(1) {
                    bytes[slot as usize] |= *class;
                }
            }
            bytes
        };
        let bytes: Csr<ByteSet> = (0..).zip(lexer.rows.sizes()).map(bytes_of).collect();
        let sizes = |row| bytes.row(row).iter().map(|bytes: &ByteSet| bytes.len()).collect::<Vec<_>>();
        let sizes = (0..bytes.rows()).map(sizes);
        Self { lexer, sizes: sizes.collect(), bytes }
    }

    /// The target that most bytes lead to from `state`, among the targets that are `admitted`; the first of
    /// equally frequent targets.
    pub(super) fn find(&self, state: LexState, admitted: impl Fn(LexState) -> bool) -> Option<LexState> {
        let targets = self.lexer.rows.targets(state);
        let sizes = self.sizes.row(self.lexer.rows.pattern(state).index());
        let (mut most, mut found) = (0, None);
        for (&to, &size) in targets.iter().zip(sizes) {
            if size > most && admitted(to) {
                (most, found) = (size, Some(to));
            }
        }
        found
    }

    /// The bytes that lead from `state` to targets that are `admitted`.
    pub(super) fn bytes_to(&self, state: LexState, admitted: impl Fn(LexState) -> bool) -> ByteSet {
        let bytes = self.bytes.row(self.lexer.rows.pattern(state).index());
        let admitted_targets =
            self.lexer.rows.targets(state).iter().zip(bytes).filter(|&(&to, _)| admitted(to));
        admitted_targets.fold(ByteSet::default(), |all, (_, &own)| all | own)
    }
}
