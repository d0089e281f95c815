//! Renders the result of `gcc-grammar check` as text and as JSON.

use super::findings::heads_json;
use super::report::{entry_text, narrowed_json, report_json};
use super::show::number;
use gcc_grammar::check::{Check, Cost, ExplainedConflict};
use gcc_grammar::{Diagnostic, Parsed};
use serde_json::{Value, json};
use std::fmt::Write;

/// The check as lines of text, those of the lengths of outputs included, with the conflicts if these are wanted.
pub(crate) fn check_text(parsed: &Parsed, check: &Check, conflicts: bool, lengths: &str) -> String {
    let mut out = String::new();
    let count = |count: usize| number(count as u64);
    let _ = writeln!(
        out,
        "{}: {} rules, {} terminals, {} LR states, {} conflicts",
        parsed.text.name,
        count(check.rules),
        count(check.terminals),
        count(check.lr_states),
        count(check.conflict_count)
    );
    let _ = writeln!(out, "  live       {}", check.liveness);
    if let Some(heads) = check.findings.heads_text() {
        let _ = writeln!(out, "  heads      {heads}");
    }
    out.push_str(lengths);
    parsed.report.iter().for_each(|entry| out.push_str(&entry_text(entry)));
    if conflicts {
        for (index, conflict) in check.conflicts.iter().enumerate() {
            out.push_str(&conflict_text(index + 1, conflict));
        }
        if check.conflict_count > check.conflicts.len() {
            let more = check.conflict_count - check.conflicts.len();
            let _ = writeln!(out, "and {} more; see --json", count(more));
        }
    }
    out
}

fn conflict_text(index: usize, conflict: &ExplainedConflict) -> String {
    let ExplainedConflict { prefix_text, terminal, readings, cost, met, .. } = conflict;
    let mut out = format!("conflict {index}: after {prefix_text} comes {terminal}\n");
    for (action, production) in readings {
        let _ = writeln!(out, "  {action:<7} {production}");
    }
    let _ = writeln!(out, "  costs   {}", cost_text(*cost, *met));
    out
}

/// The cost of a conflict, and the number of times that random texts met it.
fn cost_text(cost: Cost, met: usize) -> String {
    let stacks = match cost {
        Cost::Terminals(0) => return "nothing: only one of these readings can go on".to_owned(),
        Cost::Terminals(1) => "a second stack for one terminal at most".to_owned(),
        Cost::Terminals(most) => format!("a second stack for {most} terminals at most"),
        Cost::Unbounded => "a second stack, maybe to the end of the text".to_owned(),
    };
    match met {
        0 => format!("{stacks}; never met in random texts"),
        1 => format!("{stacks}; met once in random texts"),
        _ => format!("{stacks}; met {} times in random texts", number(met as u64)),
    }
}

/// The check as JSON, with the conflicts if these are wanted.
pub(crate) fn check_json(parsed: &Parsed, check: &Check, conflicts: bool) -> Value {
    let warnings: Vec<Diagnostic> = [&parsed.warnings[..], &check.findings.warnings].concat();
    let mut object = json!({
        "rules": check.rules,
        "terminals": check.terminals,
        "lr_states": check.lr_states,
        "conflict_count": check.conflict_count,
        "live": check.liveness.to_string(),
        "heads": heads_json(&check.findings),
        "report": report_json(&parsed.report),
        "narrowed": narrowed_json(&parsed.report),
        "warnings": parsed.text.diagnostics_json(&warnings),
    });
    if conflicts {
        object["conflicts"] = check.conflicts.iter().map(conflict_json).collect();
    }
    object
}

fn conflict_json(conflict: &ExplainedConflict) -> Value {
    let readings = conflict.readings.iter();
    let readings = readings.map(|(action, production)| json!({"action": action, "production": production}));
    json!({
        "prefix": conflict.prefix,
        "terminal": conflict.terminal,
        "readings": readings.collect::<Vec<_>>(),
        "most_terminals_with_two_stacks": match conflict.cost {
            Cost::Terminals(most) => json!(most),
            Cost::Unbounded => Value::Null,
        },
        "met": conflict.met,
    })
}
