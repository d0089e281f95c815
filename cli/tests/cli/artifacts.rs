//! Tests of `inspect` and `verify`, and of artifacts that are truncated, damaged, or used with another vocabulary.

use crate::support::{Folder, write_model};

fn compiled() -> Folder {
    let folder = Folder::new();
    folder.compile("point.json", "a.gcg");
    folder
}

#[test]
fn inspect_shows_header_metadata_and_sections() {
    let folder = compiled();
    let text = folder.succeed(&["inspect", "a.gcg", "--source", "--report"]).text();
    for part in [
        "json-schema",
        "of tokens",
        "LR states",
        "sections",
        "transitions",
        "/properties",
        "additionalProperties",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let json = folder.succeed(&["inspect", "a.gcg", "--json"]).json();
    assert_eq!(json["metadata"]["source"]["text"], crate::support::POINT);
    assert_eq!(json["mask_width"], 276);
}

#[test]
fn inspect_shows_the_shortest_output() {
    let folder = Folder::new();
    let shown = |arguments: &[&str]| {
        let text = folder.succeed(arguments).text();
        text.lines().find(|line| line.starts_with("shortest")).map(str::to_owned)
    };
    folder.succeed(&["compile", "sums.lark", "--vocab", "tiny", "--budgets", "exact", "-o", "exact.gcg"]);
    folder.succeed(&["compile", "sums.lark", "--vocab", "tiny", "--budgets", "off", "-o", "off.gcg"]);
    let found = shown(&["inspect", "exact.gcg", "--vocab", "tiny"]);
    assert_eq!(found.as_deref(), Some("shortest     2 tokens, the end token included: \"0\""));
    let json = folder.succeed(&["inspect", "exact.gcg", "--vocab", "tiny", "--json"]).json();
    assert_eq!((&json["shortest"]["count"], &json["shortest"]["text"]), (&2.into(), &"0".into()), "{json}");
    let found = shown(&["inspect", "off.gcg", "--vocab", "tiny"]);
    assert_eq!(found.as_deref(), Some("shortest     unknown: the artifact has no token budgets"));
    // Without the vocabulary, the number is known, and not the text.
    std::fs::remove_dir_all(folder.path("tiny")).unwrap();
    let found = shown(&["inspect", "exact.gcg"]);
    assert_eq!(found.as_deref(), Some("shortest     2 tokens, the end token included"));
}

#[test]
fn deep_verification_finds_no_difference() {
    let folder = compiled();
    let json =
        folder.succeed(&["verify", "a.gcg", "--vocab", "tiny", "--deep", "--states", "30", "--json"]).json();
    assert_eq!(json["deep"]["decisions"], 30 * 276);
    folder.compile("sums.lark", "b.gcg");
    folder.succeed(&["verify", "b.gcg", "--vocab", "tiny", "--deep", "--states", "30"]);
}

#[test]
fn truncated_artifacts_are_refused() {
    let folder = compiled();
    let bytes = folder.read("a.gcg");
    for length in [0, 3, 100, bytes.len() / 2, bytes.len() - 1] {
        folder.write("cut.gcg", &bytes[..length]);
        let ran = folder.run(&["verify", "cut.gcg"]);
        assert_eq!(ran.exit, 1, "{length} bytes: {}", ran.stderr);
    }
    let help = folder.run(&["inspect", "cut.gcg"]).stderr;
    assert!(help.contains("truncated") && help.contains("again"), "{help}");
}

#[test]
fn changed_artifacts_are_refused() {
    let folder = compiled();
    let bytes = folder.read("a.gcg");
    for index in (0..bytes.len()).step_by(bytes.len() / 7 + 1) {
        let mut changed = bytes.clone();
        changed[index] ^= 1;
        folder.write("changed.gcg", &changed);
        assert_eq!(folder.run(&["verify", "changed.gcg"]).exit, 1, "byte {index}");
    }
}

#[test]
fn other_files_are_refused_as_artifacts() {
    let folder = compiled();
    let ran = folder.run(&["inspect", "point.json"]);
    assert!(ran.exit == 1 && ran.stderr.contains("not a compiled grammar"), "{}", ran.stderr);
    folder.write("bomb.gcg", [0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]);
    assert_eq!(folder.run(&["verify", "bomb.gcg"]).exit, 1);
    assert_eq!(folder.run(&["verify", "missing.gcg"]).exit, 2);
}

#[test]
fn another_vocabulary_is_a_mismatch() {
    let folder = compiled();
    write_model(&folder.path("other"), 100);
    folder.succeed(&["mask", "a.gcg", "--vocab", "tiny"]);
    folder.write("other/config.json", r#"{"eos_token_id": 5, "vocab_size": 300}"#);
    // With the same width and the same end tokens, it is the same vocabulary.
    folder.succeed(&["mask", "a.gcg", "--vocab", "other"]);
    for arguments in [["--vocab-size", "320"], ["--eos", "5"]] {
        let mut all = vec!["mask", "a.gcg", "--vocab", "tiny"];
        all.extend(arguments);
        let ran = folder.run(&all);
        assert!(ran.exit == 4 && ran.stderr.contains("another vocabulary"), "{arguments:?}: {}", ran.stderr);
    }
    assert_eq!(folder.run(&["replay", "a.gcg", "--vocab", "cl100k", "--text", "{}"]).exit, 4);
}

#[test]
fn a_vocabulary_that_is_not_known_by_its_tokens_is_asked_for() {
    let folder = compiled();
    let ran = folder.run(&["mask", "a.gcg", "--vocab-dir", "empty"]);
    assert!(
        ran.exit == 2 && ran.stderr.contains("whose tokens") && ran.stderr.contains("--vocab"),
        "{}",
        ran.stderr
    );
}

#[test]
fn damaged_metadata_are_not_a_missing_argument() {
    let folder = compiled();
    let mut bytes = folder.read("a.gcg");
    let metadata = bytes.windows(4).position(|window| window == [0x28, 0xb5, 0x2f, 0xfd]).unwrap();
    bytes[metadata + 20] ^= 1;
    folder.write("damaged.gcg", &bytes);
    let ran = folder.run(&["mask", "damaged.gcg"]);
    assert!(ran.exit == 1 && ran.stderr.contains("section 0x1 does not match"), "{}", ran.stderr);
    // All sections are verified, also those that are not needed.
    let ran = folder.run(&["mask", "damaged.gcg", "--vocab", "tiny"]);
    assert!(ran.exit == 1 && ran.stderr.contains("section 0x1 does not match"), "{}", ran.stderr);
}

/// `inspect` reads a store as other commands do, and names a vocabulary that is another one.
#[test]
fn artifacts_of_stores_are_inspected() {
    let folder = Folder::new();
    folder.succeed(&["compile", "sums.lark", "--vocab", "tiny", "--store", "store", "-q"]);
    let key = folder.succeed(&["key", "sums.lark", "--vocab", "tiny"]).text();
    let ran = folder.succeed(&["inspect", key.trim(), "--store", "store"]);
    assert!(ran.text().contains(key.trim()), "{}", ran.text());
}

#[test]
fn a_vocabulary_that_is_another_one_is_named() {
    let folder = Folder::new();
    folder.succeed(&["vocab", "import", "tiny", "--name", "mine", "--vocab-dir", "kept"]);
    folder.compile("sums.lark", "a.gcg");
    folder.write("other.tiktoken", "KA== 0\nKQ== 1\n");
    let arguments = ["mask", "a.gcg", "--vocab", "other.tiktoken", "--eos", "0", "--vocab-dir", "kept"];
    let ran = folder.run(&arguments);
    assert_eq!(ran.exit, 4, "{}", ran.stderr);
    assert!(ran.stderr.contains("compiled for the vocabulary mine, and other was given"), "{}", ran.stderr);
}
