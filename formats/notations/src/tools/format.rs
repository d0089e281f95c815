//! A format of structural tags, and its text with the places of the schemas in it.

use super::definitions::{Kind, Schema};
use super::template::Part;
use crate::structural_tag::style::GivenStyle;
use gcc_grammar_ir::Diagnostic;
use gcc_grammar_limits::Budget;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A format. The comments name the type in a structural tag.
#[derive(Clone, Debug)]
pub(super) enum Format {
    /// `const_string`
    Text(String),
    /// `regex`
    Pattern(String),
    /// `json_schema`: the number of the schema, and how its values are written; or the format that stands there
    Schema(usize, Form),
    /// `any_text` without these words
    Free(Vec<Word>),
    /// `any_text` without these words, of at most so many tokens
    Limited(Vec<Word>, u32),
    /// `sequence`
    Sequence(Vec<Format>),
    /// `or`
    Choice(Vec<Format>),
    /// `optional`
    Optional(Box<Format>),
    /// `star`
    Star(Box<Format>),
    /// `tag`
    Tag { begin: String, content: Box<Format>, ends: Vec<String> },
    /// `rule`: by number
    Rule(usize),
    /// `dispatch`; `again` says that there may be several
    Dispatch { rules: Vec<(Word, Format)>, excludes: Vec<Word>, again: bool },
}

/// A word that free text does not contain: texts and patterns.
pub(super) type Word = Vec<Part>;

/// How the values of a schema are written.
#[derive(Clone, Debug, Default)]
pub(super) struct Form {
    pub(super) style: GivenStyle,
    /// The most keys of an object that come in any order.
    pub(super) any_order: u32,
    /// Whether the values are objects.
    pub(super) only_objects: bool,
}

/// The text of a structural tag.
pub(super) struct Written {
    pub(super) text: String,
    pub(super) places: Places,
}

/// Where the schemas in a structural tag come from: JSON Pointers into the tag, and into the definitions.
pub(super) struct Places(BTreeMap<String, Origin>);

/// A place in the definitions, and whether all that stands in the tag for it is about this place.
struct Origin {
    pointer: String,
    whole: bool,
}

impl Places {
    /// The place in the definitions; the whole of them for other places of the tag.
    pub(super) fn find(&self, pointer: &str) -> String {
        let before = self.0.range(..=pointer.to_owned()).next_back();
        let found = before.and_then(|(place, origin)| Some((pointer.strip_prefix(place.as_str())?, origin)));
        found.map_or_else(
            String::new,
            |(rest, Origin { pointer, whole })| {
                if *whole { pointer.clone() } else { format!("{pointer}{rest}") }
            },
        )
    }
}

/// The format of an output, with formats that stand in it by number.
pub(super) struct Output {
    pub(super) format: Format,
    pub(super) rules: Vec<Format>,
}

/// Writes a format as a structural tag.
pub(super) fn write(output: &Output, schemas: &[Schema<'_>], budget: &Budget) -> Result<Written, Diagnostic> {
    let mut writer =
        Writer { schemas, budget, text: String::new(), pointer: String::new(), places: BTreeMap::new() };
    writer.text.push_str(r#"{"type":"structural_tag","rules":{"#);
    for (number, rule) in output.rules.iter().enumerate() {
        let comma = if number == 0 { "" } else { "," };
        let _ = write!(writer.text, r#"{comma}"{number}":"#);
        writer.at(format_args!("rules/{number}"), |writer| writer.format(rule))?;
    }
    writer.text.push_str(r#"},"format":"#);
    writer.at("format", |writer| writer.format(&output.format))?;
    writer.text.push('}');
    Ok(Written { text: writer.text, places: Places(writer.places) })
}

struct Writer<'a> {
    schemas: &'a [Schema<'a>],
    budget: &'a Budget,
    text: String,
    /// Where the writer is.
    pointer: String,
    places: BTreeMap<String, Origin>,
}

impl Writer<'_> {
    /// Writes something below a member or item.
    fn at(
        &mut self,
        segment: impl std::fmt::Display,
        write: impl FnOnce(&mut Self) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let length = self.pointer.len();
        let _ = write!(self.pointer, "/{segment}");
        let written = write(self);
        self.pointer.truncate(length);
        written
    }

    /// The nesting of formats is that of the table of families, a dozen levels.
    fn format(&mut self, format: &Format) -> Result<(), Diagnostic> {
        match format {
            Format::Text(text) => self.object("const_string", "value", &json(text)),
            Format::Pattern(pattern) => self.object("regex", "pattern", &json(pattern)),
            Format::Rule(number) => self.object("rule", "name", &json(&number.to_string())),
            Format::Free(excludes) => self.object("any_text", "excludes", &words(excludes)),
            Format::Limited(excludes, most) => {
                let _ = write!(
                    self.text,
                    r#"{{"type":"any_text","excludes":{},"max_tokens":{most}}}"#,
                    words(excludes)
                );
            }
            Format::Schema(schema, form) => return self.schema(*schema, form),
            Format::Sequence(elements) => return self.elements("sequence", elements),
            Format::Choice(elements) => return self.elements("or", elements),
            Format::Optional(content) => return self.content("optional", content),
            Format::Star(content) => return self.content("star", content),
            Format::Tag { begin, content, ends } => {
                let _ = write!(self.text, r#"{{"type":"tag","begin":{},"content":"#, json(begin));
                self.at("content", |writer| writer.format(content))?;
                let _ = write!(self.text, r#","end":{}}}"#, list(ends));
            }
            Format::Dispatch { rules, excludes, again } => {
                let _ = write!(
                    self.text,
                    r#"{{"type":"dispatch","loop":{again},"excludes":{},"rules":["#,
                    words(excludes)
                );
                for (index, (trigger, format)) in rules.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    let _ = write!(self.text, "{comma}[{},", word(trigger));
                    self.at(format_args!("rules/{index}/1"), |writer| writer.format(format))?;
                    self.text.push(']');
                }
                self.text.push_str("]}");
            }
        }
        Ok(())
    }

    fn object(&mut self, kind: &str, member: &str, value: &str) {
        let _ = write!(self.text, r#"{{"type":"{kind}","{member}":{value}}}"#);
    }

    fn schema(&mut self, schema: usize, form: &Form) -> Result<(), Diagnostic> {
        let Schema { text, pointer, kind } = &self.schemas[schema];
        self.budget.charge_bytes((text.len() + self.pointer.len() + pointer.len()) as u64)?;
        let origin = Origin { pointer: pointer.clone(), whole: *kind == Kind::Made };
        if *kind != Kind::Schema {
            self.places.insert(self.pointer.clone(), origin);
            self.text.push_str(text);
            return Ok(());
        }
        self.places.insert(format!("{}/json_schema", self.pointer), origin);
        let Form { style, any_order, only_objects } = form;
        let style = serde_json::to_string(style).unwrap_or_default();
        let _ = write!(
            self.text,
            r#"{{"type":"json_schema","style":{style},"any_order":{any_order},"only_objects":{only_objects},"json_schema":{text}}}"#
        );
        Ok(())
    }

    fn elements(&mut self, kind: &str, elements: &[Format]) -> Result<(), Diagnostic> {
        let _ = write!(self.text, r#"{{"type":"{kind}","elements":["#);
        for (index, element) in elements.iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            self.at(format_args!("elements/{index}"), |writer| writer.format(element))?;
        }
        self.text.push_str("]}");
        Ok(())
    }

    fn content(&mut self, kind: &str, content: &Format) -> Result<(), Diagnostic> {
        let _ = write!(self.text, r#"{{"type":"{kind}","content":"#);
        self.at("content", |writer| writer.format(content))?;
        self.text.push('}');
        Ok(())
    }
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A text, or a `regex`.
fn word(parts: &Word) -> String {
    if let [Part::Text(text)] = &parts[..] {
        return json(text);
    }
    let pattern = parts.iter().map(|part| match part {
        Part::Text(text) => literal(text),
        Part::Pattern(pattern) => format!("({pattern})"),
        Part::Arguments => String::new(),
    });
    format!(r#"{{"type":"regex","pattern":{}}}"#, json(&pattern.collect::<String>()))
}

fn words(words: &[Word]) -> String {
    format!("[{}]", words.iter().map(word).collect::<Vec<_>>().join(","))
}

/// The pattern of a text.
fn literal(text: &str) -> String {
    let escaped = text.chars().flat_map(|character| {
        let special = r"\^$.|?*+()[]{}/".contains(character);
        special.then_some('\\').into_iter().chain([character])
    });
    escaped.collect()
}

fn list(texts: &[String]) -> String {
    serde_json::Value::from(texts).to_string()
}
