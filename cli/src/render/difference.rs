//! Renders the result of `gcc-grammar diff` as text and as JSON.

use super::show::{bytes_json, number, quote};
use gcc_grammar::difference::{Difference, Texts};
use serde_json::{Value, json};
use std::fmt::Write;

/// The verdict, and a line for the texts that only one of the two accepts.
pub(crate) fn difference_text(names: [&str; 2], difference: &Difference) -> String {
    let verdict = match difference.are_equal() {
        Some(true) => "equal: both accept the same texts",
        Some(false) => "different",
        None => "unknown: the search was given up",
    };
    let mut out = format!("{verdict} ({} configurations compared)\n", number(difference.pairs as u64));
    if difference.are_equal() == Some(true) {
        return out;
    }
    for (name, texts) in names.into_iter().zip([&difference.only_first, &difference.only_second]) {
        let _ = writeln!(out, "only {name}: {}", texts_text(texts));
    }
    out
}

fn texts_text(texts: &Texts) -> String {
    match texts {
        Texts::None => "nothing".to_owned(),
        Texts::Shortest(text) => quote(text),
        Texts::Unknown { fewer_than } => format!(
            "unknown, nothing of fewer than {fewer_than} bytes; a greater --limit-work or --limit-bytes searches further"
        ),
        _ => "unknown".to_owned(),
    }
}

/// The verdict as JSON.
pub(crate) fn difference_json(names: [&str; 2], difference: &Difference) -> Value {
    json!({
        "first": names[0],
        "second": names[1],
        "equal": difference.are_equal(),
        "only_first": texts_json(&difference.only_first),
        "only_second": texts_json(&difference.only_second),
        "configurations": difference.pairs,
    })
}

fn texts_json(texts: &Texts) -> Value {
    match texts {
        Texts::None => json!({"exists": false}),
        Texts::Shortest(text) => json!({"exists": true, "shortest": bytes_json(text)}),
        Texts::Unknown { fewer_than } => json!({"exists": null, "none_with_fewer_bytes_than": fewer_than}),
        _ => json!({"exists": null}),
    }
}
