//! What an artifact was compiled from, read again from its metadata.

use gcc_grammar::diagnostic::line_and_column;
use gcc_grammar::metadata::Metadata;
use gcc_grammar::{Location, Options, Parsed, Session, Source, parse_for};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// A rule, and where it is written.
pub(crate) struct WrittenRule {
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// The rules of the source in which terminals stand, in the order in which they are written; none if the source is a schema, or cannot be read as it was.
pub(crate) fn rules_with(terminals: &BTreeSet<&str>, session: &Session) -> Vec<WrittenRule> {
    let Some(parsed) = parsed(session) else { return Vec::new() };
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

/// The source of an artifact, if that is one text that gives the rules and terminals of the artifact.
fn parsed(session: &Session) -> Option<Parsed> {
    let metadata = session.artifact().metadata(session.engine().grammar()).ok()?;
    if !metadata.source.imports.is_empty() {
        return None;
    }
    let options = Options::from_json(&options(&metadata).to_string()).ok()?;
    let source =
        Source::named(metadata.source.format.parse().ok()?, session.artifact().name(), metadata.source.text);
    let parsed = parse_for(&source, session.vocabulary(), &options).ok()?;
    let is_same = parsed.grammar.rules.iter().map(|rule| &rule.name).eq(&metadata.rules)
        && parsed.grammar.terminals.iter().map(|terminal| &terminal.name).eq(&metadata.terminals);
    is_same.then_some(parsed)
}

/// The options that an artifact stores by name, as the library reads them; none if they are not all among those that it reads.
pub(crate) fn options(metadata: &Metadata) -> Value {
    let value = |text: &str| match text {
        "true" | "false" => (text == "true").into(),
        _ => text.into(),
    };
    let named = metadata.options.iter().filter(|(name, _)| name != "choice-lengths");
    let mut options: Map<String, Value> =
        named.map(|(name, text)| (name.replace('-', "_"), value(text))).collect();
    let digits =
        options.get("number_digits").and_then(Value::as_str).and_then(|text| text.parse::<u16>().ok());
    if let Some(digits) = digits {
        options.insert("number_digits".to_owned(), digits.into());
    }
    let resources =
        metadata.source.imports.iter().map(|import| (import.name.clone(), import.text.as_str().into()));
    let resources: Map<String, Value> = resources.collect();
    if !resources.is_empty() {
        options.insert("resources".to_owned(), resources.into());
    }
    let options = Value::Object(options);
    if Options::from_json(&options.to_string()).is_ok() { options } else { json!({}) }
}
