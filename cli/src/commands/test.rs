//! `gcc-grammar test`: tests a schema or grammar with the texts in its folders `accept/` and `reject/`.

use crate::arguments::{FormatArguments, FrontEndArguments, LimitArguments, VocabularyArguments};
use crate::failure::{Exit, Failure};
use crate::render::tests::{junit, tests_json, tests_text};
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::text::chomp;
use gcc_grammar::{
    Artifact, Error, Notation, Options, Packing, Parsed, Session, Source, Stuck, Tracer, Vocabulary,
    compile_parsed, output, parse, parse_for, read_output,
};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder with the schema or grammar, and with the folders accept/ and reject/ of texts, of at most 4 MiB each
    #[arg(id = "tests", value_name = "FOLDER")]
    folder: PathBuf,
    /// The file of the schema or grammar [default: the only one in the folder]
    #[arg(value_name = "INPUT")]
    input: Option<PathBuf>,
    /// Drop the line break at the end of each text
    #[arg(long)]
    chomp: bool,
    /// Write a report in the format of JUnit, which CI services show; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArguments,
    #[command(flatten)]
    front_end: FrontEndArguments,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    vocabulary: VocabularyArguments,
}

/// What the grammar should do with a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    Accept,
    Reject,
}

impl Expected {
    /// The name of the folder.
    pub(crate) const fn folder(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reject => "reject",
        }
    }
}

/// What the grammar does with a text.
pub(crate) enum Verdict {
    Accepted,
    /// Refused after this number of bytes, which are all if the text ends too early.
    Refused {
        at: usize,
        ends_too_early: bool,
        /// What the grammar expects there, by name, as far as it is known.
        expected: Vec<String>,
    },
    /// It is not known, because of this.
    Unknown(String),
}

/// A text with what became of it.
pub(crate) struct Case {
    pub(crate) expected: Expected,
    /// The name of the file.
    pub(crate) name: String,
    pub(crate) text: Vec<u8>,
    pub(crate) verdict: Verdict,
}

impl Case {
    /// Whether the grammar does what it should.
    pub(crate) fn passes(&self) -> bool {
        matches!(
            (self.expected, &self.verdict),
            (Expected::Accept, Verdict::Accepted) | (Expected::Reject, Verdict::Refused { .. })
        )
    }
}

/// Reads all texts, and shows the failing ones.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    if shell.json && arguments.junit.as_deref().is_some_and(gcc_grammar::is_stdin) {
        let message = "the standard output cannot take both reports";
        return Err(Failure::usage("--junit", message, "give --junit a file"));
    }
    let options = Options { limits: arguments.limits.options(), ..arguments.front_end.options()? };
    let source = arguments.front_end.read(&arguments.input()?, arguments.format.format)?;
    let files = [files(&arguments.folder, Expected::Accept)?, files(&arguments.folder, Expected::Reject)?];
    let files = files.concat();
    if files.is_empty() {
        let name = arguments.folder.display().to_string();
        return Err(Failure::usage(
            &name,
            "there are no texts in accept/ and reject/",
            "put a text into one",
        ));
    }
    let judge = Judge::new(arguments, &source, &options, shell)?;
    let mut reader = judge.reader(&options)?;
    let mut cases = Vec::with_capacity(files.len());
    for (expected, path) in files {
        let mut text = read_output(&path)?;
        if arguments.chomp {
            chomp(&mut text);
        }
        let verdict = reader.verdict(&text)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        cases.push(Case { expected, name, text, verdict });
    }
    let name = source.text().name.clone();
    show(arguments, &name, &cases, shell)?;
    Ok(if cases.iter().all(Case::passes) { Exit::Done } else { Exit::Refused })
}

fn show(arguments: &Arguments, name: &str, cases: &[Case], shell: &Shell) -> Result<(), Failure> {
    match arguments.junit.as_deref() {
        Some(file) if gcc_grammar::is_stdin(file) => {
            return shell.write_binary(junit(name, cases).as_bytes());
        }
        Some(file) => output::write(file, junit(name, cases).as_bytes())?,
        None => {}
    }
    shell.write(|| tests_text(cases), || tests_json(name, cases)).map(drop)
}

impl Arguments {
    /// The file of the schema or grammar.
    fn input(&self) -> Result<PathBuf, Failure> {
        if let Some(input) = &self.input {
            return Ok(input.clone());
        }
        let is_grammar = |path: &PathBuf| Notation::of_path(path).is_some() && path.is_file();
        let mut found: Vec<PathBuf> = entries(&self.folder)?.into_iter().filter(is_grammar).collect();
        match (found.pop(), found.len()) {
            (Some(only), 0) => Ok(only),
            (None, _) => Err(self.no_input("no file in it is a schema or grammar")),
            (Some(_), _) => Err(self.no_input("several files in it are schemas or grammars")),
        }
    }

    fn no_input(&self, message: &str) -> Failure {
        Failure::usage(&self.folder.display().to_string(), message, "name the file after the folder")
    }
}

/// The entries of a folder, by name. Hidden ones are left out.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = |error| Error::io(folder, "cannot be read", error);
    let mut paths = BTreeSet::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        paths.insert(entry.map_err(failed)?.path());
    }
    let is_shown = |path: &PathBuf| {
        !path.file_name().map(OsStr::as_encoded_bytes).is_some_and(|name| name.starts_with(b"."))
    };
    Ok(paths.into_iter().filter(is_shown).collect())
}

/// The texts in one of the folders, which need not exist.
fn files(folder: &Path, expected: Expected) -> Result<Vec<(Expected, PathBuf)>, Error> {
    let folder = folder.join(expected.folder());
    let paths = if folder.exists() { entries(&folder)? } else { Vec::new() };
    Ok(paths.into_iter().map(|path| (expected, path)).collect())
}

/// What reads the texts.
enum Judge {
    /// The parser, byte by byte.
    Bytes(Box<Parsed>),
    /// The masks of a vocabulary, token by token. The names of special tokens are these tokens.
    Tokens(Session),
}

impl Judge {
    fn new(
        arguments: &Arguments,
        source: &Source,
        options: &Options,
        shell: &Shell,
    ) -> Result<Self, Failure> {
        let vocabulary = arguments.vocabulary.is_named().then(|| arguments.vocabulary.load()).transpose()?;
        let parsed = match &vocabulary {
            Some(vocabulary) => parse_for(source, vocabulary, options)?,
            None => parse(source, options)?,
        };
        shell.warn(&parsed.warnings, &parsed.text);
        let Some(vocabulary) = vocabulary else { return Ok(Self::Bytes(parsed.into())) };
        Ok(Self::Tokens(Session::new(compiled(&parsed, &vocabulary, options)?, &vocabulary)?))
    }

    fn reader(&self, options: &Options) -> Result<Reader<'_>, Failure> {
        Ok(match self {
            Self::Bytes(parsed) => Reader::Bytes(Tracer::new(parsed, options)?.into()),
            Self::Tokens(session) => Reader::Tokens(session),
        })
    }
}

fn compiled(parsed: &Parsed, vocabulary: &Vocabulary, options: &Options) -> Result<Artifact, Error> {
    Ok(compile_parsed(parsed, vocabulary, options, Packing::Referenced, &mut ())?.artifact)
}

enum Reader<'j> {
    Bytes(Box<Tracer<'j>>),
    Tokens(&'j Session),
}

impl Reader<'_> {
    fn verdict(&mut self, text: &[u8]) -> Result<Verdict, Failure> {
        match self {
            Self::Bytes(tracer) => by_bytes(tracer, text),
            Self::Tokens(session) => by_tokens(session, text),
        }
    }
}

fn by_bytes(tracer: &Tracer<'_>, text: &[u8]) -> Result<Verdict, Failure> {
    let trace = match tracer.trace(text) {
        Ok(trace) => trace,
        Err(error) => return Ok(Verdict::Unknown(error.to_string())),
    };
    if trace.gave_up {
        return Ok(Verdict::Unknown("there are too many ways to read this text".to_owned()));
    }
    let expected: BTreeSet<String> =
        trace.stuck.into_iter().flat_map(|Stuck { expected, .. }| expected).collect();
    Ok(match trace.is_accepted {
        true => Verdict::Accepted,
        false => Verdict::Refused {
            at: trace.read,
            ends_too_early: trace.read == text.len(),
            expected: expected.into_iter().collect(),
        },
    })
}

fn by_tokens(session: &Session, text: &[u8]) -> Result<Verdict, Failure> {
    let cut = session.vocabulary().tokenize(text, true)?;
    let mut matcher = session.matcher_with_rollback(1)?;
    let mut at = 0;
    for token in cut.ids {
        match matcher.commit(token) {
            Ok(()) => at += session.vocabulary().text_of(&[token]).len(),
            Err(gcc_grammar::MatchError::Refused) => {
                return Ok(Verdict::Refused { at, ends_too_early: false, expected: Vec::new() });
            }
            Err(error) => return Ok(Verdict::Unknown(error.to_string())),
        }
    }
    Ok(match matcher.is_accepting()? || matcher.is_terminated() {
        true => Verdict::Accepted,
        false => Verdict::Refused { at, ends_too_early: true, expected: Vec::new() },
    })
}
