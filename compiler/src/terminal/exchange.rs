//! Terminals exchanged: what a walk from one lexer state gives, said of another that is alike but for its terminals.
//!
//! Schemas have many strings that are read alike, each with terminals of its own. Where a walk begins in a state with some pending terminals, all that it
//! finds is said of these: by their places in the pending set, which is sorted, it can be said of the terminals of another state.

use crate::lexer::Lexer;
use gcc_grammar_ir::TerminalId;
use rustc_hash::FxHashMap;

/// States with more pending terminals are only like those with the same.
pub(super) const MAX_EXCHANGED: usize = 64;

/// The places in `all` of the terminals in `part`, which are all there; both are sorted. Bit i stands for place i.
pub(super) fn places(all: &[TerminalId], part: &[TerminalId]) -> u64 {
    let mut rest = part.iter().peekable();
    let mut places = 0;
    for (place, terminal) in all.iter().enumerate() {
        if rest.next_if_eq(&terminal).is_some() {
            places |= 1 << place;
        }
    }
    debug_assert!(rest.next().is_none(), "{part:?} is not a part of {all:?}");
    places
}

/// From the terminals of one pending set to those of another, by the numbers of the sets.
#[derive(Default)]
pub(super) struct Exchange {
    /// Made when first asked for: most lexemes can only become one terminal.
    ids: FxHashMap<Box<[TerminalId]>, u32>,
    /// By the two sets, and a part of the first: that part of the second.
    parts: FxHashMap<(u32, u32, u32), u32>,
}

impl Exchange {
    /// What `part` of the set `from` is of the set `to`: a state of this set leads to one with it, as one of the other leads to `part`.
    pub(super) fn part(&mut self, lexer: &Lexer, (from, to): (u32, u32), part: u32) -> u32 {
        if from == to {
            return part;
        }
        if part == from {
            return to;
        }
        if self.ids.is_empty() {
            let sets = 0..lexer.pending_sets.rows();
            self.ids = sets.map(|set| (lexer.pending_sets.row(set).into(), set as u32)).collect();
        }
        *self.parts.entry((from, to, part)).or_insert_with(|| {
            let terminals = lexer.pending_sets.row(part as usize).iter();
            let exchanged: Box<[TerminalId]> =
                terminals.map(|&terminal| exchanged(lexer, (from, to), terminal)).collect();
            self.ids[&exchanged]
        })
    }
}

/// The terminal of `to` at the place of one of `from`.
pub(super) fn exchanged(lexer: &Lexer, (from, to): (u32, u32), terminal: TerminalId) -> TerminalId {
    let [from, to] = [from, to].map(|set| lexer.pending_sets.row(set as usize));
    to[from.partition_point(|&other| other < terminal)]
}
