//! Measures masks with and without canonical tokens, and what canonical tables take.
//!
//! ```text
//! canonical [--vocab llama3] [--turns N]
//! ```
//! Each row is a schema with a text of it, cut by the model's own tokenizer. The times are those of the masks of all places, in the first turn, in which the sets of tokens are
//! made, and in the turns after it.

use clap::Parser;
use gcc_grammar::{MatcherOptions, Options, Session, Source, compile};
use gcc_grammar_benches::language::load_vocabulary;
use gcc_grammar_benches::times::Times;
use gcc_grammar_benches::tokenization::tokenizer;
use gcc_grammar_benches::{Result, exit_code};
use std::process::ExitCode;
use std::time::Instant;

/// Measures canonical masks.
#[derive(Parser)]
struct Arguments {
    /// The vocabulary: the name of a built-in one.
    #[arg(long = "vocab", default_value = "llama3")]
    vocabulary: String,
    /// How often the texts are read after the first time.
    #[arg(long, default_value_t = 20)]
    turns: usize,
}

/// Names, schemas and texts.
const KINDS: [(&str, &str, &str); 4] = [
    (
        "strings",
        r#"{"type": "object", "properties": {"title": {"type": "string"}, "body": {"type": "string"}}, "required": ["title", "body"]}"#,
        r#"{"title": "What a tokenizer writes", "body": "A model was trained on the tokens of its tokenizer; 3,141 others spell the same text, it's true.\n\n  (See the paper.)"}"#,
    ),
    (
        "numbers",
        r#"{"type": "array", "items": {"type": "number"}}"#,
        "[1, 12, 123, 1234, 12345, 3.14159, 2.5e10, -7, 1000000, 65536]",
    ),
    (
        "enumeration",
        r#"{"type": "array", "items": {"enum": ["international", "internal", "inter", "green", "greenish blue", 12345, 123, null]}}"#,
        r#"["international", "inter", "greenish blue", 12345, "green", null, "internal", 123]"#,
    ),
    (
        "any",
        "{}",
        r#"{"a": [1, true, "two words", {"b": null}], "Ünïcode": "漢字かな 😀", "c": "x = y + 1;"}"#,
    ),
];

fn main() -> ExitCode {
    exit_code(run(&Arguments::parse()).map(|()| true))
}

/// The times of the masks of all places of a text.
fn masks(session: &Session, options: &MatcherOptions, ids: &[u32], times: &mut Times) -> Result<()> {
    let mut matcher = session.matcher_with(options)?;
    let mut row = vec![0; session.row_words()];
    for &token in ids {
        let begun = Instant::now();
        matcher.fill_mask(&mut row)?;
        times.push(begun.elapsed());
        matcher.commit(token)?;
    }
    Ok(())
}

fn run(arguments: &Arguments) -> Result<()> {
    let vocabulary = load_vocabulary(&arguments.vocabulary)?;
    let cut = tokenizer(&vocabulary)?;
    let begun = Instant::now();
    let tables = cut.canonical().ok_or("the tokenizer is not known so well")?;
    println!("tables: {:.0} ms", begun.elapsed().as_secs_f64() * 1e3);
    drop(tables);
    println!("{:14} {:10} {:>8} {:>10} {:>10} {:>10}", "", "", "masks", "p50, µs", "p99, µs", "most, µs");
    for (name, schema, text) in KINDS {
        let artifact = compile(&Source::json_schema(schema), &vocabulary, &Options::default())?;
        let session = Session::new(artifact, &vocabulary)?;
        let ids = cut.tokenize(text.as_bytes())?.ids;
        for (kind, canonical, turns) in
            [("all", false, arguments.turns), ("first turn", true, 1), ("canonical", true, arguments.turns)]
        {
            let options = MatcherOptions { canonical, ..MatcherOptions::default() };
            let mut times = Times::default();
            for _ in 0..turns {
                masks(&session, &options, &ids, &mut times)?;
            }
            let [p50, p99, most] = times.percentiles([500, 990, 1000]).map(|time| time.as_secs_f64() * 1e6);
            println!("{name:14} {kind:10} {:>8} {p50:>10.1} {p99:>10.1} {most:>10.1}", turns * ids.len());
        }
    }
    Ok(())
}
