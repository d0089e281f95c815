//! `gcc-grammar compile`.

use crate::failure::{Exit, Failure};
use crate::findings::Findings;
use crate::grammar::GrammarArguments;
use crate::progress::Progress;
use crate::shell::Shell;
use crate::summary::{Summary, metadata};
use crate::vocabulary::VocabularyArguments;
use clap::{Args, ValueEnum};
use gcc_grammar::artifact;
use gcc_grammar_compiler::{Front, Limits, Observer};
use std::borrow::Cow;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;

/// Compression of artifacts for shipping.
const ZSTD_LEVEL: i32 = 19;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Where the artifact goes; `-` is the standard output [default: the name of the bundled grammar or of the input, with .gcg instead of .lark, .json or .schema.json, in the current folder]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Put the tokens of the vocabulary into the artifact, so that nothing else is needed to decode with it
    #[arg(long)]
    self_contained: bool,
    /// Compress the artifact for shipping
    #[arg(long, value_enum, value_name = "HOW")]
    compress: Option<Compression>,
    #[command(flatten)]
    grammar: GrammarArguments,
    #[command(flatten)]
    vocabulary: VocabularyArguments,
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
#[command(next_help_heading = "Limits (those of choices grow with their length)")]
pub(crate) struct LimitArguments {
    /// Elementary steps over all stages, about 10^8 a second [default: 500000000]
    #[arg(long = "limit-work", value_name = "N")]
    work: Option<u64>,
    /// Estimated bytes held by the tables of all stages [default: 1073741824]
    #[arg(long = "limit-bytes", value_name = "N")]
    bytes: Option<u64>,
    /// States of the LR automaton [default: 200000]
    #[arg(long = "limit-lr-states", value_name = "N")]
    lr_states: Option<u64>,
    /// States of the lexer automaton [default: 500000]
    #[arg(long = "limit-lexer-states", value_name = "N")]
    lexer_states: Option<u64>,
    /// States of the Parser DWA before minimization [default: 1000000]
    #[arg(long = "limit-dwa-states", value_name = "N")]
    dwa_states: Option<u64>,
    /// States of one terminal's automaton [default: 200000]
    #[arg(long = "limit-terminal-states", value_name = "N")]
    terminal_states: Option<u64>,
}

impl LimitArguments {
    /// These, and `default` where nothing is said.
    pub(crate) fn over(&self, default: Limits) -> Limits {
        let &Self { work, bytes, lr_states, lexer_states, dwa_states, terminal_states } = self;
        Limits {
            work: work.unwrap_or(default.work),
            bytes: bytes.unwrap_or(default.bytes),
            lr_states: lr_states.unwrap_or(default.lr_states),
            lexer_states: lexer_states.unwrap_or(default.lexer_states),
            dwa_states: dwa_states.unwrap_or(default.dwa_states),
            terminal_states: terminal_states.unwrap_or(default.terminal_states),
        }
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
    // Neither needs the other; what is wrong with the grammar is told first.
    let (parsed, vocabulary) = thread::scope(|scope| {
        let vocabulary = scope.spawn(|| arguments.vocabulary.load());
        let parsed = arguments.grammar.parse();
        progress.stage("vocabulary");
        (parsed, vocabulary.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let parsed = parsed?;
    shell.warn(&parsed.warnings, &parsed.text);
    let vocabulary = vocabulary?;
    let options = arguments.limits.over(parsed.limits()).into();
    let mut observer = Observing { is_schema: parsed.is_schema(), progress, findings: Findings::default() };
    let compiled =
        gcc_grammar_compiler::compile(&parsed.grammar, &vocabulary.vocabulary, &options, &mut observer);
    let compiled = compiled.map_err(|error| Failure::compile(error, &parsed.text))?;
    let Observing { mut progress, findings, .. } = observer;
    shell.warn(&findings.warnings, &parsed.text);
    let warnings = [&parsed.warnings[..], &findings.warnings].concat();
    progress.stage("write");
    let metadata = metadata(&parsed, &warnings, &vocabulary, &compiled.stats);
    let write = if arguments.self_contained { artifact::write_self_contained } else { artifact::write };
    let plain = write(&compiled, &vocabulary.vocabulary, &metadata);
    let bytes = match arguments.compress {
        Some(Compression::Zstd) => Cow::Owned(artifact::compress(&plain, ZSTD_LEVEL)),
        None => Cow::Borrowed(plain.as_slice()),
    };
    write_output(&output, &bytes)?;
    let summary = Summary {
        output: &output,
        parsed: &parsed,
        warnings: &warnings,
        findings: &findings,
        metadata: &metadata,
        compiled: &compiled,
        plain: plain.len(),
        written: bytes.len(),
        stages: progress.finish(),
    };
    summary.show(shell)?;
    Ok(Exit::Done)
}

/// Shows progress, and looks at the grammar on the way.
struct Observing {
    is_schema: bool,
    progress: Progress,
    findings: Findings,
}

impl Observer for Observing {
    fn stage(&mut self, name: &'static str) {
        self.progress.stage(name);
    }

    fn front(&mut self, front: &Front<'_>) {
        if Findings::may_be(front.lr, self.is_schema) {
            self.progress.stage("heads");
            self.findings = Findings::of(*front, self.is_schema);
        }
    }
}

impl Arguments {
    fn output(&self) -> Result<PathBuf, Failure> {
        match (&self.output, self.grammar.stem()) {
            (Some(output), _) => Ok(output.clone()),
            (None, Some(stem)) => {
                let stem = stem.to_string_lossy();
                Ok(PathBuf::from(format!("{}.gcg", stem.strip_suffix(".schema").unwrap_or(&stem))))
            }
            _ => Err(Failure::usage(
                "--output",
                "the input has no name to derive one from",
                "add --output FILE",
            )),
        }
    }
}

/// Writes next to the output, then renames: whatever fails, an existing output stays as it was. Devices and pipes are
/// written to, and links are followed.
fn write_output(output: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if output.as_os_str() == "-" {
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        return Ok(out.flush()?);
    }
    let place = fs::canonicalize(output).unwrap_or_else(|_| output.to_owned());
    let is_stream = fs::metadata(&place).is_ok_and(|found| !found.is_file() && !found.is_dir());
    let written = if is_stream { fs::write(&place, bytes) } else { replace(&place, bytes) };
    written.map_err(|error| Failure::io(output, "cannot be written", &error))
}

fn replace(output: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".gcc-grammar-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    fs::metadata(folder)?;
    // Without the name of the temporary file, which nobody asked for.
    let mut file = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
    file.write_all(bytes)?;
    file.persist(output).map(drop).map_err(|error| error.error)
}
