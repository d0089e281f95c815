//! `tools`, and `--family`.

use crate::schemas::expect_valid;
use crate::support::Folder;

const TOOLS: &str = r#"[{"name": "get_time", "parameters": {"type": "object", "properties": {}}}]"#;
const MINE: &str = r#"{"name": "mine", "thinking": {"begin": "<t>", "end": "</t>"}, "forms": [{"trigger": "CALL ",
    "calls": ["CALL $name WITH $arguments"], "text_after": true}]}"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("tools.json", TOOLS);
    folder.write("mine.json", MINE);
    folder.write("two.json", format!("[{MINE}, {}]", MINE.replace("mine", "other").replace("CALL", "DO")));
    folder
}

/// Every family has a call that its own grammar accepts, in the list and alone.
#[test]
fn families_are_listed() {
    let folder = folder();
    let list = folder.succeed(&["tools", "families", "--family", "mine.json", "--json"]).json();
    expect_valid("tools families", std::slice::from_ref(&list));
    let families = list["families"].as_array().expect("families");
    assert!(families.len() > 40, "{}", families.len());
    for family in families {
        let call = family["call"].as_str().expect("a call");
        assert!(call.contains("get_weather") && call.contains("Oslo"), "{family}");
    }
    let find = |name: &str| families.iter().find(|family| family["family"] == name).expect(name);
    let hermes = find("hermes");
    assert_eq!(hermes["thinking"]["end"], "</think>");
    assert!(hermes["models"].as_array().expect("models").contains(&"qwen3".into()), "{hermes}");
    assert!(find("lfm2")["source"].as_str().expect("a source").contains("lfm2_tool_parser.py"));
    assert_eq!(find("mine")["call"], r#"CALL get_weather WITH {"city": "Oslo", "days": 3}"#);
    assert_eq!(find("llama3.1")["thinking"], serde_json::Value::Null);
}

#[test]
fn calls_are_shown() {
    let folder = folder();
    let show = |arguments: &[&str]| folder.succeed(&[&["tools", "show"], arguments].concat()).text();
    assert_eq!(
        show(&["mine", "--family", "two.json"]),
        "CALL get_weather WITH {\"city\": \"Oslo\", \"days\": 3}\n"
    );
    assert_eq!(
        show(&["other", "--family", "two.json"]),
        "DO get_weather WITH {\"city\": \"Oslo\", \"days\": 3}\n"
    );
    assert_eq!(show(&["mine.json"]), show(&["mine", "--family", "mine.json"]));
    assert_eq!(show(&["Qwen/Qwen3-8B"]), show(&["hermes"]));
}

/// Where a family stands changes nothing, and the only one that is given is the model.
#[test]
fn families_are_given() {
    let folder = folder();
    let key = |arguments: &[&str]| {
        folder.succeed(&[&["key", "--tools", "tools.json", "--vocab", "tiny"], arguments].concat()).text()
    };
    let mine = key(&["--family", "mine.json"]);
    for same in [
        &["--model", "mine.json"][..],
        &["--family", "two.json", "--model", "mine"],
        &["--family", "two.json", "--model", "MINE"],
    ] {
        assert_eq!(key(same), mine, "{same:?}");
    }
    assert_ne!(key(&["--family", "two.json", "--model", "other"]), mine);
    assert_eq!(key(&["--family", "two.json", "--model", "hermes"]), key(&["--model", "hermes"]));
    folder.succeed(&[
        "compile",
        "--tools",
        "tools.json",
        "--vocab",
        "tiny",
        "--family",
        "mine.json",
        "-o",
        "t.gcg",
    ]);
    for (text, exit) in [("So: CALL get_time WITH {}", 0), ("So: CALL get_tim", 1), ("CALL x", 1)] {
        assert_eq!(folder.run(&["replay", "t.gcg", "--vocab", "tiny", "--text", text]).exit, exit, "{text}");
    }
}

/// What is wrong is said: where, what, and what to do.
#[test]
fn wrong_families_are_refused() {
    let folder = folder();
    folder.write("wrong.json", MINE.replace("\"trigger\": \"CALL \"", "\"trigger\": \"DO \""));
    let check = ["check", "--tools", "tools.json"];
    for (arguments, exit, said) in [
        (
            &["--family", "wrong.json"][..],
            1,
            &[
                "bad-family",
                "wrong.json, at #/forms/0/calls/0",
                "does not begin with the trigger \"DO \"",
                "a trigger is",
            ][..],
        ),
        (
            &["--family", "mine.json", "--family", "two.json"],
            1,
            &["two.json", "two families mine", "a name of its own"],
        ),
        (
            &["--family", "two.json"],
            1,
            &["tools need the model", "the families that are given are mine, other"],
        ),
        (&["--family", "two.json", "--model", "othr"], 1, &["\"othr\" is not known", "did you mean other?"]),
        (&["--model", "two.json"], 1, &["2 families here", "--family"]),
        (&["--family", "nowhere.json"], 2, &["nowhere.json"]),
        (&["--family", "tools.json"], 1, &["tools.json, at #/0/parameters", "no member \"parameters\""]),
    ] {
        let run = folder.run(&[&check[..], arguments].concat());
        let error = run.stderr;
        assert_eq!(run.exit, exit, "{arguments:?}: {error}");
        for part in said {
            assert!(error.contains(part), "{arguments:?}: {error}");
        }
    }
    let unused = folder.run(&["check", "sums.lark", "--family", "mine.json"]);
    assert_eq!(unused.exit, 2);
}
