//! Gemini's dialect of JSON Schema: types in capital letters, `nullable`, and numbers as texts. It becomes JSON Schema, with the order of its members, and
//! of properties that of `propertyOrdering`.

use crate::structural_tag::json::Place;
use gcc_grammar_ir::Diagnostic;
use gcc_grammar_ir::json::Written;
use rustc_hash::FxHashMap;
use serde_json::value::RawValue;

/// Deeper schemas stay as they are: the reader of schemas refuses them.
const MAX_DEPTH: u32 = 100;

/// Members whose value is a schema, a list of schemas, and an object of schemas.
const SCHEMA: [&str; 3] = ["items", "additionalProperties", "not"];
const SCHEMAS: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];
const NAMED: [&str; 4] = ["properties", "$defs", "defs", "patternProperties"];
/// Members that are numbers, and may be written as texts.
const NUMBERS: [&str; 6] =
    ["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"];
/// Members that have no counterpart.
const LEFT_OUT: [&str; 2] = ["nullable", "propertyOrdering"];

/// The JSON Schema of a schema in this dialect.
pub(super) fn schema(place: &Place<'_>) -> Result<String, Diagnostic> {
    if !place.value.get().starts_with('{') {
        return Err(place.error("expected a schema as an object"));
    }
    let mut text = String::new();
    write(place.value, Shape::Schema, 0, &mut text);
    Ok(text)
}

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Schema,
    Schemas,
    Named,
    Number,
    Other,
}

impl Shape {
    fn of(member: &str) -> Self {
        match member {
            _ if SCHEMA.contains(&member) => Self::Schema,
            _ if SCHEMAS.contains(&member) => Self::Schemas,
            _ if NAMED.contains(&member) => Self::Named,
            _ if NUMBERS.contains(&member) => Self::Number,
            _ => Self::Other,
        }
    }
}

/// Writes a value. The nesting is bounded.
fn write(value: &RawValue, shape: Shape, depth: u32, out: &mut String) {
    let text = value.get();
    match shape {
        Shape::Number => out.push_str(digits(text).unwrap_or(text)),
        Shape::Schemas if text.starts_with('[') && depth < MAX_DEPTH => {
            let items: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_default();
            out.push('[');
            for (index, item) in items.into_iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                write(item, Shape::Schema, depth + 1, out);
            }
            out.push(']');
        }
        Shape::Schema | Shape::Named if text.starts_with('{') && depth < MAX_DEPTH => {
            match serde_json::from_str::<Written<&RawValue>>(text) {
                Ok(Written(members)) => members_of(&members, shape, depth, out),
                Err(_) => out.push_str(text),
            }
        }
        _ => out.push_str(text),
    }
}

fn members_of(members: &[(String, &RawValue)], shape: Shape, depth: u32, out: &mut String) {
    let is_schema = shape == Shape::Schema;
    let nullable =
        is_schema && members.iter().any(|(name, value)| name == "nullable" && value.get() == "true");
    let mut separator = '{';
    for (name, value) in members {
        if is_schema && (LEFT_OUT.contains(&name.as_str()) || is_unspecified(name, value)) {
            continue;
        }
        out.push(separator);
        separator = ',';
        out.push_str(&serde_json::Value::from(name.as_str()).to_string());
        out.push(':');
        match name.as_str() {
            "type" if is_schema => out.push_str(&kind(value.get(), nullable)),
            "properties" if is_schema && depth < MAX_DEPTH => match in_order(value, members) {
                Some(sorted) => members_of(&sorted, Shape::Named, depth + 1, out),
                None => write(value, Shape::Named, depth + 1, out),
            },
            "enum" if is_schema && nullable => out.push_str(&with_null(value.get())),
            _ if is_schema => write(value, Shape::of(name), depth + 1, out),
            _ => write(value, Shape::Schema, depth + 1, out),
        }
    }
    out.push_str(if separator == '{' { "{}" } else { "}" });
}

/// The properties of a schema that says their order; those that it does not name come last.
fn in_order<'v>(
    properties: &'v RawValue,
    schema: &[(String, &RawValue)],
) -> Option<Vec<(String, &'v RawValue)>> {
    let (_, order) = schema.iter().find(|(name, _)| name == "propertyOrdering")?;
    let order: Vec<String> = serde_json::from_str(order.get()).ok()?;
    let Written(mut properties) = serde_json::from_str::<Written<&RawValue>>(properties.get()).ok()?;
    let places: FxHashMap<&str, usize> =
        order.iter().enumerate().map(|(place, name)| (&**name, place)).collect();
    properties.sort_by_key(|(name, _)| places.get(name.as_str()).copied().unwrap_or(order.len()));
    Some(properties)
}

fn is_unspecified(name: &str, value: &RawValue) -> bool {
    name == "type" && value.get() == "\"TYPE_UNSPECIFIED\""
}

/// A type in small letters, and null beside it.
fn kind(text: &str, nullable: bool) -> String {
    let small = if text.starts_with('"') { text.to_lowercase() } else { text.to_owned() };
    if nullable && small.starts_with('"') { format!("[{small},\"null\"]") } else { small }
}

fn with_null(text: &str) -> String {
    match text.trim_end().strip_suffix(']') {
        Some(list) if list.trim() != "[" => format!("{list},null]"),
        _ => text.to_owned(),
    }
}

/// The digits of a number that is written as a text.
fn digits(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    (!inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit())).then_some(inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_ir::Code;

    #[test]
    fn schemas_become_json_schema() {
        for (given, expected) in [
            (
                r#"{"type": "OBJECT", "properties": {"type": {"type": "STRING"}}, "required": ["type"]}"#,
                r#"{"type":"object","properties":{"type":{"type":"string"}},"required":["type"]}"#,
            ),
            (
                r#"{"type": "ARRAY", "items": {"type": "INTEGER"}, "minItems": "2"}"#,
                r#"{"type":"array","items":{"type":"integer"},"minItems":2}"#,
            ),
            (
                r#"{"type": "STRING", "nullable": true, "enum": ["A"]}"#,
                r#"{"type":["string","null"],"enum":["A",null]}"#,
            ),
            (
                r#"{"anyOf": [{"type": "NUMBER"}, {"type": "BOOLEAN", "nullable": false}]}"#,
                r#"{"anyOf":[{"type":"number"},{"type":"boolean"}]}"#,
            ),
            (
                r#"{"properties": {"a": {"type": "STRING"}, "c": {}, "b": {}}, "propertyOrdering": ["b", "c"]}"#,
                r#"{"properties":{"b":{},"c":{},"a":{"type":"string"}}}"#,
            ),
            (r#"{"type": "TYPE_UNSPECIFIED", "propertyOrdering": ["b"]}"#, "{}"),
            (
                r#"{"properties": {"nullable": {"type": "STRING"}, "enum": {"type": "string"}}}"#,
                r#"{"properties":{"nullable":{"type":"string"},"enum":{"type":"string"}}}"#,
            ),
        ] {
            assert_eq!(schema(&Place::root(given, Code::BadTools).expect(given)).expect(given), expected);
        }
        let deep = format!("{}{}", r#"{"items":"#.repeat(5000) + "{}", "}".repeat(5000));
        assert!(schema(&Place::root(&deep, Code::BadTools).expect("JSON")).is_ok());
    }
}
