//! `gcc-grammar compile`.

use crate::failure::{Exit, Failure};
use crate::grammar::{GrammarArguments, Parsed};
use crate::progress::Progress;
use crate::shell::{Shell, diagnostics_json};
use crate::show::{duration, hex, number, size};
use crate::vocabulary::{Loaded, VocabularyArguments};
use clap::{Args, ValueEnum};
use gcc_grammar::artifact;
use gcc_grammar::metadata::Metadata;
use gcc_grammar::{Compiled, Limits, Observer, Options, Stats};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Compression of artifacts for shipping.
const ZSTD_LEVEL: i32 = 19;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    grammar: GrammarArguments,
    #[command(flatten)]
    vocabulary: VocabularyArguments,
    /// Where the artifact goes; `-` is the standard output [default: the input's name with .gcg, in the current folder]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Compress the artifact for shipping
    #[arg(long, value_enum, value_name = "HOW")]
    compress: Option<Compression>,
    #[command(flatten)]
    limits: LimitArguments,
}

/// How an artifact is compressed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Compression {
    Zstd,
}

/// Bounds on work and memory.
#[derive(Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArguments {
    /// Elementary steps over all stages, about 10^8 a second
    #[arg(long = "limit-work", value_name = "N", default_value_t = Limits::default().work)]
    work: u64,
    /// Estimated bytes held by the tables of all stages
    #[arg(long = "limit-bytes", value_name = "N", default_value_t = Limits::default().bytes)]
    bytes: u64,
    /// States of the LR automaton
    #[arg(long = "limit-lr-states", value_name = "N", default_value_t = Limits::default().lr_states)]
    lr_states: u64,
    /// States of the lexer automaton
    #[arg(long = "limit-lexer-states", value_name = "N", default_value_t = Limits::default().lexer_states)]
    lexer_states: u64,
    /// States of the Parser DWA before minimization
    #[arg(long = "limit-dwa-states", value_name = "N", default_value_t = Limits::default().dwa_states)]
    dwa_states: u64,
    /// States of one terminal's automaton
    #[arg(long = "limit-terminal-states", value_name = "N", default_value_t = Limits::default().terminal_states)]
    terminal_states: u64,
}

impl LimitArguments {
    /// As the compiler takes them.
    pub(crate) fn options(&self) -> Options {
        let &Self { work, bytes, lr_states, lexer_states, dwa_states, terminal_states } = self;
        Options { limits: Limits { work, bytes, lr_states, lexer_states, dwa_states, terminal_states } }
    }
}

/// Compiles, writes the artifact, and sums up.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let output = arguments.output()?;
    if shell.json && output.as_os_str() == "-" {
        return Err(Failure::usage("--json", "the standard output cannot take both", "give --output a file"));
    }
    let mut progress = Progress::new(shell);
    progress.stage("front end");
    let parsed = arguments.grammar.parse()?;
    shell.warn(&parsed.warnings, &parsed.text);
    progress.stage("vocabulary");
    let vocabulary = arguments.vocabulary.load()?;
    let options = arguments.limits.options();
    let compiled = gcc_grammar::compile(&parsed.grammar, &vocabulary.vocabulary, &options, &mut progress);
    let compiled = compiled.map_err(|error| Failure::compile(error, &parsed.text))?;
    progress.stage("write");
    let metadata = metadata(&parsed, &vocabulary, &compiled.stats);
    let plain = artifact::write(&compiled, vocabulary.vocabulary.fingerprint(), &metadata);
    let bytes = match arguments.compress {
        Some(Compression::Zstd) => artifact::compress(&plain, ZSTD_LEVEL),
        None => plain.clone(),
    };
    write_output(&output, &bytes)?;
    let summary = Summary {
        output: &output,
        parsed: &parsed,
        metadata: &metadata,
        compiled: &compiled,
        plain: plain.len(),
        written: bytes.len(),
        stages: progress.finish(),
    };
    summary.show(shell)?;
    Ok(Exit::Done)
}

impl Arguments {
    fn output(&self) -> Result<PathBuf, Failure> {
        match (&self.output, self.grammar.input.file_stem()) {
            (Some(output), _) => Ok(output.clone()),
            (None, Some(stem)) if !self.grammar.is_stdin() => Ok(Path::new(stem).with_extension("gcg")),
            _ => Err(Failure::usage(
                "--output",
                "the standard input has no name to derive one from",
                "add --output FILE",
            )),
        }
    }
}

/// Everything about a compilation that the runtime does not need.
pub(crate) fn metadata(parsed: &Parsed, vocabulary: &Loaded, stats: &Stats) -> Metadata {
    Metadata {
        compiler: env!("CARGO_PKG_VERSION").to_owned(),
        source: parsed.source.clone(),
        vocabulary: vocabulary.to_metadata(),
        options: parsed.options.clone(),
        terminals: parsed.grammar.terminals.iter().map(|terminal| terminal.name.clone()).collect(),
        rules: parsed.grammar.rules.iter().map(|rule| rule.name.clone()).collect(),
        report: parsed.report.clone(),
        warnings: parsed.warnings.iter().map(|warning| warning.message.clone()).collect(),
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

/// Writes next to the output, then renames: whatever fails, an existing output stays as it was.
fn write_output(output: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if output.as_os_str() == "-" {
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        return Ok(out.flush()?);
    }
    replace(output, bytes).map_err(|error| Failure::io(output, "cannot be written", &error))
}

fn replace(output: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".gcc-grammar-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(output).map(drop).map_err(|error| error.error)
}

/// What is told after compiling.
struct Summary<'a> {
    output: &'a Path,
    parsed: &'a Parsed,
    metadata: &'a Metadata,
    compiled: &'a Compiled,
    plain: usize,
    written: usize,
    stages: Vec<(&'static str, Duration)>,
}

impl Summary<'_> {
    fn show(&self, shell: &Shell) -> Result<(), Failure> {
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
        let compressed = if self.written == self.plain {
            String::new()
        } else {
            format!(", {} expanded", size(self.plain))
        };
        let _ = writeln!(
            out,
            "{}  {}{compressed}, compiled for {} ({} tokens) in {}",
            self.output.display(),
            size(self.written),
            vocabulary.name,
            vocabulary.width,
            duration(total)
        );
        let lines = [
            (
                "grammar",
                format!(
                    "{} terminals, {} productions, {} LR states, {} conflicts",
                    number(stats.terminals as u64),
                    number(stats.productions as u64),
                    number(stats.lr_states as u64),
                    number(stats.conflicts as u64)
                ),
            ),
            (
                "lexer",
                format!(
                    "{} states, {} contexts, {} symbol classes",
                    number(stats.lexer_states as u64),
                    number(stats.contexts as u64),
                    number(stats.symbol_classes as u64)
                ),
            ),
            (
                "automaton",
                format!(
                    "{} states, {} transitions",
                    number(stats.dwa_states as u64),
                    number(stats.dwa_transitions as u64)
                ),
            ),
            (
                "masks",
                format!(
                    "{}, {} base bitmaps, at most {} flips",
                    number(stats.masks as u64),
                    number(stats.bases as u64),
                    number(stats.max_delta as u64)
                ),
            ),
            (
                "time",
                self.stages
                    .iter()
                    .map(|&(name, time)| format!("{name} {}", duration(time)))
                    .collect::<Vec<_>>()
                    .join(", "),
            ),
        ];
        for (name, text) in lines {
            let _ = writeln!(out, "  {name:<10} {text}");
        }
        out.push_str(&report_text(self.metadata));
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
            "report": report_json(self.metadata),
            "warnings": diagnostics_json(&self.parsed.warnings, &self.parsed.text),
        })
    }
}

/// Sizes by name, in order.
pub(crate) fn stats_json(stats: &[(String, u64)]) -> Value {
    Value::Object(
        stats.iter().map(|(name, count)| (name.replace(' ', "_").to_lowercase(), json!(count))).collect(),
    )
}

/// The report of a schema for machines.
pub(crate) fn report_json(metadata: &Metadata) -> Value {
    let entry = |entry: &gcc_grammar::metadata::ReportEntry| json!({"pointer": entry.pointer, "coverage": entry.coverage, "note": entry.note});
    metadata.report.iter().map(entry).collect()
}

/// The report of a schema in short: how many keywords are enforced, and which are not.
pub(crate) fn report_text(metadata: &Metadata) -> String {
    if metadata.report.is_empty() {
        return String::new();
    }
    let count = |coverage: &str| metadata.report.iter().filter(|entry| entry.coverage == coverage).count();
    let mut out =
        format!("  report     {} keywords enforced, {} annotations", count("enforced"), count("annotation"));
    let gaps =
        metadata.report.iter().filter(|entry| !matches!(entry.coverage.as_str(), "enforced" | "annotation"));
    let gaps: Vec<_> = gaps.collect();
    let _ = writeln!(out, ", {} not enforced", gaps.len());
    for gap in gaps {
        let _ = writeln!(out, "    #{}: {}: {}", gap.pointer, gap.coverage, gap.note);
    }
    out
}
