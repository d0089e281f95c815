//! Reports the results of all cases as text and as JSON.

use super::case::Outcome;
use gcc_grammar_benches::times::{SUMMARY, Summary, Times, nearest_rank};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

type Instances = fn(&Outcome) -> &Vec<usize>;

/// The lists of instances that are reported, with their descriptions.
const NOTES: [(&str, Instances); 5] = [
    ("with valid instances accepted in another order of keys only", |outcome| &outcome.reordered),
    ("with valid instances refused, too many orders to try", |outcome| &outcome.undecided),
    ("with valid instances refused in every order", |outcome| &outcome.valid_refused),
    ("with invalid instances accepted, in any order", |outcome| &outcome.invalid_accepted),
    ("failed", |outcome| &outcome.failed),
];

/// Prints the results. With `list`, the cases behind each number are named.
pub(crate) fn print(outcomes: &[Outcome], list: bool) {
    println!("cases     {}, compiled {}", outcomes.len(), compiled(outcomes).count());
    for (description, instances) in NOTES {
        let cases: Vec<&Outcome> =
            compiled(outcomes).filter(|outcome| !instances(outcome).is_empty()).collect();
        println!("          {} {description}", cases.len());
        if list {
            cases
                .iter()
                .for_each(|case| println!("            {} {:?} {:?}", case.name, instances(case), case.gaps));
        }
    }
    for (reason, names) in refusals(outcomes) {
        println!("refused   {:>4}  {reason}", names.len());
        if list {
            names.iter().for_each(|name| println!("            {name}"));
        }
    }
    let [p50, p90, p99, max] = times(outcomes, |outcome| outcome.first_mask);
    println!("TTFM      p50 {p50:.2?}, p90 {p90:.2?}, p99 {p99:.2?}, max {max:.2?}");
    println!("{}", Summary("TBM", steps(outcomes)));
    let [p50, p90, p99, max] = times(outcomes, |outcome| outcome.opening);
    println!("open      p50 {p50:.2?}, p90 {p90:.2?}, p99 {p99:.2?}, max {max:.2?}");
    let [p50, p90, p99, max] = sizes(outcomes).map(|bytes| bytes / 1024);
    println!("artifact  p50 {p50} KiB, p90 {p90} KiB, p99 {p99} KiB, max {max} KiB");
    if list {
        let mut slowest: Vec<&Outcome> = compiled(outcomes).collect();
        slowest.sort_by_key(|outcome| std::cmp::Reverse(outcome.first_mask));
        let slow = slowest.iter().take(20);
        slow.for_each(|outcome| println!("slow      {:.2?} {}", outcome.first_mask, outcome.name));
    }
}

/// The results as JSON, with every case. Times are in microseconds, sizes in bytes, and instances are named by their index.
pub(crate) fn json(outcomes: &[Outcome], vocabulary: &str) -> Value {
    let count = |instances: Instances| compiled(outcomes).filter(|o| !instances(o).is_empty()).count();
    let [reordered, undecided, valid_refused, invalid_accepted, failed] =
        NOTES.map(|(_, instances)| count(instances));
    let refusals: BTreeMap<_, _> =
        refusals(outcomes).into_iter().map(|(reason, names)| (reason, names.len())).collect();
    let of_cases = |[p50, p90, p99, max]: [Value; 4]| json!({"p50": p50, "p90": p90, "p99": p99, "max": max});
    let [p50, p99, p999, max] = steps(outcomes).map(microseconds);
    json!({
        "vocabulary": vocabulary,
        "cases": outcomes.len(),
        "compiled": compiled(outcomes).count(),
        "cases_with": {
            "valid_accepted_in_another_order": reordered,
            "valid_refused_too_many_orders": undecided,
            "valid_refused": valid_refused,
            "invalid_accepted": invalid_accepted,
            "failed": failed,
        },
        "refused": refusals,
        "first_mask": of_cases(times(outcomes, |outcome| outcome.first_mask).map(microseconds)),
        "mask_and_commit": {"p50": p50, "p99": p99, "p99.9": p999, "max": max},
        "open": of_cases(times(outcomes, |outcome| outcome.opening).map(microseconds)),
        "artifact": of_cases(sizes(outcomes).map(Value::from)),
        "each": outcomes.iter().map(case).collect::<Vec<_>>(),
    })
}

fn case(outcome: &Outcome) -> Value {
    if let Some(reason) = &outcome.refused {
        return json!({"name": outcome.name, "refused": reason});
    }
    let mut steps: Times = outcome.steps.iter().copied().collect();
    let [p50, p99, max] = steps.percentiles([500, 990, 1000]).map(microseconds);
    json!({
        "name": outcome.name,
        "not_enforced": outcome.gaps,
        "first_mask": microseconds(outcome.first_mask),
        "open": microseconds(outcome.opening),
        "artifact": outcome.bytes,
        "tokens": outcome.steps.len(),
        "mask_and_commit": {"p50": p50, "p99": p99, "max": max},
        "valid_accepted_in_another_order": outcome.reordered,
        "valid_refused_too_many_orders": outcome.undecided,
        "valid_refused": outcome.valid_refused,
        "invalid_accepted": outcome.invalid_accepted,
        "failed": outcome.failed,
    })
}

fn compiled(outcomes: &[Outcome]) -> impl Iterator<Item = &Outcome> {
    outcomes.iter().filter(|outcome| outcome.refused.is_none())
}

/// The reasons of refusals with the names of the refused cases, the most frequent reason first.
fn refusals(outcomes: &[Outcome]) -> Vec<(&str, Vec<&str>)> {
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for outcome in outcomes {
        outcome.refused.iter().for_each(|reason| reasons.entry(reason).or_default().push(&outcome.name));
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    reasons
}

/// The p50, p90, p99 and longest time of the cases that were compiled.
fn times(outcomes: &[Outcome], time: fn(&Outcome) -> Duration) -> [Duration; 4] {
    compiled(outcomes).map(time).collect::<Times>().percentiles([500, 900, 990, 1000])
}

/// The p50, p99, p99.9 and longest time of a mask and a commit, over all tokens.
fn steps(outcomes: &[Outcome]) -> [Duration; 4] {
    compiled(outcomes).flat_map(|outcome| &outcome.steps).copied().collect::<Times>().percentiles(SUMMARY)
}

/// The p50, p90, p99 and largest size of an artifact.
fn sizes(outcomes: &[Outcome]) -> [usize; 4] {
    let mut sizes: Vec<usize> = compiled(outcomes).map(|outcome| outcome.bytes).collect();
    sizes.sort_unstable();
    [500, 900, 990, 1000].map(|rank| nearest_rank(&sizes, rank).unwrap_or(0))
}

fn microseconds(time: Duration) -> Value {
    json!(time.as_nanos() as f64 / 1e3)
}
