//! The tail of the latency, and the compile times, as plots.

use crate::figures::{Results, Spread};
use gcc_grammar_benches::svg::{Axis, Line, Plot};

/// Points per line at most, roughly.
const POINTS: usize = 200;

/// Which share of the tokens takes longer than so long: mask and commit, the least of all passes.
#[must_use]
pub fn latency(results: &[Results]) -> String {
    let line = |results: &Results| {
        let steps = results.tokens(|test| &test.best_tbm_ns);
        Line { name: results.name.clone(), points: tail(&steps) }
    };
    let plot = Plot {
        title: "Mask and commit of a token: how many take longer".to_owned(),
        x: Axis::logarithmic("µs"),
        y: Axis::logarithmic("share of the tokens"),
        lines: results.iter().map(line).collect(),
    };
    plot.render()
}

/// Which share of the cases is compiled within so long.
#[must_use]
pub fn compiling(results: &[Results]) -> String {
    let line = |results: &Results| {
        let times = results.compiled(|report| Some(report.compile_ns));
        Line { name: results.name.clone(), points: within(&times, results.reports.len()) }
    };
    let plot = Plot {
        title: "Compiling a schema: how many are done".to_owned(),
        x: Axis::logarithmic("ms"),
        y: Axis::linear("percent of the cases"),
        lines: results.iter().map(line).collect(),
    };
    plot.render()
}

/// Ever fewer values towards the top, so that the tail has as many points as the bulk.
fn tail(spread: &Spread) -> Vec<(f64, f64)> {
    let values = spread.values();
    let mut points = Vec::new();
    let mut above = values.len();
    while above > 0 {
        points.push((values[values.len() - above] as f64 / 1e3, above as f64 / values.len() as f64));
        above = (above * (POINTS / 8) / (POINTS / 8 + 1)).min(above - 1);
    }
    points
}

/// `all` counts the cases that were not compiled, too.
fn within(spread: &Spread, all: usize) -> Vec<(f64, f64)> {
    let values = spread.values();
    let step = values.len().div_ceil(POINTS).max(1);
    let last = values.len().saturating_sub(1);
    let shown = (0..values.len()).filter(|index| index % step == 0 || *index == last);
    shown.map(|index| (values[index] as f64 / 1e6, 100.0 * (index + 1) as f64 / all as f64)).collect()
}
