//! The files that the command lines of the snapshots read.

use crate::support::{Folder, POINT, SUMS, base64};
use std::fs;

/// A grammar in which the order of subtractions is open.
const AMBIGUOUS: &str = "start: e\ne: e \"-\" e | \"1\"\n";

/// A schema with a keyword that cannot be enforced, and one that is no keyword.
const LOOSE: &str = r#"{
  "type": "object",
  "properties": {"id": {"type": "string", "pattern": "(a+)\\1"}, "name": {"type": "string", "minLenght": 3}},
  "required": ["id"]
}"#;

/// A folder with grammars, schemas, vocabularies and artifacts, some of them damaged.
pub(super) fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("ambiguous.lark", AMBIGUOUS);
    folder.write("loose.json", LOOSE);
    folder.write("wider.json", POINT.replace("integer", "number"));
    write_tested(&folder);
    folder.write("misspelt.lark", "start: \"a\"\n  | vlaue\nvalue: \"b\"\n");
    folder.write("sum.txt", "1 + 2\n");
    folder.compile("point.json", "point.gcg");
    folder.compile("sums.lark", "sums.gcg");
    folder.write("truncated.gcg", &folder.read("point.gcg")[..1000]);
    folder
}

/// A grammar in a folder with texts, some of which it takes otherwise than it should.
fn write_tested(folder: &Folder) {
    for name in ["tested", "tested/accept", "tested/reject"] {
        fs::create_dir(folder.path(name)).expect("a folder is made");
    }
    folder.write("tested/sums.lark", SUMS);
    folder.write("tested/README.md", "Sums.\n");
    folder.write("tested/accept/sum.txt", "1 + (2 + 33)");
    folder.write("tested/accept/line.txt", "1 + 2\n");
    folder.write("tested/accept/open & \"<\".txt", "(1");
    folder.write("tested/reject/empty.txt", "");
    folder.write("tested/reject/sum.txt", "1+1");
}

/// A grammar with parentheses that are nested deeper than the front end supports.
pub(super) fn too_deep() -> String {
    format!("start: {}\"a\"{}\n", "(".repeat(101), ")".repeat(101))
}

/// A schema that is nested deeper than the front end supports.
pub(super) fn too_nested() -> String {
    format!("{}true{}\n", "{\"not\": ".repeat(201), "}".repeat(201))
}

/// The same folder with files that are damaged, or too large, or in no known format.
pub(super) fn damaged_folder() -> Folder {
    let folder = folder();
    folder.write("fenced.lark", "start: \"```json\\n\" object \"```\"\n%import json.object\n");
    folder.write("by-id.lark", "start: <[65]>\n");
    folder.compile("by-id.lark", "by-id.gcg");
    folder.write("latin1.lark", b"start: \"\xe9\"\n");
    folder.write("malformed.json", "{\"model\": {\"type\": \"BPE\", \"vocab\"");
    let mut newer = folder.read("point.gcg");
    // The major version of the format.
    newer[8] += 1;
    folder.write("newer.gcg", newer);
    folder.write(
        "unsupported.json",
        r#"{"version": "1.0", "added_tokens": [], "model": {"type": "WordPiece", "vocab": {"a": 0}}}"#,
    );
    write_dialect(&folder);
    write_imports(&folder);
    write_ranks(&folder);
    folder
}

/// A schema whose dialect needs an unknown vocabulary of keywords.
fn write_dialect(folder: &Folder) {
    let schema = r#"{"$schema": "https://example.com/dialect", "type": "string"}"#;
    folder.write("dialect.schema.json", schema);
    let standard = "https://json-schema.org/draft/2020-12/vocab";
    let dialect = serde_json::json!({"$id": "https://example.com/dialect", "$vocabulary": {
        format!("{standard}/core"): true, format!("{standard}/applicator"): true,
        format!("{standard}/validation"): true, "https://example.com/vocabulary": true,
    }});
    folder.write("dialect.json", dialect.to_string());
}

/// A grammar that imports too many files.
fn write_imports(folder: &Folder) {
    let names: Vec<String> = (0..101).map(|index| format!("part{index}")).collect();
    let imports: String = names.iter().map(|name| format!("%import .{name}.{name}\n")).collect();
    folder.write("imports.lark", format!("start: {}\n{imports}", names.join(" ")));
    for name in names {
        folder.write(&format!("{name}.lark"), format!("{name}: \"a\"\n"));
    }
}

/// Vocabularies of the ASCII bytes, one of them with a very long token, and artifacts for them.
fn write_ranks(folder: &Folder) {
    let line = |(rank, token): (usize, Vec<u8>)| format!("{} {rank}\n", base64(&token));
    let bytes = || (0..=0x7f).map(|byte| vec![byte]);
    folder.write("ascii.tiktoken", bytes().enumerate().map(line).collect::<String>());
    let long = bytes().chain([vec![b'a'; 1025]]);
    folder.write("long.tiktoken", long.enumerate().map(line).collect::<String>());
    // It has the second byte of é only twice.
    let gapped = bytes().chain([vec![0xC3], vec![0xA9; 2]]);
    folder.write("gapped.tiktoken", gapped.enumerate().map(line).collect::<String>());
    folder.write("accents.lark", "start: \"é\"\n");
    for (name, vocabulary) in [("accents", "gapped"), ("sums", "ascii")] {
        let (grammar, artifact) = (format!("{name}.lark"), format!("{vocabulary}-{name}.gcg"));
        let vocabulary = format!("{vocabulary}.tiktoken");
        folder.succeed(&["compile", &grammar, "--vocab", &vocabulary, "--eos", "0", "-o", &artifact]);
    }
}
