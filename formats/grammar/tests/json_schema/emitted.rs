//! The order of keys, and schemas in the forms that tools emit: pydantic, dataclasses, type generators.

use crate::recognizer::Recognizer;
use gcc_grammar_frontends::json_schema::{Options, compile};

fn check(schema: &str, valid: &[&str], invalid: &[&str]) {
    let compiled =
        compile(schema, &Options::default()).unwrap_or_else(|errors| panic!("{schema}: {errors:?}"));
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
