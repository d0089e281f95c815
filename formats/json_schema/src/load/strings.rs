//! The keywords about strings: `pattern`, lengths and `format`.
//!
//! Each becomes a language of texts, and the strings of the schema are narrowed to it. A keyword without a
//! language (a pattern with back references, for instance) is an error or becomes an unknown condition of the
//! schema.

use super::loader::Loader;
use super::memos::{KnownPattern, NoLanguage};
use super::source::Source;
use super::values::Counted;
use crate::emit::check_spelled;
use crate::languages::format::{self, Format, TextFormat};
use crate::languages::pattern::PatternError;
use crate::languages::{LanguageId, Languages, Lengths, pattern};
use crate::options::{Formats, Unenforced};
use crate::report::Coverage;
use crate::schema::Schema;
use gcc_grammar_ir::Code;
use gcc_grammar_ir::diagnostic::shortened;
use gcc_grammar_limits::OverBudget;
use std::sync::Arc;

/// What a pattern that is left out admits.
const UNMATCHED: &str = "strings that do not match";

impl Loader<'_> {
    /// Restricts the strings of a schema.
    pub(super) fn load_strings(&mut self, source: &Source, schema: &mut Schema) {
        let longest = self.load_format(source, schema);
        if schema.strings == Languages::NOTHING {
            return;
        }
        if let Some(value) = source.get("pattern") {
            match self.values.string(value).cloned() {
                Some(pattern) => {
                    if let Some(language) = self.pattern(schema, "pattern", &pattern) {
                        self.restrict_strings(schema, "pattern", language);
                        self.match_whole(source, schema, &pattern, language);
                    }
                }
                None => {
                    self.descend("pattern", |loader| loader.invalid("a regular expression is expected here"))
                }
            }
        }
        let (min, max) = self.bounds(source, schema, ("minLength", "maxLength"), Counted::Characters);
        let min = min.unwrap_or(0);
        let keyword = match (min, max, longest) {
            (_, Some(max), longest) if longest.is_none_or(|longest| max <= longest) => "maxLength",
            (.., Some(_)) => "format",
            _ => "minLength",
        };
        let max = max.into_iter().chain(longest).min();
        if min > 0 || max.is_some() {
            let lengths = self.languages.in_half(|languages| languages.add_lengths(Lengths { min, max }));
            if let Some(lengths) = self.within_limits(schema, keyword, lengths) {
                self.restrict_strings(schema, keyword, lengths);
            }
        }
    }

    /// Lets a pattern that has the language `part` match whole strings only, if the profile does so.
    fn match_whole(&mut self, source: &Source, schema: &mut Schema, pattern: &str, part: LanguageId) {
        if !self.profile.is_whole(source.place.1) {
            return;
        }
        let whole: Arc<str> = format!("^(?:{pattern})$").into();
        if let Some(language) = self.pattern(schema, "pattern", &whole)
            && language != part
        {
            self.restrict_strings(schema, "pattern", language);
            self.profile.narrow_pattern(source.place.1);
        }
    }

    fn restrict_strings(&mut self, schema: &mut Schema, keyword: &str, language: LanguageId) {
        let options = self.options;
        let narrowed = self.languages.intersect(schema.strings, language).and_then(|narrowed| {
            if narrowed != language {
                self.languages.in_half(|languages| check_spelled(languages, narrowed, options))?;
            }
            Ok(narrowed)
        });
        schema.strings = self.within_limits(schema, keyword, narrowed).unwrap_or(schema.strings);
    }

    /// The language of a pattern. If it has none, adds an error, or an unknown condition to the schema.
    pub(super) fn pattern(
        &mut self,
        schema: &mut Schema,
        keyword: &str,
        pattern: &Arc<str>,
    ) -> Option<LanguageId> {
        if !self.strings.patterns.contains_key(pattern) {
            let known = self.read_pattern(pattern);
            self.strings.patterns.insert(pattern.clone(), known);
        }
        let KnownPattern { language, foreign } = self.strings.patterns[pattern].clone();
        self.warn_of_dialect(keyword, pattern, &foreign);
        match language {
            Ok(language) => Some(language),
            Err(NoLanguage::Unsupported(why)) => {
                let help =
                    "write the pattern without back references, with less lookaround and smaller bounds";
                let clause = self.unenforced(keyword, why, UNMATCHED, help);
                schema.clauses.push(clause);
                None
            }
            Err(NoLanguage::Invalid(why)) => {
                let why = format!("{:?} is not a regular expression: {why}", shortened(pattern));
                let help = "correct the pattern; its syntax is that of ECMA-262, and --unenforced allow leaves other ones out";
                match self.options.unenforced {
                    Unenforced::Allow => {
                        let clause = self.unenforced(keyword, why, UNMATCHED, help);
                        schema.clauses.push(clause);
                    }
                    Unenforced::Refuse => {
                        self.error_at(self.pointer_to(keyword), Code::InvalidPattern, why, help)
                    }
                }
                None
            }
        }
    }

    /// Reads a pattern for the first time.
    fn read_pattern(&mut self, pattern: &str) -> KnownPattern {
        let too_large = |over: OverBudget| NoLanguage::Unsupported(over.to_string());
        let known = |language| KnownPattern { language, foreign: Vec::new() };
        if let Err(over) =
            self.languages.in_half(|languages| pattern::charge(pattern, &languages.limits().budget))
        {
            return known(Err(too_large(over)));
        }
        match pattern::parse(pattern) {
            Ok(pattern) => {
                let options = self.options;
                let add = |languages: &mut Languages| {
                    let added = languages.add_pattern(&pattern)?;
                    check_spelled(languages, added, options).map(|()| added)
                };
                let language = self.languages.in_half(add).map_err(too_large);
                KnownPattern { language, foreign: pattern.foreign }
            }
            Err(PatternError { message, position, unsupported }) => {
                let why = format!("{message} (at character {})", position + 1);
                known(Err(if unsupported { NoLanguage::Unsupported(why) } else { NoLanguage::Invalid(why) }))
            }
        }
    }

    /// Warns of what a pattern has that ECMA-262 does not have.
    fn warn_of_dialect(&mut self, keyword: &str, pattern: &str, foreign: &[&str]) {
        if foreign.is_empty() {
            return;
        }
        let message = format!(
            "{pattern:?} has what ECMA-262 does not have, and is read as other dialects agree to read it: {}",
            foreign.join(", ")
        );
        let help = "other validators may refuse the pattern or read it in another way";
        self.warn(keyword, Code::ForeignPattern, message, help);
    }

    /// Restricts the strings or numbers of a schema to a format. Returns the maximum length of the strings, if the format has one beside its
    /// automaton.
    fn load_format(&mut self, source: &Source, schema: &mut Schema) -> Option<u32> {
        let value = source.get("format")?;
        let Some(name) = self.values.string(value).cloned() else {
            self.descend("format", |loader| loader.invalid("the name of a format is expected here"));
            return None;
        };
        let known =
            if self.options.formats == Formats::Assert { format::find(&name, source.draft) } else { None };
        match known {
            None => self.note("format", Coverage::Annotation),
            Some(Format::Numbers(format)) if schema.numbers != Languages::NOTHING => {
                let numbers = self.languages.add_shared(format.numbers());
                let narrowed = self.languages.intersect(schema.numbers, numbers);
                schema.numbers = self.within_limits(schema, "format", narrowed).unwrap_or(schema.numbers);
            }
            Some(Format::Texts(format)) if schema.strings != Languages::NOTHING => {
                self.restrict_to_format(source, schema, format);
                return format.max_length();
            }
            Some(_) => {}
        }
        None
    }

    fn restrict_to_format(&mut self, source: &Source, schema: &mut Schema, format: TextFormat) {
        if let Some(narrowed) = format.narrowed(source.draft) {
            self.findings.narrow(source.place.1, "format", narrowed);
        }
        let possible = self.languages.add_format(format);
        let Some((part, longest)) = format.part() else {
            self.restrict_strings(schema, "format", possible);
            return;
        };
        let mut certain = self.languages.add_format(part);
        if format.max_length().is_none() && longest.is_some() {
            let within = self.languages.in_half(|languages| {
                let lengths = languages.add_lengths(Lengths { min: 0, max: longest })?;
                languages.intersect(certain, lengths)
            });
            certain = self.within_limits(schema, "format", within).unwrap_or(Languages::NOTHING);
        }
        let mut strings = |language| self.schemas.add(Schema { strings: language, ..Schema::anything() });
        let (accepted, possible) = (strings(certain), strings(possible));
        self.restrict_between(schema, "format", accepted, possible);
    }
}
