//! `gcc-grammar compile`: compiles a schema or grammar for a vocabulary.

use crate::arguments::{GrammarArguments, LimitArguments, VocabularyArguments};
use crate::failure::{Exit, Failure};
use crate::progress::Progress;
use crate::render::summary::Summary;
use crate::shell::Shell;
use clap::{Args, ValueEnum};
use gcc_grammar::{Observer, Options, Packing, artifact, compile_parsed, output, parse};
use std::borrow::Cow;
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

/// Compiles, writes the artifact, and shows a summary.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let output = arguments.output()?;
    if shell.json && output.as_os_str() == "-" {
        return Err(Failure::usage("--json", "the standard output cannot take both", "give --output a file"));
    }
    let mut progress = Progress::new(shell);
    progress.stage("front end");
    let options = Options { limits: arguments.limits.options(), ..arguments.grammar.options()? };
    // The grammar and the vocabulary do not depend on each other; errors in the grammar are reported first.
    let (parsed, vocabulary) = thread::scope(|scope| {
        let vocabulary = scope.spawn(|| arguments.vocabulary.load());
        let parsed = arguments.grammar.source().and_then(|source| Ok(parse(&source, &options)?));
        progress.stage("vocabulary");
        (parsed, vocabulary.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let parsed = parsed?;
    shell.warn(&parsed.warnings, &parsed.text);
    let vocabulary = vocabulary?;
    let packing = if arguments.self_contained { Packing::SelfContained } else { Packing::Referenced };
    let compilation = compile_parsed(&parsed, &vocabulary, &options, packing, &mut progress)?;
    shell.warn(&compilation.findings.warnings, &parsed.text);
    let plain = compilation.artifact.bytes();
    let bytes = match arguments.compress {
        Some(Compression::Zstd) => Cow::Owned(artifact::compress(plain, ZSTD_LEVEL)),
        None => Cow::Borrowed(plain),
    };
    write_output(&output, &bytes)?;
    let stages = progress.finish();
    let summary =
        Summary { output: &output, parsed: &parsed, compilation: &compilation, written: bytes.len(), stages };
    summary.show(shell)?;
    Ok(Exit::Done)
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

fn write_output(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        return Ok(out.flush()?);
    }
    Ok(output::write(path, bytes)?)
}
