//! The sizes of the automata and of the mask store, derived from the lengths of the tables.
//!
//! They are computed before validation, which then checks every other table against them.

use super::tables::{GrammarMeta, Tables};

/// The sizes of the automata and of the mask store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    /// States of the lexer, including the dead state.
    pub lexer_states: usize,
    /// Kinds of lexer states.
    pub kinds: usize,
    /// Patterns of lexer states.
    pub patterns: usize,
    /// End classes: rows of `restart`.
    pub end_classes: usize,
    /// Distinct sets of pending terminals.
    pub pending_sets: usize,
    /// States of the LR automaton.
    pub lr_states: usize,
    /// Productions.
    pub productions: usize,
    /// States of the Parser DWA, including STOP.
    pub dwa_states: usize,
    /// Transitions of the Parser DWA, without default transitions.
    pub dwa_edges: usize,
    /// Shapes of rows of the Parser DWA.
    pub shapes: usize,
    /// Masks, including the empty one.
    pub masks: usize,
    /// Numbers of base bitmaps, those of the vocabulary included.
    pub bases: usize,
    /// Numbers of base bitmaps that stand for those of the vocabulary.
    pub shared_bases: usize,
    /// Words in a mask: ceil(V / 32).
    pub row_words: usize,
}

impl Counts {
    pub(super) fn new(meta: &GrammarMeta, tables: &Tables<'_>) -> Self {
        let row_words = meta.mask_width.div_ceil(32) as usize;
        let shared_bases = meta.shared_bases as usize;
        let own_bases = tables.base_words.len().checked_div(row_words).unwrap_or(0);
        Self {
            lexer_states: tables.lexer_kind.len(),
            kinds: tables.end_class.len(),
            patterns: tables.pattern_targets.len(),
            end_classes: tables.restart.len().checked_div(meta.context_count as usize).unwrap_or(0),
            pending_sets: tables.pending_offsets.len().saturating_sub(1),
            lr_states: tables.lr_context.len(),
            productions: tables.production_lhs.len(),
            dwa_states: tables.dwa_default_target.len(),
            dwa_edges: tables.dwa_targets.len(),
            shapes: tables.shape_offsets.len().saturating_sub(1),
            masks: tables.mask_base.len(),
            bases: shared_bases.saturating_add(own_bases),
            shared_bases,
            row_words,
        }
    }
}
