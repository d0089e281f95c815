//! Compiles a grammar for a vocabulary, and measures the time and the memory that this takes.
//!
//! The time covers the front end, the compiler and writing the artifact. The analyses that look for warnings and the metadata are left
//! out. The vocabulary is loaded before.

use crate::Result;
use gcc_grammar::vocabulary::{Overrides, registry};
use gcc_grammar::{Limits, Options, Parsed, Session, Source, Stats, Vocabulary, parse};
use gcc_grammar_compiler::compile;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs};

/// Ten times the default limits on work and memory, for programming languages and large schemas.
#[must_use]
pub fn large_limits() -> Limits {
    Limits { work: 20_000_000_000, bytes: 8 << 30, ..Limits::default() }
}

/// A compiled grammar with its vocabulary, and what compiling cost.
pub struct Language {
    /// The artifact with its vocabulary.
    pub session: Session,
    /// The time of the front end and the compiler.
    pub compile_time: Duration,
    /// The most memory that this process has used so far, on Linux.
    pub peak_bytes: Option<usize>,
    /// The sizes of the stages.
    pub stats: Stats,
}

impl Language {
    /// Compiles a bundled grammar or a grammar file within [`large_limits`].
    ///
    /// # Errors
    /// The grammar or the vocabulary is not found, or the grammar is refused.
    pub fn compile(grammar: &str, vocabulary: &str) -> Result<Self> {
        let vocabulary = load_vocabulary(vocabulary)?;
        let start = Instant::now();
        let parsed = parse_source(&find_source(grammar)?)?;
        let compiled = compile(&parsed.grammar, vocabulary.tokens(), &large_limits().into(), &mut ())?;
        let artifact = compiled.to_artifact(vocabulary.tokens());
        let (compile_time, peak_bytes) = (start.elapsed(), peak());
        let session = Session::from_bytes(grammar, artifact, &vocabulary)?;
        Ok(Self { session, compile_time, peak_bytes, stats: compiled.stats })
    }
}

/// Loads a built-in vocabulary or a tokenizer file.
///
/// # Errors
/// The name is unknown, or the file is no usable tokenizer.
pub fn load_vocabulary(name: &str) -> Result<Vocabulary> {
    let registry = registry(Some(env::temp_dir().join("gcc-grammar-benches")));
    Ok(Vocabulary::load_from(&registry, name, &Overrides::default())?)
}

/// Finds a bundled grammar or a grammar file.
///
/// # Errors
/// The file cannot be read, or its extension is not known.
pub fn find_source(grammar: &str) -> Result<Source> {
    Ok(Source::bundled(grammar).map_or_else(|| Source::file(Path::new(grammar), None), Ok)?)
}

/// Parses a source with default options. The error has all diagnostics.
///
/// # Errors
/// The source is refused.
pub fn parse_source(source: &Source) -> Result<Parsed> {
    Ok(parse(source, &Options::default()).map_err(|error| error.render())?)
}

/// The most memory that this process has used so far: the field `VmHWM` of `/proc/self/status` in bytes; see proc(5).
#[must_use]
pub fn peak() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? * 1024)
}
