//! Compiled grammars: the last ones in memory, and, if the user names a store, all of them there.
//!
//! The environment says what the interface has no argument for:
//! - `GCC_GRAMMAR_STORE` is a store of artifacts, as `gcc-grammar batch` fills it. A grammar is looked up there before it is compiled, under its content key, and put there afterwards. `{"artifact": "NAME"}` behind `%llguidance` loads the artifact with this key, or the file `NAME.gcg` in the folder of the store.
//! - `GCC_GRAMMAR_OPTIONS` is a JSON object of options, with the names of the command line. The default is [`DEFAULT_OPTIONS`].
//! - `GCC_GRAMMAR_MAX_WORK` is the most work of a commit or mask, in units.

use crate::engine::grammar::{self, Content};
use gcc_grammar::{Artifact, DemandOptions, Options, Session, Source, Vocabulary};
use gcc_grammar_store::Store;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

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

/// The grammar of a kind and a text, from the memory, the store, or the compiler.
pub(crate) fn compiled(
    cache: &Mutex<Cache>,
    vocabulary: &Vocabulary,
    kind: &str,
    data: &str,
) -> Result<Compiled, String> {
    let (store, options) = (variable("GCC_GRAMMAR_STORE"), variable("GCC_GRAMMAR_OPTIONS"));
    let key = [kind.to_owned(), data.to_owned(), store.clone(), options.clone()];
    let cache = || cache.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = cache().find(&key) {
        return Ok(known);
    }
    let store = Some(&*store).filter(|store| !store.is_empty());
    let compiled = made(vocabulary, kind, data, store, &options)?;
    cache().insert(key, compiled.clone());
    Ok(compiled)
}

fn made(
    vocabulary: &Vocabulary,
    kind: &str,
    data: &str,
    store: Option<&str>,
    options: &str,
) -> Result<Compiled, String> {
    let options = if options.is_empty() { DEFAULT_OPTIONS } else { options };
    let parsed = Options::from_json(options).map_err(|error| format!("GCC_GRAMMAR_OPTIONS: {error}"))?;
    let request = grammar::read(kind, data, parsed)?;
    let no_forcing = request.no_forcing;
    let session = match request.content {
        Content::Artifact(name) => named(vocabulary, store, &name)?,
        Content::Source(source) => {
            let (source, options) = *source;
            let made = of_source(vocabulary, store, &source, &options);
            made.map_err(|error| error.render().trim_end().to_owned())?
        }
    };
    Ok(Compiled { session, no_forcing })
}

/// A variable of the environment; the empty text if it is not set.
fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

/// The most work of a call of a matcher, if the user set it.
pub(crate) fn max_work() -> Result<Option<u64>, String> {
    let text = variable("GCC_GRAMMAR_MAX_WORK");
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| format!("GCC_GRAMMAR_MAX_WORK is a number of units, not {text:?}"))
}

/// The artifact with a key in the store, or of a name in its folder.
fn named(vocabulary: &Vocabulary, store: Option<&str>, name: &str) -> Result<Session, String> {
    let url = store.ok_or("the store of artifacts is missing: set GCC_GRAMMAR_STORE")?;
    if let Ok(key) = name.parse() {
        let found = Store::open(url, None).and_then(|store| store.session(key, vocabulary));
        return found.map_err(|error| error.to_string());
    }
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    if name.is_empty() || name.starts_with('.') || !name.bytes().all(is_plain) {
        return Err(format!("{name:?} is no name of an artifact: use letters, digits, `-`, `_` and `.`"));
    }
    let folder = Path::new(url.strip_prefix("file://").unwrap_or(url));
    let opened = Artifact::open(&folder.join(format!("{name}.gcg")));
    opened.and_then(|artifact| Session::new(artifact, vocabulary)).map_err(|error| error.to_string())
}

/// The artifact of the store; or masks on demand, while a thread compiles the artifact and puts it there.
fn of_source(
    vocabulary: &Vocabulary,
    store: Option<&str>,
    source: &Source,
    options: &Options,
) -> Result<Session, gcc_grammar::Error> {
    let Some(url) = store else {
        return Ok(Session::on_demand(source, vocabulary, options, &DemandOptions::default())?.0);
    };
    let store = Arc::new(Store::open(url, None)?);
    store
        .on_demand(source, vocabulary, options, |uncompiled| uncompiled.compile())
        .map(|(session, _)| session)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar::{Packing, artifact_key, compile};
    use gcc_grammar_store::Place;

    fn vocabulary() -> Vocabulary {
        Vocabulary::from_tokens("v", (0..=255_u8).map(|byte| [byte])).expect("a vocabulary")
    }

    /// A folder, and its path as a text.
    fn folder() -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().to_string_lossy().into_owned();
        (folder, path)
    }

    #[test]
    fn a_store_keeps_what_was_compiled() {
        let (vocabulary, (_folder, store)) = (vocabulary(), folder());
        let make = |options| made(&vocabulary, "json", "{\"type\":\"null\"}", Some(&store), options);
        let keys = || Store::open(&store, None).and_then(|store| store.keys(&vocabulary)).expect("keys");
        let complete = |made: Compiled| made.session.complete().expect("the artifact");
        let first = complete(make("").expect("compiled"));
        let [key] = keys()[..] else { panic!("one artifact") };
        let path = Path::new(&store).join(Place::new(key, &vocabulary).to_string());
        assert_eq!(std::fs::read(&path).expect("the file"), first.artifact().bytes());
        // The next one comes from the file: its name is the path.
        assert_eq!(make("").expect("opened").session.artifact().name(), path.display().to_string());
        // A damaged file is compiled again and replaced; other options make another file.
        std::fs::write(&path, "damaged").expect("written");
        complete(make("").expect("compiled again"));
        assert_eq!(std::fs::read(&path).expect("the file"), first.artifact().bytes());
        complete(make(r#"{"whitespace":"compact"}"#).expect("compiled"));
        assert_eq!(keys().len(), 2);
        make(r#"{"unknown":1}"#).map(|_| ()).expect_err("unknown options");
    }

    #[test]
    fn artifacts_are_found_by_name_and_by_key() {
        let (vocabulary, (folder, store)) = (vocabulary(), folder());
        let source = Source::json_schema("{\"const\":1}");
        let artifact = compile(&source, &vocabulary, &Options::default()).expect("compiled");
        artifact.save(&folder.path().join("one.gcg")).expect("saved");
        let data = "%llguidance {\"artifact\": \"one\"}";
        assert!(made(&vocabulary, "lark", data, Some(&store), "").is_ok());
        assert!(made(&vocabulary, "artifact", "one", Some(&store), "").is_ok());
        for (name, store) in [("two", Some(&*store)), ("../one", Some(&*store)), ("one", None), ("", None)] {
            assert!(made(&vocabulary, "artifact", name, store, "").is_err(), "{name}");
        }
        let other = Vocabulary::from_tokens("w", ["1"]).expect("a vocabulary");
        assert!(made(&other, "artifact", "one", Some(&store), "").is_err(), "another vocabulary");

        let key =
            artifact_key(&source, &vocabulary, &Options::default(), Packing::Referenced).expect("a key");
        assert!(
            made(&vocabulary, "artifact", &key.to_string(), Some(&store), "").is_err(),
            "not in the store"
        );
        let put = Store::open(&store, None).and_then(|store| {
            store.get_or_make(&Place::new(key, &vocabulary), || {
                compile(&source, &vocabulary, &Options::default())
            })
        });
        put.expect("stored");
        assert!(made(&vocabulary, "artifact", &key.to_string(), Some(&store), "").is_ok());
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
