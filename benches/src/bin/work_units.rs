//! Counts the instructions per unit of work of compilations: limits on work are limits on time if the ratio is about the same for all inputs.
//!
//! ```text
//! work_units [--count 60] [--seed 1] [FOLDER…]
//! ```
//! The inputs are random, of shapes that are expensive in some stage, and the files of folders. The program runs itself under Valgrind
//! (`callgrind`) for each of them, and once without an input. Inputs with less than [`LEAST_WORK`] units are left out: there, what every
//! compilation costs counts most. The exit code is 1 if an input takes more than [`MOST`] times the instructions per unit of the median.

use clap::Parser;
use gcc_grammar::{LimitOptions, Options, Packing, Source, Vocabulary, compile_parsed, parse};
use gcc_grammar_benches::{Result, callgrind, exit_code};
use gcc_grammar_tests::generate::{Random, expensive};
use gcc_grammar_tests::sources::{in_folder, of_file};
use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The limit on work of each compilation.
const WORK: u64 = 5_000_000;
const LEAST_WORK: u64 = 200_000;
/// The greatest ratio to the median.
const MOST: f64 = 10.0;

/// Counts the instructions per unit of work.
#[derive(Parser)]
struct Arguments {
    /// The number of random inputs
    #[arg(long, default_value_t = 60)]
    count: u64,
    /// The first seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folders with inputs
    folders: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    exit_code(match words.as_slice() {
        [word, input] if word == "input" => compile(input).map(|()| true),
        _ => check(&Arguments::parse()),
    })
}

/// Whether no input is an outlier.
fn check(arguments: &Arguments) -> Result<bool> {
    let seeds = (arguments.seed..arguments.seed + arguments.count).map(|seed| seed.to_string());
    let files = arguments.folders.iter().flat_map(|folder| in_folder(folder));
    let files = files.map(|path| path.display().to_string());
    let (base, _) = callgrind::run(&["input", "none"])?;
    let mut ratios = Vec::new();
    for input in seeds.chain(files) {
        let (count, printed) = callgrind::run(&["input", &input])?;
        let work: u64 = printed.trim().parse()?;
        if work >= LEAST_WORK {
            ratios.push((count.saturating_sub(base) as f64 / work as f64, input, work));
        }
    }
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let median = ratios.get(ratios.len() / 2).ok_or("no input takes enough work")?.0;
    println!("{} inputs; instructions per unit of work at the median: {median:.0}", ratios.len());
    let mut is_fine = true;
    for (ratio, input, work) in ratios.iter().rev().take(5) {
        let is_outlier = *ratio > MOST * median;
        is_fine &= !is_outlier;
        let mark = if is_outlier { "  <- beyond" } else { "" };
        let source = source(input).ok_or("an input is gone")?;
        let text: String = source.text().text.chars().take(120).collect();
        println!(
            "{ratio:8.0}  {input}, {work} units, {}: {}{mark}",
            source.notation(),
            text.replace('\n', " ")
        );
    }
    Ok(is_fine)
}

/// The input of a seed or a file; none for other words.
fn source(input: &str) -> Option<Source> {
    let Ok(seed) = input.parse() else { return of_file(Path::new(input)) };
    let (notation, text) = expensive(&mut Random::new(seed));
    Some(Source::new(notation, text))
}

/// Compiles an input, if there is one, and prints the units of work: those that were spent, or the limit if there is an error.
fn compile(input: &str) -> Result<()> {
    let file = callgrind::vocabulary()?.to_artifact();
    let vocabulary = Vocabulary::from_artifact("words", &file, "words.gcv".into())?;
    let Some(source) = source(input) else {
        println!("0");
        return Ok(());
    };
    let limits = LimitOptions { work: Some(WORK), ..LimitOptions::default() };
    let options = Options { limits, ..Options::default() };
    let compiled = parse(&source, &options)
        .and_then(|parsed| compile_parsed(&parsed, &vocabulary, &options, Packing::Referenced, &mut ()));
    let work = match compiled {
        Ok(compilation) => compilation.stats.work,
        Err(error) if error.to_string().contains("work units") => WORK,
        // Refused, or beyond another limit: its work is not known.
        Err(_) => 0,
    };
    println!("{work}");
    Ok(())
}
