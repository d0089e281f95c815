//! The table of the rules of a grammar: which names were used and which were defined, and the draft that their bodies go into.
//!
//! A rule may be used before it is defined. [`Rules::finish`] returns a grammar only if every used name was defined.

use crate::grammar_builder::GrammarBuilder;
use crate::scanner::error;
use gcc_grammar_ir::{Code, Diagnostic, Expr, Grammar, Location, NonterminalId};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What to do where the start rule is missing.
pub(crate) const ADD_START: &str = "add this rule, or name another start rule with --start";

/// A rule that has a name.
struct Named<'t> {
    name: &'t str,
    id: NonterminalId,
    /// Where the name appears first.
    first_use: Range<usize>,
    defined: bool,
}

/// The rules so far, by name, and their terminals.
pub(crate) struct Rules<'t> {
    pub(crate) draft: GrammarBuilder,
    named: Vec<Named<'t>>,
    by_name: FxHashMap<&'t str, usize>,
}

impl<'t> Rules<'t> {
    /// No rules, with a draft for their terminals.
    pub(crate) fn new(draft: GrammarBuilder) -> Self {
        Self { draft, named: Vec::new(), by_name: FxHashMap::default() }
    }

    /// The rule of this name, which may be defined later.
    pub(crate) fn named(&mut self, name: &'t str, span: Range<usize>) -> NonterminalId {
        let index = self.index(name, span);
        self.named[index].id
    }

    fn index(&mut self, name: &'t str, span: Range<usize>) -> usize {
        *self.by_name.entry(name).or_insert_with(|| {
            let id = self.draft.new_rule(name, None);
            self.named.push(Named { name, id, first_use: span, defined: false });
            self.named.len() - 1
        })
    }

    /// The rule of this name, which is defined at `span`. A second definition is an error.
    pub(crate) fn define(&mut self, name: &'t str, span: Range<usize>) -> Result<NonterminalId, Diagnostic> {
        let index = self.index(name, span.clone());
        let rule = &mut self.named[index];
        if std::mem::replace(&mut rule.defined, true) {
            let message = format!("`{name}` is defined twice");
            return Err(
                error(Code::DuplicateDefinition, message, span).help("join the two definitions with |")
            );
        }
        self.draft.set_location(rule.id, Location::Span(span));
        Ok(rule.id)
    }

    /// Gives a rule its body.
    pub(crate) fn set_body(&mut self, rule: NonterminalId, body: Expr) {
        self.draft.set_body(rule, body);
    }

    /// The grammar with this start rule, and where each of its terminals was first used. Undefined names are errors.
    pub(crate) fn finish(self, root: &str) -> Result<(Grammar, Vec<Option<Location>>), Vec<Diagnostic>> {
        let undefined: Vec<Diagnostic> =
            self.named.iter().filter(|rule| !rule.defined).map(undefined_rule).collect();
        if !undefined.is_empty() {
            return Err(undefined);
        }
        match self.by_name.get(root) {
            Some(&index) => Ok(self.draft.finish(self.named[index].id)),
            None => {
                let message = format!("there is no rule `{root}` to start from");
                Err(vec![Diagnostic::error(Code::NoStart, message).help(ADD_START)])
            }
        }
    }
}

fn undefined_rule(rule: &Named<'_>) -> Diagnostic {
    let message = format!("`{}` is not defined", rule.name);
    error(Code::UndefinedName, message, rule.first_use.clone())
        .help("define it as a rule, or write it in quotes if it is text")
}
