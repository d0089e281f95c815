//! Options for reading a grammar in a notation whose first rule derives whole texts unless another one is named.

use gcc_grammar_ir::SpecialNames;
use gcc_grammar_regular::RegularLimits;

/// Options for reading a grammar.
#[derive(Clone, Debug, Default)]
pub struct GrammarOptions<'o> {
    /// The name of the rule that derives whole texts; none for the first rule.
    pub start: Option<&'o str>,
    /// The limits on the automaton of each terminal, and the budget of the compilation.
    pub limits: RegularLimits,
    /// The special tokens that strings may name.
    pub names: SpecialNames,
    /// Whether a limit on tokens that cannot be kept is left out with a warning; otherwise it is an error.
    pub leaves_out: bool,
    /// Whether the rules stay as they are written; otherwise regular parts of them become terminals.
    pub keeps_rules: bool,
}
