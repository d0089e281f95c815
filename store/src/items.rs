//! The items of a batch: the lines of a list, or the files of a folder. They are read one after the other, and none is kept.
//!
//! A line is a JSON object: `{"id": …, "schema": …, "options": {…}}`, with `"grammar"` and `"format"`, or `"tools"`, or `"path"` and
//! perhaps `"format"`, instead of the schema. Of a folder, all files are items whose extension tells their notation, also those in folders below.

use gcc_grammar::tools::Families;
use gcc_grammar::{Error, ErrorKind, LimitOptions, Notation, Options, Source, is_stdin};
use gcc_grammar_artifact::container::checksum;
use gcc_grammar_files::{ReadError, open};
use gcc_grammar_ir::json::{Distinct, Members};
use gcc_grammar_ir::{Code, Diagnostic};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::fs::{self, ReadDir};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Longer lines are refused, in bytes.
const MAX_LINE_BYTES: u64 = 1 << 26;

/// The most bytes of a line beyond the others; a list with a longer one is not read any further: it may have no end.
const MAX_SKIPPED_BYTES: u64 = 1 << 28;

/// The name of the input of a request in diagnostics.
const REQUEST: &str = "request";
/// The option that names folders.
const IMPORT_FOLDERS: &str = "import_folders";

/// A part of a batch, so that several processes share one: an item belongs to the part that a hash of its line or path names. Equal
/// lines belong to the same part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    /// The only part.
    pub const ALL: Self = Self { index: 0, count: 1 };

    fn has(self, item: &[u8]) -> bool {
        checksum(item) % self.count == self.index
    }
}

impl FromStr for Shard {
    type Err = String;

    /// Reads `K/M`, where K is less than M.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(k, m)| Some((k.parse().ok()?, m.parse().ok()?)));
        match numbers {
            Some((index, count)) if index < count => Ok(Self { index, count }),
            _ => {
                Err("expected K/M, where M is the number of parts, and K a number from 0 to M - 1".to_owned())
            }
        }
    }
}

/// The options of all items.
#[derive(Clone, Debug, Default)]
pub struct Defaults {
    /// Options by name, as [`Options::from_json`] reads them. The options of an item go before them, name by name.
    pub options: Map<String, Value>,
    /// Families that the model of an item may name, beside those that its options describe.
    pub families: Families,
    /// Bounds that no item can exceed. Where none is given, here or among the options, the default bound of the item's source cannot be
    /// exceeded.
    pub limits: LimitOptions,
}

impl Defaults {
    /// An item of this source with options of its own. Of each of its limits and that of all items, the smaller one counts.
    fn item(&self, source: Source, own: Map<String, Value>) -> Result<Item, Error> {
        let mut options = self.with(own)?;
        options.tools.families.add_missing(&self.families);
        let limits = options.limits.least(self.limits()?.over(source.default_limits()).into());
        Ok(Item { source, options: Options { limits, ..options } })
    }

    /// The options of an item, with its own limits.
    fn with(&self, own: Map<String, Value>) -> Result<Options, Error> {
        let mut all = self.options.clone();
        all.extend(own);
        read_options(all)
    }

    /// The bounds that are given for all items: as bounds, or among the options.
    fn limits(&self) -> Result<LimitOptions, Error> {
        Ok(self.limits.least(read_options(self.options.clone())?.limits))
    }
}

fn read_options(options: Map<String, Value>) -> Result<Options, Error> {
    Options::from_json(&Value::Object(options).to_string())
}

/// The items of a list or a folder.
#[derive(Debug)]
pub struct Items {
    name: String,
    entries: Entries,
    shard: Shard,
    /// The folder that paths start from.
    base: Arc<Path>,
    total: Option<u64>,
    skipped: Arc<AtomicU64>,
}

#[derive(Debug)]
enum Entries {
    Lines(Lines),
    Files(Vec<ReadDir>),
    Ended,
}

/// An item that is not read yet.
#[derive(Debug)]
pub struct Entry {
    content: Content,
    base: Arc<Path>,
    /// The bytes of the list up to this item; 0 in a folder.
    pub end: u64,
}

#[derive(Debug)]
enum Content {
    Line {
        number: u64,
        text: Vec<u8>,
    },
    TooLong {
        number: u64,
    },
    /// From somebody who may not read files here.
    Request(Vec<u8>),
    /// A path below the folder.
    File(PathBuf),
}

/// An item: a source with its options.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) source: Source,
    pub(crate) options: Options,
}

impl Items {
    /// The items of a list in a file, of a list on the standard input (`-`), or of a folder.
    ///
    /// # Errors
    /// The list or the folder cannot be opened.
    pub fn open(path: &Path, shard: Shard) -> Result<Self, Error> {
        let name = if is_stdin(path) { "<stdin>".to_owned() } else { path.display().to_string() };
        let cannot = |error: io::Error| Error::read(&name, ReadError::Io(error));
        let (entries, base, total) = if is_stdin(path) {
            (Entries::Lines(Lines::new(Box::new(io::stdin()))), PathBuf::new(), None)
        } else if path.is_dir() {
            (Entries::Files(vec![fs::read_dir(path).map_err(cannot)?]), path.to_owned(), None)
        } else {
            let opened = open(path).map_err(cannot)?;
            let base = path.parent().unwrap_or(Path::new("")).to_owned();
            (Entries::Lines(Lines::new(Box::new(opened.file))), base, Some(opened.length))
        };
        Ok(Self { name, entries, shard, base: base.into(), total, skipped: Arc::default() })
    }

    /// The length of the list in bytes, if it is known.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        self.total
    }

    /// The number of files of the folder that are left out, because their extension tells no notation. It grows while the items are read.
    #[must_use]
    pub fn skipped(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.skipped)
    }

    fn next_content(&mut self) -> io::Result<Option<(Content, u64)>> {
        match &mut self.entries {
            Entries::Ended => Ok(None),
            Entries::Lines(lines) => Ok(lines.next()?.map(|content| (content, lines.end))),
            Entries::Files(folders) => {
                Ok(next_file(folders, &self.base, &self.skipped)?.map(|file| (Content::File(file), 0)))
            }
        }
    }
}

impl Iterator for Items {
    type Item = Result<Entry, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.next_content() {
                Ok(Some((content, end))) if content.is_in(self.shard) => {
                    return Some(Ok(Entry { content, base: Arc::clone(&self.base), end }));
                }
                Ok(Some(_)) => {}
                Ok(None) => return None,
                Err(error) => {
                    self.entries = Entries::Ended;
                    return Some(Err(Error::read(&self.name, ReadError::Io(error))));
                }
            }
        }
    }
}

impl Content {
    fn is_in(&self, shard: Shard) -> bool {
        match self {
            Self::Line { text, .. } => shard.has(text),
            // Nothing was read that could be hashed.
            Self::TooLong { number } => shard.has(&number.to_le_bytes()),
            Self::Request(text) => shard.has(text),
            Self::File(path) => shard.has(path.as_os_str().as_encoded_bytes()),
        }
    }
}

/// The next file whose extension tells its notation, as a path below `base`.
fn next_file(folders: &mut Vec<ReadDir>, base: &Path, skipped: &AtomicU64) -> io::Result<Option<PathBuf>> {
    while let Some(folder) = folders.last_mut() {
        let Some(entry) = folder.next().transpose()? else {
            folders.pop();
            continue;
        };
        let path = entry.path();
        // Links to folders are not followed, because they could lead back.
        if entry.file_type()?.is_dir() {
            folders.push(fs::read_dir(path)?);
        } else if Notation::of_path(&path).is_none() {
            skipped.fetch_add(1, Ordering::Relaxed);
        } else if !gcc_grammar_files::is_temporary(&path) {
            return Ok(path.strip_prefix(base).ok().map(Path::to_owned));
        }
    }
    Ok(None)
}

/// The lines of a list that are not empty.
struct Lines {
    reader: BufReader<Box<dyn Read + Send>>,
    number: u64,
    end: u64,
}

impl std::fmt::Debug for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lines").field("number", &self.number).finish_non_exhaustive()
    }
}

impl Lines {
    fn new(reader: Box<dyn Read + Send>) -> Self {
        Self { reader: BufReader::new(reader), number: 0, end: 0 }
    }

    fn next(&mut self) -> io::Result<Option<Content>> {
        loop {
            let mut text = Vec::new();
            let read = self.reader.by_ref().take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut text)? as u64;
            if read == 0 {
                return Ok(None);
            }
            self.number += 1;
            self.end += read;
            let number = self.number;
            if read > MAX_LINE_BYTES && !text.ends_with(b"\n") {
                self.end += self.skip()?;
                return Ok(Some(Content::TooLong { number }));
            }
            text.truncate(text.trim_ascii_end().len());
            text.drain(..text.len() - text.trim_ascii_start().len());
            if !text.is_empty() {
                return Ok(Some(Content::Line { number, text }));
            }
        }
    }

    /// Skips the rest of a line, and returns its length.
    fn skip(&mut self) -> io::Result<u64> {
        let skipped = self.reader.by_ref().take(MAX_SKIPPED_BYTES).skip_until(b'\n')? as u64;
        if skipped < MAX_SKIPPED_BYTES {
            return Ok(skipped);
        }
        let most = MAX_LINE_BYTES + MAX_SKIPPED_BYTES;
        let message =
            format!("line {} has more than {most} bytes, and the list is not read any further", self.number);
        Err(io::Error::new(io::ErrorKind::InvalidData, message))
    }
}

/// A line of a list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written<'t> {
    id: Option<Value>,
    #[serde(borrow)]
    schema: Option<&'t RawValue>,
    #[serde(borrow)]
    grammar: Option<&'t RawValue>,
    #[serde(borrow)]
    tools: Option<&'t RawValue>,
    path: Option<PathBuf>,
    format: Option<String>,
    #[serde(default)]
    options: Members<Distinct>,
}

impl Written<'_> {
    fn has_option(&self, name: &str) -> bool {
        self.options.0.iter().any(|(key, _)| key == name)
    }
}

impl Entry {
    /// An item that somebody else asks for: a JSON object as in a list. One that would read files of this machine is refused.
    #[must_use]
    pub fn request(text: Vec<u8>) -> Self {
        Self { content: Content::Request(text), base: Path::new("").into(), end: 0 }
    }

    /// Reads the item. Also one that cannot be read has an id: the number of its line, if it has no other one.
    pub(crate) fn read(&self, defaults: &Defaults) -> (Value, Result<Item, Error>) {
        match &self.content {
            Content::File(path) => {
                let source = Source::file(&self.base.join(path), None);
                let item = source.and_then(|source| defaults.item(source, Map::new()));
                (path.to_string_lossy().into(), item)
            }
            Content::TooLong { number } => {
                let error = Error::too_large(format!("line {number}"), MAX_LINE_BYTES);
                ((*number).into(), Err(error))
            }
            Content::Line { number, text } => {
                self.line(text, (*number).into(), &format!("line {number}"), defaults)
            }
            Content::Request(text) => self.line(text, Value::Null, REQUEST, defaults),
        }
    }

    /// Reads an item that is written as a JSON object. `id` is for items that have none; `name` is for items that cannot be read.
    fn line(&self, text: &[u8], id: Value, name: &str, defaults: &Defaults) -> (Value, Result<Item, Error>) {
        match parse(text) {
            Ok(mut written) => {
                let id = written.id.take().unwrap_or(id);
                let item = self.item(written, &id, defaults);
                (id, item)
            }
            Err(error) => {
                let diagnostic = Diagnostic::error(Code::BadJson, format!("this is no item: {error}"))
                    .help("write {\"id\": …, \"schema\": …}, or \"grammar\" with \"format\", or \"tools\", or \"path\"");
                (id, Err(Error::new(ErrorKind::Refused, name, diagnostic)))
            }
        }
    }

    fn is_request(&self) -> bool {
        matches!(self.content, Content::Request(_))
    }

    fn item(&self, written: Written<'_>, id: &Value, defaults: &Defaults) -> Result<Item, Error> {
        let name = match id {
            // Equal requests have equal answers.
            _ if self.is_request() => REQUEST.to_owned(),
            Value::String(id) => id.clone(),
            other => other.to_string(),
        };
        let wrong = |message: &str| {
            Error::new(ErrorKind::Refused, name.as_str(), Diagnostic::error(Code::Usage, message))
        };
        if self.is_request() && (written.path.is_some() || written.has_option(IMPORT_FOLDERS)) {
            return Err(wrong("a request cannot name files of the server"));
        }
        let notation = written.format.as_deref().map(Notation::from_str).transpose();
        let notation = notation.map_err(|error| wrong(&error.to_string()))?;
        let source = match (written.schema, written.grammar, written.tools, written.path) {
            (Some(schema), None, None, None) if notation.is_none() => {
                Source::named(Notation::JsonSchema, name, text_of(schema))
            }
            (None, Some(grammar), None, None) => {
                let notation = notation.ok_or_else(|| wrong("a grammar needs its \"format\""))?;
                let is_json = matches!(
                    notation,
                    Notation::JsonSchema | Notation::StructuralTag | Notation::TreeSitter | Notation::Tools
                );
                if !is_json && !grammar.get().starts_with('"') {
                    return Err(wrong("\"grammar\" is a text"));
                }
                let text = text_of(grammar);
                Source::named(notation, name, text)
            }
            (None, None, Some(tools), None) if notation.is_none() => {
                Source::named(Notation::Tools, name, text_of(tools))
            }
            (None, None, None, Some(path)) => Source::file(&self.base.join(path), notation)?,
            _ => {
                return Err(wrong(
                    "an item has one of \"schema\" and \"tools\" (both without \"format\"), \"grammar\" and \"path\"",
                ));
            }
        };
        let source = if self.is_request() { source.without_files() } else { source };
        defaults.item(source, written.options.into())
    }
}

fn parse(line: &[u8]) -> Result<Written<'_>, Box<dyn std::error::Error>> {
    Ok(serde_json::from_str(std::str::from_utf8(line)?)?)
}

/// The text that a value stands for: that of a string, or the value as it is written.
fn text_of(value: &RawValue) -> String {
    serde_json::from_str(value.get()).unwrap_or_else(|_| value.get().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(folder: &Path, list: &str, shard: Shard) -> Vec<(Value, Result<Item, Error>)> {
        let path = folder.join("list.jsonl");
        fs::write(&path, list).expect("written");
        let items = Items::open(&path, shard).expect("opened");
        items.map(|entry| entry.expect("readable").read(&Defaults::default())).collect()
    }

    #[test]
    fn repeated_keys_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        for (line, message) in [
            (r#"{"id": 1, "id": 2, "schema": {}}"#, "duplicate field `id`"),
            (r#"{"schema": {}, "schema": true}"#, "duplicate field `schema`"),
            (
                r#"{"schema": {}, "options": {"strings": "all", "strings": "canonical"}}"#,
                "\"strings\" occurs twice",
            ),
            (r#"{"schema": {}, "options": {"limits": {"work": 1, "work": 2}}}"#, "\"work\" occurs twice"),
        ] {
            let (_, item) = items(folder.path(), line, Shard::ALL).remove(0);
            let error = item.expect_err(line).to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn lines_are_items() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("a.regex"), "a+").expect("written");
        let list = "{\"id\": \"s\", \"schema\": {\"b\": 1,  \"a\": 2}}\n\n\
            {\"schema\": \"{}\", \"options\": {\"whitespace\": \"compact\"}}\r\n\
            {\"id\": 7, \"grammar\": \"start: A\", \"format\": \"lark\"}\n\
            {\"path\": \"a.regex\"}\n\
            {\"id\": \"t\", \"tools\": [], \"options\": {\"model\": \"hermes\", \"parallel\": false}}";
        let read = items(folder.path(), list, Shard::ALL);
        let shown: Vec<(String, &str, Notation)> = read
            .iter()
            .map(|(id, item)| {
                let source = &item.as_ref().expect("an item").source;
                (id.to_string(), source.text().text.as_str(), source.notation())
            })
            .collect();
        let expected = [
            ("\"s\"", "{\"b\": 1,  \"a\": 2}", Notation::JsonSchema),
            ("3", "{}", Notation::JsonSchema),
            ("7", "start: A", Notation::Lark),
            ("5", "a+", Notation::Regex),
            ("\"t\"", "[]", Notation::Tools),
        ];
        assert_eq!(shown, expected.map(|(id, text, notation)| (id.to_owned(), text, notation)));
    }

    #[test]
    fn what_is_no_item_is_refused_with_its_line() {
        let folder = tempfile::tempdir().expect("a folder");
        for (line, message) in [
            ("{", "EOF"),
            ("[]", "invalid"),
            ("{\"schema\": {}, \"shema\": {}}", "unknown field `shema`"),
            ("{\"id\": \"x\"}", "an item has one of"),
            ("{\"schema\": {}, \"path\": \"a\"}", "an item has one of"),
            ("{\"schema\": {}, \"format\": \"lark\"}", "an item has one of"),
            ("{\"grammar\": \"start: A\"}", "needs its \"format\""),
            ("{\"grammar\": \"start: A\", \"format\": \"yacc\"}", "yacc"),
            ("{\"grammar\": 5, \"format\": \"lark\"}", "\"grammar\" is a text"),
            ("{\"grammar\": {\"a\": 1}, \"format\": \"regex\"}", "\"grammar\" is a text"),
            ("{\"schema\": {}, \"options\": {\"whitespaces\": 1}}", "unknown field"),
            ("{\"path\": \"none.json\"}", "there is no such file"),
        ] {
            let read = items(folder.path(), &format!("\n{line}\n"), Shard::ALL);
            let [(id, item)] = &read[..] else { panic!("{line}") };
            let error = item.as_ref().expect_err(line).to_string();
            assert!(error.contains(message), "{line}: {error}");
            assert!(*id == 2 || *id == "x", "{line}: {id}");
        }
    }

    /// A line that is too long is skipped. One without an end ends the list.
    #[test]
    fn long_lines_are_skipped_and_endless_ones_end_the_list() {
        let read = |text: Box<dyn Read + Send>| Lines::new(text).next();
        let long = io::repeat(b'x').take(MAX_LINE_BYTES + 10).chain(&b"\nx"[..]);
        assert!(matches!(read(Box::new(long)), Ok(Some(Content::TooLong { number: 1 }))));
        let error = read(Box::new(io::repeat(b'x'))).expect_err("no end").to_string();
        assert!(error.contains("line 1 has more than"), "{error}");
        let spaces = read(Box::new(&b"  \t\n\r  { } \r\n"[..])).expect("readable");
        assert!(matches!(spaces, Some(Content::Line { number: 2, text }) if text == b"{ }"));
    }

    /// Each item is in one part, and equal lines are in the same.
    #[test]
    fn parts_make_the_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let lines: Vec<String> =
            (0..100).map(|number| format!("{{\"id\": {number}, \"schema\": {{}}}}")).collect();
        let list = format!("{0}\n{0}\n", lines.join("\n"));
        let mut found = Vec::new();
        for index in 0..7 {
            let part = items(folder.path(), &list, Shard { index, count: 7 });
            let mut ids: Vec<u64> = part.iter().map(|(id, _)| id.as_u64().expect("a number")).collect();
            ids.sort_unstable();
            assert!(ids.chunks(2).all(|pair| pair[0] == pair[1]) && ids.len() > 10, "{ids:?}");
            found.extend(ids);
        }
        assert_eq!(found.len(), 200);
        for wrong in ["", "1", "2/2", "0/0", "-1/2", "a/b", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn folders_are_walked() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("b/c")).expect("made");
        for name in ["a.json", "b/x.lark", "b/c/y.regex", "b/readme.txt", "z.bin"] {
            fs::write(folder.path().join(name), "a").expect("written");
        }
        let items = Items::open(folder.path(), Shard::ALL).expect("opened");
        let mut ids: Vec<String> = items
            .map(|entry| {
                entry.expect("readable").read(&Defaults::default()).0.as_str().expect("a path").to_owned()
            })
            .collect();
        ids.sort_unstable();
        assert_eq!(ids, ["a.json", "b/c/y.regex", "b/x.lark"]);
    }

    /// The limits of an item with this source and these limits of its own.
    fn limits(defaults: &Defaults, source: Source, own: Value) -> LimitOptions {
        let own = Map::from_iter([("limits".to_owned(), own)]);
        defaults.item(source, own).expect("options").options.limits
    }

    #[test]
    fn limits_of_items_do_not_exceed_the_limits_of_all() {
        let given = LimitOptions { work: Some(100), ..LimitOptions::default() };
        // Those among the options do not give way to the limits of an item, as other options do.
        let options = serde_json::json!({"limits": {"lr_states": 30, "work": 200}});
        let Value::Object(options) = options else { panic!("an object") };
        let defaults = Defaults { limits: given, options, ..Defaults::default() };
        let with = |work: u64| {
            limits(
                &defaults,
                Source::regex("a"),
                serde_json::json!({"work": work, "bytes": 5, "lr_states": null}),
            )
        };
        assert_eq!((with(1000).work, with(10).work, with(10).bytes), (Some(100), Some(10), Some(5)));
        assert_eq!(with(10).lr_states, Some(30));
    }

    /// Where the operator gives no limit, that is not one that an item may raise.
    #[test]
    fn limits_of_items_do_not_exceed_the_default_limits() {
        let huge = serde_json::json!({"work": u64::MAX, "bytes": u64::MAX, "lr_states": u64::MAX, "lexer_states": u64::MAX,
            "dwa_states": u64::MAX, "terminal_states": u64::MAX});
        let long = Source::choices(["x".repeat(3_000_000)]);
        for source in [Source::json_schema("{}"), Source::lark("start: \"a\""), long] {
            let default = LimitOptions::from(source.default_limits());
            let defaults = Defaults::default();
            assert_eq!(limits(&defaults, source.clone(), huge.clone()), default);
            assert_eq!(limits(&defaults, source, serde_json::json!({})), default);
        }
        assert_eq!(limits(&Defaults::default(), Source::json_schema("{}"), huge).bytes, Some(800_000_000));
    }
}
