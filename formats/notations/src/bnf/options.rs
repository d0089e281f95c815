//! How a grammar in GBNF or EBNF is read: its dialect, its start rule, and the limits on its terminals.

use gcc_grammar_ir::SpecialNames;
use gcc_grammar_regular::RegularLimits;

/// The notation that a grammar is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// The notation of llama.cpp. A line break ends a rule, except in parentheses and after `|`.
    Gbnf,
    /// The notation of XGrammar. A rule ends where the next rule begins; there are more escapes, and macros.
    XGrammar,
}

/// Options for reading a grammar.
#[derive(Clone, Debug)]
pub struct Options<'o> {
    /// The name of the rule that derives whole texts.
    pub root: &'o str,
    /// The notation.
    pub dialect: Dialect,
    /// The limits on the automaton of each terminal, and the budget of the compilation.
    pub limits: RegularLimits,
    /// The special tokens that strings may name.
    pub names: SpecialNames,
    /// Whether a limit on tokens that cannot be kept is left out with a warning; otherwise it is an error.
    pub leaves_out: bool,
    /// Whether the rules stay as they are written; otherwise regular parts of them become terminals.
    pub keeps_rules: bool,
}

impl Options<'_> {
    /// The start rule `root`, and the default limits.
    #[must_use]
    pub fn new(dialect: Dialect) -> Self {
        let (limits, names) = Default::default();
        Self { root: "root", dialect, limits, names, leaves_out: false, keeps_rules: false }
    }
}
