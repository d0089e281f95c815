//! The grammar of structural tags in the course of construction: the draft of the host grammar, embedded grammars, and diagnostics.

use super::json::Object;
use super::options::{Form, Options};
use crate::grammar_builder::{GrammarBuilder, choice, sequence};
use gcc_grammar_ir::{Code, Diagnostic, Expr, Grammar, Location, NonterminalId, TokenSelector};
use gcc_grammar_json_schema::Report;
use gcc_grammar_limits::OverBudget;
use rustc_hash::FxHashMap;

/// The end of a tag. Where it follows free text, it belongs to the expression of the text, since free text goes on until its end.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// Any one of these texts.
    Texts(Vec<String>),
    /// This token.
    Token(TokenSelector),
}

/// The notation of an embedded grammar, and its text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum PartKey {
    /// A JSON Schema, and what the format says about its texts.
    Schema { text: String, form: Form },
    /// A grammar in the notation of XGrammar.
    Grammar(String),
    /// A grammar in the notation of Lark.
    Lark(String),
    /// The same, spelled within a JSON string.
    LarkInString(String),
    /// The file of a grammar in the notation of Lark, by name.
    Language(String),
}

/// Estimated bytes of a format with its fields, and of what it becomes.
const BYTES_PER_FORMAT: u64 = 2000;
/// The work to read the fields of a format.
const WORK_PER_FORMAT: u64 = 300;

/// The draft so far, and the diagnostics.
pub(super) struct Builder<'o> {
    pub(super) options: &'o Options<'o>,
    pub(super) draft: GrammarBuilder,
    /// The end of the nearest tag around the format that is being lowered, if it has one. Free text in the tag does not contain it.
    pub(super) nearest_end: Option<End>,
    /// The formats that the root names.
    pub(super) rules: FxHashMap<String, NonterminalId>,
    /// Embedded grammars, and the rules that they belong to.
    pub(super) parts: Vec<(NonterminalId, Grammar)>,
    known_parts: FxHashMap<PartKey, NonterminalId>,
    /// The coverage of each different schema.
    pub(super) known_reports: FxHashMap<PartKey, Report>,
    /// The coverage of the schemas at all places.
    pub(super) report: Report,
    /// Whether there are schemas in grammars in the notation of Lark.
    pub(super) has_lark_schemas: bool,
    pub(super) errors: Vec<Diagnostic>,
    pub(super) warnings: Vec<Diagnostic>,
}

impl<'o> Builder<'o> {
    pub(super) fn new(options: &'o Options<'o>) -> Self {
        Self {
            options,
            draft: GrammarBuilder::new(&options.names, &options.limits.budget),
            nearest_end: None,
            rules: FxHashMap::default(),
            parts: Vec::new(),
            known_parts: FxHashMap::default(),
            known_reports: FxHashMap::default(),
            report: Report::default(),
            has_lark_schemas: false,
            errors: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Whether there are schemas among the embedded grammars.
    pub(super) fn has_schemas(&self) -> bool {
        self.has_lark_schemas || !self.known_reports.is_empty()
    }

    /// Charges a format, and the expressions that it becomes.
    pub(super) fn charge(&self, object: &Object<'_>) -> Result<(), Diagnostic> {
        let budget = &self.options.limits.budget;
        let bytes = BYTES_PER_FORMAT + object.pointer.len() as u64;
        let charged = budget.charge_work(WORK_PER_FORMAT).and_then(|()| budget.charge_bytes(bytes));
        charged.map_err(|over| Diagnostic::from(over).at(Location::Pointer(object.pointer.clone())))
    }

    /// The rule of an embedded grammar that was added before.
    pub(super) fn known_part(&self, key: &PartKey) -> Option<NonterminalId> {
        self.known_parts.get(key).copied()
    }

    /// Adds an embedded grammar, and returns its rule.
    pub(super) fn add_part(&mut self, key: PartKey, name: &str, grammar: Grammar) -> NonterminalId {
        let place = self.draft.new_rule(format!("{name}#{}", self.parts.len() + 1), None);
        self.known_parts.insert(key, place);
        self.parts.push((place, grammar));
        place
    }

    /// The body followed by its end.
    pub(super) fn ended(&mut self, body: Expr, end: Option<&End>) -> Expr {
        match end {
            Some(end) => sequence(vec![body, self.end(end)]),
            None => body,
        }
    }

    fn end(&mut self, end: &End) -> Expr {
        match end {
            End::Texts(texts) => choice(texts.iter().map(|text| self.draft.literal(text, None)).collect()),
            End::Token(selector) => self.draft.tokens(vec![selector.clone()], "end token", None),
        }
    }
}

/// The error that an automaton of a format is too large.
pub(super) fn too_large(object: &Object<'_>, field: &str, error: OverBudget) -> Diagnostic {
    Diagnostic { code: Code::TooLarge, ..object.error(field, format!("this is too large: {error}")) }
}
