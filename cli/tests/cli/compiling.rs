//! Tests of `compile` and `check`.

use crate::support::Folder;
use gcc_grammar::Limits;

#[test]
fn the_default_output_is_the_stem_in_the_current_folder() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("sub")).unwrap();
    folder.write("sub/other.lark", crate::support::SUMS);
    let ran = folder.succeed(&["compile", "sub/other.lark", "--vocab", "tiny"]);
    assert!(ran.text().contains("other.gcg"), "{}", ran.text());
    assert_eq!(folder.list(), ["other.gcg", "point.json", "sub", "sums.lark", "tiny"]);
}

#[test]
fn two_compiles_are_byte_identical() {
    let folder = Folder::new();
    for input in ["sums.lark", "point.json"] {
        folder.compile(input, "a.gcg");
        folder.compile(input, "b.gcg");
        assert_eq!(folder.read("a.gcg"), folder.read("b.gcg"), "{input}");
    }
}

/// Names of files, folders and vocabularies are no part of an artifact, nor are limits that are not reached. The key says which artifact
/// it will be.
#[test]
fn names_change_no_byte() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("sub")).unwrap();
    std::fs::create_dir(folder.path("sub/renamed")).unwrap();
    for file in std::fs::read_dir(folder.path("tiny")).unwrap().map(Result::unwrap) {
        std::fs::copy(file.path(), folder.path("sub/renamed").join(file.file_name())).unwrap();
    }
    for (input, other) in [("sums.lark", "sub/other.lark"), ("point.json", "sub/other.json")] {
        folder.compile(input, "a.gcg");
        std::fs::copy(folder.path(input), folder.path(other)).unwrap();
        let renamed = [other, "--vocab", "sub/renamed"];
        folder.succeed(&[&["compile", "-o", "b.gcg", "--limit-work", "900000000"], &renamed[..]].concat());
        assert_eq!(folder.read("a.gcg"), folder.read("b.gcg"), "{input}");
        let key = folder.succeed(&[&["key"], &renamed[..]].concat()).text();
        let inspected = folder.succeed(&["inspect", "a.gcg", "--json"]).json();
        assert_eq!(inspected["key"], key.trim());
        folder.succeed(&["compile", input, "--vocab", "tiny", "--self-contained", "-o", "packed.gcg"]);
        let inspected = folder.succeed(&["inspect", "packed.gcg", "--json"]).json();
        let packed = folder.succeed(&["key", input, "--vocab", "tiny", "--self-contained"]).text();
        assert_eq!(inspected["key"], packed.trim());
        assert_ne!(key, packed);
    }
}

/// Whatever changes the artifact changes the key: options, imported files, the vocabulary.
#[test]
fn the_key_knows_all_inputs() {
    let folder = Folder::new();
    let key = |arguments: &[&str]| folder.succeed(&[&["key"], arguments].concat()).text();
    let mut keys = vec![
        key(&["point.json", "--vocab", "tiny"]),
        key(&["point.json", "--vocab", "tiny", "--whitespace", "compact"]),
        key(&["point.json", "--vocab", "llama3"]),
        key(&["point.json", "--vocab", "llama3", "--eos", "128009"]),
        key(&["sums.lark", "--vocab", "tiny"]),
    ];
    folder.write("main.lark", "%import .part.A\nstart: A\n");
    for part in ["A: \"1\"\n", "A: \"2\"\n"] {
        folder.write("part.lark", part);
        keys.push(key(&["main.lark", "--vocab", "tiny"]));
    }
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 7);
}

#[test]
fn a_failed_compile_leaves_the_output_alone() {
    let folder = Folder::new();
    folder.write("bad.lark", "start: missing\n");
    folder.write("bad.gcg", "precious");
    let before = folder.list();
    assert_eq!(folder.run(&["compile", "bad.lark", "--vocab", "tiny"]).exit, 1);
    assert_eq!(
        folder.run(&["compile", "sums.lark", "--vocab", "tiny", "-o", "bad.gcg", "--limit-work", "9"]).exit,
        3
    );
    assert_eq!(folder.run(&["compile", "sums.lark", "--vocab", "none", "-o", "bad.gcg"]).exit, 2);
    assert_eq!(folder.read("bad.gcg"), b"precious");
    assert_eq!(folder.list(), before, "no temporary files stay");
    folder.succeed(&["compile", "sums.lark", "--vocab", "tiny", "-o", "bad.gcg"]);
    assert_ne!(folder.read("bad.gcg"), b"precious");
}

#[test]
fn the_summary_as_json() {
    let folder = Folder::new();
    let summary = folder.succeed(&["compile", "point.json", "--vocab", "tiny", "--json"]).json();
    assert_eq!(summary["output"], "point.gcg");
    assert_eq!(summary["bytes"], folder.read("point.gcg").len());
    assert_eq!(summary["vocabulary"]["name"], "tiny");
    assert!(summary["stats"]["lr_states"].as_u64().unwrap() > 0);
    let enforced = |entry: &serde_json::Value| entry["coverage"] == "enforced";
    assert!(summary["report"].as_array().unwrap().iter().any(enforced), "{summary}");
}

#[test]
fn quiet_says_nothing() {
    let folder = Folder::new();
    let ran = folder.succeed(&["compile", "sums.lark", "--vocab", "tiny", "-q"]);
    assert_eq!((ran.text().as_str(), ran.stderr.as_str()), ("", ""));
}

#[test]
fn options_change_the_language_and_the_fingerprint() {
    let folder = Folder::new();
    folder.compile("point.json", "flexible.gcg");
    folder.succeed(&[
        "compile",
        "point.json",
        "--vocab",
        "tiny",
        "--whitespace",
        "compact",
        "-o",
        "compact.gcg",
    ]);
    let accepts = |artifact: &str, text: &str| {
        folder.run(&["replay", artifact, "--vocab", "tiny", "--text", text]).exit == 0
    };
    assert!(accepts("flexible.gcg", r#"{"x": 1}"#) && accepts("flexible.gcg", r#"{"x":1}"#));
    assert!(!accepts("compact.gcg", r#"{"x": 1}"#) && accepts("compact.gcg", r#"{"x":1}"#));
    let options = |artifact: &str| {
        folder.succeed(&["inspect", artifact, "--json"]).json()["fingerprints"]["options"].clone()
    };
    assert_ne!(options("flexible.gcg"), options("compact.gcg"));
}

#[test]
fn compressed_artifacts_are_smaller_and_work_alike() {
    let folder = Folder::new();
    folder.compile("point.json", "plain.gcg");
    folder.succeed(&["compile", "point.json", "--vocab", "tiny", "--compress", "zstd", "-o", "packed.gcg"]);
    assert!(folder.read("packed.gcg").len() < folder.read("plain.gcg").len());
    let mask =
        |artifact| folder.succeed(&["mask", artifact, "--vocab", "tiny", "--text", "{", "--json"]).json();
    assert_eq!(mask("plain.gcg"), mask("packed.gcg"));
    folder.succeed(&["verify", "packed.gcg"]);
}

#[test]
fn self_contained_artifacts_need_no_vocabulary() {
    let folder = Folder::new();
    folder.succeed(&["compile", "sums.lark", "--vocab", "tiny", "--self-contained"]);
    std::fs::remove_dir_all(folder.path("tiny")).unwrap();
    folder.succeed(&["verify", "sums.gcg", "--deep", "--states", "3"]);
    folder.succeed(&["replay", "sums.gcg", "--text", "1 + 2"]);
    assert!(folder.succeed(&["inspect", "sums.gcg"]).text().contains("  vocabulary "));
}

#[test]
fn check_reports_coverage_and_writes_nothing() {
    let folder = Folder::new();
    let before = folder.list();
    let report = folder.succeed(&["check", "point.json", "--json"]).json();
    let pointers: Vec<&str> =
        report["report"].as_array().unwrap().iter().map(|entry| entry["pointer"].as_str().unwrap()).collect();
    assert!(pointers.contains(&"/properties") && pointers.contains(&"/required"), "{pointers:?}");
    assert_eq!(folder.list(), before);
}

#[test]
fn check_tells_how_long_outputs_are() {
    let folder = Folder::new();
    let schema = r#"{
  "type": "object",
  "properties": {"a": {"type": "null"}, "b": {"type": "array", "items": {"type": "boolean"}, "minItems": 60}},
  "additionalProperties": false
}"#;
    folder.write("long.json", schema);
    let compact = ["check", "long.json", "--whitespace", "compact"];
    let text = folder.succeed(&compact).text();
    assert!(text.contains("  shortest   \"{}\"\n") && !text.contains("  far "), "{text}");
    // The tokens are single bytes: `{"b":[true,…,true]}` has 4 bytes for each item, 59 commas, and 8 further bytes.
    let tokens = folder.succeed(&[&compact[..], &["--vocab", "tiny"]].concat()).text();
    assert!(tokens.contains("  shortest   3 tokens, the end token included: \"{}\"\n"), "{tokens}");
    assert!(tokens.contains("\"b\":"), "{tokens}");
    assert!(tokens.contains(" in object1: no output of fewer than 308 tokens has it\n"), "{tokens}");
    let json = folder.succeed(&[&compact[..], &["--vocab", "tiny", "--json"]].concat()).json();
    assert_eq!(json["lengths"]["far"][0]["tokens"], 308, "{json}");
    let near = folder.succeed(&["check", "point.json", "--vocab", "tiny"]).text();
    assert!(near.contains("  far        every part is reached within 99 tokens\n"), "{near}");
}

#[test]
fn check_tells_why_the_shortest_output_is_unknown() {
    let folder = Folder::new();
    let check = ["check", "sums.lark", "--limit-dwa-states", "1"];
    let text = folder.succeed(&check).text();
    let why = "over budget in stage parser: more than 1 Parser DWA states";
    let remedy = "the rule `sum` here is 46 % of the grammar; raise --limit-dwa-states, ";
    assert!(text.contains(&format!("  shortest   unknown: {why} ({remedy}")), "{text}");
    let json = folder.succeed(&[&check[..], &["--json"]].concat()).json();
    assert_eq!(json["lengths"]["shortest"], serde_json::Value::Null);
    assert_eq!(json["lengths"]["shortest_unknown"]["why"], why, "{json}");
}

/// With a vocabulary, literals accept the special tokens that they name.
#[test]
fn check_counts_special_tokens_in_literals() {
    let folder = Folder::new();
    folder.write("a.gbnf", "root ::= \"<|channel|>\" [a-z]\n");
    let json = folder.succeed(&["check", "a.gbnf", "--vocab", "gpt-oss", "--json"]).json();
    let shortest = &json["lengths"]["shortest"];
    assert_eq!((&shortest["count"], &shortest["tokens"][0]["id"]), (&3.into(), &200_005.into()), "{json}");
}

#[test]
fn check_explains_conflicts_as_derivations() {
    let folder = Folder::new();
    folder.write("ambiguous.lark", "start: e\ne: e \"-\" e | \"1\"\n");
    let ran = folder.succeed(&["check", "ambiguous.lark", "--conflicts"]);
    assert!(ran.text().contains("1 conflicts") && ran.text().contains("reduce"), "{}", ran.text());
    assert!(
        ran.text().contains("costs   a second stack, maybe to the end of the text; met "),
        "{}",
        ran.text()
    );
    let conflicts = folder.succeed(&["check", "ambiguous.lark", "--conflicts", "--json"]).json();
    let conflict = &conflicts["conflicts"][0];
    assert_eq!(conflict["readings"].as_array().unwrap().len(), 2, "{conflicts}");
    assert_eq!(conflict["most_terminals_with_two_stacks"], serde_json::Value::Null);
    assert!(conflict["met"].as_u64().unwrap() > 0, "{conflicts}");
    folder.write("short.lark", "start: (a | b) \"z\"\na: \"q\" \"q\"\nb: \"q\" \"q\"\n");
    let ran = folder.succeed(&["check", "short.lark", "--conflicts"]);
    assert!(ran.text().contains("costs   a second stack for one terminal at most; met "), "{}", ran.text());
}

#[test]
fn grammars_that_name_tokens_by_id_are_checked_without_a_vocabulary() {
    let folder = Folder::new();
    folder.write("ids.lark", "start: \"a\" <[5]> <[7-9]> <|end|> \"b\"\n");
    assert!(folder.succeed(&["check", "ids.lark"]).text().contains("5 terminals"));
}

#[test]
fn what_ambiguity_costs_is_told() {
    let folder = Folder::new();
    folder.write("ambiguous.lark", "start: e\ne: e \"-\" e | \"1\"\n");
    folder.write("levels.lark", "start: e\ne: e \"-\" t | t\nt: \"1\"\n");
    let growing = "parser stacks multiply in e: on \"1\" (\"-\" \"1\")^n, a byte takes ";
    let checked = folder.run(&["check", "ambiguous.lark"]);
    let shown = checked.stderr;
    assert!(shown.contains(growing) && shown.contains("ambiguous.lark:2:1"), "{shown}");
    let compiled = folder.succeed(&["compile", "ambiguous.lark", "--vocab", "tiny", "--json"]).json();
    let growth = &compiled["heads"]["growth"][0];
    assert_eq!((&growth["rule"], &growth["degree"]), (&"e".into(), &2.into()), "{growth}");
    assert_eq!(growth["right"], serde_json::json!(["\"-\"", "\"1\""]));
    assert_eq!(compiled["warnings"][0]["code"], "growing-heads");
    assert!(folder.succeed(&["inspect", "ambiguous.gcg"]).text().contains(growing));
    let compiled = folder.succeed(&["compile", "levels.lark", "--vocab", "tiny", "--json"]).json();
    assert_eq!(compiled["heads"], serde_json::Value::Null, "one stack is enough");
    assert_eq!(compiled["warnings"], serde_json::json!([]));
}

#[test]
fn a_schema_that_needs_heads_says_how_many() {
    let folder = Folder::new();
    let nested = r##"{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"}],"$defs":{
        "a":{"type":"array","items":{"type":"array","items":{"$ref":"#/$defs/a"}}},
        "b":{"type":"array","items":{"anyOf":[{"$ref":"#/$defs/b"},{"type":"null"}]}}}}"##;
    folder.write("nested.json", nested);
    let checked = folder.succeed(&["check", "nested.json", "--json"]).json();
    assert!(checked["heads"]["expected"].as_f64().unwrap() > 1.25, "{checked}");
    assert_eq!(checked["warnings"][0]["code"], "many-heads");
    let checked = folder.succeed(&["check", "point.json", "--json"]).json();
    assert_eq!(checked["heads"], serde_json::Value::Null, "one stack is enough");
}

#[test]
fn the_help_tells_the_default_limits() {
    let help = Folder::new().succeed(&["compile", "--help"]).text();
    let Limits { work, bytes, lr_states, lexer_states, dwa_states, terminal_states, .. } = Limits::default();
    for limit in [work, bytes, lr_states, lexer_states, dwa_states, terminal_states] {
        assert!(help.contains(&format!("[default: {limit}]")), "{limit}");
    }
}

#[test]
fn limits_hold_in_front_ends() {
    let folder = Folder::new();
    let links: Vec<_> =
        (0..25_000).map(|n| format!(r##""d{n}": {{"$ref": "#/$defs/d{}"}}"##, n + 1)).collect();
    let text = format!(r##"{{"$ref": "#/$defs/d0", "$defs": {{{}, "d25000": {{}}}}}}"##, links.join(","));
    folder.write("chain.json", &text);
    let ran = folder.run(&["compile", "chain.json", "--vocab", "tiny", "--limit-work", "1000"]);
    assert_eq!(ran.exit, 3, "{}", ran.stderr);
    for part in ["more than 1000 work units", "chain.json:1:", "raise --limit-work"] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    folder.succeed(&["compile", "chain.json", "--vocab", "tiny"]);
}

#[test]
fn keywords_of_embedded_schemas_are_shown_where_they_are() {
    let folder = Folder::new();
    let schema = r#"{"type": "array", "uniqueItems": true, "items": {"propertyNames": {"pattern": "^a$"}}}"#;
    let tag = format!(
        r#"{{"type": "structural_tag", "format": {{"type": "json_schema", "json_schema": {schema}}}}}"#
    );
    folder.write("tag.json", &tag);
    folder.write("rule.lark", format!("start: \"!\" %json {schema}\n"));
    for (input, pointer) in
        [("tag.json", "#/format/json_schema/uniqueItems"), ("rule.lark", "1:18#/uniqueItems")]
    {
        let refused = folder.run(&["check", input]);
        assert_eq!(refused.exit, 1);
        assert!(refused.text().contains(&format!("    refused    {pointer}: ")), "{}", refused.text());
        let shown = format!("    superset   {pointer}: ");
        let checked = folder.succeed(&["check", input, "--unenforced", "allow"]);
        assert!(checked.text().contains(&shown), "{}", checked.text());
        let compile = ["compile", input, "--vocab", "tiny", "-o", "out.gcg", "--unenforced", "allow"];
        let compiled = folder.succeed(&compile);
        assert!(compiled.text().contains(&shown), "{}", compiled.text());
        let inspected = folder.succeed(&["inspect", "out.gcg"]);
        assert!(inspected.text().contains(&shown), "{}", inspected.text());
        let json = folder.succeed(&[&compile[..], &["--json"]].concat());
        assert!(
            json.text().contains(&format!("\"pointer\": \"{}\"", pointer.trim_start_matches('#'))),
            "{}",
            json.text()
        );
    }
}

#[test]
fn profiles_set_the_conventions_of_engines() {
    let folder = Folder::new();
    folder
        .write("open.json", r#"{"type": "object", "properties": {"a": {"enum": [1]}, "b": {"enum": [2]}}}"#);
    let texts = [r#"{"a":1,"b":2}"#, r#"{"a":1}"#, r#"{"a":1,"c":2}"#, r#"{ "a" : 1 }"#, "{\n\n}"];
    for (profile, verdicts) in [
        ("openai", [0, 1, 1, 1, 1]),
        ("xgrammar", [0, 0, 1, 0, 0]),
        ("llguidance", [0, 0, 0, 0, 0]),
        ("outlines", [0, 0, 1, 0, 1]),
    ] {
        folder.succeed(&["compile", "open.json", "--vocab", "tiny", "--profile", profile, "-o", "a.gcg"]);
        let replay = |text: &&str| folder.run(&["replay", "a.gcg", "--vocab", "tiny", "--text", text]).exit;
        assert_eq!(texts.each_ref().map(replay), verdicts, "{profile}");
    }
    let compact = [
        "compile",
        "open.json",
        "--vocab",
        "tiny",
        "--profile",
        "xgrammar",
        "--whitespace",
        "compact",
        "-o",
        "a.gcg",
    ];
    folder.succeed(&compact);
    assert_eq!(folder.run(&["replay", "a.gcg", "--vocab", "tiny", "--text", texts[3]]).exit, 1);
    folder.write("forbidden.json", r#"{"type": "object", "properties": {"a": {"not": {}}}}"#);
    let ran = folder.run(&["check", "forbidden.json", "--profile", "openai"]);
    assert!(ran.exit == 1 && ran.stderr.contains("#/properties/a/not"), "{}", ran.stderr);
}

#[test]
fn a_second_input_is_for_batch() {
    let folder = Folder::new();
    let refused = folder.run(&["compile", "sums.lark", "point.json", "--vocab", "tiny"]);
    assert!(refused.exit == 2 && refused.stderr.contains("`gcc-grammar batch` compiles several inputs"));
    let refused = folder.run(&["compile", "sums.lark", "--vocabulary", "tiny"]);
    assert!(refused.exit == 2 && !refused.stderr.contains("batch"));
}
