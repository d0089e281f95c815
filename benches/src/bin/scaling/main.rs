//! How costs grow: with the vocabulary, the schema, the grammar, the text.
//!
//! ```text
//! scaling [--vocab llama3] [--files TOKENIZER_FILE ...] [--runs 3] [--only PART_OF_NAME] [--most N] [--plots FOLDER]
//! ```
//! One table per thing that grows, the others fixed. Compile time is the least of the runs, text to artifact; masks and commits are those
//! of a text, each the least of three passes. `--files` are further vocabularies, `--most` leaves out larger sizes.

mod inputs;

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_benches::exit_code;
use gcc_grammar_benches::language::TokenBytes;
use gcc_grammar_benches::replay::{Costs, Verdict, replay};
use gcc_grammar_benches::svg::{Axis, Line, Plot};
use gcc_grammar_benches::times::Times;
use gcc_grammar_benches::tokenization::tokenizer;
use gcc_grammar_compiler::{Limits, Options};
use gcc_grammar_ir::{Diagnostic, Grammar};
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_notations::lark;
use gcc_grammar_runtime::{Engine, Matcher};
use inputs::Input;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs};

/// Times a text is read.
const PASSES: usize = 3;
/// Words of scratch beyond what is recommended, for the deepest text.
const SCRATCH: usize = 1 << 22;

struct Arguments {
    vocabulary: String,
    files: Vec<String>,
    runs: usize,
    only: String,
    most: usize,
    plots: Option<PathBuf>,
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self {
            vocabulary: "llama3".to_owned(),
            files: Vec::new(),
            runs: 3,
            only: String::new(),
            most: usize::MAX,
            plots: None,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} wants a value"));
            let number = |text: String| text.parse::<usize>().map_err(|_| format!("{text} is not a number"));
            match word.as_str() {
                "--vocab" => arguments.vocabulary = value()?,
                "--files" => arguments.files.push(value()?),
                "--runs" => arguments.runs = number(value()?)?.max(1),
                "--only" => arguments.only = value()?,
                "--most" => arguments.most = number(value()?)?,
                "--plots" => arguments.plots = Some(value()?.into()),
                _ => return Err(format!("unknown argument {word}")),
            }
        }
        Ok(arguments)
    }
}

/// Something that grows.
struct Growth {
    name: &'static str,
    /// What the size counts.
    unit: &'static str,
    sizes: &'static [usize],
    input: fn(usize) -> Input,
}

const GROWTHS: [Growth; 7] = [
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
    Growth {
        name: "nesting of the text",
        unit: "brackets",
        sizes: &[10, 100, 1_000, 10_000, 100_000],
        input: inputs::depth,
    },
    Growth {
        name: "length of the text",
        unit: "objects",
        sizes: &[10, 100, 1_000, 10_000, 50_000],
        input: inputs::length,
    },
];

/// What one size costs.
struct Measured {
    size: usize,
    compile: Duration,
    artifact: usize,
    tokens: usize,
    /// p50, p99, p99.9
    mask: [Duration; 3],
    commit: [Duration; 3],
}

fn main() -> ExitCode {
    exit_code(Arguments::read(env::args().skip(1)).and_then(|arguments| run(&arguments)).map(|()| true))
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let mut grown: Vec<(&'static str, Vec<Measured>)> = Vec::new();
    if "vocabulary".contains(&arguments.only) {
        grown.push(("vocabulary", vocabularies(arguments)?));
    }
    let vocabulary = TokenBytes::built_in(&arguments.vocabulary)?;
    for growth in GROWTHS.iter().filter(|growth| growth.name.contains(&arguments.only)) {
        println!("\n### {} ({})\n\n{}", growth.name, arguments.vocabulary, head(growth.unit));
        let mut sizes = Vec::new();
        for &size in growth.sizes.iter().filter(|size| **size <= arguments.most) {
            match measure(&(growth.input)(size), &vocabulary, arguments.runs) {
                Ok(measured) => {
                    println!("| {size} {}", row(&measured));
                    sizes.push(measured);
                }
                Err(reason) => println!("| {size} | {reason} | | | | |"),
            }
        }
        grown.push((growth.name, sizes));
    }
    match &arguments.plots {
        Some(folder) => plot(&grown, folder).map_err(|error| format!("{}: {error}", folder.display())),
        None => Ok(()),
    }
}

/// A schema for all vocabularies: the built-in ones, and files.
fn vocabularies(arguments: &Arguments) -> Result<Vec<Measured>, String> {
    let mut all = Vec::new();
    let names = ["cl100k", "llama3", "qwen2.5", "o200k"].map(str::to_owned);
    for name in names.into_iter().chain(arguments.files.iter().cloned()) {
        let vocabulary = TokenBytes::named(&name)?;
        let input = inputs::properties(30, false);
        let mut measured = measure(&input, &vocabulary, arguments.runs)?;
        measured.size = vocabulary.0.vocabulary.width() as usize;
        all.push((vocabulary.0.name.clone(), measured));
    }
    all.sort_by_key(|(_, measured)| measured.size);
    println!("### vocabulary (30 optional properties)\n\n{}", head("tokens"));
    all.iter().for_each(|(name, measured)| println!("| {} {name} {}", measured.size, row(measured)));
    Ok(all.into_iter().map(|(_, measured)| measured).collect())
}

fn measure(input: &Input, vocabulary: &TokenBytes, runs: usize) -> Result<Measured, String> {
    let mut artifact = Vec::new();
    let mut fastest = Duration::MAX;
    for _ in 0..runs {
        let start = Instant::now();
        artifact = build(input, vocabulary)?;
        fastest = fastest.min(start.elapsed());
        if fastest > Duration::from_secs(5) {
            break;
        }
    }
    let tokens =
        tokenizer(&vocabulary.0)?.tokenize(input.text.as_bytes()).map_err(|error| error.to_string())?.ids;
    let grammar = GrammarView::open(&artifact).map_err(|error| error.to_string())?;
    let engine = Engine::new(grammar, vocabulary).map_err(|error| error.to_string())?;
    let mut scratch = vec![0; engine.scratch_words() + SCRATCH];
    let mut matcher = Matcher::new(&engine, &mut scratch, 1).map_err(|error| error.to_string())?;
    let mut best: Option<(Vec<Duration>, Vec<Duration>)> = None;
    for _ in 0..PASSES {
        let mut costs = Costs::default();
        let verdict = replay(&mut matcher, &tokens, &mut costs);
        if verdict != Verdict::Accepted {
            return Err(format!("the text is {verdict:?}"));
        }
        let (mask, commit) =
            best.get_or_insert_with(|| (costs.mask.iter().collect(), costs.commit.iter().collect()));
        least(mask, &costs.mask);
        least(commit, &costs.commit);
    }
    let (mask, commit) = best.unwrap_or_default();
    let spread = |times: Vec<Duration>| {
        let mut all = Times::default();
        times.into_iter().for_each(|time| all.push(time));
        [500, 990, 999].map(|per_mille| all.per_mille(per_mille))
    };
    Ok(Measured {
        size: input.size,
        compile: fastest,
        artifact: artifact.len(),
        tokens: tokens.len(),
        mask: spread(mask),
        commit: spread(commit),
    })
}

fn least(best: &mut [Duration], times: &Times) {
    best.iter_mut().zip(times.iter()).for_each(|(best, time)| *best = time.min(*best));
}

fn build(input: &Input, vocabulary: &TokenBytes) -> Result<Vec<u8>, String> {
    let limits = Limits { work: 20_000_000_000, bytes: 8 << 30, ..Limits::default() };
    let grammar = parse(input).map_err(|errors| {
        errors.first().map_or_else(String::new, |error| format!("{}: {}", error.code, error.message))
    })?;
    let compiled = vocabulary.compile(&grammar, &Options::from(limits));
    compiled.map(|(artifact, _)| artifact).map_err(|error| format!("{error:?}"))
}

fn parse(input: &Input) -> Result<Grammar, Vec<Diagnostic>> {
    if input.is_schema {
        json_schema::compile(&input.grammar, &json_schema::Options::default())
            .map(|compiled| compiled.grammar)
    } else {
        lark::parse(&input.grammar).map(|parsed| parsed.grammar)
    }
}

fn head(unit: &str) -> String {
    format!(
        "| {unit} | compile | artifact | tokens of the text | mask p50 / p99 / p99.9 | commit p50 / p99 / p99.9 |\n|---|---|---|---|---|---|"
    )
}

fn row(measured: &Measured) -> String {
    let [mask, commit] = [measured.mask, measured.commit]
        .map(|times| times.map(|time| format!("{:.2}", time.as_nanos() as f64 / 1e3)).join(" / "));
    format!(
        "| {:.3?} | {} KiB | {} | {mask} µs | {commit} µs |",
        measured.compile,
        measured.artifact.div_ceil(1024),
        measured.tokens
    )
}

fn plot(grown: &[(&'static str, Vec<Measured>)], folder: &std::path::Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let is_text = |name: &str| name.ends_with("of the text");
    let lines = |texts: bool, value: fn(&Measured) -> f64| -> Vec<Line> {
        let chosen = grown.iter().filter(|(name, _)| is_text(name) == texts && *name != "vocabulary");
        let points = |sizes: &[Measured]| {
            sizes.iter().map(|measured| (measured.size as f64, value(measured))).collect()
        };
        chosen.map(|(name, sizes)| Line { name: (*name).to_owned(), points: points(sizes) }).collect()
    };
    let write = |file: &str, title: &str, x: Axis, y: &str, lines: Vec<Line>| {
        let plot = Plot { title: title.to_owned(), x, y: Axis::logarithmic(y), lines };
        fs::write(folder.join(file), plot.render())
    };
    let sizes = || Axis::logarithmic("properties, values, characters, rules");
    let milliseconds = |measured: &Measured| measured.compile.as_secs_f64() * 1e3;
    write("scaling-compile.svg", "Compile time", sizes(), "ms", lines(false, milliseconds))?;
    write(
        "scaling-artifact.svg",
        "Artifact",
        sizes(),
        "KiB",
        lines(false, |measured| measured.artifact as f64 / 1024.0),
    )?;
    let step = |measured: &Measured| (measured.mask[1] + measured.commit[1]).as_nanos() as f64 / 1e3;
    let tokens = Axis::logarithmic("brackets, objects");
    write(
        "scaling-text.svg",
        "Mask p99 + commit p99 by depth and length of the text",
        tokens,
        "µs",
        lines(true, step),
    )
}
