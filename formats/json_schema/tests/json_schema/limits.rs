//! The cost of schemas: what large but ordinary schemas cost grows as they do, and what would cost too much is refused
//! at a place, with the option that allows more.
//!
//! Costs are counted in work units and bytes, which are the same on every machine.

use crate::core::{check, check_with};
use crate::recognizer::Recognizer;
use gcc_grammar_ir::Location;
use gcc_grammar_json_schema::{Coverage, Options, PropertyOrder, Unenforced, compile, compile_within};
use gcc_grammar_limits::{Budget, Limits};

/// The parts with the numbers below `count`, separated by commas.
fn list(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(", ")
}

fn names(count: usize) -> String {
    list(count, |n| format!(r#""n{n}""#))
}

fn integers(count: usize) -> String {
    list(count, |n| format!(r#""n{n}": {{"type": "integer"}}"#))
}

fn chain(count: usize) -> String {
    let links = list(count, |n| format!(r##""d{n}": {{"$ref": "#/$defs/d{}"}}"##, n + 1));
    let users = list(count, |n| format!(r##""n{n}": {{"$ref": "#/$defs/d{n}"}}"##));
    format!(r#"{{"properties": {{{users}}}, "$defs": {{{links}, "d{count}": {{"type": "null"}}}}}}"#)
}

fn definitions(count: usize) -> String {
    let users = list(count, |n| format!(r##""n{n}": {{"$ref": "#/$defs/d{n}"}}"##));
    let definitions = list(count, |n| {
        format!(r#""d{n}": {{"type": "object", "properties": {{"f{n}": {{}}}}, "required": ["f{n}"]}}"#)
    });
    format!(r#"{{"properties": {{{users}}}, "additionalProperties": false, "$defs": {{{definitions}}}}}"#)
}

/// The work units and bytes that the front end spends on a schema that it accepts.
fn costs(schema: &str) -> [u64; 2] {
    let budget = Budget::unlimited("test");
    compile_within(schema, &Options::default(), &budget).unwrap_or_else(|errors| panic!("{:?}", errors[0]));
    budget.spent().into()
}

type Family = fn(usize) -> String;

#[test]
fn large_schemas_cost_in_proportion_to_their_size() {
    let families: [(&str, Family); 15] = [
        ("required", |n| format!(r#"{{"type": "object", "required": [{}]}}"#, names(n))),
        ("required and declared", |n| {
            format!(r#"{{"type": "object", "properties": {{{}}}, "required": [{}]}}"#, integers(n), names(n))
        }),
        ("properties", |n| format!(r#"{{"properties": {{{}}}}}"#, integers(n))),
        ("properties without others", |n| {
            format!(r#"{{"properties": {{{}}}, "additionalProperties": false}}"#, integers(n))
        }),
        ("allOf", |n| {
            let all = list(n, |n| {
                format!(r#"{{"properties": {{"n{n}": {{"type": "integer"}}}}, "required": ["n{n}"]}}"#)
            });
            format!(r#"{{"allOf": [{all}]}}"#)
        }),
        ("one key requires all", |n| {
            let properties = integers(n);
            let names = names(n);
            format!(
                r#"{{"properties": {{"a": {{}}, {properties}}}, "dependentRequired": {{"a": [{names}]}}}}"#
            )
        }),
        ("reference chains", chain),
        ("definitions", definitions),
        ("enum", |n| format!(r#"{{"enum": [{}]}}"#, names(n))),
        ("enum of objects", |n| {
            format!(r#"{{"enum": [{}]}}"#, list(n, |n| format!(r#"{{"a": {n}, "b": [{n}, {}]}}"#, n + 1)))
        }),
        ("enum of arrays", |n| format!(r#"{{"enum": [{}]}}"#, list(n, |n| format!("[[{n}, 1], {n}]")))),
        ("enum of nested objects", |n| {
            format!(r#"{{"enum": [{}]}}"#, list(n, |n| format!(r#"{{"a": {{"b": {n}}}, "c": "{n}"}}"#)))
        }),
        ("const", |n| format!(r#"{{"const": {{{}}}}}"#, list(n, |n| format!(r#""n{n}": [{n}]"#)))),
        ("unknown keywords", |n| format!("{{{}}}", list(n, |n| format!(r#""n{n}": 1"#)))),
        ("minItems", |n| format!(r#"{{"type": "array", "minItems": {n}}}"#)),
    ];
    for (name, family) in families {
        let (once, twice) = (costs(&family(600)), costs(&family(1_200)));
        for (once, twice) in once.into_iter().zip(twice) {
            assert!(twice * 2 <= once * 5, "{name}: {once} for 600, {twice} for 1200");
        }
    }
}

/// Multiples of several numbers are those of one. Numbers that are no multiples of several others have an automaton of 150,000 states, but those among few numbers a
/// small one.
#[test]
fn several_divisors_cost_what_the_numbers_in_question_do() {
    let all = r#"{"type": "number", "allOf": [{"multipleOf": 6.75}, {"multipleOf": 19}, {"multipleOf": 9.5}, {"multipleOf": 2.125}]}"#;
    check(all, &["8721", "-17442", "0", "8721.0"], &["872.1", "19", "114.75", "8722", "17442.5"]);
    assert!(costs(all)[0] < 6_000_000, "{:?}", costs(all));
    let none = r#"{"type": "integer", "multipleOf": 13.5, "exclusiveMinimum": -1000, "exclusiveMaximum": -100,
        "not": {"anyOf": [{"multipleOf": 2}, {"multipleOf": 13}, {"multipleOf": 5}, {"multipleOf": 7}, {"multipleOf": 11}, {"multipleOf": 37}]}}"#;
    check(none, &["-243", "-837", "-621"], &["-108", "-135", "-351", "-189", "-297", "-999", "243", "-1"]);
    assert!(costs(none)[0] < 1_000_000, "{:?}", costs(none));
}

/// The schema is refused at this place for want of work units or bytes.
fn check_refused(schema: &str, limits: Limits, place: &Location) {
    let budget = Budget::new(limits);
    let errors = compile_within(schema, &Options::default(), &budget).expect_err("it costs too much");
    let [error] = &errors[..] else { panic!("{errors:?}") };
    assert_eq!(error.code, "over-budget", "{error}");
    assert_eq!(error.location.as_ref(), Some(place), "{schema:.100}");
    assert!(error.help.as_ref().is_some_and(|help| help.contains("--limit-")), "{error:?}");
    assert!(budget.exceeded().is_some());
}

#[test]
fn what_costs_too_much_is_refused_at_its_place() {
    let limits = Limits { work: 20_000_000, bytes: 1 << 26, ..Limits::default() };
    let inside = |schema: String| format!(r#"{{"properties": {{"x": {schema}}}}}"#);
    let exclusive = list(5_000, |n| {
        format!(r#"{{"properties": {{"kind": {{"enum": ["n{n}", "m{n}"]}}}}, "required": ["kind"]}}"#)
    });
    for (keyword, schema) in [
        ("/dependentRequired", format!(r#"{{"dependentRequired": {{{}}}}}"#, list(30_000, |n| format!(r#""n{n}": ["n{}"]"#, n + 1)))),
        ("", format!(r#"{{"dependentRequired": {{"a": [{}]}}}}"#, names(30_000))),
        ("/oneOf", format!(r#"{{"oneOf": [{exclusive}]}}"#)),
        ("/anyOf", format!(r#"{{"anyOf": [{exclusive}]}}"#)),
        ("", format!(r#"{{"properties": {{{}}}}}"#, integers(100_000))),
        ("", r#"{"allOf": [{"contains": {"const": 1}, "minContains": 3000}, {"contains": {"const": 2}, "minContains": 3000}]}"#.to_owned()),
    ] {
        check_refused(&inside(schema), limits, &Location::Pointer(format!("/properties/x{keyword}")));
    }
}

#[test]
fn reading_and_loading_are_charged() {
    let chain = chain(25_000);
    let few = Limits { work: 1_000, ..Limits::default() };
    let budget = Budget::new(few);
    let errors = compile_within(&chain, &Options::default(), &budget).expect_err("1000 units are little");
    assert!(matches!(errors[0].location, Some(Location::Span(_))), "{:?}", errors[0]);
    // The text can be read, but its keywords cannot be loaded.
    let schema =
        format!(r#"{{"properties": {{{}}}}}"#, list(1_000, |n| format!(r#""n{n}": {{"minLength": {n}}}"#)));
    let work = 10 * schema.len() as u64;
    let errors =
        compile_within(&schema, &Options::default(), &Budget::new(Limits { work, ..Limits::default() }));
    let error = &errors.expect_err("too little")[0];
    let is_below = |pointer: &str| pointer.starts_with("/properties/n");
    assert!(matches!(&error.location, Some(Location::Pointer(pointer)) if is_below(pointer)), "{error:?}");
}

/// A pointer is kept with every entry of the report, so a long key above many schemas costs a multiple of its length.
#[test]
fn the_report_is_charged() {
    let inner = list(2_000, |n| format!(r#""n{n}": {{"type": "null"}}"#));
    let compile = |key: &str| {
        let schema = format!(r#"{{"properties": {{"{key}": {{"properties": {{{inner}}}}}}}}}"#);
        let budget = Budget::new(Limits { bytes: 50_000_000, ..Limits::default() });
        compile_within(&schema, &Options::default(), &budget)
    };
    assert!(compile("k").is_ok());
    let error = compile(&"k".repeat(10_000)).expect_err("20 MB of pointers, in several copies").remove(0);
    assert_eq!(error.code, "over-budget");
    let is_below =
        |pointer: &str| pointer.starts_with("/properties/kkk") && pointer.contains("/properties/n");
    assert!(matches!(&error.location, Some(Location::Pointer(pointer)) if is_below(pointer)));
}

/// A bound that is too large to be counted is refused at its keyword, before anything is counted; or left out, which the
/// report says.
#[test]
fn bounds_that_cannot_be_counted_are_refused_at_their_keyword_or_left_out() {
    let cases = [
        ("minLength", "2147483647", r#""type": "string""#, "fewer characters"),
        ("maxItems", "1000000", r#""type": "array", "contains": {"const": 1}"#, "more items"),
        ("minItems", "65537", r#""unevaluatedItems": false, "prefixItems": [true]"#, "fewer items"),
        ("minItems", "1073741825", r#""items": {"type": "string"}"#, "fewer items"),
        ("minContains", "9223372036854775807", r#""contains": {"const": 1}"#, "fewer items"),
        ("maxContains", "1000000", r#""contains": {"const": 1}"#, "more items"),
        ("maxProperties", "1000000", r#""type": "object""#, "more members"),
        ("minProperties", "4294967296", r#""additionalProperties": {"type": "null"}"#, "fewer members"),
    ];
    for (keyword, bound, others, admits) in cases {
        let schema = format!(r#"{{"properties": {{"x": {{{others}, "{keyword}": {bound}}}}}}}"#);
        let pointer = format!("/properties/x/{keyword}");
        let budget = Budget::unlimited("test");
        let errors = compile_within(&schema, &Options::default(), &budget).map(|_| ()).expect_err(&schema);
        assert_eq!((errors.len(), errors[0].code.as_str()), (1, "unenforceable"), "{errors:?}");
        assert_eq!(errors[0].location, Some(Location::Pointer(pointer.clone())));
        assert!(errors[0].help.as_ref().is_some_and(|help| help.contains("at most")), "{errors:?}");
        assert!(budget.spent().0 < 1_000_000, "{schema}: {:?}", budget.spent());
        let allow = Options { unenforced: Unenforced::Allow, ..Options::default() };
        let compiled = compile_within(&schema, &allow, &budget).unwrap_or_else(|errors| panic!("{errors:?}"));
        let entry = compiled.report.entries.iter().find(|entry| entry.pointer == pointer).expect("an entry");
        let Coverage::Superset { admits: found, .. } = &entry.coverage else { panic!("{entry:?}") };
        assert_eq!(found, admits);
    }
}

/// The keys that a schema must not have are in the order of the text, so the states do not grow with the sets of keys.
#[test]
fn excluded_keys_cost_in_proportion_to_their_number() {
    let branch = |first: &str, letter: &str, count: usize| {
        let keys = list(count, |n| format!(r#""{letter}{n}": {{"type": "string"}}"#));
        let names = list(count, |n| format!(r#""{letter}{n}""#));
        format!(r#"{{"type": "object", "properties": {{{first}, {keys}}}, "required": [{names}]}}"#)
    };
    let required_only = |count: usize| {
        let names = |letter| list(count, |n| format!(r#""{letter}{n}""#));
        format!(
            r#"{{"not": {{"required": [{}]}}, "if": {{"required": [{}]}}, "else": false}}"#,
            names("a"),
            names("b")
        )
    };
    let nested = |count: usize| {
        (0..count).fold(r#"{"required": ["z"]}"#.to_owned(), |inner, n| {
            format!(r#"{{"oneOf": [{inner}, {{"required": ["n{n}"]}}]}}"#)
        })
    };
    let families: [(&str, &dyn Fn(usize) -> String); 5] = [
        ("two branches", &|n| {
            let (a, b) = (branch(r#""p": {}, "q": {}"#, "a", n), branch(r#""q": {}, "p": {}"#, "b", n));
            format!(r#"{{"oneOf": [{a}, {b}]}}"#)
        }),
        ("three branches", &|n| {
            let (a, b) = (branch(r#""p": {}, "q": {}"#, "a", n), branch(r#""q": {}, "p": {}"#, "b", n));
            format!(r#"{{"oneOf": [{a}, {b}, {}]}}"#, branch(r#""r": {}, "q": {}, "p": {}"#, "c", n))
        }),
        ("undeclared keys", &|n| {
            let names = |letter| list(n, |n| format!(r#""{letter}{n}""#));
            let a = format!(r#"{{"properties": {{"p": {{}}, "q": {{}}}}, "required": [{}]}}"#, names("a"));
            let b = format!(r#"{{"properties": {{"q": {{}}, "p": {{}}}}, "required": [{}]}}"#, names("b"));
            format!(r#"{{"oneOf": [{a}, {b}]}}"#)
        }),
        ("only required", &required_only),
        ("nested oneOf", &nested),
    ];
    for (name, family) in families {
        let (once, twice) = (costs(&family(10)), costs(&family(20)));
        // Each state is a condition on all keys that may follow, so the work is at most quadratic.
        assert!(twice[0] <= once[0] * 5, "{name}: {once:?} for 10, {twice:?} for 20");
    }
}

/// The rules of an array of equal items grow with the logarithm of its bounds.
#[test]
fn equal_items_are_counted_by_few_rules() {
    let schema = |bounds: &str| format!(r#"{{"type": "array", "items": {{"enum": [1, "a"]}}, {bounds}}}"#);
    let (once, more) = (costs(&schema(r#""maxItems": 1000"#)), costs(&schema(r#""maxItems": 1000000000"#)));
    assert!(more[0] < once[0] * 2 && more[1] < once[1] * 2, "{once:?} {more:?}");
    let list = |count: usize| format!("[{}]", vec!["1"; count].join(","));
    let wrong = |count: usize| format!("[{},2]", vec!["1"; count].join(","));
    let cases: [(&str, &[usize], &[usize]); 5] = [
        (r#""maxItems": 100"#, &[0, 1, 2, 63, 64, 65, 99, 100], &[101, 128]),
        (r#""minItems": 70, "maxItems": 70"#, &[70], &[0, 1, 64, 69, 71]),
        (r#""minItems": 90, "maxItems": 130"#, &[90, 91, 128, 130], &[0, 1, 89, 131]),
        (r#""minItems": 100"#, &[100, 101, 128, 129, 200], &[0, 1, 99]),
        (r#""not": {"maxItems": 99}"#, &[100, 101, 128, 129, 200], &[0, 1, 99]),
    ];
    for (bounds, valid, invalid) in cases {
        let valid: Vec<String> = valid.iter().map(|&count| list(count)).collect();
        let wrong = valid.iter().map(|_| wrong(80)).chain(invalid.iter().map(|&count| list(count)));
        let wrong: Vec<String> = wrong.collect();
        let [valid, wrong] =
            [&valid, &wrong].map(|texts| texts.iter().map(String::as_str).collect::<Vec<_>>());
        check(&schema(bounds), &valid, &wrong);
    }
    let prefix = r#"{"type": "array", "prefixItems": [{"const": 2}], "items": {"const": 1}, "minItems": 1, "maxItems": 80}"#;
    let list = |count: usize| format!("[2{}]", ",1".repeat(count));
    check(prefix, &[&list(0), &list(1), &list(79)], &["[]", "[1]", &list(80), "[2,1,2]"]);
}

/// Where a key may have one of two long arrays, and what follows depends on which, they are read as one. Only the objects
/// that one branch refuses already have a rule for the array that the other allows.
#[test]
fn long_arrays_that_begin_alike_are_read_as_one() {
    let schema = r#"{"oneOf": [
        {"type": "object", "properties": {"serial": {"type": "integer"}}, "patternProperties": {"^x-": {"type": "boolean"}}},
        {"type": "object", "properties": {"serials": {"type": "array", "items": {"type": "integer"}, "maxItems": 100}}}]}"#;
    let compiled = compile_within(schema, &Options::default(), &Budget::unlimited("test"));
    let rules = compiled.unwrap_or_else(|errors| panic!("{errors:?}")).grammar.rules;
    assert_eq!(rules.iter().filter(|rule| rule.name.starts_with("items")).count(), 1);
    let list = |count: usize, item: &str| format!("[{}]", vec![item; count].join(", "));
    let key = |array: &str| format!(r#"{{"serials": {array}}}"#);
    // Valid under both branches are the objects with valid serials; so they need a wrong `serial` or `x-`.
    let both = |array: &str, rest: &str| format!(r#"{{"serials": {array}, {rest}}}"#);
    let (valid, long, wrong) = (list(100, "1"), list(101, "1"), format!("[1, {}]", list(70, "[]")));
    let rest = r#""x-a": 1"#;
    let accepted =
        [key(&long), key(&wrong), key("1"), both(&valid, rest), both("[]", rest), both("[1, 2]", rest)];
    let refused = [
        key(&valid),
        key("[]"),
        key("[1, 2]"),
        both(&long, rest),
        both(&wrong, rest),
        both("null", rest),
        key("[1"),
    ];
    check(schema, &accepted.each_ref().map(String::as_str), &refused.each_ref().map(String::as_str));
}

/// A pattern without a language does not let other keywords refuse the members that it governs.
#[test]
fn members_of_a_pattern_without_a_language_are_not_additional() {
    let allow = Options { unenforced: Unenforced::Allow, ..Options::default() };
    let patterns =
        r#""patternProperties": {"^(a+)\\1$": {"type": "null"}}, "properties": {"b": {"type": "null"}}"#;
    for others in ["additionalProperties", "unevaluatedProperties"] {
        let schema = format!(r#"{{"type": "object", "allOf": [true], {patterns}, "{others}": false}}"#);
        check_with(&schema, &allow, &[r#"{"b": null, "aa": null}"#], &[r#"{"b": 1}"#, "[]"]);
    }
}

/// A pattern of a public resource of Kubernetes.
const UNICODE_HOST: &str = r"^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$|^(([a-z0-9][-a-z0-9]{0,61}[a-z0-9]|[a-z0-9]{1,63})[\.]){0,}([a-z0-9][-a-z0-9]{0,61}[a-z0-9]|[a-z0-9]{1,63})$";

#[test]
fn large_classes_of_unicode_repeat_within_bounds() {
    let pattern = serde_json::to_string(UNICODE_HOST).expect("a string");
    let schema = format!(r#"{{"type": "string", "pattern": {pattern}}}"#);
    check(&schema, &[r#""a""#, r#""müller.example""#, r#""x-1""#], &[r#""""#, r#""-""#, r#""a..b""#, "1"]);
}

#[test]
fn what_is_over_a_limit_is_refused_at_its_keyword_or_left_out() {
    let allow = Options { unenforced: Unenforced::Allow, ..Options::default() };
    let nth_from_the_end = "a.{40}$";
    let patterns = [nth_from_the_end, "b.{41}$", "c.{42}$", "^(?=.*d.{43}$)(?=.*e.{44}$)"];
    let properties: Vec<String> = patterns
        .iter()
        .enumerate()
        .map(|(number, pattern)| {
            format!(
                "\"p{number}\": {{\"type\": \"string\", \"pattern\": {}}}",
                serde_json::to_string(pattern).expect("a string")
            )
        })
        .collect();
    let schema = format!(
        "{{\"type\": \"object\", \"properties\": {{{}, \"x\": {{\"type\": \"string\", \"pattern\": \"^[a-z]+$\"}}}}}}",
        properties.join(", ")
    );
    let places: Vec<String> =
        (0..patterns.len()).map(|number| format!("/properties/p{number}/pattern")).collect();
    let errors = compile(&schema, &Options::default()).unwrap_err();
    let at: Vec<_> = errors.iter().map(|error| (error.code.as_str(), error.location.clone())).collect();
    let expected: Vec<_> =
        places.iter().map(|place| ("unenforceable", Some(Location::Pointer(place.clone())))).collect();
    assert_eq!(at, expected);
    let compiled = compile(&schema, &allow).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(compiled.report.gaps().map(|gap| gap.pointer.clone()).collect::<Vec<_>>(), places);
    check_with(&schema, &allow, &[r#"{"p0": "?", "p3": "", "x": "a"}"#], &[r#"{"p0": 1}"#, r#"{"x": "A"}"#]);
}

#[test]
fn a_pattern_of_megabytes_is_refused_before_it_is_read() {
    let schema = format!(r#"{{"type": "string", "pattern": "{}"}}"#, "a".repeat(3_000_000));
    let budget = Budget::default();
    let errors = compile_within(&schema, &Options::default(), &budget).unwrap_err();
    assert_eq!(errors[0].location, Some(Location::Pointer("/pattern".into())));
    assert!(budget.spent().0 < 60_000_000, "{:?}", budget.spent());
    let allow = Options { unenforced: Unenforced::Allow, ..Options::default() };
    assert_eq!(compile(&schema, &allow).expect("the superset").report.gaps().count(), 1);
}

#[test]
fn keys_that_may_follow_each_other_in_millions_of_ways_are_refused_early() {
    let properties: Vec<String> =
        (0..3_000).map(|key| format!(r#""key{key}": {{"type": "integer"}}"#)).collect();
    let schema = |names: &str| {
        format!(
            r#"{{"type": "object", "properties": {{{}}}, "propertyNames": {names}}}"#,
            properties.join(", ")
        )
    };
    let budget = Budget::default();
    let errors = compile_within(&schema(r#"{"pattern": "^[a-z0-9]{1,40}$"}"#), &Options::default(), &budget)
        .unwrap_err();
    assert_eq!(errors[0].code.as_str(), "too-large");
    assert!(budget.spent().0 < 100_000_000 && budget.spent().1 < 200_000_000, "{:?}", budget.spent());
    compile(&schema("true"), &Options::default()).expect("keys are read in parts");
}

/// Each of the patterns has a small automaton, both together have not.
#[test]
fn patterns_that_are_too_large_together_are_refused_where_they_meet() {
    let schema = r#"{"type": "string", "allOf": [{"pattern": "^(?:.{19})*a"}, {"pattern": "a.{8}$"}, {"pattern": "c.{8}$"}]}"#;
    let errors = compile(schema, &Options::default()).unwrap_err();
    let at: Vec<_> = errors.iter().map(|error| (error.code.as_str(), error.location.clone())).collect();
    assert_eq!(at, [("unenforceable", Some(Location::Pointer("/allOf".into())))]);
    let allow = Options { unenforced: Unenforced::Allow, ..Options::default() };
    check_with(schema, &allow, &[r#""?""#], &["1"]);
}

/// A row of a table is a closed object of constants. A union of rows costs what the rows do, as an `enum` of objects does.
#[test]
fn rows_of_a_table_cost_in_proportion_to_their_number() {
    let rows = |count: usize| {
        let row = |n: usize| {
            format!(
                r#"{{"properties": {{"a": {{"const": "r{n}"}}, "b": {{"const": {}}}}}, "required": ["a", "b"], "additionalProperties": false, "type": "object"}}"#,
                n % 40
            )
        };
        format!(r#"{{"anyOf": [{}]}}"#, list(count, row))
    };
    let (few, many) = (costs(&rows(200)), costs(&rows(800)));
    assert!(many[0] < 5 * few[0] && many[1] < 5 * few[1], "{few:?} {many:?}");
    let valid = [r#"{"a":"r0","b":0}"#, r#"{"a":"r99","b":19}"#, r#"{"a":"r157","b":37.0}"#];
    check(&rows(200), &valid, &[r#"{"a":"r0","b":1}"#, r#"{"a":"r200","b":0}"#, r#"{"a":"r0"}"#, "0"]);
}

/// The objects of so many keys, each of which must not come with its own name in a list.
fn excluding(keys: usize) -> String {
    let names = names(keys);
    let properties = list(keys, |n| format!(r#""n{n}": {{"type": "null"}}"#));
    let conditions = list(keys, |n| {
        let contains = format!(r#"{{"contains": {{"const": "n{n}"}}}}"#);
        format!(r#""n{n}": {{"not": {{"required": ["d"], "properties": {{"d": {contains}}}}}}}"#)
    });
    format!(
        r#"{{"type": "object", "properties": {{"d": {{"type": "array", "items": {{"enum": [{names}]}}}}, {properties}}},
            "dependentSchemas": {{{conditions}}}, "additionalProperties": false}}"#
    )
}

/// Where conditions at one place multiply, as many are left out as must be, if they may be, and the report names them.
#[test]
fn conditions_that_multiply_are_left_out_at_their_place() {
    let limits = Limits { work: 100_000_000, ..Limits::default() };
    let schema = format!(r#"{{"properties": {{"x": {}}}}}"#, excluding(14));
    let errors = compile_within(&schema, &Options::default(), &Budget::new(limits)).expect_err("2^14 lists");
    let place = Location::Pointer("/properties/x/dependentSchemas".to_owned());
    assert_eq!(errors[0].location, Some(place), "{errors:?}");
    let allow = Options { unenforced: Unenforced::Allow, ..Options::default() };
    let compiled = compile_within(&schema, &allow, &Budget::new(limits)).unwrap();
    let gaps: Vec<&str> = compiled.report.gaps().map(|entry| &*entry.pointer).collect();
    let is_condition = |pointer: &&str| pointer.starts_with("/properties/x/dependentSchemas");
    assert!(!gaps.is_empty() && gaps.len() < 14 && gaps.iter().all(is_condition), "{gaps:?}");
    let recognizer = Recognizer::new(&compiled.grammar);
    for valid in [
        r#"{"x":{"d":["n13","n2"],"n1":null,"n12":null}}"#,
        r#"{"x":{"n0":null,"n13":null}}"#,
        r#"{"x":{"d":[]}}"#,
    ] {
        assert!(recognizer.accepts(valid.as_bytes()), "{valid}");
    }
    let is_refused = |text: &str| !recognizer.accepts(text.as_bytes());
    assert!(is_refused(r#"{"x":{"d":["n0"],"n0":null}}"#) && is_refused(r#"{"x":{"o":null}}"#));
}

/// Of alternatives and conditions at one place, the last ones are left out first. As long as there are others, the first one is kept: it holds most.
#[test]
fn outer_alternatives_are_left_out_last() {
    let names = names(30);
    let conditions = list(30, |n| {
        let has = format!(r#"{{"properties": {{"p": {{"contains": {{"const": "n{n}"}}}}}}}}"#);
        format!(r#"{{"if": {has}, "then": {{"properties": {{"c": {{"required": ["r{n}"]}}}}}}}}"#)
    });
    let schema = format!(
        r#"{{"anyOf": [{{"type": "array", "items": {{"type": "null"}}}},
            {{"type": "object", "properties": {{"p": {{"type": "array", "items": {{"enum": [{names}]}}}}, "c": {{"type": "object"}}}},
              "additionalProperties": false, "allOf": [{conditions}]}}]}}"#
    );
    let allow = Options { unenforced: Unenforced::Allow, ..Options::default() };
    let compiled = compile(&schema, &allow).unwrap();
    let gaps: Vec<&str> = compiled.report.gaps().map(|entry| &*entry.pointer).collect();
    let is_condition = |pointer: &&str| pointer.starts_with("/anyOf/1/allOf/");
    assert!(!gaps.is_empty() && gaps.len() < 30 && gaps.iter().all(is_condition), "{gaps:?}");
    let recognizer = Recognizer::new(&compiled.grammar);
    let accepts = |text: &str| recognizer.accepts(text.as_bytes());
    assert!(
        accepts("[null]") && accepts(r#"{"p":["n0","n29"],"c":{"r0":1}}"#) && accepts(r#"{"p":["n29"]}"#)
    );
    assert!(!accepts("[0]") && !accepts(r#"{"o":0}"#) && !accepts(r#"{"p":["n0"],"c":{}}"#));
}

/// A place whose states are combinations of conditions is refused by their number, long before all of them are there.
#[test]
fn combinations_of_conditions_are_refused_before_they_are_made() {
    let alternative = |n: usize| {
        let keys = format!(
            r#""a{n}": {{"type": "integer"}}, "b{n}": {{"type": "string"}}, "c": {{"type": "number"}}"#
        );
        format!(r#"{{"type": "object", "properties": {{{keys}}}, "required": ["a{n}"]}}"#)
    };
    let any = Options { property_order: PropertyOrder::Any, ..Options::default() };
    let union = format!(r#"{{"oneOf": [{}]}}"#, list(12, alternative));
    for (schema, options) in [(excluding(18), Options::default()), (union, any)] {
        let budget = Budget::default();
        let errors = compile_within(&schema, &options, &budget).unwrap_err();
        assert_eq!(errors[0].code.as_str(), "too-large", "{errors:?}");
        let (work, bytes) = budget.spent();
        assert!(work < 120_000_000 && bytes < 200_000_000, "{work} {bytes}");
    }
}

/// Alternatives that a pattern tells apart, as the names of tasks do, exclude each other only where the value is a string.
#[test]
fn patterns_tell_the_alternatives_of_strings_apart() {
    let schema = |count: usize| {
        let alternative = |n: usize| {
            let input =
                format!(r#"{{"properties": {{"i{n}": {{"type": "null"}}}}, "additionalProperties": false}}"#);
            format!(
                r#"{{"properties": {{"task": {{"pattern": "^n{n}$"}}, "with": {input}}}, "required": ["task"]}}"#
            )
        };
        format!(
            r#"{{"type": "object", "properties": {{"task": {{"anyOf": [{{"enum": [{}]}}, {{"enum": ["n0", "m"]}}]}}, "with": {{"type": "object"}}}},
                "additionalProperties": false, "anyOf": [{}]}}"#,
            names(count),
            list(count, alternative)
        )
    };
    let (few, many) = (costs(&schema(60)), costs(&schema(120)));
    assert!(many[0] < 6 * few[0] && many[1] < 6 * few[1], "{few:?} {many:?}");
    let valid = [r#"{"task":"n7"}"#, r#"{"task":"n59","with":{"i59":null}}"#, r#"{"task":"n0","with":{}}"#];
    let invalid = [
        r#"{"task":"n7","with":{"i8":null}}"#,
        r#"{"task":"m"}"#,
        r#"{"task":"n60"}"#,
        "{}",
        r#"{"task":1}"#,
    ];
    check(&schema(60), &valid, &invalid);
}

/// Conditions that are left out may have evaluated any member.
#[test]
fn what_is_left_out_evaluates_everything() {
    let limits = Limits { work: 100_000_000, ..Limits::default() };
    let of_place =
        excluding(14).replace(r#""additionalProperties": false"#, r#""unevaluatedProperties": false"#);
    let last = r#""n13": {"not""#;
    let schema = of_place.replace(last, r#""n13": {"properties": {"own": true}, "not""#);
    let allow = Options { unenforced: Unenforced::Allow, ..Options::default() };
    let compiled = compile_within(&schema, &allow, &Budget::new(limits)).unwrap();
    let recognizer = Recognizer::new(&compiled.grammar);
    assert!(recognizer.accepts(br#"{"n13":null,"own":0}"#));
}

/// The keyword that divides keys into too many kinds is named.
#[test]
fn kinds_of_keys_are_limited_at_their_keyword() {
    let patterns = list(10, |n| format!(r#""p{n}": {{"minLength": {n}}}"#));
    let schema = format!(r#"{{"properties": {{"x": {{"patternProperties": {{{patterns}}}}}}}}}"#);
    let error = compile(&schema, &Options::default()).expect_err("2^10 kinds").remove(0);
    assert_eq!(error.location, Some(Location::Pointer("/properties/x/patternProperties".to_owned())));
    assert!(error.help.is_some_and(|help| help.contains("fewer patterns")), "{}", error.message);
}

/// Of many keys, one of which must have a wrong value, the report says that they may come twice: in an order they would be too many.
#[test]
fn many_keys_of_which_one_is_wrong_are_in_no_order() {
    let schema = r#"{"type": "object", "not": {"patternProperties": {"^[1-3][0-9]{2}$": {"type": "string"}, "^x-": {}}, "additionalProperties": false}}"#;
    let compiled = compile(schema, &Options::default()).unwrap();
    assert_eq!(compiled.report.gaps().count(), 1);
    check(
        schema,
        &[r#"{"300":0}"#, r#"{"a":0}"#, r#"{"101":"","399":0}"#],
        &[r#"{"101":""}"#, r#"{"x-":0}"#, "{}"],
    );
    assert!(costs(schema)[0] < 1_000_000, "{:?}", costs(schema));
}
