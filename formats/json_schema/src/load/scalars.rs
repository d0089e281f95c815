//! `type`, and keywords about numbers and strings.

use super::super::decimal::Decimal;
use super::super::document::Value;
use super::super::languages::{LanguageId, Languages, Lengths};
use super::super::options::Formats;
use super::super::report::Coverage;
use super::super::schema::{Schema, consts};
use super::super::{format, number, pattern};
use super::{Loader, Source};
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, Location};
use gcc_grammar_regular::Dfa;
use std::cmp::Ordering;
use std::sync::Arc;

impl Loader<'_> {
    pub(super) fn load_type(&mut self, source: &Source, schema: &mut Schema) {
        let Some(value) = source.get("type") else { return };
        let names: Vec<Arc<str>> = match self.values.get(value) {
            Value::String(name) => vec![name.clone()],
            Value::Array(items) => {
                items.iter().filter_map(|&item| self.values.string(item).cloned()).collect()
            }
            _ => Vec::new(),
        };
        let mut allowed = Schema::nothing();
        for name in &names {
            match &**name {
                "null" => allowed.consts |= consts::NULL,
                "boolean" => allowed.consts |= consts::FALSE | consts::TRUE,
                "number" => allowed.numbers = Languages::NUMBERS,
                "integer" if allowed.numbers == Languages::NOTHING => {
                    let with_point =
                        self.options.integer_with_point.unwrap_or(source.draft.point_zero_is_integer());
                    allowed.numbers = self.languages.add_shared(number::integers(with_point));
                }
                "integer" => {}
                "string" => allowed.strings = Languages::TEXTS,
                "array" => allowed.arrays = Some(Vec::new()),
                "object" => allowed.objects = Some(Vec::new()),
                _ => self.below("type", |loader| loader.invalid(&format!("there is no type {name:?}"))),
            }
        }
        if names.is_empty() {
            self.below("type", |loader| {
                loader.invalid("the name of a type or a list of names is expected here")
            });
        }
        if self.is_nullable(source) {
            allowed.consts |= consts::NULL;
        }
        *schema = allowed;
    }

    /// OpenAPI 3.0.3: `nullable` widens the `type` beside it, and nothing else.
    fn is_nullable(&mut self, source: &Source) -> bool {
        let is_true = source.get("nullable").is_some_and(|flag| *self.values.get(flag) == Value::Bool(true));
        if is_true && source.draft.is_open_api() {
            self.note("nullable", Coverage::Enforced);
        } else if is_true {
            let message = "nullable is a keyword of OpenAPI 3.0 and means nothing in JSON Schema";
            let pointer = self.pointer_to("nullable");
            let warning = Diagnostic::warning(Code::IgnoredKeyword, message).at(Location::Pointer(pointer));
            self.warnings.push(warning.help("compile with --draft openapi-3.0, or add \"null\" to the type"));
        }
        is_true && source.draft.is_open_api()
    }

    pub(super) fn load_numbers(&mut self, source: &Source, schema: &mut Schema) {
        if schema.numbers == Languages::NOTHING {
            return;
        }
        let (exclusive_minimum, exclusive_maximum) =
            (self.exclusive(source, "exclusiveMinimum"), self.exclusive(source, "exclusiveMaximum"));
        let at_least = if exclusive_minimum == Some(true) { Ordering::is_gt } else { Ordering::is_ge };
        let at_most = if exclusive_maximum == Some(true) { Ordering::is_lt } else { Ordering::is_le };
        self.bound(source, schema, "minimum", at_least);
        self.bound(source, schema, "maximum", at_most);
        if exclusive_minimum.is_none() {
            self.bound(source, schema, "exclusiveMinimum", Ordering::is_gt);
        }
        if exclusive_maximum.is_none() {
            self.bound(source, schema, "exclusiveMaximum", Ordering::is_lt);
        }
        self.load_multiple(source, schema);
    }

    /// The value of an exclusive bound that is a boolean, as draft 4 has it.
    fn exclusive(&self, source: &Source, keyword: &str) -> Option<bool> {
        match self.values.get(source.get(keyword)?) {
            Value::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    fn number(&mut self, source: &Source, keyword: &str) -> Option<Decimal> {
        match self.values.get(source.get(keyword)?) {
            Value::Number(number) => Some(number.clone()),
            _ => {
                self.below(keyword, |loader| loader.invalid("a number is expected here"));
                None
            }
        }
    }

    fn bound(&mut self, source: &Source, schema: &mut Schema, keyword: &str, wanted: fn(Ordering) -> bool) {
        let Some(bound) = self.number(source, keyword) else { return };
        let numbers = number::comparing(&bound, wanted);
        self.restrict_numbers(schema, keyword, numbers, "it has too many digits");
    }

    fn load_multiple(&mut self, source: &Source, schema: &mut Schema) {
        let Some(step) = self.number(source, "multipleOf") else { return };
        if step.negative || step.is_zero() {
            self.below("multipleOf", |loader| loader.invalid("a number greater than zero is expected here"));
            return;
        }
        let numbers = number::multiples(&step);
        self.restrict_numbers(schema, "multipleOf", numbers, "it would need too many remainders");
    }

    fn restrict_numbers(&mut self, schema: &mut Schema, keyword: &str, numbers: Option<Dfa>, why: &str) {
        let Some(numbers) = numbers else {
            let clause = self.unenforced(keyword, why, "other numbers", "use a shorter number");
            schema.clauses.push(clause);
            return;
        };
        let numbers = self.languages.add(numbers);
        let narrowed = self.languages.intersect(schema.numbers, numbers);
        schema.numbers = self.bounded(schema, keyword, narrowed).unwrap_or(schema.numbers);
    }

    pub(super) fn load_strings(&mut self, source: &Source, schema: &mut Schema) {
        self.load_format(source, schema);
        if schema.strings == Languages::NOTHING {
            return;
        }
        if let Some(value) = source.get("pattern") {
            match self.values.string(value).cloned() {
                Some(pattern) => {
                    if let Some(language) = self.pattern(schema, "pattern", &pattern) {
                        self.restrict_strings(schema, "pattern", language);
                    }
                }
                None => {
                    self.below("pattern", |loader| loader.invalid("a regular expression is expected here"))
                }
            }
        }
        let max = self.count(source, "maxLength");
        let min = self.count(source, "minLength").unwrap_or(0);
        if min > 0 || max.is_some() {
            let keyword = if max.is_some() { "maxLength" } else { "minLength" };
            let lengths = self.languages.of_lengths(Lengths { min, max });
            if let Some(lengths) = self.bounded(schema, keyword, lengths) {
                self.restrict_strings(schema, keyword, lengths);
            }
        }
    }

    fn restrict_strings(&mut self, schema: &mut Schema, keyword: &str, language: LanguageId) {
        let narrowed = self.languages.intersect(schema.strings, language);
        schema.strings = self.bounded(schema, keyword, narrowed).unwrap_or(schema.strings);
    }

    /// The language of a pattern; an error or an unknown condition if it has none.
    pub(super) fn pattern(
        &mut self,
        schema: &mut Schema,
        keyword: &str,
        pattern: &Arc<str>,
    ) -> Option<LanguageId> {
        if !self.patterns.contains_key(pattern) {
            let result = match pattern::language(pattern) {
                Ok(regex) => self.languages.of_regex(&regex).map_err(|reason| (reason.to_string(), true)),
                Err(error) => Err((
                    format!("{} (at character {})", error.message, error.position + 1),
                    error.unsupported,
                )),
            };
            self.patterns.insert(pattern.clone(), result);
        }
        match self.patterns[pattern].clone() {
            Ok(language) => Some(language),
            Err((why, true)) => {
                let help =
                    "write the pattern without lookaround and back references, and with smaller bounds";
                let clause = self.unenforced(keyword, why, "strings that do not match", help);
                schema.clauses.push(clause);
                None
            }
            Err((why, false)) => {
                let pointer = self.pointer_to(keyword);
                self.error_at(
                    pointer,
                    Code::InvalidPattern,
                    format!("{pattern:?} is no regular expression: {why}"),
                    "",
                );
                None
            }
        }
    }

    fn load_format(&mut self, source: &Source, schema: &mut Schema) {
        let Some(value) = source.get("format") else { return };
        let Some(name) = self.values.string(value).cloned() else {
            self.below("format", |loader| loader.invalid("the name of a format is expected here"));
            return;
        };
        let known =
            if self.options.formats == Formats::Assert { format::find(&name, source.draft) } else { None };
        match known {
            None => self.note("format", Coverage::Annotation),
            Some(format::Format::Numbers { least, greatest }) if schema.numbers != Languages::NOTHING => {
                for (bound, wanted) in
                    [(least, Ordering::is_ge as fn(Ordering) -> bool), (greatest, Ordering::is_le)]
                {
                    let numbers = Decimal::parse(bound).and_then(|bound| number::comparing(&bound, wanted));
                    self.restrict_numbers(schema, "format", numbers, "it has too many digits");
                }
                let integers = self.languages.add_shared(number::integers(true));
                let narrowed = self.languages.intersect(schema.numbers, integers);
                schema.numbers = self.bounded(schema, "format", narrowed).unwrap_or(schema.numbers);
            }
            Some(format::Format::Texts(format)) if schema.strings != Languages::NOTHING => {
                let language = self.languages.of_format(format);
                self.restrict_strings(schema, "format", language);
                if let Some((why, admits)) = format.gap() {
                    let help = "use a pattern, or let formats be annotations";
                    let clause = self.unenforced("format", why, admits, help);
                    schema.clauses.push(clause);
                }
            }
            Some(format::Format::Irregular { why }) if schema.strings != Languages::NOTHING => {
                let help = "let formats be annotations, or use a pattern";
                let clause = self.unenforced("format", why, "all strings", help);
                schema.clauses.push(clause);
            }
            Some(_) => {}
        }
    }
}
