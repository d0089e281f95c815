//! Inputs of other commands than `compile`.

use super::{COMPILE, Case};

pub(crate) const CASES: &[Case] = &[
    case("trace: 10,000 nested arrays", "9 GB", &[], TRACE_JSON, || nested(10_000)),
    case("replay: 10 MB", "1.5 GB", COMPILE_JSON, REPLAY, || long_text(10_000_000)),
    case("replay: 100 MB", "abort", COMPILE_JSON, REPLAY, || long_text(100_000_000)),
    case("check: TypeScript", "19 s CPU", &[], &["check", "--grammar", "typescript"], String::new),
    case("check: Python", "9 s CPU", &[], &["check", "--grammar", "python"], String::new),
    Case {
        extension: "lark",
        ..case("generate: within 12 tokens", "5.6 s", COMPILE, GENERATE, || SENTENCES.to_owned())
    },
];

const TRACE_JSON: &[&str] = &["trace", "--grammar", "json", "--text-file", "INPUT"];
const COMPILE_JSON: &[&str] = &["compile", "--grammar", "json", "--vocab", "VOCAB", "-o", "OUTPUT"];
const REPLAY: &[&str] = &["replay", "OUTPUT", "--text-file", "INPUT"];
const GENERATE: &[&str] = &["generate", "OUTPUT", "--max-tokens", "12"];

/// Sentences of words that may end anywhere: every letter may begin another tag.
const SENTENCES: &str = r#"start: line ("\n" line)*
line: "go" | "say:" "it" word | "+"? tag+
tag: word (" " word)*
word: letter+
letter: /[a-z]/ | /[A-Z]/ | /[0-9]/
"#;

const fn case(
    name: &'static str,
    before: &'static str,
    prepare: &'static [&'static str],
    command: &'static [&'static str],
    make: fn() -> String,
) -> Case {
    Case { name, extension: "txt", prepare, command, arguments: &[], before, make }
}

fn nested(levels: usize) -> String {
    "[".repeat(levels) + &"]".repeat(levels)
}

/// A JSON text of about this length, in bytes.
fn long_text(length: usize) -> String {
    format!("[{}0]", "123, ".repeat(length / 5))
}
