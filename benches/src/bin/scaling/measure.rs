//! Measures one size of an input: compiles its grammar, and reads its text.

use crate::inputs::Input;
use gcc_grammar::{Options, Session, Vocabulary, compile};
use gcc_grammar_benches::Result;
use gcc_grammar_benches::language::large_limits;
use gcc_grammar_benches::replay::{Costs, Verdict, replay_often};
use gcc_grammar_benches::times::Times;
use gcc_grammar_benches::tokenization::tokenizer;
use gcc_grammar_runtime::{Matcher, TokenId};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The number of times that a text is read.
const PASSES: usize = 3;
/// Words of scratch beyond the recommended size, for the deepest text.
const SCRATCH: usize = 1 << 26;
/// The number of masks that count as the end of a text.
const AT_END: usize = 100;
/// After a run that takes longer there are no further runs.
const LONG_RUN: Duration = Duration::from_secs(5);

/// The cost of one size.
pub(crate) struct Measured {
    pub(crate) size: usize,
    pub(crate) compile: Duration,
    /// The size of the artifact in bytes.
    pub(crate) artifact: usize,
    /// The number of tokens of the text.
    pub(crate) tokens: usize,
    /// The p50, p99 and p99.9 of filling a mask.
    pub(crate) mask: [Duration; 3],
    /// The p50, p99 and p99.9 of committing a token.
    pub(crate) commit: [Duration; 3],
    /// The p50 of the masks at the end of the text, and the longest mask of the whole text.
    pub(crate) mask_at_end: [Duration; 2],
    /// The time of all masks and commits of the text.
    pub(crate) whole: Duration,
    /// The p50, at the end of the text, of asking whether the text may end, and the longest time of the whole text.
    pub(crate) ending: [Duration; 2],
}

impl Measured {
    /// Compiles the grammar `runs` times, and reads the text. The error says why there is no result.
    pub(crate) fn new(input: &Input, vocabulary: &Vocabulary, runs: usize) -> Result<Self> {
        let (artifact, compile) = fastest(input, vocabulary, runs)?;
        let bytes = artifact.len();
        let tokens = tokenizer(vocabulary)?.tokenize(input.text.as_bytes())?.ids;
        let session = Session::from_bytes("input", artifact, vocabulary)?;
        let engine = session.engine();
        let mut scratch = vec![0; engine.scratch_words() + SCRATCH];
        let mut matcher = Matcher::new(engine, &mut scratch, 1)?;
        let mut costs = Costs::default();
        match replay_often(&mut matcher, &tokens, PASSES, &mut costs) {
            Verdict::Accepted => {}
            verdict => return Err(format!("the text is {verdict:?}").into()),
        }
        let whole = costs.mask.iter().chain(costs.commit.iter()).sum();
        Ok(Self {
            ending: at_end_and_longest(&mut endings(&mut matcher, &tokens)?),
            mask_at_end: at_end_and_longest(&mut costs.mask),
            whole,
            size: input.size,
            compile,
            artifact: bytes,
            tokens: tokens.len(),
            mask: costs.mask.percentiles([500, 990, 999]),
            commit: costs.commit.percentiles([500, 990, 999]),
        })
    }

    /// The cells of a table row after the size.
    pub(crate) fn cells(&self) -> String {
        let [mask, commit] = [self.mask, self.commit]
            .map(|times| times.map(|time| format!("{:.2}", time.as_nanos() as f64 / 1e3)).join(" / "));
        let (compile, kib, tokens) = (self.compile, self.artifact.div_ceil(1024), self.tokens);
        let [at_end, ending] = [self.mask_at_end, self.ending].map(|[median, longest]| {
            format!("{:.2} / {:.2}", median.as_nanos() as f64 / 1e3, longest.as_nanos() as f64 / 1e3)
        });
        let whole = self.whole;
        format!(
            "| {compile:.3?} | {kib} KiB | {tokens} | {mask} µs | {commit} µs | {at_end} µs | {ending} µs | {whole:.3?} |"
        )
    }
}

/// The median of the last times, and the longest time.
fn at_end_and_longest(times: &mut Times) -> [Duration; 2] {
    let mut last: Times = times.iter().skip(times.len().saturating_sub(AT_END)).collect();
    [last.per_mille(500), times.per_mille(1000)]
}

/// The times of asking after each token whether the text may end.
fn endings(matcher: &mut Matcher<'_, '_>, tokens: &[u32]) -> Result<Times> {
    let mut times = Times::default();
    matcher.reset();
    for &token in tokens {
        matcher.commit(TokenId(token))?;
        let start = Instant::now();
        black_box(matcher.is_accepting()?);
        times.push(start.elapsed());
    }
    Ok(times)
}

/// The head of a table; `unit` is what the size counts.
pub(crate) fn head(unit: &str) -> String {
    format!(
        "| {unit} | compile | artifact | tokens of the text | mask p50 / p99 / p99.9 | commit p50 / p99 / p99.9 | last 100 masks p50 / longest mask | may it end: last 100 p50 / longest | whole text |\n|---|---|---|---|---|---|---|---|---|"
    )
}

/// The artifact, and the least time of the runs.
fn fastest(input: &Input, vocabulary: &Vocabulary, runs: usize) -> Result<(Vec<u8>, Duration)> {
    let mut artifact = Vec::new();
    let mut fastest = Duration::MAX;
    for _ in 0..runs.max(1) {
        let start = Instant::now();
        artifact = build(input, vocabulary)?;
        fastest = fastest.min(start.elapsed());
        if fastest > LONG_RUN {
            break;
        }
    }
    Ok((artifact, fastest))
}

fn build(input: &Input, vocabulary: &Vocabulary) -> Result<Vec<u8>> {
    let options = Options { limits: large_limits().into(), ..Options::default() };
    Ok(compile(&input.source, vocabulary, &options)?.bytes().to_vec())
}
