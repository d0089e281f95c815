//! Small inputs of each kind, with the project's goals for them beside what they cost.
//!
//! ```text
//! formats [--grammars FOLDER] [--vocab llama3] [--runs 20]
//! ```
//! What Koo, Liu and He compile (Automata-based constraints for language model decoding, 2024, appendix C.4): a multiple choice, a date
//! and time after ISO 8601, an IP address, quoted text, a JSON object. `FOLDER` has the Lark grammars `json_ws`, `sql`, `ambig` and `c89` with texts to accept
//! and to refuse (`NAME.ok.txt`, `NAME.bad.txt`). Compile times include front end and writing, the vocabulary is there;
//! p50 of all runs. Masks are those of the accepted texts, each read as often. Exit code 1 if a verdict is wrong.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_benches::exit_code;
use gcc_grammar_benches::language::{TokenBytes, parse};
use gcc_grammar_benches::replay::{Costs, Verdict, replay};
use gcc_grammar_benches::times::Times;
use gcc_grammar_benches::tokenization::tokenizer;
use gcc_grammar_compiler::Options;
use gcc_grammar_ir::Grammar;
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_notations::{choices, regex};
use gcc_grammar_regular::{PatternFlags, RegularLimits};
use gcc_grammar_runtime::{Engine, Matcher};
use gcc_grammar_vocabulary::Tokenizer;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs};

const DATE_TIME: &str = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)";
const IP_ADDRESS: &str = r"((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)";
const CHARACTER: &str = r#"{"type": "object", "properties": {
    "name": {"type": "string", "maxLength": 10}, "age": {"type": "integer"}, "armor": {"enum": ["leather", "chainmail", "plate"]},
    "weapon": {"enum": ["sword", "axe", "mace", "spear", "bow", "crossbow"]}, "strength": {"type": "integer"}},
    "required": ["name", "age", "armor", "weapon", "strength"], "additionalProperties": false}"#;

/// An input, texts, and what it may cost.
struct Entry {
    name: &'static str,
    source: Source,
    accept: Vec<String>,
    reject: Vec<String>,
    goals: Goals,
}

enum Source {
    Choices(&'static [&'static str]),
    Regex(&'static str),
    Schema(&'static str),
    Lark(PathBuf),
}

struct Goals {
    compile: Option<Duration>,
    mask_p50: Duration,
    mask_p99: Option<Duration>,
}

/// What it did cost.
struct Measured {
    compile: Duration,
    bytes: usize,
    mask_p50: Duration,
    mask_p99: Duration,
    commit_p50: Duration,
    right: bool,
}

fn main() -> ExitCode {
    exit_code(run(env::args().skip(1)).map_err(|error| error.to_string()))
}

/// Whether every verdict is right.
fn run(mut words: impl Iterator<Item = String>) -> Result<bool, Box<dyn Error>> {
    let (mut folder, mut vocabulary, mut runs) = (None, "llama3".to_owned(), 20);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} wants a value"))?;
        match word.as_str() {
            "--grammars" => folder = Some(PathBuf::from(value)),
            "--vocab" => vocabulary = value,
            "--runs" => runs = value.parse()?,
            _ => {
                return Err(format!(
                    "unknown argument {word}; formats [--grammars FOLDER] [--vocab NAME] [--runs N]"
                )
                .into());
            }
        }
    }
    let mut entries = koo();
    if let Some(folder) = folder {
        entries.extend(grammars(&folder)?);
    }
    let vocabulary = TokenBytes::built_in(&vocabulary)?;
    let tokenizer = tokenizer(&vocabulary.0)?;
    println!(
        "| | compile p50 | artifact | mask p50 | mask p99 | commit p50 | verdicts |\n|---|---|---|---|---|---|---|"
    );
    let mut right = true;
    for entry in &entries {
        let measured = entry.measure(&vocabulary, &tokenizer, runs)?;
        entry.print(&measured);
        right &= measured.right;
    }
    println!(
        "\ncopying a row of this vocabulary takes {:.2?}",
        copy(vocabulary.0.vocabulary.width() as usize)
    );
    Ok(right)
}

fn koo() -> Vec<Entry> {
    let text = |text: &str| text.to_owned();
    let entry = |name, source, accept: &str, reject: &str| Entry {
        name,
        source,
        accept: vec![text(accept)],
        reject: vec![text(reject)],
        goals: Goals {
            compile: Some(Duration::from_millis(5)),
            mask_p50: Duration::from_nanos(300),
            mask_p99: None,
        },
    };
    let character =
        r#"{"name": "Aldo", "age": 41, "armor": "chainmail", "weapon": "crossbow", "strength": 17}"#;
    vec![
        entry("multiple choice", Source::Choices(&["Yes", "No", "Perhaps"]), "Perhaps", "Maybe"),
        entry(
            "ISO date and time",
            Source::Regex(DATE_TIME),
            "2024-07-11T09:05:59.25+02:00",
            "2024-13-11T09:05:59Z",
        ),
        entry("IP address", Source::Regex(IP_ADDRESS), "192.168.250.7", "192.168.256.7"),
        entry(
            "quoted text",
            Source::Regex("(?P<QUOTED_TEXT>)"),
            r#""It was a bright cold day in April, and the clocks were striking \"thirteen\".""#,
            r#""It was" a"#,
        ),
        entry(
            "JSON object",
            Source::Schema(CHARACTER),
            character,
            &character.replace("Aldo", "Aldo of the Hill"),
        ),
    ]
}

fn grammars(folder: &Path) -> Result<Vec<Entry>, Box<dyn Error>> {
    let compile = [("json_ws", Some(20)), ("sql", Some(600)), ("ambig", None), ("c89", Some(3_000))];
    let texts = |name: String| {
        let path = folder.join(name);
        if path.exists() { fs::read_to_string(path).map(|text| vec![text]) } else { Ok(Vec::new()) }
    };
    let entry = |(name, compile): (&'static str, Option<u64>)| {
        let mut accept = texts(format!("{name}.ok.txt"))?;
        if name == "json_ws" && accept.is_empty() {
            accept.push(
                r#"{"name": "Ada", "tags": [1, 2.5e3, null, true], "nested": {"text": "one \"two\""}}"#
                    .to_owned(),
            );
        }
        Ok(Entry {
            name,
            source: Source::Lark(folder.join(name).with_extension("lark")),
            accept,
            reject: texts(format!("{name}.bad.txt"))?,
            goals: Goals {
                compile: compile.map(Duration::from_millis),
                mask_p50: Duration::from_micros(1),
                mask_p99: Some(Duration::from_micros(5)),
            },
        })
    };
    compile.into_iter().map(entry).collect()
}

impl Source {
    fn grammar(&self) -> Result<Grammar, Box<dyn Error>> {
        let limits = RegularLimits::default();
        let parsed = match self {
            Self::Choices(texts) => choices::of(texts.iter().copied()),
            Self::Regex(pattern) => regex::parse(pattern, PatternFlags::default(), &limits),
            Self::Schema(schema) => {
                let compiled = json_schema::compile(schema, &json_schema::Options::default());
                return compiled
                    .map(|compiled| compiled.grammar)
                    .map_err(|errors| format!("{errors:?}").into());
            }
            Self::Lark(path) => return Ok(parse(&path.to_string_lossy())?.grammar),
        };
        parsed.map(|parsed| parsed.grammar).map_err(|errors| format!("{errors:?}").into())
    }
}

impl Entry {
    fn measure(
        &self,
        vocabulary: &TokenBytes,
        tokenizer: &Tokenizer<'_>,
        runs: usize,
    ) -> Result<Measured, Box<dyn Error>> {
        let mut times = Times::default();
        let mut artifact = Vec::new();
        for _ in 0..runs.max(1) {
            let start = Instant::now();
            let compiled = vocabulary.compile(&self.source.grammar()?, &Options::default());
            (artifact, _) = compiled.map_err(|error| format!("{}: {error:?}", self.name))?;
            times.push(start.elapsed());
        }
        let engine = Engine::new(GrammarView::open(&artifact)?, vocabulary)?;
        let mut scratch = vec![0; engine.scratch_words()];
        let mut matcher = Matcher::new(&engine, &mut scratch, 1)?;
        let mut costs = Costs::default();
        let mut right = true;
        for (texts, accepted) in [(&self.accept, true), (&self.reject, false)] {
            for text in texts {
                let tokens = tokenizer.tokenize(text.as_bytes())?.ids;
                for _ in 0..runs.max(1) {
                    let mut others = Costs::default();
                    let costs = if accepted { &mut costs } else { &mut others };
                    right &= (replay(&mut matcher, &tokens, costs) == Verdict::Accepted) == accepted;
                }
            }
        }
        Ok(Measured {
            compile: times.per_mille(500),
            bytes: artifact.len(),
            mask_p50: costs.mask.per_mille(500),
            mask_p99: costs.mask.per_mille(990),
            commit_p50: costs.commit.per_mille(500),
            right,
        })
    }

    fn print(&self, measured: &Measured) {
        let beside = |time: Duration, goal: Option<Duration>| match goal {
            Some(goal) if time <= goal => format!("{time:.2?} (≤ {goal:.0?})"),
            Some(goal) => format!("{time:.2?} (≤ {goal:.0?}: not met)"),
            None => format!("{time:.2?}"),
        };
        let Measured { compile, bytes, mask_p50, mask_p99, commit_p50, right } = measured;
        println!(
            "| {} | {} | {:.1} KB | {} | {} | {commit_p50:.2?} | {} |",
            self.name,
            beside(*compile, self.goals.compile),
            *bytes as f64 / 1e3,
            beside(*mask_p50, Some(self.goals.mask_p50)),
            beside(*mask_p99, self.goals.mask_p99),
            if *right { "right" } else { "WRONG" },
        );
    }
}

/// The floor of a mask: p50 of copying a row of so many tokens between places in the cache.
fn copy(tokens: usize) -> Duration {
    let source = vec![1u32; tokens.div_ceil(32)];
    let mut target = vec![0u32; source.len()];
    let mut times = Times::default();
    for _ in 0..10_000 {
        let start = Instant::now();
        std::hint::black_box(&mut target).copy_from_slice(std::hint::black_box(&source));
        times.push(start.elapsed());
    }
    times.per_mille(500)
}
