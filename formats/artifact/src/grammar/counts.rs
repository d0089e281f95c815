//! The sizes of the automata and of the mask store, derived from the lengths of the tables.
//!
//! They are computed before validation, which then checks every other table against them.

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
