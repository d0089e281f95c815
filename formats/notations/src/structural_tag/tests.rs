use super::*;

fn read(text: &str) -> Result<Parsed, Vec<Diagnostic>> {
    parse(text, &Options::default())
}

fn format(format: &str) -> String {
    format!(r#"{{"type": "structural_tag", "format": {format}}}"#)
}

fn shown(text: &str) -> String {
    read(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}")).grammar.to_string()
}

const TAGS: &str = r#"{"type": "triggered_tags", "triggers": ["<f="], "tags": [
    {"type": "tag", "begin": "<f=a>", "content": {"type": "json_schema", "json_schema": {"type": "boolean"}}, "end": "</f>"},
    {"begin": "<f=b>", "content": {"type": "regex", "pattern": "^[0-9]+$"}, "end": ["</f>", "<end>"]}
]}"#;

#[test]
fn text_tags_and_schemas_are_one_grammar() {
    let shown = shown(&format(TAGS));
    assert!(shown.starts_with("# any split"), "{shown}");
    assert!(shown.contains(r#"structural_tag: (text up to "<f=" ("a>" schema#1 "</f>" | "#), "{shown}");
}

/// A trigger may be a pattern: the text up to it is the shortest one that ends with a text of the pattern.
#[test]
fn triggers_may_be_patterns() {
    let dispatch = |trigger: &str| {
        format(&format!(
            r#"{{"type": "dispatch", "rules": [[{trigger}, {{"type": "regex", "pattern": "[0-9]"}}]], "excludes": [{trigger}]}}"#
        ))
    };
    let pattern = shown(&dispatch(r#"{"type": "regex", "pattern": "<f="}"#));
    assert_eq!(
        pattern.replace("text up to \"<f=\"", "x"),
        shown(&dispatch(r#""<f=""#)).replace("text up to \"<f=\"", "x")
    );
    assert_ne!(pattern, shown(&dispatch(r#"{"type": "regex", "pattern": "<f ?="}"#)));
}

/// XGrammar's classes write the syntax of each grammar.
#[test]
fn the_syntax_of_a_grammar_is_a_field() {
    let lark = |fields: &str| shown(&format(&format!(r#"{{"type": "grammar", {fields}}}"#)));
    assert_eq!(lark(r#""syntax": "lark", "grammar": "start: \"a\"+""#), lark(r#""lark": "start: \"a\"+""#));
    assert_eq!(
        lark(r#""syntax": "ebnf", "grammar": "root ::= \"a\"+""#),
        lark(r#""grammar": "root ::= \"a\"+""#)
    );
}

/// Keys of objects with few keys come in any order, those of others in the order of declaration.
#[test]
fn any_order_may_be_a_number_of_keys() {
    let schema = |order: &str| {
        let schema = r#"{"type": "object", "properties": {"a": {"type": "null"}, "b": {"type": "null"}}, "additionalProperties": false}"#;
        shown(&format(&format!(
            r#"{{"type": "json_schema", "json_schema": {schema}, "any_order": {order}}}"#
        )))
    };
    assert_eq!(schema("2"), schema("true"));
    assert_eq!(schema("1"), schema("false"));
    assert_ne!(schema("1"), schema("2"));
}

#[test]
fn equal_schemas_are_one_part() {
    let tag = |name: &str| {
        format!(
            r#"{{"begin": "<{name}>", "content": {{"type": "json_schema", "json_schema": {{"type": "object"}}}}, "end": ""}}"#
        )
    };
    let text = format!(
        r#"{{"type": "tags_with_separator", "separator": ",", "tags": [{}, {}]}}"#,
        tag("a"),
        tag("b")
    );
    let shown = shown(&format(&text));
    assert!(shown.contains("schema#1") && !shown.contains("schema#2"), "{shown}");
}

/// The work, beside that of the schemas, on a tool set of functions with parameters of their own.
fn work_on_tools(count: usize) -> u64 {
    let tag = |index: usize| {
        format!(
            r#"{{"begin": "<f=tool{index}>", "end": "</f>", "content": {{"type": "json_schema", "json_schema": {{"type": "object",
                "properties": {{"city{index}": {{"type": "string"}}, "{index}days": {{"type": "integer"}}}}}}}}}}"#
        )
    };
    let tags: Vec<String> = (0..count).map(tag).collect();
    let tags = format!(r#"{{"type": "triggered_tags", "triggers": ["<f="], "tags": [{}]}}"#, tags.join(", "));
    let options = Options::default();
    parse(&format(&tags), &options).expect("valid");
    options.limits.budget.spent().0
}

#[test]
fn the_work_on_tool_sets_is_linear() {
    let (few, many) = (work_on_tools(8), work_on_tools(64));
    assert!(many < 10 * few, "{few} steps for 8 tools, {many} for 64");
}

#[test]
fn the_older_form_is_the_same() {
    let old = r#"{"type": "structural_tag", "triggers": ["<f="], "structures": [
        {"begin": "<f=a>", "schema": {"type": "boolean"}, "end": "</f>"}]}"#;
    let new = format(
        r#"{"type": "triggered_tags", "triggers": ["<f="], "tags": [
        {"begin": "<f=a>", "content": {"type": "json_schema", "json_schema": {"type": "boolean"}}, "end": "</f>"}]}"#,
    );
    assert_eq!(shown(old), shown(&new));
}

#[test]
fn keys_keep_their_order() {
    let text = r#"{"type": "json_schema", "json_schema": {"type": "object", "properties": {"z": {"const": 1}, "a": {"const": 2}}}}"#;
    let shown = shown(&format(text));
    assert!(shown.find("\"z\"").expect("z") < shown.find("\"a\"").expect("a"), "{shown}");
}

#[test]
fn repeated_keys_are_refused_at_their_place() {
    let constant = r#"{"type": "const_string", "value": "a", "value": "b"}"#;
    let tag =
        |field: &str| format!(r#"{{"begin": "<", "end": ">", "content": {{"type": "any_text"}}, {field}}}"#);
    let tags = |tag: &str| {
        format(&format!(r#"{{"type": "tags_with_separator", "separator": ",", "tags": [{tag}]}}"#))
    };
    let cases = [
        (r#"{"type": "structural_tag", "type": "structural_tag", "format": 1}"#.to_owned(), "/type"),
        (
            r#"{"type": "structural_tag", "format": {"type": "any_text"}, "format": null}"#.to_owned(),
            "/format",
        ),
        (format(constant), "/format/value"),
        (format(r#"{"type": "const_string", "value": "a", "v\u0061lue": "a"}"#), "/format/value"),
        (
            format(&format!(r#"{{"type": "sequence", "elements": [{{"type": "any_text"}}, {constant}]}}"#)),
            "/format/elements/1/value",
        ),
        (tags(&tag(r#""end": ">>""#)), "/format/tags/0/end"),
        (tags(&tag(r#""a/b": 1, "a/b": 2"#)), "/format/tags/0/a~1b"),
        (tags(&tag(r#""content": {"type": "any_text"}"#)), "/format/tags/0/content"),
    ];
    for (text, pointer) in cases {
        let errors = read(&text).map(|_| ()).expect_err(&text);
        assert_eq!(errors[0].code, Code::DuplicateKey, "{text}: {errors:?}");
        assert_eq!(errors[0].location, Some(Location::Pointer(pointer.to_owned())), "{text}");
    }
    // The keys of a schema are those of its front end, and are as strict.
    let schema = format(r#"{"type": "json_schema", "json_schema": {"type": "null", "type": "string"}}"#);
    assert_eq!(read(&schema).map(|_| ()).expect_err("repeated")[0].code, Code::DuplicateKey);
}

#[test]
fn errors_point_into_the_file() {
    let cases = [
        (r#"{"type": "object"}"#.to_owned(), "/type", "the type is"),
        (format(r#"{"type": "text"}"#), "/format/type", "there is no format"),
        (format(r#"{"type": "const_string"}"#), "/format", "the field \"value\" is missing"),
        (format(r#"{"type": "const_string", "value": 1}"#), "/format/value", "expected a string"),
        (format(r#"{"type": "const_string", "value": "a", "x": 1}"#), "/format/x", "there is no field"),
        (
            format(r#"{"type": "regex", "pattern": "a(?=b)"}"#),
            "/format/pattern",
            "line 1, column 2: look-around",
        ),
        (
            format(r#"{"type": "grammar", "grammar": "root ::= x"}"#),
            "/format/grammar",
            "line 1, column 10: `x` is not",
        ),
        (
            format(r#"{"type": "json_schema", "json_schema": {"properties": {"a": {"type": "x"}}}}"#),
            "/format/json_schema/properties/a/type",
            "",
        ),
        (
            format(&TAGS.replace("\"<f=\"", "\"<g=\"")),
            "/format/triggers",
            "the tag that begins with \"<f=a>\" has no trigger",
        ),
        (format(&TAGS.replace("\"<f=\"", "\"\"")), "/format/triggers/0", "this text must not be empty"),
        (
            format(r#"{"type": "grammar", "grammar": "a", "syntax": "yacc"}"#),
            "/format/syntax",
            "the syntax of a grammar is",
        ),
        (format(r#"{"type": "any_text", "max_chars": 1000000}"#), "/format/max_chars", ""),
        (format(r#"{"type": "grammar"}"#), "/format", "the field \"grammar\" is missing"),
        (format(r#"{"type": "grammar", "language": "cobol"}"#), "/format/language", "there is no built-in"),
        (format(r#"{"type": "grammar", "language": "x", "lark": "y"}"#), "/format/type", "one of the fields"),
        (
            format(r#"{"type": "grammar", "lark": "start: a"}"#),
            "/format/lark",
            "line 1, column 8: `a` is not defined",
        ),
        (format(r#"{"type": "token", "token": -1}"#), "/format/token", "this is not the id of a token"),
        (
            format(r#"{"type": "repeat", "min": 3, "max": 2, "content": {"type": "any_text"}}"#),
            "/format/max",
            "this must be a number of times",
        ),
        (format(r#"{"type": "any_text", "a/b~": 1}"#), "/format/a~1b~0", "there is no field"),
        (
            format(r#"{"type": "json_schema", "json_schema": true, "style": "xml"}"#),
            "/format/style",
            "there is no style",
        ),
        (
            format(
                r#"{"type": "token_triggered_tags", "trigger_tokens": [7], "tags": [{"begin": {"type": "token", "token": 8}, "content": {"type": "any_text"}, "end": ""}]}"#,
            ),
            "/format/tags/0/begin",
            "this token is not among the triggers",
        ),
        (
            format(
                r#"{"type": "dispatch", "rules": [[{"type": "regex", "pattern": "a*"}, {"type": "any_text"}]]}"#,
            ),
            "/format/rules/0/0/pattern",
            "this pattern must not match the empty text",
        ),
        (
            format(r#"{"type": "any_text", "excludes": ["a", {"type": "token", "token": 1}]}"#),
            "/format/excludes/1/token",
            "there is no field",
        ),
        (
            format(r#"{"type": "json_schema", "json_schema": true, "any_order": "no"}"#),
            "/format/any_order",
            "expected an integer",
        ),
        (
            format(r#"{"type": "token_triggered_tags", "tags": []}"#),
            "/format",
            "the field \"trigger_tokens\" is missing",
        ),
    ];
    for (text, pointer, message) in cases {
        let errors = read(&text).expect_err(&text);
        assert_eq!(errors[0].location, Some(Location::Pointer(pointer.to_owned())), "{errors:?}");
        assert!(errors[0].message.contains(message), "{errors:?}");
    }
}

/// Every field that XGrammar's models write as null, or that they allow to be left out.
#[test]
fn optional_fields_may_be_null() {
    let tag = r#"{"type": null, "begin": "<a>", "content": {"type": "any_text"}, "end": "</a>"}"#;
    let token = r#"{"type": "tag", "begin": {"type": "token", "token": 7}, "content": {"type": "any_tokens"}, "end": ""}"#;
    for (kind, fields, optional) in [
        (
            "json_schema",
            r#""json_schema": true"#,
            &["style", "any_order", "max_whitespace_cnt", "excludes"][..],
        ),
        ("any_text", r#""excludes": []"#, &["max_tokens", "max_chars"]),
        ("any_text", r#""max_chars": 3"#, &["excludes"]),
        ("any_tokens", r#""exclude_tokens": []"#, &["max_tokens"]),
        ("any_tokens", r#""max_tokens": null"#, &["exclude_tokens"]),
        (
            "triggered_tags",
            &format!(r#""triggers": ["<a>"], "tags": [{tag}]"#),
            &["at_least_one", "stop_after_first", "excludes"],
        ),
        (
            "tags_with_separator",
            &format!(r#""separator": "", "tags": [{tag}]"#),
            &["at_least_one", "stop_after_first"],
        ),
        ("dispatch", r#""rules": [["a", {"type": "any_text"}]]"#, &["loop", "excludes"]),
        (
            "token_triggered_tags",
            &format!(r#""trigger_tokens": [7], "tags": [{token}]"#),
            &["at_least_one", "stop_after_first", "exclude_tokens"],
        ),
        ("token_dispatch", r#""rules": [[7, {"type": "any_text"}]]"#, &["loop", "exclude_tokens"]),
        ("star", r#""content": {"type": "exclude_token", "exclude_tokens": null}"#, &[]),
    ] {
        let nulls: String = optional.iter().map(|field| format!(r#", "{field}": null"#)).collect();
        let [without, with] =
            [String::new(), nulls].map(|nulls| format(&format!(r#"{{"type": "{kind}", {fields}{nulls}}}"#)));
        assert_eq!(shown(&without), shown(&with), "{with}");
    }
    let empty =
        r#"{"type": "structural_tag", "structures": null, "triggers": null, "format": {"type": "any_text"}}"#;
    assert_eq!(shown(empty), shown(&format(r#"{"type": "any_text"}"#)));
}

/// A format by its name is that format, also within itself.
#[test]
fn formats_by_name() {
    let rules = |format: &str, rules: &str| {
        format!(r#"{{"type": "structural_tag", "format": {format}, "rules": {{{rules}}}}}"#)
    };
    let twice =
        r#"{"type": "sequence", "elements": [{"type": "rule", "name": "a"}, {"type": "rule", "name": "a"}]}"#;
    let pattern = r#"{"type": "regex", "pattern": "x+y"}"#;
    let written = format(&twice.replace(r#"{"type": "rule", "name": "a"}"#, pattern));
    assert_eq!(shown(&rules(twice, &format!(r#""a": {pattern}"#))), shown(&written));
    let nested = r#"{"type": "or", "elements": [{"type": "const_string", "value": "0"}, {"type": "tag", "begin": "(", "content": {"type": "rule", "name": "a"}, "end": ")"}]}"#;
    assert!(read(&rules(r#"{"type": "rule", "name": "a"}"#, &format!(r#""a": {nested}"#))).is_ok());
    let errors =
        read(&rules(r#"{"type": "rule", "name": "b"}"#, r#""a": {"type": "any_text"}"#)).expect_err("none");
    assert_eq!(errors[0].location, Some(Location::Pointer("/format/name".to_owned())), "{errors:?}");
    assert!(
        read(&rules(r#"{"type": "rule", "name": "a"}"#, r#""a": {"type": "rule", "name": "a"}"#)).is_err()
    );
}

#[test]
fn required_fields_may_not_be_null() {
    for (text, pointer, message) in [
        (r#"{"type": "const_string", "value": null}"#, "/format/value", "expected a string"),
        (r#"{"type": "sequence", "elements": null}"#, "/format/elements", "expected a list"),
        (
            r#"{"type": "repeat", "min": null, "max": 2, "content": {"type": "any_text"}}"#,
            "/format/min",
            "must be an integer",
        ),
        (
            r#"{"type": "json_schema", "json_schema": true, "max_whitespace_cnt": -1}"#,
            "/format/max_whitespace_cnt",
            "a number of characters",
        ),
        (r#"{"type": "any_text", "unknown": null}"#, "/format/unknown", "there is no field"),
    ] {
        let errors = read(&format(text)).expect_err(text);
        assert_eq!(errors[0].location, Some(Location::Pointer(pointer.to_owned())), "{errors:?}");
        assert!(errors[0].message.contains(message), "{errors:?}");
    }
    let both = r#"{"type": "structural_tag", "triggers": ["a"], "format": {"type": "any_text"}}"#;
    assert!(read(both).expect_err("both forms")[0].message.contains("does not belong to this form"));
}

#[test]
fn tokens_are_limited() {
    for (text, shown) in [
        (r#"{"type": "any_text", "max_tokens": 5}"#, "at most 5 tokens"),
        (
            r#"{"type": "tag", "begin": "<", "content": {"type": "any_text", "max_tokens": 5, "max_chars": 9}, "end": ">"}"#,
            "at most 5 tokens",
        ),
        (
            r#"{"type": "tag", "begin": "<", "content": {"type": "any_text", "max_tokens": 0}, "end": ">"}"#,
            "shortest \"<>\"",
        ),
        (r#"{"type": "any_tokens", "max_tokens": 5}"#, "~0..5"),
    ] {
        let parsed = read(&format(text)).expect("valid");
        assert_eq!(parsed.warnings, [], "{text}");
        assert!(parsed.grammar.to_string().contains(shown), "{}", parsed.grammar);
    }
    let errors = read(&format(r#"{"type": "any_text", "max_tokens": 5000000000}"#)).expect_err("too many");
    assert!(errors[0].message.contains("a number of tokens"), "{errors:?}");
}

#[test]
fn damaged_files_are_read_or_refused() {
    let text = format(TAGS);
    for end in 0..text.len() {
        assert!(read(&text[..end]).is_err(), "{}", &text[..end]);
        for with in ["1", "\"", "[]", "null"] {
            // The result does not matter, only that there is one.
            drop(read(&format!("{}{with}{}", &text[..end], &text[end + 1..])));
        }
    }
    let deep = format!("{}{}{}", r#"{"type":"star","content":"#.repeat(50_000), "{}", "}".repeat(50_000));
    assert!(read(&format(&deep)).is_err());
    let deep = format!(
        "{}{}{}",
        r#"{"type":"star","content":"#.repeat(80),
        r#"{"type":"any_text"}"#,
        "}".repeat(80)
    );
    assert!(read(&format(&deep)).expect_err("deep")[0].message.contains("nested more than"));
}
