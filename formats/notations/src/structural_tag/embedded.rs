//! Formats with a language of their own: JSON Schemas and grammars, which are embedded, and regular expressions.

use super::builder::{Builder, PartKey};
use super::json::{Object, Place};
use super::options::{AnyOrder, Form, Options};
use super::style::GivenStyle;
use super::text::count;
use crate::bnf;
use crate::grammar_builder::nonterminal;
use crate::lark::{self, Sources, Within};
use crate::options::GrammarOptions;
use crate::parsed::{Parsed, relocated};
use gcc_grammar_ir::{Code, Diagnostic, Expr, Location, Pattern, SpecialNames};
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_json_schema::Unenforced;
use gcc_grammar_regular::{Dfa, PatternFlags, Regex};

impl Builder<'_> {
    /// `regex`: a pattern, as one terminal.
    pub(super) fn regex(&mut self, place: &Place<'_>) -> Result<Expr, Diagnostic> {
        let dfa = self.pattern(place)?;
        Ok(self.draft.regex(Regex::Automaton(dfa.into()), &format!("/{}/", place.text()?), None))
    }

    /// The automaton of a pattern.
    pub(super) fn pattern(&self, place: &Place<'_>) -> Result<Dfa, Diagnostic> {
        let pattern = place.text()?;
        let flags = PatternFlags { extensions: true, ..PatternFlags::default() };
        let regex = Regex::parse_within(&pattern, flags, &self.options.limits)
            .map_err(|error| relocate(place, error.into()))?;
        // Assertions concern the text that the pattern matches, so the automaton is built before the pattern gets neighbours.
        let dfa = regex.to_dfa(&self.options.limits);
        dfa.map_err(|error| Diagnostic {
            code: Code::TooLarge,
            ..place.error(format!("this pattern is too large: {error}"))
        })
    }

    /// `grammar`: a grammar in the notation of XGrammar or of Lark, or a language by name.
    pub(super) fn any_grammar(&mut self, object: &Object<'_>) -> Result<Expr, Diagnostic> {
        object.only("type grammar syntax lark language in_string")?;
        if object.flag("in_string", false)? {
            return self.lark(&object.place("lark")?, true);
        }
        match ["grammar", "lark", "language"].map(|field| object.has(field)) {
            [_, false, false] => {
                let place = object.place("grammar")?;
                let syntax = if object.has("syntax") { object.text("syntax")? } else { "ebnf".to_owned() };
                match syntax.as_str() {
                    "ebnf" => self.grammar(&place),
                    "lark" => self.lark(&place, false),
                    _ => Err(object.error("syntax", "the syntax of a grammar is \"ebnf\" or \"lark\"")),
                }
            }
            [false, true, false] => self.lark(&object.place("lark")?, false),
            [false, false, true] => self.language(&object.place("language")?),
            _ => Err(object
                .error("type", "a grammar has one of the fields \"grammar\", \"lark\" and \"language\"")
                .help("write a sequence of several grammars")),
        }
    }

    /// A grammar of Lark; within a string of JSON, in which its texts are spelled, if it says so.
    fn lark(&mut self, place: &Place<'_>, in_string: bool) -> Result<Expr, Diagnostic> {
        let text = place.text()?;
        let key = if in_string { PartKey::LarkInString } else { PartKey::Lark }(text.clone());
        if let Some(known) = self.known_part(&key) {
            return Ok(nonterminal(known));
        }
        let parsed = match in_string {
            false => self.parse_lark(&text, self.options.sources),
            true => self
                .parse_lark_with(&text, self.options.sources, SpecialNames::default())
                .and_then(|parsed| self.spelled(parsed).map_err(|error| vec![error])),
        };
        match parsed {
            Ok(mut parsed) => {
                let warnings = std::mem::take(&mut parsed.warnings).into_iter().filter(|_| !in_string);
                self.warnings.extend(warnings.map(|warning| relocate(place, warning)));
                Ok(self.lark_part(key, "lark", parsed, |pointer| format!("{}:{pointer}", place.pointer)))
            }
            Err(errors) => Ok(self.wrong(place, errors)),
        }
    }

    /// The grammar with all terminals as they are spelled within a JSON string. No spelling of a character begins that of another one, so the longest match stays
    /// the same.
    fn spelled(&self, mut parsed: Parsed) -> Result<Parsed, Diagnostic> {
        let contexts = &parsed.grammar.contexts;
        let is_alone = contexts.followed.is_empty() && contexts.preceded.is_empty();
        let limits = &self.options.limits;
        for terminal in &mut parsed.grammar.terminals {
            let Pattern::Regex(regex) = &terminal.pattern else { return Err(unspelled()) };
            let spelled = regex.to_dfa(limits)?;
            let spelled = json_schema::within_string(&spelled, self.options.json.strings, limits)?;
            terminal.pattern = Pattern::Regex(Regex::Automaton(spelled));
        }
        if is_alone { Ok(parsed) } else { Err(unspelled()) }
    }

    /// A language by name: a bundled one, or the file of a grammar.
    fn language(&mut self, place: &Place<'_>) -> Result<Expr, Diagnostic> {
        let name = place.text()?;
        let relative = name.starts_with('.');
        let path: Vec<&str> = name.trim_start_matches('.').split('.').collect();
        let source = self.options.sources.find("", relative, &path).map_err(|message| {
            let error = Diagnostic { code: Code::BadImport, ..place.error(message) };
            error.help("name a bundled language, or the file of a grammar, as in \".file\"")
        })?;
        let key = PartKey::Language(source.name.clone());
        if let Some(known) = self.known_part(&key) {
            return Ok(nonterminal(known));
        }
        let sources = Within { sources: self.options.sources, file: &source.name };
        match self.parse_lark(&source.text, &sources) {
            Ok(parsed) => {
                Ok(self.lark_part(key, &name, parsed, |pointer| format!("{}:{pointer}", source.name)))
            }
            Err(errors) => {
                let errors = errors.into_iter().map(|error| source.error(error));
                self.errors.extend(errors.map(|error| error.at(Location::Pointer(place.pointer.clone()))));
                Ok(Expr::Choice(Vec::new()))
            }
        }
    }

    fn parse_lark(&self, text: &str, sources: &dyn Sources) -> Result<Parsed, Vec<Diagnostic>> {
        self.parse_lark_with(text, sources, self.options.names.clone())
    }

    fn parse_lark_with(
        &self,
        text: &str,
        sources: &dyn Sources,
        names: SpecialNames,
    ) -> Result<Parsed, Vec<Diagnostic>> {
        let Options { json, limits, .. } = self.options;
        let options = lark::Options {
            sources,
            limits: limits.clone(),
            json: Some(json),
            names,
            depth: 1,
            ..Default::default()
        };
        lark::parse_with(text, &options)
    }

    /// The rule of a grammar in the notation of Lark.
    fn lark_part(
        &mut self,
        key: PartKey,
        name: &str,
        parsed: Parsed,
        pointer: impl Fn(&str) -> String,
    ) -> Expr {
        let Parsed { grammar, report, has_schemas, .. } = parsed;
        self.report.entries.extend(relocated(&report, pointer));
        self.has_lark_schemas |= has_schemas;
        nonterminal(self.add_part(key, name, grammar))
    }

    /// A grammar in the notation of XGrammar.
    fn grammar(&mut self, place: &Place<'_>) -> Result<Expr, Diagnostic> {
        let text = place.text()?;
        let key = PartKey::Grammar(text.clone());
        if let Some(known) = self.known_part(&key) {
            return Ok(nonterminal(known));
        }
        let options = GrammarOptions {
            limits: self.options.limits.clone(),
            names: self.options.names.clone(),
            leaves_out: self.options.json.unenforced == Unenforced::Allow,
            ..GrammarOptions::default()
        };
        match bnf::parse(&text, bnf::Dialect::XGrammar, &options) {
            Ok(parsed) => {
                self.warnings.extend(parsed.warnings.into_iter().map(|warning| relocate(place, warning)));
                Ok(nonterminal(self.add_part(key, "grammar", parsed.grammar)))
            }
            Err(errors) => Ok(self.wrong(place, errors)),
        }
    }

    /// `json_schema`: a JSON Schema.
    pub(super) fn schema(&mut self, object: &Object<'_>) -> Result<Expr, Diagnostic> {
        object.only("type json_schema style any_order only_objects max_whitespace_cnt excludes")?;
        let form = Form {
            any_order: any_order(object)?,
            style: GivenStyle::of(object)?.unwrap_or_default().style(),
            only_objects: object.flag("only_objects", false)?,
            excludes: object.texts("excludes", false)?,
            max_space: count(object, "max_whitespace_cnt", "this must be a number of characters")?,
        };
        self.schema_at(&object.place("json_schema")?, form)
    }

    /// `qwen_xml_parameter`, the older name of one style.
    pub(super) fn qwen_parameters(&mut self, object: &Object<'_>) -> Result<Expr, Diagnostic> {
        object.only("type json_schema")?;
        let style = GivenStyle::Named("qwen_xml".to_owned()).style();
        let form = Form { style, ..Form::default() };
        self.schema_at(&object.place("json_schema")?, form)
    }

    /// The rule of the schema at a place.
    pub(super) fn schema_at(&mut self, place: &Place<'_>, form: Form) -> Result<Expr, Diagnostic> {
        let text = place.value.get().to_owned();
        let key = PartKey::Schema { text: text.clone(), form: form.clone() };
        if let Some(known) = self.known_part(&key) {
            self.report_schema(&key, place);
            return Ok(nonterminal(known));
        }
        let names = self.options.names.clone();
        let options = json_schema::Options { names, ..form.options(&self.options.json) };
        match json_schema::compile_once(&text, &options, &self.options.limits.budget) {
            Ok(compiled) => {
                self.warnings.extend(compiled.warnings.into_iter().map(|warning| relocate(place, warning)));
                self.known_reports.insert(key.clone(), compiled.report);
                self.report_schema(&key, place);
                Ok(nonterminal(self.add_part(key, "schema", compiled.grammar)))
            }
            Err(errors) => Ok(self.wrong(place, errors)),
        }
    }

    /// Enters the coverage of a schema into the report, with pointers to this place.
    /// The expression in the place of what has errors.
    fn wrong(&mut self, place: &Place<'_>, errors: Vec<Diagnostic>) -> Expr {
        self.errors.extend(errors.into_iter().map(|error| relocate(place, error)));
        Expr::Choice(Vec::new())
    }

    fn report_schema(&mut self, key: &PartKey, place: &Place<'_>) {
        let Some(report) = self.known_reports.get(key) else { return };
        let entries = relocated(report, |pointer| pointer_below(place, pointer));
        self.report.entries.extend(entries);
    }
}

fn unspelled() -> Diagnostic {
    let error = Diagnostic::error(
        Code::BadStructuralTag,
        "a grammar with look-around, tokens or counted lexemes cannot be spelled within a string",
    );
    error.help("write it without them")
}

/// Which objects have their keys in any order: all, none, or those with a number of declared keys at most.
fn any_order(object: &Object<'_>) -> Result<AnyOrder, Diagnostic> {
    let is_flag = |place: Place<'_>| matches!(place.value.get(), "true" | "false");
    if !object.has("any_order") {
        return Ok(AnyOrder::None);
    }
    if is_flag(object.place("any_order")?) {
        return Ok(if object.flag("any_order", false)? { AnyOrder::All } else { AnyOrder::None });
    }
    let most = count(object, "any_order", "this must be true, false, or a number of keys")?;
    Ok(most.map_or(AnyOrder::None, AnyOrder::UpTo))
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
