//! Narrowings: each kind with schemas where it must be reported, and a text of a valid value that is refused; and schemas where it must
//! not be reported, and the grammar accepts the text.
//!
//! With the feature `oracle` an independent validator says that the value of each text is valid.

use crate::recognizer::Recognizer;
use gcc_grammar_json_schema::{
    Coverage, Draft, Formats, IntegerSpelling, Narrowing, Options, PropertyOrder, Report, Strings,
    Whitespace, compile,
};

fn report(schema: &str, options: &Options) -> Report {
    compile(schema, options).unwrap_or_else(|errors| panic!("{schema}: {errors:?}")).report
}

/// The places of a kind.
fn places(schema: &str, options: &Options, kind: Narrowing) -> Vec<String> {
    let report = report(schema, options);
    let of_kind = report.narrowings().filter(|entry| entry.coverage.narrowing() == Some(kind));
    of_kind.map(|entry| entry.pointer.clone()).collect()
}

fn accepts(schema: &str, options: &Options, text: &str) -> bool {
    let compiled = compile(schema, options).unwrap_or_else(|errors| panic!("{schema}: {errors:?}"));
    Recognizer::new(&compiled.grammar).accepts(text.as_bytes())
}

/// The value of the text is valid, by a validator that shares nothing with this package.
fn expect_valid(schema: &str, options: &Options, text: &str) {
    let value: serde_json::Value =
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    #[cfg(feature = "oracle")]
    {
        let draft = match options.draft {
            Some(Draft::Draft4) => jsonschema::Draft::Draft4,
            _ => jsonschema::Draft::Draft202012,
        };
        let schema_value = serde_json::from_str(schema).unwrap();
        let validator = jsonschema::options().with_draft(draft).build(&schema_value).unwrap();
        assert!(validator.is_valid(&value), "{text} is not valid under {schema}");
    }
    let _ = (schema, options, value);
}

/// The kind is reported at the pointers, and the text is refused although its value is valid.
fn narrows(kind: Narrowing, schema: &str, options: &Options, pointers: &[&str], text: &str) {
    assert_eq!(places(schema, options, kind), pointers, "{kind} of {schema}");
    assert!(!accepts(schema, options, text), "{schema} should refuse {text}");
    expect_valid(schema, options, text);
}

/// The kind is not reported, and the text is accepted.
fn keeps(kind: Narrowing, schema: &str, options: &Options, text: &str) {
    assert_eq!(places(schema, options, kind), [] as [&str; 0], "{kind} of {schema}");
    assert!(accepts(schema, options, text), "{schema} should accept {text}");
    expect_valid(schema, options, text);
}

fn any_order() -> Options {
    Options { property_order: PropertyOrder::Any, ..Options::default() }
}

/// A bound that is larger than what is counted refuses texts that nobody writes, in the schema and in its complement. Which texts the grammar
/// accepts is tested where it is compiled, in the package `gcc-grammar`.
#[test]
fn lengths() {
    let kind = Narrowing::Length;
    let options = Options::default();
    for bound in ["1280001", "2147483647", "9223372036854775807", "1e30"] {
        let schema = format!(r#"{{"type": "string", "minLength": 1, "maxLength": {bound}}}"#);
        assert_eq!(places(&schema, &options, kind), ["/maxLength"]);
        let not = format!(r#"{{"type": "string", "not": {{"maxLength": {bound}}}}}"#);
        let errors = compile(&not, &options).map(|_| ()).expect_err(&not);
        assert_eq!(errors[0].code.as_str(), "unsatisfiable", "{errors:?}");
    }
    assert_eq!(places(r#"{"type": "string", "maxLength": 1280000}"#, &options, kind), [] as [&str; 0]);
    let items = r#"{"prefixItems": [{"items": {"type": "null"}, "maxItems": 2147483647}]}"#;
    assert_eq!(places(items, &options, kind), ["/prefixItems/0/maxItems"]);
    let there =
        r##"{"properties": {"a": {"$ref": "#/$defs/d"}}, "$defs": {"d": {"maxLength": 2147483647}}}"##;
    assert_eq!(places(there, &options, kind), ["/$defs/d/maxLength"]);
}

#[test]
fn order_of_keys() {
    let kind = Narrowing::KeyOrder;
    let declared = Options::default();
    let two = r#"{"properties": {"a": {}, "b": {}}}"#;
    narrows(kind, two, &declared, &[""], r#"{"b":1,"a":2}"#);
    keeps(kind, two, &any_order(), r#"{"b":1,"a":2}"#);
    // A declared key comes before all others.
    narrows(kind, r#"{"properties": {"a": {}}}"#, &declared, &[""], r#"{"x":1,"a":2}"#);
    narrows(kind, r#"{"required": ["a"]}"#, &declared, &[""], r#"{"x":1,"a":2}"#);
    keeps(kind, r#"{"properties": {"a": {}}, "additionalProperties": false}"#, &declared, r#"{"a":1}"#);
    keeps(kind, r#"{"patternProperties": {"^a": {"type": "null"}}}"#, &declared, r#"{"x":1,"a":null}"#);
    keeps(kind, r#"{"type": "object", "minProperties": 1}"#, &declared, r#"{"b":1,"a":2}"#);
    // Keys that are counted occur once. If there are many, they come in an order.
    let counted = |keys: &str| {
        format!(r#"{{"type": "object", "propertyNames": {{"enum": [{keys}]}}, "minProperties": 2}}"#)
    };
    keeps(kind, &counted(r#""b", "a""#), &declared, r#"{"b":1,"a":2}"#);
    narrows(kind, &counted(r#""b", "a", "c", "d", "e""#), &declared, &[""], r#"{"b":1,"a":2}"#);
    keeps(kind, &counted(r#""b", "a", "c", "d", "e""#), &any_order(), r#"{"b":1,"a":2}"#);
    // The order of both schemas counts at the outermost one for the object.
    let all = r#"{"allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}"#;
    narrows(kind, all, &declared, &[""], r#"{"b":1,"a":2}"#);
    let inner =
        r##"{"type": "array", "items": {"$ref": "#/$defs/o"}, "$defs": {"o": {"required": ["a", "b"]}}}"##;
    narrows(kind, inner, &declared, &["/$defs/o"], r#"[{"b":1,"a":2}]"#);
    // Two members, of which one has to be missing.
    let one = r#"{"properties": {"a": {}, "b": {}}, "maxProperties": 1}"#;
    keeps(kind, one, &declared, r#"{"b":1}"#);
    // Each alternative has an order of its own; together they have all orders.
    let both = r#"{"anyOf": [
        {"properties": {"a": {}, "b": {}}, "required": ["a"], "additionalProperties": false},
        {"properties": {"b": {}, "a": {}}, "required": ["a"], "additionalProperties": false}]}"#;
    keeps(kind, both, &declared, r#"{"b":1,"a":2}"#);
    // The orders depend on a value.
    let tagged = r#"{"oneOf": [
        {"properties": {"a": {"const": "x"}, "b": {}}, "required": ["a", "b"]},
        {"properties": {"b": {}, "a": {"const": "y"}}, "required": ["a", "b"]}]}"#;
    narrows(kind, tagged, &declared, &[""], r#"{"a":"y","b":1}"#);
    // Constants have the order in which they are written.
    let constant =
        r#"{"properties": {"p": {"enum": [[{"a": "x", "b": "y"}], "z"]}}, "additionalProperties": false}"#;
    narrows(kind, constant, &declared, &["/properties/p"], r#"{"p":[{"b":"y","a":"x"}]}"#);
    // Under `not` there is no order.
    keeps(
        kind,
        r#"{"not": {"properties": {"a": {}, "b": {"type": "null"}}}}"#,
        &declared,
        r#"{"b":1,"a":2}"#,
    );
}

#[test]
fn spellings_of_numbers() {
    let kind = Narrowing::NumberSpelling;
    let options = Options::default();
    for (schema, text) in [
        (r#"{"type": "integer"}"#, "1.5e1"),
        (r#"{"type": "integer"}"#, "100e-2"),
        (r#"{"minimum": 5}"#, "1e1"),
        (r#"{"multipleOf": 5}"#, "1E1"),
        (r#"{"enum": [10, "x"]}"#, "1e1"),
        (r#"{"const": 0.5}"#, "5e-1"),
        (r#"{"not": {"const": 0.5}}"#, "1e1"),
        (r#"{"allOf": [{"type": "number"}, {"maximum": 5}]}"#, "1e0"),
        (r#"{"format": "int32", "type": "number"}"#, "1e0"),
    ] {
        assert_eq!(places(schema, &options, kind), [""], "{schema}");
        assert!(!accepts(schema, &options, text), "{schema} should refuse {text}");
        expect_valid(schema, &options, text);
    }
    let integer = r#"{"type": "integer"}"#;
    let all = Options { integer_spelling: IntegerSpelling::All, ..Options::default() };
    for text in ["1e1", "-2.00E+03", "0e0", "1.5e21"] {
        assert!(!accepts(integer, &options, text) && accepts(integer, &all, text), "{text}");
        expect_valid(integer, &options, text);
    }
    narrows(kind, integer, &all, &[""], "1.5e1");
    for (schema, text) in [
        ("{}", "1e1"),
        (r#"{"minimum": 0}"#, "1e1"),
        (r#"{"exclusiveMaximum": 0}"#, "-1e1"),
        (r#"{"const": 0}"#, "0e1"),
        // What one alternative refuses the other accepts.
        (r#"{"anyOf": [{"type": "integer"}, {"type": "number"}]}"#, "1e1"),
        (r#"{"type": ["integer", "number"]}"#, "1e1"),
        (r#"{"anyOf": [{"minimum": 5}, {"maximum": 5}]}"#, "1e1"),
    ] {
        keeps(kind, schema, &options, text);
    }
    let places_of = |schema| places(schema, &options, kind);
    assert_eq!(
        places_of(r#"{"properties": {"a": {"type": "integer"}, "b": {"type": "number"}}}"#),
        ["/properties/a"]
    );
    assert_eq!(
        places_of(
            r##"{"items": {"$ref": "#/$defs/n"}, "$defs": {"n": {"type": "integer"}, "m": {"type": "integer", "minimum": 1}}}"##
        ),
        ["/$defs/n"]
    );
    assert_eq!(places_of(r#"{"const": {"a": [1]}}"#), [""]);
    assert_eq!(
        places_of(
            r#"{"allOf": [{"properties": {"a": {"minimum": 1}}}, {"properties": {"a": {"type": "number"}}}]}"#
        ),
        ["/allOf/0/properties/a"]
    );
    // Equal schemas have an entry at each place.
    assert_eq!(
        places_of(r#"{"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}"#),
        ["/properties/a", "/properties/b"]
    );
}

#[test]
fn spellings_of_integers_without_point() {
    let kind = Narrowing::NumberSpelling;
    let integer = r#"{"type": "integer"}"#;
    // Up to draft 4 a number with a point or an exponent is no integer.
    let draft4 = Options { draft: Some(Draft::Draft4), ..Options::default() };
    assert_eq!(places(integer, &draft4, kind), [] as [&str; 0]);
    assert_eq!(places(r#"{"enum": [1]}"#, &draft4, kind), [""]);
    let without = Options { integer_with_point: Some(false), ..Options::default() };
    narrows(kind, integer, &without, &[""], "1.0");
    let has_remedy = |note: &str| note.contains("--integer-with-point true");
    assert!(report(integer, &without).narrowings().any(|entry| has_remedy(&entry.coverage.note())));
}

/// A point leads to zeros only, unless exponents are asked for.
#[test]
fn spellings_of_integers_by_option() {
    let kind = Narrowing::NumberSpelling;
    let with = |integer_spelling| Options { integer_spelling, ..Options::default() };
    let (plain, zeros, all) =
        (with(IntegerSpelling::Plain), with(IntegerSpelling::Zeros), with(IntegerSpelling::All));
    for schema in [
        r#"{"type": "integer"}"#,
        r#"{"type": "integer", "minimum": 0}"#,
        r#"{"type": "integer", "maximum": 99}"#,
        r#"{"const": 5}"#,
        r#"{"type": "number", "multipleOf": 5}"#,
        r#"{"format": "int32", "type": "number"}"#,
    ] {
        narrows(kind, schema, &plain, &[""], "5.0");
        narrows(kind, schema, &zeros, &[""], "5e0");
        for options in [&plain, &zeros, &all] {
            assert!(accepts(schema, options, "5"), "{schema}");
        }
        for options in [&zeros, &all] {
            assert!(accepts(schema, options, "5.0") && !accepts(schema, options, "5.1"), "{schema}");
        }
    }
    let integer = r#"{"type": "integer"}"#;
    for (options, is_accepted) in [(&plain, false), (&zeros, false), (&all, true)] {
        assert_eq!(accepts(integer, options, "3.14e20"), is_accepted);
        // Numbers that are not all integers keep their spellings.
        keeps(kind, r#"{"type": "number"}"#, options, "1e1");
        keeps(kind, r#"{"anyOf": [{"type": "integer"}, {"type": "number"}]}"#, options, "1e1");
        assert!(accepts(r#"{"enum": [5, 0.5]}"#, options, "5.0"));
    }
    let remedy = |options: &Options| {
        let report = report(integer, options);
        let entry = report.narrowings().find(|entry| entry.coverage.narrowing() == Some(kind));
        entry.expect("an entry").coverage.note().into_owned()
    };
    assert!(
        remedy(&plain).contains("--integer-spelling zeros")
            && remedy(&zeros).contains("--integer-spelling all")
    );
    // Where 1.0 is no integer, digits are all spellings.
    let draft4 = Options { draft: Some(Draft::Draft4), ..plain };
    assert_eq!(places(integer, &draft4, kind), [] as [&str; 0]);
}

#[test]
fn white_space() {
    let kind = Narrowing::WhiteSpace;
    let with = |whitespace| Options { whitespace, ..Options::default() };
    let schema = r#"{"type": "array"}"#;
    narrows(kind, schema, &with(Whitespace::Compact), &[""], "[ ]");
    narrows(kind, schema, &with(Whitespace::Spaced), &[""], "[1,2]");
    narrows(kind, schema, &with(Whitespace::default()), &[""], "[1 , 2]");
    let deep = format!("[\n{}1\n]", " ".repeat(33));
    narrows(kind, schema, &with(Whitespace::default()), &[""], &deep);
    narrows(kind, schema, &with(Whitespace::Inner), &[""], " [1]");
    keeps(kind, schema, &with(Whitespace::Any), " [\t1 , \r\n 2] ");
    // Separators of x-guidance.
    let guided = |guidance: &str| format!(r#"{{"x-guidance": {guidance}, "type": "array"}}"#);
    let any = with(Whitespace::Any);
    narrows(kind, &guided(r#"{"whitespace_flexible": true}"#), &any, &[""], " [1]");
    narrows(kind, &guided(r#"{"item_separator": ", "}"#), &any, &[""], "[1,2]");
    keeps(kind, &guided(r#"{"item_separator": ",|, "}"#), &any, "[1 ,2]");
}

#[test]
fn spellings_of_strings() {
    let kind = Narrowing::StringSpelling;
    let canonical = Options { strings: Strings::Canonical, ..Options::default() };
    narrows(kind, r#"{"type": "string"}"#, &canonical, &[""], r#""\u0061""#);
    narrows(kind, r#"{"type": "string", "pattern": "^[ab]*$"}"#, &canonical, &[""], r#""\u0061""#);
    narrows(kind, r#"{"properties": {"a": {}}, "required": ["a"]}"#, &canonical, &[""], r#"{"\u0061":1}"#);
    let printed = Options::default();
    narrows(kind, r#"{"type": "string", "pattern": "^[ab]*$"}"#, &printed, &[""], r#""\u0061""#);
    narrows(kind, r#"{"enum": [1, "a"]}"#, &printed, &[""], r#""\u0061""#);
    narrows(
        kind,
        r#"{"items": {"type": "string", "format": "date"}}"#,
        &printed,
        &["/items"],
        r#"["20\u00324-02-29"]"#,
    );
    narrows(kind, r#"{"properties": {"a": {"const": 1}}}"#, &printed, &[""], r#"{"\u0061":1}"#);
    narrows(kind, r#"{"const": [{"a": "b"}]}"#, &printed, &[""], r#"[{"a":"\u0062"}]"#);
    let half = r#"{"allOf": [{"type": "string", "maxLength": 9}, {"type": "string", "pattern": "^a"}]}"#;
    narrows(kind, half, &printed, &[""], r#""\u0061""#);
    let both = r##"{"properties": {"a": {"$ref": "#/$defs/p"}}, "additionalProperties": {"type": "string"}, "$defs": {"p": {"pattern": "a"}}}"##;
    assert_eq!(places(both, &printed, kind), ["", "/$defs/p"]);
    for schema in [
        r#"{"type": "string"}"#,
        r#"{"type": "string", "maxLength": 3}"#,
        r#"{"type": "string", "minLength": 1, "maxLength": 1000}"#,
        r#"{"anyOf": [{"type": "string", "pattern": "a"}, {"type": "string"}]}"#,
    ] {
        keeps(kind, schema, &printed, r#""\u0061""#);
    }
    keeps(kind, r#"{"type": "object"}"#, &printed, r#"{"\u0061":1}"#);
    keeps(kind, r#"{"type": "object", "patternProperties": {"^a": {}}}"#, &printed, r#"{"\u0061":1}"#);
    // No printable characters of ASCII.
    keeps(kind, r#"{"enum": ["\n", "é"]}"#, &printed, r#""\u000A""#);
    let every = Options { strings: Strings::All, ..Options::default() };
    keeps(kind, r#"{"enum": ["a"]}"#, &every, r#""\u0061""#);
    keeps(kind, r#"{"type": ["integer", "null"]}"#, &canonical, "1");
    keeps(kind, r#"{"enum": ["", 1]}"#, &canonical, "\"\"");
}

#[test]
fn half_surrogates() {
    let kind = Narrowing::HalfSurrogate;
    let options = Options::default();
    // The validator cannot be asked: its parser refuses them, too.
    for schema in [
        r#"{"type": "string"}"#,
        r#"{"type": "string", "maxLength": 1000}"#,
        r#"{"type": "string", "pattern": "^.$"}"#,
        r#"{"type": "string", "pattern": "^[^a]$"}"#,
    ] {
        assert_eq!(places(schema, &options, kind), [""], "{schema}");
        assert!(!accepts(schema, &options, r#""\ud83d""#));
    }
    let key = r#"{"type": "object", "additionalProperties": {"type": "integer"}}"#;
    assert_eq!(places(key, &options, kind), [""]);
    for schema in [
        r#"{"type": "integer"}"#,
        r#"{"type": "string", "pattern": "^[a-z]*$"}"#,
        r#"{"type": "string", "pattern": "^\\p{L}*$"}"#,
        r#"{"enum": ["a", "\ud83d\ude00"]}"#,
        r#"{"type": "object", "properties": {"a": {"type": "null"}}, "additionalProperties": false}"#,
    ] {
        assert_eq!(places(schema, &options, kind), [] as [&str; 0], "{schema}");
    }
}

#[test]
fn repeated_keys() {
    let kind = Narrowing::RepeatedKey;
    for options in [Options::default(), any_order()] {
        narrows(kind, r#"{"properties": {"a": {}}}"#, &options, &[""], r#"{"a":1,"a":2}"#);
        narrows(kind, r#"{"items": {"required": ["a"]}}"#, &options, &[""], r#"[{"a":1,"a":2}]"#);
        // Members are counted as they are written.
        narrows(kind, r#"{"type": "object", "maxProperties": 1}"#, &options, &[""], r#"{"a":1,"a":1}"#);
        keeps(kind, r#"{"type": "object"}"#, &options, r#"{"a":1,"a":2}"#);
        keeps(kind, r#"{"type": "array", "items": {"type": "integer"}}"#, &options, "[1]");
    }
}

#[test]
fn spellings_of_formats() {
    let kind = Narrowing::FormatSpelling;
    let options = Options::default();
    let time = r#"{"properties": {"t": {"type": "string", "format": "time"}}}"#;
    // RFC 3339 has leap seconds at every offset, because 00:00:60+00:01 is 23:59:60 UTC.
    let leap = r#"{"t":"00:00:60+00:01"}"#;
    narrows(kind, time, &options, &["/properties/t/format"], leap);
    // The specifications say that these are valid. The validator, which has no formats by default, refuses them.
    for (format, text) in [
        ("date-time", "2024-01-01t00:00:60+00:01"),
        ("duration", "p1d"),
        ("email", "a@[127.0.0.001]"),
        ("idn-email", "é@[ipv6:::1]"),
        ("relative-json-pointer", "0+1/a"),
        ("hostname", "xn--9n2bp8q"),
        ("idn-hostname", "실례"),
        ("regex", "(?=a)"),
    ] {
        let schema = format!(r#"{{"type": "string", "format": "{format}"}}"#);
        narrows(kind, &schema, &options, &["/format"], &format!("\"{text}\""));
    }
    let draft7 = Options { draft: Some(Draft::Draft7), ..Options::default() };
    let pointer = r#"{"type": "string", "format": "relative-json-pointer"}"#;
    assert_eq!(places(pointer, &draft7, kind), [] as [&str; 0]);
    keeps(kind, time, &Options { formats: Formats::Annotate, ..Options::default() }, leap);
    keeps(kind, r#"{"type": "string", "format": "date"}"#, &options, "\"2024-02-29\"");
    keeps(kind, r#"{"type": "null", "format": "time"}"#, &options, "null");
}

/// ECMA-262, section 22.2.1, with the flag `u` and without: `new RegExp` of Node 22 takes the first ones either way, and refuses each of the others at
/// least once.
#[test]
fn regular_expressions_are_those_of_the_specification() {
    let schema = r#"{"type": "string", "format": "regex"}"#;
    let written = |text: &str| serde_json::Value::from(text).to_string();
    for valid in [
        "a{2,3}",
        "a{0,0}",
        "a{13,16}",
        "a{10,10}?",
        "a{9,10}",
        "a{99,}",
        "a{12,128}",
        r"[a\-z]",
        r"[\w\-.]+",
        "[-a]",
        "[-a-z0-9_-]",
        "[^-]",
        "[-]",
        r"^\d{10,15}$",
        "(?:a|b){2,3}",
    ] {
        assert!(accepts(schema, &Options::default(), &written(valid)), "{valid}");
    }
    for invalid in [
        "a{3,2}",
        "a{16,13}",
        "a{11,10}",
        "a{100,99}",
        r"a\-z",
        "[z-a]",
        "a{2,3",
        "a**",
        "a{1}{2}",
        "[",
        "(",
        r"\",
    ] {
        assert!(!accepts(schema, &Options::default(), &written(invalid)), "{invalid}");
    }
}

/// Where a format must not hold, what is doubtful is refused and reported as well. (The validator has no formats, so it cannot judge here.)
#[test]
fn doubtful_texts_of_excluded_formats() {
    let options = Options::default();
    for (format, text) in [("hostname", "\"xn--X\""), ("idn-hostname", "\"xn--X\""), ("regex", "\"(\"")] {
        let schema = format!(r#"{{"anyOf": [{{"type": "null"}}, {{"not": {{"format": "{format}"}}}}]}}"#);
        assert_eq!(places(&schema, &options, Narrowing::FormatSpelling), ["/anyOf/1/not/format"], "{schema}");
        assert!(!accepts(&schema, &options, text), "{schema} should refuse {text}");
    }
}

#[test]
fn entries_have_notes_and_other_documents_have_entries() {
    let options = Options {
        resources: vec![("https://example.com/n".to_owned(), r#"{"type": "integer"}"#.to_owned())],
        ..Options::default()
    };
    let schema = r#"{"items": {"$ref": "https://example.com/n"}}"#;
    assert_eq!(places(schema, &options, Narrowing::NumberSpelling), ["https://example.com/n"]);
    for entry in report(schema, &options).narrowings() {
        let Coverage::Narrowed(narrowed) = entry.coverage else { panic!("{entry:?}") };
        assert!(entry.coverage.note().contains(narrowed.refuses) && !narrowed.help.is_empty());
    }
    let mut seen: Vec<_> = report(schema, &options)
        .narrowings()
        .map(|entry| (entry.pointer.clone(), entry.coverage.narrowing()))
        .collect();
    let count = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), count, "one entry for each pointer and kind");
}

#[test]
fn numbers_with_many_digits() {
    let kind = Narrowing::NumberDigits;
    let options = Options { number_digits: std::num::NonZeroU16::new(3), ..Options::default() };
    for (schema, accepted, refused) in [
        (r#"{"type": "number"}"#, ["-123.456e-789", "0"], "1234"),
        (r#"{"type": "number", "minimum": 1}"#, ["999.999", "1.5e+021"], "1.0001"),
        (r#"{"type": "integer"}"#, ["-999", "7"], "1000"),
        (r#"{"enum": [7, 1234567]}"#, ["7", "7.000"], "7.0000"),
    ] {
        narrows(kind, schema, &options, &[""], refused);
        assert!(accepted.iter().all(|text| accepts(schema, &options, text)), "{schema}");
        keeps(kind, schema, &Options::default(), refused);
    }
    let large =
        compile(r#"{"type": "integer", "minimum": 1000}"#, &options).expect_err("all have four digits");
    assert_eq!(large[0].code, "unsatisfiable");
    keeps(kind, r#"{"type": "string"}"#, &options, "\"1234\"");
}

/// Exponents as Python and JavaScript print them are accepted where the bounds allow all numbers of that size.
#[test]
fn exponents_of_printers_are_accepted_between_bounds() {
    let options = Options::default();
    for (bounds, accepted, refused) in [
        (r#""minimum": 0, "maximum": 1"#, ["1e-05", "2.5E-7", "0.5"], ["1e-4", "-1e-05", "1e16"]),
        (r#""exclusiveMinimum": 1"#, ["1e16", "1.5e+21", "7"], ["1e15", "1e-05", "-1e21"]),
        (r#""maximum": -0.5"#, ["-1e+300", "-2.25e16", "-1"], ["-1e-7", "1e21", "-0.1e18"]),
    ] {
        let schema = format!(r#"{{"type": "number", {bounds}}}"#);
        assert!(accepted.iter().all(|text| accepts(&schema, &options, text)), "{schema}");
        assert!(refused.iter().all(|text| !accepts(&schema, &options, text)), "{schema}");
        assert_eq!(places(&schema, &options, Narrowing::NumberSpelling), [""]);
    }
}
