//! Prints the ranges of figures and ratios over several runs.
//!
//! In: the results of each run. Out: a table for each other engine, with the least and the greatest value of each figure and of each ratio.
//! A ratio below 1 is one by which the other engine is better.

use crate::figures::{Common, Results};
use crate::goals::{Figure, GRAMMARS, Row, SCHEMAS, is_variant, times};
use std::fmt::Write as _;

/// The results of one run.
pub struct Run {
    /// Of the cases with schemas, one for each engine.
    pub schemas: Vec<Results>,
    /// Of each grammar, by its name.
    pub grammars: Vec<(String, Vec<Results>)>,
}

/// The tables of ranges, which compare the first engine with each other engine.
#[must_use]
pub fn ranges(runs: &[Run]) -> String {
    let mut out = String::new();
    let Some(first) = runs.first() else { return out };
    let schemas: Vec<&[Results]> = runs.iter().map(|run| run.schemas.as_slice()).collect();
    engines(&mut out, "JSON Schema", &schemas, &SCHEMAS);
    for (index, (name, _)) in first.grammars.iter().enumerate() {
        let results: Vec<&[Results]> = runs.iter().map(|run| run.grammars[index].1.as_slice()).collect();
        engines(&mut out, name, &results, &GRAMMARS);
    }
    out
}

/// The tables of one kind of input: the results of each run, an engine each.
fn engines(out: &mut String, name: &str, runs: &[&[Results]], rows: &[Row]) {
    let Some([ours, others @ ..]) = runs.first() else { return };
    for (index, theirs) in others.iter().enumerate().filter(|(_, theirs)| !is_variant(ours, theirs)) {
        let _ = writeln!(
            out,
            "\n### {name}: {} versus {}, {} runs\n\n| | ours | {} | ratio | better |\n|---|---|---|---|---|",
            ours.name,
            theirs.name,
            runs.len(),
            theirs.name
        );
        for row in rows {
            let figures =
                runs.iter().filter_map(|run| row.figure.of_both(&Common::new(&run[0], &run[index + 1])));
            line(out, row, &figures.collect::<Vec<_>>(), &theirs.name);
        }
    }
}

/// The row of a figure, which each run has of both engines.
fn line(out: &mut String, row: &Row, figures: &[(u64, u64)], theirs: &str) {
    let ratio = |&(ours, theirs): &(u64, u64)| theirs as f64 / ours.max(1) as f64;
    let mut ratios: Vec<f64> = figures.iter().map(ratio).collect();
    ratios.sort_by(f64::total_cmp);
    let (Some(&least), Some(&greatest)) = (ratios.first(), ratios.last()) else { return };
    let better = match (least >= 1.0, greatest >= 1.0) {
        (true, _) => "ours",
        (_, false) => theirs,
        _ => "now one, now the other",
    };
    let ours = values(row.figure, figures.iter().map(|figure| figure.0));
    let others = values(row.figure, figures.iter().map(|figure| figure.1));
    let ratio = span(&times(least), &times(greatest));
    let _ = writeln!(out, "| {} | {ours} | {others} | {ratio} | {better} |", row.name);
}

/// The least and the greatest value.
fn values(figure: Figure, values: impl Iterator<Item = u64> + Clone) -> String {
    let [least, greatest] = [values.clone().min(), values.max()].map(Option::unwrap_or_default);
    span(&figure.show(least), &figure.show(greatest))
}

fn span(least: &str, greatest: &str) -> String {
    if least == greatest { least.to_owned() } else { format!("{least} to {greatest}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(figures: &[(u64, u64)]) -> String {
        let mut out = String::new();
        line(&mut out, &SCHEMAS[0], figures, "theirs");
        out.trim_end().to_owned()
    }

    #[test]
    fn ranges_name_who_is_better() {
        let (name, ours) = (SCHEMAS[0].name, "1.00 µs");
        assert_eq!(
            row(&[(1_000, 5_000), (1_000, 4_000)]),
            format!("| {name} | {ours} | 4.00 µs to 5.00 µs | 4.0× to 5.0× | ours |")
        );
        assert_eq!(
            row(&[(4_000, 1_000), (5_000, 1_000)]),
            format!("| {name} | 4.00 µs to 5.00 µs | 1.00 µs | 1/5.0 to 1/4.0 | theirs |")
        );
        assert!(row(&[(1_000, 2_000), (2_000, 1_000)]).ends_with("| now one, now the other |"));
        assert_eq!(row(&[]), "");
    }
}
