//! This engine as a worker: jobs on standard input, reports on standard output.
//!
//! ```text
//! worker [--vocab o200k_base] [--mode fixed,canonical,update,one-thread] [--passes 3] [--forms spaced]
//! ```
//! Other flags of the protocol (`--mem-gib`, `--trim`) are read and have no effect.

use gcc_grammar_benches::exit_code;
use gcc_grammar_peers::engine::{Setting, since};
use gcc_grammar_peers::process;
use gcc_grammar_peers::protocol::{Job, Note};
use std::env;
use std::io::{BufRead, Write, stdin, stdout};
use std::process::ExitCode;
use std::time::Instant;

struct Arguments {
    vocabulary: String,
    mode: String,
    passes: usize,
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self { vocabulary: "o200k_base".to_owned(), mode: String::new(), passes: 3 };
        while let Some(word) = words.next() {
            let value = words.next().ok_or_else(|| format!("{word} wants a value"))?;
            match word.as_str() {
                "--vocab" => arguments.vocabulary = value,
                "--mode" => arguments.mode = value,
                "--passes" => {
                    arguments.passes = value.parse().map_err(|_| format!("{value} is not a number"))?
                }
                "--forms" if value == "spaced" => {}
                "--mem-gib" | "--trim" => {}
                _ => return Err(format!("unknown argument {word} {value}")),
            }
        }
        Ok(arguments)
    }
}

fn main() -> ExitCode {
    exit_code(Arguments::read(env::args().skip(1)).and_then(|arguments| serve(&arguments)).map(|()| true))
}

fn serve(arguments: &Arguments) -> Result<(), String> {
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
    say(&Note::Ready { vocab_ns, init_ns, first_compile_ns, second_compile_ns, rss_kib, threads })?;
    for line in stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let job: Job = serde_json::from_str(&line).map_err(|error| error.to_string())?;
        // A driver that does not listen any more is noticed at the end of the job.
        let report = setting.run(&job, &tokenizer, |note| say(note).unwrap_or_default());
        say(&Note::Done(Box::new(report)))?;
    }
    Ok(())
}

fn say(note: &Note) -> Result<(), String> {
    let line = serde_json::to_string(note).map_err(|error| error.to_string())?;
    let mut out = stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|error| error.to_string())
}
