//! Instructions of the parts whose regressions matter, beside a table of what they should be.
//!
//! ```text
//! instructions [--table benches/instructions.tsv] [--update]
//! ```
//! Runs itself under Valgrind (`callgrind`), each part once with repetitions and once without: the difference, by repetition, is what the part
//! takes. Counts do not depend on what else the machine does, only on the code, the Rust compiler and the processor's kind. More than
//! [`TOLERANCE`] per cent above the table is a failure; `--update` writes the table anew.

use gcc_grammar_artifact::{Fingerprint, Fingerprints, GrammarView};
use gcc_grammar_benches::exit_code;
use gcc_grammar_benches::tokenization::{Random, at_random};
use gcc_grammar_compiler::{Options, compile};
use gcc_grammar_ir::Grammar;
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_runtime::{Engine, MaskRow, Matcher, TokenId, Tokens};
use gcc_grammar_vocabulary::Vocabulary;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::{env, fs};

/// Per cent above the table that are still the same.
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

/// A part, how often it is repeated, and what one repetition is.
const PARTS: [(&str, usize); 6] = [
    ("front end", 3),
    ("compile", 1),
    ("open", 3),
    ("read a text", 20),
    ("read a text, masks filled", 20),
    ("read a text, masks updated", 20),
];

struct TokenBytes(Vocabulary);

impl Tokens for TokenBytes {
    fn bytes(&self, token: TokenId) -> Option<&[u8]> {
        self.0.bytes(token.0)
    }

    fn fingerprint(&self) -> Fingerprint {
        self.0.fingerprint()
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let outcome = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["repeat", part, times] => repeat(part, times.parse().unwrap_or(0)).map(|()| true),
        words => check(words),
    };
    exit_code(outcome)
}

/// Whether nothing takes more than the table says.
fn check(words: &[&str]) -> Result<bool, String> {
    let mut table = PathBuf::from("benches/instructions.tsv");
    let mut update = false;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--table" => table = words.next().ok_or("--table wants a file")?.into(),
            "--update" => update = true,
            _ => return Err("instructions [--table FILE] [--update]".to_owned()),
        }
    }
    let known = fs::read_to_string(&table).unwrap_or_default();
    let mut fine = true;
    let mut lines = String::new();
    println!("| part | instructions | table | |\n|---|---|---|---|");
    for (part, times) in PARTS {
        let count = (instructions(part, times)? - instructions(part, 0)?) / times as u64;
        let _ = writeln!(lines, "{part}\t{count}");
        let old =
            known.lines().find_map(|line| line.strip_prefix(part)?.strip_prefix('\t')?.parse::<u64>().ok());
        let change = old.map(|old| 100.0 * (count as f64 / old.max(1) as f64 - 1.0));
        fine &= change.is_some_and(|change| change <= TOLERANCE);
        let [old, change] = [old.map(|old| old.to_string()), change.map(|change| format!("{change:+.1} %"))]
            .map(Option::unwrap_or_default);
        println!("| {part} | {count} | {old} | {change} |");
    }
    if update {
        fs::write(&table, lines).map_err(|error| format!("{}: {error}", table.display()))?;
    }
    Ok(fine || update)
}

/// All instructions of this program repeating a part so often.
fn instructions(part: &str, times: usize) -> Result<u64, String> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
    let output = valgrind.args(["repeat", part, &times.to_string()]).output();
    let output = output.map_err(|error| format!("valgrind: {error}; install it to count instructions"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let count = text.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    count.filter(|_| output.status.success()).ok_or_else(|| format!("{part}: {text}"))
}

/// All bytes, and words of letters that are frequent in JSON, always the same.
fn vocabulary() -> Result<Vocabulary, String> {
    const LETTERS: &[u8] = b"etaoinshrdlu \"\":,{}[]0123456789-._";
    let mut random = Random(6);
    let mut words: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
    for _ in 0..8_000 {
        let length = 2 + random.below(6);
        words.push((0..length).map(|_| LETTERS[random.below(LETTERS.len())]).collect());
    }
    for word in ["name", "kind", "size", "when", "tags", "\": \"", "\", \"", "{\"", "ing", "tion", "opened"] {
        words.push(word.as_bytes().to_vec());
    }
    words.sort();
    words.dedup();
    let end = words.len() as u32;
    let tokens = (0..).zip(words).collect();
    Vocabulary::from_tokens(tokens, Vec::new(), vec![end], end + 1).map_err(|error| error.to_string())
}

fn grammar() -> Result<Grammar, String> {
    let compiled = json_schema::compile(SCHEMA, &json_schema::Options::default());
    compiled.map(|compiled| compiled.grammar).map_err(|errors| format!("{errors:?}"))
}

fn artifact(grammar: &Grammar, vocabulary: &TokenBytes) -> Result<Vec<u8>, String> {
    let compiled = compile(grammar, &vocabulary.0, &Options::default(), &mut ())
        .map_err(|error| format!("{error:?}"))?;
    let fingerprints = Fingerprints { vocabulary: vocabulary.fingerprint(), ..Fingerprints::default() };
    Ok(compiled.tables.write(fingerprints, Vec::new()))
}

/// Prepares everything, and does one part so often.
fn repeat(part: &str, times: usize) -> Result<(), String> {
    let vocabulary = TokenBytes(vocabulary()?);
    let parsed = grammar()?;
    let bytes = artifact(&parsed, &vocabulary)?;
    let view = GrammarView::open(&bytes).map_err(|error| error.to_string())?;
    let engine = Engine::new(view, &vocabulary).map_err(|error| error.to_string())?;
    let tokens = at_random(&vocabulary.0, TEXT.as_bytes(), &mut Random(7)).ok_or("a text without tokens")?;
    let mut scratch = vec![0; engine.scratch_words()];
    let mut matcher = Matcher::new(&engine, &mut scratch, 1).map_err(|error| error.to_string())?;
    let (mut filled, mut words) = (vec![0; engine.row_words()], vec![0; engine.row_words()]);
    let mut row = MaskRow::new(&mut words);
    for _ in 0..times {
        match part {
            "front end" => drop(black_box(grammar()?)),
            "compile" => drop(black_box(artifact(&parsed, &vocabulary)?)),
            "open" => {
                black_box(GrammarView::open(&bytes).map_err(|error| error.to_string())?);
            }
            _ => {
                matcher.reset();
                let mut read = |token| {
                    match part {
                        "read a text, masks filled" => matcher.fill_mask(&mut filled)?,
                        "read a text, masks updated" => matcher.update_mask(&mut row)?,
                        _ => {}
                    }
                    matcher.commit(token)
                };
                tokens
                    .iter()
                    .try_for_each(|&token| read(TokenId(token)))
                    .map_err(|error| error.to_string())?;
            }
        }
    }
    Ok(())
}
