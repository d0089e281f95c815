//! Measures how costs grow with the vocabulary, the schema, the grammar and the text.
//!
//! ```text
//! scaling [--vocab llama3] [--files TOKENIZER_FILE ...] [--runs 3] [--only PART_OF_NAME] [--most N] [--plots FOLDER]
//! ```
//! There is one table for each quantity that grows, while the others are fixed. The compile time is the least of the runs, from text to
//! artifact. Masks and commits are those of one text, each the least of three passes. Each `--files` adds a tokenizer file as a further
//! vocabulary; `--most` leaves out larger sizes; `--plots` writes the tables as SVG files.

mod inputs;
mod measure;
mod plots;

use clap::Parser;
use gcc_grammar_benches::language::load_vocabulary;
use gcc_grammar_benches::{Result, exit_code};
use inputs::Input;
use measure::{Measured, head};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Measures how costs grow with the vocabulary, the schema, the grammar and the text.
#[derive(Parser)]
struct Arguments {
    /// The vocabulary: a built-in name, or a tokenizer file.
    #[arg(long = "vocab", default_value = "llama3")]
    vocabulary: String,
    /// A further vocabulary for the table of vocabularies. May be repeated.
    #[arg(long, value_name = "TOKENIZER_FILE")]
    files: Vec<String>,
    /// How often each grammar is compiled.
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Measure only quantities with this text in their name.
    #[arg(long, value_name = "PART_OF_NAME", default_value = "")]
    only: String,
    /// Leave out larger sizes.
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    most: usize,
    /// Write plots to this folder.
    #[arg(long, value_name = "FOLDER")]
    plots: Option<PathBuf>,
}

/// A quantity that grows.
struct Growth {
    name: &'static str,
    /// The plural noun that the size counts.
    unit: &'static str,
    sizes: &'static [usize],
    input: fn(usize) -> Input,
}

/// Depths of texts.
const DEPTHS: &[usize] = &[100, 1_000, 10_000, 100_000, 1_000_000];

const GROWTHS: [Growth; 11] = [
    Growth {
        name: "required properties",
        unit: "properties",
        sizes: &[10, 100, 1_000, 10_000],
        input: |size| inputs::properties(size, true),
    },
    Growth {
        name: "optional properties",
        unit: "properties",
        sizes: &[10, 30, 100, 300, 1_000],
        input: |size| inputs::properties(size, false),
    },
    Growth { name: "enum", unit: "values", sizes: &[10, 100, 1_000, 10_000], input: inputs::enumeration },
    Growth { name: "maxLength", unit: "characters", sizes: &[10, 100, 1_000, 10_000], input: inputs::bound },
    Growth { name: "grammar", unit: "rules", sizes: &[10, 30, 100, 300, 1_000], input: inputs::rules },
    Growth { name: "nesting of the text", unit: "brackets", sizes: DEPTHS, input: inputs::depth },
    Growth {
        name: "length of the text",
        unit: "objects",
        sizes: &[10, 100, 1_000, 10_000, 50_000],
        input: inputs::length,
    },
    Growth {
        name: "right recursion of the text",
        unit: "levels",
        sizes: DEPTHS,
        input: inputs::right_recursion,
    },
    Growth { name: "prefix operators of the text", unit: "operators", sizes: DEPTHS, input: inputs::unary },
    Growth {
        name: "nested statements of the text",
        unit: "levels",
        sizes: DEPTHS,
        input: inputs::statements,
    },
    Growth {
        name: "ambiguous statements of the text",
        unit: "levels",
        sizes: &[10, 100, 1_000],
        input: inputs::ambiguous,
    },
];

fn main() -> ExitCode {
    exit_code(run(&Arguments::parse()).map(|()| true))
}

fn run(arguments: &Arguments) -> Result<()> {
    let mut results: Vec<plots::Results> = Vec::new();
    if "vocabulary".contains(&arguments.only) {
        results.push(("vocabulary", vocabularies(arguments)?));
    }
    let vocabulary = load_vocabulary(&arguments.vocabulary)?;
    for growth in GROWTHS.iter().filter(|growth| growth.name.contains(&arguments.only)) {
        println!("\n### {} ({})\n\n{}", growth.name, arguments.vocabulary, head(growth.unit));
        let mut sizes = Vec::new();
        for &size in growth.sizes.iter().filter(|size| **size <= arguments.most) {
            match Measured::new(&(growth.input)(size), &vocabulary, arguments.runs) {
                Ok(measured) => {
                    println!("| {size} {}", measured.cells());
                    sizes.push(measured);
                }
                Err(reason) => println!("| {size} | {reason} | | | | | | | |"),
            }
        }
        for (name, median) in AT_END {
            flatness(name, sizes.iter().map(median)).iter().for_each(|line| println!("\n{line}"));
        }
        results.push((growth.name, sizes));
    }
    if let Some(folder) = &arguments.plots {
        plots::write(&results, folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    Ok(())
}

/// A time of a size.
type Time = fn(&Measured) -> Duration;

/// The medians that should be the same for all sizes.
const AT_END: [(&str, Time); 2] =
    [("Masks", |size| size.mask_at_end[0]), ("Whether it may end", |size| size.ending[0])];

/// Says how flat medians at the end of the text are over the sizes.
fn flatness(name: &str, medians: impl Iterator<Item = Duration>) -> Option<String> {
    let mut medians: Vec<f64> = medians.map(|median| median.as_secs_f64()).collect();
    medians.sort_by(f64::total_cmp);
    let (median, worst) = (medians.get(medians.len() / 2)?, medians.last()?);
    Some(format!("{name}, at the end of the text: worst median / median of medians = {:.2}", worst / median))
}

/// Measures one schema with the built-in vocabularies and the tokenizer files.
fn vocabularies(arguments: &Arguments) -> Result<Vec<Measured>> {
    let mut all = Vec::new();
    let names = ["cl100k", "llama3", "qwen2.5", "o200k"].map(str::to_owned);
    for name in names.into_iter().chain(arguments.files.iter().cloned()) {
        let vocabulary = load_vocabulary(&name)?;
        let input = inputs::properties(30, false);
        let mut measured = Measured::new(&input, &vocabulary, arguments.runs)?;
        measured.size = vocabulary.tokens().width() as usize;
        all.push((vocabulary.name().to_owned(), measured));
    }
    all.sort_by_key(|(_, measured)| measured.size);
    println!("### vocabulary (30 optional properties)\n\n{}", head("tokens"));
    all.iter().for_each(|(name, measured)| println!("| {} {name} {}", measured.size, measured.cells()));
    Ok(all.into_iter().map(|(_, measured)| measured).collect())
}
