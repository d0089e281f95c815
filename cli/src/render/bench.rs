//! Renders the measurements of `gcc-grammar bench` as text and as JSON.

use super::show::{duration, number, percentile, size};
use super::summary::{stats_json, times};
use crate::commands::bench::measured::{Measured, Peer};
use gcc_grammar::Vocabulary;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Duration;

/// The measurements as lines of text.
pub(crate) fn measured_text(measured: &Measured, vocabulary: &Vocabulary) -> String {
    let mut out = String::new();
    let compiling = &measured.compiling;
    let [best, p50, worst] =
        [0, 500, 1000].map(|per_mille| duration(percentile(&compiling.total, per_mille.max(1))));
    let _ = writeln!(
        out,
        "vocabulary  {} ({} tokens) loaded in {}",
        vocabulary.name(),
        vocabulary.tokens().width(),
        duration(measured.loading)
    );
    let _ = writeln!(out, "compile     p50 {p50}, from {best} to {worst}, {} runs", compiling.total.len());
    let _ = writeln!(out, "            {}", times(&compiling.stages));
    let [best, p50, worst] =
        [1, 500, 1000].map(|per_mille| duration(percentile(&measured.first_mask, per_mille)));
    let _ = writeln!(out, "first mask  p50 {p50} on demand, from {best} to {worst}");
    let _ = writeln!(
        out,
        "artifact    {}, opened in {}",
        size(compiling.artifact.len()),
        duration(percentile(&measured.opening, 500))
    );
    if !compiling.peaks.is_empty() {
        let peaks: Vec<String> =
            compiling.peaks.iter().map(|&(name, bytes)| format!("{name} {}", size(bytes))).collect();
        let _ = writeln!(out, "memory      peaks: {}", peaks.join(", "));
    }
    let decoding = &measured.decoding;
    let _ = writeln!(
        out,
        "decode      {} tokens, {} times",
        number(decoding.tokens as u64),
        decoding.mask.len() / decoding.tokens.max(1)
    );
    for (name, times) in decoding.named() {
        let _ = writeln!(out, "  {name:<9} {}", spread_text(times));
    }
    let p50 = |times: &[Duration]| percentile(times, 500).as_nanos().max(1) as f64;
    let copy = p50(&decoding.copy);
    let _ = writeln!(
        out,
        "            mask / copy of a row {:.1}, update / copy {:.1}",
        p50(&decoding.mask) / copy,
        p50(&decoding.update) / copy
    );
    peers_text(&mut out, &measured.peers);
    out.push_str("stages\n");
    for (name, count) in compiling.stats.named() {
        let _ = writeln!(out, "  {name:<40} {:>14}", number(count));
    }
    out
}

/// Other engines: the time to the first mask, masks and commits, and what they refuse.
fn peers_text(out: &mut String, peers: &[Peer]) {
    if !peers.is_empty() {
        out.push_str("peers       called from Python\n");
    }
    for peer in peers {
        let _ = writeln!(out, "  {}", peer.engine);
        if let Some(error) = &peer.error {
            let _ = writeln!(out, "            {error}");
            continue;
        }
        let first = duration(percentile(&peer.first_mask, 500));
        let _ = writeln!(out, "            first mask p50 {first}, refuses {} outputs", peer.refused);
        for (name, times) in [("mask", &peer.mask), ("commit", &peer.commit)] {
            let _ = writeln!(out, "    {name:<7} {}", spread_text(times));
        }
    }
}

fn spread_text(times: &[Duration]) -> String {
    let [p50, p99, p999, max] = [500, 990, 999, 1000].map(|per_mille| duration(percentile(times, per_mille)));
    format!("p50 {p50}, p99 {p99}, p99.9 {p999}, max {max}")
}

/// The measurements as JSON.
pub(crate) fn measured_json(measured: &Measured) -> Value {
    let nanos = |time: Duration| time.as_nanos() as u64;
    let spread = |times: &[Duration]| {
        let [p50, p99, p999, max] =
            [500, 990, 999, 1000].map(|per_mille| nanos(percentile(times, per_mille)));
        json!({"p50_ns": p50, "p99_ns": p99, "p999_ns": p999, "max_ns": max})
    };
    let compiling = &measured.compiling;
    let stages: Vec<Value> =
        compiling.stages.iter().map(|&(name, time)| json!({"stage": name, "p50_ns": nanos(time)})).collect();
    let peaks: Vec<Value> =
        compiling.peaks.iter().map(|(name, bytes)| json!({"stage": name, "bytes": bytes})).collect();
    let peers = measured.peers.iter().map(|peer| match &peer.error {
        Some(error) => json!({"engine": peer.engine, "error": error}),
        None => json!({
            "engine": peer.engine,
            "first_mask": spread(&peer.first_mask),
            "mask": spread(&peer.mask),
            "commit": spread(&peer.commit),
            "refused_outputs": peer.refused,
        }),
    });
    let peers: Vec<Value> = peers.collect();
    json!({
        "peers": peers,
        "vocabulary_loaded_ns": nanos(measured.loading),
        "compile": spread(&compiling.total),
        "stages": stages,
        "first_mask": spread(&measured.first_mask),
        "stats": stats_json(&compiling.stats.named()),
        "artifact_bytes": compiling.artifact.len(),
        "open": spread(&measured.opening),
        "peak_memory": peaks,
        "tokens": measured.decoding.tokens,
        "mask": spread(&measured.decoding.mask),
        "commit": spread(&measured.decoding.commit),
        "both": spread(&measured.decoding.both),
        "update": spread(&measured.decoding.update),
        "copy": spread(&measured.decoding.copy),
    })
}
