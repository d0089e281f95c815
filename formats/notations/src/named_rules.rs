//! The table of the rules of a grammar: which names were used and which were defined, and the draft that their bodies go into.
//!
//! A rule may be used before it is defined. [`Rules::finish`] returns a grammar only if every used name was defined.

use crate::grammar_builder::GrammarBuilder;
use crate::scanner::error;
use gcc_grammar_ir::spelling::{MOST_GUESSES, similar};
use gcc_grammar_ir::{Code, Diagnostic, Expr, Grammar, Location, NonterminalId};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The error that a grammar with these rules has no rule to start from.
pub(crate) fn no_start<'k>(start: Option<&str>, mut known: impl Iterator<Item = &'k str>) -> Diagnostic {
    let Some(name) = start else {
        return Diagnostic::error(Code::NoStart, "there is no rule to start from").help("add a rule");
    };
    let near = similar(name, &mut known);
    let help = "add this rule, or name another start rule with --start".to_owned();
    Diagnostic::error(Code::NoStart, format!("there is no rule `{name}` to start from"))
        .help(near.map_or(help, |near| format!("did you mean `{near}`?")))
}

/// The errors that these names, which are used first at the spans, are not defined; `help` is for those that are like none of the `known` names.
pub(crate) fn undefined<'k>(
    names: impl Iterator<Item = (&'k str, Range<usize>)>,
    known: &[&str],
    help: &str,
) -> Vec<Diagnostic> {
    let error = |(number, (name, span)): (usize, (&str, Range<usize>))| {
        let guesses = if number < MOST_GUESSES { known } else { &[] };
        let near = similar(name, guesses.iter().copied());
        error(Code::UndefinedName, format!("`{name}` is not defined"), span)
            .help(near.map_or_else(|| help.to_owned(), |near| format!("did you mean `{near}`?")))
    };
    names.enumerate().map(error).collect()
}

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

    /// The grammar with this start rule, and where each of its terminals was first used. Undefined names are errors, which may be misspelt
    /// names of `macros`.
    pub(crate) fn finish(
        self,
        start: Option<&str>,
        macros: &[&str],
    ) -> Result<(Grammar, Vec<Option<Location>>), Vec<Diagnostic>> {
        let known = self.named.iter().filter(|rule| rule.defined).map(|rule| rule.name);
        let missing = self.named.iter().filter(|rule| !rule.defined);
        let missing: Vec<_> = missing.map(|rule| (rule.name, rule.first_use.clone())).collect();
        if !missing.is_empty() {
            let known: Vec<&str> = known.chain(macros.iter().copied()).collect();
            let help = "define it as a rule, or write it in quotes if it is text";
            return Err(undefined(missing.into_iter(), &known, help));
        }
        match start.and_then(|start| self.by_name.get(start)) {
            Some(&index) => Ok(self.draft.finish(self.named[index].id)),
            None => Err(vec![no_start(start, known)]),
        }
    }
}
