//! Measures masks and commits of arrays whose items differ, by the number of items in memory.
//!
//! ```text
//! different_items [--vocab llama3] [--readings COUNT] [--known COUNT,…] [--kind WORDS]
//! ```
//! Each row is an array of distinct items of one kind. The times are those of the last items: a mask as a row, and the commit of the token that
//! follows in the text, the least of so many readings of the whole text. Every token of the text must be in its mask.

use clap::Parser;
use gcc_grammar::{Options, Session, Source, compile};
use gcc_grammar_benches::language::load_vocabulary;
use gcc_grammar_benches::replay::keep_least_times;
use gcc_grammar_benches::times::Times;
use gcc_grammar_benches::tokenization::tokenizer;
use gcc_grammar_benches::{Result, exit_code};
use std::process::ExitCode;
use std::time::Duration;

/// Measures arrays whose items differ.
#[derive(Parser)]
struct Arguments {
    /// The vocabulary: a built-in name, or a tokenizer file.
    #[arg(long = "vocab", default_value = "llama3")]
    vocabulary: String,
    /// How often each text is read.
    #[arg(long, default_value_t = 3)]
    readings: usize,
    /// The numbers of items in memory.
    #[arg(long, value_delimiter = ',', default_values_t = [0, 100, 10_000])]
    known: Vec<usize>,
    /// Only the kinds with these words in their names.
    #[arg(long, default_value = "")]
    kind: String,
}

/// The items that are measured, behind those in memory.
const MEASURED: usize = 300;

/// The kinds of items: the name, the schema, and the item with a number.
type Kind = (&'static str, &'static str, fn(usize) -> String);

const KINDS: [Kind; 10] = [
    ("words", r#"{"type": "string"}"#, |number| {
        format!("\"{} {number}\"", ["red", "green", "blue"][number % 3])
    }),
    ("at most 40 characters", r#"{"type": "string", "maxLength": 40}"#, |number| {
        format!("\"item {number}\"")
    }),
    ("integers", r#"{"type": "integer"}"#, |number| (number * 7).to_string()),
    ("any values", "{}", |number| match number % 4 {
        0 => number.to_string(),
        1 => format!("\"item {number}\""),
        2 => format!(r#"[{number}, "x", null]"#),
        _ => format!(r#"{{"id": {number}, "on": true}}"#),
    }),
    ("pairs", r#"{"type": "array", "items": {"type": "integer"}}"#, |number| {
        format!("[{}, {}]", number / 100, number % 100)
    }),
    ("closed objects", FROM_TO, |number| format!(r#"{{"from": {}, "to": {}}}"#, number / 100, number % 100)),
    ("sets of words", r#"{"type": "array", "items": {"type": "string"}, "uniqueItems": true}"#, |number| {
        format!(r#"["item {number}", "word {}", "last"]"#, number / 2)
    }),
    (
        "15 flags",
        r#"{"type": "array", "items": {"type": "boolean"}, "minItems": 15, "maxItems": 15}"#,
        |number| {
            let flags: Vec<&str> = (0..15).map(|bit| ["false", "true"][number >> bit & 1]).collect();
            format!("[{}]", flags.join(", "))
        },
    ),
    ("open objects", r#"{"type": "object"}"#, |number| {
        format!(r#"{{"id": {number}, "name": "item {}", "tags": ["a", "b"]}}"#, number / 2)
    }),
    ("open objects in any order", r#"{"type": "object"}"#, |number| {
        let (id, name) = (format!(r#""id": {}"#, number / 2), format!(r#""name": "item {}""#, number / 3));
        match number % 2 {
            0 => format!(r#"{{{id}, {name}, "on": true}}"#),
            _ => format!(r#"{{"on": false, {name}, {id}}}"#),
        }
    }),
];

/// A closed object with two numbers.
const FROM_TO: &str = r#"{"type": "object", "properties": {"from": {"type": "integer"}, "to": {"type": "integer"}},
    "required": ["from", "to"], "additionalProperties": false}"#;

fn main() -> ExitCode {
    exit_code(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<bool> {
    let vocabulary = load_vocabulary(&arguments.vocabulary)?;
    let tokenizer = tokenizer(&vocabulary)?;
    println!("| items | in memory | mask p50 | p99 | commit p50 | p99 |");
    println!("|---|---|---|---|---|---|");
    for (name, items, item) in KINDS.into_iter().filter(|(name, ..)| name.contains(&*arguments.kind)) {
        let schema = format!(r#"{{"type": "array", "items": {items}, "uniqueItems": true}}"#);
        let artifact = compile(&Source::json_schema(&schema), &vocabulary, &Options::default())?;
        let session = Session::new(artifact, &vocabulary)?;
        for &known in &arguments.known {
            let all: Vec<String> = (0..known + MEASURED).map(item).collect();
            let text = format!("[{}]", all.join(", "));
            let tokens = tokenizer.tokenize(text.as_bytes())?.ids;
            let first = tokens.len() * known / (known + MEASURED);
            let mut least = vec![(Duration::MAX, Duration::MAX); tokens.len() - first];
            for _ in 0..arguments.readings {
                keep_least_times(&session, &tokens, &mut least)?;
            }
            let (mut masks, mut commits) = (Times::default(), Times::default());
            for (mask, commit) in least {
                masks.push(mask);
                commits.push(commit);
            }
            let ([mask, mask_99], [commit, commit_99]) =
                (masks.percentiles([500, 990]), commits.percentiles([500, 990]));
            println!("| {name} | {known} | {mask:.2?} | {mask_99:.2?} | {commit:.2?} | {commit_99:.2?} |");
        }
    }
    Ok(true)
}
