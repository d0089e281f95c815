//! Reuses a vocabulary walk for isomorphic states.
//!
//! Two states of the walked automaton that differ only by a renaming of their pending terminals have the same walk, with the
//! terminals renamed. Schemas have many strings that are read alike, each with terminals of its own. A
//! renaming maps the `i`-th pending terminal of one state to the `i`-th pending terminal of the other;
//! pending sets are sorted.

use crate::lexer::{Lexer, PendingId};
use gcc_grammar_ir::TerminalId;
use rustc_hash::FxHashMap;

/// Terminals are only renamed in pending sets of up to this size.
pub(super) const MAX_RENAMED: usize = 64;

/// The positions in `all` of the terminals of `part`, a subset of `all`, as a bit set. Both are sorted.
pub(super) fn positions(all: &[TerminalId], part: &[TerminalId]) -> u64 {
    let mut rest = part.iter().peekable();
    let mut positions = 0;
    for (position, terminal) in all.iter().enumerate() {
        if rest.next_if_eq(&terminal).is_some() {
            positions |= 1 << position;
        }
    }
    debug_assert!(rest.next().is_none(), "{part:?} is not a part of {all:?}");
    positions
}

/// Renames pending sets, and remembers the results.
#[derive(Default)]
pub(super) struct Renaming {
    /// All pending sets. Filled on first use: most lexemes can only become a single terminal.
    ids: FxHashMap<Box<[TerminalId]>, PendingId>,
    /// By the two sets and a subset of the first: the renamed subset.
    known: FxHashMap<(PendingId, PendingId, PendingId), PendingId>,
}

impl Renaming {
    /// Renames `part`, a subset of the pending set `from`, by the renaming from `from` to `to`. A state with
    /// the result exists, because a state with `from` leads to a state with `part`, and a state with `to` is
    /// isomorphic to it.
    pub(super) fn pending_set(
        &mut self,
        lexer: &Lexer,
        (from, to): (PendingId, PendingId),
        part: PendingId,
    ) -> PendingId {
        if from == to {
            return part;
        }
        if part == from {
            return to;
        }
        if self.ids.is_empty() {
            let sets = (0..lexer.pending_sets.rows()).map(PendingId::new);
            self.ids = sets.map(|set| (lexer.pending_sets.row(set.index()).into(), set)).collect();
        }
        *self.known.entry((from, to, part)).or_insert_with(|| {
            let terminals = lexer.pending_sets.row(part.index()).iter();
            let renamed: Box<[TerminalId]> =
                terminals.map(|&terminal| renamed(lexer, (from, to), terminal)).collect();
            self.ids[&renamed]
        })
    }
}

/// Renames a terminal of the pending set `from` by the renaming from `from` to `to`.
pub(super) fn renamed(lexer: &Lexer, (from, to): (PendingId, PendingId), terminal: TerminalId) -> TerminalId {
    let [from, to] = [from, to].map(|set| lexer.pending_sets.row(set.index()));
    to[from.partition_point(|&other| other < terminal)]
}
