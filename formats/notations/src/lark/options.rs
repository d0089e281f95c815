//! Options for reading a Lark grammar: its start rule, the sources of imported files, and limits.

use super::sources::{BuiltIn, Sources};
use super::supplied::Indenter;
use gcc_grammar_ir::{SpecialNames, words};
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

/// How text is cut into lexemes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Lexer {
    /// By longest match among the terminals that the parser can take, as Lark's contextual lexer does.
    #[default]
    Contextual,
    /// By longest match among all terminals, as Lark's basic lexer does and `%basic` says.
    Basic,
    /// Anyhow: a terminal may end wherever it matches, as with `dynamic_complete` of Lark's parser `earley`.
    Dynamic,
}

words!(Lexer is "the lexer" { Contextual = "contextual", Basic = "basic", Dynamic = "dynamic" | "dynamic_complete" });

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
    /// How Lark's `Indenter` is set up, for grammars that declare its tokens.
    pub indenter: Indenter,
    /// How text is cut into lexemes.
    pub lexer: Lexer,
    /// The number of grammars that this one is embedded in.
    pub depth: u32,
    /// Whether the rules stay as they are written; otherwise regular parts of them become terminals where a terminal may end anywhere.
    pub keeps_rules: bool,
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
            indenter: Indenter::default(),
            lexer: Lexer::default(),
            depth: 0,
            keeps_rules: false,
        }
    }
}
