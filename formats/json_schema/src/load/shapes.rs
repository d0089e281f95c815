//! What kind of value every keyword wants, for those that nothing else has looked at.
//!
//! A keyword about arrays does nothing in a schema of strings, so the loaders never read it. Its author should still be
//! told that its value makes no sense.

use super::super::document::Value;
use super::{Loader, Source};
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, Location};

/// What a keyword wants; `None` for annotations and unknown keywords.
fn wanted(keyword: &str) -> Option<&'static str> {
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

fn fits(wanted: &str, value: &Value) -> bool {
    match value {
        Value::Bool(_) => wanted.contains("true or false") || wanted.contains("schema"),
        Value::Number(number) => match wanted {
            "a non-negative integer" => number.is_integer() && !number.negative,
            _ => wanted.starts_with("a number"),
        },
        Value::String(_) => wanted == "a string",
        Value::Array(_) => wanted.contains("list"),
        Value::Object(_) => wanted.contains("schema") || wanted == "an object",
        Value::Null => false,
    }
}

impl Loader<'_> {
    /// Warns of values that fit no keyword and that have not led to an error.
    pub(super) fn check_shapes(&mut self, source: &Source) {
        for (keyword, value) in source.keywords {
            let Some(wanted) = wanted(keyword) else { continue };
            if fits(wanted, self.values.get(*value)) {
                continue;
            }
            let place = Location::Pointer(self.pointer_to(keyword));
            if self.errors.iter().any(|error| error.location.as_ref() == Some(&place)) {
                continue;
            }
            let message = format!("{keyword} wants {wanted}; it does nothing here, because of the type");
            self.warnings.push(Diagnostic::warning(Code::InvalidKeyword, message).at(place));
        }
    }
}
