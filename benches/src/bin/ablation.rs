//! Measures what each shortcut of the compiler pays: compiles inputs with all of them, and with one of them switched off.
//!
//! ```text
//! ablation INPUT… [--vocab llama3]
//! ```
//! An input is a bundled grammar, a grammar file, a schema, a structural tag, or a case of MaskBench; those that do not parse are left out. The
//! program runs itself under Valgrind (`callgrind`), once with the inputs and once without; the difference is the count of all of them, on all
//! threads. It runs itself without Valgrind, too, for the most memory that the process used and the least time by the clock of three runs. The
//! exit code is 1 if a variant makes another artifact.

use clap::Parser;
use gcc_grammar::{Notation, Source};
use gcc_grammar_benches::callgrind;
use gcc_grammar_benches::cases::Case;
use gcc_grammar_benches::language::{find_source, large_limits, load_vocabulary, parse_source, peak};
use gcc_grammar_benches::{Result, exit_code};
use gcc_grammar_compiler::{Options, compile};
use gcc_grammar_ir::Grammar;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, fs};

/// Measures what each shortcut of the compiler pays.
#[derive(Parser)]
struct Arguments {
    /// What is compiled.
    #[arg(required = true)]
    inputs: Vec<String>,
    /// The vocabulary: a built-in name, or a tokenizer file.
    #[arg(long = "vocab", default_value = "llama3")]
    vocabulary: String,
    /// Compile the inputs without this shortcut, and print the nanoseconds, the bytes of memory and a digest of the artifacts.
    #[arg(long, hide = true)]
    without: Option<String>,
    /// Compile nothing.
    #[arg(long, hide = true)]
    idle: bool,
}

/// A shortcut, and how it is switched off.
type Variant = (&'static str, fn(&mut Options));

const VARIANTS: [Variant; 8] = [
    ("nothing", |_| {}),
    ("parts, languages", |options| options.shortcuts.parts = false),
    ("uniform subtrees", |options| options.shortcuts.uniform = false),
    ("counting", |options| options.shortcuts.counting = false),
    ("groups", |options| options.shortcuts.groups = false),
    ("entries", |options| options.shortcuts.entries = false),
    ("precomputed walks", |options| options.shortcuts.precomputed = false),
    ("two parts", |options| options.two_parts_from = usize::MAX),
];

/// What the inputs took.
#[derive(Clone, Copy)]
struct Measured {
    instructions: u64,
    clock: Duration,
    peak: u64,
    digest: u64,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    exit_code(match &arguments.without {
        Some(name) => compile_all(name, &arguments).map(|()| true),
        None => run(&arguments),
    })
}

/// Whether all variants make the same artifacts.
fn run(arguments: &Arguments) -> Result<bool> {
    // The first process would build the vocabulary.
    drop(load_vocabulary(&arguments.vocabulary)?);
    println!("| without | instructions | ratio | clock | peak | artifacts |\n|---|---|---|---|---|---|");
    let mut whole = None;
    let mut is_right = true;
    for (name, _) in VARIANTS {
        let measured = measure(name, arguments)?;
        let Measured { instructions, digest, .. } = *whole.get_or_insert(measured);
        let is_equal = measured.digest == digest;
        is_right &= is_equal;
        println!(
            "| {name} | {:.1} million | {:.3} | {:.0?} | {} MB | {} |",
            measured.instructions as f64 / 1e6,
            measured.instructions as f64 / instructions as f64,
            measured.clock,
            measured.peak / 1_000_000,
            if is_equal { "equal" } else { "different" },
        );
    }
    Ok(is_right)
}

/// Measures a variant.
fn measure(without: &str, arguments: &Arguments) -> Result<Measured> {
    let mut words: Vec<&str> = arguments.inputs.iter().map(String::as_str).collect();
    words.extend(["--vocab", &arguments.vocabulary, "--without", without]);
    let (with, _) = callgrind::run(&words)?;
    let mut measured = Measured { instructions: 0, clock: Duration::MAX, peak: 0, digest: 0 };
    for _ in 0..3 {
        let output = Command::new(env::current_exe()?).args(&words).output()?;
        let text = String::from_utf8(output.stdout)?;
        let numbers: Vec<u64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let [clock, peak, digest] = *numbers else {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        };
        measured.clock = measured.clock.min(Duration::from_nanos(clock));
        measured.peak = measured.peak.max(peak);
        measured.digest = digest;
    }
    words.push("--idle");
    let (idle, _) = callgrind::run(&words)?;
    measured.instructions = with - idle;
    Ok(measured)
}

/// Compiles all inputs without a shortcut.
fn compile_all(without: &str, arguments: &Arguments) -> Result<()> {
    let vocabulary = load_vocabulary(&arguments.vocabulary)?;
    let tokens = vocabulary.tokens();
    let mut options: Options = large_limits().into();
    let (_, switch_off) = VARIANTS.iter().find(|(name, _)| *name == without).ok_or("no such shortcut")?;
    switch_off(&mut options);
    let grammars = arguments.inputs.iter().map(|input| grammar(input)).collect::<Result<Vec<_>>>()?;
    let start = Instant::now();
    let mut digest = DefaultHasher::new();
    for grammar in grammars.iter().flatten().filter(|_| !arguments.idle) {
        let compiled = compile(grammar, tokens, &options, &mut ());
        compiled.ok().map(|compiled| compiled.to_artifact(tokens)).hash(&mut digest);
    }
    println!("{} {} {}", start.elapsed().as_nanos(), peak().unwrap_or_default(), digest.finish());
    Ok(())
}

/// The grammar of an input, if it parses; of a case of MaskBench, that of its schema.
fn grammar(input: &str) -> Result<Option<Arc<Grammar>>> {
    let path = Path::new(input);
    let source = if path.extension().is_none_or(|extension| extension != "json") {
        find_source(input)?
    } else {
        let text = fs::read_to_string(path)?;
        let case = Case::open(path)?;
        match text.contains("\"structural_tag\"") {
            true => Source::new(Notation::StructuralTag, text),
            false if case.tests.is_empty() => Source::json_schema(text),
            false => Source::json_schema(case.schema.to_string()),
        }
    };
    Ok(parse_source(&source).ok().map(|parsed| parsed.grammar))
}
