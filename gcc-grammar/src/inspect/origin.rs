//! What an artifact was compiled from, read again from its metadata.

use crate::error::{Error, ErrorKind};
use crate::metadata::Metadata;
use crate::sessions::session::Session;
use crate::sources::options::Options;
use crate::sources::parse::{Parsed, parse_for};
use crate::sources::source::Source;
use gcc_grammar_ir::diagnostic::line_and_column;
use gcc_grammar_ir::{Code, Diagnostic, Location};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The rules that are listed, at most.
const SHOWN: usize = 8;

/// A rule of a grammar, and where it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct WrittenRule {
    /// Its name.
    pub name: String,
    /// The line of the grammar, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

impl WrittenRule {
    /// Where rules stand, in words; only some of them if there are many.
    #[must_use]
    pub fn list(rules: &[Self]) -> String {
        let shown =
            rules.iter().take(SHOWN).map(|rule| format!("{} (line {})", rule.name.escape_debug(), rule.line));
        let shown: Vec<String> = shown.collect();
        let more = rules.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        shown.join(", ") + &more
    }
}

impl Session {
    /// The source that the artifact was compiled from, with the files that it imports, and the options that change the language.
    ///
    /// # Errors
    /// The metadata of the artifact cannot be read, or is of another version.
    pub fn source(&self) -> Result<(Source, Options), Error> {
        let metadata = self.metadata()?;
        let options = Options::from_json(&metadata.options_json().to_string())?;
        let Ok(notation) = metadata.source.format.parse() else {
            let message = format!("there is no notation {:?}", metadata.source.format);
            let diagnostic = Diagnostic::error(Code::OtherFormat, message).help("compile it again");
            return Err(Error::new(ErrorKind::Refused, self.artifact().name(), diagnostic));
        };
        let lengths = metadata.options.iter().find(|(name, _)| name == "choice-lengths");
        let choices = lengths.map(|(_, lengths)| split(&metadata.source.text, lengths));
        let source = Source::named(notation, self.artifact().name(), metadata.source.text);
        Ok((source.with_imports(metadata.source.imports).with_choices(choices), options))
    }

    /// The rules of the source in which terminals stand, by the names of the terminals, in the order in which they are written; none if the source is a schema,
    /// or cannot be read as it was.
    #[must_use]
    pub fn rules_with(&self, terminals: &BTreeSet<&str>) -> Vec<WrittenRule> {
        let Some(parsed) = self.parsed() else { return Vec::new() };
        let (grammar, of_terminals) = (&parsed.grammar, parsed.rules_of_terminals());
        let wanted = grammar.terminals.iter().zip(of_terminals);
        let wanted = wanted.filter(|(terminal, _)| terminals.contains(terminal.name.as_str()));
        let numbers: BTreeSet<usize> = wanted.flat_map(|(_, rules)| rules).collect();
        let written = |number: &usize| {
            let rule = grammar.rules.get(*number)?;
            let Some(Location::Span(span)) = &rule.location else { return None };
            let (line, column) = line_and_column(&parsed.text.text, span.start);
            Some(WrittenRule { name: rule.name.clone(), line, column })
        };
        let mut rules: Vec<WrittenRule> = numbers.iter().filter_map(written).collect();
        rules.sort_by_key(|rule| (rule.line, rule.column));
        // The parts of a rule have rules of their own, at the same place.
        rules.dedup_by_key(|rule| (rule.line, rule.column));
        rules
    }

    /// The grammar of the artifact, if its source gives the rules and terminals of the artifact.
    fn parsed(&self) -> Option<Parsed> {
        let (source, options) = self.source().ok().filter(|(source, _)| source.has_rules())?;
        let parsed = parse_for(&source, self.vocabulary(), &options).ok()?;
        let metadata = self.metadata().ok()?;
        let is_same = parsed.grammar.rules.iter().map(|rule| &rule.name).eq(&metadata.rules)
            && parsed.grammar.terminals.iter().map(|terminal| &terminal.name).eq(&metadata.terminals);
        is_same.then_some(parsed)
    }
}

/// The choices in a text, by their lengths in bytes. Between two of them is a line break.
fn split(text: &str, lengths: &str) -> Vec<String> {
    let mut rest = text;
    let mut choices = Vec::new();
    for length in lengths.split(' ').filter_map(|length| length.parse::<usize>().ok()) {
        choices.push(rest.get(..length).unwrap_or(rest).to_owned());
        rest = rest.get(length + 1..).unwrap_or_default();
    }
    choices
}

impl Metadata {
    /// The options that the artifact stores by name, as [`Options::from_json`] reads them; none if they are not all among those that it reads.
    #[must_use]
    pub fn options_json(&self) -> Value {
        let value = |text: &str| match text {
            "true" | "false" => (text == "true").into(),
            _ => text.into(),
        };
        let named = self.options.iter().filter(|(name, _)| name != "choice-lengths");
        let mut options: Map<String, Value> =
            named.map(|(name, text)| (name.replace('-', "_"), value(text))).collect();
        let digits =
            options.get("number_digits").and_then(Value::as_str).and_then(|text| text.parse::<u16>().ok());
        if let Some(digits) = digits {
            options.insert("number_digits".to_owned(), digits.into());
        }
        let resources =
            self.source.imports.iter().map(|import| (import.name.clone(), import.text.as_str().into()));
        let resources: Map<String, Value> = resources.collect();
        if !resources.is_empty() {
            options.insert("resources".to_owned(), resources.into());
        }
        let options = Value::Object(options);
        if Options::from_json(&options.to_string()).is_ok() { options } else { json!({}) }
    }
}
