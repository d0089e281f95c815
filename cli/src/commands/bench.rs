//! `gcc-grammar bench`.
//!
//! Measures what a server would: compiling with the vocabulary already loaded, opening the artifact, and mask and commit for
//! every token of a text. Every mask must allow the token that follows, so what is measured is also right. *update* is the mask in a row
//! that remembers what it holds, *copy* the copy of a row, which no mask that is written as a whole can beat.

use crate::commands::compile::LimitArguments;
use crate::commands::generate::generate;
use crate::distance::Distances;
use crate::failure::{Exit, Failure, SourceText};
use crate::finish::ROLLBACK;
use crate::grammar::{GrammarArguments, read_bytes};
use crate::memory;
use crate::progress::StageTimes;
use crate::session::{matcher, runtime_failure, scratch};
use crate::shell::Shell;
use crate::show::{duration, number, percentile, size};
use crate::summary::{metadata, named, times};
use crate::vocabulary::{Loaded, VocabularyArguments};
use clap::Args;
use gcc_grammar::artifact;
use gcc_grammar_artifact::{ArtifactError, GrammarView};
use gcc_grammar_compiler::random::Random;
use gcc_grammar_compiler::{Observer, Stats};
use gcc_grammar_ir::Code;
use gcc_grammar_ir::Diagnostic;
use gcc_grammar_runtime::{Engine, MaskRow, Matcher, TokenId};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Random outputs that are replayed if no text is given.
const OUTPUTS: u64 = 50;
/// Random tokens of each.
const OUTPUT_TOKENS: usize = 100;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// How often it is compiled
    #[arg(long, value_name = "N", default_value_t = 10)]
    runs: usize,
    /// A text to replay [default: random outputs]
    #[arg(long, value_name = "FILE")]
    text_file: Option<PathBuf>,
    /// How often the text is replayed
    #[arg(long, value_name = "N", default_value_t = 10)]
    replays: usize,
    #[command(flatten)]
    grammar: GrammarArguments,
    #[command(flatten)]
    vocabulary: VocabularyArguments,
    #[command(flatten)]
    limits: LimitArguments,
}

/// What was measured.
struct Measured {
    loading: Duration,
    compiling: Compiling,
    opening: Vec<Duration>,
    decoding: Decoding,
}

/// Compiling, several times.
struct Compiling {
    stats: Stats,
    artifact: Vec<u8>,
    /// From the text to the bytes of the artifact.
    total: Vec<Duration>,
    /// Median by stage.
    stages: Vec<(&'static str, Duration)>,
    /// Bytes by stage.
    peaks: Vec<(&'static str, usize)>,
}

/// Mask and commit, for each token of each replay.
#[derive(Default)]
struct Decoding {
    tokens: usize,
    mask: Vec<Duration>,
    commit: Vec<Duration>,
    both: Vec<Duration>,
    /// A row that remembers what it holds, updated.
    update: Vec<Duration>,
    /// A row copied, in place of a mask: the floor.
    copy: Vec<Duration>,
}

/// The peak of memory in each stage; other processes' doings do not count, the vocabulary and the program do.
#[derive(Default)]
struct Peaks {
    done: Vec<(&'static str, usize)>,
    current: Option<&'static str>,
}

impl Peaks {
    fn finish(mut self) -> Vec<(&'static str, usize)> {
        self.end_stage();
        self.done
    }

    fn end_stage(&mut self) {
        if let (Some(name), Some(bytes)) = (self.current.take(), memory::peak()) {
            self.done.push((name, bytes));
        }
    }
}

impl Observer for Peaks {
    fn stage(&mut self, name: &'static str) {
        self.end_stage();
        self.current = Some(name);
        memory::reset_peak();
    }
}

/// Measures, and shows the results.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let text = arguments.grammar.read()?;
    let start = Instant::now();
    let vocabulary = arguments.vocabulary.load()?;
    let loading = start.elapsed();
    let compiling = compile(arguments, &text, &vocabulary)?;
    let opening = open(&compiling.artifact, arguments.runs).map_err(|error| bug(&text, error.to_string()))?;
    let decoding = decode(arguments, &compiling.artifact, &vocabulary, &text)?;
    let measured = Measured { loading, compiling, opening, decoding };
    if shell.json {
        shell.write_json(&measured.to_json())?;
        return Ok(Exit::Done);
    }
    let mut out = shell.out();
    out.write_all(measured.to_text(&vocabulary).as_bytes())?;
    out.flush()?;
    Ok(Exit::Done)
}

fn bug(text: &SourceText, message: String) -> Failure {
    let diagnostic = Diagnostic::error(Code::WrongArtifact, message);
    Failure::new(
        Exit::Refused,
        text.name.as_str(),
        diagnostic.help("this is a bug of gcc-grammar: please report it"),
    )
}

fn compile(arguments: &Arguments, text: &SourceText, vocabulary: &Loaded) -> Result<Compiling, Failure> {
    // Asking for memory takes time, so it is done apart; and first, while freed memory is not yet kept for reuse.
    let mut peaks = Peaks::default();
    let (stats, artifact) = compile_once(arguments, text.clone(), vocabulary, &mut peaks)?;
    let mut total = Vec::new();
    let mut all: Vec<Vec<(&'static str, Duration)>> = Vec::new();
    for _ in 0..arguments.runs.max(1) {
        let text = text.clone();
        let start = Instant::now();
        let mut times = StageTimes::default();
        compile_once(arguments, text, vocabulary, &mut times)?;
        total.push(start.elapsed());
        all.push(times.finish());
    }
    total.sort_unstable();
    let names = all.first().map_or(Vec::new(), |stages| stages.iter().map(|&(name, _)| name).collect());
    let median = |index: usize| {
        let mut times: Vec<Duration> = all.iter().filter_map(|stages| Some(stages.get(index)?.1)).collect();
        times.sort_unstable();
        percentile(&times, 500)
    };
    let stages = names.into_iter().enumerate().map(|(index, name)| (name, median(index))).collect();
    Ok(Compiling { stats, artifact, total, stages, peaks: peaks.finish() })
}

fn compile_once(
    arguments: &Arguments,
    text: SourceText,
    vocabulary: &Loaded,
    observer: &mut dyn Observer,
) -> Result<(Stats, Vec<u8>), Failure> {
    observer.stage("front end");
    let parsed = arguments.grammar.parse_text(text)?;
    let options = arguments.limits.over(parsed.limits()).into();
    let compiled = gcc_grammar_compiler::compile(&parsed.grammar, &vocabulary.vocabulary, &options, observer);
    let compiled = compiled.map_err(|error| Failure::compile(error, &parsed.text))?;
    observer.stage("write");
    let metadata = metadata(&parsed, &parsed.warnings, vocabulary, &compiled.stats);
    let artifact = artifact::write(&compiled, &vocabulary.vocabulary, &metadata);
    Ok((compiled.stats, artifact))
}

fn open(artifact: &[u8], runs: usize) -> Result<Vec<Duration>, ArtifactError> {
    let mut times = Vec::new();
    for _ in 0..runs.max(1) {
        let start = Instant::now();
        GrammarView::open(artifact)?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    Ok(times)
}

fn decode(
    arguments: &Arguments,
    artifact: &[u8],
    vocabulary: &Loaded,
    text: &SourceText,
) -> Result<Decoding, Failure> {
    let wrong = |error: ArtifactError| bug(text, error.to_string());
    let grammar = GrammarView::open(artifact).map_err(wrong)?;
    let engine = Engine::new(grammar, vocabulary).map_err(wrong)?;
    let outputs = outputs(arguments, &engine, vocabulary, text)?;
    let mut decoding = Decoding { tokens: outputs.iter().map(Vec::len).sum(), ..Decoding::default() };
    let mut scratch = scratch(&engine);
    let mut row = vec![0u32; engine.row_words()];
    let mut matcher = matcher(&engine, &mut scratch, 1)?;
    for output in std::iter::repeat_n(&outputs, arguments.replays.max(1)).flatten() {
        matcher.reset();
        for &token in output {
            let start = Instant::now();
            matcher.fill_mask(&mut row).map_err(runtime_failure)?;
            let masked = start.elapsed();
            let committed = matcher.commit(TokenId(token));
            let both = start.elapsed();
            decoding.mask.push(masked);
            decoding.commit.push(both - masked);
            decoding.both.push(both);
            let allowed = row.get(token as usize / 32).is_some_and(|word| word >> (token % 32) & 1 == 1);
            if allowed != committed.is_ok() {
                return Err(bug(text, format!("mask and commit disagree about token {token}")));
            }
            if committed.is_err() {
                return Err(refused(arguments, token));
            }
        }
    }
    decoding.update = update(arguments, &outputs, &mut matcher)?
        .ok_or_else(|| bug(text, "a row that remembers what it holds is not the mask".to_owned()))?;
    decoding.copy = copy(arguments, &outputs, &mut matcher)?;
    for times in [
        &mut decoding.mask,
        &mut decoding.commit,
        &mut decoding.both,
        &mut decoding.update,
        &mut decoding.copy,
    ] {
        times.sort_unstable();
    }
    Ok(decoding)
}

/// The same with a row that remembers what it holds, once more than counts: then it is compared with what is filled.
fn update<'a>(
    arguments: &Arguments,
    outputs: &[Vec<u32>],
    matcher: &mut Matcher<'a, '_>,
) -> Result<Option<Vec<Duration>>, Failure> {
    let mut times = Vec::new();
    let (mut words, mut filled) =
        (vec![0u32; matcher.engine().row_words()], vec![0u32; matcher.engine().row_words()]);
    let mut row = MaskRow::new(&mut words);
    for replay in 0..=arguments.replays.max(1) {
        for output in outputs {
            matcher.reset();
            for &token in output {
                let start = Instant::now();
                matcher.update_mask(&mut row).map_err(runtime_failure)?;
                times.push(start.elapsed());
                if replay == 0 {
                    matcher.fill_mask(&mut filled).map_err(runtime_failure)?;
                    if row.words() != filled {
                        return Ok(None);
                    }
                }
                matcher.commit(TokenId(token)).map_err(runtime_failure)?;
            }
        }
        if replay == 0 {
            times.clear();
        }
    }
    Ok(Some(times))
}

/// The same with a row copied instead of each mask.
fn copy(
    arguments: &Arguments,
    outputs: &[Vec<u32>],
    matcher: &mut Matcher<'_, '_>,
) -> Result<Vec<Duration>, Failure> {
    let mut times = Vec::new();
    let (source, mut row) =
        (vec![1u32; matcher.engine().row_words()], vec![0u32; matcher.engine().row_words()]);
    for output in std::iter::repeat_n(outputs, arguments.replays.max(1)).flatten() {
        matcher.reset();
        for &token in output {
            let start = Instant::now();
            row.copy_from_slice(&source);
            std::hint::black_box(&mut row);
            times.push(start.elapsed());
            matcher.commit(TokenId(token)).map_err(runtime_failure)?;
        }
    }
    Ok(times)
}

fn refused(arguments: &Arguments, token: u32) -> Failure {
    let name = arguments.text_file.as_ref().map_or_else(String::new, |path| path.display().to_string());
    let diagnostic = Diagnostic::error(Code::RefusedText, format!("the text is refused at token {token}"));
    Failure::new(Exit::Refused, name, diagnostic.help("`gcc-grammar replay` shows where and why"))
}

/// The tokens to replay.
fn outputs(
    arguments: &Arguments,
    engine: &Engine<'_>,
    vocabulary: &Loaded,
    text: &SourceText,
) -> Result<Vec<Vec<u32>>, Failure> {
    if let Some(path) = &arguments.text_file {
        return Ok(vec![vocabulary.tokenize(&read_bytes(path)?, false)?.ids]);
    }
    let mut scratch = scratch(engine);
    let mut matcher = matcher(engine, &mut scratch, ROLLBACK)?;
    let mut distances = Distances::new(*engine.grammar());
    let mut outputs = Vec::new();
    for seed in 0..OUTPUTS {
        matcher.reset();
        let output = generate(&mut matcher, vocabulary, &mut distances, &mut Random(seed), OUTPUT_TOKENS)?;
        outputs.push(output.ok_or_else(|| bug(text, "a random output could not be completed".to_owned()))?);
    }
    Ok(outputs)
}

impl Decoding {
    fn named(&self) -> [(&'static str, &[Duration]); 5] {
        [
            ("mask", &self.mask),
            ("commit", &self.commit),
            ("both", &self.both),
            ("update", &self.update),
            ("copy", &self.copy),
        ]
    }
}

impl Measured {
    fn to_text(&self, vocabulary: &Loaded) -> String {
        let mut out = String::new();
        let compiling = &self.compiling;
        let [best, p50, worst] =
            [0, 500, 1000].map(|per_mille| duration(percentile(&compiling.total, per_mille.max(1))));
        let _ = writeln!(
            out,
            "vocabulary  {} ({} tokens) loaded in {}",
            vocabulary.name,
            vocabulary.vocabulary.width(),
            duration(self.loading)
        );
        let _ =
            writeln!(out, "compile     p50 {p50}, from {best} to {worst}, {} runs", compiling.total.len());
        let _ = writeln!(out, "            {}", times(&compiling.stages));
        let _ = writeln!(
            out,
            "artifact    {}, opened in {}",
            size(compiling.artifact.len()),
            duration(percentile(&self.opening, 500))
        );
        if !compiling.peaks.is_empty() {
            let peaks: Vec<String> =
                compiling.peaks.iter().map(|&(name, bytes)| format!("{name} {}", size(bytes))).collect();
            let _ = writeln!(out, "memory      peaks: {}", peaks.join(", "));
        }
        let decoding = &self.decoding;
        let _ = writeln!(
            out,
            "decode      {} tokens, {} times",
            number(decoding.tokens as u64),
            decoding.mask.len() / decoding.tokens.max(1)
        );
        for (name, times) in decoding.named() {
            let [p50, p99, p999, max] =
                [500, 990, 999, 1000].map(|per_mille| duration(percentile(times, per_mille)));
            let _ = writeln!(out, "  {name:<9} p50 {p50}, p99 {p99}, p99.9 {p999}, max {max}");
        }
        let p50 = |times: &[Duration]| percentile(times, 500).as_nanos().max(1) as f64;
        let copy = p50(&decoding.copy);
        let _ = writeln!(
            out,
            "            mask / copy of a row {:.1}, update / copy {:.1}",
            p50(&decoding.mask) / copy,
            p50(&decoding.update) / copy
        );
        out.push_str("stages\n");
        for (name, count) in named(&compiling.stats) {
            let _ = writeln!(out, "  {name:<40} {:>14}", number(count));
        }
        out
    }

    fn to_json(&self) -> Value {
        let nanos = |time: Duration| time.as_nanos() as u64;
        let spread = |times: &[Duration]| {
            let [p50, p99, p999, max] =
                [500, 990, 999, 1000].map(|per_mille| nanos(percentile(times, per_mille)));
            json!({"p50_ns": p50, "p99_ns": p99, "p999_ns": p999, "max_ns": max})
        };
        let compiling = &self.compiling;
        let stages: Vec<Value> = compiling
            .stages
            .iter()
            .map(|&(name, time)| json!({"stage": name, "p50_ns": nanos(time)}))
            .collect();
        let peaks: Vec<Value> =
            compiling.peaks.iter().map(|(name, bytes)| json!({"stage": name, "bytes": bytes})).collect();
        let stats: serde_json::Map<String, Value> = named(&compiling.stats)
            .iter()
            .map(|&(name, count)| (name.replace(' ', "_").to_lowercase(), json!(count)))
            .collect();
        json!({
            "vocabulary_loaded_ns": nanos(self.loading),
            "compile": spread(&compiling.total),
            "stages": stages,
            "stats": stats,
            "artifact_bytes": compiling.artifact.len(),
            "open": spread(&self.opening),
            "peak_memory": peaks,
            "tokens": self.decoding.tokens,
            "mask": spread(&self.decoding.mask),
            "commit": spread(&self.decoding.commit),
            "both": spread(&self.decoding.both),
            "update": spread(&self.decoding.update),
            "copy": spread(&self.decoding.copy),
        })
    }
}
