//! Formats with a language of their own: JSON Schemas and grammars, which are embedded, and regular expressions.

use super::builder::{Builder, PartKey};
use super::json::{Object, Place};
use crate::bnf;
use crate::draft::nonterminal;
use crate::parsed::relocated;
use gcc_grammar_ir::{Code, Diagnostic, Expr, Location};
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_json_schema::PropertyOrder;
use gcc_grammar_regular::{PatternFlags, Regex};

impl Builder<'_> {
    /// `regex`: a pattern, as one terminal.
    pub(super) fn regex(&mut self, place: &Place<'_>) -> Result<Expr, Diagnostic> {
        let pattern = place.text()?;
        let flags = PatternFlags { extensions: true, ..PatternFlags::default() };
        let regex = Regex::parse_within(&pattern, flags, &self.options.limits)
            .map_err(|error| relocate(place, error.into()))?;
        // Assertions concern the text that the pattern matches, so the automaton is built before the pattern gets neighbours.
        let dfa = regex.to_dfa(&self.options.limits);
        let dfa = dfa.map_err(|error| Diagnostic {
            code: Code::TooLarge,
            ..place.error(format!("this pattern is too large: {error}"))
        })?;
        Ok(self.draft.regex(Regex::Automaton(dfa.into()), &format!("/{pattern}/"), None))
    }

    /// `grammar`: a grammar in the notation of XGrammar.
    pub(super) fn grammar(&mut self, place: &Place<'_>) -> Result<Expr, Diagnostic> {
        let text = place.text()?;
        let key = PartKey::Grammar(text.clone());
        if let Some(known) = self.known_part(&key) {
            return Ok(nonterminal(known));
        }
        let options = bnf::Options::new(bnf::Dialect::XGrammar);
        match bnf::parse(&text, &bnf::Options { limits: self.options.limits.clone(), ..options }) {
            Ok(parsed) => {
                self.warnings.extend(parsed.warnings.into_iter().map(|warning| relocate(place, warning)));
                Ok(nonterminal(self.add_part(key, "grammar", parsed.grammar)))
            }
            Err(errors) => {
                self.errors.extend(errors.into_iter().map(|error| relocate(place, error)));
                Ok(Expr::Choice(Vec::new()))
            }
        }
    }

    /// `json_schema`: a JSON Schema.
    pub(super) fn schema(&mut self, object: &Object<'_>) -> Result<Expr, Diagnostic> {
        object.only(&["type", "json_schema", "style", "any_order", "max_whitespace_cnt"])?;
        if object.has("max_whitespace_cnt") {
            return Err(object
                .error("max_whitespace_cnt", "white space cannot be limited for one schema")
                .help("the option --whitespace selects the white space of all schemas"));
        }
        if object.has("style") && object.text("style")? != "json" {
            return Err(object
                .error("style", "only the style \"json\" is supported")
                .help("describe other styles by tags around the parameters"));
        }
        let any_order = object.flag("any_order", false)?;
        self.schema_at(&object.place("json_schema")?, any_order)
    }

    /// The rule of the schema at a place.
    pub(super) fn schema_at(&mut self, place: &Place<'_>, any_order: bool) -> Result<Expr, Diagnostic> {
        let text = place.value.get().to_owned();
        let key = PartKey::Schema { text: text.clone(), any_order };
        if let Some(known) = self.known_part(&key) {
            self.report_schema(&key, place);
            return Ok(nonterminal(known));
        }
        let mut options = self.options.json.clone();
        if any_order {
            options.property_order = PropertyOrder::Any;
        }
        match json_schema::compile_within(&text, &options, &self.options.limits.budget) {
            Ok(compiled) => {
                self.warnings.extend(compiled.warnings.into_iter().map(|warning| relocate(place, warning)));
                self.known_reports.insert(key.clone(), compiled.report);
                self.report_schema(&key, place);
                Ok(nonterminal(self.add_part(key, "schema", compiled.grammar)))
            }
            Err(errors) => {
                self.errors.extend(errors.into_iter().map(|error| relocate(place, error)));
                Ok(Expr::Choice(Vec::new()))
            }
        }
    }

    /// Enters the coverage of a schema into the report, with pointers to this place.
    fn report_schema(&mut self, key: &PartKey, place: &Place<'_>) {
        let Some(report) = self.known_reports.get(key) else { return };
        let entries = relocated(report, |pointer| pointer_below(place, pointer));
        self.report.entries.extend(entries);
    }
}

/// The pointer of a keyword of the schema at a place. Keywords of other documents keep theirs behind the place.
fn pointer_below(place: &Place<'_>, pointer: &str) -> String {
    let is_inside = pointer.is_empty() || pointer.starts_with('/');
    format!("{}{}{pointer}", place.pointer, if is_inside { "" } else { "#" })
}

/// Moves a diagnostic about a text to the place of the text in the structural tags.
fn relocate(place: &Place<'_>, mut diagnostic: Diagnostic) -> Diagnostic {
    let pointer = match diagnostic.location.take() {
        Some(Location::Pointer(pointer)) => pointer_below(place, &pointer),
        Some(Location::Span(span)) => {
            let text = place.text().unwrap_or_default();
            let (line, column) = gcc_grammar_ir::diagnostic::line_and_column(&text, span.start);
            diagnostic.message = format!("line {line}, column {column}: {}", diagnostic.message);
            place.pointer.clone()
        }
        _ => place.pointer.clone(),
    };
    diagnostic.at(Location::Pointer(pointer))
}
