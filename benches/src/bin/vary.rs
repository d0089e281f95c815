//! Writes a list for `gcc-grammar batch`: any number of different schemas, made of those of MaskBench.
//!
//! ```text
//! vary FOLDER --count 100000 > list.jsonl
//! ```
//! The list is the same for the same cases: first each schema as it is, then each with other names and bounds, and so on.

use clap::Parser;
use gcc_grammar_benches::cases::Case;
use gcc_grammar_benches::json::{Value, quoted};
use gcc_grammar_benches::varied::varied;
use gcc_grammar_benches::{Result, exit_code};
use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

/// Writes different schemas, made of those of MaskBench.
#[derive(Parser)]
struct Arguments {
    /// The folder with the cases.
    folder: PathBuf,
    /// The number of schemas.
    #[arg(long)]
    count: usize,
}

fn main() -> ExitCode {
    exit_code(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<bool> {
    let entries = std::fs::read_dir(&arguments.folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> = entries.collect::<std::io::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort_unstable();
    let cases = paths.iter().map(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, Case::open(path)?.schema))
    });
    let cases: Vec<(String, Value)> = cases.collect::<Result<_>>()?;
    let mut out = BufWriter::new(stdout().lock());
    let copies = (0..).flat_map(|number| cases.iter().map(move |case| (number, case)));
    for (number, (name, schema)) in copies.take(if cases.is_empty() { 0 } else { arguments.count }) {
        let id = quoted(&format!("{name}/{number}"));
        writeln!(out, "{{\"id\": {id}, \"schema\": {}}}", varied(schema, number))?;
    }
    out.flush()?;
    Ok(true)
}
