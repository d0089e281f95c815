//! Measures how long a schema that was never seen before takes to its first mask, and to its first output.
//!
//! ```text
//! first_mask [FOLDER] [--vocab llama3] [--sample N] [--seed 0] [--list] [--stages] [--alone [--again] [--behind]] [--repeat 1] [--only GROUP] [--file PATH …]
//! ```
//! For each schema, in one warm process and on one thread: the time from the text to the first mask, of all masks and commits of the first
//! output, and of the second one, when masks are made on demand and nothing is compiled in the background; beside the same with the artifact,
//! which is compiled first. The outputs are the valid instances of MaskBench files, or texts that the masks themselves give. All masks
//! on demand are compared with those of the artifact, bit by bit; the exit code is 1 if one differs. With `--file`, only these files are measured,
//! each as a group: the tool sets that `tool_sets --save` writes, for example.

use clap::Parser;
use gcc_grammar::{DemandOptions, Matcher, Notation, Observer, Options, Session, Source, Vocabulary};
use gcc_grammar::{compile, parse_for};
use gcc_grammar_artifact::ids::LrState;
use gcc_grammar_artifact::{Fingerprints, GrammarView};
use gcc_grammar_benches::cases::{Case, folder};
use gcc_grammar_benches::corpus::{files, sample};
use gcc_grammar_benches::language::load_vocabulary;
use gcc_grammar_benches::times::{Times, nearest_rank};
use gcc_grammar_benches::tokenization::{Random, tokenizer};
use gcc_grammar_benches::{Result, exit_code};
use gcc_grammar_compiler::{OnDemand, Prepared, compile_prepared};
use gcc_grammar_json_schema::forget;
use gcc_grammar_tests::sources::of_file;
use gcc_grammar_tokenizers::Tokenizer;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Tokens of an output that the masks give.
const RANDOM_TOKENS: usize = 100;

/// Measures how long a schema that was never seen before takes to its first mask, and to its first output.
#[derive(Parser)]
struct Arguments {
    /// The folder with the cases of MaskBench [default: the shared data].
    folder: Option<PathBuf>,
    /// The vocabulary: a built-in name, or a tokenizer file.
    #[arg(long = "vocab", default_value = "llama3")]
    vocabulary: String,
    /// The number of cases, chosen at random [default: all].
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    sample: usize,
    /// The seed of the random choice.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print each case.
    #[arg(long)]
    list: bool,
    /// Print what the stages before the first mask take, and, unless with --alone, the artifact behind it; nothing else.
    #[arg(long)]
    stages: bool,
    /// Print what the first mask takes, and nothing else: nothing is compiled, and no masks are compared.
    #[arg(long)]
    alone: bool,
    /// With --alone: tools that came before are known.
    #[arg(long)]
    again: bool,
    /// With --alone: the artifact is compiled in the background meanwhile, and the first output is measured, too. On one processor
    /// (`taskset -c 0`) both wait for each other.
    #[arg(long)]
    behind: bool,
    /// Only this group: everyday, MaskBench, or a language.
    #[arg(long, value_name = "GROUP")]
    only: Option<String>,
    /// Measures each case so many times with --stages or --alone.
    #[arg(long, default_value_t = 1)]
    repeat: usize,
    /// Only this schema, structural tag or grammar.
    #[arg(long = "file", value_name = "PATH")]
    files: Vec<PathBuf>,
}

/// The times of the stages, by name.
#[derive(Default)]
struct Stages {
    times: Vec<(&'static str, Times)>,
    running: Option<(&'static str, Instant)>,
}

impl Observer for Stages {
    fn stage(&mut self, name: &'static str) {
        let now = Instant::now();
        if let Some((before, since)) = self.running.replace((name, now)) {
            let place = self.times.iter().position(|(other, _)| *other == before);
            let place = place.unwrap_or_else(|| {
                self.times.push((before, Times::default()));
                self.times.len() - 1
            });
            self.times[place].1.push(now - since);
        }
    }
}

impl Stages {
    /// Does everything before the first mask, and the first mask; then makes the artifact from what is there, and from the source, unless the first mask
    /// is measured `alone`.
    fn measure(&mut self, source: &Source, vocabulary: &Vocabulary, alone: bool) -> Result<()> {
        forget();
        self.stage("front end");
        let parsed = parse_for(source, vocabulary, &Options::default())?;
        let options = gcc_grammar_compiler::Options::from(source.default_limits());
        let prepared = Prepared::new(&parsed.grammar, vocabulary.tokens(), &options, self)
            .map_err(|error| format!("{error:?}"))?;
        self.stage("tables");
        let tables = prepared.parser_tables().write(Fingerprints::default(), Vec::new());
        self.stage("first mask");
        let on_demand = OnDemand::new(&prepared, source.default_limits());
        let view = GrammarView::open_on_demand(&tables, &on_demand)?;
        let start = view.dwa_init(view.initial_lex_state());
        black_box(view.dwa_next(start, LrState(0)));
        if alone {
            self.stage("end");
            self.running = None;
            return Ok(());
        }
        self.stage("artifact behind");
        black_box(compile_prepared(&prepared, &mut ()).map_err(|error| format!("{error:?}"))?);
        forget();
        self.stage("artifact alone");
        let parsed = parse_for(source, vocabulary, &Options::default())?;
        black_box(gcc_grammar_compiler::compile(&parsed.grammar, vocabulary.tokens(), &options, &mut ()))
            .map_err(|error| format!("{error:?}"))?;
        self.stage("end");
        self.running = None;
        Ok(())
    }

    fn print(&mut self) {
        for (name, times) in &mut self.times {
            let [p50, p90, p99] = times.percentiles([500, 900, 990]).map(ms);
            println!("    {name:16} {p50:8.3} {p90:8.3} {p99:8.3} ms");
        }
    }
}

/// A source, and tokens of one of its texts, if some are known.
struct Case1 {
    name: String,
    source: Source,
    tokens: Option<Vec<u32>>,
}

/// The times of one way to make masks.
#[derive(Default)]
struct Figures {
    first_mask: Times,
    first_output: Times,
    both: Times,
    second_output: Times,
    /// Masks of the first and of the second output.
    masks: [Times; 2],
    /// What a session takes after both outputs, in bytes.
    bytes: Vec<u64>,
}

fn main() -> ExitCode {
    exit_code(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<bool> {
    let vocabulary = load_vocabulary(&arguments.vocabulary)?;
    let tokenizer = tokenizer(&vocabulary)?;
    // Tables that depend on the vocabulary alone are made once per process.
    warm(&vocabulary)?;
    println!(
        "| schemas | way | first mask p50 / p90 / p99 | first output p50 / p99 | both p50 / p99 | second output p50 | a mask: first visit p50 / p99, then | memory p50 / p90 |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut is_right = true;
    if !arguments.files.is_empty() {
        for path in &arguments.files {
            let source = of_file(path).ok_or_else(|| format!("{} is not an input", path.display()))?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let case = Case1 { name: name.clone(), source, tokens: None };
            is_right &= group(&name, &[case], &vocabulary, arguments)?;
        }
        return Ok(is_right);
    }
    let everyday = files(&[Path::new(env!("CARGO_MANIFEST_DIR")).join("everyday")])?;
    let everyday = everyday.iter().filter(|path| path.extension().is_some_and(|e| e == "json"));
    let everyday: Vec<Case1> = everyday.map(|path| schema_file(path)).collect::<Result<_>>()?;
    is_right &= group("everyday", &everyday, &vocabulary, arguments)?;
    let languages = ["json", "sql", "c89", "java", "python"].iter().filter_map(|name| {
        Some(Case1 { name: (*name).to_owned(), source: Source::bundled(name)?, tokens: None })
    });
    let languages: Vec<Case1> = languages.collect();
    for language in &languages {
        is_right &= group(&language.name.clone(), std::slice::from_ref(language), &vocabulary, arguments)?;
    }
    if let Some(folder) = folder(arguments.folder.as_deref()) {
        let mut paths = files(&[folder])?;
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        sample(&mut paths, arguments.sample, arguments.seed);
        let cases: Vec<Case1> = paths.iter().filter_map(|path| maskbench(path, &tokenizer).ok()).collect();
        is_right &= group("MaskBench", &cases, &vocabulary, arguments)?;
    }
    Ok(is_right)
}

fn warm(vocabulary: &Vocabulary) -> Result<()> {
    let source =
        Source::new(Notation::JsonSchema, r#"{"type":"object","properties":{"a":{"type":"string"}}}"#);
    compile(&source, vocabulary, &Options::default())?;
    Ok(())
}

fn schema_file(path: &Path) -> Result<Case1> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Case1 { name, source: Source::new(Notation::JsonSchema, fs::read_to_string(path)?), tokens: None })
}

/// A case with its first valid instance.
fn maskbench(path: &Path, tokenizer: &Tokenizer) -> Result<Case1> {
    let case = Case::open(path)?;
    let valid = case.tests.iter().find(|test| test.is_valid);
    let tokens = valid.map(|test| tokenizer.tokenize(test.instance.spaced().as_bytes())).transpose()?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let source = Source::new(Notation::JsonSchema, case.schema.to_string());
    Ok(Case1 { name, source, tokens: tokens.map(|tokens| tokens.ids) })
}

/// Measures the time to the first mask of all cases of a group, and to the end of the first output with --behind: the least of all
/// repetitions.
fn alone(name: &str, cases: &[Case1], vocabulary: &Vocabulary, arguments: &Arguments) -> Result<bool> {
    let (mut times, mut outputs, mut refused) = (Times::default(), Times::default(), 0);
    let demand = DemandOptions { completes: arguments.behind, ..ALONE };
    for case in cases {
        let (mut own, mut whole) = (Times::default(), Times::default());
        for _ in 0..arguments.repeat {
            if !arguments.again {
                forget();
            }
            let start = Instant::now();
            if let Ok((session, _)) =
                Session::on_demand(&case.source, vocabulary, &Options::default(), &demand)
            {
                let mut matcher = session.matcher()?;
                own.push(first_mask(&session, start)?);
                if arguments.behind {
                    read(&mut matcher, case.tokens.as_deref().unwrap_or_default())?;
                    whole.push(start.elapsed());
                    let _may_exceed_a_limit = session.complete();
                }
            }
        }
        refused += usize::from(own.is_empty());
        let least = own.per_mille(0);
        if arguments.list && !own.is_empty() {
            println!("{}: {:.2} ms", case.name, ms(least));
        }
        if !own.is_empty() {
            times.push(least);
            outputs.push(whole.per_mille(0));
        }
    }
    let [p50, p90, p99, worst] = times.percentiles([500, 900, 990, 1000]).map(ms);
    println!(
        "{name} ({} of {}): first mask {p50:.2} / {p90:.2} / {p99:.2} / {worst:.2} ms",
        cases.len() - refused,
        cases.len()
    );
    if arguments.behind {
        let [p50, p90, p99, worst] = outputs.percentiles([500, 900, 990, 1000]).map(ms);
        println!("with the first output {p50:.2} / {p90:.2} / {p99:.2} / {worst:.2} ms");
    }
    Ok(true)
}

/// Measures all cases of a group, and prints its rows. Returns whether all masks are the same.
fn group(name: &str, cases: &[Case1], vocabulary: &Vocabulary, arguments: &Arguments) -> Result<bool> {
    let (mut demand, mut artifact) = (Figures::default(), Figures::default());
    let mut is_right = true;
    if arguments.only.as_ref().is_some_and(|only| only != name) {
        return Ok(true);
    }
    if arguments.alone && !arguments.stages {
        return alone(name, cases, vocabulary, arguments);
    }
    let mut refused = 0;
    let mut stages = Stages::default();
    for case in cases {
        if arguments.stages {
            let start = Instant::now();
            let measured = (0..arguments.repeat)
                .try_for_each(|_| stages.measure(&case.source, vocabulary, arguments.alone));
            refused += usize::from(measured.is_err());
            if arguments.list {
                println!("{}: {:.2} ms", case.name, ms(start.elapsed()) / arguments.repeat.max(1) as f64);
            }
            continue;
        }
        let open = || Session::on_demand(&case.source, vocabulary, &Options::default(), &ALONE);
        let whole = || Session::new(compile(&case.source, vocabulary, &Options::default())?, vocabulary);
        forget();
        let (start, lazy) = (Instant::now(), open());
        let Ok((lazy, _)) = lazy else {
            refused += 1;
            continue;
        };
        let first = first_mask(&lazy, start)?;
        forget();
        let start = Instant::now();
        let Ok(whole) = whole() else {
            refused += 1;
            continue;
        };
        let compiled = first_mask(&whole, start)?;
        let tokens = match &case.tokens {
            Some(tokens) => tokens.clone(),
            // Drawn elsewhere, so that the outputs that are measured are the first.
            None => random_tokens(&mut open()?.0.matcher()?)?,
        };
        demand.measure(&lazy, first, &tokens)?;
        artifact.measure(&whole, compiled, &tokens)?;
        if arguments.list {
            println!("{}: {:.2} ms on demand, {:.2} ms compiled", case.name, ms(first), ms(compiled));
        }
        if !same_masks(&lazy, &whole, &tokens)? {
            println!("wrong: {}", case.name);
            is_right = false;
        }
    }
    if arguments.stages {
        println!("{name} ({} of {})", cases.len() - refused, cases.len());
        stages.print();
        return Ok(true);
    }
    println!("| {name} ({} of {}) | on demand | {}", cases.len() - refused, cases.len(), demand.row());
    println!("| | artifact | {}", artifact.row());
    Ok(is_right)
}

const ALONE: DemandOptions = DemandOptions { most_bytes: 64 << 20, completes: false };

impl Figures {
    /// Measures a session whose first mask was there after so long.
    fn measure(&mut self, session: &Session, first_mask: Duration, tokens: &[u32]) -> Result<()> {
        let mut row = vec![0; session.row_words()];
        self.first_mask.push(first_mask);
        let mut output = Duration::ZERO;
        for pass in 0..2 {
            let mut matcher = session.matcher()?;
            let mut times = Times::default();
            let begun = Instant::now();
            for &token in tokens {
                let before = Instant::now();
                matcher.fill_mask(&mut row)?;
                times.push(before.elapsed());
                if matcher.commit(token).is_err() {
                    break;
                }
            }
            output = begun.elapsed();
            self.masks[pass].append(times);
            if pass == 0 {
                self.first_output.push(output);
                self.both.push(first_mask + output);
            }
        }
        self.second_output.push(output);
        self.bytes.push(session.bytes());
        Ok(())
    }

    fn row(&mut self) -> String {
        self.bytes.sort_unstable();
        let megabytes = |per_mille| nearest_rank(&self.bytes, per_mille).unwrap_or_default() as f64 / 1e6;
        let megabytes = format!("{:.2} / {:.2}", megabytes(500), megabytes(900));
        let [first, then] = &mut self.masks;
        let (first, then) = (first.percentiles([500, 990]), then.per_mille(500));
        let list = |times: &mut Times, at: &[usize]| -> String {
            at.iter().map(|&at| format!("{:.2}", ms(times.per_mille(at)))).collect::<Vec<_>>().join(" / ")
        };
        format!(
            "{} ms | {} ms | {} ms | {} ms | {:.1} / {:.0} µs, {:.2} µs | {megabytes} MB |",
            list(&mut self.first_mask, &[500, 900, 990]),
            list(&mut self.first_output, &[500, 990]),
            list(&mut self.both, &[500, 990]),
            list(&mut self.second_output, &[500]),
            ms(first[0]) * 1e3,
            ms(first[1]) * 1e3,
            ms(then) * 1e3,
        )
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The time from `start`, when a session began to be made, to its first mask.
fn first_mask(session: &Session, start: Instant) -> Result<Duration> {
    let mut row = vec![0; session.row_words()];
    session.matcher()?.fill_mask(&mut row)?;
    Ok(start.elapsed())
}

/// Makes all masks of an output.
fn read(matcher: &mut Matcher, tokens: &[u32]) -> Result<()> {
    let mut row = vec![0; matcher.session().row_words()];
    for &token in tokens {
        matcher.fill_mask(&mut row)?;
        if matcher.commit(token).is_err() {
            break;
        }
    }
    Ok(())
}

/// Tokens that masks allow, drawn at random.
fn random_tokens(matcher: &mut Matcher) -> Result<Vec<u32>> {
    let row = &mut vec![0; matcher.session().row_words()];
    let mut random = Random(7);
    let mut tokens = Vec::new();
    while tokens.len() < RANDOM_TOKENS && !matcher.is_terminated() {
        matcher.fill_mask(row)?;
        let count: usize = row.iter().map(|word| word.count_ones() as usize).sum();
        let Some(chosen) = (count > 0).then(|| random.below(count)) else { break };
        let mut bits = (0..row.len() as u32 * 32).filter(|&t| row[t as usize / 32] >> (t % 32) & 1 == 1);
        let token = bits.nth(chosen).unwrap_or_default();
        matcher.commit(token)?;
        tokens.push(token);
    }
    Ok(tokens)
}

fn same_masks(lazy: &Session, whole: &Session, tokens: &[u32]) -> Result<bool> {
    let (mut one, mut two) = (lazy.matcher()?, whole.matcher()?);
    let mut rows = [vec![0; lazy.row_words()], vec![0; lazy.row_words()]];
    for &token in tokens {
        one.fill_mask(&mut rows[0])?;
        two.fill_mask(&mut rows[1])?;
        let accepted = [one.commit(token).is_ok(), two.commit(token).is_ok()];
        if rows[0] != rows[1] || accepted[0] != accepted[1] {
            return Ok(false);
        }
        if !accepted[0] {
            break;
        }
    }
    Ok(true)
}
