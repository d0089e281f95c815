//! Stands for the crate `llg_test_utils` of llguidance's tests: instead of running a test, it writes what the test asserts.
//!
//! A line of JSON per text goes to the file that PEER_CASES names; `tests/peers/run.sh` says what is in it.

use serde_json::{Value, json};
use std::fs::OpenOptions;
use std::io::Write;

#[derive(Debug)]
pub enum NumericBounds {
    Inclusive,
    Exclusive,
}

fn emit(grammar: &str, verdict: &str, text: Option<&str>) {
    let place = std::thread::current().name().unwrap_or_default().to_owned();
    let mut case = json!({"where": place, "notation": "lark-llguidance", "grammar": grammar, "verdict": verdict});
    if let Some(text) = text {
        case["text"] = json!(text);
    }
    let path = std::env::var("PEER_CASES").expect("PEER_CASES is set");
    let mut file = OpenOptions::new().create(true).append(true).open(path).expect("the file can be opened");
    file.write_all(format!("{case}\n").as_bytes()).expect("the file can be written");
}

/// # Complete texts
pub fn lark_ok(lark: &str) {
    emit(lark, "compiles", None);
}

pub fn lark_err_test(lark: &str, _error: &str) {
    emit(lark, "refused", None);
}

pub fn json_err_test(schema: &Value, _error: &str) {
    emit(&of_schema(schema), "refused", None);
}

pub fn lark_str_test(lark: &str, should_accept: bool, input: &str, _quiet: bool) {
    let final_reject = input.strip_prefix("FINAL_REJECT:");
    let verdict = match (final_reject, should_accept) {
        (Some(_), _) => "prefix",
        (None, true) => "accept",
        (None, false) => "reject",
    };
    emit(lark, "compiles", None);
    emit(lark, verdict, Some(final_reject.unwrap_or(input)));
}

pub fn lark_str_test_many_ext(quiet: bool, lark: &str, passing: &[&str], failing: &[&str]) {
    passing.iter().for_each(|text| lark_str_test(lark, true, text, quiet));
    failing.iter().for_each(|text| lark_str_test(lark, false, text, quiet));
}

pub fn lark_str_test_many(lark: &str, passing: &[&str], failing: &[&str]) {
    lark_str_test_many_ext(false, lark, passing, failing);
}

pub fn lark_str_test_many_quiet(lark: &str, passing: &[&str], failing: &[&str]) {
    lark_str_test_many_ext(true, lark, passing, failing);
}

fn of_schema(schema: &Value) -> String {
    format!("start: %json {schema}")
}

pub fn json_schema_check(schema: &Value, value: &Value, expect_valid: bool) {
    let grammar = of_schema(schema);
    emit(&grammar, "compiles", None);
    emit(&grammar, if expect_valid { "accept" } else { "incomplete" }, Some(&value.to_string()));
}

pub fn json_test_many(schema: &Value, passing: &[Value], failing: &[Value]) {
    passing.iter().for_each(|value| json_schema_check(schema, value, true));
    failing.iter().for_each(|value| json_schema_check(schema, value, false));
}

/// # Traces
/// Pieces of the output, forced and generated in turn; tokens in them stand between `‧`, and after `✖` one that is refused.
pub fn check_lark_grammar(lark: &str, output: &[&str]) {
    emit(lark, "compiles", None);
    let trace = output.join("‧");
    if trace.contains(['↶', '⟦']) || trace.contains("<|") || trace.contains("<[") {
        return;
    }
    let mut text = String::new();
    for (refused, piece) in pieces(&trace) {
        match (refused, piece) {
            (_, "") | (true, "≺EOS≻") => {}
            (true, piece) => emit(lark, "reject", Some(&format!("{text}{piece}"))),
            (false, "≺EOS≻") => break,
            (false, piece) => text.push_str(piece),
        }
    }
    emit(lark, "accept", Some(&text));
}

/// The tokens of a trace, each with whether it is refused.
fn pieces(trace: &str) -> Vec<(bool, &str)> {
    let mut start = (0, false);
    let mut pieces = Vec::new();
    for (end, mark) in trace.match_indices(['‧', '✖']) {
        pieces.push((start.1, &trace[start.0..end]));
        start = (end + mark.len(), mark == "✖");
    }
    pieces.push((start.1, &trace[start.0..]));
    pieces
}

pub fn check_lark_grammar_prompt(lark: &str, _prompt: &str, _output: &[&str]) {
    emit(lark, "compiles", None);
}

pub fn check_lark_grammar_nested(lark: &str, sub: &str, output: &[&str]) {
    check_lark_grammar(&lark.replace("@sub", &format!("%lark {{\n{sub}\n}}")), output);
}

pub fn check_lark_json(lark: &str, schema: Value, output: &[&str]) {
    check_lark_grammar(&lark.replace("@sub", &format!("%json {schema}")), output);
}

pub fn check_capture(_parser: &(), _name: &str, _expected: &str) {}
