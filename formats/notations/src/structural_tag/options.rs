//! Options for reading structural tags: the options of the schemas in them, and limits.

use gcc_grammar_json_schema as json_schema;
use gcc_grammar_regular::RegularLimits;

/// Options for reading structural tags.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The options of the schemas.
    pub json: json_schema::Options,
    /// The limits on the automaton of each terminal, and the budget of the compilation.
    pub limits: RegularLimits,
}
