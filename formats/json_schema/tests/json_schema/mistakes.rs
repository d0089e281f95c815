//! Schemas that are surely mistakes: the code of the error or warning, and its place.

use gcc_grammar_json_schema::{Options, compile};

/// The codes and places of all errors, or of all warnings.
fn told(schema: &str) -> Vec<(String, String)> {
    let told = match compile(schema, &Options::default()) {
        Ok(compiled) => compiled.warnings,
        Err(errors) => errors,
    };
    let place = |location| match location {
        Some(gcc_grammar_ir::Location::Pointer(pointer)) => pointer,
        other => panic!("{other:?}"),
    };
    told.into_iter().map(|diagnostic| (diagnostic.code.to_string(), place(diagnostic.location))).collect()
}

fn check(schema: &str, expected: &[(&str, &str)]) {
    let told = told(schema);
    let told: Vec<_> = told.iter().map(|(code, place)| (code.as_str(), place.as_str())).collect();
    assert_eq!(told, expected, "{schema}");
}

#[test]
fn an_unsatisfiable_schema_is_told_at_the_keyword_that_makes_it_so() {
    for (schema, place) in [
        (r#"{"type": "string", "enum": [1, 2]}"#, "/enum"),
        (r#"{"minimum": 5, "maximum": 3, "type": "number"}"#, "/maximum"),
        (r#"{"pattern": "^a+$", "type": "string", "maxLength": 0}"#, "/maxLength"),
        (
            r#"{"required": ["b"], "type": "object", "properties": {"a": {}}, "additionalProperties": false}"#,
            "/required",
        ),
        (
            r#"{"type": "object", "properties": {"a": {"items": {}, "enum": [], "type": "array"}}, "required": ["a"]}"#,
            "/properties/a/enum",
        ),
        (
            r##"{"$ref": "#/$defs/a", "$defs": {"a": {"minItems": 1, "type": "array", "items": {"$ref": "#/$defs/b"}}, "b": {"const": 1, "type": "null"}}}"##,
            "/$defs/b/const",
        ),
        (r#"{"allOf": [{"type": "string"}, {"type": "null"}]}"#, "/allOf"),
        (r#"{"anyOf": [{"enum": []}, {"enum": []}]}"#, "/anyOf"),
        (r#"{"type": "object", "properties": {"a": false}, "required": ["a"]}"#, "/required"),
        // Either of two keywords would be enough.
        (r#"{"enum": [], "not": {}}"#, ""),
        ("false", ""),
        (r##"{"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}"##, "/required"),
    ] {
        check(schema, &[("unsatisfiable", place)]);
    }
}

#[test]
fn properties_that_no_value_satisfies_are_told() {
    let property =
        |schema: &str| format!(r#"{{"type": "object", "properties": {{"a": {schema}, "b": {{}}}}}}"#);
    let code = "unsatisfiable-property";
    check(&property(r#"{"type": "string", "enum": [1]}"#), &[(code, "/properties/a/enum")]);
    let nested = property(
        r#"{"type": "object", "properties": {"c": {"enum": [], "type": "null"}}, "required": ["c"]}"#,
    );
    check(&nested, &[(code, "/properties/a/properties/c/enum")]);
    let reference = r##"{"$defs": {"a": {"enum": []}}, "properties": {"a": {"$ref": "#/$defs/a"}}}"##;
    check(reference, &[(code, "/$defs/a/enum")]);
    for never in ["false", r#"{"not": {}}"#, r#"{"not": true}"#] {
        check(&property(never), &[]);
    }
    // A value of one alternative excludes the other one, as is meant.
    check(
        r#"{"properties": {"a": {"enum": [1, 2]}}, "anyOf": [{"properties": {"a": {"const": 1}}}, {"properties": {"a": {"const": 3}}}]}"#,
        &[],
    );
}

#[test]
fn required_keys_of_a_closed_object_are_declared() {
    let closed = |more: &str| {
        format!(
            r#"{{"type": ["object", "null"], "properties": {{"a": {{}}}}, "required": ["a", "b", "c"]{more}}}"#
        )
    };
    check(&closed(r#", "additionalProperties": false"#), &[("undeclared-required", "/required")]);
    for open in [
        "",
        r#", "additionalProperties": {}"#,
        r#", "additionalProperties": false, "patternProperties": {"^[bc]$": {}}"#,
    ] {
        check(&closed(open), &[]);
    }
}

#[test]
fn exclusive_bounds_that_are_true_are_told_where_the_draft_has_numbers() {
    let schema = |draft: &str| format!(r#"{{"$schema": "{draft}", "minimum": 1, "exclusiveMinimum": true}}"#);
    check(
        &schema("https://json-schema.org/draft/2020-12/schema"),
        &[("invalid-keyword", "/exclusiveMinimum")],
    );
    check(&schema("http://json-schema.org/draft-06/schema#"), &[("invalid-keyword", "/exclusiveMinimum")]);
    check(&schema("http://json-schema.org/draft-04/schema#"), &[]);
    check(r#"{"maximum": 1, "exclusiveMaximum": false}"#, &[]);
}

#[test]
fn schemas_of_keys_that_allow_no_strings_are_told() {
    let code = "unsatisfiable-property";
    check(r#"{"type": "object", "propertyNames": {"type": "integer"}}"#, &[(code, "/propertyNames")]);
    for none_meant in ["{}", "true", "false", r#"{"type": ["integer", "string"]}"#, r#"{"maxLength": 3}"#] {
        check(&format!(r#"{{"type": "object", "propertyNames": {none_meant}}}"#), &[]);
    }
}

#[test]
fn lists_in_items_are_told_where_the_draft_has_none() {
    let schema = |draft: &str| format!(r#"{{"$schema": "{draft}", "items": [{{"type": "null"}}]}}"#);
    check(&schema("https://json-schema.org/draft/2020-12/schema"), &[("invalid-keyword", "/items")]);
    check(&schema("https://json-schema.org/draft/2019-09/schema"), &[]);
    check(r#"{"items": [{"type": "null"}]}"#, &[]);
}
