//! Compiles hostile inputs, each in a process of its own, and prints time, peak memory and outcome.
//!
//! ```text
//! hostile [--only PART] [--scale 1] [--vocab llama3] [--check]
//! ```
//! Every input either compiles or ends with exit code 3, which names the limit. Time and memory are those of the front end and the
//! compiler; the vocabulary is loaded before. The exit code is 1 if an input takes more than 10 seconds or 1 GB, or ends otherwise.

mod grammars;

use clap::Parser;
use gcc_grammar::{ErrorKind, Notation, Options, Packing, Source, Vocabulary};
use gcc_grammar_benches::{Result, exit_code};
use std::io::Read;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// The longest time that an input may take.
const MAX_TIME: Duration = Duration::from_secs(10);
/// The most memory that an input may take.
const MAX_BYTES: u64 = 1 << 30;
/// A process that takes longer is killed.
const PATIENCE: Duration = Duration::from_secs(60);
/// A process that takes more memory is killed.
const MAX_RESIDENT: u64 = 4 << 30;

/// An input that grows with a number.
#[derive(Clone)]
struct Row {
    name: &'static str,
    notation: Notation,
    /// The number at full size.
    size: usize,
    text: fn(usize) -> String,
}

/// Compiles hostile inputs, and prints time, peak memory and outcome.
#[derive(Parser)]
struct Arguments {
    /// Only the rows whose names contain this text
    #[arg(long, value_name = "PART", default_value = "")]
    only: String,
    /// The full size is divided by this number
    #[arg(long, value_name = "N", default_value_t = 1)]
    scale: usize,
    /// The vocabulary: a built-in name, or a tokenizer file
    #[arg(long = "vocab", default_value = "llama3")]
    vocabulary: String,
    /// Sets --limit-work
    #[arg(long, value_name = "UNITS")]
    limit_work: Option<u64>,
    /// Compiles this one row in this process
    #[arg(long, value_name = "NAME")]
    row: Option<String>,
    /// Prints the time and memory of each stage
    #[arg(long, requires = "row")]
    stages: bool,
    /// Prints the text of the row
    #[arg(long, requires = "row")]
    print: bool,
}

fn main() -> ExitCode {
    exit_code(run(&Arguments::parse()))
}

/// Whether every input ends in time.
fn run(arguments: &Arguments) -> Result<bool> {
    let rows = grammars::rows();
    if let Some(name) = &arguments.row {
        let row = rows.iter().find(|row| row.name == name).ok_or("there is no such row")?;
        let text = (row.text)((row.size / arguments.scale).max(1));
        if arguments.print {
            print!("{text}");
            return Ok(true);
        }
        return compile(row.notation, text, arguments);
    }
    println!("| input | notation | bytes | seconds | peak MB | outcome |");
    println!("|---|---|---|---|---|---|");
    let mut all = true;
    for row in rows.iter().filter(|row| row.name.contains(&arguments.only)) {
        all &= measure(row, arguments)?;
    }
    Ok(all)
}

/// Compiles a row in another process. Whether it ends as it should.
fn measure(row: &Row, arguments: &Arguments) -> Result<bool> {
    let bytes = (row.text)((row.size / arguments.scale).max(1)).len();
    let mut command = Command::new(env::current_exe()?);
    command.args([
        "--row",
        row.name,
        "--scale",
        &arguments.scale.to_string(),
        "--vocab",
        &arguments.vocabulary,
    ]);
    if let Some(work) = arguments.limit_work {
        command.args(["--limit-work", &work.to_string()]);
    }
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let killed = wait(&mut child)?;
    let (mut out, mut error) = (String::new(), String::new());
    child.stdout.take().ok_or("no output")?.read_to_string(&mut out)?;
    child.stderr.take().ok_or("no output")?.read_to_string(&mut error)?;
    let status = child.wait()?;
    let parts: Vec<&str> = out.trim().split('\t').collect();
    let [seconds, peak, outcome] = parts[..] else {
        let reason =
            killed.unwrap_or_else(|| format!("{status}: {}", error.lines().last().unwrap_or_default()));
        println!("| {} | {} | {bytes} | | | **{reason}** |", row.name, row.notation);
        return Ok(false);
    };
    let is_good = seconds.parse::<f64>()? <= MAX_TIME.as_secs_f64() && peak.parse::<u64>()? <= MAX_BYTES;
    let mark = if is_good { "" } else { "**" };
    let megabytes = peak.parse::<u64>()? >> 20;
    println!(
        "| {} | {} | {bytes} | {mark}{seconds}{mark} | {mark}{megabytes}{mark} | {outcome} |",
        row.name, row.notation
    );
    Ok(is_good)
}

/// Waits for the end of a process. Kills it if it takes too long or too much memory, and says so.
fn wait(child: &mut Child) -> Result<Option<String>> {
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        let reason = if start.elapsed() > PATIENCE {
            format!("more than {} s", PATIENCE.as_secs())
        } else if resident(&child.id().to_string(), "VmRSS:") > MAX_RESIDENT {
            format!("more than {} GB after {:.1} s", MAX_RESIDENT >> 30, start.elapsed().as_secs_f64())
        } else {
            thread::sleep(Duration::from_millis(5));
            continue;
        };
        child.kill()?;
        return Ok(Some(reason));
    }
    Ok(None)
}

/// The resident bytes of a process, now (`VmRSS:`) or at most (`VmHWM:`). 0 if the system does not say.
fn resident(process: &str, field: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) << 10
}

/// The seconds that this process has computed, over all threads. Other processes do not count, as they would in the time that passes.
fn cpu_seconds() -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |index: usize| fields.get(index).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    // The fields 14 and 15, user and system time; `fields` begins with field 3.
    (ticks(11) + ticks(12)) / TICKS_PER_SECOND
}

/// Compiles a text in this process, and prints seconds, peak bytes and outcome.
fn compile(notation: Notation, text: String, arguments: &Arguments) -> Result<bool> {
    let vocabulary = Vocabulary::load(&arguments.vocabulary)?;
    let mut options = Options::default();
    options.limits.work = arguments.limit_work;
    let source = Source::new(notation, text);
    let start = Instant::now();
    let cpu_before = cpu_seconds();
    let mut stages = Stages::default();
    let compiled = gcc_grammar::parse(&source, &options).and_then(|parsed| {
        gcc_grammar::Observer::stage(&mut stages, "the compiler");
        gcc_grammar::compile_parsed(&parsed, &vocabulary, &options, Packing::Referenced, &mut stages)
    });
    let seconds = cpu_seconds() - cpu_before;
    let last = stages.0.last().map_or("", |last| last.0);
    let outcome = match &compiled {
        Ok(compilation) => {
            format!(
                "{} bytes, {} units, {} bytes of tables",
                compilation.artifact.bytes().len(),
                compilation.stats.work,
                compilation.stats.bytes
            )
        }
        Err(error) => {
            let code = if error.kind() == ErrorKind::OverBudget { "3" } else { "2" };
            let message = error.render();
            let lines: Vec<&str> =
                message.lines().filter(|line| line.contains("error") || line.contains("help")).collect();
            format!("exit {code} after {last}: {}", lines.join(" ").chars().take(300).collect::<String>())
        }
    };
    println!("{seconds:.2}\t{}\t{outcome}", resident("self", "VmHWM:"));
    if arguments.stages {
        stages.print(start);
    }
    Ok(true)
}

/// The stages: their names, when they began, and the peak memory until then.
#[derive(Default)]
struct Stages(Vec<(&'static str, Instant, u64)>);

impl Stages {
    fn print(&self, start: Instant) {
        let mut before = start;
        for &(name, at, peak) in &self.0 {
            eprintln!("{:8.2} s, {:5} MB before {name}", (at - before).as_secs_f64(), peak >> 20);
            before = at;
        }
        eprintln!(
            "{:8.2} s, {:5} MB in the end",
            before.elapsed().as_secs_f64(),
            resident("self", "VmHWM:") >> 20
        );
    }
}

impl gcc_grammar::Observer for Stages {
    fn stage(&mut self, name: &'static str) {
        self.0.push((name, Instant::now(), resident("self", "VmHWM:")));
    }
}
