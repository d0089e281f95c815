//! A grammar compiled for a built-in vocabulary.

use gcc_grammar_artifact::{Fingerprint, Fingerprints, GrammarView};
use gcc_grammar_bundled::WithBundled;
use gcc_grammar_compiler::{CompileError, Limits, Options, Stats, compile};
use gcc_grammar_ir::Grammar;
use gcc_grammar_ir::diagnostic::render_text;
use gcc_grammar_notations::lark::{self, Directories};
use gcc_grammar_runtime::{TokenId, Tokens};
use gcc_grammar_vocabulary::{Builtin, Overrides, Registry, Resolved};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

/// An artifact, and what it took to make it.
pub struct Language {
    /// The file.
    pub artifact: Vec<u8>,
    /// The vocabulary it is for.
    pub vocabulary: TokenBytes,
    /// Front end and compiler.
    pub compile_time: Duration,
    /// The most memory this process has used so far, where the system tells.
    pub peak_bytes: Option<usize>,
    /// Sizes of the stages.
    pub stats: Stats,
}

/// A vocabulary as the runtime takes it.
pub struct TokenBytes(pub Resolved);

impl TokenBytes {
    /// A built-in vocabulary. The error is for people.
    pub fn built_in(name: &str) -> Result<Self, String> {
        let builtin = Builtin::find(name).ok_or_else(|| format!("no such vocabulary: {name}"))?;
        Self::named(builtin.name)
    }

    /// A built-in vocabulary, or a tokenizer file. The error is for people.
    pub fn named(name: &str) -> Result<Self, String> {
        let registry = Registry::new(env::temp_dir().join("gcc-grammar-benches"));
        registry.resolve(name, &Overrides::default()).map(Self).map_err(|error| error.to_string())
    }

    /// A grammar's artifact for this vocabulary, without metadata, and the sizes of the stages.
    pub fn compile(&self, grammar: &Grammar, options: &Options) -> Result<(Vec<u8>, Stats), CompileError> {
        let compiled = compile(grammar, &self.0.vocabulary, options, &mut ())?;
        let fingerprints = Fingerprints { vocabulary: self.fingerprint(), ..Fingerprints::default() };
        Ok((compiled.tables.write(fingerprints, Vec::new()), compiled.stats))
    }
}

impl Tokens for TokenBytes {
    fn bytes(&self, token: TokenId) -> Option<&[u8]> {
        self.0.vocabulary.bytes(token.0)
    }

    fn fingerprint(&self) -> Fingerprint {
        self.0.vocabulary.fingerprint()
    }
}

impl Language {
    /// Compiles a bundled grammar, or a Lark file, for a built-in vocabulary, within ten times the default limits. The error is for people.
    pub fn compile(grammar: &str, vocabulary: &str) -> Result<Self, String> {
        let vocabulary = TokenBytes::built_in(vocabulary)?;
        let start = Instant::now();
        let parsed = parse(grammar)?;
        let options = Options::from(Limits { work: 20_000_000_000, bytes: 8 << 30, ..Limits::default() });
        let (artifact, stats) =
            vocabulary.compile(&parsed.grammar, &options).map_err(|error| format!("{error:?}"))?;
        let compile_time = start.elapsed();
        Ok(Self { artifact, vocabulary, compile_time, peak_bytes: peak(), stats })
    }

    /// The artifact, validated.
    ///
    /// # Panics
    /// Never: it was just written.
    #[must_use]
    pub fn grammar(&self) -> GrammarView<'_> {
        GrammarView::open(&self.artifact).expect("the artifact just written opens")
    }
}

/// A bundled grammar, or a Lark file. The error is for people.
pub fn parse(grammar: &str) -> Result<lark::Parsed, String> {
    let (text, base) = source(grammar)?;
    let sources = WithBundled(Directories { base, search: Vec::new() });
    let options = lark::Options { sources: &sources, ..lark::Options::default() };
    lark::parse_with(&text, &options).map_err(|errors| {
        errors.iter().map(|error| render_text(error, grammar, &text, false)).collect::<String>()
    })
}

/// The text of a bundled grammar or a file, and where its imports are looked for.
fn source(grammar: &str) -> Result<(String, PathBuf), String> {
    if let Some(bundled) = gcc_grammar_bundled::find(grammar) {
        return Ok((bundled.text.to_owned(), PathBuf::new()));
    }
    let text = fs::read_to_string(grammar).map_err(|error| format!("{grammar}: {error}"))?;
    Ok((text, Path::new(grammar).parent().unwrap_or(Path::new("")).to_owned()))
}

/// The files in these folders, sorted. The error is for people.
pub fn files(folders: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for folder in folders {
        collect(folder, &mut files).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    files.sort();
    Ok(files)
}

/// The files in a folder, or the file itself.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if path.is_file() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        collect(&entry?.path(), files)?;
    }
    Ok(())
}

/// Linux tells; see proc(5).
fn peak() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? * 1024)
}
