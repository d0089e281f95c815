//! Options for reading structural tags: the options of the schemas in them, the sources of grammars, and limits.

use crate::lark::{BuiltIn, Sources};
use gcc_grammar_ir::SpecialNames;
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_json_schema::{IntegerSpelling, PropertyOrder, Style, Whitespace};
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

/// Which objects have their keys in any order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) enum AnyOrder {
    #[default]
    None,
    /// Those with this number of declared keys, or with fewer.
    UpTo(u32),
    All,
}

/// What a format says about the texts of its schema.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Form {
    pub(super) any_order: AnyOrder,
    pub(super) style: Style,
    pub(super) only_objects: bool,
    pub(super) excludes: Vec<String>,
    pub(super) max_space: Option<u32>,
}

impl Form {
    /// The options of the schemas, and what the format says.
    pub(super) fn options(&self, schemas: &json_schema::Options) -> json_schema::Options {
        let mut options = json_schema::Options {
            style: self.style.clone(),
            only_objects: self.only_objects,
            excludes: self.excludes.clone(),
            ..schemas.clone()
        };
        // Readers of tags have no JSON: they read an integer by its digits.
        if matches!(self.style, Style::Tags(_)) && options.integer_spelling == IntegerSpelling::Zeros {
            options.integer_spelling = IntegerSpelling::Plain;
        }
        if self.any_order != AnyOrder::None && options.property_order != PropertyOrder::Any {
            options.property_order = PropertyOrder::Any;
            options.any_order_up_to = match self.any_order {
                AnyOrder::UpTo(keys) => Some(keys as usize),
                AnyOrder::None | AnyOrder::All => None,
            };
        }
        if let Some(max) = self.max_space {
            options.whitespace = Whitespace::Bounded { max };
        }
        options
    }
}
