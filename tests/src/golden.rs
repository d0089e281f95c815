//! The golden list of artifacts: the SHA-256 of what the compiler makes of known inputs.
//!
//! In: the bundled grammars, the files in `examples/`, seeds of the fuzz targets in every notation, tools in the syntax of every family, and
//! every 59th case of MaskBench (development part), each for the vocabularies of [`VOCABULARIES`], and the grammars of [`SLOW`] for the
//! vocabulary of single bytes. Out: a [`List`] that is compared with `golden/artifacts.sha256`. The same input must
//! give the same bytes, so a difference is either a mistake or a change on purpose. After a change on purpose the list is
//! written anew by `cargo run --release -p gcc-grammar-tests --bin golden -- --update`, and the change of the list is
//! committed together with its cause.
//!
//! Inputs have labels: `grammar/NAME`, `examples/FILE`, `corpus/NOTATION/FILE`, `family/NAME`, `maskbench/FILE`. Artifacts store the version of the compiler, the
//! name of the vocabulary and the name of the file, so these belong to the bytes.

use crate::files::{entries, read, repository};
use gcc_grammar::vocabulary::Builtin;
use gcc_grammar::{ErrorKind, Notation, Options, Source, Vocabulary, bundled, compile, tools};
use serde::Deserialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The built-in vocabularies that inputs are compiled for.
pub const VOCABULARIES: [&str; 2] = ["llama3", "o200k"];

/// The vocabulary of the single bytes, for inputs that are compiled slowly for others.
pub const BYTES: &str = "bytes";

/// The distance of the cases of MaskBench, in the order of their names.
const STRIDE: usize = 59;
/// The number of cases of MaskBench.
const CASES: usize = 50;

/// The bundled grammars that take seconds in the test profile. Campaigns compile them.
pub const SLOW: [&str; 9] =
    ["c", "c-plain", "java", "javascript", "python", "sql", "sql-queries", "typescript", "yaml"];

/// An input of the compiler, with its label.
pub struct Input {
    /// The label in the list.
    pub label: String,
    /// The schema or grammar.
    pub source: Source,
    /// How it is compiled.
    pub options: Options,
}

impl Input {
    fn new(label: String, source: Source) -> Self {
        Self { label, source, options: Options::default() }
    }

    /// Whether it takes seconds in the test profile, for vocabularies of models.
    #[must_use]
    pub fn is_slow(&self) -> bool {
        self.label.strip_prefix("grammar/").is_some_and(|name| SLOW.contains(&name))
    }
}

/// The bundled grammars and the examples.
///
/// # Panics
/// If an example cannot be read.
#[must_use]
pub fn inputs() -> Vec<Input> {
    let bundled = bundled::ALL.iter().map(|grammar| {
        let source = Source::bundled(grammar.name).expect("a bundled grammar");
        Input::new(format!("grammar/{}", grammar.name), source)
    });
    let files = entries(&repository().join("examples")).into_iter();
    // Definitions of tools are no grammar without a model.
    let is_grammar =
        |path: &PathBuf| Notation::of_path(path).is_some() && !name_of(path).ends_with(".tools.json");
    let examples = files.filter(is_grammar).map(|path| {
        let source = Source::file(&path, None).unwrap_or_else(|error| panic!("{error}"));
        Input::new(format!("examples/{}", name_of(&path)), source)
    });
    bundled.chain(examples).collect()
}

/// The seeds of the fuzz targets, which have the names of notations; and tools for all families.
///
/// # Panics
/// If a file cannot be read.
#[must_use]
pub fn notation_inputs() -> Vec<Input> {
    let seeds = Notation::ALL.iter().flat_map(|&notation| {
        let folder = repository().join("fuzz/corpus").join(notation.as_str());
        let files = if folder.exists() { entries(&folder) } else { Vec::new() };
        files.into_iter().map(move |path| {
            let label = format!("corpus/{}/{}", notation.as_str(), name_of(&path));
            Input::new(label, Source::named(notation, name_of(&path), read(&path)))
        })
    });
    let tools = read(&repository().join("examples/weather.tools.json"));
    let families = tools::families().iter().map(|family| {
        let source = Source::named(Notation::Tools, "weather.tools.json", tools.as_str());
        let model = serde_json::json!({ "model": family.name });
        let options = Options::from_json(&model.to_string()).unwrap_or_else(|error| panic!("{error}"));
        Input { label: format!("family/{}", family.name), source, options }
    });
    seeds.chain(families).collect()
}

/// The schemas of some cases of MaskBench. `folder` has a file for each case.
///
/// # Panics
/// If a case cannot be read.
#[must_use]
pub fn maskbench_inputs(folder: &Path) -> Vec<Input> {
    /// A case, of which only the schema matters here.
    #[derive(Deserialize)]
    struct Case<'a> {
        #[serde(borrow)]
        schema: &'a RawValue,
    }
    let input = |path: &PathBuf| {
        let (name, text) = (name_of(path), read(path));
        let case: Case<'_> =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let source = Source::named(Notation::JsonSchema, &name, case.schema.get());
        Input::new(format!("maskbench/{name}"), source)
    };
    entries(folder).iter().step_by(STRIDE).take(CASES).map(input).collect()
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The vocabulary of an entry of the list.
///
/// # Panics
/// If there is no vocabulary of this name.
#[must_use]
pub fn vocabulary(name: &str) -> Vocabulary {
    if name == BYTES {
        return Vocabulary::from_tokens(BYTES, (0..=u8::MAX).map(|byte| [byte])).expect("valid");
    }
    let builtin = Builtin::find(name).unwrap_or_else(|| panic!("{name} is not built in"));
    let tokens = builtin.contents().into_vocabulary().expect("built-in vocabularies are valid");
    Vocabulary::from_artifact(name, &tokens.to_artifact(), PathBuf::new())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The SHA-256 of the artifact in hexadecimal digits, or the kind of the error if the input is refused.
///
/// # Panics
/// If the input cannot be read.
#[must_use]
pub fn digest(input: &Input, vocabulary: &Vocabulary) -> String {
    match compile(&input.source, vocabulary, &input.options) {
        Ok(artifact) => Sha256::digest(artifact.bytes()).iter().map(|byte| format!("{byte:02x}")).collect(),
        Err(error) => match error.kind() {
            ErrorKind::Refused => "refused".to_owned(),
            ErrorKind::OverBudget => "over-budget".to_owned(),
            _ => panic!("{error}"),
        },
    }
}

/// Digests by vocabulary and label. As text it has a line `DIGEST  VOCABULARY  LABEL` for each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct List(pub BTreeMap<(String, String), String>);

impl List {
    /// The file of the list.
    #[must_use]
    pub fn path() -> PathBuf {
        repository().join("tests/golden/artifacts.sha256")
    }

    /// Reads the list of the repository.
    ///
    /// # Panics
    /// If the file cannot be read, or a line has not three words.
    #[must_use]
    pub fn load() -> Self {
        let entry = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [digest, vocabulary, label] = words[..] else { panic!("not an entry of the list: {line:?}") };
            ((vocabulary.to_owned(), label.to_owned()), digest.to_owned())
        };
        Self(read(&Self::path()).lines().map(entry).collect())
    }

    /// The digest of an input for a vocabulary.
    #[must_use]
    pub fn get(&self, vocabulary: &str, label: &str) -> Option<&str> {
        self.0.get(&(vocabulary.to_owned(), label.to_owned())).map(String::as_str)
    }

    /// The list as text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let line = |((vocabulary, label), digest): (&(String, String), &String)| {
            format!("{digest}  {vocabulary}  {label}\n")
        };
        self.0.iter().map(line).collect()
    }
}
