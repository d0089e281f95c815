//! The program `fuzz`: campaigns, and single inputs. `fuzz/README.md` says how to use it.

#![forbid(unsafe_code)]

use clap::{Parser, Subcommand};
use gcc_grammar_fuzz::campaign::{Order, default_findings, run, work};
use gcc_grammar_fuzz::execution::{Inputs, execute};
use gcc_grammar_fuzz::shrink::shrink;
use gcc_grammar_fuzz::{Target, find, targets};
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use std::{fs, process};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Runs fuzz targets.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the targets
    List,
    /// Run a target, or `all` of them, for a given time each
    Run {
        /// The name of the target
        target: String,
        #[command(flatten)]
        order: OrderArguments,
    },
    /// Execute numbers in this process; `run` starts this
    #[command(hide = true)]
    Work {
        #[arg(value_parser = target)]
        target: &'static Target,
        #[command(flatten)]
        order: OrderArguments,
    },
    /// Write the input of a number to a file
    Input {
        #[arg(value_parser = target)]
        target: &'static Target,
        number: u64,
        file: PathBuf,
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Check files
    Replay {
        #[arg(value_parser = target)]
        target: &'static Target,
        files: Vec<PathBuf>,
    },
    /// Make a failing file small; the result is written beside it, with the extension `.small`
    Shrink {
        #[arg(value_parser = target)]
        target: &'static Target,
        file: PathBuf,
    },
}

#[derive(clap::Args)]
struct OrderArguments {
    /// How long to run each target
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The seed of the inputs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The first execution
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// The execution after the last one
    #[arg(long, default_value_t = u64::MAX)]
    to: u64,
    #[arg(long, hide = true)]
    announce: bool,
    /// The folder for failing inputs
    #[arg(long, default_value_os_t = default_findings())]
    findings: PathBuf,
}

impl OrderArguments {
    fn order(self) -> Order {
        let Self { seconds, seed, from, to, announce, findings } = self;
        Order { seed, from, to, time: Duration::from_secs(seconds), announce, findings }
    }
}

fn target(name: &str) -> Result<&'static Target, String> {
    find(name).ok_or_else(|| "no such target; `fuzz list` lists them".to_owned())
}

fn main() -> ExitCode {
    match start(Arguments::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether there was no finding.
fn start(command: Command) -> Result<bool, Box<dyn Error>> {
    match command {
        Command::List => {
            targets().iter().for_each(|target| println!("{:24} {}", target.name, target.about));
            Ok(true)
        }
        Command::Run { target: name, order } => {
            let chosen: Vec<&Target> = match name.as_str() {
                "all" => targets().iter().collect(),
                name => vec![target(name)?],
            };
            run_all(&chosen, &order.order())
        }
        Command::Work { target, order } => {
            work(target, &order.order());
            process::exit(0)
        }
        Command::Input { target, number, file, seed } => {
            fs::write(file, Inputs::new(target, seed).input(number))?;
            Ok(true)
        }
        Command::Replay { target, files } => {
            for file in files {
                println!("{}", file.display());
                (target.check)(&fs::read(file)?);
            }
            Ok(true)
        }
        Command::Shrink { target, file } => {
            let input = fs::read(&file)?;
            std::panic::set_hook(Box::new(|_| {}));
            let Err(message) = execute(target, &input) else { return Ok(true) };
            let small = shrink(&input, |input| execute(target, input).is_err());
            let path = file.with_added_extension("small");
            fs::write(&path, &small)?;
            println!("{}: {} bytes, from {}: {message}", path.display(), small.len(), input.len());
            Ok(false)
        }
    }
}

fn run_all(targets: &[&Target], order: &Order) -> Result<bool, Box<dyn Error>> {
    let mut total = 0;
    let mut findings = 0;
    for target in targets {
        println!("{}", target.name);
        let tally = run(target, order)?;
        println!(
            "{:24} {} executions, {} panics, {} aborts, {} slow",
            target.name, tally.executions, tally.panics, tally.aborts, tally.slow
        );
        total += tally.executions;
        findings += tally.panics + tally.aborts;
    }
    println!("{total} executions, {findings} findings");
    Ok(findings == 0)
}
