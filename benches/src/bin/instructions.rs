//! Counts the instructions of six parts of the system, and compares them with a table.
//!
//! ```text
//! instructions [--table benches/instructions.tsv] [--update]
//! ```
//! The program runs itself under Valgrind (`callgrind`), once with repetitions of a part and once without; the difference, divided by the
//! repetitions, is the count of the part. Counts depend on the code, the Rust compiler and the kind of processor, but not on the load of
//! the machine. The exit code is 1 if a count is more than [`TOLERANCE`] per cent above the table, or has no row in it. `--update` writes
//! the table.

use clap::Parser;
use gcc_grammar::json_schema;
use gcc_grammar_artifact::{Fingerprint, GrammarView, VocabularyBases};
use gcc_grammar_benches::callgrind::{self, vocabulary};
use gcc_grammar_benches::tokenization::{Random, at_random};
use gcc_grammar_benches::{Result, exit_code};
use gcc_grammar_compiler::{Options, compile};
use gcc_grammar_ir::Grammar;
use gcc_grammar_runtime::{Engine, Error, MaskRow, Matcher, TokenId, Tokens};
use gcc_grammar_vocabulary::Vocabulary;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::{env, fs};

/// Counts that exceed the table by at most this many per cent are accepted.
const TOLERANCE: f64 = 3.0;

const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "name": {"type": "string", "maxLength": 40},
    "kind": {"enum": ["open", "closed", "merged", "opened again"]},
    "size": {"type": "integer", "minimum": 0, "maximum": 9999},
    "when": {"type": "string", "format": "date"},
    "tags": {"type": "array", "items": {"type": "string", "pattern": "^[a-z]+(-[a-z]+)*$"}, "maxItems": 5},
    "rest": {"type": "object", "additionalProperties": {"type": "number"}}
  },
  "required": ["name", "kind", "size"]
}"#;

const TEXT: &str = r#"{"name": "Instruction counts", "kind": "opened again", "size": 271, "when": "2025-03-09", "tags": ["benches", "no-noise"], "rest": {"a": 1.5, "b": -2e10}}"#;

/// The parts, with the number of repetitions.
const PARTS: [(&str, usize); 6] = [
    ("front end", 3),
    ("compile", 1),
    ("open", 3),
    ("read a text", 20),
    ("read a text, masks filled", 20),
    ("read a text, masks updated", 20),
];

/// A vocabulary as the runtime takes it.
struct TokenBytes<'v>(&'v Vocabulary);

impl Tokens for TokenBytes<'_> {
    fn bytes(&self, token: TokenId) -> Option<&[u8]> {
        self.0.bytes(token.0)
    }

    fn width(&self) -> u32 {
        self.0.width()
    }

    fn fingerprint(&self) -> Fingerprint {
        self.0.fingerprint()
    }

    fn bases(&self) -> VocabularyBases<'_> {
        self.0.bases().view()
    }
}

/// Counts the instructions of six parts of the system, and compares them with a table.
#[derive(Parser)]
struct Arguments {
    /// The table with the known counts.
    #[arg(long, value_name = "FILE", default_value = "benches/instructions.tsv")]
    table: PathBuf,
    /// Write the table.
    #[arg(long)]
    update: bool,
}

fn main() -> ExitCode {
    // Under Valgrind the program gets a part and a number of repetitions.
    let words: Vec<String> = env::args().skip(1).collect();
    exit_code(match words.as_slice() {
        [word, part, times] if word == "repeat" => repeat(part, times.parse().unwrap_or(0)).map(|()| true),
        _ => check(&Arguments::parse()),
    })
}

/// Whether no count exceeds the table by more than the tolerance.
fn check(arguments: &Arguments) -> Result<bool> {
    let table = fs::read_to_string(&arguments.table).unwrap_or_default();
    let mut is_fine = true;
    let mut lines = String::new();
    println!("| part | instructions | table | |\n|---|---|---|---|");
    for (part, times) in PARTS {
        let count = (instructions(part, times)? - instructions(part, 0)?) / times as u64;
        let _ = writeln!(lines, "{part}\t{count}");
        let old =
            table.lines().find_map(|line| line.strip_prefix(part)?.strip_prefix('\t')?.parse::<u64>().ok());
        let change = old.map(|old| 100.0 * (count as f64 / old.max(1) as f64 - 1.0));
        is_fine &= change.is_some_and(|change| change <= TOLERANCE);
        let [old, change] = [old.map(|old| old.to_string()), change.map(|change| format!("{change:+.1} %"))]
            .map(Option::unwrap_or_default);
        println!("| {part} | {count} | {old} | {change} |");
    }
    if arguments.update {
        fs::write(&arguments.table, lines)
            .map_err(|error| format!("{}: {error}", arguments.table.display()))?;
    }
    Ok(is_fine || arguments.update)
}

/// The instructions of this program when it repeats a part this many times.
fn instructions(part: &str, times: usize) -> Result<u64> {
    callgrind::run(&["repeat", part, &times.to_string()]).map(|(count, _)| count)
}

fn grammar() -> Result<Arc<Grammar>> {
    let compiled = json_schema::compile(SCHEMA, &json_schema::Options::default());
    Ok(compiled.map_err(|errors| format!("{errors:?}"))?.grammar.into())
}

fn artifact(grammar: &Arc<Grammar>, vocabulary: &Vocabulary) -> Result<Vec<u8>> {
    Ok(compile(grammar, vocabulary, &Options::default(), &mut ())?.to_artifact(vocabulary))
}

/// Prepares all parts, and repeats one of them.
fn repeat(part: &str, times: usize) -> Result<()> {
    let vocabulary = vocabulary()?;
    let parsed = grammar()?;
    let bytes = artifact(&parsed, &vocabulary)?;
    let token_bytes = TokenBytes(&vocabulary);
    let engine = Engine::new(GrammarView::open(&bytes)?, &token_bytes)?;
    let tokens = at_random(&vocabulary, TEXT.as_bytes(), &mut Random(7)).ok_or("the text has no tokens")?;
    let mut scratch = vec![0; engine.scratch_words()];
    let mut matcher = Matcher::new(&engine, &mut scratch, 1)?;
    let (mut filled, mut words) = (vec![0; engine.row_words()], vec![0; engine.row_words()]);
    let mut row = MaskRow::new(&mut words);
    for _ in 0..times {
        match part {
            "front end" => drop(black_box(grammar()?)),
            "compile" => drop(black_box(artifact(&parsed, &vocabulary)?)),
            "open" => {
                black_box(GrammarView::open(&bytes)?);
            }
            "read a text" => read(&mut matcher, &tokens, |_| Ok(()))?,
            "read a text, masks filled" => read(&mut matcher, &tokens, |m| m.fill_mask(&mut filled))?,
            _ => read(&mut matcher, &tokens, |m| m.update_mask(&mut row))?,
        }
    }
    Ok(())
}

/// Commits all tokens of a text, and makes the mask before each.
fn read<'a, 's>(
    matcher: &mut Matcher<'a, 's>,
    tokens: &[u32],
    mut mask: impl FnMut(&mut Matcher<'a, 's>) -> Result<(), Error>,
) -> Result<(), Error> {
    matcher.reset();
    tokens.iter().try_for_each(|&token| {
        mask(matcher)?;
        matcher.commit(TokenId(token))
    })
}
