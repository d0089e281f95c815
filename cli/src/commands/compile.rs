//! `gcc-grammar compile`: compiles a schema or grammar for a vocabulary, writes the artifact, and shows a summary.

use crate::arguments::{
    BudgetArguments, GrammarArguments, LimitArguments, SignArguments, StoreArguments, StrictArguments,
    VocabularyArguments, warn_if_not_kept,
};
use crate::failure::{Exit, Failure};
use crate::progress::Progress;
use crate::render::summary::{Summary, show_found};
use crate::shell::Shell;
use clap::{Args, ValueEnum};
use gcc_grammar::Seal;
use gcc_grammar::seal::{comment, path_of};
use gcc_grammar::{
    Artifact, Compilation, Diagnostic, Error, Key, Observer, Options, Packing, Parsed, Source, Vocabulary,
    artifact, artifact_key, compile_parsed, output, parse, parse_for, parse_for_any,
};
use gcc_grammar_store::{Origin, Place, Store};
use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::thread;

/// The level of compression: slow, and close to the best.
const ZSTD_LEVEL: i32 = 19;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The file of the artifact; `-` is the standard output [default: the name of the input or of the bundled grammar, with the extension .gcg, in the current folder; with --store, none]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Put the tokens of the vocabulary into the artifact, so that decoding needs no other file
    #[arg(long)]
    self_contained: bool,
    /// Show the sizes and the times of all stages
    #[arg(long, short)]
    verbose: bool,
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
    store: StoreArguments,
    #[command(flatten)]
    sign: SignArguments,
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
    let seal = arguments.store.seal_with(&arguments.sign)?;
    let store = arguments.store.open_sealed(&seal)?;
    arguments.store.expect_store_to_trust()?;
    let output = arguments.output(store.is_some())?;
    if output.as_deref().is_some_and(is_stdout) {
        expect_artifact_output(shell)?;
    }
    let mut progress = Progress::new(shell);
    let (input, vocabulary) = arguments.read(shell, &mut progress)?;
    if let Some(output) = &output {
        arguments.check_output(output, &input.parsed, &vocabulary)?;
    }
    progress.suspend(|| warn_if_not_kept(&vocabulary, shell));
    let made = match &store {
        None => Made::Compiled(input.compile(&vocabulary, &mut progress)?.into()),
        Some(store) => input.find_or_compile(store, &vocabulary, &mut progress)?,
    };
    if let Made::Compiled(compilation) = &made {
        // Those of the front end were shown before.
        let is_new = |warning: &&Diagnostic| !input.parsed.warnings.contains(warning);
        let warnings: Vec<Diagnostic> = compilation.warnings.iter().filter(is_new).cloned().collect();
        progress.suspend(|| shell.warn(&warnings, &input.parsed.text));
    }
    let plain = made.artifact().bytes();
    let bytes = match arguments.compress {
        Some(Compression::Zstd) => Cow::Owned(artifact::compress(plain, ZSTD_LEVEL)),
        None => Cow::Borrowed(plain),
    };
    if let Some(output) = &output {
        write_signature(output, made.artifact(), &seal)?;
        write_output(output, &bytes, shell)?;
    }
    let stages = progress.finish();
    let place =
        || Ok::<_, Failure>(store.as_ref().map(|store| input.name_in(store, &vocabulary)).transpose()?);
    let output = match output {
        Some(output) => output,
        None => place()?.unwrap_or_default().into(),
    };
    let (parsed, written) = (&input.parsed, bytes.len());
    match &made {
        Made::Found(artifact) => show_found(&output, artifact, shell)?,
        Made::Compiled(compilation) => {
            let vocabulary = &vocabulary;
            let verbose = arguments.verbose;
            Summary { output: &output, parsed, vocabulary, compilation, written, stages, verbose }
                .show(shell)?;
        }
    }
    Ok(Exit::Done)
}

/// What is compiled.
struct Input {
    source: Source,
    parsed: Parsed,
    options: Options,
    packing: Packing,
}

/// An artifact that was compiled, or was in the store.
enum Made {
    Compiled(Box<Compilation>),
    Found(Artifact),
}

impl Made {
    fn artifact(&self) -> &Artifact {
        match self {
            Self::Compiled(compilation) => &compilation.artifact,
            Self::Found(artifact) => artifact,
        }
    }
}

impl Input {
    fn compile(&self, vocabulary: &Vocabulary, progress: &mut Progress) -> Result<Compilation, Error> {
        compile_parsed(&self.parsed, vocabulary, &self.options, self.packing, progress)
    }

    /// Takes the artifact from the store, or compiles it and puts it there.
    fn find_or_compile(
        &self,
        store: &Store,
        vocabulary: &Vocabulary,
        progress: &mut Progress,
    ) -> Result<Made, Error> {
        let mut compiled = None;
        let stored = store.get_or_make(&self.place(vocabulary)?, || {
            let compilation = compiled.insert(self.compile(vocabulary, progress)?);
            Artifact::from_bytes(compilation.artifact.name(), compilation.artifact.bytes().to_vec())
        })?;
        match compiled {
            Some(compilation) if stored.origin == Origin::Made => Ok(Made::Compiled(compilation.into())),
            _ => Ok(Made::Found(stored.artifact)),
        }
    }

    fn place(&self, vocabulary: &Vocabulary) -> Result<Place, Error> {
        let key: Key = artifact_key(&self.source, vocabulary, &self.options, self.packing)?;
        Ok(Place::new(key, vocabulary))
    }

    fn name_in(&self, store: &Store, vocabulary: &Vocabulary) -> Result<String, Error> {
        Ok(store.name_of(&self.place(vocabulary)?))
    }
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
    /// Reads and parses the input, and loads the vocabulary.
    fn read(&self, shell: &Shell, progress: &mut Progress) -> Result<(Input, Vocabulary), Failure> {
        let options = self.budgets.apply(self.strict.apply(self.grammar.options()?));
        let options = Options { limits: self.limits.options(), ..options };
        let source = self.grammar.source();
        // What has no literals does not depend on the vocabulary.
        let early = source.as_ref().ok().filter(|source| !source.has_literals());
        let (parsed, vocabulary) = thread::scope(|scope| {
            let vocabulary = scope.spawn(|| self.vocabulary.load());
            let parsed = early.map(|source| {
                progress.stage("front end");
                parse_for_any(source, &options)
            });
            progress.stage("vocabulary");
            (parsed, vocabulary.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        let source = source?;
        // Errors in the grammar are reported first.
        let parsed = parsed.unwrap_or_else(|| {
            progress.stage("front end");
            match &vocabulary {
                Ok(vocabulary) => parse_for(&source, vocabulary, &options),
                Err(_) => parse(&source, &options),
            }
        })?;
        progress.suspend(|| shell.warn(&parsed.warnings, &parsed.text));
        let packing = Packing::of(self.self_contained);
        Ok((Input { source, parsed, options, packing }, vocabulary?))
    }

    /// The path of the artifact; none if it goes to the store only.
    fn output(&self, has_store: bool) -> Result<Option<PathBuf>, Failure> {
        match (&self.output, self.grammar.stem()) {
            (Some(output), _) => Ok(Some(output.clone())),
            (None, _) if has_store => Ok(None),
            (None, Some(stem)) => Ok(Some(artifact_name(stem))),
            // The error about a folder says more than that it gives no name.
            _ if self.grammar.files().any(Path::is_dir) => self.grammar.source().map(|_| None),
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

fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Signs the expanded artifact, if there is a key and the artifact goes to a file.
fn write_signature(output: &Path, artifact: &Artifact, seal: &Seal) -> Result<(), Failure> {
    let key = Key(artifact.grammar()?.container().header().key);
    if let Some(signature) = seal.sign(artifact.bytes(), &comment(key))?.filter(|_| !is_stdout(output)) {
        output::write(&path_of(output), &signature)?;
    }
    Ok(())
}

fn write_output(path: &Path, bytes: &[u8], shell: &Shell) -> Result<(), Failure> {
    match is_stdout(path) {
        true => shell.write_binary(bytes),
        false => Ok(output::write(path, bytes)?),
    }
}
