//! Renders the header, the metadata and the sections of an artifact as text and as JSON.

use super::report::{entry_text, narrowed_json, report_json, report_text};
use super::show::{hex, number, printable, size};
use super::summary::stats_json;
use gcc_grammar::Artifact;
use gcc_grammar::artifact::{GrammarView, bound, section_name};
use gcc_grammar::metadata::{Metadata, VocabularyTokens};
use gcc_grammar::vocabulary::Builtin;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The header as lines of text.
pub(crate) fn header_text(artifact: &Artifact, grammar: &GrammarView<'_>) -> String {
    let header = grammar.container().header();
    let mut out = String::new();
    let compressed =
        artifact.compressed_bytes().map_or(String::new(), |bytes| format!(", {} compressed", size(bytes)));
    let _ = writeln!(
        out,
        "{}: grammar artifact, format {}.{}, {}{compressed}",
        artifact.name(),
        header.major,
        header.minor,
        size(artifact.bytes().len())
    );
    let _ = writeln!(out, "key          {}", hex(&header.key));
    for (name, fingerprint) in
        [("grammar", header.grammar), ("vocabulary", header.vocabulary), ("options", header.options)]
    {
        let _ = writeln!(out, "fingerprint  {name:<11} {}", hex(&fingerprint));
    }
    let meta = grammar.meta();
    let _ = writeln!(
        out,
        "mask         {} tokens, {} words a row, at most {} flips",
        meta.mask_width,
        grammar.row_words(),
        meta.max_delta
    );
    let _ = writeln!(
        out,
        "scratch      {} for short outputs, {} for any length",
        size(4 * header.scratch_minimum as usize),
        size(4 * header.scratch_recommended as usize)
    );
    let _ = writeln!(out, "budget       {}", budget(grammar).unwrap_or("off"));
    out.push_str(&costs_text(grammar));
    out
}

/// What the artifact says about the tokens that complete a text; none if it says nothing.
fn budget(grammar: &GrammarView<'_>) -> Option<&'static str> {
    let is_exact = grammar.completion()?.is_exact();
    Some(if is_exact { "exact" } else { "bounded (not exact)" })
}

/// The bounds on the costs of masks and commits as lines of text; none for older artifacts.
fn costs_text(grammar: &GrammarView<'_>) -> String {
    let Ok(Some((costs, construct))) = grammar.mask_bounds() else { return String::new() };
    let at_most = |count: u32, otherwise: &str| match bound(count) {
        Some(count) => format!("at most {}", number(u64::from(count))),
        None => otherwise.to_owned(),
    };
    let repeated = format!("grows with the text, where stacks repeat: {}", printable(construct));
    let lines = [
        ("cells read", "per mask and stack", at_most(costs.cells_read, &repeated)),
        ("words written", "per mask", at_most(costs.words_written, "no bound")),
        ("heads", "", at_most(costs.heads, "several, no bound")),
        ("cells pushed", "per byte", at_most(costs.cells_pushed, "depends on the number of stacks")),
    ];
    let mut out = String::from("costs\n");
    for (name, unit, count) in lines {
        let _ = writeln!(out, "  {name:<14} {unit:<20} {count}");
    }
    out
}

/// The same bounds as JSON; `null` stands for a number without a bound.
fn costs_json(grammar: &GrammarView<'_>) -> Value {
    let Ok(Some((costs, construct))) = grammar.mask_bounds() else { return Value::Null };
    json!({
        "cells_read": bound(costs.cells_read),
        "cells_read_grow_along": (!construct.is_empty()).then_some(construct),
        "masks_united": bound(costs.masks_united),
        "words_written": bound(costs.words_written),
        "heads": bound(costs.heads),
        "cells_pushed": bound(costs.cells_pushed),
    })
}

/// The name of the built-in vocabulary with the same tokens, or the beginning of the hash of the tokens.
fn tokens_name(vocabulary: &VocabularyTokens) -> String {
    match Builtin::by_tokens(&vocabulary.tokens) {
        Some(builtin) => builtin.name.to_owned(),
        None => format!("of tokens {}…", &hex(&vocabulary.tokens)[..16]),
    }
}

/// The metadata as lines of text, with the source and the coverage of all keywords if these are wanted.
pub(crate) fn metadata_text(metadata: &Metadata, source_text: bool, report: bool) -> String {
    let mut out = String::new();
    let (source, vocabulary) = (&metadata.source, &metadata.vocabulary);
    let _ = writeln!(out, "compiled by  gcc-grammar {}", printable(&metadata.compiler));
    let _ = writeln!(out, "source       {}, {}", printable(&source.format), size(source.text.len()));
    let ends: Vec<String> = vocabulary.end_tokens.iter().map(u32::to_string).collect();
    let _ = writeln!(out, "vocabulary   {}, end tokens {}", tokens_name(vocabulary), ends.join(", "));
    let options: Vec<String> =
        metadata.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let _ = writeln!(out, "options      {}", printable(&options.join(" ")));
    let liveness = &metadata.liveness;
    let _ = writeln!(out, "live         {}", printable(liveness));
    for warning in &metadata.warnings {
        let _ = writeln!(out, "warning      {}", printable(warning));
    }
    out.push_str("stages\n");
    for (name, count) in &metadata.stats {
        let _ = writeln!(out, "  {:<40} {:>14}", printable(name), number(*count));
    }
    out.push_str(&report_text(&metadata.report));
    if report {
        metadata.report.iter().for_each(|entry| out.push_str(&entry_text(entry)));
    }
    if source_text {
        let _ = writeln!(out, "source text\n{}", source.text.trim_end());
    }
    out
}

/// The sections as lines of text.
pub(crate) fn sections_text(grammar: &GrammarView<'_>) -> String {
    let mut out = String::from("sections\n");
    for entry in grammar.container().entries() {
        let elements = entry.length / u64::from(entry.element_size.max(1));
        let _ = writeln!(
            out,
            "  {:<20} {:>12} {:>14} elements",
            section_name(entry.kind),
            size(entry.length as usize),
            number(elements)
        );
    }
    out
}

/// The header and the sections as JSON, with the metadata, which may be an error.
pub(crate) fn artifact_json(artifact: &Artifact, grammar: &GrammarView<'_>, metadata: Value) -> Value {
    let header = grammar.container().header();
    let sections: Vec<Value> = grammar
        .container()
        .entries()
        .map(|entry| json!({"kind": entry.kind, "name": section_name(entry.kind), "bytes": entry.length}))
        .collect();
    json!({
        "format": [header.major, header.minor],
        "bytes": artifact.bytes().len(),
        "bytes_compressed": artifact.compressed_bytes(),
        "key": hex(&header.key),
        "fingerprints": {
            "grammar": hex(&header.grammar),
            "vocabulary": hex(&header.vocabulary),
            "options": hex(&header.options),
        },
        "mask_width": grammar.meta().mask_width,
        "row_words": grammar.row_words(),
        "max_flips": grammar.meta().max_delta,
        "budget": budget(grammar),
        "costs": costs_json(grammar),
        "scratch_words": {"short": header.scratch_minimum, "long": header.scratch_recommended},
        "sections": sections,
        "metadata": metadata,
    })
}

/// The metadata as JSON.
pub(crate) fn metadata_json(metadata: &Metadata) -> Value {
    json!({
        "compiler": metadata.compiler,
        "source": {"format": metadata.source.format, "text": metadata.source.text},
        "vocabulary": {
            "tokens": hex(&metadata.vocabulary.tokens),
            "width": metadata.vocabulary.width,
            "end_tokens": metadata.vocabulary.end_tokens,
        },
        "options": metadata.options.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
        "terminals": metadata.terminals,
        "rules": metadata.rules,
        "live": metadata.liveness,
        "stats": stats_json(&metadata.stats),
        "report": report_json(&metadata.report),
        "narrowed": narrowed_json(&metadata.report),
        "warnings": metadata.warnings,
    })
}
