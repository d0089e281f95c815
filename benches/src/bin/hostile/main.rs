//! Runs the program on inputs that were made to take long, each in a process of its own, and measures its time, the time of its
//! processors, and its memory.
//!
//! ```text
//! hostile [--cli PATH] [--vocab NAME] [WORD …]
//! ```
//! With words, only the inputs whose names contain one of them are tried. The program is `gcc-grammar` beside this one,
//! or at the given path. Every input must end within [`MOST_SECONDS`] and [`MOST_BYTES`]: in an artifact (exit code 0), or in
//! an error with its place (1 or 3). The last line is the number of inputs that did not, and the exit code is 1 if there
//! are any. Peak memory is read from `/proc`; where there is none, it is not checked.
//!
//! The inputs are the rows of four tables: [`schemas::CASES`], [`grammars::CASES`], [`siblings::CASES`], and [`commands::CASES`] for other commands than
//! `compile`.

mod commands;
mod grammars;
mod schemas;
mod siblings;

use clap::Parser;
use gcc_grammar_benches::{Result, exit_code};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// No input may take more time on processors.
const MOST_SECONDS: f64 = 10.0;
/// No input may take more memory.
const MOST_BYTES: u64 = 1 << 30;
/// A process that runs this long is ended.
const PATIENCE: Duration = Duration::from_secs(60);
/// The time between two looks at a process.
const PAUSE: Duration = Duration::from_millis(5);

/// Compiles the input. In the words of a command, `INPUT` and `OUTPUT` stand for the files, and `VOCAB` for the vocabulary.
const COMPILE: &[&str] = &["compile", "INPUT", "--vocab", "VOCAB", "-o", "OUTPUT"];

/// An input: how it is written, and what it did before costs were charged where they arise.
struct Case {
    name: &'static str,
    /// The extension of the file, which tells the notation.
    extension: &'static str,
    /// A command before the one that is measured; none if it is empty.
    prepare: &'static [&'static str],
    /// The command that is measured.
    command: &'static [&'static str],
    /// Further arguments of the command.
    arguments: &'static [&'static str],
    /// Time and memory before, for comparison.
    before: &'static str,
    make: fn() -> String,
}

/// Compiles hostile inputs within limits.
#[derive(Parser)]
struct Arguments {
    /// The program to measure
    #[arg(long)]
    cli: Option<PathBuf>,
    /// The vocabulary
    #[arg(long, default_value = "llama3")]
    vocab: String,
    /// Parts of the names of inputs
    words: Vec<String>,
}

/// What a process did.
struct Outcome {
    seconds: f64,
    /// The seconds of all its threads on a processor, if they are known.
    processor: Option<f64>,
    /// The greatest resident memory, if it is known.
    peak: Option<u64>,
    /// `None` if the process was ended.
    code: Option<i32>,
}

impl Outcome {
    /// The time on processors counts, if it is known: other processes make the time between start and end longer.
    fn is_within(&self) -> bool {
        matches!(self.code, Some(0 | 1 | 3))
            && self.processor.unwrap_or(self.seconds) <= MOST_SECONDS
            && self.peak.is_none_or(|peak| peak <= MOST_BYTES)
    }
}

fn main() -> ExitCode {
    exit_code(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<bool> {
    let cli = match &arguments.cli {
        Some(path) => path.clone(),
        None => env::current_exe()?.with_file_name(format!("gcc-grammar{}", env::consts::EXE_SUFFIX)),
    };
    if !cli.is_file() {
        return Err(format!("{} is not there; build it or name it with --cli", cli.display()).into());
    }
    let folder = env::temp_dir().join(format!("gcc-grammar-hostile-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let mut beyond = 0;
    println!("{:48}  {:>8}  {:>8}  {:>8}  exit  before", "input", "seconds", "CPU s", "MB");
    let tables = [schemas::CASES, grammars::CASES, siblings::CASES, commands::CASES];
    for case in tables.into_iter().flatten() {
        if !arguments.words.is_empty() && !arguments.words.iter().any(|word| case.name.contains(&**word)) {
            continue;
        }
        let outcome = measure(&cli, &arguments.vocab, case, &folder)?;
        beyond += usize::from(!outcome.is_within());
        print(case, &outcome);
    }
    fs::remove_dir_all(&folder)?;
    println!("{beyond} inputs beyond {MOST_SECONDS} s or {} MB", MOST_BYTES >> 20);
    Ok(beyond == 0)
}

fn print(case: &Case, outcome: &Outcome) {
    let peak = outcome.peak.map_or("?".to_owned(), |peak| (peak >> 20).to_string());
    let code = outcome.code.map_or("none".to_owned(), |code| code.to_string());
    let mark = if outcome.is_within() { "" } else { "  <- beyond" };
    let processor = outcome.processor.map_or("?".to_owned(), |seconds| format!("{seconds:.2}"));
    println!(
        "{:48}  {:8.2}  {processor:>8}  {peak:>8}  {code:>4}  {}{mark}",
        case.name, outcome.seconds, case.before
    );
}

/// Writes an input, prepares, and runs the command.
fn measure(cli: &Path, vocab: &str, case: &Case, folder: &Path) -> Result<Outcome> {
    let input = folder.join("input").with_extension(case.extension);
    fs::write(&input, (case.make)())?;
    let output = folder.join("output.gcg");
    let command = |words: &[&str]| {
        let mut command = Command::new(cli);
        for &word in words {
            match word {
                "INPUT" => command.arg(&input),
                "OUTPUT" => command.arg(&output),
                "VOCAB" => command.arg(vocab),
                _ => command.arg(word),
            };
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    if !case.prepare.is_empty() && !command(case.prepare).status()?.success() {
        return Err(format!("{}: {:?} fails", case.name, case.prepare).into());
    }
    let (start, before) = (Instant::now(), processor_seconds());
    let mut child = command(case.command).args(case.arguments).spawn()?;
    let (code, peak) = wait(&mut child, start)?;
    let processor = processor_seconds().zip(before).map(|(after, before)| after - before);
    Ok(Outcome { seconds: start.elapsed().as_secs_f64(), processor, peak, code })
}

/// The seconds on a processor of all processes that this one has waited for, in hundredths.
fn processor_seconds() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/stat").ok()?;
    // The fields behind the name, which may have spaces: from the third on.
    let fields: Vec<&str> = status.rsplit_once(')')?.1.split_whitespace().collect();
    let [user, system] = [fields.get(13)?, fields.get(14)?];
    Some((user.parse::<f64>().ok()? + system.parse::<f64>().ok()?) / 100.0)
}

/// Waits for a process, and looks at its memory meanwhile.
fn wait(child: &mut Child, start: Instant) -> Result<(Option<i32>, Option<u64>)> {
    let mut peak = None;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((status.code(), peak));
        }
        peak = peak_memory(child.id()).max(peak);
        if start.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok((None, peak));
        }
        thread::sleep(PAUSE);
    }
}

/// The greatest resident memory of a running process so far.
fn peak_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}
