//! The keywords about strings: `pattern`, lengths and `format`.
//!
//! Each becomes a language of texts, and the strings of the schema are narrowed to it. A keyword without a
//! language (a pattern with back references, for instance) is an error or becomes an unknown condition of the
//! schema.

use super::loader::{Loader, NoLanguage};
use super::source::Source;
use super::values::CHARACTERS;
use crate::languages::format::{self, Format};
use crate::languages::{LanguageId, Languages, Lengths, pattern};
use crate::options::Formats;
use crate::report::Coverage;
use crate::schema::Schema;
use gcc_grammar_ir::Code;
use std::sync::Arc;

impl Loader<'_> {
    /// Restricts the strings of a schema.
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
                        self.match_whole(source, schema, &pattern, language);
                    }
                }
                None => {
                    self.descend("pattern", |loader| loader.invalid("a regular expression is expected here"))
                }
            }
        }
        let (min, max) = self.bounds(source, schema, ("minLength", "maxLength"), &CHARACTERS);
        let min = min.unwrap_or(0);
        if min > 0 || max.is_some() {
            let keyword = if max.is_some() { "maxLength" } else { "minLength" };
            let lengths = self.languages.add_lengths(Lengths { min, max });
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
        let narrowed = self.languages.intersect(schema.strings, language);
        schema.strings = self.within_limits(schema, keyword, narrowed).unwrap_or(schema.strings);
    }

    /// The language of a pattern. If it has none, adds an error, or an unknown condition to the schema.
    pub(super) fn pattern(
        &mut self,
        schema: &mut Schema,
        keyword: &str,
        pattern: &Arc<str>,
    ) -> Option<LanguageId> {
        if !self.patterns.contains_key(pattern) {
            let result = match pattern::language(pattern) {
                Ok(regex) => self
                    .languages
                    .add_regex(&regex)
                    .map_err(|reason| NoLanguage::Unsupported(reason.to_string())),
                Err(error) => {
                    let why = format!("{} (at character {})", error.message, error.position + 1);
                    Err(if error.unsupported {
                        NoLanguage::Unsupported(why)
                    } else {
                        NoLanguage::Invalid(why)
                    })
                }
            };
            self.patterns.insert(pattern.clone(), result);
        }
        match self.patterns[pattern].clone() {
            Ok(language) => Some(language),
            Err(NoLanguage::Unsupported(why)) => {
                let help =
                    "write the pattern without back references, with less lookaround and smaller bounds";
                let clause = self.unenforced(keyword, why, "strings that do not match", help);
                schema.clauses.push(clause);
                None
            }
            Err(NoLanguage::Invalid(why)) => {
                let pointer = self.pointer_to(keyword);
                self.error_at(
                    pointer,
                    Code::InvalidPattern,
                    format!("{pattern:?} is not a regular expression: {why}"),
                    "correct the pattern; its syntax is that of ECMA-262",
                );
                None
            }
        }
    }

    /// Restricts the strings or numbers of a schema to a format.
    fn load_format(&mut self, source: &Source, schema: &mut Schema) {
        let Some(value) = source.get("format") else { return };
        let Some(name) = self.values.string(value).cloned() else {
            self.descend("format", |loader| loader.invalid("the name of a format is expected here"));
            return;
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
                let language = self.languages.add_format(format);
                self.restrict_strings(schema, "format", language);
                if let Some(narrowed) = format.narrowed(source.draft) {
                    self.narrowed_formats.insert(source.place.1, narrowed);
                }
                if let Some((why, admits)) = format.gap() {
                    let help = "use a pattern, or let formats be annotations";
                    let clause = self.unenforced("format", why, admits, help);
                    schema.clauses.push(clause);
                }
            }
            Some(Format::Irregular { why }) if schema.strings != Languages::NOTHING => {
                let help = "let formats be annotations, or use a pattern";
                let clause = self.unenforced("format", why, "all strings", help);
                schema.clauses.push(clause);
            }
            Some(_) => {}
        }
    }
}
