//! `gcc-grammar compile`: compiles a schema or grammar for a vocabulary, writes the artifact, and shows a summary.

use crate::arguments::{
    BudgetArguments, GrammarArguments, LimitArguments, StrictArguments, VocabularyArguments, warn_if_not_kept,
};
use crate::failure::{Exit, Failure};
use crate::progress::Progress;
use crate::render::summary::Summary;
use crate::shell::Shell;
use clap::{Args, ValueEnum};
use gcc_grammar::{Observer, Options, Packing, Parsed, Vocabulary, artifact, compile_parsed, output, parse};
use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::thread;

/// The level of compression: slow, and close to the best.
const ZSTD_LEVEL: i32 = 19;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The file of the artifact; `-` is the standard output [default: the name of the input or of the bundled grammar, with the extension .gcg, in the current folder]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Put the tokens of the vocabulary into the artifact, so that decoding needs no other file
    #[arg(long)]
    self_contained: bool,
    /// Compress the artifact for shipping
    #[arg(long, value_enum, value_name = "HOW")]
    compress: Option<Compression>,
    #[command(flatten)]
    grammar: GrammarArguments,
    #[command(flatten)]
    strict: StrictArguments,
    #[command(flatten)]
    vocabulary: VocabularyArguments,
    #[command(flatten)]
    budgets: BudgetArguments,
    #[command(flatten)]
    limits: LimitArguments,
}

/// The methods of compression.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Compression {
    Zstd,
}

/// Compiles, writes the artifact, and shows a summary.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let output = arguments.output()?;
    if output.as_os_str() == "-" {
        expect_artifact_output(shell)?;
    }
    let mut progress = Progress::new(shell);
    progress.stage("front end");
    let options = arguments.budgets.apply(arguments.strict.apply(arguments.grammar.options()?));
    let options = Options { limits: arguments.limits.options(), ..options };
    // The grammar and the vocabulary do not depend on each other; errors in the grammar are reported first.
    let (parsed, vocabulary) = thread::scope(|scope| {
        let vocabulary = scope.spawn(|| arguments.vocabulary.load());
        let parsed = arguments.grammar.source().and_then(|source| Ok(parse(&source, &options)?));
        progress.stage("vocabulary");
        (parsed, vocabulary.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let parsed = parsed?;
    progress.suspend(|| shell.warn(&parsed.warnings, &parsed.text));
    let vocabulary = vocabulary?;
    arguments.check_output(&output, &parsed, &vocabulary)?;
    progress.suspend(|| warn_if_not_kept(&vocabulary, shell));
    let packing = if arguments.self_contained { Packing::SelfContained } else { Packing::Referenced };
    let compilation = compile_parsed(&parsed, &vocabulary, &options, packing, &mut progress)?;
    progress.suspend(|| shell.warn(&compilation.findings.warnings, &parsed.text));
    let plain = compilation.artifact.bytes();
    let bytes = match arguments.compress {
        Some(Compression::Zstd) => Cow::Owned(artifact::compress(plain, ZSTD_LEVEL)),
        None => Cow::Borrowed(plain),
    };
    write_output(&output, &bytes, shell)?;
    let stages = progress.finish();
    let summary = Summary {
        output: &output,
        parsed: &parsed,
        vocabulary: &vocabulary,
        compilation: &compilation,
        written: bytes.len(),
        stages,
    };
    summary.show(shell)?;
    Ok(Exit::Done)
}

/// Expects that the standard output can take the artifact.
fn expect_artifact_output(shell: &Shell) -> Result<(), Failure> {
    if shell.json {
        let message = "the standard output cannot take both the artifact and the summary";
        return Err(Failure::usage("--json", message, "give --output a file"));
    }
    shell.expect_binary_output("--output")
}

impl Arguments {
    /// The path of the artifact.
    fn output(&self) -> Result<PathBuf, Failure> {
        match (&self.output, self.grammar.stem()) {
            (Some(output), _) => Ok(output.clone()),
            (None, Some(stem)) => Ok(artifact_name(stem)),
            _ => Err(Failure::usage(
                "--output",
                "the input has no name to derive one from",
                "add --output FILE",
            )),
        }
    }

    /// Checks that the artifact would not replace a file that it is made from.
    fn check_output(&self, output: &Path, parsed: &Parsed, vocabulary: &Vocabulary) -> Result<(), Failure> {
        let of_vocabulary = vocabulary.resolved().files();
        let imported = parsed.imported_files.iter().chain(&of_vocabulary).map(PathBuf::as_path);
        Ok(output::check_distinct(output, self.grammar.files().chain(imported))?)
    }
}

/// The stem with the extension of artifacts, without `.schema` in front of it. Names need not be UTF-8.
fn artifact_name(stem: &OsStr) -> PathBuf {
    let path = Path::new(stem);
    let is_schema = path.extension() == Some(OsStr::new("schema"));
    let mut name = path.file_stem().filter(|_| is_schema).unwrap_or(stem).to_owned();
    name.push(".gcg");
    name.into()
}

fn write_output(path: &Path, bytes: &[u8], shell: &Shell) -> Result<(), Failure> {
    match path.as_os_str() == "-" {
        true => shell.write_binary(bytes),
        false => Ok(output::write(path, bytes)?),
    }
}
