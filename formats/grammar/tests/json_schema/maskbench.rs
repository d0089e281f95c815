//! Verdicts on the development cases of MaskBench.

use crate::data::{in_schema_order, shared, spaced};
use crate::recognizer::Recognizer;
use gcc_grammar_frontends::json_schema::{Options, Unenforced, compile};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

#[derive(Default)]
struct Tally {
    compiled: usize,
    refused: BTreeMap<String, Vec<String>>,
    wrong: Vec<String>,
    order: Vec<String>,
    times: Vec<(Duration, String)>,
}

fn case(path: &std::path::Path, options: &Options, tally: &mut Tally) {
    let text = std::fs::read_to_string(path).unwrap();
    let case: Value = serde_json::from_str(&text).unwrap();
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let schema = serde_json::to_string(&case["schema"]).unwrap();
    let started = Instant::now();
    let compiled = match compile(&schema, options) {
        Ok(compiled) => compiled,
        Err(errors) => {
            let message =
                errors[0].message.split(" cannot be enforced").next().unwrap_or_default().to_owned();
            tally.refused.entry(format!("{}: {:.60}", errors[0].code, message)).or_default().push(name);
            tally.times.push((started.elapsed(), "refused".to_owned()));
            return;
        }
    };
    tally.times.push((started.elapsed(), name.clone()));
    tally.compiled += 1;
    let recognizer = Recognizer::new(&compiled.grammar);
    for (index, test) in case["tests"].as_array().into_iter().flatten().enumerate() {
        let valid = test["valid"].as_bool().unwrap();
        let text = spaced(&test["data"]);
        let verdict = recognizer.run(text.as_bytes());
        if verdict.is_ok() == valid {
            continue;
        }
        if valid && recognizer.accepts(spaced(&in_schema_order(&test["data"], &case["schema"])).as_bytes()) {
            tally.order.push(format!("{name} {index}"));
            continue;
        }
        let at = verdict.err().unwrap_or(text.len());
        let mut from = at.saturating_sub(60);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        let mut to = (at + 30).min(text.len());
        while !text.is_char_boundary(to) {
            to -= 1;
        }
        tally.wrong.push(format!("{name} {index} valid={valid} at {at}: …{}…", &text[from..to]));
    }
}

fn run(every: usize, options: &Options) -> Option<Tally> {
    let folder = shared("maskbench/dev")?;
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut tally = Tally::default();
    for path in paths.iter().step_by(every) {
        case(path, options, &mut tally);
    }
    Some(tally)
}

fn print(tally: &mut Tally) {
    tally.times.sort();
    let at = |share: f64| tally.times[((tally.times.len() - 1) as f64 * share) as usize].0;
    println!("compiled {}, times p50 {:?} p90 {:?} p99 {:?}", tally.compiled, at(0.5), at(0.9), at(0.99));
    println!("slowest {:?}", tally.times.iter().rev().take(8).collect::<Vec<_>>());
    let mut refused: Vec<_> = tally.refused.iter().collect();
    refused.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    for (reason, names) in refused {
        println!("{:5} {reason}   {:?}", names.len(), &names[..names.len().min(4)]);
    }
    println!(
        "accepted in another order of keys only: {} {:?}",
        tally.order.len(),
        &tally.order[..tally.order.len().min(20)]
    );
    tally.wrong.iter().for_each(|wrong| println!("WRONG {wrong}"));
}

#[test]
fn sampled_cases_have_the_right_verdicts() {
    let Some(mut tally) = run(25, &Options::default()) else { return };
    print(&mut tally);
    assert_eq!(tally.wrong, Vec::<String>::new());
}

#[test]
#[ignore = "minutes; prints the table of refusals"]
fn all_cases() {
    let Some(mut tally) = run(1, &Options::default()) else { return };
    print(&mut tally);
    assert_eq!(tally.wrong, Vec::<String>::new());
}

#[test]
#[ignore = "minutes; prints the table of refusals"]
fn all_cases_with_gaps_allowed() {
    let Some(mut tally) = run(1, &Options { unenforced: Unenforced::Allow, ..Options::default() }) else {
        return;
    };
    print(&mut tally);
    let valid_refused: Vec<_> = tally.wrong.iter().filter(|wrong| wrong.contains("valid=true")).collect();
    assert_eq!(valid_refused, Vec::<&String>::new());
}
