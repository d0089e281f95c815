//! Options for reading a Lark grammar: its start rule, the sources of imported files, and limits.

use super::sources::{BuiltIn, Sources};
use gcc_grammar_ir::SpecialNames;
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_regular::RegularLimits;

/// The dialect of a grammar.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// Lark, unless the grammar has the directive `%llguidance`.
    #[default]
    Lark,
    /// That of llguidance, as if the grammar had the directive.
    Llguidance,
}

/// Options for reading a grammar.
#[derive(Clone)]
pub struct Options<'o> {
    /// The name of the rule that derives whole texts.
    pub start: &'o str,
    /// The sources of imported files.
    pub sources: &'o dyn Sources,
    /// The limits on the automaton of each terminal, and the budget of the compilation.
    pub limits: RegularLimits,
    /// The options for the schemas of `%json`; none for the default options.
    pub json: Option<&'o json_schema::Options>,
    /// The dialect.
    pub dialect: Dialect,
    /// The special tokens that strings may name.
    pub names: SpecialNames,
    /// The number of grammars that this one is embedded in.
    pub depth: u32,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            start: "start",
            sources: &BuiltIn,
            limits: RegularLimits::default(),
            json: None,
            dialect: Dialect::Lark,
            names: SpecialNames::default(),
            depth: 0,
        }
    }
}
