//! Texts that the grammars of small schemas accept and refuse, keyword by keyword.

use crate::recognizer::Recognizer;
use gcc_grammar_ir::Location;
use gcc_grammar_json_schema::{
    Coverage, Draft, Narrowing, Options, PropertyOrder, Strings, Unenforced, compile,
};

pub(crate) fn check(schema: &str, valid: &[&str], invalid: &[&str]) {
    check_with(schema, &Options::default(), valid, invalid);
}

pub(crate) fn check_with(schema: &str, options: &Options, valid: &[&str], invalid: &[&str]) {
    let compiled = compile(schema, options).unwrap_or_else(|errors| panic!("{schema}: {errors:?}"));
    let recognizer = Recognizer::new(&compiled.grammar);
    for text in valid {
        if let Err(at) = recognizer.run(text.as_bytes()) {
            panic!("{schema} should accept {text}, but stops at byte {at}");
        }
    }
    for text in invalid {
        assert!(!recognizer.accepts(text.as_bytes()), "{schema} should refuse {text}");
    }
}

#[test]
fn objects() {
    let schema = r#"{"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}, "required": ["name"], "additionalProperties": false}"#;
    check(
        schema,
        &[
            r#"{"name": "Al"}"#,
            r#"{"name":"Al","age":3}"#,
            "{\n  \"name\": \"Al\",\n  \"age\": 3\n}",
            r#"{"name": "\ud834\udd1e\u0061\n"}"#,
            r#"{ "name": "", "age": -1.0 }"#,
        ],
        &[
            "{}",
            r#"{"age": 3}"#,
            r#"{"age": 3, "name": "Al"}"#,
            r#"{"name": "Al",}"#,
            r#"{"name": "Al", "x": 1}"#,
            r#"{"name": 3}"#,
            r#"{"name": "Al", "age": 3.5}"#,
            r#"{"name": "Al", "name": "Al"}"#,
            r#"{"name": "Al"}}"#,
            r#"{"name": "Al"} "#,
            "[]",
        ],
    );
}

#[test]
fn additional_members() {
    let schema = r#"{"properties": {"a": {"type": "integer"}}, "additionalProperties": {"type": "string"}, "type": "object"}"#;
    check(
        schema,
        &["{}", r#"{"a": 1}"#, r#"{"a": 1, "b": "x", "c": "y"}"#, r#"{"b": "x"}"#, r#"{"aa": "x"}"#],
        &[r#"{"a": "x"}"#, r#"{"b": 1}"#, r#"{"b": "x", "a": 1}"#, r#"{"b": "x", "\u0061": "x"}"#],
    );
    let all = Options { strings: Strings::All, ..Options::default() };
    check_with(schema, &all, &[r#"{"\u0061": 1, "\u0062": "x"}"#], &[r#"{"b": "x", "\u0061": "x"}"#]);
}

#[test]
fn a_repeated_key_is_counted_once() {
    let schema = r#"{"type": "object", "propertyNames": {"enum": ["a", "b", "c"]}, "additionalProperties": {"type": "integer"}, "minProperties": 2}"#;
    check(schema, &[r#"{"a":1,"b":2}"#, r#"{"a":1,"b":2,"c":3}"#], &[r#"{"a":1,"a":2}"#, r#"{"a":1}"#]);
    let schema = r#"{"type": "object", "patternProperties": {"^[xy]$": {"type": "integer"}}, "additionalProperties": false, "not": {"maxProperties": 1}}"#;
    check(schema, &[r#"{"x":1,"y":2}"#], &[r#"{"x":1,"x":2}"#]);
    let schema = r#"{"type": "object", "not": {"properties": {"a": {"type": "integer"}}}}"#;
    check(schema, &[r#"{"a":"s","b":1}"#], &[r#"{"a":"s","a":1}"#, r#"{"b":1}"#]);
    // Infinitely many keys are remembered.
    let open = r#"{"type": "object", "minProperties": 2}"#;
    check(open, &[r#"{"x":1,"y":2}"#, r#"{"x":{"x":1,"x":2},"y":[]}"#], &[r#"{"x":1,"x":2}"#, r#"{"x":1}"#]);
    let nested = r#"{"type": "object", "minProperties": 2, "additionalProperties": {"type": "object", "minProperties": 2}}"#;
    let of = |x: &str, y: &str| format!(r#"{{"a":{{"{x}":1,"{y}":2}},"{x}":{{"a":1,"b":2}}}}"#);
    check(nested, &[&of("x", "y")], &[&of("x", "x"), &of("a", "b")]);
    // Keys that could be used up are counted only on demand.
    let few = r#"{"type": "object", "minProperties": 2, "propertyNames": {"pattern": "^[a-z]{3}$"}}"#;
    let error = &compile(few, &Options::default()).unwrap_err()[0];
    assert_eq!(
        (error.code.as_str(), error.location.clone()),
        ("unenforceable", Some(Location::Pointer("/minProperties".into())))
    );
    let allow = Options { unenforced: Unenforced::Allow, ..Options::default() };
    check_with(few, &allow, &[r#"{"xxx":1,"yyy":2}"#, r#"{"xxx":1,"xxx":2}"#], &[r#"{"xxx":1}"#]);
    // That a member is wrong is enforced, but for repeated keys.
    let wrong = r#"{"type": "object", "not": {"additionalProperties": {"type": "integer"}}}"#;
    check(wrong, &[r#"{"x":"s","y":2}"#], &["{}", r#"{"x":1}"#]);
    let gaps: Vec<_> =
        compile(wrong, &Options::default()).unwrap().report.gaps().map(|gap| gap.pointer.clone()).collect();
    assert_eq!(gaps, ["/not"]);
}

#[test]
fn patterns_of_other_dialects_are_read_with_a_warning() {
    let schema = r#"{"type": "string", "pattern": "(?i)^[1-9][0-9]*(GiB|G)?$"}"#;
    check(schema, &[r#""1gib""#, r#""20G""#], &[r#""0""#, r#""1M""#]);
    let warnings = compile(schema, &Options::default()).expect("a schema").warnings;
    let found: Vec<_> =
        warnings.iter().map(|warning| (warning.code.as_str(), warning.location.clone())).collect();
    assert_eq!(found, [("foreign-pattern", Some(Location::Pointer("/pattern".into())))]);
    let schema = r#"{"type": "object", "patternProperties": {"\\Ax-[[:lower:]]+\\Z": {"type": "null"}}, "additionalProperties": false}"#;
    check(schema, &[r#"{"x-a": null}"#], &[r#"{"x-A": null}"#, r#"{"ax-a": null}"#]);
}

#[test]
fn anything() {
    for schema in ["true", "{}", r#"{"description": "x"}"#] {
        check(
            schema,
            &[
                "null",
                "true",
                "-0.5e+7",
                r#""x""#,
                "[]",
                "[1, [2, {}]]",
                r#"{"a": {"b": [null, false]}}"#,
                "{ }",
                "[ 1,2 ]",
            ],
            &["", "nul", "01", "[1,]", "{", r#"{"a"}"#, "[1 2]", "'x'"],
        );
    }
}

#[test]
fn arrays() {
    check(
        r#"{"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3}"#,
        &["[1]", "[1, 2,3]"],
        &["[]", "[1, 2, 3, 4]", r#"["x"]"#],
    );
    check(
        r#"{"prefixItems": [{"type": "integer"}, {"type": "string"}], "items": false, "type": "array"}"#,
        &["[]", "[1]", r#"[1, "x"]"#],
        &[r#"["x"]"#, r#"[1, "x", 2]"#],
    );
    check(
        r#"{"type": "array", "contains": {"type": "integer"}, "maxContains": 2}"#,
        &["[1]", r#"["x", 1, null, 2]"#],
        &["[]", r#"["x"]"#, "[1, 2, 3]"],
    );
    check(
        r#"{"type": "array", "items": {"enum": ["a", "b", null]}, "uniqueItems": true, "minItems": 1}"#,
        &[r#"["a"]"#, r#"["b", null, "a"]"#],
        &["[]", r#"["a", "b", "a"]"#, "[1]"],
    );
}

#[test]
fn numbers() {
    check(
        r#"{"type": "integer", "minimum": -3, "maximum": 12}"#,
        &["-3", "0", "12", "7.0"],
        &["-4", "13", "1.5", "1e1", "-12"],
    );
    check(
        r#"{"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5}"#,
        &["0.5", "12", "1.50"],
        &["0", "0.25", "-0.5"],
    );
    check(r#"{"minimum": 0}"#, &["0", "1e5", r#""x""#, "[-1]"], &["-1", "-1e-5"]);
    check(r#"{"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer"}"#, &["1"], &["1.0"]);
}

#[test]
fn strings() {
    check(
        r#"{"type": "string", "minLength": 2, "maxLength": 3}"#,
        &[r#""ab""#, r#""\u0061𝄞c""#, r#""\ud834\udd1eb""#],
        &[r#""a""#, r#""abcd""#],
    );
    check(
        r#"{"type": "string", "pattern": "^a\\d"}"#,
        &[r#""a1""#, r#""a1zzz""#, r#""a1\u0061""#],
        &[r#""xa1""#, r#""a""#],
    );
    check(
        r#"{"enum": ["a\"b", 1, null, [1, {"x": 2}]]}"#,
        &[r#""a\"b""#, "1.0", "null", r#"[1, {"x": 2}]"#],
        &[r#""a""#, "2", r#"[1, {"x": 3}]"#, "[]"],
    );
    check(r#"{"format": "date", "type": "string"}"#, &[r#""2024-02-29""#], &[r#""2023-02-29""#, r#""x""#]);
    let all = Options { strings: Strings::All, ..Options::default() };
    check_with(r#"{"type": "string", "pattern": "^a\\d"}"#, &all, &[r#""\u00611""#], &[r#""\u0061x""#]);
    check_with(r#"{"enum": ["a\"b"]}"#, &all, &[r#""a\u0022b""#], &[r#""a\u0023b""#]);
}

#[test]
fn combinations() {
    check(
        r#"{"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 3}]}"#,
        &[r#""x""#, "3"],
        &["2", "null"],
    );
    check(
        r#"{"oneOf": [{"multipleOf": 3}, {"multipleOf": 2}], "type": "integer"}"#,
        &["3", "4"],
        &["6", "1", "0"],
    );
    check(r#"{"not": {"type": "string"}}"#, &["1", "{}", "[[]]"], &[r#""x""#]);
    check(
        r#"{"type": "object", "properties": {"kind": {"enum": ["a", "b"]}, "x": {}}, "required": ["kind"],
            "if": {"properties": {"kind": {"const": "a"}}}, "then": {"required": ["x"]}, "else": {"properties": {"x": false}}}"#,
        &[r#"{"kind": "a", "x": 1}"#, r#"{"kind": "b"}"#],
        &[r#"{"kind": "a"}"#, r#"{"kind": "b", "x": 1}"#],
    );
    check(
        r#"{"oneOf": [{"properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"properties": {"b": {"type": "integer"}}, "required": ["b"]}], "type": "object"}"#,
        &[r#"{"a": 1}"#, r#"{"b": 1}"#, r#"{"a": 1, "b": "x"}"#],
        &["{}", r#"{"a": 1, "b": 2}"#, r#"{"a": "x"}"#],
    );
    check(
        r#"{"allOf": [{"properties": {"a": {"minimum": 3}}}, {"properties": {"a": {"maximum": 5}}}], "properties": {"a": {"type": "integer"}}, "type": "object"}"#,
        &[r#"{"a": 4}"#],
        &[r#"{"a": 2}"#, r#"{"a": 6}"#, r#"{"a": "x"}"#],
    );
    check(
        r#"{"dependentRequired": {"a": ["b"]}, "type": "object"}"#,
        &["{}", r#"{"b": 1}"#, r#"{"a": 1, "b": 1}"#],
        &[r#"{"a": 1}"#],
    );
    check(
        r#"{"patternProperties": {"^x": {"type": "integer"}, "y$": {"minimum": 3}}, "additionalProperties": false, "type": "object"}"#,
        &["{}", r#"{"x": 1}"#, r#"{"ay": "z"}"#, r#"{"xy": 4}"#],
        &[r#"{"xy": 2}"#, r#"{"xy": "z"}"#, r#"{"z": 1}"#],
    );
}

#[test]
fn recursion() {
    let schema = r##"{"$defs": {"tree": {"type": "object", "properties": {"value": {"type": "integer"}, "children": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}, "required": ["value"], "additionalProperties": false}}, "$ref": "#/$defs/tree"}"##;
    check(
        schema,
        &[
            r#"{"value": 1}"#,
            r#"{"value": 1, "children": []}"#,
            r#"{"value": 1, "children": [{"value": 2, "children": [{"value": 3}]}]}"#,
        ],
        &[r#"{"value": 1, "children": [{}]}"#, r#"{"children": []}"#],
    );
}

#[test]
fn nothing_is_an_error() {
    for schema in [
        "false",
        r#"{"type": "integer", "minimum": 3, "maximum": 2}"#,
        r##"{"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}"##,
        r##"{"$ref": "#"}"##,
        r##"{"anyOf": [{"$ref": "#"}, {"type": "string"}]}"##,
        r#"{"allOf": [{"type": "string"}, {"type": "integer"}]}"#,
    ] {
        let errors = compile(schema, &Options::default()).unwrap_err();
        assert_eq!(errors.len(), 1, "{schema}: {errors:?}");
    }
}

#[test]
fn open_api_has_nullable_and_base64() {
    let options = Options { draft: Some(Draft::OpenApi30), ..Options::default() };
    let schema = r#"{"type": "string", "nullable": true, "format": "byte"}"#;
    let (base64, others) =
        ([r#""""#, r#""aGk=""#, r#""aGkh""#, r#""a/+0""#], [r#""aGk""#, r#""a=Gk""#, r#""====""#]);
    check_with(schema, &options, &base64, &others);
    check_with(schema, &options, &["null"], &["false"]);
    // The type beside it is widened and nothing else; without one there is nothing to widen.
    check_with(r#"{"type": "integer", "nullable": true, "enum": [1]}"#, &options, &["1"], &["null"]);
    check_with(r#"{"type": "integer", "nullable": false}"#, &options, &["1"], &["null"]);
    check_with(r#"{"nullable": true, "allOf": [{"type": "integer"}]}"#, &options, &["1"], &["null"]);
    // As in draft 4.
    check_with(r#"{"type": "integer", "minimum": 1, "exclusiveMinimum": true}"#, &options, &["2"], &["1"]);
}

#[test]
fn json_schema_has_neither() {
    let schema = r#"{"type": "string", "nullable": true, "format": "byte"}"#;
    check(schema, &[r#""no base64""#], &["null"]);
    let compiled = compile(schema, &Options::default()).unwrap();
    assert_eq!(compiled.warnings.len(), 1, "{:?}", compiled.warnings);
    assert!(compiled.warnings[0].message.contains("OpenAPI"));
}

#[test]
fn a_refused_schema_has_a_report_of_all_keywords() {
    let schema = r#"{"properties": {"a": {"type": "array", "items": {"propertyNames": {"pattern": "^a$"}}, "uniqueItems": true}}, "title": "x"}"#;
    assert_eq!(compile(schema, &Options::default()).unwrap_err().len(), 1);
    let allowing = Options { unenforced: Unenforced::Allow, ..Options::default() };
    let report = compile(schema, &allowing).unwrap().report.refused();
    let coverage = |pointer: &str| {
        let entry = report.entries.iter().find(|entry| entry.pointer == pointer);
        entry.map(|entry| entry.coverage.clone())
    };
    assert_eq!(coverage("/properties/a/type"), Some(Coverage::Enforced));
    assert_eq!(coverage("/title"), Some(Coverage::Annotation));
    assert!(matches!(coverage("/properties/a/uniqueItems"), Some(Coverage::Refused { .. })));
}

/// What is accepted where a keyword is left out is as little as can be, and the report says what.
#[test]
fn supersets_are_small() {
    let allowing = Options { unenforced: Unenforced::Allow, ..Options::default() };
    let admits = |schema: &str| {
        let report = compile(schema, &allowing).expect(schema).report;
        let gap = report.gaps().next().expect("a gap").clone();
        (gap.pointer.clone(), gap.coverage.note().into_owned())
    };
    let names: Vec<String> = (0..200).map(|number| format!("\"v{number}\"")).collect();
    // In a complement, items are not remembered.
    let schema = format!(
        r#"{{"type": "array", "items": {{"enum": [{0}]}}, "oneOf": [{{"items": {{"enum": [{0}]}}, "uniqueItems": true}}, {{"minItems": 300}}]}}"#,
        names.join(",")
    );
    let all = format!("[{}]", names.join(","));
    let more = format!("[{},\"v1\"]", names.join(","));
    check_with(&schema, &allowing, &["[]", &all, r#"["v7","v7"]"#], &[&more, r#"["v200"]"#]);
    let (pointer, note) = admits(&schema);
    assert!(pointer == "/oneOf/0/uniqueItems" && note.contains("at most 200 items"), "{pointer}: {note}");
    assert_eq!(compile(&schema, &Options::default()).expect_err("not enforced")[0].code, "unenforceable");
}

/// Items that are scalars are remembered, so that they differ as values do.
#[test]
fn scalar_items_differ() {
    let strings = r#"{"type": "array", "items": {"type": "string"}, "uniqueItems": true}"#;
    check(
        strings,
        &["[]", r#"["a"]"#, r#"["a", "b", "", "ab"]"#],
        &[r#"["a", "b", "a"]"#, r#"["", ""]"#, r#"["a","\u0061"]"#],
    );
    let integers = r#"{"type": "array", "items": {"type": "integer"}, "uniqueItems": true, "minItems": 2}"#;
    check(integers, &["[1, 12, 2, 0]"], &["[1]", "[1, 1]", "[12, 1, 12]", "[1, 1.0]"]);
    let mixed = r#"{"type": "array", "items": {"type": ["string", "number", "boolean", "null"]}, "uniqueItems": true}"#;
    check(
        mixed,
        &[r#"["1", 1, true, null, false, "true"]"#, "[0.5, 5]"],
        &["[true, 1, true]", "[null, null]", "[0.5, 0.50]", "[0, -0]"],
    );
    let tuple = r#"{"prefixItems": [{"type": "string"}, {"type": "integer"}], "items": {"type": "string"}, "type": "array", "uniqueItems": true}"#;
    check(tuple, &[r#"["a", 1, "b", "c"]"#], &[r#"["a", 1, "a"]"#, r#"["a", 1, "b", "b"]"#]);
    let bounded = r#"{"type": "array", "items": {"type": "string", "pattern": "^[ab]{2,3}$"}, "uniqueItems": true, "maxItems": 13}"#;
    check(bounded, &[r#"["aa", "ab", "aab", "aba"]"#], &[r#"["aa", "ab", "aa"]"#, r#"["a"]"#]);
    let either = r#"{"anyOf": [{"type": "array", "items": {"type": "string"}, "uniqueItems": true}, {"type": "array", "items": {"type": "integer"}}]}"#;
    check(either, &[r#"["a", "b"]"#, "[1, 1]", "[]"], &[r#"["a", "a"]"#]);
    let one_of = r#"{"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "uniqueItems": true}]}"#;
    check(one_of, &[r#"["a", "b"]"#, r#""a""#], &[r#"["a", "a"]"#]);
    // No more items than values, however many these are.
    let digits = r#"{"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 11}, "uniqueItems": true, "minItems": 12}"#;
    check(digits, &["[0,1,2,3,4,5,6,7,8,9,10,11]"], &["[0,1,2,3,4,5,6,7,8,9,10,0]"]);
    let too_many = digits.replace("\"minItems\": 12", "\"minItems\": 13");
    assert_eq!(compile(&too_many, &Options::default()).unwrap_err()[0].code, "unsatisfiable");
}

/// What the items are is said elsewhere, or differs between places.
#[test]
fn items_differ_whatever_says_what_they_are() {
    let values = r#""a","b","c","d","e","f","g","h","i","j","k","l""#;
    let all_of = format!(
        r#"{{"type": "array", "uniqueItems": true, "allOf": [{{"items": {{"enum": [{values}]}}}}], "minItems": 12}}"#
    );
    check(&all_of, &[&format!("[{values}]")], &[r#"["a"]"#, &format!("[{values},\"a\"]")]);
    let too_many = all_of.replace("\"minItems\": 12", "\"minItems\": 13");
    assert_eq!(compile(&too_many, &Options::default()).unwrap_err()[0].code, "unsatisfiable");
    // Where few values are left at one place and others elsewhere, they might be used up.
    let contains = format!(
        r#"{{"type": "array", "uniqueItems": true, "items": {{"enum": [{values}]}}, "contains": {{"const": "a"}}}}"#
    );
    assert_eq!(compile(&contains, &Options::default()).unwrap_err()[0].code, "unenforceable");
    let contains = r#"{"type": "array", "uniqueItems": true, "items": {"type": "string"}, "contains": {"pattern": "^a"}}"#;
    check(contains, &[r#"["b", "ab"]"#], &[r#"["b"]"#, r#"["ab", "ab"]"#]);
    let empty = r#"{"items": {"type": "array", "maxItems": 0, "uniqueItems": false}, "type": "array", "uniqueItems": true}"#;
    check(empty, &["[]", "[[]]"], &["[[], []]", "[[[]]]"]);
}

/// Items that are arrays or objects are compared as values, whatever white space is in them.
#[test]
fn arrays_and_objects_differ() {
    let of = |items: &str| format!(r#"{{"type": "array", "uniqueItems": true, "items": {items}}}"#);
    let lists = of(&of(r#"{"type": "string"}"#));
    check(
        &lists,
        &["[]", r#"[[], ["a"], ["a", "b"], ["b", "a"]]"#, r#"[["a b"], ["ab"]]"#],
        &["[[], []]", r#"[["a", "a"]]"#, r#"[["a", "b"], ["a","b"]]"#, "[[], [\"a\"], [\n \"a\"\n]]"],
    );
    let open = of(
        r#"{"properties": {"name": {"type": "string"}, "size": {"type": "number"}, "on": {"type": "boolean"}}, "type": "object"}"#,
    );
    check(
        &open,
        &[
            r#"[{"name": "a"}, {"name": "a", "on": true}, {"size": 1, "on": true}, {}]"#,
            r#"[{"other": 1}, {"other": {"other": [{"other": 1}]}}, {"other": 1, "another": 1}]"#,
        ],
        &[
            "[{}, {}]",
            r#"[{"name": "a"}, {"name":"a"}]"#,
            r#"[{"size": 1, "on": true}, {"size": 1, "on": true}]"#,
            r#"[{"size": 1}, {"size": 1.0}]"#,
            r#"[{"name": "a"}, {"name": "\u0061"}]"#,
            // Two orders of declared keys are left out, as the report says.
            r#"[{"on": true, "size": 1}]"#,
            r#"[{"other": 1, "more": [{}]}, {"more": [{ }], "other":1}]"#,
            r#"[{"other": 1, "other": 1}]"#,
        ],
    );
    let mixed = of(
        r#"{"anyOf": [{"type": "string"}, {"required": ["at"], "properties": {"at": {"type": "integer"}}, "type": "object"}]}"#,
    );
    check(
        &mixed,
        &[r#"["a", {"at": 1}, "{\"at\": 1}", {"at": 12}]"#],
        &[r#"["a", {"at": 1}, "a"]"#, r#"["a", {"at": 1}, {"at": 1}]"#],
    );
    let tree = r##"{"$defs": {"tree": {"type": "array", "uniqueItems": true, "items": {"$ref": "#/$defs/tree"}}}, "$ref": "#/$defs/tree"}"##;
    check(tree, &["[[], [[]], [[], [[]]]]"], &["[[], []]", "[[[]], [[]]]", "[[[], [[], []]]]"]);
    let few =
        of(r#"{"properties": {"on": {"type": "boolean"}}, "type": "object", "additionalProperties": false}"#);
    let enough = few.replace("\"items\"", "\"maxItems\": 3, \"items\"");
    for few in [&few, &enough] {
        check(few, &[r#"[{}, {"on": true}, {"on": false}]"#], &[r#"[{"on": true}, {"on": true}]"#]);
    }
    // No more items than values, if these are counted exactly and are at each place the same.
    let exactly = |least: u32| few.replace("\"items\"", &format!("\"minItems\": {least}, \"items\""));
    check(&exactly(3), &[r#"[{}, {"on": true}, {"on": false}]"#], &[r#"[{}, {"on": true}]"#]);
    assert_eq!(compile(&exactly(4), &Options::default()).unwrap_err()[0].code, "unenforceable");
    let mixed = of(r#"{"enum": [{"a": 1}, {"a": 2}, 1]}"#);
    check(&mixed, &[r#"[{"a": 1}, 1, {"a": 2}]"#], &[r#"[{"a": 1}, 1, {"a": 1}]"#]);
    let counted = of(r#"{"type": "array", "uniqueItems": true, "items": {"enum": [0, 1]}}"#);
    check(&counted, &["[[], [0], [1], [0, 1], [1, 0]]"], &["[[0], [0]]", "[[0, 0]]"]);
}

/// Alternatives with an order of keys each, of which one may run out.
#[test]
fn objects_with_few_orders_differ() {
    let parameter = r##"{"$defs": {"x": {"^x-": {}}}, "type": "array", "uniqueItems": true, "items": {"oneOf": [
        {"type": "object", "properties": {"name": {"type": "string"}, "in": {"enum": ["body"]}}, "required": ["name", "in"],
            "patternProperties": {"^x-": {}}, "additionalProperties": false},
        {"type": "object", "properties": {"in": {"enum": ["path"]}, "name": {"type": "string"}}, "required": ["in", "name"],
            "patternProperties": {"^x-": {}}, "additionalProperties": false},
        {"type": "object", "properties": {"$ref": {"enum": ["a", "b"]}}, "required": ["$ref"], "additionalProperties": false}
    ]}}"##;
    check(
        parameter,
        &[
            r#"[{"$ref": "a"}, {"name": "a", "in": "body"}, {"in": "path", "name": "a"}, {"$ref": "b"}]"#,
            r#"[{"name": "a", "in": "body", "x-1": 1, "x-2": 2}, {"name": "a", "in": "body", "x-1": 2, "x-2": 1}]"#,
        ],
        &[
            r#"[{"$ref": "a"}, {"$ref": "b"}, {"$ref": "a"}]"#,
            r#"[{"name": "a", "in": "body"}, {"name": "a", "in": "body"}]"#,
            r#"[{"name": "a", "in": "body", "x-1": 1, "x-2": 2}, {"name": "a", "in": "body", "x-2": 2, "x-1": 1}]"#,
            r#"[{"name": "a", "in": "path"}]"#,
        ],
    );
}

/// Items of any value, maps and open objects are compared as values.
#[test]
fn items_of_any_value_differ() {
    let of = |items: &str| format!(r#"{{"type": "array", "uniqueItems": true, "items": {items}}}"#);
    let valid = [
        r#"[1, "1", [1], {"a": 1}, {"a": 1, "b": 1}, [{"a": 1}], [], {}, null, true, false, 1.5]"#,
        r#"[{"a": {"b": 1, "c": 2}}, {"a": {"b": 2, "c": 1}}]"#,
        r#"[[1, 2], [2, 1]]"#,
    ];
    let invalid = [
        r#"[1, 1]"#,
        r#"[1, 1.0]"#,
        r#"[null, {}, {}]"#,
        r#"[{"a": 1, "b": 2}, {"b":2, "a":1}]"#,
        r#"[{"a": 1, "a": 1}]"#,
        r#"[[{"a": 1, "a": 2}]]"#,
        r#"[[{"a": {"b": 1, "c": 2}}], [{"a": {"c": 2, "b": 1}}]]"#,
    ];
    check(&of("true"), &valid, &invalid);
    check(r#"{"type": "array", "uniqueItems": true}"#, &valid, &invalid);
    let map = of(r#"{"type": "object", "additionalProperties": {"type": "boolean"}}"#);
    check(
        &map,
        &[r#"[{}, {"a": true}, {"a": true, "b": false}, {"a": false}]"#],
        &[r#"[{"a": true, "b": false}, {"b": false, "a": true}]"#, r#"[{"a": 1}]"#],
    );
    let inner = of(r#"{"properties": {"a": {"type": "string"}, "b": {"type": "object"}}, "type": "object"}"#);
    check(&inner, &[r#"[{"a": "", "b": {"c": {}}}, {"b": {"c": {}}}]"#], &[r#"[{"a": 1}]"#]);
    let any_order = Options { property_order: PropertyOrder::Any, ..Options::default() };
    let open = of(r#"{"properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "type": "object"}"#);
    check_with(
        &open,
        &any_order,
        &[r#"[{"b": "", "a": ""}, {"a": "b", "b": ""}]"#, r#"[{"c": 1, "b": "", "a": ""}]"#],
        &[r#"[{"b": "", "a": ""}, {"a": "", "b": ""}]"#, r#"[{"b": "", "a": "", "b": ""}]"#],
    );
    let report = compile(&open, &Options::default()).unwrap().report;
    let narrows = |kind| report.narrowings().any(|entry| entry.coverage.narrowing() == Some(kind));
    assert!(narrows(Narrowing::RepeatedKey) && narrows(Narrowing::ItemSpelling));
}

/// Items may be used up, or keys in them, and the runtime does not search through all orders.
#[test]
fn items_that_run_out_in_any_order_are_refused() {
    let of = |items: &str| format!(r#"{{"type": "array", "uniqueItems": true, "items": {items}}}"#);
    let finite_keys = of(
        r#"{"type": "object", "propertyNames": {"pattern": "^[ab]$"}, "additionalProperties": {"type": "string"}}"#,
    );
    let nested = of(&format!(r#"{{"type": "array", "items": {finite_keys}}}"#));
    for schema in [finite_keys, nested] {
        let errors = compile(&schema, &Options::default()).unwrap_err();
        assert_eq!(errors[0].code, "unenforceable", "{schema}");
        let allowing = Options { unenforced: Unenforced::Allow, ..Options::default() };
        assert!(compile(&schema, &allowing).is_ok(), "{schema}");
    }
    let any_order = Options { property_order: PropertyOrder::Any, ..Options::default() };
    let closed = of(
        r#"{"properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "type": "object", "additionalProperties": false}"#,
    );
    assert_eq!(compile(&closed, &any_order).unwrap_err()[0].code, "unenforceable");
    // A member that is a map does not make the object endless.
    let member =
        of(r#"{"properties": {"a": {"type": "object"}}, "type": "object", "additionalProperties": false}"#);
    check(
        &member,
        &[r#"[{"a": {}}, {}, {"a": {"a": 1}}]"#],
        &[r#"[{"a": {"b": 1, "a": 1}}, {"a": {"a": 1, "b": 1}}]"#],
    );
}

/// Values that options take out of the language are no values that a list could still have.
#[test]
fn items_that_options_take_away_are_not_counted() {
    let schema = |items: &str, least: u32| {
        format!(r#"{{"type": "array", "uniqueItems": true, "items": {items}, "minItems": {least}}}"#)
    };
    let values = r#"{"enum": ["a","b","c","d","e","f","g","h","i","j","k","<l>"]}"#;
    let excluding = Options { excludes: vec!["<l>".to_owned()], ..Options::default() };
    let integers = r#"{"type": "integer", "minimum": 0, "maximum": 11}"#;
    let short = Options { number_digits: std::num::NonZeroU16::new(1), ..Options::default() };
    let letters = r#"["a","b","c","d","e","f","g","h","i","j","k"]"#;
    let digits = "[0,1,2,3,4,5,6,7,8,9]";
    for (items, options, all) in [(values, &excluding, letters), (integers, &short, digits)] {
        let most = all.split(',').count() as u32;
        check_with(&schema(items, most), options, &[all], &["[]"]);
        let errors = compile(&schema(items, most + 1), options).unwrap_err();
        assert_eq!(errors[0].code, "unsatisfiable", "{items}");
        assert!(compile(&schema(items, most + 1), &Options::default()).is_ok(), "{items}");
    }
}

/// Alternatives that begin with the same items, of which one wants them to differ.
#[test]
fn items_that_may_have_to_differ_are_refused_at_the_keyword() {
    let schema = r#"{"type": "array", "items": {"type": "string"}, "anyOf": [{"uniqueItems": true, "items": {"type": "string"}}, {"minItems": 3}]}"#;
    let errors = compile(schema, &Options::default()).unwrap_err();
    assert_eq!(errors[0].location, Some(Location::Pointer("/anyOf/0/uniqueItems".to_owned())));
    let allowing = Options { unenforced: Unenforced::Allow, ..Options::default() };
    assert!(compile(schema, &allowing).unwrap().report.gaps().next().is_some());
}

/// A complement asks for equal items, which makes no difference where the other conditions decide.
#[test]
fn equal_items_are_asked_for_only_where_they_make_a_difference() {
    let set =
        |items: &str| format!(r#"{{"type": "array", "minItems": 1, "uniqueItems": true, "items": {items}}}"#);
    let (integers, strings, objects) =
        (set(r#"{"type": "integer"}"#), set(r#"{"type": "string"}"#), set(r#"{"type": "object"}"#));
    // The other alternative has no arrays.
    let member = |value: &str| {
        format!(
            r#"{{"type": "object", "required": ["a"], "properties": {{"a": {value}}}, "additionalProperties": false}}"#
        )
    };
    let members = format!(r#"{{"oneOf": [{}, {}]}}"#, member(r#"{"type": "integer"}"#), member(&integers));
    check(&members, &[r#"{"a": 1}"#, r#"{"a": [1, 2]}"#], &[r#"{"a": [1, 1]}"#, r#"{"a": []}"#, "{}"]);
    // The first item decides.
    let lists = format!(r#"{{"oneOf": [{strings}, {objects}, {{"type": "null"}}]}}"#);
    check(
        &lists,
        &[r#"["a", "b"]"#, r#"[{"a": 1}, {"a": 2}]"#, "null"],
        &[r#"["a", "a"]"#, r#"[{"a": 1}, {"a": 1}]"#, "[]", r#"["a", {}]"#],
    );
    // Arrays with equal items meet none of the alternatives.
    let [begun, ended] =
        ["^a", "b$"].map(|pattern| set(&format!(r#"{{"type": "string", "pattern": "{pattern}"}}"#)));
    let overlapping = format!(r#"{{"oneOf": [{begun}, {ended}]}}"#);
    check(
        &overlapping,
        &[r#"["a", "ab"]"#, r#"["ab", "xb"]"#, r#"["b"]"#],
        &[r#"["ab", "axb"]"#, r#"["a", "a"]"#, r#"["a", "b"]"#, r#"["ab", "ab"]"#, "[]"],
    );
    // The length decides, where a list has no more items than there are values.
    let letters = r#"{"enum": ["a","b","c","d","e","f","g","h","i","j","k"]}"#;
    let long = format!(r#"{{"type": "array", "items": {letters}, "minItems": 12, "not": {}}}"#, set(letters));
    let twelve = r#"["a","b","c","d","e","f","g","h","i","j","k","a"]"#;
    check(&long, &[twelve], &[r#"["a", "a"]"#, "[]"]);
    // A list of lists that differ excludes another one.
    let nested = format!(r#"{{"oneOf": [{{"oneOf": [{{"type": "null"}}, {begun}]}}, {ended}]}}"#);
    check(
        &nested,
        &["null", r#"["a", "ab"]"#, r#"["ab", "xb"]"#],
        &[r#"["ab", "axb"]"#, r#"["a", "a"]"#, r#"["b", "b"]"#, r#"["ab", "ab"]"#],
    );
    // It makes a difference.
    let pairs = r#"{"type": "array", "items": {"type": "string"}, "not": {"type": "array", "uniqueItems": true, "items": {"type": "string"}}}"#;
    let either = format!(r#"{{"oneOf": [{strings}, {{"type": "array", "items": {{"type": "string"}}}}]}}"#);
    let twice = r#"{"type": "array", "items": {"type": "integer"}, "not": {"anyOf": [{"not": {"uniqueItems": true, "items": {"type": "integer"}}}, {"minItems": 5}]}}"#;
    let refused = [
        (pairs, "/not/uniqueItems"),
        (&either, "/oneOf/0/uniqueItems"),
        (twice, "/not/anyOf/0/not/uniqueItems"),
    ];
    for (schema, pointer) in refused {
        let errors = compile(schema, &Options::default()).unwrap_err();
        assert_eq!(errors[0].code, "unenforceable", "{schema}");
        assert_eq!(errors[0].location, Some(Location::Pointer(pointer.to_owned())), "{schema}");
    }
}

/// Equal items in a member leave another alternative: it asks for nothing that it does not ask for otherwise.
#[test]
fn members_with_equal_items_need_no_complement() {
    let either = r#"{"type": "object", "anyOf": [
        {"properties": {"a": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}}},
        {"required": ["b"], "properties": {"b": {"type": "integer"}}}
    ], "additionalProperties": true}"#;
    check(
        either,
        &[
            r#"{"a": ["x", "y"]}"#,
            r#"{"a": ["x", "x"], "b": 1}"#,
            r#"{"a": ["x", "y"], "b": "z"}"#,
            r#"{"a": 1, "b": 1, "c": 2}"#,
            "{}",
        ],
        &[r#"{"a": ["x", "x"]}"#, r#"{"a": ["x", "x"], "b": "z"}"#, r#"{"a": 1}"#],
    );
    // Here equal items are asked for.
    let one = either.replace("anyOf", "oneOf");
    assert_eq!(compile(&one, &Options::default()).unwrap_err()[0].code, "unenforceable");
}

/// A host name with a label that begins with `xn--` is accepted neither where host names are demanded nor where they are excluded.
#[test]
fn doubtful_host_names_are_never_accepted() {
    let label = "a".repeat(63);
    let longest = format!("\"{label}.{label}.{label}.{}\"", "a".repeat(61));
    let longer = format!("\"{label}.{label}.{label}.{}\"", "a".repeat(62));
    let names = [r#""example.com""#, r#""a""#, r#""xn-a.x.xn""#, r#""axn--a.b--c""#, &longest];
    let doubtful = [r#""xn--a""#, r#""a.Xn--a-b.c""#, r#""xn--X""#];
    let others = [r#""""#, r#""-a.de""#, r#""a_b""#, r#""a..b""#, r#""a.xn--""#, &longer];
    for (format, not) in [("hostname", &others[..]), ("idn-hostname", &others[..others.len() - 1])] {
        let demanded = format!(r#"{{"type": "string", "format": "{format}"}}"#);
        check(&demanded, &names, &[&doubtful[..], &others].concat());
        for excluded in [
            format!(r#"{{"type": "string", "not": {{"format": "{format}"}}}}"#),
            format!(r#"{{"type": "string", "if": {{"format": "{format}"}}, "then": false}}"#),
            format!(r#"{{"type": "string", "oneOf": [{{"format": "{format}"}}, true]}}"#),
        ] {
            check(&excluded, not, &[&doubtful[..], &names].concat());
        }
        let schema = format!(
            r#"{{"oneOf": [{{"properties": {{"a": {{"pattern": "^xn--"}}, "b": true}}, "required": ["a"]}},
                {{"properties": {{"b": true, "a": {{"format": "{format}"}}}}, "required": ["a"]}}]}}"#
        );
        let valid = [r#"{"a": "xn--_"}"#, r#"{"b": 1, "a": "a"}"#];
        check(&schema, &valid, &[r#"{"a": "xn--a"}"#, r#"{"b": 1, "a": "xn--a"}"#]);
    }
}

/// Half of a surrogate pair is no character, so no spelling of a string has one.
#[test]
fn escapes_of_lone_surrogates_are_refused() {
    let valid = [r#""\ud83d\ude00""#, r#""\uD83D\uDE00x""#, r#""\uffff""#];
    let invalid =
        [r#""\ud83d""#, r#""\ude00""#, r#""\ud83dx""#, r#""\ude00\ud83d""#, r#""\ud83d\ud83d\ude00""#];
    for schema in [
        r#"{"type": "string"}"#,
        r#"{"type": "string", "maxLength": 2}"#,
        r#"{"type": "string", "pattern": "^[^ab]*x?$"}"#,
    ] {
        let all = Options { strings: Strings::All, ..Options::default() };
        check_with(schema, &all, &valid, &invalid);
        check(schema, &[r#""\ud83d\ude00""#, r#""\uffff""#], &invalid);
        let canonical = Options { strings: Strings::Canonical, ..Options::default() };
        check_with(schema, &canonical, &["\"😀\""], &invalid);
    }
    check(r#"{"type": "object"}"#, &[r#"{"\ud83d\ude00": 1}"#], &[r#"{"\ud83d": 1}"#]);
    for text in invalid {
        assert!(
            serde_json::from_str::<String>(text).is_err(),
            "{text}: serde_json refuses what is refused here"
        );
    }
    assert!(compile(r#"{"const": "\ud83d"}"#, &Options::default()).is_err());
}

/// There are 2^10 combinations of conditions, but two of what they evaluate.
#[test]
fn many_conditions_that_evaluate_the_same() {
    let rule = |k: u32| {
        format!(
            r#"{{"if": {{"properties": {{"k": {{"const": {k}}}}}}}, "then": {{"properties": {{"x": {{"const": {k}}}}}}}}}"#
        )
    };
    let rules: Vec<String> = (0..10).map(rule).collect();
    let schema = format!(
        r#"{{"type": "object", "properties": {{"k": {{"type": "integer"}}}}, "required": ["k"], "allOf": [{}], "unevaluatedProperties": false}}"#,
        rules.join(", ")
    );
    check(
        &schema,
        &[r#"{"k": 3, "x": 3}"#, r#"{"k": 3}"#, r#"{"k": 11}"#],
        &[r#"{"k": 3, "x": 4}"#, r#"{"k": 11, "x": 1}"#, r#"{"k": 3, "y": 3}"#, "{}"],
    );
}

/// The resources of the metaschema were copied for each order in which they are reached.
#[test]
fn a_dynamic_scope_has_only_resources_that_change_references() {
    for draft in ["2019-09", "2020-12"] {
        let schema = format!(r#"{{"$ref": "https://json-schema.org/draft/{draft}/schema"}}"#);
        let compiled = compile(&schema, &Options::default()).expect("the metaschema compiles");
        let entries = compiled.report.entries.len();
        assert!((100..400).contains(&entries), "{draft}: {entries} entries");
    }
}

#[test]
fn drafts_before_the_fourth_are_refused() {
    let schema =
        r#"{"$schema": "http://json-schema.org/draft-03/schema#", "type": "string", "disallow": "null"}"#;
    let errors = compile(schema, &Options::default()).map(|_| ()).expect_err("draft 3 is not read");
    assert_eq!(errors[0].code, "unknown-dialect");
    let options = Options { draft: Some(Draft::Draft4), ..Options::default() };
    let warnings = compile(schema, &options).expect("it is read as draft 4").warnings;
    assert_eq!(
        warnings.iter().map(|warning| warning.code.to_string()).collect::<Vec<_>>(),
        ["unknown-keyword"]
    );
}
