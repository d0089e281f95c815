//! `trace`, `stages`, `grammars`.

use crate::support::Folder;

#[test]
fn a_trace_names_lexemes_and_stacks() {
    let folder = Folder::new();
    let trace = folder.succeed(&["trace", "sums.lark", "--text", "(1 + 23)", "--json"]).json();
    let lexemes = trace["lexemes"].as_array().expect("lexemes");
    let texts: Vec<&str> = lexemes.iter().filter_map(|lexeme| lexeme["text"].as_str()).collect();
    assert_eq!(texts, ["(", "1", "+", "23", ")"]);
    assert_eq!(lexemes[3]["terminal"], "NUMBER");
    assert_eq!((&lexemes[4]["line"], &lexemes[4]["column"]), (&1.into(), &8.into()));
    assert_eq!(lexemes[1]["stack"], serde_json::json!(["\"(\"", "NUMBER"]));
    let refused = folder.run(&["trace", "sums.lark", "--text", "(1)+"]);
    let text = String::from_utf8(refused.stdout).expect("text");
    assert_eq!(refused.exit, 1);
    assert!(text.contains("the text ends too early: at byte 4 (line 1, column 5)"), "{text}");
    let refused = folder.run(&["trace", "sums.lark", "--text", "(1 2", "--json"]);
    let trace: serde_json::Value = serde_json::from_slice(&refused.stdout).expect("JSON");
    assert_eq!(trace["bytes"], 3);
    assert!(
        trace["stuck"][0]["expected"].as_array().expect("terminals").contains(&"\")\"".into()),
        "{trace}"
    );
}

#[test]
fn a_trace_counts_heads_and_stacks() {
    let folder = Folder::new();
    folder.write("ambiguous.lark", "start: e\ne: e \"-\" e | \"1\"\n");
    let trace = folder.succeed(&["trace", "ambiguous.lark", "--text", "1-1-1-1", "--json"]).json();
    let last = &trace["lexemes"][6];
    assert_eq!((&last["heads"], &last["stacks"]), (&1.into(), &3.into()), "{trace}");
    // All readings of a long ambiguous text are followed, without a way for each derivation.
    let text = ["1"; 200].join("-");
    let trace = folder.succeed(&["trace", "ambiguous.lark", "--text", &text]).text();
    assert!(trace.ends_with("accepted: 399 bytes, on 199 stacks\n"), "{trace}");
}

#[test]
fn bundled_grammars_have_names() {
    let folder = Folder::new();
    let list = folder.succeed(&["grammars", "list"]).text();
    assert!(list.contains("json ") && list.contains("java "), "{list}");
    let shown = folder.succeed(&["grammars", "show", "json"]).text();
    assert!(shown.contains("start: value"), "{shown}");
    assert_eq!(folder.succeed(&["grammars", "show", "json", "--json"]).json()["text"], shown);
    folder.succeed(&["compile", "--grammar", "json", "--vocab", "tiny"]);
    assert_eq!(folder.run(&["replay", "json.gcg", "--vocab", "tiny", "--text", "[1]"]).exit, 0);
    folder.write("array.lark", "start: \"<\" array \">\"\n%import json.array\n");
    folder.succeed(&["trace", "array.lark", "--text", "<[1,2]>"]);
    assert_eq!(folder.run(&["compile", "--grammar", "cobol", "--vocab", "tiny"]).exit, 2);
}

#[test]
fn stages_are_shown_for_small_grammars() {
    let folder = Folder::new();
    let tokens = r#"["(", ")", "+", "1", "1+", "))"]"#;
    let stages =
        folder.succeed(&["stages", "sums.lark", "--tokens", tokens, "--text", "((1", "--json"]).json();
    let stages = &stages["tables"];
    let names: Vec<&str> = stages.as_object().expect("tables").keys().map(String::as_str).collect();
    for name in
        ["terminals", "productions", "LR states", "lexer states", "Terminal DWA", "Parser DWA", "masks"]
    {
        assert!(names.contains(&name), "{name} of {names:?}");
    }
    let mask = &stages["mask after the text"][0]["tokens"];
    let allowed = [r#"")""#, r#""))""#, r#""+""#, r#""1""#, r#""1+""#];
    assert_eq!(mask, &serde_json::json!(allowed));
    let productions =
        folder.succeed(&["stages", "sums.lark", "--tokens", tokens, "--table", "productions"]).text();
    assert!(productions.starts_with("productions:\n  left-hand side"), "{productions}");
    assert!(!productions.contains("masks:"), "{productions}");
}

#[test]
fn stages_read_the_mask_that_the_runtime_fills() {
    let folder = Folder::new();
    folder.compile("sums.lark", "sums.gcg");
    for text in ["", "(", "((12", "((1)", "1 + ", "(1+2"] {
        let mask = folder.succeed(&["mask", "sums.gcg", "--vocab", "tiny", "--text", text, "--json"]).json();
        let mut stages =
            folder.command(&["stages", "sums.lark", "--vocab", "tiny", "--text", text, "--json"]);
        let stages = stages.args(["--max-rows", "300"]).output().expect("it runs").stdout;
        let stages: serde_json::Value = serde_json::from_slice(&stages).expect("JSON");
        let count = &stages["tables"]["mask after the text"][0]["count"];
        assert_eq!(count, &serde_json::json!(mask["count"].to_string()), "{text:?}");
    }
}

#[test]
fn stages_refuse_what_they_cannot_show() {
    let folder = Folder::new();
    let refused = |arguments: &[&str]| {
        let ran = folder.run(&[&["stages", "sums.lark"], arguments].concat());
        (ran.exit, ran.stderr)
    };
    let (exit, message) = refused(&["--vocab", "tiny"]);
    assert_eq!(exit, 3);
    assert!(message.contains("the table of tokens has 268 rows; at most 60 are shown"), "{message}");
    let (exit, message) = refused(&["--tokens", "(,)"]);
    assert!(exit == 2 && message.contains("not a JSON array of texts"), "{message}");
    let (exit, message) = refused(&["--tokens", r#"["1"]"#, "--text", "1)"]);
    assert!(exit == 1 && message.contains(r#"refuses the text "1)" at byte 1"#), "{message}");
    let (exit, message) = refused(&["--tokens", r#"["1"]"#, "--table", "states"]);
    assert!(exit == 2 && message.contains("the tables are: terminals, productions"), "{message}");
}
