//! The keywords of JSON Schema: which contain subschemas, which restrict values, and which values they allow.
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

/// A keyword with a meaning.
#[derive(Clone, Copy)]
struct Keyword {
    /// The values that it allows, in words; empty if its reader says so in other words.
    wants: &'static str,
    subschemas: Option<Subschemas>,
    /// Whether its subschemas do not govern a value of their own.
    is_in_place: bool,
}

/// Declares the keywords, each with the fields of a [`Keyword`].
macro_rules! keywords {
    ($($name:literal, $wants:literal, $subschemas:expr, $is_in_place:literal;)+) => {
        /// The names of all keywords.
        const NAMES: &[&str] = &[$($name),+];

        fn find(keyword: &str) -> Option<Keyword> {
            Some(match keyword {
                $($name => Keyword { wants: $wants, subschemas: $subschemas, is_in_place: $is_in_place },)+
                _ => return None,
            })
        }
    };
}

use Subschemas::{Direct, Named};

keywords! {
    "type", "", None, false;
    "enum", "a list", None, false;
    "const", "", None, false;
    "properties", "an object", Some(Named), false;
    "required", "a list", None, false;
    "additionalProperties", "a schema", Some(Direct), false;
    "patternProperties", "an object", Some(Named), false;
    "propertyNames", "a schema", Some(Direct), true;
    "unevaluatedProperties", "a schema", Some(Direct), false;
    "minProperties", "a non-negative integer", None, false;
    "maxProperties", "a non-negative integer", None, false;
    "dependentRequired", "an object", None, false;
    "dependentSchemas", "an object", Some(Named), true;
    "dependencies", "an object", Some(Named), true;
    "items", "a schema or a list of schemas", Some(Direct), false;
    "prefixItems", "a list", Some(Direct), false;
    "additionalItems", "a schema", Some(Direct), false;
    "unevaluatedItems", "a schema", Some(Direct), false;
    "contains", "a schema", Some(Direct), false;
    "minContains", "a non-negative integer", None, false;
    "maxContains", "a non-negative integer", None, false;
    "minItems", "a non-negative integer", None, false;
    "maxItems", "a non-negative integer", None, false;
    "uniqueItems", "true or false", None, false;
    "minimum", "a number", None, false;
    "maximum", "a number", None, false;
    "exclusiveMinimum", "a number, or in draft 4 true or false", None, false;
    "exclusiveMaximum", "a number, or in draft 4 true or false", None, false;
    "multipleOf", "a number", None, false;
    "minLength", "a non-negative integer", None, false;
    "maxLength", "a non-negative integer", None, false;
    "pattern", "a string", None, false;
    "format", "a string", None, false;
    "allOf", "a list", Some(Direct), true;
    "anyOf", "a list", Some(Direct), true;
    "oneOf", "a list", Some(Direct), true;
    "then", "a schema", Some(Direct), true;
    "else", "a schema", Some(Direct), true;
    "not", "a schema", Some(Direct), true;
    "if", "a schema", Some(Direct), true;
    "$ref", "a string", None, false;
    "$dynamicRef", "a string", None, false;
    "$recursiveRef", "a string", None, false;
    "$defs", "", Some(Named), false;
    "definitions", "", Some(Named), false;
}

/// How a keyword contains subschemas; `None` if it has none.
pub(crate) fn applicator(keyword: &str) -> Option<Subschemas> {
    find(keyword)?.subschemas
}

/// Whether the subschemas of a keyword do not govern a value of their own: they apply to the value of the schema itself, or to keys.
pub(crate) fn is_in_place(keyword: &str) -> bool {
    find(keyword).is_some_and(|keyword| keyword.is_in_place)
}

/// The values that a keyword allows, in words; `None` for annotations and unknown keywords.
pub(crate) fn wanted(keyword: &str) -> Option<&'static str> {
    find(keyword).map(|keyword| keyword.wants).filter(|wants| !wants.is_empty())
}

/// Whether the keyword restricts values.
pub(crate) fn is_assertion(keyword: &str) -> bool {
    !matches!(keyword, "$defs" | "definitions") && find(keyword).is_some()
}

/// The keywords that restrict values, except references and those of three letters or fewer, which too many other words resemble.
pub(crate) fn long_assertions() -> impl Iterator<Item = &'static str> {
    NAMES.iter().copied().filter(|name| name.len() > 3 && !name.starts_with('$') && is_assertion(name))
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
