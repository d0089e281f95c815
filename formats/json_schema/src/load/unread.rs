//! The type of value that each keyword demands, checked for keywords that were not read.
//!
//! A keyword about arrays has no effect in a schema of strings, so it is not loaded. If its value does not
//! even have a type that the keyword allows, the author is warned.

use super::loader::Loader;
use super::source::Source;
use crate::read::document::Value;
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, Location};

/// The values that a keyword allows; `None` for annotations and unknown keywords.
fn expected(keyword: &str) -> Option<&'static str> {
    Some(match keyword {
        "uniqueItems" => "true or false",
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minContains" | "maxContains"
        | "minProperties" | "maxProperties" => "a non-negative integer",
        "minimum" | "maximum" | "multipleOf" => "a number",
        "exclusiveMinimum" | "exclusiveMaximum" => "a number, or in draft 4 true or false",
        "pattern" | "format" | "$ref" | "$dynamicRef" | "$recursiveRef" => "a string",
        "enum" | "required" | "allOf" | "anyOf" | "oneOf" | "prefixItems" => "a list",
        "properties" | "patternProperties" | "dependentSchemas" | "dependentRequired" | "dependencies" => {
            "an object"
        }
        "items" => "a schema or a list of schemas",
        "additionalItems"
        | "contains"
        | "unevaluatedItems"
        | "additionalProperties"
        | "propertyNames"
        | "unevaluatedProperties"
        | "not"
        | "if"
        | "then"
        | "else" => "a schema",
        _ => return None,
    })
}

/// Whether a value is among the expected ones.
fn fits(expected: &str, value: &Value) -> bool {
    match value {
        Value::Bool(_) => expected.contains("true or false") || expected.contains("schema"),
        Value::Number(number) => match expected {
            "a non-negative integer" => number.is_integer() && !number.negative,
            _ => expected.starts_with("a number"),
        },
        Value::String(_) => expected == "a string",
        Value::Array(_) => expected.contains("list"),
        Value::Object(_) => expected.contains("schema") || expected == "an object",
        Value::Null => false,
    }
}

impl Loader<'_> {
    /// Warns of values that do not fit their keyword and have not led to an error.
    pub(super) fn check_unread(&mut self, source: &Source) {
        for (keyword, value) in source.keywords {
            let Some(expected) = expected(keyword) else { continue };
            if fits(expected, self.values.get(*value)) {
                continue;
            }
            let pointer = self.pointer_to(keyword);
            if self.has_error_at(&pointer) {
                continue;
            }
            let place = Location::Pointer(pointer);
            let message = format!("{keyword} wants {expected}; it does nothing here, because of the type");
            self.findings.warnings.push(Diagnostic::warning(Code::InvalidKeyword, message).at(place));
        }
    }
}
