use super::*;
use crate::structural_tag::Options;
use gcc_grammar_ir::Code;
use gcc_grammar_json_schema::Narrowing;
use gcc_grammar_limits::{Budget, Limits};
use gcc_grammar_regular::RegularLimits;

fn calls(model: &str) -> Calls {
    Calls { model: Some(model.to_owned()), ..Calls::default() }
}

fn read(text: &str, calls: &Calls) -> Result<Parsed, Vec<Diagnostic>> {
    parse(text, calls, &Options::default())
}

const TOOL: &str =
    r#"{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}}}"#;

/// Every trigger begins every call, and every family has tools with and without thinking.
#[test]
fn the_table_is_consistent() {
    for family in families() {
        let name = &family.name;
        assert_eq!(calls(name).family().expect(name).name, *name);
        for form in &family.forms {
            for family::Written { trigger, call, .. } in form.written() {
                let whole = template::parts(&format!("{}{call}", form.open), "f");
                let trigger = template::parts(&trigger, "f");
                assert!(
                    !trigger.is_empty() && template::behind(&whole, &trigger).is_some(),
                    "{name}: {call}"
                );
                assert_eq!(call.matches("$arguments").count(), 1, "{name}: {call}");
                assert!(call.contains("$name"), "{name}: {call}");
                assert!(!call.contains("$object"), "{name}: {call}");
            }
        }
        for choice in ["auto", "required", "none", "f"] {
            for parallel in [false, true] {
                let choice = choice.parse().expect("any name is one");
                let calls = Calls { choice, parallel, ..calls(name) };
                let parsed = read(&format!("[{TOOL}]"), &calls);
                assert!(parsed.is_ok(), "{name}: {parsed:?}");
            }
        }
    }
}

/// The page on tools has a row for each family.
#[test]
fn the_page_lists_the_families() {
    let page = include_str!("../../../../docs/tools.md");
    for family in families() {
        assert!(
            page.lines().any(|line| line.starts_with(&format!("| `{}` |", family.name))),
            "{}",
            family.name
        );
    }
    assert!(page.contains(&models::table().date), "the day of the table of models");
}

/// One tool with many parameters is read at once: beyond a few, they come in the order of the schema, and the report says so.
#[test]
fn many_parameters_come_in_the_order_of_the_schema() {
    let tool = |count: usize| {
        let member = |number| format!(r#""p{number}": {{"type": "integer"}}"#);
        let all = (0..count).map(member).collect::<Vec<_>>().join(", ");
        format!(r#"{{"name": "f", "parameters": {{"type": "object", "properties": {{{all}}}}}}}"#)
    };
    for family in
        ["gemma4", "functiongemma", "qwen3-coder", "glm4.5", "minimax-m2", "deepseek-v3.2", "hermes"]
    {
        let narrowed = |count: usize| {
            let report = read(&tool(count), &calls(family)).expect(family).report;
            report.entries.iter().any(|entry| entry.coverage.narrowing() == Some(Narrowing::KeyOrder))
        };
        assert!(!narrowed(4), "{family}");
        assert!(narrowed(15) && narrowed(60), "{family}");
    }
}

/// A name that no parser of the family reads is an error that names it, at its place.
#[test]
fn names_that_parsers_read() {
    let check = |family: &str, tool: &str, key: &str| {
        let text = format!(
            r#"[{{"name": {tool:?}, "parameters": {{"type": "object", "properties": {{{key:?}: {{}}}}}}}}]"#
        );
        read(&text, &calls(family)).map(|_| ()).map_err(|mut errors| errors.remove(0))
    };
    for (family, good, bad) in [
        ("llama4-pythonic", "f f1 get_weather print fé", "_f get-weather a.b a/b a:b 1x True class é f$"),
        ("gemma3", "f", "get-weather"),
        ("olmo3", "f", "a.b"),
        ("lfm2", "f _f a.b é", "get-weather a/b a:b 1x True class f$ a. a.class"),
        ("functiongemma", "f 1x True é _f", "get-weather a.b a:b a/b f$"),
        ("kimi-k2", "f get-weather a.b a/b", "a:b"),
        ("muse", "f get-weather a.b 1x class selfie", "a/b a:b f$ é self user commentary developer"),
        ("gemma4", "f get-weather a.b a/b a:b 1x class f$", ""),
        ("qwen3-coder", "f get-weather a.b a/b a:b 1x class f$", ""),
    ] {
        for name in good.split_whitespace() {
            assert_eq!(check(family, name, "k"), Ok(()), "{family}: {name}");
        }
        for name in bad.split_whitespace() {
            let error = check(family, name, "k").expect_err(name);
            assert_eq!(error.location, Some(Location::Pointer("/0/name".to_owned())), "{family}: {name}");
            assert!(error.message.contains(&format!("{name:?}")), "{}", error.message);
        }
    }
    for (family, good, bad) in [
        ("llama4-pythonic", "größe true", "from content-type x.y @type $ref 名 1a None _x"),
        ("lfm2", "_x from class 名 größe None", "content-type x.y @type $ref 1a"),
        ("functiongemma", "_x from 名 1a", "content-type x.y @type"),
        ("kimi-k2", "content-type a:b", ""),
        ("glm4.5", "content-type from @type", ""),
    ] {
        for key in good.split_whitespace() {
            assert_eq!(check(family, "f", key), Ok(()), "{family}: {key}");
        }
        for key in bad.split_whitespace().chain((!bad.is_empty()).then_some("a b")) {
            let error = check(family, "f", key).expect_err(key);
            let place = format!("/0/parameters/properties/{key}");
            assert_eq!(error.location, Some(Location::Pointer(place)), "{family}: {key}");
            assert!(error.help.is_some_and(|help| help.contains("letters, digits and _")), "{family}: {key}");
        }
    }
    for (family, key, is_read) in [
        ("qwen3-coder", "a<b c:d", true),
        ("qwen3-coder", "a>b", false),
        ("dots", "a>b", false),
        ("minimax-m3", " a", false),
        ("glm4.5", "a>b", true),
        ("glm4.5", "a ", false),
        ("hermes", " a", true),
    ] {
        assert_eq!(check(family, "f", key).is_ok(), is_read, "{family}: {key:?}");
    }
}

/// Where a style writes fewer keys than the schema allows, the report says so, at the schema.
#[test]
fn keys_that_a_style_cannot_write() {
    let at = |family: &str, schema: &str| {
        let text = format!(r#"[{{"name": "f", "parameters": {schema}}}]"#);
        let report = read(&text, &calls(family)).expect(family).report;
        let keys = report.entries.into_iter();
        let keys = keys.filter(|entry| entry.coverage.narrowing() == Some(Narrowing::Keys));
        keys.map(|entry| entry.pointer).collect::<Vec<_>>()
    };
    let open = r#"{"type": "object", "properties": {"a": {"type": "integer"}}}"#;
    let map = r#"{"type": "object", "properties": {"m": {"type": "object", "additionalProperties": {"type": "string"}}}, "additionalProperties": false}"#;
    let named = r#"{"type": "object", "propertyNames": {"enum": ["a", "b c"]}}"#;
    for family in ["qwen3-coder", "glm4.5", "minimax-m2", "minimax-m3", "kimi-k3", "llama4-pythonic"] {
        assert_eq!(at(family, open), ["/0/parameters"], "{family}");
    }
    for family in ["hermes", "gemma4", "harmony"] {
        assert_eq!(at(family, open), [] as [&str; 0], "{family}");
    }
    assert_eq!(at("minimax-m3", map), ["/0/parameters/properties/m"]);
    assert_eq!(at("qwen3-coder", map), [] as [&str; 0]);
    assert_eq!(at("minimax-m3", named), [] as [&str; 0]);
    assert_eq!(at("llama4-pythonic", named), ["/0/parameters"]);
}

#[test]
fn a_family_as_the_model() {
    let form = |form: &str| format!(r#"{{"name": "mine", "forms": [{form}]}}"#);
    let good = form(r#"{"trigger": "CALL ", "calls": ["CALL $name WITH $arguments"], "text_after": true}"#);
    assert!(read(TOOL, &calls(&good)).is_ok());
    // The place is one of the family, not one of the tools.
    let error = read(TOOL, &calls(&form(r#"{"trigger": "c", "calls": ["c $name"]}"#)))
        .expect_err("no arguments")
        .remove(0);
    assert_eq!((error.code, error.location), (Code::BadFamily, None));
    assert!(
        error.message.ends_with("does not have one place $arguments, at #/forms/0/calls/0 of the family"),
        "{}",
        error.message
    );
}

/// All forms of the same tool give the same grammar, in any document.
#[test]
fn forms_of_definitions() {
    let schema = r#"{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}"#;
    let flat = format!(r#"{{"name": "f", "parameters": {schema}}}"#);
    let shown = |text: &str| {
        let mut grammar =
            read(text, &calls("hermes")).unwrap_or_else(|errors| panic!("{text}: {errors:?}")).grammar;
        grammar.rules.iter_mut().for_each(|rule| rule.location = None);
        grammar.to_string()
    };
    let expected = shown(&format!("[{flat}]"));
    for tool in [
        format!(
            r#"{{"type": "function", "function": {{"name": "f", "description": "d", "strict": true, "parameters": {schema}}}}}"#
        ),
        format!(r#"{{"type": "function", "name": "f", "parameters": {schema}, "strict": null}}"#),
        format!(r#"{{"name": "f", "input_schema": {schema}, "cache_control": {{"type": "ephemeral"}}}}"#),
        format!(
            r#"{{"name": "f", "title": "F", "inputSchema": {schema}, "annotations": {{}}, "_meta": {{}}}}"#
        ),
    ] {
        assert_eq!(shown(&format!("[{tool}]")), expected, "{tool}");
        assert_eq!(shown(&tool), expected, "{tool}");
        assert_eq!(shown(&format!(r#"{{"tools": [{tool}], "nextCursor": "x"}}"#)), expected, "{tool}");
        assert_eq!(
            shown(&format!(r#"{{"jsonrpc": "2.0", "id": 1, "result": {{"tools": [{tool}]}}}}"#)),
            expected,
            "{tool}"
        );
    }
}

#[test]
fn errors_name_the_member() {
    for (text, pointer, message) in [
        (r#"[{"name": "f", "inputShema": {}}]"#, "/0/inputShema", "no member \"inputShema\""),
        (
            r#"[{"name": "f", "parameters": {}, "input_schema": {}}]"#,
            "/0/parameters",
            "no member \"parameters\"",
        ),
        (
            r#"[{"type": "function", "function": {"name": "f", "inputSchema": {}}}]"#,
            "/0/function/inputSchema",
            "no member",
        ),
        (r#"[{"type": "function", "function": {"parameters": {}}}]"#, "/0/function", "\"name\" is missing"),
        (r#"[{"name": 3}]"#, "/0/name", "expected a string"),
        (r#"[{"name": "a b"}]"#, "/0/name", "cannot be written"),
        (r#"[{"name": "f"}, {"name": "f"}]"#, "/1/name", "two tools \"f\""),
        (r#"[{"type": "web_search"}]"#, "/0/type", "type \"web_search\""),
        (r#"[{"name": "f", "parameters": true}]"#, "/0/parameters", "as an object"),
        (r#"[{"name": "f", "parameters": {"type": "strnig"}}]"#, "/0/parameters/type", "strnig"),
        (r#"["f"]"#, "/0", "expected an object"),
        (r#"{"tools": {}}"#, "/tools", "expected a list"),
        (r#"{"response_format": {"type": "xml"}}"#, "/response_format/type", "no response format"),
    ] {
        let errors = read(text, &calls("hermes")).expect_err(text);
        assert_eq!(errors[0].location, Some(Location::Pointer(pointer.to_owned())), "{errors:?}");
        assert!(errors[0].message.contains(message), "{errors:?}");
    }
    let help =
        read(r#"[{"name": "f", "inputShema": {}}]"#, &calls("hermes")).expect_err("a typo")[0].help.clone();
    assert!(help.expect("a remedy").starts_with("did you mean inputSchema?"));
    assert!(matches!(read("[", &calls("hermes")).expect_err("cut")[0].location, Some(Location::Span(_))));
}

/// The place is that of the tool whose schema spends the work, although the tools after it fail, too.
#[test]
fn an_error_over_a_limit_names_the_tool() {
    let contains =
        |value| format!(r#"{{"contains": {{"const": {value}}}, "minContains": 3, "maxContains": 7}}"#);
    let all = (0..6).map(contains).collect::<Vec<_>>().join(",");
    let costly = format!(
        r#"{{"name": "costly", "parameters": {{"type": "object", "properties": {{"a": {{"allOf": [{all}]}}}}}}}}"#
    );
    let tools = format!(
        r#"[{TOOL}, {costly}, {}, {}]"#,
        TOOL.replace("\"f\"", "\"g\""),
        TOOL.replace("\"f\"", "\"h\"")
    );
    for model in ["hermes", "qwen3-coder", "llama3.1"] {
        let limits = Limits { work: 2_000_000, ..Limits::default() };
        let limits = RegularLimits::within(&Budget::new(limits).stage("parse"));
        let errors =
            parse(&tools, &calls(model), &Options { limits, ..Options::default() }).expect_err(model);
        let Some(Location::Pointer(pointer)) = &errors[0].location else { panic!("{errors:?}") };
        assert!(pointer.starts_with("/1/parameters"), "{model}: {errors:?}");
    }
}

#[test]
fn choices_that_cannot_be() {
    let chosen = |text: &str, choice: Choice| read(text, &Calls { choice, ..calls("hermes") });
    assert!(chosen(TOOL, Choice::Tool("f".to_owned())).is_ok());
    assert!(
        chosen(TOOL, Choice::Tool("g".to_owned())).expect_err("no such tool")[0]
            .message
            .contains("no tool \"g\"")
    );
    assert!(chosen("[]", Choice::Required).expect_err("no tool")[0].message.contains("no tool"));
    let thinks = Calls { thinking: Thinking::On, ..calls("llama3.1") };
    assert!(read(TOOL, &thinks).expect_err("no thinking")[0].message.contains("do not think"));
}

#[test]
fn outputs_of_tools_are_noted() {
    let tool = r#"[{"name": "f", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"}}]"#;
    let warnings = read(tool, &calls("hermes")).expect("a tool").warnings;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(warnings[0].location, Some(Location::Pointer("/0/outputSchema".to_owned())));
}

/// The report speaks of the definitions, once of each keyword.
#[test]
fn the_report_has_the_places_of_the_definitions() {
    let report = read(&format!("[{TOOL}]"), &calls("llama3.1")).expect("a tool").report;
    let at = |pointer: &str| report.entries.iter().filter(|entry| entry.pointer == pointer).count();
    assert_eq!((at("/0/parameters/type"), at("/0/parameters/properties/a/type")), (1, 1), "{report:?}");
    assert!(report.entries.iter().all(|entry| entry.pointer.starts_with("/0/parameters")), "{report:?}");
}

/// Arguments are objects, whatever else their schema allows.
#[test]
fn arguments_are_objects() {
    let tool = |schema: &str| format!(r#"{{"name": "f", "parameters": {schema}}}"#);
    for family in families() {
        let calls = Calls { choice: Choice::Required, ..calls(&family.name) };
        for schema in [r#"{"type": "string"}"#, r#"{"type": ["array", "null"]}"#] {
            let errors = read(&tool(schema), &calls).expect_err(&family.name);
            assert_eq!(errors[0].code, Code::Unsatisfiable, "{}: {errors:?}", family.name);
            assert_eq!(errors[0].location, Some(Location::Pointer("/parameters".to_owned())));
        }
        assert!(read(&tool("{}"), &calls).is_ok(), "{}", family.name);
    }
}

/// A choice of the request is located in it, one of the caller is not.
#[test]
fn a_wrong_choice_is_located() {
    let request = format!(r#"{{"tools": [{TOOL}], "tool_choice": "g"}}"#);
    let errors = read(&request, &calls("hermes")).expect_err("no such tool");
    assert_eq!(errors[0].location, Some(Location::Pointer("/tool_choice".to_owned())), "{errors:?}");
    let calls = Calls { choice: Choice::Tool("g".to_owned()), ..calls("hermes") };
    for text in [format!("[{TOOL}]"), request.replace(r#""g""#, r#""none""#)] {
        let errors = read(&text, &calls).expect_err("no such tool");
        assert_eq!(errors[0].location, Some(Location::Pointer(String::new())), "{errors:?}");
    }
}
