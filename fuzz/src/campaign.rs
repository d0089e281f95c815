//! Campaigns: many executions, in a process of its own that may die.
//!
//! The worker executes one number after the other and writes findings. A panic is caught; an abort (memory, stack) or an execution that
//! takes too long ends the worker. The supervisor then starts another one, which announces every execution from the last known number on,
//! so that the number that killed the first one is known; the campaign goes on after it.

use crate::Target;
use crate::execution::{Inputs, execute};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Executions that take longer are reported.
const SLOW: Duration = Duration::from_secs(2);
/// Executions that take longer end the worker.
const HANGING: Duration = Duration::from_secs(20);
/// Executions between two reports of the worker.
const REPORT: u64 = 256;
/// Findings of one place that are kept.
const KEPT: u64 = 3;
/// The stack of an execution, as threads of Rust programs have it.
const STACK: usize = 2 << 20;

/// What a campaign did.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// Executions.
    pub executions: u64,
    /// Panics: properties that do not hold.
    pub panics: u64,
    /// Executions that ended the process.
    pub aborts: u64,
    /// Executions that took longer than two seconds.
    pub slow: u64,
}

/// The order for a worker.
#[derive(Clone, Debug)]
pub struct Order {
    /// The seed of the inputs.
    pub seed: u64,
    /// The first number.
    pub from: u64,
    /// The number after the last one.
    pub to: u64,
    /// How long to work.
    pub time: Duration,
    /// Whether to announce every execution.
    pub announce: bool,
    /// The folder for findings.
    pub findings: PathBuf,
}

/// Executes an order and writes reports to the standard output: `at N` after the execution of numbers before N, `panic` and `slow`.
pub fn work(target: &'static Target, order: &Order) {
    let order = order.clone();
    let worker = thread::Builder::new().stack_size(STACK).spawn(move || work_here(target, &order));
    // A panic of the worker itself has been printed.
    let finished = worker.expect("a thread").join();
    process::exit(i32::from(finished.is_err()));
}

fn work_here(target: &'static Target, order: &Order) {
    let place = record_places();
    let inputs = Inputs::new(target, order.seed);
    let watch = Watch::start(target, order);
    let mut kept: BTreeMap<String, u64> = BTreeMap::new();
    let start = Instant::now();
    let mut number = order.from;
    while number < order.to && start.elapsed() < order.time {
        if order.announce {
            report(format_args!("start {number}"));
        }
        let input = inputs.input(number);
        let begun = watch.begin(number);
        let result = execute(target, &input);
        let took = begun.elapsed();
        watch.end();
        if took > SLOW {
            let path = save(order, target, "slow", &input);
            report(format_args!("slow {number} {:.1} s {}", took.as_secs_f64(), path.display()));
        }
        if let Err(message) = result {
            let place = place.lock().map(|place| place.clone()).unwrap_or_default();
            let count = kept.entry(place.clone()).or_default();
            *count += 1;
            let path = if *count <= KEPT { save(order, target, "panic", &input) } else { PathBuf::new() };
            report(format_args!("panic {number} {} {place}: {}", path.display(), one_line(&message)));
        }
        number += 1;
        if number.is_multiple_of(REPORT) {
            report(format_args!("at {number}"));
        }
    }
    report(format_args!("at {number}"));
}

/// Replaces the panic hook: the place of the last panic is recorded, and nothing is printed.
fn record_places() -> &'static Mutex<String> {
    static PLACE: Mutex<String> = Mutex::new(String::new());
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        if let Ok(mut last) = PLACE.lock() {
            *last = place;
        }
    }));
    &PLACE
}

/// The first characters of a message, in one line.
fn one_line(message: &str) -> String {
    message.chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect()
}

/// Writes a line at once, so that it is there if the next execution ends the process.
fn report(line: std::fmt::Arguments<'_>) {
    let mut out = io::stdout().lock();
    // If nobody reads the reports any more, there is nobody to tell.
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Writes an input to the folder of findings.
fn save(order: &Order, target: &Target, kind: &str, input: &[u8]) -> PathBuf {
    let sum = gcc_grammar_artifact::container::checksum(input);
    let path = order.findings.join(format!("{}-{kind}-{sum:016x}", target.name));
    let written = fs::create_dir_all(&order.findings).and_then(|()| fs::write(&path, input));
    if let Err(error) = written {
        report(format_args!("note cannot write {}: {error}", path.display()));
    }
    path
}

/// Ends the process if an execution takes too long.
struct Watch {
    start: Instant,
    /// Milliseconds from the start to the beginning of the execution, plus one; 0 between executions.
    begun: &'static AtomicU64,
    number: &'static AtomicU64,
}

impl Watch {
    fn start(target: &'static Target, order: &Order) -> Self {
        static BEGUN: AtomicU64 = AtomicU64::new(0);
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let start = Instant::now();
        let order = order.clone();
        thread::spawn(move || {
            loop {
                thread::sleep(Duration::from_millis(500));
                let begun = BEGUN.load(Ordering::Relaxed);
                if begun > 0 && start.elapsed().as_millis() as u64 > begun + HANGING.as_millis() as u64 {
                    let number = NUMBER.load(Ordering::Relaxed);
                    let path = save(&order, target, "hang", &Inputs::new(target, order.seed).input(number));
                    report(format_args!("hang {number} {}", path.display()));
                    process::exit(3);
                }
            }
        });
        Self { start, begun: &BEGUN, number: &NUMBER }
    }

    fn begin(&self, number: u64) -> Instant {
        self.number.store(number, Ordering::Relaxed);
        self.begun.store(self.start.elapsed().as_millis() as u64 + 1, Ordering::Relaxed);
        Instant::now()
    }

    fn end(&self) {
        self.begun.store(0, Ordering::Relaxed);
    }
}

/// Runs a campaign: starts workers until the time is over or all numbers are done. Findings are printed as they come.
///
/// # Errors
/// A worker cannot be started.
pub fn run(target: &Target, order: &Order) -> io::Result<Tally> {
    let mut tally = Tally::default();
    let end = Instant::now() + order.time;
    let mut from = order.from;
    while from < order.to && Instant::now() < end {
        let time = end.saturating_duration_since(Instant::now());
        let worker = Worker::run(target, &Order { from, time, ..order.clone() }, &mut tally)?;
        tally.executions += worker.reached - from;
        from = worker.reached;
        if worker.finished {
            break;
        }
        from = worker
            .hanging
            .map_or_else(|| find_abort(target, order, from, &mut tally), |number| Ok(number + 1))?;
        tally.aborts += 1;
    }
    Ok(tally)
}

/// Finds the number that ended the worker, and returns the next one.
fn find_abort(target: &Target, order: &Order, from: u64, tally: &mut Tally) -> io::Result<u64> {
    let again =
        Order { from, to: from + REPORT, announce: true, time: Duration::from_secs(3600), ..order.clone() };
    let worker = Worker::run(target, &again, &mut Tally::default())?;
    let Some(number) = worker.started.filter(|_| !worker.finished) else {
        println!("  abort between {from} and {}, not repeated", from + REPORT);
        return Ok(worker.reached.max(from + 1));
    };
    tally.executions += number - from;
    if let Some(target) = crate::find(target.name) {
        let path = save(order, target, "abort", &Inputs::new(target, order.seed).input(number));
        println!("  abort {number} {}", path.display());
    }
    Ok(number + 1)
}

/// What a worker reported.
struct Worker {
    /// The number up to which everything is done.
    reached: u64,
    /// The last execution that it announced.
    started: Option<u64>,
    /// The execution that took too long.
    hanging: Option<u64>,
    /// Whether it ended by itself.
    finished: bool,
}

impl Worker {
    fn run(target: &Target, order: &Order, tally: &mut Tally) -> io::Result<Self> {
        let mut child = Self::command(target, order)?.stdout(Stdio::piped()).spawn()?;
        let mut worker = Self { reached: order.from, started: None, hanging: None, finished: false };
        let lines = child.stdout.take().map(|stdout| BufReader::new(stdout).lines());
        for line in lines.into_iter().flatten() {
            worker.read(&line?, tally);
        }
        worker.finished = child.wait()?.success();
        Ok(worker)
    }

    fn command(target: &Target, order: &Order) -> io::Result<Command> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("work").arg(target.name).arg("--findings").arg(&order.findings);
        let numbers = [
            ("--seed", order.seed),
            ("--from", order.from),
            ("--to", order.to),
            ("--seconds", order.time.as_secs() + 1),
        ];
        for (name, number) in numbers {
            command.arg(name).arg(number.to_string());
        }
        if order.announce {
            command.arg("--announce");
        }
        Ok(command)
    }

    fn read(&mut self, line: &str, tally: &mut Tally) {
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        let number = rest.split(' ').next().and_then(|number| number.parse().ok());
        match (kind, number) {
            ("at", Some(number)) => self.reached = number,
            ("start", Some(number)) => self.started = Some(number),
            ("hang", Some(number)) => {
                self.hanging = Some(number);
                println!("  {line}");
            }
            ("slow", _) => {
                tally.slow += 1;
                println!("  {line}");
            }
            ("panic", _) => {
                tally.panics += 1;
                println!("  {line}");
            }
            _ => println!("  {line}"),
        }
    }
}

/// The folder for findings, outside the corpus: what is found is looked at and made small before it becomes a part of the repository.
#[must_use]
pub fn default_findings() -> PathBuf {
    Path::new("out").join("fuzz")
}
