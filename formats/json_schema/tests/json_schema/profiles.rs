//! Profiles: the conventions of other engines, by texts that they accept and refuse.
//!
//! The verdicts are those of the engines, from their documentation: OpenAI's guide to structured outputs, XGrammar's `strict_mode` and
//! `any_whitespace`, llguidance's `whitespace_flexible`, and the regular expressions of outlines-core.

use crate::recognizer::Recognizer;
use gcc_grammar_json_schema::{Narrowing, Options, Profile, Whitespace, compile};

const OBJECT: &str = r#"{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string", "pattern": "x+"}}, "required": ["a"]}"#;

fn check(options: &Options, schema: &str, accepted: &[&str], refused: &[&str]) {
    let compiled = compile(schema, options).unwrap_or_else(|errors| panic!("{schema}: {errors:?}"));
    let recognizer = Recognizer::new(&compiled.grammar);
    for text in accepted {
        assert!(
            recognizer.accepts(text.as_bytes()),
            "{:?} should accept {text} under {schema}",
            options.profile
        );
    }
    for text in refused {
        assert!(
            !recognizer.accepts(text.as_bytes()),
            "{:?} should refuse {text} under {schema}",
            options.profile
        );
    }
}

/// The places of the narrowings that come from the profile.
fn places(profile: Profile, schema: &str) -> Vec<String> {
    let report = compile(schema, &Options::of(profile)).expect(schema).report;
    let of_profile =
        report.narrowings().filter(|entry| entry.coverage.narrowing() == Some(Narrowing::Profile));
    of_profile.map(|entry| entry.pointer.clone()).collect()
}

/// The places and messages of errors.
fn errors(schema: &str) -> Vec<String> {
    let errors = compile(schema, &Options::of(Profile::OpenAi)).expect_err(schema);
    let mut shown: Vec<String> =
        errors.iter().map(|error| format!("{:?} {}", error.location, error.message)).collect();
    shown.sort();
    shown
}

#[test]
fn each_profile_has_its_white_space_spellings_and_members() {
    let all = [r#"{"a":1,"b":"x"}"#];
    let closed = [r#"{"a":1,"b":"x","c":1}"#, r#"{"a":1.0,"b":"x"}"#];
    check(&Options::of(Profile::XGrammar), OBJECT, &[&all[..], &["{\"a\"\n:\t1}"]].concat(), &closed);
    check(&Options::of(Profile::XGrammar), OBJECT, &[], &[r#"{"a":1,"b":"xy"}"#, " {\"a\":1}"]);
    check(
        &Options::of(Profile::LlGuidance),
        OBJECT,
        &[&all[..], &[r#"{"a":1,"b":"xy"}"#, r#"{"a" : 1,"c":[]}"#]].concat(),
        &[r#"{"a":1.0}"#, r#"{"a":1,"b":"\u0078"}"#],
    );
    check(
        &Options::of(Profile::Outlines),
        OBJECT,
        &[&all[..], &[r#"{ "a" : 1 , "b" : "x" }"#]].concat(),
        &closed,
    );
    check(
        &Options::of(Profile::Outlines),
        OBJECT,
        &[],
        &["{\"a\":  1}", "{\n\"a\":1}", r#"{"a":1,"b":"yx"}"#],
    );
    check(
        &Options::of(Profile::OpenAi),
        OBJECT,
        &[&all[..], &[r#"{"a":1,"b":"yx"}"#]].concat(),
        &[r#"{"a":1}"#],
    );
    check(&Options::of(Profile::OpenAi), OBJECT, &["{\n  \"a\": 1,\n  \"b\": \"x\"\n}"], &closed[..1]);
}

#[test]
fn other_options_decide_before_the_profile() {
    let compact = Options { whitespace: Whitespace::Compact, ..Options::of(Profile::XGrammar) };
    check(&compact, OBJECT, &[r#"{"a":1}"#], &[r#"{"a": 1}"#, r#"{"a":1,"c":1}"#]);
}

#[test]
fn what_a_profile_reads_into_a_schema_is_reported() {
    assert_eq!(places(Profile::OpenAi, OBJECT), ["", ""]);
    assert_eq!(places(Profile::XGrammar, OBJECT), ["", "/properties/b"]);
    assert_eq!(places(Profile::LlGuidance, OBJECT), [] as [&str; 0]);
    let strict = r##"{"type": "object", "properties": {"a": {"$ref": "#/$defs/d"}}, "required": ["a"], "additionalProperties": false,
        "$defs": {"d": {"type": "string", "pattern": "^x$"}}}"##;
    for &profile in Profile::ALL {
        assert_eq!(places(profile, strict), [] as [&str; 0], "{profile}");
    }
    let report = compile(OBJECT, &Options::of(Profile::OpenAi)).expect(OBJECT).report;
    let written = |pointer: &str| {
        pointer.is_empty()
            || pointer.starts_with("/t")
            || pointer.starts_with("/p")
            || pointer.starts_with("/r")
    };
    assert!(report.entries.iter().all(|entry| written(&entry.pointer)), "{:?}", report.entries);
}

/// An equal schema that is written so is not reported as narrowed.
#[test]
fn only_what_is_not_written_is_reported() {
    let schema = r#"{"type": "object", "properties": {"x": {"properties": {"k": {}}, "additionalProperties": false}, "y": {"properties": {"k": {}}}},
        "additionalProperties": false}"#;
    assert_eq!(places(Profile::XGrammar, schema), ["/properties/y"]);
}

#[test]
fn schemas_are_closed_around_their_parts() {
    let schema = r#"{"properties": {"a": {"type": "null"}}, "anyOf": [{"properties": {"b": {"type": "null"}}}, {"required": ["c"]}]}"#;
    for draft in ["", r#""$schema": "http://json-schema.org/draft-07/schema#", "#] {
        let schema = schema.replacen('{', &format!("{{{draft}"), 1);
        let options = Options { whitespace: Whitespace::Compact, ..Options::of(Profile::XGrammar) };
        check(&options, &schema, &[r#"{"a":null}"#, r#"{"a":null,"b":null}"#], &[r#"{"a":null,"d":null}"#]);
    }
    let list = r#"{"type": "array", "prefixItems": [{"const": 1}]}"#;
    check(&Options::of(Profile::Outlines), list, &["[1]", "[]"], &["[1,1]"]);
    check(
        &Options::of(Profile::OpenAi),
        r#"{"type": "object", "properties": {"l": {"prefixItems": [{"const": 1}]}}}"#,
        &[r#"{"l":[1,1]}"#],
        &["{}"],
    );
    // A property that is only required is still allowed, and what names nothing is any object.
    check(
        &Options::of(Profile::Outlines),
        r#"{"type": "object", "required": ["k"]}"#,
        &[r#"{"k":1}"#],
        &[r#"{"k":1,"l":1}"#],
    );
    check(&Options::of(Profile::XGrammar), r#"{"type": "object"}"#, &[r#"{"k":1}"#], &["1"]);
    check(&Options::of(Profile::OpenAi), r#"{"type": "object"}"#, &["{}"], &[r#"{"k":1}"#]);
}

/// What is excluded is read as it is written: to close it would allow more.
#[test]
fn nothing_is_read_into_what_is_excluded() {
    let schema = r#"{"type": "object", "properties": {"a": {}, "b": {}}, "not": {"properties": {"a": {"const": 1}}, "required": ["a"]}}"#;
    check(
        &Options::of(Profile::XGrammar),
        schema,
        &[r#"{"a":2,"b":1}"#],
        &[r#"{"a":1}"#, r#"{"a":1,"b":1}"#],
    );
}

#[test]
fn openai_names_what_it_forbids() {
    let place =
        |pointer: &str, what: &str| format!("Some(Pointer({pointer:?})) the profile openai forbids {what}");
    let schema = r##"{"type": "object", "properties": {
        "a": {"allOf": [{"type": "string"}]},
        "b": {"type": "object", "properties": {}, "additionalProperties": true},
        "c": {"$ref": "#/$defs/c"}}, "$defs": {"c": {"type": "array", "uniqueItems": true}}}"##;
    assert_eq!(
        errors(schema),
        [
            place("/$defs/c/uniqueItems", "uniqueItems"),
            place("/properties/a/allOf", "allOf"),
            place("/properties/b/additionalProperties", "additionalProperties other than false"),
        ]
    );
    assert_eq!(errors(r#"{"type": "array"}"#), [place("", "any root but an object")]);
    let anyof = r#"{"type": "object", "anyOf": [{"type": "object"}]}"#;
    assert_eq!(errors(anyof), [place("/anyOf", "anyOf at the root")]);
}

/// A pattern is wrong or right by itself, although it is put into a group.
#[test]
fn patterns_are_read_before_they_are_anchored() {
    let options = Options::of(Profile::Outlines);
    let error = compile(r#"{"pattern": "a)(b"}"#, &options).expect_err("not a pattern").remove(0);
    assert!(error.message.contains("\"a)(b\" is not a regular expression"), "{}", error.message);
    check(&options, r#"{"type": "string", "pattern": "^a|b$"}"#, &["\"a\"", "\"b\""], &["\"ax\"", "\"xb\""]);
    check(&options, r#"{"type": "string", "pattern": "a(?=b)b"}"#, &["\"ab\""], &["\"abb\""]);
}
