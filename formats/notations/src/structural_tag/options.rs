//! Options for reading structural tags: the options of the schemas in them, the sources of grammars, and limits.

use crate::lark::{BuiltIn, Sources};
use gcc_grammar_ir::SpecialNames;
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_regular::RegularLimits;

/// Options for reading structural tags.
#[derive(Clone)]
pub struct Options<'o> {
    /// The options of the schemas.
    pub json: json_schema::Options,
    /// The limits on the automaton of each terminal, and the budget of the compilation.
    pub limits: RegularLimits,
    /// The sources of languages that are named.
    pub sources: &'o dyn Sources,
    /// The special tokens that texts of formats, and strings of grammars, may name.
    pub names: SpecialNames,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            json: json_schema::Options::default(),
            limits: RegularLimits::default(),
            sources: &BuiltIn,
            names: SpecialNames::default(),
        }
    }
}
