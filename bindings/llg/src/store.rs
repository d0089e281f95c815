//! Compiled grammars: the last ones in memory, and, if the user names a folder, all of them on disk.
//!
//! The environment says what the interface has no argument for:
//! - `GCC_GRAMMAR_STORE` is a folder of artifacts. A grammar is looked up there before it is compiled, under its content key, and put there afterwards. `{"artifact": "NAME"}` behind `%llguidance` loads `NAME.gcg` from there.
//! - `GCC_GRAMMAR_OPTIONS` is a JSON object of options, with the names of the command line. The default is [`DEFAULT_OPTIONS`].

use crate::grammar::{self, Content};
use crate::tokens::Tokens;
use gcc_grammar::{Artifact, Options, Packing, Session, Source, Vocabulary, artifact_key, compile};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

/// The options of users who set none: what is nearest to llguidance, which leaves white space free and takes one spelling of each
/// character, so that keys are certain text.
const DEFAULT_OPTIONS: &str = r#"{"whitespace": "inner", "strings": "canonical"}"#;
/// Grammars in memory, at most.
const MOST: usize = 64;
/// Bytes of the grammars in memory, at most.
const MOST_BYTES: usize = 256 << 20;

/// A compiled grammar.
#[derive(Clone)]
pub(crate) struct Compiled {
    pub(crate) session: Session,
    pub(crate) no_forcing: bool,
}

/// The grammars that were used last, the latest at the end.
#[derive(Default)]
pub(crate) struct Cache(Vec<(Key, Compiled)>);

/// Kind, text, and the values of the two environment variables.
type Key = [String; 4];

impl Cache {
    fn find(&mut self, key: &Key) -> Option<Compiled> {
        let at = self.0.iter().position(|(known, _)| known == key)?;
        let entry = self.0.remove(at);
        self.0.push(entry);
        self.0.last().map(|(_, compiled)| compiled.clone())
    }

    fn insert(&mut self, key: Key, compiled: Compiled) {
        self.0.push((key, compiled));
        while self.0.len() > MOST || (self.0.len() > 1 && self.bytes() > MOST_BYTES) {
            self.0.remove(0);
        }
    }

    fn bytes(&self) -> usize {
        self.0.iter().map(|(key, compiled)| key[1].len() + compiled.session.artifact().bytes().len()).sum()
    }
}

/// The grammar of a kind and a text, from the memory, the folder, or the compiler.
pub(crate) fn compiled(tokens: &Tokens, kind: &str, data: &str) -> Result<Compiled, String> {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let (store, options) = (variable("GCC_GRAMMAR_STORE"), variable("GCC_GRAMMAR_OPTIONS"));
    let key = [kind.to_owned(), data.to_owned(), store.clone(), options.clone()];
    let cache = || tokens.cache.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = cache().find(&key) {
        return Ok(known);
    }
    let folder = Some(PathBuf::from(store)).filter(|store| !store.as_os_str().is_empty());
    let compiled = made(&tokens.vocabulary, kind, data, folder.as_deref(), &options)?;
    cache().insert(key, compiled.clone());
    Ok(compiled)
}

fn made(
    vocabulary: &Vocabulary,
    kind: &str,
    data: &str,
    folder: Option<&Path>,
    options: &str,
) -> Result<Compiled, String> {
    let options = if options.is_empty() { DEFAULT_OPTIONS } else { options };
    let parsed = Options::from_json(options).map_err(|error| format!("GCC_GRAMMAR_OPTIONS: {error}"))?;
    let request = grammar::read(kind, data, parsed)?;
    let no_forcing = request.no_forcing;
    let session = match request.content {
        Content::Artifact(name) => named(vocabulary, folder, &name)?,
        Content::Source(source) => {
            let (source, options) = *source;
            of_source(vocabulary, folder, &source, &options)?
        }
    };
    Ok(Compiled { session, no_forcing })
}

/// The artifact of a name in the folder.
fn named(vocabulary: &Vocabulary, folder: Option<&Path>, name: &str) -> Result<Session, String> {
    let folder = folder.ok_or("the folder of artifacts is missing: set GCC_GRAMMAR_STORE")?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    if name.is_empty() || name.starts_with('.') || !name.bytes().all(is_plain) {
        return Err(format!("{name:?} is no name of an artifact: use letters, digits, `-`, `_` and `.`"));
    }
    open(vocabulary, &folder.join(format!("{name}.gcg")))
}

fn open(vocabulary: &Vocabulary, path: &Path) -> Result<Session, String> {
    let opened = Artifact::open(path).and_then(|artifact| Session::new(artifact, vocabulary));
    opened.map_err(|error| error.to_string())
}

/// Compiles a source, unless the folder has the result.
fn of_source(
    vocabulary: &Vocabulary,
    folder: Option<&Path>,
    source: &Source,
    options: &Options,
) -> Result<Session, String> {
    let rendered = |error: gcc_grammar::Error| error.render().trim_end().to_owned();
    let place = |folder: &Path| {
        let key = artifact_key(source, vocabulary, options, Packing::Referenced)?;
        Ok(folder.join(format!("{key}.gcg")))
    };
    let path = folder.map(place).transpose().map_err(rendered)?;
    // A file that is missing, damaged or of another version is compiled again.
    if let Some(session) = path.as_deref().and_then(|path| open(vocabulary, path).ok()) {
        return Ok(session);
    }
    let artifact = compile(source, vocabulary, options).map_err(rendered)?;
    if let Some(path) = path
        && let Err(error) = artifact.save(&path)
    {
        eprintln!("gcc-grammar: {error}");
    }
    Session::new(artifact, vocabulary).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        Vocabulary::from_tokens("v", (0..=255_u8).map(|byte| [byte])).expect("a vocabulary")
    }

    #[test]
    fn a_store_keeps_what_was_compiled() {
        let (vocabulary, folder) = (vocabulary(), tempfile::tempdir().expect("a folder"));
        let make = |options| made(&vocabulary, "json", "{\"type\":\"null\"}", Some(folder.path()), options);
        let first = make("").expect("compiled");
        let files: Vec<PathBuf> =
            folder.path().read_dir().expect("the folder").map(|file| file.expect("a file").path()).collect();
        assert_eq!(files.len(), 1);
        assert_eq!(std::fs::read(&files[0]).expect("the file"), first.session.artifact().bytes());
        // The next one comes from the file: its name is the path.
        assert_eq!(make("").expect("opened").session.artifact().name(), files[0].display().to_string());
        // A damaged file is compiled again and replaced; other options make another file.
        std::fs::write(&files[0], "damaged").expect("written");
        make("").expect("compiled again");
        assert_eq!(std::fs::read(&files[0]).expect("the file"), first.session.artifact().bytes());
        make(r#"{"whitespace":"compact"}"#).expect("compiled");
        assert_eq!(folder.path().read_dir().expect("the folder").count(), 2);
        make(r#"{"unknown":1}"#).map(|_| ()).expect_err("unknown options");
    }

    #[test]
    fn artifacts_are_found_by_name() {
        let (vocabulary, folder) = (vocabulary(), tempfile::tempdir().expect("a folder"));
        let source = Source::json_schema("{\"const\":1}");
        let artifact = compile(&source, &vocabulary, &Options::default()).expect("compiled");
        artifact.save(&folder.path().join("one.gcg")).expect("saved");
        let data = "%llguidance {\"artifact\": \"one\"}";
        assert!(made(&vocabulary, "lark", data, Some(folder.path()), "").is_ok());
        assert!(made(&vocabulary, "artifact", "one", Some(folder.path()), "").is_ok());
        for (name, folder) in
            [("two", Some(folder.path())), ("../one", Some(folder.path())), ("one", None), ("", None)]
        {
            assert!(made(&vocabulary, "artifact", name, folder, "").is_err(), "{name}");
        }
        let other = Vocabulary::from_tokens("w", ["1"]).expect("a vocabulary");
        assert!(made(&other, "artifact", "one", Some(folder.path()), "").is_err(), "another vocabulary");
    }

    #[test]
    fn the_memory_is_bounded() {
        let vocabulary = vocabulary();
        let compiled = made(&vocabulary, "regex", "a", None, "").expect("compiled");
        let mut cache = Cache::default();
        let key = |number: usize| [number.to_string(), String::new(), String::new(), String::new()];
        for number in 0..MOST + 3 {
            cache.insert(key(number), compiled.clone());
            assert!(cache.find(&key(0)).is_some() == (number < MOST + 3));
        }
        assert_eq!(cache.0.len(), MOST);
        assert!(cache.find(&key(1)).is_none() && cache.find(&key(MOST)).is_some());
    }
}
