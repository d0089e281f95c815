//! The input of a compilation: a schema or grammar as text, its notation, and its name.

use crate::error::{Error, ErrorKind, SourceText};
use crate::metadata::Import;
use crate::sources::json_lines;
use crate::suggest::Kind;
use gcc_grammar_files::{ReadError, read_within};
use gcc_grammar_ir::{Code, Diagnostic, Location};
use gcc_grammar_json_schema::any_object;
use gcc_grammar_notations::foreign;
use gcc_grammar_notations::notation::Notation;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Longer inputs are refused, in bytes.
const MAX_INPUT_BYTES: u64 = 1 << 28;
/// Longer texts to parse are refused, in bytes: schemas, grammars, and documents that they refer to.
const MAX_SOURCE_BYTES: u64 = 1 << 26;

/// Longer texts of outputs are refused, in bytes. To cut a text into tokens takes some hundred bytes for each of its own.
const MAX_OUTPUT_BYTES: u64 = 1 << 22;

/// A schema or grammar to compile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The text, with the name that diagnostics show.
    pub(crate) text: SourceText,
    pub(crate) notation: Notation,
    /// The folder that relative imports start from; none if the source may import no files.
    pub(crate) folder: Option<PathBuf>,
    /// The alternatives, if they were not read from lines of a text.
    pub(crate) choices: Option<Vec<String>>,
    /// The files that it imports, by the names of its imports, if they are not looked for.
    pub(crate) imports: Vec<Import>,
}

/// Sources from texts.
impl Source {
    /// A text in a notation.
    #[must_use]
    pub fn new(notation: Notation, text: impl Into<String>) -> Self {
        Self::named(notation, format!("<{notation}>"), text)
    }

    /// A text in a notation, with the name that diagnostics show and the artifact stores.
    #[must_use]
    pub fn named(notation: Notation, name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = SourceText { name: name.into(), text: text.into() };
        Self { text, notation, folder: Some(PathBuf::new()), choices: None, imports: Vec::new() }
    }

    /// The same source under another name.
    fn called(self, name: String) -> Self {
        Self { text: SourceText { name, ..self.text }, ..self }
    }

    /// The same source, which may import bundled grammars, but no files: somebody else wrote it.
    #[must_use]
    pub fn without_files(self) -> Self {
        Self { folder: None, ..self }
    }

    /// The same source, which may import these files, and no others but bundled grammars.
    pub(crate) fn with_imports(self, imports: Vec<Import>) -> Self {
        Self { imports, ..self.without_files() }
    }

    /// The same source with these alternatives, if they are not the lines of its text.
    pub(crate) fn with_choices(self, choices: Option<Vec<String>>) -> Self {
        Self { choices, ..self }
    }

    /// A JSON Schema.
    #[must_use]
    pub fn json_schema(text: impl Into<String>) -> Self {
        Self::new(Notation::JsonSchema, text)
    }

    /// Any JSON object, in which objects and arrays nest at most `max_depth` levels deep if that is given.
    #[must_use]
    pub fn json_object(max_depth: Option<u32>) -> Self {
        Self::named(Notation::JsonSchema, "--json-object", any_object::schema(max_depth))
    }

    /// A Lark grammar.
    #[must_use]
    pub fn lark(text: impl Into<String>) -> Self {
        Self::new(Notation::Lark, text)
    }

    /// A grammar in the notation of llama.cpp.
    #[must_use]
    pub fn gbnf(text: impl Into<String>) -> Self {
        Self::new(Notation::Gbnf, text)
    }

    /// A grammar in the notation of XGrammar.
    #[must_use]
    pub fn ebnf(text: impl Into<String>) -> Self {
        Self::new(Notation::Ebnf, text)
    }

    /// A regular expression that the whole text must match.
    #[must_use]
    pub fn regex(pattern: impl Into<String>) -> Self {
        Self::named(Notation::Regex, "--regex", pattern)
    }

    /// A regular expression of Python's `re` that the whole text must match (`re.fullmatch`), with flag letters out of `aimsx`. The source is the same
    /// one as a [regular expression](Self::regex).
    ///
    /// # Errors
    /// The pattern is not one of Python, or has conditionals or back-references.
    pub fn python_regex(pattern: &str, flags: &str) -> Result<Self, Error> {
        let translated = gcc_grammar_notations::lark::python_pattern(pattern, flags);
        translated.map(Self::regex).map_err(|error| Error::refused(vec![error], &Self::regex(pattern).text))
    }

    /// One of these texts.
    #[must_use]
    pub fn choices<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        let choices: Vec<String> = texts.into_iter().map(Into::into).collect();
        let source = Self::named(Notation::Choices, "--choice", choices.join("\n"));
        Self { choices: Some(choices), ..source }
    }

    /// Structural tags, in JSON.
    #[must_use]
    pub fn structural_tag(text: impl Into<String>) -> Self {
        Self::new(Notation::StructuralTag, text)
    }

    /// Definitions of tools, in JSON: a list of tools as OpenAI, Anthropic or the Model Context Protocol describe them. The options name
    /// the model that calls them.
    #[must_use]
    pub fn tools(text: impl Into<String>) -> Self {
        Self::new(Notation::Tools, text)
    }

    /// The bundled grammar of this name; none if there is no such grammar.
    #[must_use]
    pub fn bundled(name: &str) -> Option<Self> {
        let bundled = gcc_grammar_bundled::find(name)?;
        Some(Self::named(Notation::Lark, format!("{}.lark", bundled.name), bundled.text))
    }

    /// Reads a file; `-` is the standard input. Without a notation the file's extension decides.
    ///
    /// # Errors
    /// The file cannot be read, is too long or not UTF-8, or its extension is not known.
    pub fn file(path: &Path, notation: Option<Notation>) -> Result<Self, Error> {
        if notation.is_none() && Notation::of_path(path).is_none() {
            return Err(unknown_extension(path));
        }
        let text = read_source(path)?;
        let detected = || Notation::of_file(path, &text.text).ok_or_else(|| unknown_extension(path));
        let notation = notation.map_or_else(detected, Ok)?;
        let folder = Some(path.parent().unwrap_or(Path::new("")).to_owned());
        if json_lines::is_list(path, notation) {
            let choices = json_lines::choices(&text)?;
            return Ok(Self { folder, ..Self::choices(choices).called(text.name) });
        }
        let text = SourceText { text: notation.content(&text.text).to_owned(), ..text };
        Ok(Self { folder, text, notation, choices: None, imports: Vec::new() })
    }
}

impl Source {
    /// The text with its name, for diagnostics.
    #[must_use]
    pub fn text(&self) -> &SourceText {
        &self.text
    }

    /// Whether the notation has literals, which may contain the texts of special tokens.
    #[must_use]
    pub fn has_literals(&self) -> bool {
        !matches!(self.notation, Notation::JsonSchema | Notation::Regex)
    }

    /// Whether the notation has rules with names.
    #[must_use]
    pub fn has_rules(&self) -> bool {
        !matches!(
            self.notation,
            Notation::JsonSchema
                | Notation::Regex
                | Notation::Choices
                | Notation::StructuralTag
                | Notation::Tools
        )
    }

    /// The notation of the text.
    #[must_use]
    pub fn notation(&self) -> Notation {
        self.notation
    }
}

fn unknown_extension(path: &Path) -> Error {
    if let Some(foreign) = foreign::of_path(path) {
        return Error::new(ErrorKind::NotFound, path.display().to_string(), foreign::refused(foreign));
    }
    let name = name(path);
    if is_stdin(path) {
        return unknown_notation(name);
    }
    if !path.exists() {
        return Error::read(&name, ReadError::Io(io::ErrorKind::NotFound.into()));
    }
    let (message, help) = match Kind::of(path) {
        Some(Kind::Folder) => ("this is a folder", "name the file of a schema or grammar in it"),
        Some(Kind::Compiled) => (
            "this is compiled already",
            "`gcc-grammar inspect` shows what it was made from; mask, replay and generate use it",
        ),
        Some(Kind::Pack) => (
            "this is a pack of artifacts",
            "name it with --store, and give the key of an artifact to mask, replay or generate",
        ),
        _ => return unknown_notation(name),
    };
    Error::new(ErrorKind::NotFound, name, Diagnostic::error(Code::Usage, message).help(help))
}

/// The error that nothing tells the notation of a file.
fn unknown_notation(name: String) -> Error {
    let notations: Vec<&str> = Notation::ALL.iter().map(|notation| notation.as_str()).collect();
    let diagnostic = Diagnostic::error(Code::Usage, "the extension does not say what this is")
        .help(format!("add --format with one of {}", notations.join(", ")));
    Error::new(ErrorKind::NotFound, name, diagnostic)
}

/// Reads a text file, or the standard input for `-`. A byte order mark at its beginning is the signature of its encoding, and is not part of the text.
///
/// # Errors
/// The file cannot be read, is no regular file, is longer than 64 MiB, or is not UTF-8.
pub fn read_source(path: &Path) -> Result<SourceText, Error> {
    let bytes = read_input(path, MAX_SOURCE_BYTES)?;
    let name = name(path);
    let unsigned = |text: String| match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    };
    let text = String::from_utf8(bytes).map(unsigned);
    text.map(|text| SourceText { name: name.clone(), text }).map_err(|error| {
        let offset = error.utf8_error().valid_up_to() as u64;
        let diagnostic = Diagnostic::error(Code::NotUtf8, "the text is not valid UTF-8")
            .at(Location::Offset(offset))
            .help("save it as UTF-8");
        Error::new(ErrorKind::Refused, name, diagnostic)
    })
}

/// Reads a file, or the standard input for `-`.
///
/// # Errors
/// The file cannot be read, is no regular file, or is longer than 256 MiB.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    read_input(path, MAX_INPUT_BYTES)
}

/// Reads the text of an output, or the standard input for `-`.
///
/// # Errors
/// The file cannot be read, is no regular file, or is longer than 4 MiB.
pub fn read_output(path: &Path) -> Result<Vec<u8>, Error> {
    read_input(path, MAX_OUTPUT_BYTES)
}

fn read_input(path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
    let bytes = if is_stdin(path) { read_stdin(limit) } else { read_within(path, limit) };
    bytes.map_err(|error| Error::read(&name(path), error))
}

fn read_stdin(limit: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(ReadError::TooLarge { limit }) } else { Ok(bytes) }
}

/// The name of an input in messages.
fn name(path: &Path) -> String {
    if is_stdin(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// Whether a path means the standard input.
#[must_use]
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == OsStr::new("-")
}
