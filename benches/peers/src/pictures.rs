//! Draws two plots: the distribution of the time per token, and the distribution of compile times.

use crate::figures::{Results, Spread};
use gcc_grammar_cli::svg::{Axis, Line, Plot, measured_here, tail};

/// The approximate number of points of a line.
const POINTS: usize = 200;

/// Plots the share of tokens whose mask and commit take longer than a time. The least time of all passes counts.
#[must_use]
pub fn latency(results: &[Results]) -> String {
    let line = |results: &Results| {
        let steps = results.tokens(|test| &test.best_tbm_ns);
        Line { name: results.name.clone(), points: tail(steps.values()) }
    };
    let plot = Plot {
        title: "Share of the tokens whose mask and commit take longer".to_owned(),
        x: Axis::logarithmic("µs"),
        y: Axis::logarithmic("share of the tokens"),
        lines: shown(results).map(line).collect(),
        measured: measured_here(),
    };
    plot.render()
}

/// Plots the share of cases that are compiled within a time.
#[must_use]
pub fn compiling(results: &[Results]) -> String {
    let line = |results: &Results| {
        let times = results.compiled(|report| Some(report.compile_ns));
        Line { name: results.name.clone(), points: within(&times, results.reports.len()) }
    };
    let plot = Plot {
        title: "Share of the schemas that are compiled within a time".to_owned(),
        x: Axis::logarithmic("ms"),
        y: Axis::linear("percent of the cases"),
        lines: shown(results).map(line).collect(),
        measured: measured_here(),
    };
    plot.render()
}

/// The engines that are shown: each with the settings of the tables, and with its own defaults. More lines would have no colours of their own.
fn shown(results: &[Results]) -> impl Iterator<Item = &Results> {
    let is_variant = |name: &str| name.starts_with("gcc-grammar, ") && name != "gcc-grammar, any layout";
    results.iter().filter(move |results| !is_variant(&results.name))
}

/// The percentage of values up to each value. `all` also counts the cases that were not compiled.
fn within(spread: &Spread, all: usize) -> Vec<(f64, f64)> {
    let values = spread.values();
    let step = values.len().div_ceil(POINTS).max(1);
    let last = values.len().saturating_sub(1);
    let shown = (0..values.len()).filter(|index| index % step == 0 || *index == last);
    shown.map(|index| (values[index] as f64 / 1e6, 100.0 * (index + 1) as f64 / all as f64)).collect()
}
