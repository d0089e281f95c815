//! The subschemas that describe a value of an output. What is expected is what the specification says of each keyword.

use gcc_grammar_json_schema::{Draft, Options, applied};
use gcc_grammar_limits::{Budget, Limits};

/// The places for one value of an output.
fn places(schema: &str, output: &str, pointer: &str) -> Vec<String> {
    let told = applied(schema, output, &[pointer.to_owned()], &Options::default(), &Budget::default());
    told.expect("a schema and an output").remove(0)
}

#[test]
fn keywords_apply_to_members_and_items() {
    let schema = r##"{
        "properties": {"a/b": {"type": "integer"}, "list": {"prefixItems": [{"type": "null"}], "items": {"type": "string"}},
            "old": {"items": [{"type": "null"}], "additionalItems": {"type": "boolean"}},
            "self": {"$ref": "#"}, "other": {"$ref": "#/$defs/other"}, "free": {"title": "any"}},
        "patternProperties": {"^x": {"minimum": 1}, "y$": {"maximum": 9}},
        "additionalProperties": {"type": "array"},
        "$defs": {"other": {"type": "object", "properties": {"z": {"const": 1}}, "unevaluatedProperties": {"const": 2}}}
    }"##;
    for (output, pointer, expected) in [
        ("{}", "", &[""][..]),
        ("", "", &[""]),
        ("{}", "/a~1b", &["/properties/a~1b"]),
        ("{}", "/xy", &["/patternProperties/^x", "/patternProperties/y$"]),
        ("{}", "/w", &["/additionalProperties"]),
        ("{\"list\": []}", "/list/0", &["/properties/list/prefixItems/0"]),
        ("{\"list\": [null]}", "/list/1", &["/properties/list/items"]),
        ("{\"old\": []}", "/old/0", &["/properties/old/items/0"]),
        ("{\"old\": [null]}", "/old/1", &["/properties/old/additionalItems"]),
        ("{\"self\": {\"self\": {}}}", "/self/self/w", &["/additionalProperties"]),
        ("{\"other\": {}}", "/other/z", &["/$defs/other/properties/z"]),
        ("{\"other\": {}}", "/other/q", &["/$defs/other/unevaluatedProperties"]),
        ("{}", "/free", &["/properties/free"]),
        ("{\"xx\": {\"x\": {}}}", "/xx/x/y", &["/patternProperties/^x"]),
        ("{\"free\": {\"x\": []}}", "/free/x/0", &["/properties/free"]),
    ] {
        assert_eq!(places(schema, output, pointer), expected, "{output} {pointer}");
    }
}

#[test]
fn alternatives_that_are_contradicted_are_left_out() {
    let schema = r#"{"anyOf": [
        {"type": "object", "properties": {"kind": {"const": "p"}, "v": {"type": "integer"}}},
        {"type": "object", "properties": {"kind": {"enum": ["q", "r"]}, "v": {"type": "boolean"}}, "additionalProperties": false},
        {"type": "array", "items": {"oneOf": [{"type": "null"}, {"allOf": [{"type": "integer"}, {"minimum": 3}]}]}},
        {"type": "number"}
    ]}"#;
    for (output, pointer, expected) in [
        ("", "", &["/anyOf/0", "/anyOf/1", "/anyOf/2", "/anyOf/3"][..]),
        ("{}", "", &["/anyOf/0", "/anyOf/1"]),
        ("{}", "/kind", &["/anyOf/0/properties/kind", "/anyOf/1/properties/kind"]),
        ("{\"kind\": \"r\"}", "/v", &["/anyOf/1/properties/v"]),
        ("{\"kind\": \"p\"}", "/v", &["/anyOf/0/properties/v"]),
        ("{\"more\": []}", "", &["/anyOf/0"]),
        (
            "[]",
            "/0",
            &["/anyOf/2/items/oneOf/0", "/anyOf/2/items/oneOf/1/allOf/0", "/anyOf/2/items/oneOf/1/allOf/1"],
        ),
        ("[1.5]", "/1", &[]),
    ] {
        assert_eq!(places(schema, output, pointer), expected, "{output} {pointer}");
    }
}

#[test]
fn conditions_and_dependencies_apply_in_place() {
    let schema = r#"{"if": {"required": ["a"]}, "then": {"properties": {"b": {"minimum": 1}}}, "else": {"properties": {"b": {"minimum": 2}}},
        "dependentSchemas": {"c": {"properties": {"b": {"minimum": 3}}}}}"#;
    assert_eq!(places(schema, "{}", "/b"), ["/then/properties/b", "/else/properties/b"]);
    let all = ["/then/properties/b", "/else/properties/b", "/dependentSchemas/c/properties/b"];
    assert_eq!(places(schema, "{\"c\": 1}", "/b"), all);
}

#[test]
fn keywords_of_other_drafts_do_not_apply() {
    let schema = r##"{"properties": {"a": {"$ref": "#/definitions/t", "type": "null"}}, "definitions": {"t": {"type": "string"}}}"##;
    let of = |draft| {
        let options = Options { draft: Some(draft), ..Options::default() };
        applied(schema, "{}", &["/a".to_owned()], &options, &Budget::default()).expect("a schema").remove(0)
    };
    assert_eq!(of(Draft::Draft7), ["/definitions/t"]);
    assert_eq!(of(Draft::Draft2020), ["/properties/a", "/definitions/t"]);
}

/// Circles end, and what takes long is stopped by the budget.
#[test]
fn hostile_schemas_and_outputs_end() {
    let circles = r##"{"$ref": "#", "anyOf": [{"$ref": "#"}, {"allOf": [{"$ref": "#/anyOf/1"}]}], "properties": {"a": {"$ref": "#"}}}"##;
    assert!(!places(circles, "{\"a\": {\"a\": {}}}", "/a/a/a").is_empty());
    let pairs: Vec<String> =
        (0..40).map(|n| format!(r##""t{n}": {{"anyOf": [{{"$ref": "#/$defs/t{0}"}}, {{"properties": {{"a": {{"$ref": "#/$defs/t{0}"}}}}}}]}}"##, n + 1)).collect();
    let deep = format!(
        r##"{{"$ref": "#/$defs/t0", "$defs": {{{}, "t40": {{"type": "object"}}}}}}"##,
        pairs.join(", ")
    );
    let output = "{\"a\":".repeat(20) + "{}" + &"}".repeat(20);
    let _ = places(&deep, &output, &"/a".repeat(20));
    let budget = Budget::new(Limits { work: 10_000, ..Limits::default() });
    let over = applied(&deep, &output, &["/a".repeat(20)], &Options::default(), &budget).unwrap_err();
    assert!(over[0].message.contains("work"), "{over:?}");
    for (schema, output) in [("{", "{}"), ("{}", "{"), ("{}", "[1] 2"), ("5", "{}")] {
        let _ = applied(
            schema,
            output,
            &["/a".to_owned(), "a".to_owned(), "/~".to_owned()],
            &Options::default(),
            &Budget::default(),
        );
    }
}
