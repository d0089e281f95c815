//! Drives several engines over the same cases, case by case in turn, and prints figures, ratios and goals.
//!
//! ```text
//! compare --worker NAME[:MODE]=PROGRAM [--worker ...]
//!     [--data FOLDER] [--count 400] [--floor 3] [--seed 1] [--limit 60]     MaskBench cases
//!     [--jobs FILE] [--jobs-limit 300]                                      grammars: a job per line
//!     [--vocab o200k_base] [--passes 3] [--memory 12] [--repeat 1] [--plots FOLDER] [--list]
//! ```
//! The first worker is compared with each other worker whose name does not begin with its own name. The exit code is 1 if the first worker
//! accepts an invalid text, contradicts itself, or has a text of a grammar wrong. Valid instances that it refuses are only counted,
//! because a schema leaves the order of keys open.

use clap::Parser;
use gcc_grammar_benches::{Result, exit_code};
use gcc_grammar_peers::drive::{Engine, Worker};
use gcc_grammar_peers::figures::{Answers, Results, Spread};
use gcc_grammar_peers::goals::{artifact_bytes, duration, loading, tables};
use gcc_grammar_peers::pictures;
use gcc_grammar_peers::protocol::{Job, Kind, Note, Report};
use gcc_grammar_peers::ranges::{Run, ranges};
use gcc_grammar_peers::sample::sample;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{fs, io};

/// Drives several engines over the same cases, case by case in turn, and prints figures, ratios and goals.
#[derive(Parser)]
struct Arguments {
    /// An engine: NAME=PROGRAM or NAME:MODE=PROGRAM. May be repeated.
    #[arg(long = "worker", value_name = "WORKER", required = true)]
    workers: Vec<String>,
    /// The folder with the cases of MaskBench.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// The approximate number of cases.
    #[arg(long, default_value_t = 400)]
    count: usize,
    /// The least number of cases of each family.
    #[arg(long, default_value_t = 3)]
    floor: usize,
    /// The seed of the choice of cases.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The time limit for compiling a schema, and again for its texts, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    limit: u64,
    /// A file with the jobs of grammars, one per line.
    #[arg(long, value_name = "FILE")]
    jobs: Option<PathBuf>,
    /// The time limit for compiling a grammar, and again for its texts, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    jobs_limit: u64,
    /// The vocabulary.
    #[arg(long = "vocab", default_value = "o200k_base")]
    vocabulary: String,
    /// How often each text is read.
    #[arg(long, default_value_t = 3)]
    passes: usize,
    /// The memory limit of workers that have one, in GiB.
    #[arg(long, value_name = "GIB", default_value_t = 12)]
    memory: usize,
    /// The number of runs, each with new workers. The ranges over all runs are printed at the end.
    #[arg(long, value_name = "RUNS", default_value_t = 1)]
    repeat: usize,
    /// Write plots of the last run to this folder.
    #[arg(long, value_name = "FOLDER")]
    plots: Option<PathBuf>,
    /// Name the cases with wrong answers, on the standard error.
    #[arg(long)]
    list: bool,
}

impl Arguments {
    /// The arguments of every worker.
    fn worker_flags(&self) -> Vec<String> {
        let flags = [
            ("--vocab", self.vocabulary.clone()),
            ("--passes", self.passes.to_string()),
            ("--mem-gib", self.memory.to_string()),
            ("--forms", "spaced".to_owned()),
        ];
        flags.into_iter().flat_map(|(flag, value)| [flag.to_owned(), value]).collect()
    }

    /// The chosen cases of MaskBench.
    fn schemas(&self) -> Result<Vec<Job>> {
        let Some(folder) = &self.data else { return Ok(Vec::new()) };
        let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let names = names.filter(|name| name.ends_with(".json")).collect();
        let job = |name: String| Job {
            path: absolute(&folder.join(&name).display().to_string()),
            id: name,
            kind: Kind::Bench,
            accept: Vec::new(),
            reject: Vec::new(),
        };
        Ok(sample(names, self.count, self.floor, self.seed).into_iter().map(job).collect())
    }

    /// The jobs of grammars.
    fn grammars(&self) -> Result<Vec<Job>> {
        let Some(file) = &self.jobs else { return Ok(Vec::new()) };
        let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let read = |line: &str| -> Result<Job> {
            let mut job: Job =
                serde_json::from_str(line).map_err(|error| format!("{}: {error}", file.display()))?;
            let paths = [&mut job.path].into_iter().chain(&mut job.accept).chain(&mut job.reject);
            paths.for_each(|path| *path = absolute(path));
            Ok(job)
        };
        text.lines().filter(|line| !line.trim().is_empty()).map(read).collect()
    }
}

fn absolute(path: &str) -> String {
    Path::new(path).canonicalize().map_or_else(|_| path.to_owned(), |path| path.display().to_string())
}

fn main() -> ExitCode {
    exit_code(run(&Arguments::parse()))
}

/// Whether the first engine has nothing wrong.
fn run(arguments: &Arguments) -> Result<bool> {
    let mut clean = true;
    let mut runs = Vec::new();
    for number in 1..=arguments.repeat.max(1) {
        if arguments.repeat > 1 {
            println!("## Run {number} of {}\n", arguments.repeat);
        }
        let run = run_once(arguments)?;
        clean &= print_answers(&run.schemas, &run.grammars, arguments.list);
        print_figures(&run.schemas);
        println!("{}", tables(&run.schemas, &run.grammars));
        runs.push(run);
    }
    if runs.len() > 1 {
        println!("## Ranges\n{}", ranges(&runs));
    }
    if let (Some(folder), Some(last)) = (&arguments.plots, runs.last()) {
        draw(&last.schemas, folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    Ok(clean)
}

/// Lets new workers do all jobs.
fn run_once(arguments: &Arguments) -> Result<Run> {
    let flags = arguments.worker_flags();
    let engines: Result<Vec<Engine>> =
        arguments.workers.iter().map(|worker| Engine::read(worker, &flags)).collect();
    let workers: Result<Vec<Worker>> = engines?.into_iter().map(Worker::start).collect();
    let mut workers = workers?;
    print_start(&workers);
    let schemas = arguments.schemas()?;
    let schemas = interleaved(&mut workers, &schemas, Duration::from_secs(arguments.limit))?;
    let mut grammars = Vec::new();
    for job in arguments.grammars()? {
        let results =
            interleaved(&mut workers, std::slice::from_ref(&job), Duration::from_secs(arguments.jobs_limit))?;
        grammars.push((job.id, results));
    }
    Ok(Run { schemas, grammars })
}

/// Lets every engine do every job. A different engine begins each time.
fn interleaved(workers: &mut [Worker], jobs: &[Job], limit: Duration) -> Result<Vec<Results>> {
    let mut results: Vec<Results> = workers
        .iter()
        .map(|worker| Results { name: worker.name().to_owned(), reports: Vec::new() })
        .collect();
    let start = Instant::now();
    for (number, job) in jobs.iter().enumerate() {
        for turn in 0..workers.len() {
            let index = (number + turn) % workers.len();
            results[index].reports.push(workers[index].run(job, limit)?);
        }
        if number % 50 == 49 || number + 1 == jobs.len() {
            eprintln!("{} of {}, {:.0} s", number + 1, jobs.len(), start.elapsed().as_secs_f64());
        }
    }
    Ok(results)
}

/// Prints what the workers needed before the first job.
fn print_start(workers: &[Worker]) {
    println!("| engine | vocabulary read | prepared | resident | threads |\n|---|---|---|---|---|");
    for worker in workers {
        if let Note::Ready { vocab_ns, init_ns, rss_kib, threads, .. } = worker.ready {
            let (vocabulary, prepared) = (duration(vocab_ns), duration(init_ns));
            println!(
                "| {} | {vocabulary} | {prepared} | {} MiB | {threads} |",
                worker.name(),
                rss_kib / 1024
            );
        }
    }
}

/// Prints the right and wrong answers. Returns whether the first engine has nothing wrong.
fn print_answers(schemas: &[Results], grammars: &[(String, Vec<Results>)], list: bool) -> bool {
    println!(
        "\n| answers | compiled | refused | valid refused | invalid accepted | gave up or contradicts itself |\n|---|---|---|---|---|---|"
    );
    let row = |cases: &str, results: &Results| {
        let answers = results.answers();
        let Answers { compiled, refused, valid_refused, invalid_accepted, broken } = &answers;
        let [valid, invalid, gave_up] = [valid_refused, invalid_accepted, broken].map(Vec::len);
        println!("| {}, {cases} | {compiled} | {refused} | {valid} | {invalid} | {gave_up} |", results.name);
        answers
    };
    let mut clean = true;
    for (index, results) in schemas.iter().enumerate() {
        let answers = row("schemas", results);
        clean &= index > 0 || (answers.invalid_accepted.is_empty() && answers.broken.is_empty());
        if list {
            eprintln!("{}: valid refused {:?}", results.name, answers.valid_refused);
            eprintln!("{}: invalid accepted {:?}", results.name, answers.invalid_accepted);
            eprintln!("{}: broken {:?}", results.name, answers.broken);
        }
    }
    for (id, results) in grammars {
        for (index, results) in results.iter().enumerate() {
            let answers = row(id, results);
            let wrong = [&answers.valid_refused, &answers.invalid_accepted, &answers.broken];
            clean &= index > 0 || wrong.iter().all(|cases| cases.is_empty());
        }
    }
    clean
}

/// Prints the figures of each engine over all cases that it compiled and all texts that it read.
fn print_figures(results: &[Results]) {
    println!(
        "\n| JSON Schema | {} |",
        results.iter().map(|results| results.name.as_str()).collect::<Vec<_>>().join(" | ")
    );
    println!("|---|{}", "---|".repeat(results.len()));
    let row = |name: &str, spread: &dyn Fn(&Results) -> Spread, ranks: &[usize], show: fn(u64) -> String| {
        let cell = |results: &Results| {
            let spread = spread(results);
            let shown: Vec<String> = ranks
                .iter()
                .map(|&rank| spread.per_mille(rank).map_or_else(|| "–".to_owned(), show))
                .collect();
            shown.join(" / ")
        };
        println!("| {name} | {} |", results.iter().map(cell).collect::<Vec<_>>().join(" | "));
    };
    let kib = |bytes: u64| format!("{} KiB", bytes.div_ceil(1024));
    let compile = |results: &Results| results.compiled(|report| Some(report.compile_ns));
    row("compile p50 / p90 / p99 / worst", &compile, &[500, 900, 990, 1000], duration);
    let first_mask = |results: &Results| results.compiled(|report| Some(report.ttfm_ns));
    row("first mask p50 / p90 / p99 / worst", &first_mask, &[500, 900, 990, 1000], duration);
    let first_text = |results: &Results| results.compiled(Report::first_text_ns);
    row("first mask and first text p50 / p90 / p99 / worst", &first_text, &[500, 900, 990, 1000], duration);
    let peak = |results: &Results| results.compiled(|report| Some(report.compile_peak_kib * 1024));
    row("memory grew p50 / p99 / worst", &peak, &[500, 990, 1000], kib);
    let step = |results: &Results| results.tokens(|test| &test.tbm_ns);
    row("mask + commit, first pass p50 / p99 / p99.9 / worst", &step, &[500, 990, 999, 1000], duration);
    let best = |results: &Results| results.tokens(|test| &test.best_tbm_ns);
    row("mask + commit, best pass p50 / p99 / p99.9 / worst", &best, &[500, 990, 999, 1000], duration);
    let mask = |results: &Results| results.tokens(|test| &test.best_mask_ns);
    row("mask, best pass p50 / p99 / p99.9", &mask, &[500, 990, 999], duration);
    let commit = |results: &Results| results.tokens(|test| &test.best_commit_ns);
    row("commit, best pass p50 / p99 / p99.9", &commit, &[500, 990, 999], duration);
    row(
        "artifact p50 / p90 / p99 / worst",
        &|results| results.compiled(artifact_bytes),
        &[500, 900, 990, 1000],
        kib,
    );
    let memory = |results: &Results| results.compiled(|report| report.memory_bytes);
    row("in memory p50 / p90 / p99 / worst", &memory, &[500, 900, 990, 1000], kib);
    row("opening it p50 / p99 / worst", &|results| results.compiled(loading), &[500, 990, 1000], duration);
}

/// Writes the plots.
fn draw(results: &[Results], folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("latency.svg"), pictures::latency(results))?;
    fs::write(folder.join("compile.svg"), pictures::compiling(results))
}
