//! What an answer is that is no call: `response_format` and its relatives.

use super::definitions::{Definitions, Kind};
use super::gemini;
use crate::structural_tag::json::{Object, Place, known_members, nearly, words};
use gcc_grammar_ir::{Code, Diagnostic, Location};
use serde_json::value::RawValue;
use std::fmt::Write as _;

/// The schema of an answer that is any object, or any value.
const ANY_OBJECT: &str = r#"{"type": "object"}"#;
const ANY_VALUE: &str = "{}";

/// The types of formats.
const TYPES: &str = "json_schema json_object text structural_tag";

/// The members of a `json_schema`, in an object of its own or beside the type.
const SCHEMA: &str = "name description schema strict";

/// Members of Gemini's `generationConfig` that are no matter of the grammar.
const IGNORED: &str = "temperature topP topK candidateCount maxOutputTokens stopSequences responseModalities presencePenalty frequencyPenalty seed \
    responseLogprobs logprobs enableEnhancedCivicAnswers speechConfig thinkingConfig imageConfig mediaResolution audioTimestamp \
    routingConfig";

/// Whether an object is a format of an answer.
pub(super) fn is_format(kind: &str) -> bool {
    words(TYPES).any(|known| known == kind)
}

impl<'t> Definitions<'t> {
    /// `response_format` of Chat Completions, `text.format` of Responses, `output_format` of Messages.
    pub(super) fn response_format(&mut self, object: &Object<'t>) -> Result<(), Diagnostic> {
        let kind = object.text("type")?;
        match kind.as_str() {
            "text" => known_members(object, "type", "this format")?,
            "json_object" => {
                let schema = object.given("schema json_schema").next();
                known_members(object, &format!("type {}", schema.unwrap_or_default()), "this format")?;
                self.answer = Some(match schema {
                    Some(member) => self.schema(object.place(member)?)?,
                    None => self.add(ANY_OBJECT.into(), object.pointer.clone(), Kind::Schema),
                });
            }
            "json_schema" if object.has("json_schema") => {
                known_members(object, "type json_schema", "this format")?;
                let inner = object.object("json_schema")?;
                known_members(&inner, SCHEMA, "this format")?;
                self.answer = Some(self.schema(inner.place("schema")?)?);
            }
            "json_schema" => {
                known_members(object, &format!("type {SCHEMA}"), "this format")?;
                self.answer = Some(self.schema(object.place("schema")?)?);
            }
            "structural_tag" => self.structural_tag(object)?,
            _ => {
                let advice = nearly(&kind, words(TYPES));
                let error = object.error("type", format!("there is no response format {kind:?}"));
                return Err(error.help(format!(
                    "{advice}the formats are json_schema, json_object, structural_tag and text"
                )));
            }
        }
        Ok(())
    }

    /// `format` of Ollama: a schema, or `"json"` for any object.
    pub(super) fn format_of_ollama(&mut self, place: Place<'t>) -> Result<(), Diagnostic> {
        self.answer = match place.value.get() {
            "\"json\"" => Some(self.add(ANY_OBJECT.into(), place.pointer, Kind::Schema)),
            "\"\"" => self.answer,
            _ => Some(self.schema(place)?),
        };
        Ok(())
    }

    /// A structural tag: its format, or the older form with `structures` and `triggers`.
    fn structural_tag(&mut self, object: &Object<'t>) -> Result<(), Diagnostic> {
        let answer = if object.has("structures") {
            known_members(object, "type structures triggers", "this format")?;
            self.add(triggered(object)?.into(), object.pointer.clone(), Kind::Format)
        } else {
            known_members(object, "type format", "this format")?;
            let place = object.place("format")?;
            if !place.value.get().starts_with('{') {
                return Err(place.error("expected a format as an object"));
            }
            self.add(place.value.get().into(), place.pointer, Kind::Format)
        };
        self.answer = Some(answer);
        Ok(())
    }

    /// The members of Gemini's `generationConfig` about the answer.
    pub(super) fn generation(&mut self, object: &Object<'t>) -> Result<(), Diagnostic> {
        let first = |members| object.given(members).next();
        let kind = first("responseMimeType response_mime_type");
        let schema = first("responseSchema response_schema");
        let json = first("responseJsonSchema response_json_schema _responseJsonSchema _response_json_schema");
        let mut members: Vec<&str> = [kind, schema, json].into_iter().flatten().chain([IGNORED]).collect();
        let snake = snake_case(IGNORED);
        members.push(&snake);
        known_members(object, &members.join(" "), "generationConfig")?;
        let kind = kind.map(|member| object.text(member).map(|kind| (member, kind))).transpose()?;
        if let Some((member, other)) =
            kind.as_ref().filter(|(_, kind)| !matches!(kind.as_str(), "application/json" | "text/plain"))
        {
            let error = object.error(member, format!("an answer of the type {other:?} is not read"));
            return Err(error.help("give application/json with a schema, or text/plain"));
        }
        self.answer = match (json, schema, kind) {
            (Some(member), ..) => Some(self.schema(object.place(member)?)?),
            (None, Some(member), _) => {
                let place = object.place(member)?;
                let schema = gemini::schema(&place)?;
                Some(self.add(schema.into(), place.pointer, Kind::Schema))
            }
            (None, None, Some((_, kind))) if kind == "application/json" => {
                Some(self.add(ANY_VALUE.into(), object.pointer.clone(), Kind::Schema))
            }
            _ => self.answer,
        };
        Ok(())
    }

    /// A structural tag has free text, in which calls would have no bounds.
    pub(super) fn check_answer(&self, has_calls: bool) -> Result<(), Diagnostic> {
        let Some(answer) = self.answer.map(|answer| &self.schemas[answer]) else { return Ok(()) };
        if answer.kind == Kind::Schema || !has_calls {
            return Ok(());
        }
        let message = "a structural tag beside tools that may be called: its free text would bound no call";
        let error = Diagnostic::error(Code::BadTools, message).at(Location::Pointer(answer.pointer.clone()));
        Err(error.help("write the calls as tags of the structural tag, or choose none of the tools"))
    }
}

fn snake_case(name: &str) -> String {
    let small = |letter: char| {
        if letter.is_ascii_uppercase() {
            format!("_{}", letter.to_ascii_lowercase())
        } else {
            letter.to_string()
        }
    };
    name.chars().map(small).collect()
}

/// The format of structures and their triggers.
fn triggered(object: &Object<'_>) -> Result<String, Diagnostic> {
    let triggers: &RawValue = object.place("triggers")?.value;
    let mut text = format!(r#"{{"type":"triggered_tags","triggers":{triggers},"tags":["#);
    for (index, structure) in object.objects("structures")?.into_iter().enumerate() {
        known_members(&structure, "begin schema end", "a structure")?;
        let [begin, schema, end] = ["begin", "schema", "end"].map(|member| structure.place(member));
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(
            text,
            r#"{comma}{{"type":"tag","begin":{},"content":{{"type":"json_schema","json_schema":{}}},"end":{}}}"#,
            begin?.value, schema?.value, end?.value
        );
    }
    text.push_str("]}");
    Ok(text)
}
