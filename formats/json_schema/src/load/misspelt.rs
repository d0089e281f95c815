//! Warnings about keywords that look like misspelt ones.
//!
//! The specification demands that unknown keywords are ignored. So a misspelt keyword weakens the schema, and
//! its author is warned.

use super::loader::Loader;
use gcc_grammar_ir::Code;
use gcc_grammar_ir::spelling::similar;

/// The keywords that restrict values, except those of three letters or fewer, which too many other words
/// resemble.
const ASSERTIONS: [&str; 38] = [
    "type",
    "enum",
    "const",
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "unevaluatedProperties",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "items",
    "prefixItems",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "minContains",
    "maxContains",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "allOf",
    "anyOf",
    "oneOf",
    "then",
    "else",
];

/// Annotations that most schemas have. To compare them with all assertions would take a twentieth of the time to read the schemas of tools.
const FREQUENT: [&str; 4] = ["description", "title", "default", "examples"];

/// Words of other libraries and of draft 3, and the keywords that they stand for.
const SYNONYMS: [(&str, &str); 18] = [
    ("property", "properties"),
    ("props", "properties"),
    ("min", "minimum"),
    ("max", "maximum"),
    ("length", "minLength and maxLength"),
    ("regex", "pattern"),
    ("regexp", "pattern"),
    ("choices", "enum"),
    ("values", "enum"),
    ("unique", "uniqueItems"),
    ("optional", "required, which lists the keys that are not optional"),
    ("ref", "$ref"),
    ("$refs", "$ref"),
    ("defs", "$defs"),
    ("$def", "$defs"),
    ("disallow", "not"),
    ("divisibleBy", "multipleOf"),
    ("extends", "allOf"),
];

impl Loader<'_> {
    /// Warns of a keyword without meaning, if it may be a misspelling.
    pub(super) fn warn_misspelt(&mut self, keyword: &str) {
        let is_private = keyword.starts_with("x-") || keyword.starts_with('_');
        if is_private || ASSERTIONS.contains(&keyword) || FREQUENT.contains(&keyword) {
            return;
        }
        let letters: String = keyword.chars().filter(|letter| !matches!(letter, '_' | '-')).collect();
        let synonym = SYNONYMS.iter().find(|(word, _)| *word == keyword).map(|&(_, meant)| meant);
        let Some(meant) = synonym.or_else(|| similar(&letters, ASSERTIONS.into_iter())) else { return };
        let message = format!("{keyword} is no keyword, so it restricts nothing");
        self.warn(keyword, Code::UnknownKeyword, message, format!("did you mean {meant}?"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::keywords::is_assertion;
    use crate::{Options, compile};

    #[test]
    fn misspelt_keywords_are_warned_of() {
        let schema = r#"{"typ": "object", "min_length": 3, "x-type": 1, "_type": 2, "$schema": "x", "note": 4,
            "properties": {"tipe": {"aditionalProperties": false, "title": "A", "id": "b"}}}"#;
        let warnings = compile(schema, &Options::default()).unwrap().warnings;
        let told: Vec<String> = warnings.iter().filter_map(|warning| warning.help.clone()).collect();
        let meant = ["did you mean additionalProperties?", "did you mean minLength?", "did you mean type?"];
        assert!(meant.iter().all(|help| told.iter().any(|told| told == help)), "{told:?}");
        assert_eq!(warnings.iter().filter(|warning| warning.code == "unknown-keyword").count(), 3);
    }

    #[test]
    fn words_of_other_libraries_and_required_keys_are_compared() {
        let schema = r#"{"type": "object", "property": {"a": {}}, "min": 3, "$refs": "x", "optional": ["a"],
            "properties": {"name": {}, "Age": {}}, "required": ["nmae", "age", "other"]}"#;
        let warnings = compile(schema, &Options::default()).unwrap().warnings;
        let count = |code| warnings.iter().filter(|warning| warning.code == code).count();
        assert_eq!((count("unknown-keyword"), count("undeclared-required")), (4, 2), "{warnings:?}");
    }

    #[test]
    fn annotations_are_not_taken_for_misspelt_keywords() {
        let schema = r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "a:b", "$comment": "", "$defs": {},
            "$anchor": "c", "title": "", "description": "", "default": 1, "example": 1, "examples": [], "deprecated": true,
            "readOnly": true, "writeOnly": true, "contentEncoding": "", "contentMediaType": "", "contentSchema": {},
            "discriminator": {}, "externalDocs": {}, "xml": {}, "definitions": {}, "markdownDescription": ""}"#;
        let warnings = compile(schema, &Options::default()).unwrap().warnings;
        assert!(warnings.iter().all(|warning| warning.code != "unknown-keyword"), "{warnings:?}");
    }

    #[test]
    fn all_of_them_are_keywords_that_restrict() {
        assert!(ASSERTIONS.into_iter().all(is_assertion));
    }
}
