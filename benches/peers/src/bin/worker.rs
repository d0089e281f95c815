//! Runs this engine as a worker: reads jobs from the standard input, and writes reports to the standard output.
//!
//! ```text
//! worker [--vocab o200k_base] [--mode fixed,canonical,update,one-thread,on-demand] [--passes 3] [--forms spaced]
//! ```
//! The other options of workers (`--mem-gib`, `--trim`) are accepted and have no effect.

use clap::Parser;
use gcc_grammar_benches::{Result, exit_code};
use gcc_grammar_peers::engine::Setting;
use gcc_grammar_peers::process::{self, since};
use gcc_grammar_peers::protocol::{Job, Note};
use std::io::{BufRead, Write, stdin, stdout};
use std::process::ExitCode;
use std::time::Instant;

/// Runs gcc-grammar as a worker: reads jobs from the standard input, and writes reports to the standard output.
#[derive(Parser)]
struct Arguments {
    /// The vocabulary.
    #[arg(long = "vocab", default_value = "o200k_base")]
    vocabulary: String,
    /// The mode: `fixed`, `canonical`, `update`, `one-thread` and `on-demand`, separated by commas.
    #[arg(long, default_value = "")]
    mode: String,
    /// How often each text is read.
    #[arg(long, default_value_t = 3)]
    passes: usize,
    /// How instances are written.
    #[arg(long, value_parser = ["spaced"], default_value = "spaced")]
    forms: String,
    /// Accepted and ignored: this engine keeps to a limit of its own.
    #[arg(long, hide = true)]
    mem_gib: Option<String>,
    /// Accepted and ignored.
    #[arg(long, hide = true)]
    trim: Option<String>,
}

fn main() -> ExitCode {
    exit_code(serve(&Arguments::parse()).map(|()| true))
}

/// Prepares the engine, and does all jobs.
fn serve(arguments: &Arguments) -> Result<()> {
    let start = Instant::now();
    let setting = Setting::new(&arguments.vocabulary, &arguments.mode, arguments.passes)?;
    let vocab_ns = since(start);
    let start = Instant::now();
    let tokenizer = setting.tokenizer()?;
    let init_ns = since(start);
    let warm_up = || {
        let start = Instant::now();
        setting.warm_up().map(|()| since(start))
    };
    let (first_compile_ns, second_compile_ns) = (warm_up()?, warm_up()?);
    let (rss_kib, threads) = (process::status("VmRSS"), process::status("Threads"));
    send(&Note::Ready { vocab_ns, init_ns, first_compile_ns, second_compile_ns, rss_kib, threads })?;
    for line in stdin().lock().lines() {
        let job: Job = serde_json::from_str(&line?)?;
        // If the driver has ended, sending the report fails, too.
        let report = setting.run(&job, &tokenizer, |note| send(note).unwrap_or_default());
        send(&Note::Done(Box::new(report)))?;
    }
    Ok(())
}

fn send(note: &Note) -> Result<()> {
    let line = serde_json::to_string(note)?;
    let mut out = stdout().lock();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}
