//! The sizes of all stages of a compilation.
//!
//! The names of the sizes are stored in artifacts, so they must not change.

/// Declares [`Stats`] and the name of each size.
macro_rules! stats {
    ($($(#[$doc:meta])* $field:ident: $type:ty = $name:literal,)+) => {
        /// How large every stage became, in the order of the pipeline.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        #[non_exhaustive]
        pub struct Stats { $($(#[$doc])* pub $field: $type,)+ }

        impl Stats {
            /// All numbers with their names, in the order of the pipeline.
            #[must_use]
            pub fn named(&self) -> Vec<(&'static str, u64)> {
                vec![$(($name, self.$field as u64)),+]
            }

            /// The sizes of the stages, which artifacts store. What was spent to build them is no part of an
            /// artifact: a faster compiler writes the same one.
            #[must_use]
            pub fn sizes(&self) -> Vec<(&'static str, u64)> {
                let mut named = self.named();
                named.truncate(named.len() - 2);
                named
            }
        }
    };
}

stats! {
    /// Terminals of the grammar, the end of text and copies of terminals included.
    terminals: usize = "terminals",
    /// Productions that some LR state reduces by. Productions with the same left-hand side and length count once.
    productions: usize = "productions",
    /// States of the minimized LR automaton.
    lr_states: usize = "LR states",
    /// Cells of the action table with several actions.
    conflicts: usize = "LR conflicts",
    /// Distinct sets of terminals that may start a lexeme.
    contexts: usize = "lexical contexts",
    /// Classes of bytes and special tokens.
    symbol_classes: usize = "symbol classes",
    /// States of the lexer automaton.
    lexer_states: usize = "lexer states",
    /// Nodes of the Terminal DWA.
    terminal_nodes: usize = "Terminal DWA nodes",
    /// Arcs of the Terminal DWA.
    terminal_arcs: usize = "Terminal DWA arcs",
    /// Distinct sets of tokens on the arcs of the Terminal DWA.
    token_sets: usize = "token sets",
    /// States of the Parser DWA before minimization.
    raw_dwa_states: usize = "Parser DWA states before minimization",
    /// States of the Parser DWA.
    dwa_states: usize = "Parser DWA states",
    /// Transitions of the Parser DWA.
    dwa_transitions: usize = "Parser DWA transitions",
    /// Distinct masks.
    masks: usize = "masks",
    /// Base bitmaps.
    bases: usize = "base bitmaps",
    /// The largest number of tokens that a mask flips in its base bitmap.
    max_delta: usize = "longest mask delta",
    /// Work units spent.
    work: u64 = "work units",
    /// Estimated bytes of the tables of all stages.
    bytes: u64 = "bytes of tables while compiling",
}
