//! Renders the result of `gcc-grammar test` as text, as JSON, and as JUnit does.

use crate::commands::test::{Case, Verdict};
use gcc_grammar::diagnostic::line_and_column;
use serde_json::{Value, json};
use std::fmt::Write;

/// The names of terminals that are shown, at most.
const SHOWN: usize = 8;

/// The texts that fail, a line each, and how many there are.
pub(crate) fn tests_text(cases: &[Case]) -> String {
    let mut out = String::new();
    for case in cases.iter().filter(|case| !case.passes()) {
        let _ = writeln!(out, "FAILED {}/{}: {}", case.expected.folder(), case.name, what(case));
    }
    let failed = failures(cases).count();
    let _ = writeln!(out, "{} texts: {} passed, {failed} failed", cases.len(), cases.len() - failed);
    out
}

fn failures(cases: &[Case]) -> impl Iterator<Item = &Case> {
    cases.iter().filter(|case| !case.passes())
}

/// What became of a text, in words.
fn what(case: &Case) -> String {
    match &case.verdict {
        Verdict::Accepted => "accepted".to_owned(),
        Verdict::Unknown(why) => why.clone(),
        Verdict::Refused { at, ends_too_early, expected } => {
            let (line, column) = line_and_column(&String::from_utf8_lossy(&case.text[..*at]), usize::MAX);
            let verdict = if *ends_too_early { "the text ends too early" } else { "refused" };
            let more = expected.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let names = expected[..expected.len().min(SHOWN)].join(" ");
            let names = if names.is_empty() { names } else { format!(", expected {names}{more}") };
            format!("{verdict} at byte {at} (line {line}, column {column}){names}")
        }
    }
}

/// All texts as JSON.
pub(crate) fn tests_json(grammar: &str, cases: &[Case]) -> Value {
    let list: Vec<Value> = cases.iter().map(case_json).collect();
    json!({ "grammar": grammar, "passed": cases.len() - failures(cases).count(), "failed": failures(cases).count(), "texts": list })
}

fn case_json(case: &Case) -> Value {
    let mut value = json!({
        "name": case.name,
        "expected": case.expected.folder(),
        "passed": case.passes(),
        "accepted": matches!(case.verdict, Verdict::Accepted),
    });
    match &case.verdict {
        Verdict::Accepted => {}
        Verdict::Refused { at, ends_too_early, expected } => {
            value["offset"] = json!(at);
            value["ends_too_early"] = json!(ends_too_early);
            value["expected_terminals"] = json!(expected);
        }
        Verdict::Unknown(why) => {
            value["accepted"] = Value::Null;
            value["unknown"] = json!(why);
        }
    }
    value
}

/// All texts as an XML document of JUnit. A text of which it is not known whether it is accepted is an error.
pub(crate) fn junit(grammar: &str, cases: &[Case]) -> String {
    let errors = cases.iter().filter(|case| matches!(case.verdict, Verdict::Unknown(_))).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{errors}\"",
        cases.len(),
        failures(cases).count() - errors
    );
    let grammar = escaped(grammar);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n<testsuite name=\"{grammar}\" {counts}>\n"
    );
    for case in cases {
        out.push_str(&junit_case(&grammar, case));
    }
    out.push_str("</testsuite>\n</testsuites>\n");
    out
}

fn junit_case(grammar: &str, case: &Case) -> String {
    let folder = case.expected.folder();
    let start = format!("  <testcase classname=\"{grammar}.{folder}\" name=\"{}\"", escaped(&case.name));
    let element = match &case.verdict {
        Verdict::Unknown(_) => "error",
        _ if case.passes() => return start + "/>\n",
        _ => "failure",
    };
    format!("{start}>\n    <{element} message=\"{}\"/>\n  </testcase>\n", escaped(&what(case)))
}

/// A text in an attribute. Characters that XML does not have become question marks.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\u{FFFE}' | '\u{FFFF}' => out.push('?'),
            _ if character.is_control() => out.push('?'),
            _ => out.push(character),
        }
    }
    out
}
