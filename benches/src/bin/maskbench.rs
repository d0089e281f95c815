//! MaskBench through the whole pipeline: compile, open, and mask and commit for every token of every instance.
//!
//! ```text
//! maskbench FOLDER [--vocab llama3] [--sample N] [--seed 0] [--threads 1] [--only PART_OF_NAME] [--passes 1] [--allow] [--list]
//! ```
//! A case is a file with `schema` and `tests` (`data`, `valid`). Instances are written with `", "` and `": "`, their keys as they come, and
//! cut into tokens by the vocabulary's own tokenizer. TTFM is the time from the text of the schema to the first mask, TBM a mask and the
//! commit of its token; with several passes the least of a position counts. `--allow` compiles schemas that cannot be enforced
//! exactly, `--list` names the cases behind the numbers.

use gcc_grammar::{CompileError, Options, compile};
use gcc_grammar_artifact::{Fingerprints, GrammarView};
use gcc_grammar_benches::exit_code;
use gcc_grammar_benches::json::spaced;
use gcc_grammar_benches::language::TokenBytes;
use gcc_grammar_benches::replay::{Costs, Verdict, replay};
use gcc_grammar_benches::times::{Summary, Times, nearest_rank};
use gcc_grammar_benches::tokenization::{sample, tokenizer};
use gcc_grammar_frontends::json_schema::{self, Unenforced};
use gcc_grammar_runtime::{Engine, Matcher, Tokens};
use gcc_grammar_vocabulary::Tokenizer;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs};

struct Arguments {
    folder: PathBuf,
    vocabulary: String,
    sample: usize,
    seed: u64,
    threads: usize,
    passes: usize,
    only: String,
    allow: bool,
    list: bool,
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let usage = "maskbench FOLDER [--vocab NAME] [--sample N] [--seed N] [--threads N] [--passes N] \
                     [--only PART_OF_NAME] [--allow] [--list]";
        let mut arguments = Self {
            folder: PathBuf::from(words.next().ok_or(usage)?),
            vocabulary: "llama3".to_owned(),
            sample: usize::MAX,
            seed: 0,
            threads: 1,
            passes: 1,
            only: String::new(),
            allow: false,
            list: false,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} wants a value"));
            let number =
                |value: String| value.parse::<usize>().map_err(|_| format!("{value} is not a number"));
            match word.as_str() {
                "--allow" => arguments.allow = true,
                "--list" => arguments.list = true,
                "--only" => arguments.only = value()?,
                "--vocab" => arguments.vocabulary = value()?,
                "--sample" => arguments.sample = number(value()?)?,
                "--seed" => arguments.seed = number(value()?)? as u64,
                "--threads" => arguments.threads = number(value()?)?.max(1),
                "--passes" => arguments.passes = number(value()?)?.max(1),
                _ => return Err(format!("unknown argument {word}; {usage}")),
            }
        }
        Ok(arguments)
    }

    /// All cases whose names hold `only`, or a random choice of them, sorted.
    fn cases(&self) -> Result<Vec<PathBuf>, String> {
        let entries =
            fs::read_dir(&self.folder).map_err(|error| format!("{}: {error}", self.folder.display()))?;
        let mut cases: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        cases.retain(|path| {
            path.extension().is_some_and(|extension| extension == "json")
                && path.to_string_lossy().contains(&self.only)
        });
        sample(&mut cases, self.sample, self.seed);
        Ok(cases)
    }
}

/// What became of a case.
struct Outcome {
    name: String,
    /// Why it was not compiled.
    refused: Option<String>,
    /// From the text of the schema to the first mask.
    first_mask: Duration,
    /// Of the artifact.
    bytes: usize,
    opening: Duration,
    /// Mask and commit of every token.
    steps: Vec<Duration>,
    valid_refused: Vec<usize>,
    invalid_accepted: Vec<usize>,
    /// Instances at which the scratch overflowed, or mask and commit disagreed.
    failed: Vec<usize>,
}

/// What all cases share.
struct Setting<'a> {
    arguments: &'a Arguments,
    vocabulary: &'a TokenBytes,
    tokenizer: &'a Tokenizer<'a>,
}

fn main() -> ExitCode {
    exit_code(Arguments::read(env::args().skip(1)).and_then(|arguments| run(&arguments)))
}

/// Whether no verdict was wrong.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let cases = arguments.cases()?;
    let vocabulary = TokenBytes::built_in(&arguments.vocabulary)?;
    let setting = Setting { arguments, vocabulary: &vocabulary, tokenizer: &tokenizer(&vocabulary.0)? };
    let outcomes = Mutex::new(BTreeMap::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..arguments.threads {
            scope.spawn(|| {
                while let Some(path) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let outcome = setting.case(path);
                    if let Ok(mut outcomes) = outcomes.lock() {
                        outcomes.insert(path, outcome);
                    }
                }
            });
        }
    });
    let outcomes: Result<Vec<Outcome>, String> =
        outcomes.into_inner().map_err(|error| error.to_string())?.into_values().collect();
    print(&outcomes?, arguments.list)
}

impl Setting<'_> {
    fn case(&self, path: &Path) -> Result<Outcome, String> {
        let read =
            || Ok::<Value, Box<dyn std::error::Error>>(serde_json::from_str(&fs::read_to_string(path)?)?);
        let case = read().map_err(|error| format!("{}: {error}", path.display()))?;
        let mut outcome = Outcome {
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            refused: None,
            first_mask: Duration::ZERO,
            bytes: 0,
            opening: Duration::ZERO,
            steps: Vec::new(),
            valid_refused: Vec::new(),
            invalid_accepted: Vec::new(),
            failed: Vec::new(),
        };
        let start = Instant::now();
        match self.compile(&case["schema"].to_string()) {
            Err(reason) => outcome.refused = Some(reason),
            Ok(artifact) => {
                outcome.bytes = artifact.len();
                let compiled = start.elapsed();
                self.decode(&artifact, &case, &mut outcome)?;
                outcome.first_mask += compiled;
            }
        }
        Ok(outcome)
    }

    /// The artifact, or why there is none.
    fn compile(&self, schema: &str) -> Result<Vec<u8>, String> {
        let unenforced = if self.arguments.allow { Unenforced::Allow } else { Unenforced::Refuse };
        let options = json_schema::Options { unenforced, ..json_schema::Options::default() };
        let reason = |code: &str, message: &str| {
            let text = message.split(&['"', '<'][..]).next().unwrap_or_default();
            format!("{code}: {:.90}", text.trim_end())
        };
        let parsed = json_schema::compile(schema, &options).map_err(|errors| {
            errors.first().map_or_else(String::new, |error| reason(error.code, &error.message))
        })?;
        let compiled = compile(&parsed.grammar, &self.vocabulary.0.vocabulary, &Options::default(), &mut ());
        let compiled = compiled.map_err(|error| match error {
            CompileError::OverBudget(over) => format!("over-budget: {over}"),
            CompileError::Grammar(errors) => {
                errors.first().map_or_else(String::new, |error| reason(error.code, &error.message))
            }
        })?;
        let vocabulary = self.vocabulary.fingerprint();
        Ok(compiled.tables.write(Fingerprints { vocabulary, ..Fingerprints::default() }, Vec::new()))
    }

    fn decode(&self, artifact: &[u8], case: &Value, outcome: &mut Outcome) -> Result<(), String> {
        let start = Instant::now();
        let grammar = GrammarView::open(artifact).map_err(|error| error.to_string())?;
        outcome.opening = start.elapsed();
        let engine = Engine::new(grammar, self.vocabulary).map_err(|error| error.to_string())?;
        let mut scratch = vec![0; engine.scratch_words()];
        let mut matcher = Matcher::new(&engine, &mut scratch, 1).map_err(|error| error.to_string())?;
        let mut row = vec![0; engine.row_words()];
        matcher.fill_mask(&mut row).map_err(|error| error.to_string())?;
        outcome.first_mask = start.elapsed();
        for (index, test) in case["tests"].as_array().into_iter().flatten().enumerate() {
            let tokens = self.tokenizer.tokenize(spaced(&test["data"]).as_bytes());
            let tokens = tokens.map_err(|error| error.to_string())?.ids;
            let (mut verdict, mut best) = (Verdict::Accepted, Vec::new());
            for _ in 0..self.arguments.passes {
                let mut costs = Costs::default();
                verdict = replay(&mut matcher, &tokens, &mut costs);
                least(&mut best, &costs);
            }
            outcome.steps.append(&mut best);
            match (verdict, test["valid"].as_bool()) {
                (Verdict::Accepted, Some(false)) => outcome.invalid_accepted.push(index),
                (Verdict::Refused(_) | Verdict::Incomplete, Some(true)) => outcome.valid_refused.push(index),
                (Verdict::Overflow(_) | Verdict::Inconsistent(_), _) => outcome.failed.push(index),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Keeps the least of each position.
fn least(best: &mut Vec<Duration>, costs: &Costs) {
    let steps = costs.mask.iter().zip(costs.commit.iter()).map(|(mask, commit)| mask + commit);
    if best.is_empty() {
        best.extend(steps);
    } else {
        best.iter_mut().zip(steps).for_each(|(best, step)| *best = step.min(*best));
    }
}

/// Prints everything; whether no verdict is wrong.
fn print(outcomes: &[Outcome], list: bool) -> Result<bool, String> {
    let compiled = || outcomes.iter().filter(|outcome| outcome.refused.is_none());
    println!("cases     {}, compiled {}", outcomes.len(), compiled().count());
    let mut clean = true;
    type Instances = fn(&Outcome) -> &Vec<usize>;
    let wrong: [(&str, Instances); 3] = [
        ("with valid instances refused", |outcome| &outcome.valid_refused),
        ("with invalid instances accepted", |outcome| &outcome.invalid_accepted),
        ("failed", |outcome| &outcome.failed),
    ];
    for (what, instances) in wrong {
        let cases: Vec<&Outcome> = compiled().filter(|outcome| !instances(outcome).is_empty()).collect();
        println!("          {} {what}", cases.len());
        clean &= cases.is_empty();
        if list {
            cases.iter().for_each(|case| println!("            {} {:?}", case.name, instances(case)));
        }
    }
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for outcome in outcomes {
        outcome.refused.iter().for_each(|reason| reasons.entry(reason).or_default().push(&outcome.name));
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    for (reason, names) in reasons {
        println!("refused   {:>4}  {reason}", names.len());
        if list {
            names.iter().for_each(|name| println!("            {name}"));
        }
    }
    let times = |of: &dyn Fn(&Outcome) -> Duration| {
        let mut times = Times::default();
        compiled().for_each(|outcome| times.push(of(outcome)));
        [500, 900, 990, 1000].map(|per_mille| times.per_mille(per_mille))
    };
    let [p50, p90, p99, max] = times(&|outcome| outcome.first_mask);
    println!("TTFM      p50 {p50:.2?}, p90 {p90:.2?}, p99 {p99:.2?}, max {max:.2?}");
    let mut steps = Times::default();
    compiled().flat_map(|outcome| &outcome.steps).for_each(|&step| steps.push(step));
    println!("{}", Summary("TBM", [500, 990, 999, 1000].map(|per_mille| steps.per_mille(per_mille))));
    let [p50, p90, p99, max] = times(&|outcome| outcome.opening);
    println!("open      p50 {p50:.2?}, p90 {p90:.2?}, p99 {p99:.2?}, max {max:.2?}");
    let mut sizes: Vec<usize> = compiled().map(|outcome| outcome.bytes).collect();
    sizes.sort_unstable();
    let [p50, p90, p99, max] =
        [500, 900, 990, 1000].map(|rank| nearest_rank(&sizes, rank).unwrap_or(0) / 1024);
    println!("artifact  p50 {p50} KiB, p90 {p90} KiB, p99 {p99} KiB, max {max} KiB");
    if list {
        let mut slowest: Vec<&Outcome> = compiled().collect();
        slowest.sort_by_key(|outcome| std::cmp::Reverse(outcome.first_mask));
        let slow = slowest.iter().take(20);
        slow.for_each(|outcome| println!("slow      {:.2?} {}", outcome.first_mask, outcome.name));
    }
    Ok(clean)
}
