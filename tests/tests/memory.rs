//! Limits on memory hold: a compilation takes no more than the bytes that it charges, plus what every compilation may take.
//!
//! Inputs are the corpus of the fuzz targets, random inputs of shapes that are expensive somewhere, and the shared reports. A program of its
//! own, because its allocator counts the bytes of each thread.

use allocation_counter::measure;
use gcc_grammar::{LimitOptions, Options, Packing, Source, Vocabulary, compile_parsed, parse};
use gcc_grammar_tests::files::{repository, shared};
use gcc_grammar_tests::generate::{Random, expensive};
use gcc_grammar_tests::sources::{in_folder, of_file};
use std::fmt;
use std::path::Path;

/// Memory that need not be charged: tables of a fixed size, and buffers.
const FREE_BYTES: u64 = 64 << 20;
/// The limits, so small that most expensive inputs exceed one of them.
const BYTES: u64 = 40 << 20;
const WORK: u64 = 20_000_000;
/// Random inputs: those of the campaign `memory`, which is a release build, and otherwise the first of them.
const INPUTS: u64 = if cfg!(debug_assertions) { 100 } else { 600 };

fn vocabulary() -> Vocabulary {
    Vocabulary::load("llama3").expect("it is built in")
}

/// Checks the memory that compiling an input takes.
fn check(vocabulary: &Vocabulary, name: &dyn fmt::Display, source: &Source) {
    let limits = LimitOptions { work: Some(WORK), bytes: Some(BYTES), ..LimitOptions::default() };
    let options = Options { limits, ..Options::default() };
    let mut charged = BYTES;
    let taken = measure(|| {
        let Ok(parsed) = parse(source, &options) else { return };
        if let Ok(compilation) = compile_parsed(&parsed, vocabulary, &options, Packing::Referenced, &mut ()) {
            charged = compilation.stats.bytes;
        }
    });
    let most = charged + charged / 4 + FREE_BYTES;
    assert!(taken.bytes_max <= most, "{name}: {} bytes, but {charged} charged", taken.bytes_max);
}

fn check_folder(vocabulary: &Vocabulary, folder: &Path) {
    for path in in_folder(folder) {
        let source = of_file(&path).expect("an input");
        check(vocabulary, &path.display(), &source);
    }
}

#[test]
fn the_corpus_takes_what_it_charges() {
    check_folder(&vocabulary(), &repository().join("fuzz/corpus"));
}

#[test]
#[ignore = "needs ../shared: inputs of reports"]
fn reports_take_what_they_charge() {
    check_folder(&vocabulary(), &shared("data/reports"));
}

#[test]
fn random_inputs_take_what_they_charge() {
    let vocabulary = vocabulary();
    for seed in 0..INPUTS {
        let mut random = Random::new(seed);
        let (notation, text) = expensive(&mut random);
        let source = Source::new(notation, text.as_str());
        check(&vocabulary, &format_args!("seed {seed}, {notation}: {text}"), &source);
    }
}
