//! Renders the result of `gcc-grammar replay` as text and as JSON.

use super::events::{Told, events_json, events_text};
use super::show::{
    SAMPLE, allowed_json, allowed_text, bytes_json, duration, percentile, printable, quote, token_json,
    token_text,
};
use gcc_grammar::diagnostic::line_and_column;
use gcc_grammar::{Explanation, Vocabulary, Why, WhyPlaces, WrittenRule};
use serde_json::{Value, json};
use std::time::Duration;

/// The greatest number of bytes that are shown before a refused token.
const SHOWN_BEFORE: usize = 40;

/// The tokens to replay.
pub(crate) struct Tokens {
    pub(crate) ids: Vec<u32>,
    /// Whether the model's own tokenizer would have cut the text like this.
    pub(crate) exact: bool,
    pub(crate) line_break: LineBreak,
}

/// The line break at the end of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineBreak {
    /// There is none.
    None,
    Kept,
    Dropped,
}

/// A replayed output.
pub(crate) struct Replayed {
    pub(crate) tokens: Tokens,
    pub(crate) explanation: Explanation,
    pub(crate) is_accepted: bool,
    /// Why the token is refused, if that is asked for.
    pub(crate) why: Option<(Why, WhyPlaces)>,
    /// Whether all of that is shown as text.
    pub(crate) at_length: bool,
    /// What happened with each token, if that is asked for.
    pub(crate) events: Option<Vec<Told>>,
}

/// The lines about the reason, unless all are wanted.
const SHOWN_REASONS: usize = 2;

/// The most tokens that are shown as text of those that were possible.
const SHOWN: usize = 5;

/// The outcome as lines of text: the verdict with its reason, then what helps to mend it.
pub(crate) fn replay_text(replayed: &Replayed, vocabulary: &Vocabulary) -> String {
    let Replayed { tokens, explanation, is_accepted, why, at_length, events } = replayed;
    let mut out = verdict_text(replayed, vocabulary);
    if let Some(why) = why {
        out.push_str(&why_text(why, *at_length, vocabulary));
    }
    match tokens.line_break {
        LineBreak::Dropped => out.push_str("note: without the line break at the end of the file\n"),
        LineBreak::Kept if !is_accepted => {
            out.push_str("note: the file ends with a line break; --chomp drops it\n");
        }
        LineBreak::Kept | LineBreak::None => {}
    }
    if !tokens.exact {
        out.push_str(
            "note: the vocabulary's own tokenizer could not cut this text; the fewest tokens were taken\n",
        );
    }
    out.push_str(&events_text(events.as_deref().unwrap_or_default()));
    out.push_str(&match is_accepted {
        true => times_text(explanation),
        false => possible_text(explanation, vocabulary),
    });
    out
}

/// The text before the refused token, and what was possible in its place.
fn possible_text(explanation: &Explanation, vocabulary: &Vocabulary) -> String {
    let Explanation { text, allowed, .. } = explanation;
    let before = quote(&text[text.len().saturating_sub(SHOWN_BEFORE)..]);
    let tokens = allowed_text(allowed, vocabulary, SHOWN);
    format!("after     {before}\npossible  {} tokens there\n{tokens}", allowed.count)
}

/// How long masks and commits took.
fn times_text(explanation: &Explanation) -> String {
    let times = [("mask", &explanation.mask_times), ("commit", &explanation.commit_times)];
    let line = |(name, times): (&str, &Vec<Duration>)| {
        let [p50, p99, p999] = [500, 990, 999].map(|per_mille| duration(percentile(times, per_mille)));
        let max = duration(times.last().copied().unwrap_or_default());
        format!("{name:<9} p50 {p50}, p99 {p99}, p99.9 {p999}, max {max}\n")
    };
    times.into_iter().map(line).collect()
}

/// Why a token is refused, as lines of text; if not `at_length`, in few.
fn why_text((why, places): &(Why, WhyPlaces), at_length: bool, vocabulary: &Vocabulary) -> String {
    let sentences = [why.to_string(), places.to_string()];
    let mut lines: Vec<String> = sentences.iter().flat_map(|text| text.lines()).map(printable).collect();
    if let Some(token) = why.nearest {
        lines.push(format!("the nearest allowed token is {token} {}", token_text(vocabulary, token)));
    }
    lines.truncate(if at_length { lines.len() } else { SHOWN_REASONS });
    lines.iter().map(|line| format!("{:<9} {line}\n", "why")).collect()
}

/// Why a token is refused, as JSON.
fn why_json((why, places): &(Why, WhyPlaces), vocabulary: &Vocabulary) -> Value {
    let rule = |rule: &WrittenRule| json!({"rule": rule.name, "line": rule.line, "column": rule.column});
    json!({
        "possible_bytes": why.possible,
        "lexeme": why.lexeme,
        "expected": why.expected,
        "may_end": why.may_end,
        "rules": places.rules.iter().map(rule).collect::<Vec<_>>(),
        "pointer": places.pointer,
        "schema": places.schema,
        "nearest": why.nearest.map(|token| token_json(vocabulary, token)),
    })
}

fn verdict_text(replayed: &Replayed, vocabulary: &Vocabulary) -> String {
    let Replayed { tokens, explanation, is_accepted, .. } = replayed;
    let (all, bytes) = (tokens.ids.len(), explanation.text.len());
    match explanation.refused {
        Some(token) => {
            let (line, column) = line_and_column(&String::from_utf8_lossy(&explanation.text), usize::MAX);
            format!(
                "refused: token {} of {all}, {token} {}, at byte {bytes} (line {line}, column {column})\n",
                explanation.accepted + 1,
                token_text(vocabulary, token)
            )
        }
        None if *is_accepted => format!("accepted: {all} tokens, {bytes} bytes\n"),
        None => format!("refused: the text ends too early, after {all} tokens, {bytes} bytes\n"),
    }
}

/// The outcome as JSON.
pub(crate) fn replay_json(replayed: &Replayed, vocabulary: &Vocabulary) -> Value {
    let Replayed { tokens, explanation, is_accepted, why, events, .. } = replayed;
    let refused = explanation.refused.map(|token| {
        let mut object = token_json(vocabulary, token);
        if let Some(why) = why {
            object["why"] = why_json(why, vocabulary);
        }
        object["index"] = json!(explanation.accepted);
        object["offset"] = json!(explanation.text.len());
        object
    });
    let nanos = |times: &[Duration]| {
        let [p50, p99, p999] =
            [500, 990, 999].map(|per_mille| percentile(times, per_mille).as_nanos() as u64);
        json!({"p50_ns": p50, "p99_ns": p99, "p999_ns": p999})
    };
    let mut replay = json!({
        "accepted": is_accepted,
        "tokens": tokens.ids.len(),
        "tokens_accepted": explanation.accepted,
        "text": bytes_json(&explanation.text),
        "exact_tokenization": tokens.exact,
        "without_final_line_break": tokens.line_break == LineBreak::Dropped,
        "refused": refused,
        "possible": allowed_json(&explanation.allowed, vocabulary, SAMPLE),
        "mask": nanos(&explanation.mask_times),
        "commit": nanos(&explanation.commit_times),
    });
    if let Some(events) = events {
        replay["events"] = events_json(events);
    }
    replay
}
