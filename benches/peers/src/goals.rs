//! Prints ratios of the figures of two engines, and the goals for them.

use crate::figures::{Common, Results, Spread};
use crate::protocol::Report;
use std::fmt::Write as _;

/// A figure of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Figure {
    /// The time from text to artifact, at a per mille of the cases.
    Compile(usize),
    /// The time of mask and commit in the first pass, at a per mille of the tokens.
    Step(usize),
    /// The least time of mask and commit over all passes, at a per mille of the tokens.
    BestStep(usize),
    /// The median size of the artifact.
    Artifact,
    /// The median time to open the artifact.
    Open,
}

/// A row of a table.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) figure: Figure,
    /// The goals for the ratios of the figures of [`PEERS`] to those of this engine. Below 1 this engine may need more.
    goals: [Option<f64>; 2],
}

/// The engines with goals, by their names in `--worker`.
const PEERS: [&str; 2] = ["glrmask", "llguidance"];

pub(crate) const SCHEMAS: [Row; 9] = [
    Row { name: "compile p50", figure: Figure::Compile(500), goals: [Some(12.0), Some(1.0 / 3.0)] },
    Row { name: "compile p99", figure: Figure::Compile(990), goals: [Some(10.0), Some(0.1)] },
    Row { name: "compile worst", figure: Figure::Compile(1000), goals: [Some(10.0), Some(0.1)] },
    Row { name: "mask + commit p50, first pass", figure: Figure::Step(500), goals: [Some(5.0), Some(20.0)] },
    Row { name: "mask + commit p99, first pass", figure: Figure::Step(990), goals: [None, None] },
    Row {
        name: "mask + commit p99.9, best pass",
        figure: Figure::BestStep(999),
        goals: [Some(6.0), Some(700.0)],
    },
    Row {
        name: "mask + commit worst, best pass",
        figure: Figure::BestStep(1000),
        goals: [Some(6.0), Some(700.0)],
    },
    Row { name: "artifact p50", figure: Figure::Artifact, goals: [Some(16.0), None] },
    Row { name: "open artifact p50", figure: Figure::Open, goals: [Some(40.0), None] },
];

pub(crate) const GRAMMARS: [Row; 3] = [
    Row { name: "compile", figure: Figure::Compile(500), goals: [None, None] },
    Row { name: "mask + commit p50, best pass", figure: Figure::BestStep(500), goals: [None, None] },
    Row { name: "mask + commit p99, best pass", figure: Figure::BestStep(990), goals: [None, None] },
];

/// The goals of the rows of [`GRAMMARS`] for single grammars.
const GRAMMAR_GOALS: [(&str, [[Option<f64>; 2]; 3]); 2] = [
    ("c89", [[Some(100.0), None], [Some(20.0), Some(1000.0)], [Some(20.0), Some(1000.0)]]),
    ("sql", [[Some(10.0), None], [Some(20.0), Some(1000.0)], [Some(20.0), Some(1000.0)]]),
];

impl Figure {
    /// The figure of both engines on their common cases.
    pub(crate) fn of_both(self, common: &Common<'_>) -> Option<(u64, u64)> {
        let (ours, theirs): (Spread, Spread) = match self {
            Self::Compile(_) => common.cases(|report| Some(report.compile_ns)),
            Self::Step(_) => common.tokens(|test| &test.tbm_ns),
            Self::BestStep(_) => common.tokens(|test| &test.best_tbm_ns),
            Self::Artifact => common.cases(artifact_bytes),
            Self::Open => common.cases(loading),
        };
        let rank = match self {
            Self::Compile(rank) | Self::Step(rank) | Self::BestStep(rank) => rank,
            Self::Artifact | Self::Open => 500,
        };
        Some((ours.per_mille(rank)?, theirs.per_mille(rank)?))
    }

    pub(crate) fn show(self, value: u64) -> String {
        if self == Self::Artifact { format!("{} KiB", value.div_ceil(1024)) } else { duration(value) }
    }
}

/// The size of the artifact in bytes, if it could be saved.
#[must_use]
pub fn artifact_bytes(report: &Report) -> Option<u64> {
    report.artifact.as_ref().filter(|artifact| artifact.error.is_empty()).map(|artifact| artifact.bytes)
}

/// The nanoseconds to open the artifact, if it could be saved.
#[must_use]
pub fn loading(report: &Report) -> Option<u64> {
    report.artifact.as_ref().filter(|artifact| artifact.error.is_empty()).map(|artifact| artifact.load_ns)
}

/// Writes nanoseconds with three digits and a unit.
#[must_use]
pub fn duration(nanoseconds: u64) -> String {
    let value = nanoseconds as f64;
    let (scaled, unit) = match value {
        value if value >= 1e9 => (value / 1e9, "s"),
        value if value >= 1e6 => (value / 1e6, "ms"),
        value if value >= 1e3 => (value / 1e3, "µs"),
        value => (value, "ns"),
    };
    let digits = if unit == "ns" || scaled >= 100.0 { 0 } else { 1 + usize::from(scaled < 10.0) };
    format!("{scaled:.digits$} {unit}")
}

/// The tables of schemas and of each grammar, which compare the first engine with each other engine. Each grammar is a single case.
#[must_use]
pub fn tables(schemas: &[Results], grammars: &[(String, Vec<Results>)]) -> String {
    let mut out = String::new();
    if let [ours, others @ ..] = schemas {
        for theirs in others.iter().filter(|theirs| !is_variant(ours, theirs)) {
            let common = Common::new(ours, theirs);
            let _ = writeln!(
                out,
                "\n### JSON Schema: {} versus {}, {} cases that both compile\n",
                ours.name,
                theirs.name,
                common.count()
            );
            head(&mut out, &theirs.name);
            SCHEMAS.iter().for_each(|row| {
                line(&mut out, row.name, row.figure, &common, goal(&row.goals, &theirs.name))
            });
        }
    }
    for (id, results) in grammars {
        let [ours, others @ ..] = results.as_slice() else { continue };
        let goals =
            GRAMMAR_GOALS.iter().find(|(name, _)| name == id).map_or([[None; 2]; 3], |(_, goals)| *goals);
        for theirs in others.iter().filter(|theirs| !is_variant(ours, theirs)) {
            let common = Common::new(ours, theirs);
            let _ = writeln!(out, "\n### {id}: {} versus {}\n", ours.name, theirs.name);
            if common.count() == 0 {
                let _ = writeln!(out, "{}; {}", ended(ours), ended(theirs));
                continue;
            }
            head(&mut out, &theirs.name);
            for (row, goals) in GRAMMARS.iter().zip(&goals) {
                line(&mut out, row.name, row.figure, &common, goal(goals, &theirs.name));
            }
        }
    }
    out
}

/// Whether two workers are the same engine used in different ways. They are not compared.
pub(crate) fn is_variant(ours: &Results, theirs: &Results) -> bool {
    theirs.name.starts_with(&ours.name)
}

fn ended(results: &Results) -> String {
    let report = results.reports.first();
    report.map_or_else(String::new, |report| {
        format!(
            "{}: {:?} after {} {}",
            results.name,
            report.compile,
            duration(report.compile_ns),
            report.message
        )
    })
}

fn goal(goals: &[Option<f64>; 2], peer: &str) -> Option<f64> {
    let index = PEERS.iter().position(|name| *name == peer)?;
    goals[index]
}

fn head(out: &mut String, theirs: &str) {
    let _ = writeln!(out, "| | ours | {theirs} | ratio | goal | |\n|---|---|---|---|---|---|");
}

fn line(out: &mut String, name: &str, figure: Figure, common: &Common<'_>, goal: Option<f64>) {
    let Some((ours, theirs)) = figure.of_both(common) else { return };
    let ratio = theirs as f64 / ours.max(1) as f64;
    let met = goal.map_or("", |goal| if ratio >= goal { "met" } else { "not met" });
    let goal = goal.map_or_else(|| "–".to_owned(), |goal| format!("≥ {}", times(goal)));
    let (ours, theirs, ratio) = (figure.show(ours), figure.show(theirs), times(ratio));
    let _ = writeln!(out, "| {name} | {ours} | {theirs} | {ratio} | {goal} | {met} |");
}

/// Writes a ratio: `12×`, or `1/5` below 1.
pub(crate) fn times(ratio: f64) -> String {
    match ratio {
        ratio if ratio >= 10.0 => format!("{ratio:.0}×"),
        ratio if ratio >= 1.0 => format!("{ratio:.1}×"),
        ratio => format!("1/{:.1}", 1.0 / ratio),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(
            [5, 1_500, 25_000_000, 143_000_000_000].map(duration),
            ["5 ns", "1.50 µs", "25.0 ms", "143 s"]
        );
        assert_eq!([0.2, 1.0, 8.0, 700.4].map(times), ["1/5.0", "1.0×", "8.0×", "700×"]);
    }
}
