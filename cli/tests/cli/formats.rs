//! Tests of each notation: by extension, by `--format`, and by an argument in place of a file.

use crate::support::Folder;

/// The notations: name, extension, a grammar, a text that the grammar accepts, and a text that it refuses.
const FORMATS: [(&str, &str, &str, &str, &str); 7] = [
    ("lark", "lark", "start: \"a\" start | \"b\"\n", "aab", "aa"),
    ("json-schema", "json", "{\"type\": \"boolean\"}", "true", "1"),
    ("gbnf", "gbnf", "root ::= \"(\" root \")\" | [0-9]+\n", "((12))", "((12)"),
    ("ebnf", "ebnf", "root ::=\n  \"(\" root \")\"\n  | Regex(\"[0-9]+\")\n", "((12))", "()"),
    ("regex", "regex", "[a-z]+(?P<QUOTED_TEXT>)\n", "ab\"c\"", "ab"),
    ("choices", "choices", "yes\nno\n", "no", "maybe"),
    (
        "structural-tag",
        "json",
        r#"{"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": ["<f="],
            "tags": [{"begin": "<f=a>", "content": {"type": "json_schema", "json_schema": {"type": "boolean"}}, "end": "</f>"}]}}"#,
        "say <f=a>true</f>",
        "say <f=b>",
    ),
];

fn replay(folder: &Folder, artifact: &str, text: &str) -> bool {
    folder.run(&["replay", artifact, "--vocab", "tiny", "--text", text]).exit == 0
}

#[test]
fn every_format_compiles_replays_and_generates() {
    let folder = Folder::new();
    for (format, extension, text, accepted, refused) in FORMATS {
        let file = format!("{format}.{extension}");
        folder.write(&file, text);
        folder.write("nameless", text);
        folder.compile(&file, "extension.gcg");
        folder.succeed(&["compile", "nameless", "--format", format, "--vocab", "tiny", "-o", "format.gcg"]);
        for artifact in ["extension.gcg", "format.gcg"] {
            assert!(replay(&folder, artifact, accepted) && !replay(&folder, artifact, refused), "{format}");
        }
        let described = folder.succeed(&["inspect", "extension.gcg", "--json"]).text();
        assert!(described.contains(format), "{described}");
        let generated = folder.succeed(&[
            "generate",
            "extension.gcg",
            "--vocab",
            "tiny",
            "-n",
            "3",
            "--max-tokens",
            "20",
        ]);
        assert!(!generated.stdout.is_empty(), "{format}");
    }
}

#[test]
fn arguments_take_the_place_of_a_file() {
    let folder = Folder::new();
    let compile = |arguments: &[&str]| {
        folder.succeed(&[&["compile", "--vocab", "tiny", "-o", "out.gcg"], arguments].concat());
    };
    compile(&["--regex", r"\d\d"]);
    assert!(replay(&folder, "out.gcg", "42") && !replay(&folder, "out.gcg", "4"));
    compile(&["--choice", "a b", "--choice", "é"]);
    assert!(replay(&folder, "out.gcg", "é") && !replay(&folder, "out.gcg", "a"));
    compile(&["--json-object"]);
    assert!(replay(&folder, "out.gcg", r#"{"a": [{"b": [[1]]}]}"#) && !replay(&folder, "out.gcg", "[1]"));
    compile(&["--json-object", "--max-depth", "2"]);
    assert!(replay(&folder, "out.gcg", r#"{"a": [1]}"#) && !replay(&folder, "out.gcg", r#"{"a": [[1]]}"#));
}

#[test]
fn arguments_that_exclude_each_other_are_refused() {
    let folder = Folder::new();
    for arguments in [
        &["check"][..],
        &["check", "sums.lark", "--regex", "a"],
        &["check", "--regex", "a", "--choice", "b"],
        &["check", "--choice", "a", "--json-object"],
        &["check", "--regex", "a", "--format", "lark"],
        &["check", "sums.lark", "--max-depth", "2"],
        &["check", "--json-object", "--max-depth", "0"],
        &["compile", "--regex", "a", "--vocab", "tiny"],
    ] {
        assert_eq!(folder.run(arguments).exit, 2, "{arguments:?}");
    }
}

#[test]
fn diagnostics_have_a_place() {
    let folder = Folder::new();
    folder.write("bad.gbnf", "root ::= a\nb ::= \"x\"\n");
    let ran = folder.run(&["check", "bad.gbnf"]);
    assert_eq!(ran.exit, 1);
    assert!(ran.stderr.contains(" --> bad.gbnf:1:10\n"), "{}", ran.stderr);
    let ran = folder.run(&["check", "--regex", "ab(?=c"]);
    assert!(ran.exit == 1 && ran.stderr.contains(" --> --regex:1:3\n"), "{}", ran.stderr);
    folder.write("bad.json", r#"{"type": "structural_tag", "format": {"type": "tags"}}"#);
    let ran = folder.run(&["check", "bad.json"]);
    assert!(ran.exit == 1 && ran.stderr.contains("#/format/type"), "{}", ran.stderr);
}
