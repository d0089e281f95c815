//! Renders the summary of a compilation: sizes, times and coverage.

use super::findings::heads_json;
use super::report::{coverage_text, narrowed_json, report_json, report_text};
use super::show::{duration, hex, number, size};
use crate::failure::Failure;
use crate::shell::Shell;
use gcc_grammar::{Artifact, Compilation, Parsed, Vocabulary};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// The summary of a compilation.
pub(crate) struct Summary<'a> {
    pub(crate) output: &'a Path,
    pub(crate) parsed: &'a Parsed,
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) compilation: &'a Compilation,
    pub(crate) written: usize,
    pub(crate) stages: Vec<(&'static str, Duration)>,
    /// Whether the sizes and times of all stages are shown.
    pub(crate) verbose: bool,
}

impl Summary<'_> {
    /// Writes the summary to the standard output, or to the standard error if the artifact goes to the standard output.
    pub(crate) fn show(&self, shell: &Shell) -> Result<(), Failure> {
        if self.output.as_os_str() == "-" && !shell.quiet {
            // The artifact is on the standard output. If the standard error is closed, the summary is lost.
            let _ = io::stderr().lock().write_all(self.to_text().as_bytes());
            return Ok(());
        }
        shell.tell(|| self.to_text(), || self.to_json()).map(drop)
    }

    /// The size of the artifact before compression, in bytes.
    fn plain(&self) -> usize {
        self.compilation.artifact.bytes().len()
    }

    fn to_text(&self) -> String {
        let mut out = self.first_line();
        if self.verbose {
            out.push_str(&self.stages_text());
            out.push_str(&report_text(&self.compilation.metadata.report));
            return out;
        }
        out.push_str(&coverage_text(&self.compilation.metadata.report));
        if let Some(heads) = self.compilation.findings.heads_text() {
            let _ = writeln!(out, "  heads      {heads}");
        }
        out
    }

    /// What was written, how large it is, and how long it took.
    fn first_line(&self) -> String {
        let total: Duration = self.stages.iter().map(|&(_, time)| time).sum();
        let expanded = format!(", {} expanded", size(self.plain()));
        let expanded = if self.written == self.plain() { "" } else { &expanded };
        format!(
            "{}  {}{expanded}, compiled for {} ({} tokens) in {}\n",
            self.output.display(),
            size(self.written),
            self.vocabulary.name(),
            self.vocabulary.tokens().width(),
            duration(total)
        )
    }

    /// The sizes and times of the stages.
    fn stages_text(&self) -> String {
        let stats = &self.compilation.stats;
        let mut out = String::new();
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
            ("live", self.compilation.metadata.liveness.clone()),
            ("time", times(&self.stages)),
        ];
        if let Some(heads) = self.compilation.findings.heads_text() {
            lines.insert(1, ("heads", heads));
        }
        for (name, text) in lines {
            let _ = writeln!(out, "  {name:<10} {text}");
        }
        out
    }

    fn to_json(&self) -> Value {
        let milliseconds = |time: &Duration| time.as_secs_f64() * 1e3;
        let stages: Vec<Value> =
            self.stages.iter().map(|(name, time)| json!({"stage": name, "ms": milliseconds(time)})).collect();
        json!({
            "output": self.output.display().to_string(),
            "status": "compiled",
            "bytes": self.written,
            "bytes_expanded": self.plain(),
            "vocabulary": {
                "name": self.vocabulary.name(),
                "width": self.compilation.metadata.vocabulary.width,
                "end_tokens": self.compilation.metadata.vocabulary.end_tokens,
            },
            "fingerprints": {
                "grammar": hex(&self.compilation.metadata.source.fingerprint()),
                "options": hex(&self.compilation.metadata.options_fingerprint()),
            },
            "stats": stats_json(&self.compilation.stats.named()),
            "stages": stages,
            "report": report_json(&self.compilation.metadata.report),
            "narrowed": narrowed_json(&self.compilation.metadata.report),
            "live": self.compilation.metadata.liveness,
            "heads": heads_json(&self.compilation.findings),
            "warnings": self.parsed.text.diagnostics_json(&self.compilation.warnings),
        })
    }
}

/// Shows that the artifact was in the store. `output` is where it is.
pub(crate) fn show_found(output: &Path, artifact: &Artifact, shell: &Shell) -> Result<(), Failure> {
    let bytes = artifact.bytes().len();
    if output.as_os_str() == "-" && !shell.json {
        return Ok(());
    }
    let output = output.display().to_string();
    let text = || format!("{output}  {}, was in the store\n", size(bytes));
    shell.tell(text, || json!({ "output": output, "bytes": bytes, "status": "present" })).map(drop)
}

/// Counts with their names.
fn list(counts: &[(usize, &str)]) -> String {
    let counts: Vec<String> =
        counts.iter().map(|&(count, name)| format!("{} {name}", number(count as u64))).collect();
    counts.join(", ")
}

/// Stages with their times.
pub(crate) fn times(stages: &[(&'static str, Duration)]) -> String {
    let times: Vec<String> =
        stages.iter().map(|&(name, time)| format!("{name} {}", duration(time))).collect();
    times.join(", ")
}

/// Sizes by name, in order.
pub(crate) fn stats_json<N: AsRef<str>>(stats: &[(N, u64)]) -> Value {
    Value::Object(
        stats
            .iter()
            .map(|(name, count)| (name.as_ref().replace(' ', "_").to_lowercase(), json!(count)))
            .collect(),
    )
}
