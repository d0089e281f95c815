use super::*;

fn tool(name: &str) -> Choice {
    Choice::Tool(name.to_owned())
}

fn tools(names: &[&str], required: bool) -> Choice {
    Choice::Tools { names: names.iter().map(|name| (*name).to_owned()).collect(), required }
}

#[test]
fn the_forms_of_the_services() {
    for (text, expected) in [
        ("auto", Choice::Auto),
        ("required", Choice::Required),
        ("none", Choice::None),
        ("any", Choice::Required),
        ("VALIDATED", Choice::Auto),
        ("f", tool("f")),
        ("f, g", tools(&["f", "g"], true)),
        (r#"["f", {"type": "function", "function": {"name": "g"}}]"#, tools(&["f", "g"], true)),
        (r#""auto""#, Choice::Auto),
        (r#"{"type": "function", "function": {"name": "f"}}"#, tool("f")),
        (r#"{"type": "function", "name": "f"}"#, tool("f")),
        (r#"{"type": "function", "name": "f", "namespace": "n"}"#, tool("n.f")),
        (r#"{"type": "custom", "name": "f"}"#, tool("f")),
        (r#"{"type": "custom", "custom": {"name": "f"}}"#, tool("f")),
        (
            r#"{"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "f"}]}"#,
            tools(&["f"], true),
        ),
        (
            r#"{"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [{"type": "function", "function": {"name": "f"}}, {"type": "custom", "custom": {"name": "g"}}]}}"#,
            tools(&["f", "g"], false),
        ),
        (r#"{"name": "f"}"#, tool("f")),
        (r#"{"type": "any"}"#, Choice::Required),
        (r#"{"type": "none"}"#, Choice::None),
        (r#"{"type": "tool", "name": "f"}"#, tool("f")),
        (r#"{"mode": "ANY"}"#, Choice::Required),
        (r#"{"mode": "ANY", "allowedFunctionNames": ["f", "g"]}"#, tools(&["f", "g"], true)),
        (r#"{"mode": "VALIDATED", "allowed_function_names": ["f"]}"#, tools(&["f"], false)),
        (r#"{"functionCallingConfig": {"mode": "NONE"}}"#, Choice::None),
        (r#"{"function_calling_config": {"mode": "AUTO"}}"#, Choice::Auto),
        (r#"{"auto": {}}"#, Choice::Auto),
        (r#"{"any": {}}"#, Choice::Required),
        (r#"{"tool": {"name": "f"}}"#, tool("f")),
    ] {
        let chosen: Chosen = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(chosen, expected.into(), "{text}");
    }
}

#[test]
fn several_calls() {
    let parallel = |text: &str| text.parse::<Chosen>().map(|chosen| chosen.parallel);
    assert_eq!(parallel(r#"{"type": "auto", "disable_parallel_tool_use": true}"#), Ok(Some(false)));
    assert_eq!(parallel(r#"{"type": "any", "disable_parallel_tool_use": false}"#), Ok(Some(true)));
    assert_eq!(
        parallel(r#"{"type": "tool", "name": "f", "disable_parallel_tool_use": true}"#),
        Ok(Some(false))
    );
    assert_eq!(parallel("auto"), Ok(None));
}

/// What is printed is read again, also where a tool has the name of a word.
#[test]
fn choices_are_printed_as_they_are_read() {
    for choice in [
        Choice::Auto,
        Choice::Required,
        Choice::None,
        tool("f"),
        tool("any"),
        tool("a,b"),
        tool("{"),
        tools(&["f"], false),
        tools(&["any", "g"], true),
    ] {
        assert_eq!(choice.to_string().parse::<Chosen>(), Ok(choice.into()));
    }
}

#[test]
fn what_is_wrong_is_said() {
    for (text, message) in [
        ("", "is empty"),
        ("{}", "neither a type nor a mode"),
        ("[]", "names no tool"),
        ("[3]", "expected"),
        ("{", "not valid JSON"),
        (r#"{"type": "functoin", "name": "f"}"#, "did you mean function?"),
        (r#"{"type": "web_search_preview"}"#, "\"web_search_preview\" names no tool"),
        (r#"{"type": "function"}"#, "\"name\" is missing"),
        (r#"{"type": "function", "function": {"nam": "f"}}"#, "did you mean name?"),
        (r#"{"type": "auto", "disable_paralel_tool_use": true}"#, "did you mean disable_parallel_tool_use?"),
        (r#"{"type": "allowed_tools", "mode": "required", "tools": []}"#, "names no tool"),
        (r#"{"type": "allowed_tools", "mode": "requird", "tools": ["f"]}"#, "did you mean required?"),
        (r#"{"mode": "ANY", "allowedFunctionName": ["f"]}"#, "did you mean allowedFunctionNames?"),
        (r#"{"mode": "SOME"}"#, "no mode \"SOME\""),
    ] {
        let error = text.parse::<Chosen>().expect_err(text).to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    let deep = format!("{}{}", r#"{"functionCallingConfig":"#.repeat(100_000), "}".repeat(100_000));
    assert!(deep.parse::<Chosen>().is_err());
}
