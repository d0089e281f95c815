//! `gcc-grammar inspect`.

use crate::artifact::ArtifactFile;
use crate::failure::{Exit, Failure};
use crate::shell::Shell;
use crate::show::{hex, number, printable, size};
use crate::summary::{entry_text, report_json, report_text, stats_json};
use clap::Args;
use gcc_grammar::metadata::Metadata;
use gcc_grammar_artifact::grammar::{META, METADATA, SECTIONS, VOCABULARY};
use gcc_grammar_artifact::{GrammarView, Section};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The artifact; `-` is the standard input
    #[arg(value_name = "ARTIFACT")]
    path: PathBuf,
    /// Show the schema or grammar that it was compiled from
    #[arg(long)]
    source: bool,
    /// Show the fate of every keyword of a schema
    #[arg(long)]
    report: bool,
}

/// Shows what an artifact is.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let file = ArtifactFile::open(&arguments.path)?;
    let grammar = file.grammar()?;
    let metadata = file.metadata(&grammar);
    if shell.json {
        let metadata =
            metadata.as_ref().map_or_else(|error| json!({"error": error.to_string()}), metadata_json);
        shell.write_json(&to_json(&file, &grammar, metadata))?;
        return Ok(Exit::Done);
    }
    let mut out = shell.out();
    out.write_all(header_text(&file, &grammar).as_bytes())?;
    match &metadata {
        Ok(metadata) => out.write_all(metadata_text(metadata, arguments).as_bytes())?,
        Err(error) => writeln!(out, "metadata     {error}")?,
    }
    out.write_all(sections_text(&grammar).as_bytes())?;
    out.flush()?;
    Ok(Exit::Done)
}

fn header_text(file: &ArtifactFile, grammar: &GrammarView<'_>) -> String {
    let header = grammar.container().header();
    let mut out = String::new();
    let compressed = file.compressed.map_or(String::new(), |bytes| format!(", {} compressed", size(bytes)));
    let _ = writeln!(
        out,
        "{}: grammar artifact, format {}.{}, {}{compressed}",
        file.name,
        header.major,
        header.minor,
        size(file.bytes().len())
    );
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
    out
}

fn metadata_text(metadata: &Metadata, arguments: &Arguments) -> String {
    let mut out = String::new();
    let (source, vocabulary) = (&metadata.source, &metadata.vocabulary);
    let _ = writeln!(out, "compiled by  gcc-grammar {}", printable(&metadata.compiler));
    let _ = writeln!(
        out,
        "source       {} ({}, {})",
        printable(&source.name),
        printable(&source.format),
        size(source.text.len())
    );
    let ends: Vec<String> = vocabulary.end_tokens.iter().map(u32::to_string).collect();
    let _ = writeln!(out, "vocabulary   {}, end tokens {}", printable(&vocabulary.name), ends.join(", "));
    let options: Vec<String> =
        metadata.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let _ = writeln!(out, "options      {}", printable(&options.join(" ")));
    for warning in &metadata.warnings {
        let _ = writeln!(out, "warning      {}", printable(warning));
    }
    out.push_str("stages\n");
    for (name, count) in &metadata.stats {
        let _ = writeln!(out, "  {:<40} {:>14}", printable(name), number(*count));
    }
    out.push_str(&report_text(&metadata.report));
    if arguments.report {
        metadata.report.iter().for_each(|entry| out.push_str(&entry_text(entry)));
    }
    if arguments.source {
        let _ = writeln!(out, "source text\n{}", source.text.trim_end());
    }
    out
}

fn sections_text(grammar: &GrammarView<'_>) -> String {
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

/// The name of a kind of section, if this version knows it.
fn section_name(kind: u32) -> String {
    let known = [METADATA, VOCABULARY, META].into_iter().chain(SECTIONS.iter().copied());
    let found: Option<Section> = known.into_iter().find(|section| section.kind == kind);
    found.map_or_else(|| format!("{kind:#x}"), |section| section.name.to_owned())
}

fn to_json(file: &ArtifactFile, grammar: &GrammarView<'_>, metadata: Value) -> Value {
    let header = grammar.container().header();
    let sections: Vec<Value> = grammar
        .container()
        .entries()
        .map(|entry| json!({"kind": entry.kind, "name": section_name(entry.kind), "bytes": entry.length}))
        .collect();
    json!({
        "format": [header.major, header.minor],
        "bytes": file.bytes().len(),
        "bytes_compressed": file.compressed,
        "fingerprints": {
            "grammar": hex(&header.grammar),
            "vocabulary": hex(&header.vocabulary),
            "options": hex(&header.options),
        },
        "mask_width": grammar.meta().mask_width,
        "row_words": grammar.row_words(),
        "max_delta": grammar.meta().max_delta,
        "scratch_words": {"short": header.scratch_minimum, "long": header.scratch_recommended},
        "sections": sections,
        "metadata": metadata,
    })
}

fn metadata_json(metadata: &Metadata) -> Value {
    json!({
        "compiler": metadata.compiler,
        "source": {"name": metadata.source.name, "format": metadata.source.format, "text": metadata.source.text},
        "vocabulary": {
            "name": metadata.vocabulary.name,
            "width": metadata.vocabulary.width,
            "end_tokens": metadata.vocabulary.end_tokens,
        },
        "options": metadata.options.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
        "terminals": metadata.terminals,
        "rules": metadata.rules,
        "stats": stats_json(&metadata.stats),
        "report": report_json(&metadata.report),
        "warnings": metadata.warnings,
    })
}
