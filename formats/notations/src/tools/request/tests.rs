use crate::structural_tag::Options;
use crate::tools::{Calls, Choice, Thinking, asked, parse};
use gcc_grammar_ir::Diagnostic;

/// Two tools, as each service describes them, and what is around them.
const SCHEMA: &str = r#"{"type": "object", "properties": {"title": {"type": "string"}, "pages": {"type": "integer"}}, "required": ["title"]}"#;
const NONE: &str = r#"{"type": "object", "properties": {}}"#;

fn grammar(text: &str, calls: &Calls) -> Result<String, Vec<Diagnostic>> {
    let mut grammar = parse(text, calls, &Options::default())?.grammar;
    grammar.rules.iter_mut().for_each(|rule| rule.location = None);
    Ok(grammar.to_string())
}

fn hermes(choice: Choice, parallel: bool) -> Calls {
    Calls { model: Some("hermes".to_owned()), choice, parallel, ..Calls::default() }
}

fn list() -> String {
    format!(
        r#"[{{"name": "find_book", "parameters": {SCHEMA}}}, {{"name": "list_shelves", "parameters": {NONE}}}]"#
    )
}

/// Each request means what the list of its tools means with options.
fn means(request: &str, choice: Choice, parallel: bool) {
    let expected = grammar(&list(), &hermes(choice, parallel)).expect("a list of tools");
    let found = grammar(request, &hermes(Choice::Asked, true))
        .unwrap_or_else(|errors| panic!("{request}: {errors:?}"));
    assert_eq!(found, expected, "{request}");
}

#[test]
fn requests_of_chat_completions() {
    let tools = format!(
        r#"[{{"type": "function", "function": {{"name": "find_book", "description": "d", "strict": true, "parameters": {SCHEMA}}}}},
            {{"type": "function", "function": {{"name": "list_shelves", "parameters": {NONE}}}}}]"#
    );
    let request = |rest: &str| {
        format!(
            r#"{{"model": "m", "messages": [{{"role": "user", "content": "x"}}], "temperature": 0.5, "tools": {tools}{rest}}}"#
        )
    };
    means(&request(""), Choice::Auto, true);
    means(&request(r#", "tool_choice": "required", "parallel_tool_calls": false"#), Choice::Required, false);
    means(
        &request(r#", "tool_choice": {"type": "function", "function": {"name": "find_book"}}"#),
        Choice::Tool("find_book".to_owned()),
        true,
    );
    means(
        &request(r#", "response_format": {"type": "text"}, "stream": true, "tool_choice": null"#),
        Choice::Auto,
        true,
    );
    let functions = format!(
        r#"{{"messages": [], "functions": {}, "function_call": {{"name": "list_shelves"}}}}"#,
        list()
    );
    means(&functions, Choice::Tool("list_shelves".to_owned()), false);
}

#[test]
fn requests_of_responses() {
    let tools = format!(
        r#"[{{"type": "function", "name": "find_book", "parameters": {SCHEMA}, "strict": false, "defer_loading": true}}, {{"type": "tool_search"}},
            {{"type": "function", "name": "list_shelves", "parameters": {NONE}}}]"#
    );
    let request = format!(
        r#"{{"model": "m", "input": "x", "instructions": "y", "store": false, "reasoning": {{"effort": "low"}}, "text": {{"format": {{"type": "text"}}, "verbosity": "low"}},
            "tools": {tools}, "tool_choice": {{"type": "allowed_tools", "mode": "required", "tools": [{{"type": "function", "name": "list_shelves"}}]}}}}"#
    );
    means(&request, Choice::Tools { names: vec!["list_shelves".to_owned()], required: true }, true);
    let schema = r#"{"type": "json_schema", "name": "n", "schema": {"type": "array"}, "strict": true}"#;
    let flat = grammar(
        &format!(r#"{{"input": "x", "text": {{"format": {schema}}}}}"#),
        &hermes(Choice::Asked, true),
    );
    let nested = r#"{"response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "array"}}}}"#;
    assert_eq!(
        flat.expect("text.format"),
        grammar(nested, &hermes(Choice::Asked, true)).expect("response_format")
    );
}

#[test]
fn requests_of_messages() {
    let tools = format!(
        r#"[{{"name": "find_book", "description": "d", "input_schema": {SCHEMA}, "cache_control": {{"type": "ephemeral"}}}}, {{"type": "custom", "name": "list_shelves", "input_schema": {NONE}}}]"#
    );
    let request = |choice: &str| {
        format!(
            r#"{{"model": "m", "max_tokens": 10, "system": "s", "messages": [], "thinking": {{"type": "disabled"}}, "tools": {tools}, "tool_choice": {choice}}}"#
        )
    };
    means(&request(r#"{"type": "any"}"#), Choice::Required, true);
    means(&request(r#"{"type": "auto", "disable_parallel_tool_use": true}"#), Choice::Auto, false);
    means(&request(r#"{"type": "tool", "name": "find_book"}"#), Choice::Tool("find_book".to_owned()), true);
    means(&request(r#"{"type": "none"}"#), Choice::None, true);
}

#[test]
fn requests_of_gemini() {
    let capital = SCHEMA
        .replace("\"object\"", "\"OBJECT\"")
        .replace("\"string\"", "\"STRING\"")
        .replace("\"integer\"", "\"INTEGER\"");
    let declarations = format!(
        r#"[{{"name": "find_book", "description": "d", "parameters": {capital}}}, {{"name": "list_shelves", "parametersJsonSchema": {NONE}}}]"#
    );
    for declared in [
        format!(r#"[{{"functionDeclarations": {declarations}}}]"#),
        format!(r#"[{{"function_declarations": {declarations}}}]"#),
    ] {
        let request = format!(
            r#"{{"contents": [], "systemInstruction": {{}}, "tools": {declared}, "generationConfig": {{"temperature": 1, "maxOutputTokens": 5}},
                "toolConfig": {{"functionCallingConfig": {{"mode": "ANY", "allowedFunctionNames": ["find_book"]}}}}}}"#
        );
        means(&request, Choice::Tools { names: vec!["find_book".to_owned()], required: true }, true);
        means(&declared, Choice::Auto, true);
    }
    means(&format!(r#"{{"functionDeclarations": {declarations}}}"#), Choice::Auto, true);
    let answer = |config: &str| {
        grammar(&format!(r#"{{"contents": [], "generationConfig": {config}}}"#), &hermes(Choice::Asked, true))
            .expect(config)
    };
    let expected = grammar(
        r#"{"type": "json_schema", "json_schema": {"name": "n", "schema": {"type":"array","items":{"type":"string"}}}}"#,
        &hermes(Choice::Asked, true),
    );
    let expected = expected.expect("a response format");
    assert_eq!(
        answer(
            r#"{"responseMimeType": "application/json", "responseSchema": {"type": "ARRAY", "items": {"type": "STRING"}}}"#
        ),
        expected
    );
    assert_eq!(
        answer(
            r#"{"responseMimeType": "application/json", "responseJsonSchema": {"type":"array","items":{"type":"string"}}}"#
        ),
        expected
    );
}

#[test]
fn requests_of_converse() {
    let spec = |name: &str, schema: &str| {
        format!(
            r#"{{"toolSpec": {{"name": "{name}", "description": "d", "inputSchema": {{"json": {schema}}}}}}}"#
        )
    };
    let tools = format!(
        r#"[{}, {}, {{"cachePoint": {{"type": "default"}}}}]"#,
        spec("find_book", SCHEMA),
        spec("list_shelves", NONE)
    );
    let request = |choice: &str| {
        format!(
            r#"{{"modelId": "m", "messages": [], "inferenceConfig": {{"maxTokens": 5}}, "toolConfig": {{"tools": {tools}{choice}}}}}"#
        )
    };
    means(&request(""), Choice::Auto, true);
    means(&request(r#", "toolChoice": {"any": {}}"#), Choice::Required, true);
    means(
        &request(r#", "toolChoice": {"tool": {"name": "find_book"}}"#),
        Choice::Tool("find_book".to_owned()),
        true,
    );
    means(&tools, Choice::Auto, true);
}

/// The answer of a request, in the forms of servers.
#[test]
fn formats_of_servers() {
    let answer = |request: &str| grammar(request, &hermes(Choice::Asked, true)).expect(request);
    let expected =
        answer(r#"{"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "array"}}}"#);
    for format in [
        r#""response_format": {"type": "json_object", "schema": {"type": "array"}}"#,
        r#""response_format": {"type": "json_object", "json_schema": {"type": "array"}}"#,
        r#""format": {"type": "array"}, "options": {"temperature": 0}"#,
        r#""extra_body": {"response_format": {"type": "json_object", "schema": {"type": "array"}}, "top_k": 3}"#,
        r#""outputConfig": {"textFormat": {"type": "json_schema", "structure": {"jsonSchema": {"name": "n", "schema": "{\"type\": \"array\"}"}}}}"#,
    ] {
        assert_eq!(answer(&format!(r#"{{"messages": [], {format}}}"#)), expected, "{format}");
    }
    assert_eq!(
        answer(r#"{"messages": [], "format": "json"}"#),
        answer(r#"{"response_format": {"type": "json_object"}}"#)
    );
}

/// A request that asks for thoughts is told that the output has none.
#[test]
fn thoughts_of_requests() {
    let warnings = |request: &str, model: &str, thinking: Thinking| {
        let calls = Calls { model: Some(model.to_owned()), thinking, ..Calls::default() };
        let parsed = parse(request, &calls, &Options::default()).expect(request);
        parsed.warnings.into_iter().map(|warning| warning.location).collect::<Vec<_>>()
    };
    let request = |member: &str| format!(r#"{{"messages": [], {member}}}"#);
    for (member, place) in [
        (r#""thinking": {"type": "enabled", "budget_tokens": 9}"#, "/thinking"),
        (r#""chat_template_kwargs": {"enable_thinking": true}"#, "/chat_template_kwargs/enable_thinking"),
        (r#""extra_body": {"enable_thinking": true}"#, "/extra_body/enable_thinking"),
        (r#""think": "low""#, "/think"),
    ] {
        let request = request(member);
        let there = [Some(gcc_grammar_ir::Location::Pointer(place.to_owned()))];
        assert_eq!(warnings(&request, "hermes", Thinking::Off), there);
        assert_eq!(warnings(&request, "hermes", Thinking::Auto), []);
        assert_eq!(warnings(&request, "llama3.1", Thinking::Off), []);
    }
    for member in [r#""thinking": {"type": "disabled"}"#, r#""think": false"#, r#""thinking": null"#] {
        assert_eq!(warnings(&request(member), "hermes", Thinking::Off), []);
    }
}

/// Options decide before the request, and several calls need both.
#[test]
fn options_and_requests() {
    let request = format!(
        r#"{{"model": "Qwen/Qwen3-8B", "tools": {}, "tool_choice": "required", "parallel_tool_calls": false}}"#,
        list()
    );
    let calls = asked(&request, &Calls::default());
    assert_eq!(
        calls,
        Calls {
            model: Some("Qwen/Qwen3-8B".to_owned()),
            choice: Choice::Required,
            parallel: false,
            ..Calls::default()
        }
    );
    let calls = asked(&request, &hermes(Choice::Auto, true));
    assert_eq!(calls, hermes(Choice::Auto, false));
    assert_eq!(asked(&list(), &hermes(Choice::Asked, true)), hermes(Choice::Auto, true));
    assert_eq!(grammar(&request, &Calls::default()), grammar(&list(), &hermes(Choice::Required, false)));
    let other = request.replace("Qwen/Qwen3-8B", "gpt-4o");
    assert!(grammar(&other, &Calls::default()).expect_err("no family")[0].message.contains("gpt-4o"));
}

#[test]
fn namespaces() {
    let request =
        format!(r#"[{{"type": "namespace", "name": "shop", "description": "d", "tools": {}}}]"#, list());
    let expected = list().replace("find_book", "shop.find_book").replace("list_shelves", "shop.list_shelves");
    let all = hermes(Choice::Asked, true);
    assert_eq!(grammar(&request, &all), grammar(&expected, &all));
    let one = hermes(Choice::Tool("shop.find_book".to_owned()), true);
    assert!(grammar(&request, &one).is_ok());
}

#[test]
fn custom_tools() {
    for (format, schema) in [
        ("", r#"{"type": "string"}"#),
        (r#", "format": {"type": "text"}"#, r#"{"type": "string"}"#),
        (
            r#", "format": {"type": "grammar", "syntax": "regex", "definition": "[a-z]+"}"#,
            r#"{"type": "string", "pattern": "^(?:[a-z]+)$"}"#,
        ),
    ] {
        let custom = format!(r#"[{{"type": "custom", "name": "sql"{format}}}]"#);
        let nested = format!(
            r#"[{{"type": "custom", "custom": {{"name": "sql"{}}}}}]"#,
            format.replace(r#""syntax""#, r#""grammar": {"syntax""#).replace("+\"}", "+\"}}")
        );
        let function = format!(
            r#"[{{"name": "sql", "parameters": {{"type": "object", "properties": {{"input": {schema}}}, "required": ["input"], "additionalProperties": false}}}}]"#
        );
        for model in ["hermes", "qwen3-coder", "llama4-pythonic", "gemma4"] {
            let calls = Calls { model: Some(model.to_owned()), ..Calls::default() };
            let expected = grammar(&function, &calls).expect("a function");
            assert_eq!(grammar(&custom, &calls).expect(&custom), expected, "{custom}");
            assert_eq!(grammar(&nested, &calls).expect(&nested), expected, "{nested}");
        }
    }
}

#[test]
fn what_is_wrong_is_said() {
    let with = |rest: &str| format!(r#"{{"messages": [], "tools": {}, {rest}}}"#, list());
    for (text, message) in [
        (with(r#""mesages": []"#), "did you mean messages?"),
        (with(r#""tool_choise": "auto""#), "did you mean tool_choice?"),
        (with(r#""guided_json": {}"#), "no member \"guided_json\""),
        (with(r#""tool_choice": {"type": "function", "function": {"name": "find_bok"}}"#), "did you mean find_book?"),
        (with(r#""tool_choice": "requird""#), "did you mean required?"),
        (with(r#""parallel_tool_calls": "no""#), "expected true or false"),
        (with(r#""response_format": {"type": "json_shema"}"#), "did you mean json_schema?"),
        (with(r#""response_format": {"type": "structural_tag", "format": {"type": "any_text"}}"#), "beside tools"),
        (with(r#""text": {"fromat": {}}"#), "did you mean format?"),
        (r#"[{"type": "functon", "name": "f"}]"#.to_owned(), "did you mean function?"),
        (r#"[{"type": "web_search_20250305", "name": "web_search", "max_uses": 3}]"#.to_owned(), "type \"web_search_20250305\""),
        (r#"[{"type": "func", "name": "f"}]"#.to_owned(), "did you mean function?"),
        (r#"[{"type": "bash_20250124", "name": "bash"}]"#.to_owned(), "as a function"),
        (with(r#""extra_body": {"guided_regex": "a"}"#), "no member \"guided_regex\""),
        (with(r#""outputConfig": {"textFormat": {"type": "json_schema", "structure": {"jsonSchema": {"schema": "{"}}}}"#), "expected a JSON Schema in this text"),
        (r#"[{"googleSearch": {}}]"#.to_owned(), "runs \"googleSearch\" itself"),
        (r#"[{"systemTool": {"name": "nova_grounding"}}]"#.to_owned(), "runs this tool itself"),
        (r#"[{"type": "custom", "name": "f", "format": {"type": "gramar"}}]"#.to_owned(), "did you mean grammar?"),
        (r#"[{"type": "custom", "name": "f", "format": {"type": "grammar", "syntax": "gbnf", "definition": ""}}]"#.to_owned(), "no syntax \"gbnf\""),
        (r#"{"contents": [], "generationConfig": {"responseShema": {}}}"#.to_owned(), "no member \"responseShema\""),
        (r#"{"contents": [], "generationConfig": {"responseMimeType": "text/x.enum"}}"#.to_owned(), "text/x.enum"),
    ] {
        let error = grammar(&text, &hermes(Choice::Asked, true)).expect_err(&text).remove(0);
        let said = format!("{} {}", error.message, error.help.unwrap_or_default());
        assert!(said.contains(message), "{text}: {said}");
    }
}

/// A structural tag as the answer is the structural tag.
#[test]
fn structural_tags_as_answers() {
    let format = r#"{"type": "triggered_tags", "triggers": ["<a>"], "tags": [{"type": "tag", "begin": "<a>", "content": {"type": "json_schema", "json_schema": {"type": "integer"}}, "end": "</a>"}]}"#;
    let new = format!(r#"{{"type": "structural_tag", "format": {format}}}"#);
    let old = r#"{"type": "structural_tag", "structures": [{"begin": "<a>", "schema": {"type": "integer"}, "end": "</a>"}], "triggers": ["<a>"]}"#;
    let answer = |format: &str| {
        grammar(&format!(r#"{{"input": "x", "response_format": {format}}}"#), &hermes(Choice::Asked, true))
    };
    assert_eq!(answer(&new).expect("a format"), answer(old).expect("structures"));
    let refused = answer(&new.replace("integer", "integr")).expect_err("no type").remove(0);
    assert_eq!(
        refused.location,
        Some(gcc_grammar_ir::Location::Pointer(
            "/response_format/format/tags/0/content/json_schema/type".to_owned()
        ))
    );
}
