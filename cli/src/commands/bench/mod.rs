//! `gcc-grammar bench`: measures compiling, masks and commits.
//!
//! It measures the work of a server: to compile with a vocabulary that is already loaded, to make the first mask on demand, to open the artifact, and to make a mask and
//! commit a token, for each token of a text. Every mask must allow the token that follows, so that only correct masks are timed. *update*
//! is the mask in a row that remembers its previous mask. *copy* is the copy of a row, a lower bound for a mask that is written as a whole.

mod arguments;
mod compiling;
mod decoding;
pub(crate) mod measured;
mod peers;
mod plot;

use crate::arguments::warn_if_not_kept;
use crate::failure::{Exit, Failure};
use crate::render::bench::{measured_json, measured_text};
use crate::shell::Shell;
use gcc_grammar::artifact::GrammarView;
use gcc_grammar::{Session, output};
use std::time::{Duration, Instant};

pub(crate) use arguments::Arguments;
use arguments::bug;
use measured::Measured;

/// Measures, and shows the results.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let source = arguments.grammar.source()?;
    let start = Instant::now();
    let vocabulary = arguments.vocabulary.load()?;
    let loading = start.elapsed();
    warn_if_not_kept(&vocabulary, shell);
    let (compiling, artifact) = compiling::compile(arguments, &source, &vocabulary)?;
    let first_mask = compiling::first_mask(arguments, &source, &vocabulary)?;
    let opening = open(&compiling.artifact, arguments.runs)?;
    let session = Session::new(artifact, &vocabulary)?;
    let outputs = decoding::outputs(arguments, &session)?;
    let decoding = decoding::decode(arguments, &session, &outputs)?;
    let peers = match &arguments.peers {
        Some(python) => peers::measure(arguments, python, &source, &vocabulary, &outputs)?,
        None => Vec::new(),
    };
    let measured = Measured { loading, compiling, first_mask, opening, decoding, peers };
    if let Some(file) = &arguments.plot {
        output::write(file, plot::draw(&measured).as_bytes())?;
    }
    shell.write(|| measured_text(&measured, &vocabulary), || measured_json(&measured))
}

/// The time to open and validate the artifact, several times, sorted.
fn open(artifact: &[u8], runs: usize) -> Result<Vec<Duration>, Failure> {
    let mut times = Vec::new();
    for _ in 0..runs.max(1) {
        let start = Instant::now();
        GrammarView::open(artifact).map_err(|error| bug("artifact", error.to_string()))?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    Ok(times)
}
