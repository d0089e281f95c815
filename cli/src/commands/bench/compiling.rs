//! Measures compiling: time and peak memory by stage; and how long the first mask takes without it.

use super::arguments::Arguments;
use super::measured::Compiling;
use crate::failure::Failure;
use crate::memory;
use crate::progress::StageTimes;
use crate::render::show::percentile;
use gcc_grammar::{
    Artifact, Compilation, DemandOptions, Observer, Options, Packing, Session, Source, Vocabulary,
    compile_parsed, parse_for,
};
use std::time::{Duration, Instant};

/// Observes the peak of memory in each stage. The memory of the vocabulary and of the program itself is included.
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

/// Compiles the source several times. Returns the measurements and an artifact.
pub(super) fn compile(
    arguments: &Arguments,
    source: &Source,
    vocabulary: &Vocabulary,
) -> Result<(Compiling, Artifact), Failure> {
    let options = arguments.options()?;
    // Reading the peak of memory takes time, so it has a run of its own. That run is the first, before the allocator keeps freed memory.
    let mut peaks = Peaks::default();
    let compilation = compile_once(source, &options, vocabulary, &mut peaks)?;
    let (stats, artifact) = (compilation.stats, compilation.artifact.bytes().to_vec());
    let mut total = Vec::new();
    let mut all: Vec<Vec<(&'static str, Duration)>> = Vec::new();
    for _ in 0..arguments.runs.max(1) {
        let start = Instant::now();
        let mut times = StageTimes::default();
        compile_once(source, &options, vocabulary, &mut times)?;
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
    let compiling = Compiling { stats, artifact, total, stages, peaks: peaks.finish() };
    Ok((compiling, compilation.artifact))
}

/// The times from the text to the first mask, when masks are made on demand and nothing is compiled in the background; sorted.
pub(super) fn first_mask(
    arguments: &Arguments,
    source: &Source,
    vocabulary: &Vocabulary,
) -> Result<Vec<Duration>, Failure> {
    let options = arguments.options()?;
    let demand = DemandOptions { completes: false, ..DemandOptions::default() };
    let mut times = Vec::new();
    for _ in 0..arguments.runs.max(1) {
        let start = Instant::now();
        let (session, _) = Session::on_demand(source, vocabulary, &options, &demand)?;
        let mut row = vec![0; session.row_words()];
        session.matcher()?.fill_mask(&mut row)?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    Ok(times)
}

fn compile_once(
    source: &Source,
    options: &Options,
    vocabulary: &Vocabulary,
    observer: &mut dyn Observer,
) -> Result<Compilation, Failure> {
    observer.stage("front end");
    let parsed = parse_for(source, vocabulary, options)?;
    Ok(compile_parsed(&parsed, vocabulary, options, Packing::Referenced, observer)?)
}
