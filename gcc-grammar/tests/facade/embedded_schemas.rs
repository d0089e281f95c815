//! JSON Schemas in structural tags and in Lark grammars have the options and the report of schemas that are given alone.

use gcc_grammar::json_schema::{
    Draft, Formats, IntegerSpelling, Narrowing, PropertyOrder, Strings, Unenforced, Whitespace,
};
use gcc_grammar::metadata::ReportEntry;
use gcc_grammar::{
    Error, ErrorKind, Options, Packing, SchemaOptions, Session, Source, Strict, Vocabulary, artifact_key,
    compile, compile_parsed, coverage_of_refused, narrowed_counts, parse,
};

/// A vocabulary of all bytes; 256 ends the output.
fn vocabulary() -> Vocabulary {
    let tokens = (0..=u8::MAX).map(|byte| (u32::from(byte), vec![byte])).collect();
    let tokens = gcc_grammar_vocabulary::Vocabulary::from_tokens(tokens, Vec::new(), vec![256], 288);
    let file = tokens.expect("the tokens are distinct").to_artifact();
    Vocabulary::from_artifact("bytes", &file, "bytes.gcv".into()).expect("a vocabulary")
}

/// The ways to give a schema, each with the text before and after the JSON text.
fn carriers(schema: &str) -> [(Source, &'static str, &'static str); 6] {
    let format = format!(r#"{{"type": "json_schema", "json_schema": {schema}}}"#);
    let tag =
        |format: &str| Source::structural_tag(format!(r#"{{"type": "structural_tag", "format": {format}}}"#));
    let triggered = format!(
        r#"{{"type": "triggered_tags", "triggers": ["<f"], "tags": [{{"begin": "<f>", "content": {format}, "end": "</f>"}}]}}"#
    );
    let old = format!(
        r#"{{"type": "structural_tag", "triggers": ["<f"], "structures": [{{"begin": "<f>", "schema": {schema}, "end": "</f>"}}]}}"#
    );
    [
        (Source::json_schema(schema), "", ""),
        (tag(&format), "", ""),
        (tag(&triggered), "text<f>", "</f>text"),
        (Source::structural_tag(old), "<f>", "</f>"),
        (
            Source::lark(format!("start: \"<f>\" body \"</f>\"\nbody: %json {schema}\n%ignore \"~\"\n")),
            "<f>",
            "</f>",
        ),
        (Source::lark(format!("%llguidance {{}}\nstart: \"<f>\" %json {schema} \"</f>\"\n")), "<f>", "</f>"),
    ]
}

fn with(schema: SchemaOptions) -> Options {
    Options { schema, ..Options::default() }
}

/// Every option of schemas that has a spelling on the command line, a schema, and texts that are accepted with the option but not without
/// it, or the other way round.
fn effects() -> Vec<(SchemaOptions, &'static str, &'static str)> {
    let default = SchemaOptions::default;
    let object = r#"{"type": "object", "properties": {"a": {"type": "null"}, "b": {"type": "null"}}, "required": ["a", "b"], "additionalProperties": false}"#;
    let list = r#"{"type": "array", "items": {"type": "null"}}"#;
    let resource = ("https://example.com/null".to_owned(), r#"{"type": "null"}"#.to_owned());
    vec![
        (
            SchemaOptions { property_order: PropertyOrder::Any, ..default() },
            object,
            r#"{"b": null, "a": null}"#,
        ),
        (SchemaOptions { whitespace: Whitespace::Compact, ..default() }, list, "[null, null]"),
        (SchemaOptions { whitespace: Whitespace::Spaced, ..default() }, list, "[null,null]"),
        (SchemaOptions { whitespace: Whitespace::Any, ..default() }, list, "[  null  ]"),
        (SchemaOptions { whitespace: Whitespace::Any, ..default() }, list, " [] \n"),
        (SchemaOptions { whitespace: Whitespace::Flexible { max: 1 }, ..default() }, list, "[\n  null\n]"),
        (SchemaOptions { strings: Strings::Canonical, ..default() }, r#"{"type": "string"}"#, r#""\u0061""#),
        (SchemaOptions { strings: Strings::All, ..default() }, r#"{"const": "a"}"#, r#""\u0061""#),
        (
            SchemaOptions { formats: Formats::Annotate, ..default() },
            r#"{"type": "string", "format": "date"}"#,
            r#""x""#,
        ),
        (
            SchemaOptions { unenforced: Unenforced::Allow, ..default() },
            r#"{"type": "array", "uniqueItems": true, "items": {"propertyNames": {"pattern": "^a$"}}}"#,
            "[[], []]",
        ),
        (
            SchemaOptions { draft: Some(Draft::Draft4), ..default() },
            r#"{"type": "null", "const": 1}"#,
            "null",
        ),
        (SchemaOptions { integer_with_point: Some(false), ..default() }, r#"{"type": "integer"}"#, "1.0"),
        (
            SchemaOptions { integer_spelling: IntegerSpelling::Plain, ..default() },
            r#"{"type": "integer"}"#,
            "1.0",
        ),
        (
            SchemaOptions { resources: vec![resource], ..default() },
            r#"{"$ref": "https://example.com/null"}"#,
            "null",
        ),
    ]
}

/// Whether a text is accepted; false if the source is refused.
fn accepts(source: &Source, text: &str, options: &Options, vocabulary: &Vocabulary) -> bool {
    let artifact = match compile(source, vocabulary, options) {
        Ok(artifact) => artifact,
        Err(error) if error.kind() == ErrorKind::Refused => return false,
        Err(error) => panic!("{error:?}"),
    };
    let session = Session::new(artifact, vocabulary).expect("the artifact is for this vocabulary");
    let mut matcher = session.matcher().expect("enough scratch");
    let tokens: Vec<u32> = text.bytes().map(u32::from).collect();
    tokens.into_iter().all(|token| matcher.commit(token).is_ok())
        && matcher.is_accepting().expect("enough scratch")
}

#[test]
fn options_of_schemas_apply_wherever_a_schema_is() {
    let vocabulary = vocabulary();
    for (schema_options, schema, text) in effects() {
        let changed = with(schema_options.clone());
        let [alone, ..] = carriers(schema);
        let expected = accepts(&alone.0, text, &changed, &vocabulary);
        assert_ne!(
            expected,
            accepts(&alone.0, text, &Options::default(), &vocabulary),
            "{schema_options:?} makes a difference for {text}"
        );
        for (source, before, after) in carriers(schema) {
            let text = format!("{before}{text}{after}");
            let case = format!("{text} under {} with {schema_options:?}", source.text().text);
            assert_eq!(accepts(&source, &text, &changed, &vocabulary), expected, "{case}");
            assert_eq!(
                accepts(&source, &text, &Options::default(), &vocabulary),
                !expected,
                "{case}, without"
            );
        }
    }
}

#[test]
fn artifacts_name_the_options_of_embedded_schemas() {
    let options = with(SchemaOptions { strings: Strings::Canonical, ..SchemaOptions::default() });
    for (source, ..) in carriers("{}") {
        let parsed = parse(&source, &options).expect("valid");
        assert!(
            parsed.options.contains(&("strings".to_owned(), "canonical".to_owned())),
            "{:?}",
            parsed.options
        );
    }
    let without = parse(&Source::lark("start: \"a\"\n"), &options).expect("valid");
    let expected = [("start", "start"), ("budgets", "bounded"), ("special-tokens", "never")];
    assert_eq!(without.options, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

const UNIQUE: &str = r#"{"title": "x", "properties": {"a": {"type": "array", "uniqueItems": true, "items": {"propertyNames": {"pattern": "^a$"}}}}}"#;

fn allowing() -> Options {
    with(SchemaOptions { unenforced: Unenforced::Allow, ..SchemaOptions::default() })
}

fn pointers<'r>(report: &'r [ReportEntry], coverage: &str) -> Vec<&'r str> {
    report.iter().filter(|entry| entry.coverage == coverage).map(|entry| entry.pointer.as_str()).collect()
}

/// The sources that carry a schema, and the place of the schema in each of them.
fn placed(schema: &str) -> impl Iterator<Item = (Source, &'static str)> {
    let places = [
        "",
        "/format/json_schema",
        "/format/tags/0/content/json_schema",
        "/structures/0/schema",
        "2:13#",
        "2:20#",
    ];
    carriers(schema).map(|(source, ..)| source).into_iter().zip(places)
}

#[test]
fn every_embedded_schema_is_reported_where_it_is() {
    for (source, place) in placed(UNIQUE) {
        let parsed = parse(&source, &allowing()).expect("valid");
        let gap = format!("{place}/properties/a/uniqueItems");
        assert_eq!(pointers(&parsed.report, "superset"), [gap.as_str()]);
        assert_eq!(pointers(&parsed.report, "annotation"), [format!("{place}/title")]);
        assert!(pointers(&parsed.report, "enforced").contains(&&*format!("{place}/properties/a/type")));
        assert!(parsed.report.iter().all(|entry| entry.pointer.starts_with(place)), "{:?}", parsed.report);
        let artifact = compile(&source, &vocabulary(), &allowing()).expect("valid");
        let metadata = artifact.metadata(&artifact.grammar().expect("whole")).expect("whole");
        assert_eq!(metadata.report, parsed.report);
        let refused = coverage_of_refused(&source, &Options::default());
        assert_eq!(pointers(&refused, "refused"), [gap.as_str()]);
        assert_eq!(refused.len(), parsed.report.len());
        let error = parse(&source, &Options::default()).expect_err("uniqueItems");
        assert_eq!(error.diagnostics()[0].code.as_str(), "unenforceable", "{error:?}");
    }
}

/// An object of which the order of keys, and the spelling of a number, are narrowed.
const PAIR: &str = r#"{"properties": {"a": {"type": "integer"}, "b": {}}, "required": ["a"]}"#;

#[test]
fn every_embedded_schema_is_narrowed_where_it_is() {
    for (source, place) in placed(PAIR) {
        let parsed = parse(&source, &Options::default()).expect("valid");
        let narrowed = |kind: &str| -> Vec<_> {
            let of_kind = parsed.report.iter().filter(|entry| entry.is_narrowing() && entry.kind == kind);
            of_kind.map(|entry| entry.pointer.clone()).collect()
        };
        assert_eq!(narrowed("number-spelling"), [format!("{place}/properties/a")]);
        for kind in ["key-order", "white-space", "half-surrogate", "repeated-key", "string-spelling"] {
            assert_eq!(narrowed(kind), [place.to_owned()], "{kind}");
        }
        assert_eq!(narrowed_counts(&parsed.report).len(), 6);
    }
}

#[test]
fn strict_compilations_refuse_every_kind_that_is_not_allowed() {
    let strict = |allowed: &[Narrowing]| Options {
        strict: Strict::All,
        allow_narrowed: allowed.to_vec(),
        ..Options::default()
    };
    for (source, ..) in carriers(PAIR) {
        let error = parse(&source, &strict(&[])).expect_err("narrowed");
        assert!(error.diagnostics().iter().all(|diagnostic| diagnostic.code == "narrowed"), "{error:?}");
        assert_eq!(error.diagnostics().len(), 6);
        assert_eq!(
            coverage_of_refused(&source, &strict(&[])),
            parse(&source, &Options::default()).expect("valid").report
        );
        let others = [
            Narrowing::HalfSurrogate,
            Narrowing::NumberSpelling,
            Narrowing::RepeatedKey,
            Narrowing::StringSpelling,
            Narrowing::WhiteSpace,
        ];
        let error = parse(&source, &strict(&others)).expect_err("the order of keys");
        let [only] = error.diagnostics() else { panic!("{error:?}") };
        assert!(
            only.message.contains("key-order")
                && only.help.as_ref().is_some_and(|help| help.contains("key-order"))
        );
        // What no option admits is refused only if that is asked for.
        let on = Options { strict: Strict::On, ..Options::default() };
        let kinds = parse(&source, &on).expect_err("narrowed").diagnostics().len();
        assert_eq!(kinds, 4, "half surrogates and repeated keys are none of them");
        let parsed = parse(&source, &strict(Narrowing::ALL)).expect("all are allowed");
        // What is allowed does not change the artifact.
        let artifact = |parsed, options: &Options| {
            compile_parsed(parsed, &vocabulary(), options, Packing::Referenced, &mut ())
                .expect("valid")
                .artifact
        };
        let plain = parse(&source, &Options::default()).expect("valid");
        assert_eq!(
            artifact(&parsed, &strict(Narrowing::ALL)).bytes(),
            artifact(&plain, &Options::default()).bytes()
        );
    }
    assert!(parse(&Source::lark("start: \"a\"\n"), &strict(&[])).is_ok());
}

/// Stores find artifacts by key. Strict options have no part in it, so what they refuse has none.
#[test]
fn what_strict_options_refuse_has_no_key() {
    for (source, ..) in carriers(PAIR) {
        let key = |strict, allow_narrowed| {
            let options = Options { strict, allow_narrowed, ..Options::default() };
            artifact_key(&source, &vocabulary(), &options, Packing::Referenced)
        };
        let error = key(Strict::On, Vec::new()).expect_err("narrowed");
        assert!(error.diagnostics().iter().all(|diagnostic| diagnostic.code == "narrowed"), "{error:?}");
        let allowed = key(Strict::On, Narrowing::ALL.to_vec()).expect("all are allowed");
        assert_eq!(allowed, key(Strict::Off, Vec::new()).expect("not strict"));
    }
}

#[test]
fn equal_schemas_are_reported_at_each_place() {
    let tag = |name: &str| {
        format!(
            r#"{{"begin": "<{name}>", "content": {{"type": "json_schema", "json_schema": {UNIQUE}}}, "end": "</f>"}}"#
        )
    };
    let tags = Source::structural_tag(format!(
        r#"{{"type": "structural_tag", "format": {{"type": "tags_with_separator", "separator": "", "tags": [{}, {}]}}}}"#,
        tag("a"),
        tag("b")
    ));
    let report = parse(&tags, &allowing()).expect("valid").report;
    let at = |tag: u8| format!("/format/tags/{tag}/content/json_schema/properties/a/uniqueItems");
    assert_eq!(pointers(&report, "superset"), [at(0), at(1)]);
    let lark = Source::lark(format!("start: (a | b){{1,3}}\na: \"<a>\" %json {UNIQUE}\nb: %json {UNIQUE}\n"));
    let report = parse(&lark, &allowing()).expect("valid").report;
    assert_eq!(
        pointers(&report, "superset"),
        ["2:16#/properties/a/uniqueItems", "3:10#/properties/a/uniqueItems"]
    );
}

#[test]
fn schemas_of_imported_files_and_documents_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("tools.lark", &format!("call: \"<f>\" %json {UNIQUE}\n"));
    write("main.lark", "start: call\n%import .tools.call\n");
    let source = Source::file(&folder.path().join("main.lark"), None).expect("a file");
    let report = parse(&source, &allowing()).expect("valid").report;
    let gap = pointers(&report, "superset");
    assert!(
        gap.len() == 1 && gap[0].ends_with(":1:19#/properties/a/uniqueItems") && gap[0].contains("tools"),
        "{gap:?}"
    );

    let resources = vec![("https://example.com/s".to_owned(), UNIQUE.to_owned())];
    let options = with(SchemaOptions { resources, ..allowing().schema });
    for (source, ..) in carriers(r#"{"$ref": "https://example.com/s"}"#) {
        let parsed = parse(&source, &options).expect("valid");
        let gap = pointers(&parsed.report, "superset");
        assert!(gap.len() == 1 && gap[0].contains("https://example.com/s"), "{gap:?}");
        assert!(parsed.source.imports.iter().any(|import| import.name == "https://example.com/s"));
    }
}

#[test]
fn x_guidance_applies_wherever_a_schema_is() {
    let vocabulary = vocabulary();
    let schema = r#"{"x-guidance": {"whitespace_flexible": false, "item_separator": ", "}, "type": "array", "items": {"type": "null"}}"#;
    for (source, before, after) in carriers(schema) {
        for (text, expected) in [("[null, null]", true), ("[null,null]", false), ("[ null]", false)] {
            let text = format!("{before}{text}{after}");
            assert_eq!(accepts(&source, &text, &Options::default(), &vocabulary), expected, "{text}");
        }
    }
    for (source, ..) in carriers(r#"{"x-guidance": {"unknown": 1}}"#) {
        let error: Error = parse(&source, &Options::default()).expect_err("unknown");
        assert!(error.diagnostics()[0].message.contains("x-guidance has no member unknown"), "{error:?}");
    }
}

/// `--strict` refuses only what some option admits, place by place: exponents of bounded integers are refused by no option's doing.
#[test]
fn strict_compilations_allow_what_no_option_admits() {
    let bounded = Source::json_schema(r#"{"type": "integer", "minimum": 0, "maximum": 100}"#);
    let any = r#"{"whitespace": "any", "strict": true}"#;
    let on = Options::from_json(any).expect("valid");
    let parsed = parse(&bounded, &on).expect("nothing is left that an option admits");
    assert!(parsed.report.iter().any(|entry| entry.kind == "number-spelling"));
    let all = Options { strict: Strict::All, ..on.clone() };
    assert!(parse(&bounded, &all).expect_err("narrowed").to_string().contains("number-spelling"));
    let free = Source::json_schema(r#"{"type": "integer"}"#);
    assert!(
        parse(&free, &on)
            .expect_err("--integer-spelling admits them")
            .to_string()
            .contains("number-spelling")
    );
}
