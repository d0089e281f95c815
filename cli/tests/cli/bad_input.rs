//! Tests of errors in schemas, in grammars and in arguments.

use crate::support::Folder;

#[test]
fn grammars_are_refused_with_line_column_and_caret() {
    let folder = Folder::new();
    folder.write("bad.lark", "start: \"a\"\n  | vlaue\nvalue: \"b\"\n");
    let ran = folder.run(&["check", "bad.lark"]);
    assert_eq!(ran.exit, 1);
    assert!(ran.stderr.contains("bad.lark:2:5") && ran.stderr.contains("^^^^^"), "{}", ran.stderr);
}

#[test]
fn schemas_are_refused_with_a_pointer() {
    let folder = Folder::new();
    folder.write("bad.json", r#"{"properties": {"a": {"type": "strnig"}}}"#);
    let ran = folder.run(&["check", "bad.json"]);
    assert!(ran.exit == 1 && ran.stderr.contains("#/properties/a/type"), "{}", ran.stderr);
    let json = folder.run(&["check", "bad.json", "--json"]).json();
    assert_eq!(json["error"]["exit"], 1);
    assert_eq!(json["error"]["diagnostics"][0]["location"]["pointer"], "/properties/a/type");
}

/// Whatever is quoted of a large input, the message fits on a screen of 24 lines.
#[test]
fn messages_about_large_inputs_fit_on_a_screen() {
    let folder = Folder::new();
    let long = "a".repeat(200_000);
    for (name, text) in [
        ("regex.regex", format!("{long}(?=b)c")),
        ("literal.lark", format!("start: \"{long}\n")),
        ("name.lark", format!("start: x{long}\n")),
        ("literal.gbnf", format!("root ::= \"{long}\\q\"\n")),
        ("pattern.json", format!(r#"{{"pattern": "{long}("}}"#)),
        ("enum.json", format!(r#"{{"type": "{long}", "enum": ["{long}"]}}"#)),
        ("key.json", format!(r#"{{"properties": {{"{long}": {{"type": 1}}}}}}"#)),
        ("const.json", format!(r#"{{"const": "{long}", "minLength": 300000}}"#)),
    ] {
        folder.write(name, &text);
        let ran = folder.run(&["check", name]);
        let lines: usize = ran.stderr.lines().map(|line| line.chars().count().div_ceil(80)).sum();
        assert!(ran.exit == 1 && (2..=24).contains(&lines), "{name}: {} lines, exit {}", lines, ran.exit);
        let json = folder.run(&["check", name, "--json"]).json();
        let message = json["error"]["diagnostics"][0]["message"].as_str().unwrap();
        assert!(message.chars().count() < 700, "{name}");
    }
}

#[test]
fn usage_errors() {
    let folder = Folder::new();
    for arguments in [
        &["compile"][..],
        &["compile", "sums.lark"],
        &["compile", "sums.lark", "--vocab", "none"],
        &["compile", "missing.lark", "--vocab", "tiny"],
        &["compile", "tiny", "--vocab", "tiny"],
        &["compile", "-", "--vocab", "tiny", "-o", "x.gcg"],
        &["compile", "-", "--vocab", "tiny", "--format", "lark"],
        &["compile", "sums.lark", "--vocab", "tiny", "-o", "no/such/folder/x.gcg"],
        &["compile", "point.json", "--vocab", "tiny", "--whitespace", "some"],
        &["replay", "x.gcg"],
        &["frobnicate"],
    ] {
        let ran = folder.run(arguments);
        assert!(ran.exit == 2 && !ran.stderr.is_empty(), "{arguments:?}: {} {}", ran.exit, ran.stderr);
    }
    let both = folder.run(&["compile", "sums.lark", "--vocab", "tiny", "-o", "-", "--json"]);
    assert!(both.exit == 2 && both.json()["error"]["exit"] == 2, "{}", both.text());
    let unknown = folder.run(&["frobnicate", "--json"]);
    assert!(unknown.exit == 2 && unknown.json()["error"]["exit"] == 2, "{}", unknown.text());
}

#[test]
fn over_budget_names_stage_count_and_advice() {
    let folder = Folder::new();
    for (limit, resource) in [
        ("--limit-work", "work units"),
        ("--limit-bytes", "bytes"),
        ("--limit-lr-states", "LR states"),
        ("--limit-lexer-states", "lexer states"),
        ("--limit-dwa-states", "Parser DWA states"),
    ] {
        let ran = folder.run(&["compile", "sums.lark", "--vocab", "tiny", limit, "3"]);
        assert_eq!(ran.exit, 3, "{limit}: {}", ran.stderr);
        assert!(
            ran.stderr.contains("stage") && ran.stderr.contains(resource) && ran.stderr.contains(limit),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn hostile_nesting_is_an_error_and_no_crash() {
    let folder = Folder::new();
    folder.write("deep.json", format!("{}1{}", r#"{"not":"#.repeat(100_000), "}".repeat(100_000)));
    folder.write("deep.lark", format!("start: {}\"a\"{}\n", "(".repeat(50_000), ")".repeat(50_000)));
    for input in ["deep.json", "deep.lark"] {
        let ran = folder.run(&["check", input]);
        assert!([1, 3].contains(&ran.exit), "{input}: {} {}", ran.exit, ran.stderr);
    }
}

#[test]
fn long_repetitions_of_rules_end_within_the_limits() {
    let folder = Folder::new();
    folder.write("range.lark", "start: \"a\"~0..1000000\n");
    folder.write("nested.gbnf", "root ::= a{0,100000}\na ::= \"(\" a? \")\"\n");
    for input in ["range.lark", "nested.gbnf"] {
        let ran = folder.run(&["compile", input, "--vocab", "tiny", "-o", "a.gcg"]);
        assert!([0, 3].contains(&ran.exit), "{input}: {} {}", ran.exit, ran.stderr);
    }
}

#[test]
fn further_errors_are_only_counted() {
    let folder = Folder::new();
    let names: Vec<_> = (0..1000).map(|n| format!("missing{n}")).collect();
    folder.write("bad.lark", format!("start: {}\n", names.join(" ")));
    let ran = folder.run(&["check", "bad.lark"]);
    assert!(ran.exit == 1 && ran.stderr.ends_with("... and 950 more, see --json\n"), "{}", ran.stderr);
    let all = folder.run(&["check", "bad.lark", "--json"]).json();
    assert_eq!(all["error"]["diagnostics"].as_array().map(Vec::len), Some(1000));
}

#[test]
fn bytes_that_are_not_utf8_are_refused() {
    let folder = Folder::new();
    folder.write("binary.lark", b"start: \"\xff\"");
    let ran = folder.run(&["check", "binary.lark"]);
    assert!(ran.exit == 1 && ran.stderr.contains("at byte 8"), "{}", ran.stderr);
}

#[test]
fn a_byte_order_mark_is_not_part_of_the_text() {
    let folder = Folder::new();
    for (name, text) in
        [("marked.json", "\u{feff}{\"type\": \"null\"}"), ("marked.lark", "\u{feff}start: \"a\"")]
    {
        folder.write(name, text);
        folder.succeed(&["check", name]);
    }
    folder.write("twice.json", "\u{feff}\u{feff}{}");
    assert_eq!(folder.run(&["check", "twice.json"]).exit, 1);
}

#[test]
fn colours_only_where_they_are_wanted() {
    let folder = Folder::new();
    folder.write("bad.lark", "start: missing\n");
    let is_coloured = |arguments: &[&str], no_color: &str| {
        let output = folder.command(arguments).env("NO_COLOR", no_color).output().unwrap();
        output.stderr.contains(&0x1b)
    };
    assert!(!is_coloured(&["check", "bad.lark"], ""));
    assert!(!is_coloured(&["check", "bad.lark"], "1"));
    assert!(is_coloured(&["check", "bad.lark", "--color", "always"], ""));
    assert!(!is_coloured(&["check", "bad.lark", "--color", "never"], ""));
    // The command line cannot be parsed.
    assert!(is_coloured(&["compile", "--color", "always"], ""));
    assert!(!is_coloured(&["compile", "--color=never"], ""));
}
