//! What there is to tell about a compilation: sizes, times, coverage; and what is kept of it as metadata.

use crate::failure::Failure;
use crate::findings::Findings;
use crate::grammar::Parsed;
use crate::shell::{Shell, diagnostics_json};
use crate::show::{duration, hex, number, printable, size};
use crate::vocabulary::Loaded;
use gcc_grammar::metadata::{Metadata, ReportEntry};
use gcc_grammar_compiler::{Compiled, Stats};
use gcc_grammar_ir::Diagnostic;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// Everything about a compilation that the runtime does not need.
pub(crate) fn metadata(
    parsed: &Parsed,
    warnings: &[Diagnostic],
    vocabulary: &Loaded,
    stats: &Stats,
) -> Metadata {
    Metadata {
        compiler: env!("CARGO_PKG_VERSION").to_owned(),
        source: parsed.source.clone(),
        vocabulary: vocabulary.to_metadata(),
        options: parsed.options.clone(),
        terminals: parsed.grammar.terminals.iter().map(|terminal| terminal.name.clone()).collect(),
        rules: parsed.grammar.rules.iter().map(|rule| rule.name.clone()).collect(),
        report: parsed.report.clone(),
        warnings: warnings.iter().map(|warning| warning.message.clone()).collect(),
        stats: named(stats).map(|(name, count)| (name.to_owned(), count)).to_vec(),
    }
}

/// The sizes of all stages by name, in the order of the pipeline.
pub(crate) fn named(stats: &Stats) -> [(&'static str, u64); 18] {
    [
        ("terminals", stats.terminals as u64),
        ("productions", stats.productions as u64),
        ("LR states", stats.lr_states as u64),
        ("LR conflicts", stats.conflicts as u64),
        ("lexical contexts", stats.contexts as u64),
        ("symbol classes", stats.symbol_classes as u64),
        ("lexer states", stats.lexer_states as u64),
        ("Terminal DWA nodes", stats.terminal_nodes as u64),
        ("Terminal DWA arcs", stats.terminal_arcs as u64),
        ("token sets", stats.token_sets as u64),
        ("Parser DWA states before minimization", stats.raw_dwa_states as u64),
        ("Parser DWA states", stats.dwa_states as u64),
        ("Parser DWA transitions", stats.dwa_transitions as u64),
        ("masks", stats.masks as u64),
        ("base bitmaps", stats.bases as u64),
        ("longest mask delta", stats.max_delta as u64),
        ("work units", stats.work),
        ("bytes of tables while compiling", stats.bytes),
    ]
}

/// What is told after compiling.
pub(crate) struct Summary<'a> {
    pub(crate) output: &'a Path,
    pub(crate) parsed: &'a Parsed,
    pub(crate) warnings: &'a [Diagnostic],
    pub(crate) findings: &'a Findings,
    pub(crate) metadata: &'a Metadata,
    pub(crate) compiled: &'a Compiled,
    pub(crate) plain: usize,
    pub(crate) written: usize,
    pub(crate) stages: Vec<(&'static str, Duration)>,
}

impl Summary<'_> {
    /// On the standard output, unless that has the artifact.
    pub(crate) fn show(&self, shell: &Shell) -> Result<(), Failure> {
        if shell.json {
            return shell.write_json(&self.to_json());
        }
        if shell.quiet {
            return Ok(());
        }
        let text = self.to_text();
        if self.output.as_os_str() == "-" {
            // The standard output has the artifact.
            let _ = io::stderr().lock().write_all(text.as_bytes());
            return Ok(());
        }
        let mut out = shell.out();
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    }

    fn to_text(&self) -> String {
        let stats = &self.compiled.stats;
        let vocabulary = &self.metadata.vocabulary;
        let mut out = String::new();
        let total: Duration = self.stages.iter().map(|&(_, time)| time).sum();
        let expanded = format!(", {} expanded", size(self.plain));
        let expanded = if self.written == self.plain { "" } else { &expanded };
        let _ = writeln!(
            out,
            "{}  {}{expanded}, compiled for {} ({} tokens) in {}",
            self.output.display(),
            size(self.written),
            vocabulary.name,
            vocabulary.width,
            duration(total)
        );
        let mut lines = vec![
            (
                "grammar",
                list(&[
                    (stats.terminals, "terminals"),
                    (stats.productions, "productions"),
                    (stats.lr_states, "LR states"),
                    (stats.conflicts, "conflicts"),
                ]),
            ),
            (
                "lexer",
                list(&[
                    (stats.lexer_states, "states"),
                    (stats.contexts, "contexts"),
                    (stats.symbol_classes, "symbol classes"),
                ]),
            ),
            ("automaton", list(&[(stats.dwa_states, "states"), (stats.dwa_transitions, "transitions")])),
            (
                "masks",
                list(&[
                    (stats.masks, "distinct"),
                    (stats.bases, "base bitmaps"),
                    (stats.max_delta, "flips at most"),
                ]),
            ),
            ("time", times(&self.stages)),
        ];
        if let Some(heads) = self.findings.heads_text() {
            lines.insert(1, ("heads", heads));
        }
        for (name, text) in lines {
            let _ = writeln!(out, "  {name:<10} {text}");
        }
        out.push_str(&report_text(&self.metadata.report));
        out
    }

    fn to_json(&self) -> Value {
        let milliseconds = |time: &Duration| time.as_secs_f64() * 1e3;
        let stages: Vec<Value> =
            self.stages.iter().map(|(name, time)| json!({"stage": name, "ms": milliseconds(time)})).collect();
        json!({
            "output": self.output,
            "bytes": self.written,
            "bytes_expanded": self.plain,
            "vocabulary": {
                "name": self.metadata.vocabulary.name,
                "width": self.metadata.vocabulary.width,
                "end_tokens": self.metadata.vocabulary.end_tokens,
            },
            "fingerprints": {
                "grammar": hex(&self.metadata.source.fingerprint()),
                "options": hex(&self.metadata.options_fingerprint()),
            },
            "stats": stats_json(&self.metadata.stats),
            "stages": stages,
            "report": report_json(&self.metadata.report),
            "heads": self.findings.heads_json(),
            "warnings": diagnostics_json(self.warnings, &self.parsed.text),
        })
    }
}

fn list(counts: &[(usize, &str)]) -> String {
    let counts: Vec<String> =
        counts.iter().map(|&(count, what)| format!("{} {what}", number(count as u64))).collect();
    counts.join(", ")
}

/// Stages with their times.
pub(crate) fn times(stages: &[(&'static str, Duration)]) -> String {
    let times: Vec<String> =
        stages.iter().map(|&(name, time)| format!("{name} {}", duration(time))).collect();
    times.join(", ")
}

/// Sizes by name, in order.
pub(crate) fn stats_json(stats: &[(String, u64)]) -> Value {
    Value::Object(
        stats.iter().map(|(name, count)| (name.replace(' ', "_").to_lowercase(), json!(count))).collect(),
    )
}

/// The fate of keywords for machines.
pub(crate) fn report_json(report: &[ReportEntry]) -> Value {
    let entry = |entry: &ReportEntry| json!({"pointer": entry.pointer, "coverage": entry.coverage, "note": entry.note});
    report.iter().map(entry).collect()
}

/// The fate of keywords in short: how many are enforced, and which are not.
pub(crate) fn report_text(report: &[ReportEntry]) -> String {
    if report.is_empty() {
        return String::new();
    }
    let count = |coverage: &str| report.iter().filter(|entry| entry.coverage == coverage).count();
    let (enforced, annotations) = (count("enforced"), count("annotation"));
    let gaps: Vec<&ReportEntry> = report.iter().filter(|entry| is_gap(entry)).collect();
    let mut out = format!(
        "  report     {enforced} keywords enforced, {annotations} annotations, {} not enforced\n",
        gaps.len()
    );
    gaps.into_iter().for_each(|gap| out.push_str(&entry_text(gap)));
    out
}

fn is_gap(entry: &ReportEntry) -> bool {
    !matches!(entry.coverage.as_str(), "enforced" | "annotation")
}

/// The fate of one keyword, as a line of text.
pub(crate) fn entry_text(entry: &ReportEntry) -> String {
    let note = if entry.note.is_empty() { String::new() } else { format!(": {}", printable(&entry.note)) };
    format!("    {:<10} #{}{note}\n", printable(&entry.coverage), printable(&entry.pointer))
}
