//! The keywords of JSON Schema that contain subschemas, and the keywords that restrict values.
//!
//! Code that walks through a schema without loading it (the search for identifiers, the report) finds the
//! subschemas with the functions of this file, and names them by JSON Pointer (RFC 6901).

use super::document::{Value, ValueId, Values};

/// How the value of a keyword contains subschemas.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subschemas {
    /// One schema, or a list of them.
    Direct,
    /// An object whose members are schemas.
    Named,
}

/// How a keyword contains subschemas; `None` if it has none.
pub(crate) fn applicator(keyword: &str) -> Option<Subschemas> {
    Some(match keyword {
        "items"
        | "additionalItems"
        | "prefixItems"
        | "contains"
        | "unevaluatedItems"
        | "additionalProperties"
        | "propertyNames"
        | "unevaluatedProperties"
        | "allOf"
        | "anyOf"
        | "oneOf"
        | "not"
        | "if"
        | "then"
        | "else" => Subschemas::Direct,
        "properties" | "patternProperties" | "dependentSchemas" | "dependencies" | "$defs"
        | "definitions" => Subschemas::Named,
        _ => return None,
    })
}

/// Whether the subschemas of a keyword do not govern a value of their own: they apply to the value of the schema itself, or to keys.
pub(crate) fn is_in_place(keyword: &str) -> bool {
    matches!(
        keyword,
        "allOf"
            | "anyOf"
            | "oneOf"
            | "not"
            | "if"
            | "then"
            | "else"
            | "dependentSchemas"
            | "dependencies"
            | "propertyNames"
    )
}

/// The direct subschemas of a schema.
pub(super) fn subschemas(values: &Values, schema: ValueId) -> impl Iterator<Item = ValueId> {
    let keywords = match values.get(schema) {
        Value::Object(members) => &members[..],
        _ => &[],
    };
    keywords.iter().flat_map(|(keyword, value)| match (applicator(keyword), values.get(*value)) {
        (Some(Subschemas::Direct), Value::Array(items)) => items.to_vec(),
        (Some(Subschemas::Direct), _) => vec![*value],
        (Some(Subschemas::Named), Value::Object(members)) => {
            members.iter().map(|(_, value)| *value).collect()
        }
        _ => Vec::new(),
    })
}

/// The subschemas in the value of one keyword, each with its JSON Pointer. `pointer` is that of the keyword.
pub(crate) fn subschemas_below(
    values: &Values,
    (keyword, value): (&str, ValueId),
    pointer: &str,
) -> Vec<(ValueId, String)> {
    match (applicator(keyword), values.get(value)) {
        (Some(Subschemas::Direct), Value::Array(items)) => {
            items.iter().enumerate().map(|(index, &item)| (item, format!("{pointer}/{index}"))).collect()
        }
        (Some(Subschemas::Direct), _) => vec![(value, pointer.to_owned())],
        (Some(Subschemas::Named), Value::Object(members)) => {
            members.iter().map(|(name, value)| (*value, child_pointer(pointer, name))).collect()
        }
        _ => Vec::new(),
    }
}

/// The JSON Pointer of a member or item of the value at `pointer`.
pub(crate) fn child_pointer(pointer: &str, segment: &str) -> String {
    let mut child = String::with_capacity(pointer.len() + 1 + segment.len());
    child.push_str(pointer);
    push_segment(&mut child, segment);
    child
}

/// Makes a JSON Pointer one segment longer.
pub(crate) fn push_segment(pointer: &mut String, segment: &str) {
    pointer.push('/');
    for letter in segment.chars() {
        match letter {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            _ => pointer.push(letter),
        }
    }
}

/// The name that a segment of a JSON Pointer stands for.
pub(crate) fn name_of_segment(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

/// Whether the keyword restricts values.
pub(crate) fn is_assertion(keyword: &str) -> bool {
    let has_subschemas = applicator(keyword)
        .is_some_and(|kind| kind == Subschemas::Direct || keyword != "$defs" && keyword != "definitions");
    has_subschemas
        || matches!(
            keyword,
            "type"
                | "enum"
                | "const"
                | "required"
                | "dependentRequired"
                | "minimum"
                | "maximum"
                | "exclusiveMinimum"
                | "exclusiveMaximum"
                | "multipleOf"
                | "minLength"
                | "maxLength"
                | "pattern"
                | "format"
                | "minItems"
                | "maxItems"
                | "uniqueItems"
                | "minContains"
                | "maxContains"
                | "minProperties"
                | "maxProperties"
                | "$ref"
                | "$dynamicRef"
                | "$recursiveRef"
        )
}
