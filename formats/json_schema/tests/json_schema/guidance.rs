//! The object `x-guidance`: what each member does, and what is refused.

use crate::core::check_with;
use gcc_grammar_ir::Location;
use gcc_grammar_json_schema::{Coverage, Options, PropertyOrder, Report, compile};

const OBJECT: &str = r#""type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "array", "items": {"type": "number"}}},
    "required": ["a", "b"], "additionalProperties": false"#;

/// Checks a schema of objects with a number `a` and a list of numbers `b`.
fn check(guidance: &str, valid: &[&str], invalid: &[&str]) {
    check_with(&format!(r#"{{"x-guidance": {guidance}, {OBJECT}}}"#), &Options::default(), valid, invalid);
}

fn report(schema: &str) -> Report {
    compile(schema, &Options::default()).unwrap_or_else(|errors| panic!("{schema}: {errors:?}")).report
}

fn coverage<'r>(report: &'r Report, pointer: &str) -> &'r Coverage {
    &report.entries.iter().find(|entry| entry.pointer == pointer).expect(pointer).coverage
}

const COMPACT: &str = r#"{"a":1,"b":[1,2]}"#;
const SPACED: &str = "{ \t\"a\"\r\n :  1 ,\n\n\"b\" : [  1 , 2 ]\n}";

#[test]
fn white_space() {
    let outside = [" {\"a\":1,\"b\":[]}", "{\"a\":1,\"b\":[]}\n"];
    check(r#"{"whitespace_flexible": true}"#, &[COMPACT, SPACED], &outside);
    check(r#"{"whitespace_flexible": false}"#, &[COMPACT], &[SPACED, r#"{"a": 1,"b":[1,2]}"#]);
    let pattern = r#"{"whitespace_flexible": false, "whitespace_pattern": " {1,2}|\\n"}"#;
    let one = "{ \"a\"  :\n1 ,  \"b\" : [ 1  ,\n2 ] }";
    check(
        pattern,
        &[COMPACT, one],
        &["{   \"a\":1,\"b\":[]}", "{\"a\":1,\"b\":[]\n\n}", outside[0], outside[1]],
    );
    // Null is as if the member were not there, and so is an empty object: the option of the compilation stays.
    for nothing in ["{}", r#"{"whitespace_pattern": null, "json_allowed_escapes": null}"#] {
        check(nothing, &[COMPACT, "{\n  \"a\": 1,\n  \"b\": []\n}"], &[SPACED]);
    }
    check_with(
        &format!(r#"{{{OBJECT}, "x-guidance": {{"lenient": true}}}}"#),
        &Options { whitespace: "spaced".parse().unwrap(), ..Options::default() },
        &[r#"{"a": 1, "b": [1, 2]}"#],
        &[COMPACT],
    );
}

/// The example of llguidance's documentation.
#[test]
fn separators() {
    let separators = r#"{"item_separator": "\\s{0,2},\\s{0,2}", "key_separator": "\\s{0,2}:\\s{0,2}", "whitespace_flexible": false}"#;
    let valid =
        [COMPACT, r#"{"a": 1, "b": [1 , 2]}"#, r#"{"a"  :  1  ,  "b":[1,2]}"#, "{\"a\":\n1,\"b\":[]}"];
    let invalid = [
        r#"{"a":1,   "b":[1,2]}"#,
        r#"{ "a":1,"b":[1,2]}"#,
        r#"{"a":1,"b":[1,2] }"#,
        r#"{"a":1"b":[1,2]}"#,
        "{\"a\":\u{a0}1,\"b\":[]}",
    ];
    check(separators, &valid, &invalid);
    check(&separators.replace(",\\\\s", "[,;]?\\\\s"), &valid, &invalid);
    let python = r#"{"item_separator": ", ", "key_separator": ": ", "whitespace_flexible": false}"#;
    check(
        python,
        &[r#"{"a": 1, "b": [1, 2]}"#],
        &[COMPACT, r#"{"a": 1, "b": [1,2]}"#, r#"{"a": 1,  "b": [1, 2]}"#],
    );
    check(
        r#"{"item_separator": ", ", "whitespace_flexible": true}"#,
        &[r#"{"a":1,   "b" : [1 ,  2]}"#],
        &[COMPACT],
    );
    let any_order = Options { property_order: PropertyOrder::Any, ..Options::default() };
    check_with(
        &format!(r#"{{"x-guidance": {python}, {OBJECT}}}"#),
        &any_order,
        &[r#"{"b": [1, 2], "a": 1}"#],
        &[r#"{"b": [1, 2],"a": 1}"#],
    );
}

#[test]
fn one_of_as_any_of() {
    let one_of = r#""oneOf": [{"type": "number"}, {"type": "integer"}, {"type": "null"}]"#;
    check_with(&format!("{{{one_of}}}"), &Options::default(), &["1.5", "null"], &["1", "true"]);
    for coerced in ["coerce_one_of", "lenient"] {
        let schema = format!(r#"{{"x-guidance": {{"{coerced}": true}}, {one_of}}}"#);
        check_with(&schema, &Options::default(), &["1.5", "1", "null"], &["true"]);
        assert!(matches!(coverage(&report(&schema), "/oneOf"), Coverage::Superset { .. }), "{schema}");
        assert_eq!(coverage(&report(&schema), "/x-guidance"), &Coverage::Enforced);
    }
    let schema = format!(r#"{{"x-guidance": {{"coerce_one_of": false}}, {one_of}}}"#);
    check_with(&schema, &Options::default(), &["1.5"], &["1"]);
    assert_eq!(coverage(&report(&schema), "/oneOf"), &Coverage::Enforced);
    let only = r#"{"x-guidance": {"coerce_one_of": true}, "oneOf": [{"type": "null"}]}"#;
    assert_eq!(coverage(&report(only), "/oneOf"), &Coverage::Enforced);
    // Under `not`, more values have to be accepted, too.
    let not = format!(
        r#"{{"x-guidance": {{"coerce_one_of": true}}, "not": {{{one_of}}}, "enum": [1, 1.5, true]}}"#
    );
    check_with(&not, &Options::default(), &["1", "true"], &["2"]);
}

#[test]
fn lenient_schemas_leave_out_what_cannot_be_enforced() {
    let schema = r#"{"x-guidance": {"lenient": true}, "type": "array", "uniqueItems": true, "items": {"propertyNames": {"pattern": "^a$"}}}"#;
    check_with(schema, &Options::default(), &["[[], []]"], &["{}"]);
    assert!(matches!(coverage(&report(schema), "/uniqueItems"), Coverage::Superset { .. }));
    let strict = schema.replace("true}, \"type", "false}, \"type");
    assert_eq!(compile(&strict, &Options::default()).unwrap_err()[0].code.as_str(), "unenforceable");
}

#[test]
fn what_cannot_be_honoured_is_refused_by_name() {
    for (guidance, pointer, message) in [
        ("true", "/x-guidance", "an object is expected"),
        (r#"{"whitespace": 1}"#, "/x-guidance/whitespace", "has no member whitespace"),
        (r#"{"whitespace_flexible": 1}"#, "/x-guidance/whitespace_flexible", "true or false"),
        (r#"{"whitespace_flexible": null}"#, "/x-guidance/whitespace_flexible", "true or false"),
        (r#"{"whitespace_pattern": "x+"}"#, "/x-guidance/whitespace_pattern", "no text that is white space"),
        (r#"{"whitespace_pattern": "("}"#, "/x-guidance/whitespace_pattern", ""),
        (r#"{"item_separator": ";"}"#, "/x-guidance/item_separator", "no text that is a comma"),
        (r#"{"item_separator": ",,"}"#, "/x-guidance/item_separator", "no text that is a comma"),
        (r#"{"item_separator": 1}"#, "/x-guidance/item_separator", "a string is expected"),
        (r#"{"key_separator": ","}"#, "/x-guidance/key_separator", "no text that is a colon"),
        (r#"{"key_separator": "[^\\s\\S]"}"#, "/x-guidance/key_separator", "no text that is a colon"),
        (
            r#"{"json_allowed_escapes": "n"}"#,
            "/x-guidance/json_allowed_escapes",
            "json_allowed_escapes is not supported",
        ),
        (
            r#"{"json_allow_general_unicode_escapes": true}"#,
            "/x-guidance/json_allow_general_unicode_escapes",
            "is not supported",
        ),
    ] {
        let schema = format!(r#"{{"x-guidance": {guidance}}}"#);
        let errors = compile(&schema, &Options::default()).expect_err(&schema);
        assert_eq!(errors[0].location, Some(Location::Pointer(pointer.to_owned())), "{errors:?}");
        assert!(errors[0].message.contains(message), "{errors:?}");
    }
}

#[test]
fn patterns_are_bounded() {
    for pattern in ["( |\\\\n)*\\\\n( |\\\\n){30}", " {1,100000000}", " {1,5000}"] {
        for member in ["whitespace_pattern", "key_separator"] {
            let pattern = if member == "key_separator" { format!("{pattern}:") } else { pattern.to_owned() };
            let schema = format!(r#"{{"x-guidance": {{"{member}": "{pattern}"}}, {OBJECT}}}"#);
            // Whether it is refused does not matter, only that there is a result.
            drop(compile(&schema, &Options::default()));
        }
    }
}

#[test]
fn only_the_top_level_counts() {
    let schema =
        r#"{"type": "object", "properties": {"a": {"type": "null", "x-guidance": {"whitespace": 1}}}}"#;
    let compiled = compile(schema, &Options::default()).expect("valid");
    assert_eq!(compiled.warnings.len(), 1, "{:?}", compiled.warnings);
    assert_eq!(compiled.warnings[0].location, Some(Location::Pointer("/properties/a/x-guidance".to_owned())));
    assert_eq!(coverage(&compiled.report, "/properties/a/x-guidance"), &Coverage::Annotation);
}
