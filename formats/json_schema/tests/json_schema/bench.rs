//! Runs cases of MaskBench: each is a schema and instances with their expected verdicts.
//!
//! The example `maskbench` prints the outcomes, a test checks those of a sample.

use crate::json::Json;
use crate::order::{Verdict, verdict};
use crate::recognizer::Recognizer;
use gcc_grammar_json_schema::{Options, compile};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The outcome of one case. Instances are named by their number.
pub(crate) struct Outcome {
    pub(crate) name: String,
    refused: Option<Refusal>,
    /// Valid instances that were accepted after their keys had been put in another order.
    reordered: Vec<usize>,
    /// Valid instances that were refused as they are, and too many orders to try them all.
    undecided: Vec<usize>,
    /// Valid instances that were refused in every order.
    pub(crate) valid_refused: Vec<usize>,
    /// Invalid instances that were accepted.
    pub(crate) invalid_accepted: Vec<usize>,
    /// Pointers of keywords that are not enforced.
    gaps: Vec<String>,
    compile_time: Duration,
}

/// Why a schema was refused.
struct Refusal {
    code: &'static str,
    message: String,
}

impl Refusal {
    /// The reason without the details of the schema, to count equal reasons.
    fn reason(&self) -> String {
        let text = self.message.split(&['"', '<'][..]).next().unwrap_or_default();
        format!("{}: {:.90}", self.code, text.trim_end())
    }
}

/// The files of a folder of cases, sorted.
pub(crate) fn paths(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    paths
}

impl Outcome {
    /// Whether the schema was compiled.
    pub(crate) fn is_compiled(&self) -> bool {
        self.refused.is_none()
    }
}

/// Runs the cases on `threads` threads. The outcomes come in the order of the paths.
pub(crate) fn run(paths: &[PathBuf], options: &Options, threads: usize) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = paths.get(index) else { return };
                    let outcome = case(path, options);
                    outcomes.lock().unwrap().insert(index, outcome);
                }
            });
        }
    });
    outcomes.into_inner().unwrap().into_values().collect()
}

fn case(path: &Path, options: &Options) -> Outcome {
    let case: Json = std::fs::read_to_string(path).unwrap().parse().unwrap();
    let schema = case.get("schema").to_string();
    let started = Instant::now();
    let compiled = compile(&schema, options);
    let mut outcome = Outcome {
        name: path.file_stem().unwrap().to_string_lossy().into_owned(),
        refused: None,
        reordered: Vec::new(),
        undecided: Vec::new(),
        valid_refused: Vec::new(),
        invalid_accepted: Vec::new(),
        gaps: Vec::new(),
        compile_time: started.elapsed(),
    };
    match compiled {
        Ok(compiled) => {
            outcome.gaps = compiled.report.gaps().map(|entry| entry.pointer.clone()).collect();
            let recognizer = Recognizer::new(&compiled.grammar);
            for (index, test) in case.get("tests").items().iter().enumerate() {
                judge(&recognizer, case.get("schema"), (index, test), &mut outcome);
            }
        }
        Err(errors) => {
            let error = &errors[0];
            outcome.refused = Some(Refusal { code: error.code.as_str(), message: error.message.clone() });
        }
    }
    outcome
}

fn judge(recognizer: &Recognizer, schema: &Json, (index, test): (usize, &Json), outcome: &mut Outcome) {
    let valid = test.get("valid").as_bool().unwrap();
    let list = match verdict(recognizer, test.get("data"), schema) {
        Verdict::Accepted if valid => return,
        Verdict::Reordered(_) if valid => &mut outcome.reordered,
        Verdict::Accepted | Verdict::Reordered(_) => &mut outcome.invalid_accepted,
        Verdict::Refused if valid => &mut outcome.valid_refused,
        Verdict::Unknown if valid => &mut outcome.undecided,
        Verdict::Refused | Verdict::Unknown => return,
    };
    list.push(index);
}

/// Prints the outcomes in numbers. `list` adds the names of the cases behind each number.
pub(crate) fn print(outcomes: &[Outcome], list: bool) {
    let names = |wanted: &dyn Fn(&Outcome) -> bool| -> Vec<&str> {
        outcomes.iter().filter(|outcome| wanted(outcome)).map(|outcome| &*outcome.name).collect()
    };
    let passing = |outcome: &Outcome| {
        outcome.is_compiled()
            && [&outcome.reordered, &outcome.undecided, &outcome.valid_refused, &outcome.invalid_accepted]
                .iter()
                .all(|instances| instances.is_empty())
    };
    let gap = |outcome: &Outcome| outcome.gaps.is_empty();
    let rows = [
        ("cases", names(&|_| true)),
        ("compiled", names(&|outcome| outcome.is_compiled())),
        ("passing as they are", names(&passing)),
        ("valid accepted in another order of keys only", names(&|outcome| !outcome.reordered.is_empty())),
        ("valid refused, too many orders to try", names(&|outcome| !outcome.undecided.is_empty())),
        ("valid refused in every order", names(&|outcome| !outcome.valid_refused.is_empty())),
        ("invalid accepted, all enforced", names(&|o| !o.invalid_accepted.is_empty() && gap(o))),
        ("invalid accepted, gaps reported", names(&|o| !o.invalid_accepted.is_empty() && !gap(o))),
        ("refused to compile", names(&|outcome| outcome.refused.is_some())),
    ];
    for (index, (title, names)) in rows.iter().enumerate() {
        println!("{:6} {title}", names.len());
        if list && index > 2 {
            names.iter().for_each(|name| println!("         {name}"));
        }
    }
    print_refusals(outcomes, list);
    print_times(outcomes);
}

fn print_refusals(outcomes: &[Outcome], list: bool) {
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for outcome in outcomes {
        if let Some(refusal) = &outcome.refused {
            reasons
                .entry(refusal.reason())
                .or_default()
                .push(format!("{}: {}", outcome.name, refusal.message));
        }
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, cases)| std::cmp::Reverse(cases.len()));
    println!("\nrefused because");
    for (reason, cases) in reasons {
        println!("{:6} {reason}", cases.len());
        if list {
            cases.iter().for_each(|case| println!("         {case}"));
        }
    }
}

fn print_times(outcomes: &[Outcome]) {
    let mut times: Vec<(Duration, &str)> =
        outcomes.iter().map(|outcome| (outcome.compile_time, &*outcome.name)).collect();
    times.sort_unstable();
    let Some(last) = times.len().checked_sub(1) else { return };
    println!("\ntime of the front end");
    for (name, share) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999)] {
        println!("{name:>6} {:?}", times[(last as f64 * share) as usize].0);
    }
    for (time, name) in times.iter().rev().take(5) {
        println!("   max {time:?} {name}");
    }
}
