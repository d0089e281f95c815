use super::*;
use crate::structural_tag::Options;
use crate::tools::given::Families;
use crate::tools::{Calls, parse};

const MINE: &str = r#"{"name": "mine", "forms": [{"trigger": "CALL ", "calls": ["CALL $name WITH $arguments"], "text_after": true}]}"#;
const TOOL: &str = r#"{"name": "f", "parameters": {"type": "object", "properties": {}}}"#;

fn form(form: &str) -> String {
    format!(r#"{{"name": "mine", "forms": [{form}]}}"#)
}

/// What is wrong, where, and what to do.
#[test]
fn what_is_wrong_is_said() {
    for (text, pointer, message, advice) in [
        ("{}", "", "\"forms\" is missing", "the page on tools"),
        (
            r#"{"forms": [{"trigger": "c", "calls": ["c $arguments"]}]}"#,
            "",
            "\"name\" is missing",
            "the page on tools",
        ),
        (r#"{"name": "a b", "forms": [{}]}"#, "/name", "cannot be the name", "up to 100 letters"),
        (r#"{"name": "mine", "form": []}"#, "/form", "no member \"form\"", "did you mean forms?"),
        (r#"{"name": "mine", "forms": []}"#, "/forms", "at least one form", "the page on tools"),
        (&form(r#"{"calls": ["c $arguments"]}"#), "/forms/0", "\"trigger\" is missing", "the page on tools"),
        (
            &form(r#"{"trigger": "c", "call": ["c $arguments"]}"#),
            "/forms/0/call",
            "no member \"call\"",
            "did you mean calls?",
        ),
        (
            &form(r#"{"trigger": "c", "calls": []}"#),
            "/forms/0/calls",
            "at least one call",
            "the page on tools",
        ),
        (
            &form(r#"{"trigger": "c", "calls": ["c $name"]}"#),
            "/forms/0/calls/0",
            "one place $arguments",
            "write $arguments",
        ),
        (
            &form(r#"{"trigger": "c", "calls": ["c $arguments", "d $arguments"]}"#),
            "/forms/0/calls/1",
            "does not begin with the trigger \"c\"",
            "a beginning of `open` and the call",
        ),
        (
            &form(r#"{"trigger": "c", "calls": ["c $object"]}"#),
            "/forms/0/calls/0",
            "not described",
            "\"object\": {",
        ),
        (
            &form(r#"{"trigger": "c", "calls": ["c $([a) $arguments"]}"#),
            "/forms/0/calls/0",
            "is no pattern",
            "the page on tools",
        ),
        (
            &form(r#"{"trigger": "$_", "calls": ["$_$arguments"]}"#),
            "/forms/0/trigger",
            "a trigger has a text",
            "the page on tools",
        ),
        (
            &form(r#"{"trigger": "c", "calls": ["c $arguments"], "style": "qwen"}"#),
            "/forms/0/style",
            "there is no style \"qwen\"",
            "the styles are json, pythonic, cohere_xml",
        ),
        (
            &form(r#"{"trigger": "c", "calls": ["c $object"], "object": {"name": "n", "arguments": []}}"#),
            "/forms/0/object/arguments",
            "needs a name",
            "the page on tools",
        ),
        (
            &form(
                r#"{"trigger": "c", "calls": ["c $object"], "object": {"name": "n", "arguments": ["a"], "others": {"id": "("}}}"#,
            ),
            "/forms/0/object/others/id",
            "is no pattern",
            "the page on tools",
        ),
        (
            r#"{"name": "mine", "thinking": {"begin": "<t>", "end": ""}, "forms": [{"trigger": "c", "calls": ["c $arguments"]}]}"#,
            "/thinking/end",
            "must not be empty",
            "the page on tools",
        ),
        (r#"{"name": "mine", "name": "mine", "forms": []}"#, "/name", "occurs twice", "remove one"),
        (&MINE.replace("mine", "Hermes"), "", "the family Hermes is built in", "another name"),
        (&format!("[{MINE}, {MINE}]"), "/1", "two families mine", "a name of its own"),
        (&format!("[{MINE}, 3]"), "/1", "expected an object", "the page on tools"),
    ] {
        let error = Families::read(text).expect_err(text);
        assert_eq!(error.location, Some(Location::Pointer(pointer.to_owned())), "{text}: {error:?}");
        assert!(error.message.contains(message), "{text}: {}", error.message);
        assert!(error.help.as_ref().is_some_and(|help| help.contains(advice)), "{text}: {error:?}");
    }
    assert!(matches!(Families::read("{\n  \"name\": }").expect_err("cut").location, Some(Location::Span(_))));
    assert_eq!(Families::read(&" ".repeat(LONGEST + 1)).expect_err("too long").code, Code::TooLarge);
    assert!(Families::read(&"[".repeat(100_000)).is_err());
}

/// The model, and the request, may name a family that is given; else its description says the same.
#[test]
fn families_are_named() {
    let families =
        Families::read(&format!("[{MINE}, {}]", MINE.replace("mine", "other"))).expect("two families");
    let calls = |model: Option<&str>| Calls {
        model: model.map(str::to_owned),
        families: families.clone(),
        ..Calls::default()
    };
    let grammar = |text: &str, calls: &Calls| {
        let parsed = parse(text, calls, &Options::default()).unwrap_or_else(|errors| panic!("{errors:?}"));
        parsed.grammar.to_string()
    };
    let request = |model: &str| format!(r#"{{"model": "{model}", "messages": [], "tools": [{TOOL}]}}"#);
    let described = grammar(&request("x"), &Calls { model: Some(MINE.to_owned()), ..Calls::default() });
    for model in ["mine", "other", "Mine"] {
        assert_eq!(grammar(&request("x"), &calls(Some(model))), described);
        assert_eq!(grammar(&request(model), &calls(None)), described);
    }
    assert_ne!(grammar(&request("hermes"), &calls(None)), described);
    let refused =
        |text: &str, calls: &Calls| parse(text, calls, &Options::default()).expect_err(text).remove(0);
    let help = refused(&request("mini"), &calls(None)).help.expect("a remedy");
    assert!(help.contains("did you mean mine?"), "{help}");
    let help = refused(TOOL, &calls(None)).help.expect("a remedy");
    assert!(help.contains("the families that are given are mine, other; name a model"), "{help}");
    assert!(families.only().expect_err("two").message.contains("2 families"));
}

/// However a family is written, its description is one.
#[test]
fn equal_families_have_equal_descriptions() {
    let written = r#"{"forms": [{"text_after": true, "calls": ["CALL $name WITH $arguments"],
        "trigger": "CALL ", "open": "", "repeats": false}], "style": "json", "any_order": false, "name": "mine", "source": "a test"}"#;
    let description = |text: &str| Families::read(text).expect(text).only().expect("one").description();
    assert_eq!(description(written), description(MINE));
    assert_eq!(description(&description(written)), description(MINE));
    for family in super::super::families() {
        assert_eq!(one(&family.description()).map(|found| found.description()), Ok(family.description()));
    }
}

#[test]
fn names_are_given_once() {
    let mut families = Families::read(MINE).expect("a family");
    let other = Families::read(&MINE.replace("mine", "other")).expect("a family");
    assert!(
        families
            .add(Families::read(MINE).expect("a family"))
            .expect_err("twice")
            .message
            .contains("two families mine")
    );
    families.add(other.clone()).expect("another name");
    families.add_missing(&other);
    assert_eq!(families.as_slice().len(), 2);
}
