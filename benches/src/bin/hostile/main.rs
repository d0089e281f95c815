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
    #[arg(long, value_name = "NAME", hide = true)]
    row: Option<String>,
    /// Prints the text of the row
    #[arg(long, requires = "row", hide = true)]
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

/// Compiles a text in this process, and prints seconds, peak bytes and outcome.
fn compile(notation: Notation, text: String, arguments: &Arguments) -> Result<bool> {
    let vocabulary = Vocabulary::load(&arguments.vocabulary)?;
    let mut options = Options::default();
    options.limits.work = arguments.limit_work;
    let source = Source::new(notation, text);
    let start = Instant::now();
    let mut stages = Stages::default();
    let compiled = gcc_grammar::parse(&source, &options).and_then(|parsed| {
        stages.0.push(("parsed", Instant::now()));
        gcc_grammar::compile_parsed(&parsed, &vocabulary, &options, Packing::Referenced, &mut stages)
    });
    let seconds = start.elapsed().as_secs_f64();
    let last = stages.0.last().map_or("", |last| last.0);
    let outcome = match &compiled {
        Ok(compilation) => {
            format!("{} bytes, {} units", compilation.artifact.bytes().len(), compilation.stats.work)
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
    if env::var_os("STAGES").is_some() {
        let mut before = start;
        for (name, at) in &stages.0 {
            eprintln!("{:8.2} until {name}", (*at - before).as_secs_f64());
            before = *at;
        }
        eprintln!("{:8.2} until the end", before.elapsed().as_secs_f64());
    }
    Ok(true)
}

/// When each stage began.
#[derive(Default)]
struct Stages(Vec<(&'static str, Instant)>);

impl gcc_grammar::Observer for Stages {
    fn stage(&mut self, name: &'static str) {
        self.0.push((name, Instant::now()));
    }
}
