//! The order of keys, and schemas as other programs emit them: pydantic, dataclasses, type generators.

use crate::recognizer::Recognizer;
use gcc_grammar_json_schema::{Options, Strings, compile};

fn check(schema: &str, valid: &[&str], invalid: &[&str]) {
    check_with(schema, &Options::default(), valid, invalid);
}

fn check_with(schema: &str, options: &Options, valid: &[&str], invalid: &[&str]) {
    let compiled = compile(schema, options).unwrap_or_else(|errors| panic!("{schema}: {errors:?}"));
    assert_eq!(compiled.warnings, [], "{schema}");
    let recognizer = Recognizer::new(&compiled.grammar);
    for text in valid {
        assert!(recognizer.accepts(text.as_bytes()), "{schema} should accept {text}");
    }
    for text in invalid {
        assert!(!recognizer.accepts(text.as_bytes()), "{schema} should refuse {text}");
    }
}

#[test]
fn keys_come_in_the_order_of_first_appearance() {
    check(
        r#"{"allOf": [{"properties": {"a": {}}}], "required": ["z"], "properties": {"b": {}, "a": {}}}"#,
        &[r#"{"a": 1, "b": 2, "z": 3}"#, r#"{"z": 3, "other": 4}"#],
        &[r#"{"b": 2, "a": 1, "z": 3}"#, r#"{"z": 3, "b": 2}"#, r#"{"other": 4, "z": 3}"#],
    );
    check(
        r##"{"type": "object", "$ref": "#/$defs/base", "properties": {"c": {}},
            "$defs": {"base": {"properties": {"b": {}}}}}"##,
        &[r#"{"b": 1, "c": 2}"#],
        &[r#"{"c": 2, "b": 1}"#],
    );
    check(
        r#"{"type": "object", "if": {"properties": {"kind": {"const": "x"}}, "required": ["kind"]},
            "then": {"properties": {"value": {"type": "null"}}}}"#,
        &[r#"{"kind": "x", "value": null}"#, r#"{"value": 1}"#, r#"{"kind": "y", "value": 1}"#],
        &[r#"{"value": null, "kind": "x"}"#, r#"{"kind": "x", "value": 1}"#],
    );
}

#[test]
fn alternatives_share_an_order_where_there_is_one() {
    check(
        r#"{"anyOf": [{"properties": {"kind": {"const": 1}, "x": {}, "name": {}}, "required": ["kind"]},
                      {"properties": {"kind": {"const": 2}, "y": {}, "name": {}}, "required": ["kind"]}]}"#,
        &[r#"{"kind": 1, "x": 0, "name": 0}"#, r#"{"kind": 2, "y": 0, "name": 0}"#],
        &[r#"{"name": 0, "kind": 1}"#, r#"{"kind": 3}"#],
    );
    check(
        r#"{"anyOf": [{"properties": {"a": {}, "b": {}}, "required": ["a", "b"]},
                      {"properties": {"b": {}, "a": {}}, "required": ["a", "b"]}]}"#,
        &[r#"{"a": 1, "b": 2}"#, r#"{"b": 2, "a": 1}"#],
        &[r#"{"c": 1, "b": 2, "a": 1}"#],
    );
}

/// Objects with this number of keys read them in parts.
#[test]
fn keys_of_large_objects() {
    let tricky = ["", "a", "ab", "abc", "b\"", "b\\", "c/", "é", "è", "😀", "😁", "z"];
    let numbered = (0..80).map(|i| format!("key_{i}"));
    let properties: Vec<String> = tricky
        .map(str::to_owned)
        .into_iter()
        .chain(numbered)
        .map(|key| format!("{key:?}: {{\"const\": {:?}}}", key.len()))
        .collect();
    let schema = format!(
        r#"{{"type": "object", "properties": {{{}}}, "required": ["key_40"], "additionalProperties": false}}"#,
        properties.join(", ")
    );
    let all = Options { strings: Strings::All, ..Options::default() };
    check_with(
        &schema,
        &all,
        &[
            r#"{"key_40":6}"#,
            r#"{"": 0, "a": 1, "ab": 2, "abc": 3, "b\"": 2, "b\\": 2, "c\/": 2, "key_40": 6, "key_79": 6}"#,
            r#"{"\u0061b": 2, "a\u0062c": 3, "b\u0022": 2, "b\u005C": 2, "\u00e9": 2, "è": 2, "key_\u0034\u0030": 6}"#,
            r#"{"😀": 4, "\ud83d\ude01": 4, "z": 1, "key_4": 5, "key_39": 6, "key_40": 6, "key_41": 6}"#,
        ],
        &[
            "{}",
            r#"{"key_39": 6}"#,
            r#"{"key_40": 6, "key_4": 5}"#,
            r#"{"key_40": 6, "key_40": 6}"#,
            r#"{"ab": 2, "a": 1, "key_40": 6}"#,
            r#"{"key": 3, "key_40": 6}"#,
            r#"{"key_": 4, "key_40": 6}"#,
            r#"{"key_400": 7, "key_40": 6}"#,
            r#"{"key_40": 6, "key_80": 6}"#,
            r#"{"b": 1, "key_40": 6}"#,
            r#"{"\ud83d": 1, "key_40": 6}"#,
            r#"{"key_40": 5}"#,
        ],
    );
    check(
        &schema,
        &[r#"{"b\"": 2, "b\\": 2, "c/": 2, "\u00e9": 2, "è": 2, "key_40": 6}"#],
        &[r#"{"key_\u0034\u0030": 6}"#],
    );
}

#[test]
fn pydantic() {
    check(
        r##"{"$defs": {
              "Cat": {"properties": {"kind": {"const": "cat", "title": "Kind", "type": "string"},
                      "lives": {"default": 9, "title": "Lives", "type": "integer"}},
                      "required": ["kind"], "title": "Cat", "type": "object"},
              "Dog": {"properties": {"kind": {"const": "dog", "title": "Kind", "type": "string"},
                      "tags": {"items": {"type": "string"}, "title": "Tags", "type": "array"}},
                      "required": ["kind", "tags"], "title": "Dog", "type": "object"},
              "Size": {"enum": ["s", "m"], "title": "Size", "type": "string"}},
            "properties": {
              "name": {"maxLength": 5, "minLength": 1, "title": "Name", "type": "string"},
              "pet": {"discriminator": {"mapping": {"cat": "#/$defs/Cat", "dog": "#/$defs/Dog"}, "propertyName": "kind"},
                      "oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}], "title": "Pet"},
              "size": {"anyOf": [{"$ref": "#/$defs/Size"}, {"type": "null"}], "default": null},
              "at": {"maxItems": 2, "minItems": 2, "prefixItems": [{"type": "number"}, {"type": "number"}], "type": "array"},
              "counts": {"additionalProperties": {"type": "integer"}, "title": "Counts", "type": "object"},
              "price": {"anyOf": [{"type": "number"}, {"pattern": "^-?\\d+(\\.\\d+)?$", "type": "string"}]},
              "when": {"format": "date-time", "title": "When", "type": "string"}},
            "required": ["name", "pet"], "title": "Model", "type": "object", "additionalProperties": false}"##,
        &[
            r#"{"name":"Al","pet":{"kind":"cat"}}"#,
            r#"{"name": "Al", "pet": {"kind": "dog", "tags": ["x"]}, "size": null, "at": [1, 2.5], "counts": {"a": 1}, "price": "1.50", "when": "2024-01-02T03:04:05Z"}"#,
        ],
        &[
            r#"{"name":"","pet":{"kind":"cat"}}"#,
            r#"{"name":"Al","pet":{"kind":"dog"}}"#,
            r#"{"name":"Al","pet":{"kind":"cow"}}"#,
            r#"{"name":"Al","pet":{"kind":"cat"},"at":[1]}"#,
            r#"{"name":"Al","pet":{"kind":"cat"},"price":"x"}"#,
            r#"{"name":"Al","pet":{"kind":"cat"},"when":"2024-13-02T03:04:05Z"}"#,
        ],
    );
}

#[test]
fn recursive_models_and_type_generators() {
    check(
        r##"{"$ref": "#/$defs/Node", "$defs": {"Node": {"type": "object", "title": "Node",
            "properties": {"value": {"type": "integer"},
                           "next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}], "default": null}},
            "required": ["value"]}}}"##,
        &[r#"{"value": 1, "next": {"value": 2, "next": null}}"#],
        &[r#"{"value": 1, "next": {"next": null}}"#],
    );
    check(
        r##"{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/Message",
            "definitions": {"Message": {"type": "object", "additionalProperties": false,
              "properties": {"role": {"type": "string", "enum": ["user", "tool"]},
                             "content": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}},
              "required": ["content", "role"]}}}"##,
        &[r#"{"role": "user", "content": ["x"]}"#],
        &[r#"{"role": "user"}"#, r#"{"content": "x", "role": "user"}"#],
    );
}
