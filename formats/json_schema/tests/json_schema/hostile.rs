//! Bad input: schemas that are wrong, contradictory, deeply nested or expensive.
//!
//! Each must end in an error with its place or in a grammar, without panic or stack overflow, and with
//! bounded work.

use crate::core::check_with;
use gcc_grammar_ir::{Diagnostic, Location};
use gcc_grammar_json_schema::{Compiled, Options, Unenforced, compile, compile_within};
use gcc_grammar_limits::{Budget, Limits};

fn refusal(schema: &str) -> Vec<Diagnostic> {
    compile(schema, &Options::default()).err().unwrap_or_else(|| panic!("{schema:.200} should be refused"))
}

fn compiled(schema: &str) -> Compiled {
    compile(schema, &Options::default()).unwrap_or_else(|errors| panic!("{schema:.200}: {errors:?}"))
}

/// The schema is refused with this code at this pointer.
fn check(schema: &str, code: &str, pointer: &str) {
    let errors = refusal(schema);
    assert!(
        errors
            .iter()
            .any(|error| error.code == code && error.location == Some(Location::Pointer(pointer.to_owned()))),
        "{schema:.200}: {errors:?}"
    );
}

#[test]
fn values_of_the_wrong_type() {
    for (keyword, value) in [
        ("type", "3"),
        ("type", r#""strnig""#),
        ("type", "[]"),
        ("uniqueItems", r#""yes""#),
        ("minLength", "-1"),
        ("maxLength", "1.5"),
        ("maxItems", r#""3""#),
        ("minimum", r#""3""#),
        ("multipleOf", "0"),
        ("multipleOf", "-2"),
        ("required", "true"),
        ("required", "[1]"),
        ("properties", "[]"),
        ("items", "3"),
        ("anyOf", "{}"),
        ("enum", r#""a""#),
        ("not", "3"),
        ("pattern", "3"),
        ("format", "null"),
        ("$ref", "3"),
    ] {
        check(&format!(r#"{{"{keyword}": {value}}}"#), "invalid-schema", &format!("/{keyword}"));
    }
    let warned = compiled(r#"{"type": "string", "uniqueItems": "yes"}"#);
    assert_eq!(warned.warnings.len(), 1);
    assert_eq!(warned.warnings[0].location, Some(Location::Pointer("/uniqueItems".to_owned())));
}

#[test]
fn texts_that_are_not_json() {
    for schema in [
        "",
        "{",
        "\u{feff}{}",
        "{} {}",
        r#"{"minimum": NaN}"#,
        r#"{"minimum": 01}"#,
        r#"{"const": "\ud800"}"#,
        "{\"a\": \"\n\"}",
    ] {
        assert_eq!(refusal(schema)[0].code, "json-syntax", "{schema:?}");
    }
    assert_eq!(refusal(r#"{"type": "string", "typ\u0065": "null"}"#)[0].code, "duplicate-key");
}

#[test]
fn patterns() {
    check(r#"{"pattern": "a("}"#, "invalid-pattern", "/pattern");
    // Sets of Rust, Java and .NET, which ECMA-262 with the flag `v` alone has, and a bound of Python's.
    for pattern in ["^[a-z&&[^b]]$", "^[[a-c]d]$", "^[a-z-[aeiou]]$", r"^[\\w--\\d]$", "^a{,3}$"] {
        check(&format!(r#"{{"pattern": "{pattern}"}}"#), "invalid-pattern", "/pattern");
    }
    for list in [r#"["string", null]"#, r#"["string", 3]"#, "[null]"] {
        check(&format!(r#"{{"type": {list}}}"#), "invalid-schema", "/type");
    }
    check(r#"{"pattern": "(a+)\\1"}"#, "unenforceable", "/pattern");
    check(r#"{"properties": {"x": {"pattern": "a{0,1000000}"}}}"#, "unenforceable", "/properties/x/pattern");
    // The subset construction has to remember which of the last 40 characters was an a.
    check(r#"{"pattern": "a.{40}$"}"#, "unenforceable", "/pattern");
    check(r#"{"patternProperties": {"[": {}}}"#, "invalid-pattern", "/patternProperties");
    compiled(r#"{"type": "string", "pattern": "^((a+)+)+$"}"#);
    // Those of other dialects may be left out.
    let allow = Options { unenforced: Unenforced::Allow, ..Options::default() };
    let schema = r#"{"type": "string", "maxLength": 1, "pattern": "^[\\p{Print}&&[^|]]+$"}"#;
    check(schema, "invalid-pattern", "/pattern");
    check_with(schema, &allow, &[r#""|""#], &[r#""||""#, "1"]);
    for (key, code) in [("(?!1", "invalid-pattern"), ("(?1)", "unenforceable")] {
        let schema = format!(
            r#"{{"type": "object", "patternProperties": {{"{key}": {{"type": "null"}}}}, "additionalProperties": false}}"#
        );
        let gaps = compile(&schema, &allow).expect("a schema").report.gaps().count();
        assert_eq!((refusal(&schema)[0].code.as_str(), gaps), (code, 1));
    }
}

#[test]
fn references() {
    check(r##"{"$ref": "#/nowhere"}"##, "unresolved-reference", "/$ref");
    check(r#"{"$ref": "other.json"}"#, "unresolved-reference", "/$ref");
    for circle in [
        r##"{"$ref": "#"}"##,
        r##"{"anyOf": [{"$ref": "#"}]}"##,
        r##"{"not": {"$ref": "#"}}"##,
        r##"{"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"oneOf": [true, {"$ref": "#"}]}}}"##,
        r##"{"anyOf": [{"$ref": "#"}], "unevaluatedProperties": false}"##,
    ] {
        assert_eq!(refusal(circle)[0].code, "circular-reference", "{circle}");
    }
}

#[test]
fn nesting() {
    let nested =
        |open: &str, close: &str, depth: usize| format!("{}true{}", open.repeat(depth), close.repeat(depth));
    for (open, close) in [(r#"{"items":"#, "}"), (r#"{"not":"#, "}"), (r#"{"allOf":["#, "]}")] {
        refusal(&nested(open, close, 10_000));
        refusal(&nested(open, close, 500));
        compiled(&nested(open, close, 100));
    }
    refusal(&format!(r#"{{"const": {}1{}}}"#, "[".repeat(10_000), "]".repeat(10_000)));
}

#[test]
fn long_chains_of_references() {
    let chain = |link: &str| {
        let links: Vec<_> = (0..20_000)
            .map(|n| format!(r#""d{n}": {}"#, link.replace('@', &format!("#/$defs/d{}", n + 1))))
            .collect();
        let links = links.join(",");
        format!(r##"{{"$ref": "#/$defs/d0", "$defs": {{{links}, "d20000": {{"type": "null"}}}}}}"##)
    };
    compiled(&chain(r#"{"$ref": "@"}"#));
    assert_eq!(refusal(&chain(r#"{"allOf": [{"$ref": "@"}]}"#))[0].code, "too-large");
    assert_eq!(refusal(&chain(r#"{"anyOf": [{"$ref": "@"}, {"type": "string"}]}"#))[0].code, "too-large");
}

#[test]
fn large_but_harmless() {
    let words: Vec<_> = (0..5_000).map(|n| format!(r#""word{n}""#)).collect();
    compiled(&format!(r#"{{"enum": [{}]}}"#, words.join(",")));
    let properties: Vec<_> = (0..400).map(|n| format!(r#""key{n}": {{"type": "string"}}"#)).collect();
    compiled(&format!(
        r#"{{"type": "object", "properties": {{{}}}, "additionalProperties": false}}"#,
        properties.join(",")
    ));
    compiled(r#"{"type": "string", "maxLength": 1000000}"#);
    compiled(r#"{"type": "array", "maxItems": 5000, "items": {"type": "null"}}"#);
}

#[test]
fn combinations_end_within_the_limits() {
    let each =
        |count: usize, form: &dyn Fn(usize) -> String| (0..count).map(form).collect::<Vec<_>>().join(",");
    let independent = each(30, &|n| {
        format!(r#"{{"anyOf": [{{"properties": {{"a{n}": {{"minimum": 1}}}}}}, {{"required": ["b{n}"]}}]}}"#)
    });
    let exclusive = each(25, &|n| format!(r#"{{"required": ["a{n}"], "minProperties": {n}}}"#));
    let multiples = each(12, &|n| format!(r#"{{"not": {{"multipleOf": {}}}}}"#, 97 + 2 * n));
    let patterns = each(16, &|n| format!(r#""a.{{{n}}}b": {{"minimum": {n}}}"#));
    for schema in [
        format!(r#"{{"allOf": [{independent}]}}"#),
        format!(r#"{{"oneOf": [{exclusive}]}}"#),
        format!(r#"{{"type": "number", "allOf": [{multiples}]}}"#),
        format!(r#"{{"patternProperties": {{{patterns}}}}}"#),
        r#"{"type": "array", "maxItems": 1000000, "minItems": 999999}"#.to_owned(),
        r#"{"type": "array", "contains": {"type": "null"}, "minContains": 100000}"#.to_owned(),
    ] {
        if let Err(errors) = compile(&schema, &Options::default()) {
            assert!(
                ["over-budget", "too-large", "unenforceable"].contains(&errors[0].code.as_str()),
                "{schema:.100}: {errors:?}"
            );
        }
    }
}

#[test]
fn gaps_are_refused_or_listed() {
    let schema = r#"{"properties": {"x": {"type": "array", "uniqueItems": true, "items": {"propertyNames": {"pattern": "^a$"}}}}}"#;
    check(schema, "unenforceable", "/properties/x/uniqueItems");
    let options = Options { unenforced: Unenforced::Allow, ..Options::default() };
    let compiled = compile(schema, &options).unwrap();
    let gaps: Vec<_> = compiled.report.gaps().map(|gap| gap.pointer.as_str()).collect();
    assert_eq!(gaps, ["/properties/x/uniqueItems"]);
}

/// The algebra refuses arrays, the loader patterns; equal schemas are loaded once, and the targets of references late.
#[test]
fn all_refusals_are_errors_at_every_place() {
    let set = r#"{"type": "array", "items": {"propertyNames": {"pattern": "^a$"}}, "uniqueItems": true}"#;
    let longer = r#"{"minItems": 1, "type": "array", "items": {"propertyNames": {"pattern": "^a$"}}, "uniqueItems": true}"#;
    let schema = format!(
        r##"{{"properties": {{"a": {set}, "b": {{"pattern": "(a+)\\1"}}, "c": {{"$ref": "#/$defs/d"}}, "e": {longer}}},
            "$defs": {{"d": {{"items": {set}}}}}}}"##
    );
    let errors = refusal(&schema);
    assert!(errors.iter().all(|error| error.code == "unenforceable"), "{errors:?}");
    let allows =
        |error: &Diagnostic| error.help.as_ref().is_some_and(|help| help.contains("--unenforced allow"));
    assert!(errors.iter().all(allows), "{errors:?}");
    let pointers: Vec<_> = errors.iter().map(|error| error.location.clone().expect("a place")).collect();
    let wanted = [
        "/properties/a/uniqueItems",
        "/properties/b/pattern",
        "/properties/e/uniqueItems",
        "/$defs/d/items/uniqueItems",
    ];
    assert_eq!(pointers, wanted.map(|pointer| Location::Pointer(pointer.to_owned())));
}

#[test]
fn equal_schemas_are_reported_at_every_place() {
    let schema =
        r#"{"properties": {"a": {"type": "string", "format": "x"}, "b": {"type": "string", "format": "x"}}}"#;
    let entries = compiled(schema).report.entries.into_iter();
    let keywords = entries.filter(|entry| entry.coverage.narrowing().is_none());
    let pointers: Vec<_> = keywords.map(|entry| entry.pointer).collect();
    let wanted = [
        "/properties",
        "/properties/a/type",
        "/properties/a/format",
        "/properties/b/type",
        "/properties/b/format",
    ];
    assert_eq!(pointers, wanted);
}

/// A schema of `levels` definitions, each made of the next definition, and the last one is `last`.
fn doubled(levels: usize, level: impl Fn(usize, &str) -> String, last: &str) -> String {
    let definitions: Vec<_> = (0..levels)
        .map(|n| {
            let next = format!(r##"{{"$ref": "#/$defs/d{}"}}"##, n + 1);
            format!(r#""d{n}": {}"#, level(n, &next))
        })
        .collect();
    let definitions = definitions.join(",");
    format!(r##"{{"$ref": "#/$defs/d0", "$defs": {{{definitions}, "d{levels}": {last}}}}}"##)
}

#[test]
fn repeated_schemas_cost_no_more() {
    let twice = doubled(60, |_, next| format!(r#"{{"allOf": [{next}, {next}]}}"#), r#"{"required": ["x"]}"#);
    compiled(&twice);
}

/// A schema of n levels with 2^n paths through it: the work is bounded.
#[test]
fn doubled_alternatives() {
    let condition = |n: usize, next: &str| {
        format!(
            r#"{{"if": {next}, "then": {{"properties": {{"a{n}": {{}}}}, "allOf": [{next}]}},
            "else": {{"properties": {{"b{n}": {{}}}}, "allOf": [{next}]}}}}"#
        )
    };
    let dependent =
        |n: usize, next: &str| format!(r#"{{"dependentSchemas": {{"a{n}": {next}, "b{n}": {next}}}}}"#);
    let orders = |n: usize, next: &str| {
        format!(
            r#"{{"anyOf": [{{"properties": {{"a{n}": {{"type": "integer"}}, "b{n}": {{}}}}, "allOf": [{next}]}},
            {{"properties": {{"b{n}": {{"type": "integer"}}, "a{n}": {{}}}}, "allOf": [{next}]}}]}}"#
        )
    };
    let unevaluated =
        |_: usize, next: &str| format!(r#"{{"allOf": [{next}, {next}], "unevaluatedProperties": false}}"#);
    let object = r#"{"type": "object", "required": ["x"]}"#;
    for schema in [
        doubled(40, condition, object),
        doubled(40, dependent, object),
        doubled(30, orders, object),
        doubled(40, unevaluated, object),
    ] {
        let budget = Budget::new(Limits { work: 10_000_000, ..Limits::default() });
        let errors = compile_within(&schema, &Options::default(), &budget).unwrap_err();
        assert!(errors[0].code == "over-budget" && errors[0].location.is_some(), "{errors:?}");
    }
}

/// Keys that are declared alone occur once: none is looked for that occurs twice.
#[test]
fn alternatives_with_declared_keys_alone() {
    let alternative = |index: usize| {
        let properties =
            format!(r#"{{"severity": {{"enum": ["low", "high"]}}, "of{index}": {{"type": "integer"}}}}"#);
        let closed = r#""type": "object", "additionalProperties": false"#;
        format!(
            r#"{{{closed}, "properties": {{"type": {{"const": "{index}"}}, "props": {{{closed}, "properties": {properties}}}}}}}"#
        )
    };
    let alternatives: Vec<String> = (0..20).map(alternative).collect();
    let (schema, budget) = (format!(r#"{{"anyOf": [{}]}}"#, alternatives.join(", ")), Budget::default());
    compile_within(&schema, &Options::default(), &budget).expect("a grammar");
    // 1,700,000 with a search.
    assert!(budget.spent().0 < 1_400_000, "{}", budget.spent().0);
}
