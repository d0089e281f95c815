//! [`Registry`]: finds the vocabulary that a user names, and keeps imported and compiled vocabularies.
//!
//! ```text
//! name ──▶ built-in | imported | compiled file | tokenizer file | model directory      the first that has this name
//!      ──▶ Vocabulary, read from a compiled file if there is one
//!      ──▶ Overrides
//!      ──▶ Resolved
//! ```
//!
//! A registry has a folder with two parts, which need not exist: `imported/` ([`imported`]) and `compiled/` ([`compiled`]).
//! A registry without a folder finds all vocabularies but imported ones, and keeps none.
//! A resolved vocabulary has at least one end token.

mod compiled;
mod imported;
mod overrides;

pub use compiled::{Cache, CompiledFile, FindWalks, MapFile};
pub use overrides::Overrides;

use self::compiled::{CompiledVocabularies, is_compiled};
use self::imported::{ImportedVocabularies, check_name};
use crate::builtin::{BUILTINS, Builtin};
use crate::source::Source;
use crate::tokenizer::{Tokenizer, TokenizerOptions};
use gcc_grammar_ir::spelling::similar;
use gcc_grammar_vocabulary::Vocabulary;
use gcc_grammar_vocabulary::{ErrorKind, VocabularyError};
use std::path::{Path, PathBuf};

/// A folder with imported and compiled vocabularies.
#[derive(Clone, Debug)]
pub struct Registry {
    imported: ImportedVocabularies,
    compiled: CompiledVocabularies,
}

/// The origin of a vocabulary.
#[derive(Clone, Debug)]
pub enum Origin {
    /// The vocabulary is built in.
    Builtin(&'static Builtin),
    /// The vocabulary was imported into this folder.
    Imported(PathBuf),
    /// This tokenizer file or model directory defines the vocabulary.
    Source(PathBuf),
    /// This compiled file holds the vocabulary.
    Compiled(PathBuf),
}

/// A vocabulary that [`Registry::resolve`] has found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Resolved {
    /// A short name of the vocabulary.
    pub name: String,
    /// The origin of the vocabulary.
    pub origin: Origin,
    /// How the vocabulary was obtained from the folder of compiled vocabularies.
    pub cache: Cache,
    /// The vocabulary.
    pub vocabulary: Vocabulary,
}

impl Resolved {
    /// A vocabulary with these properties.
    #[must_use]
    pub const fn new(name: String, origin: Origin, cache: Cache, vocabulary: Vocabulary) -> Self {
        Self { name, origin, cache, vocabulary }
    }

    /// The files that the vocabulary is made from, whether they exist or not; none if it is built in.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        match &self.origin {
            Origin::Builtin(_) => Vec::new(),
            Origin::Imported(path) | Origin::Source(path) => Source::files(path).unwrap_or_default(),
            Origin::Compiled(path) => vec![path.clone()],
        }
    }

    /// The text tokens that the tokenizer file adds to the model's own and does not mark as special, ascending; none if the file is not
    /// known.
    ///
    /// # Errors
    /// The tokenizer file cannot be read any more.
    pub fn added_text_tokens(&self) -> Result<Vec<u32>, VocabularyError> {
        let contents = match &self.origin {
            Origin::Builtin(builtin) => builtin.contents(),
            Origin::Imported(path) => Source::open_imported(path)?.contents()?,
            Origin::Source(path) => Source::open(path)?.contents()?,
            Origin::Compiled(_) => return Ok(Vec::new()),
        };
        let mut added = contents.added;
        added.retain(|&id| self.vocabulary.bytes(id).is_some());
        added.sort_unstable();
        Ok(added)
    }

    /// The tokenizer of this vocabulary.
    ///
    /// # Errors
    /// The tokenizer file cannot be read, or cannot be used to tokenize text.
    pub fn tokenizer(&self, options: TokenizerOptions) -> Result<Tokenizer, VocabularyError> {
        match &self.origin {
            Origin::Builtin(builtin) => Tokenizer::builtin(builtin, &self.vocabulary, options),
            Origin::Imported(path) => Source::open_imported(path)?.tokenizer(&self.vocabulary, options),
            Origin::Source(path) => Source::open(path)?.tokenizer(&self.vocabulary, options),
            Origin::Compiled(_) => Tokenizer::without_file(&self.vocabulary, options),
        }
    }
}

impl Registry {
    /// The registry in this folder, which need not exist.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self::in_folder(Some(folder.into()))
    }

    /// A registry without a folder: nothing is imported, and every vocabulary is built when it is resolved.
    #[must_use]
    pub fn without_folder() -> Self {
        Self::in_folder(None)
    }

    fn in_folder(folder: Option<PathBuf>) -> Self {
        let part = |name: &str| folder.as_ref().map(|folder| folder.join(name));
        Self {
            imported: ImportedVocabularies::new(part("imported")),
            compiled: CompiledVocabularies::new(part("compiled")),
        }
    }

    /// Makes the registry read compiled vocabularies by `map` and borrow their tables instead of copying them. A mapped
    /// file must not change; the registry replaces files and never writes into them.
    #[must_use]
    pub fn mapping(mut self, map: MapFile) -> Self {
        self.compiled.set_map(map);
        self
    }

    /// Makes the registry write precomputed walks into compiled vocabularies, as `walk` finds them.
    #[must_use]
    pub fn walking(mut self, walk: FindWalks) -> Self {
        self.compiled.set_walk(walk);
        self
    }

    /// Finds the vocabulary with this name: a built-in vocabulary, an imported one, a compiled file, a tokenizer file or a
    /// model directory, in this order.
    ///
    /// # Errors
    /// No vocabulary has this name; its files are not valid; the overrides do not fit; no end token is known.
    pub fn resolve(&self, name: &str, overrides: &Overrides) -> Result<Resolved, VocabularyError> {
        let origin = self.find(name)?;
        let label = match &origin {
            Origin::Builtin(builtin) => builtin.name.to_owned(),
            Origin::Imported(_) => name.to_owned(),
            Origin::Source(path) | Origin::Compiled(path) => label(path),
        };
        let (vocabulary, cache) = match &origin {
            Origin::Builtin(builtin) => self.load_builtin(builtin)?,
            Origin::Imported(path) => self.load((&label, "imported"), path, &Source::open_imported)?,
            Origin::Source(path) => self.load((&label, "source"), path, &Source::open)?,
            Origin::Compiled(path) => (self.compiled.read(path)?, Cache::Read(path.clone())),
        };
        let vocabulary = overrides.apply(vocabulary)?;
        Ok(Resolved { name: label, origin, cache, vocabulary })
    }

    /// The name of a built-in or imported vocabulary whose text tokens have this canonical hash. Imported vocabularies that cannot be
    /// read are passed over.
    #[must_use]
    pub fn name_of_tokens(&self, hash: &[u8; 32]) -> Option<String> {
        let has_tokens = |name: &String| {
            let resolved = self.resolve(name, &Overrides::default());
            resolved.is_ok_and(|resolved| resolved.vocabulary.canonical_hash() == *hash)
        };
        let builtin = Builtin::by_tokens(hash).map(|builtin| builtin.name.to_owned());
        builtin.or_else(|| self.imported().into_iter().find(has_tokens))
    }

    /// The names of the imported vocabularies, sorted.
    #[must_use]
    pub fn imported(&self) -> Vec<String> {
        self.imported.names()
    }

    /// Copies a tokenizer file, or the relevant parts of a model directory, into the registry under a name.
    ///
    /// # Errors
    /// The name is not usable, or it is taken and `replace` is not set; the source is not valid; the overrides do not fit;
    /// the folder cannot be written.
    pub fn import(
        &self,
        path: &Path,
        name: &str,
        overrides: &Overrides,
        replace: bool,
    ) -> Result<Resolved, VocabularyError> {
        self.imported.check_new_name(name, replace)?;
        let mut source = Source::open(path)?;
        let vocabulary = overrides.apply(source.vocabulary()?)?;
        source.set(vocabulary.width(), vocabulary.end_tokens());
        self.imported.write(&source, name)?;
        self.resolve(name, &Overrides::default())
    }

    /// Removes an imported vocabulary.
    ///
    /// # Errors
    /// No imported vocabulary has this name, or it cannot be removed.
    pub fn remove(&self, name: &str) -> Result<(), VocabularyError> {
        check_name(name)?;
        let folder = self.imported.find(name).ok_or_else(|| self.not_found(name))?;
        self.compiled.remove(name);
        std::fs::remove_dir_all(&folder)
            .map_err(|error| VocabularyError::io(error, "the vocabulary cannot be removed").in_file(folder))
    }

    /// The compiled vocabularies that are kept, by label.
    #[must_use]
    pub fn compiled(&self) -> Vec<CompiledFile> {
        let mut files: Vec<CompiledFile> = self.compiled.files().collect();
        files.sort_by(|a, b| (&a.label, &a.path).cmp(&(&b.label, &b.path)));
        files
    }

    /// Removes the compiled vocabularies that are kept; they are compiled again when they are used. Returns the removed ones.
    pub fn clean(&self) -> Vec<CompiledFile> {
        self.compiled.clean()
    }

    fn find(&self, name: &str) -> Result<Origin, VocabularyError> {
        if let Some(builtin) = Builtin::find(name) {
            return Ok(Origin::Builtin(builtin));
        }
        if let Some(folder) = self.imported.find(name) {
            return Ok(Origin::Imported(folder));
        }
        let path = Path::new(name);
        if !path.exists() {
            let builtin = Builtin::find_in_any_case(name).map(Origin::Builtin);
            return builtin.ok_or_else(|| self.not_found(name));
        }
        let compiled = path.is_file() && is_compiled(path);
        Ok(if compiled { Origin::Compiled(path.to_owned()) } else { Origin::Source(path.to_owned()) })
    }

    fn not_found(&self, name: &str) -> VocabularyError {
        let imported = self.imported();
        let builtin = BUILTINS.iter().map(|builtin| builtin.name);
        let names: Vec<&str> = builtin.chain(imported.iter().map(String::as_str)).collect();
        let near = Builtin::of_model(name).map(|builtin| builtin.name);
        // A name with other digits is that of another model.
        let digits = |name: &str| -> String { name.chars().filter(char::is_ascii_digit).collect() };
        let same_digits = names.iter().copied().filter(|known| digits(known) == digits(name));
        let near = near.or_else(|| similar(name, same_digits));
        let advice = near.map_or_else(|| "the".to_owned(), |near| format!("did you mean {near}? The"));
        let message = format!("no vocabulary, file or directory is named {name}");
        VocabularyError::new(ErrorKind::NotFound, message).help(format!(
            "{advice} known names are {}; or give a tokenizer file or the folder of a model",
            names.join(", ")
        ))
    }

    fn load_builtin(&self, builtin: &Builtin) -> Result<(Vocabulary, Cache), VocabularyError> {
        let kind = format!("builtin {}", builtin.name);
        self.compiled.get_or_build(builtin.name, &kind, &[], || builtin.contents().into_vocabulary())
    }

    fn load(
        &self,
        (label, kind): (&str, &str),
        path: &Path,
        open: &dyn Fn(&Path) -> Result<Source, VocabularyError>,
    ) -> Result<(Vocabulary, Cache), VocabularyError> {
        let files = Source::files(path)?;
        self.compiled.get_or_build(label, kind, &files, || open(path)?.vocabulary())
    }
}

/// A short name for the vocabulary at a path: the name of the file without its extension, or the name of the directory.
fn label(path: &Path) -> String {
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let directory = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // Most files are named "tokenizer", so the name of their directory is the better label.
    match stem(&path).filter(|stem| !path.is_dir() && !stem.starts_with("tokenizer")) {
        Some(stem) => stem,
        None if path.is_dir() => directory(&path).unwrap_or_default(),
        None => path.parent().and_then(directory).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const RANKS: &str = "IQ== 0\nIg== 1\nIw== 2\n";

    struct Folders {
        _root: tempfile::TempDir,
        registry: Registry,
        model: PathBuf,
    }

    /// A registry, and a model directory with three tokens and one end token.
    fn folders() -> Folders {
        let root = tempfile::tempdir().unwrap();
        let model = root.path().join("model");
        fs::create_dir(&model).unwrap();
        fs::write(model.join("tokenizer.model"), RANKS).unwrap();
        fs::write(
            model.join("tokenizer_config.json"),
            r#"{"added_tokens_decoder": {"3": {"content": "<e>", "special": true}, "4": {"content": "<t>"}}}"#,
        )
        .unwrap();
        fs::write(model.join("config.json"), r#"{"eos_token_id": 3, "vocab_size": 8}"#).unwrap();
        Folders { registry: Registry::new(root.path().join("registry")), _root: root, model }
    }

    fn compiled_files(registry: &Registry) -> usize {
        fs::read_dir(registry.compiled.folder()).unwrap().count()
    }

    #[test]
    fn a_vocabulary_is_built_once_and_then_read() {
        let Folders { registry, model, .. } = &folders();
        let name = model.to_str().unwrap();
        let first = registry.resolve(name, &Overrides::default()).unwrap();
        let second = registry.resolve(name, &Overrides::default()).unwrap();
        assert!(matches!((&first.cache, &second.cache), (Cache::Written(a), Cache::Read(b)) if a == b));
        assert_eq!((first.name.as_str(), first.vocabulary.width()), ("model", 8));
        assert_eq!(first.vocabulary, second.vocabulary);
        assert_eq!(second.added_text_tokens().unwrap(), [4]);
    }

    #[test]
    fn stale_and_damaged_files_are_built_again() {
        let Folders { registry, model, .. } = &folders();
        check_rebuilding(registry, model);
    }

    /// A change that leaves size and times as they were.
    #[test]
    fn contents_decide_whether_a_file_is_stale() {
        let Folders { registry, model, .. } = &folders();
        let path = model.join("tokenizer.model");
        let times = fs::metadata(&path).unwrap().modified().unwrap();
        let resolve = || registry.resolve(model.to_str().unwrap(), &Overrides::default()).unwrap();
        let before = resolve();
        fs::write(&path, RANKS.replace("Iw==", "JA==")).unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(times).unwrap();
        let after = resolve();
        assert!(matches!(after.cache, Cache::Written(_)), "{:?}", after.cache);
        assert_eq!(
            (before.vocabulary.bytes(2), after.vocabulary.bytes(2)),
            (Some(&b"#"[..]), Some(&b"$"[..]))
        );
        // The same content is the same vocabulary at any time.
        fs::File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_modified(times + std::time::Duration::from_secs(9))
            .unwrap();
        assert!(matches!(resolve().cache, Cache::Read(_)));
    }

    #[test]
    fn without_a_folder_everything_is_built_and_nothing_imported() {
        let Folders { registry, model, .. } = &folders();
        let bare = Registry::without_folder();
        let resolve =
            |registry: &Registry| registry.resolve(model.to_str().unwrap(), &Overrides::default()).unwrap();
        let Cache::Unavailable(error) = resolve(&bare).cache else { panic!("it is not kept") };
        assert!(error.help.is_some_and(|help| help.contains("--vocab-dir")));
        assert_eq!(resolve(&bare).vocabulary, resolve(registry).vocabulary);
        let refused = bare.import(model, "mine", &Overrides::default(), false).unwrap_err();
        assert!(refused.message.contains("no folder"), "{refused}");
        assert_eq!((bare.imported().len(), bare.remove("mine").unwrap_err().kind), (0, ErrorKind::NotFound));
        assert_eq!(bare.resolve("llama3", &Overrides::default()).unwrap().name, "llama3");
    }

    #[test]
    fn a_mapped_vocabulary_is_equal() {
        let Folders { registry, model, .. } = &folders();
        let mapping = registry.clone().mapping(|path| Ok(fs::read(path)?.leak()));
        let resolve =
            |registry: &Registry| registry.resolve(model.to_str().unwrap(), &Overrides::default()).unwrap();
        let built = resolve(&mapping).vocabulary;
        assert!(matches!(resolve(&mapping).cache, Cache::Read(_)));
        assert_eq!((&resolve(&mapping).vocabulary, &resolve(registry).vocabulary), (&built, &built));
        fs::remove_dir_all(registry.compiled.folder()).unwrap();
        check_rebuilding(&mapping, model);
    }

    fn check_rebuilding(registry: &Registry, model: &Path) {
        let name = model.to_str().unwrap();
        let resolve = || registry.resolve(name, &Overrides::default()).unwrap();
        let Cache::Written(path) = resolve().cache else { panic!("built") };
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        assert_eq!(resolve().cache, Cache::Written(path));
        // Files of other contents and of other releases remain.
        let configure = |width: u32| {
            let config = format!(r#"{{"eos_token_id": 3, "vocab_size": {width}}}"#);
            fs::write(model.join("config.json"), config).unwrap();
            resolve()
        };
        for (width, files) in [(64, 2), (65, 3), (66, 4), (67, 5)] {
            let changed = configure(width);
            assert_eq!((changed.vocabulary.width(), compiled_files(registry)), (width, files));
            assert!(matches!(changed.cache, Cache::Written(_)));
        }
        assert!(matches!(configure(67).cache, Cache::Read(_)));
    }

    /// Where the files of a tokenizer lie and what they are called does not matter.
    #[test]
    fn equal_contents_are_compiled_once() {
        let Folders { _root: root, registry, model } = &folders();
        let resolve = |path: &Path| registry.resolve(path.to_str().unwrap(), &Overrides::default()).unwrap();
        let first = resolve(model);
        for name in ["another", "model-2"] {
            let copy = root.path().join(name);
            fs::rename(model, &copy).unwrap();
            let again = resolve(&copy);
            assert!(matches!(again.cache, Cache::Read(_)), "{:?}", again.cache);
            assert_eq!((again.name.as_str(), &again.vocabulary), (name, &first.vocabulary));
            fs::rename(&copy, model).unwrap();
        }
        assert_eq!(compiled_files(registry), 1);
    }

    /// The folder has a bound, and what was used last remains.
    #[test]
    fn what_was_used_least_recently_is_removed() {
        let Folders { registry, model, .. } = &folders();
        let configure = |width: u32| {
            let config = format!(r#"{{"eos_token_id": 3, "vocab_size": {width}}}"#);
            fs::write(model.join("config.json"), config).unwrap();
            registry.resolve(model.to_str().unwrap(), &Overrides::default()).unwrap().cache
        };
        let now = std::time::SystemTime::now();
        for width in 0..40 {
            let Cache::Written(path) = configure(100 + width) else { panic!("built") };
            let used = now - std::time::Duration::from_secs(3600 * u64::from(100 - width));
            fs::File::options().append(true).open(path).unwrap().set_modified(used).unwrap();
        }
        assert_eq!(compiled_files(registry), 32);
        // The ninth is the oldest that is left, and its use is noted.
        assert!(matches!(configure(108), Cache::Read(_)));
        assert!(matches!(configure(200), Cache::Written(_)));
        assert!(matches!(configure(108), Cache::Read(_)));
        assert!(matches!(configure(109), Cache::Written(_)));
        assert_eq!(
            (registry.compiled().len(), registry.clean().len(), compiled_files(registry)),
            (32, 32, 0)
        );
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_not_an_error() {
        let Folders { _root: root, model, .. } = &folders();
        let blocked = root.path().join("blocked");
        fs::write(&blocked, "a file").unwrap();
        let resolved =
            Registry::new(blocked).resolve(model.to_str().unwrap(), &Overrides::default()).unwrap();
        assert!(matches!(resolved.cache, Cache::Unavailable(_)));
    }

    #[test]
    fn an_imported_vocabulary_does_not_need_its_source() {
        let Folders { registry, model, .. } = &folders();
        let overrides = Overrides { width: Some(32), end_tokens: vec!["<e>".to_owned(), "2".to_owned()] };
        registry.import(model, "mine", &overrides, false).unwrap();
        fs::remove_dir_all(model).unwrap();
        let resolved = registry.resolve("mine", &Overrides::default()).unwrap();
        assert_eq!((resolved.vocabulary.width(), resolved.vocabulary.end_tokens()), (32, &[2, 3][..]));
        assert_eq!(
            resolved.tokenizer(TokenizerOptions::default()).unwrap().tokenize(b"!\"!").unwrap().ids,
            [0, 1, 0]
        );
        assert_eq!(registry.imported(), ["mine"]);
        let hash = resolved.vocabulary.canonical_hash();
        assert_eq!(registry.name_of_tokens(&hash).as_deref(), Some("mine"));
        assert_eq!(registry.name_of_tokens(&[0; 32]), None);
        registry.remove("mine").unwrap();
        assert_eq!((registry.imported().len(), compiled_files(registry)), (0, 0));
        assert_eq!(registry.remove("mine").unwrap_err().kind, ErrorKind::NotFound);
    }

    #[test]
    fn names_of_imported_vocabularies_are_checked() {
        let Folders { registry, model, .. } = &folders();
        let import =
            |name: &str, replace| registry.import(model, name, &Overrides::default(), replace).map(drop);
        for name in ["", "llama3", "gpt-oss", "../x", "a/b", ".x", "-x", "a b", &"x".repeat(65)] {
            assert_eq!(import(name, false).unwrap_err().kind, ErrorKind::UnusableName, "{name}");
        }
        import("mine", false).unwrap();
        assert_eq!(import("mine", false).unwrap_err().kind, ErrorKind::UnusableName);
        import("mine", true).unwrap();
    }

    #[test]
    fn the_error_for_an_unknown_name_lists_the_known_names() {
        let Folders { registry, model, .. } = &folders();
        registry.import(model, "mine", &Overrides::default(), false).unwrap();
        let error = registry.resolve("lama3", &Overrides::default()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::NotFound);
        assert!(error.help.unwrap().contains("llama3, qwen2.5, qwen3, o200k, o200k_base, cl100k, mine"));
    }

    #[test]
    fn end_tokens_must_be_known() {
        let Folders { registry, model, .. } = &folders();
        let file = model.join("tokenizer.model");
        let resolve = |eos: &[&str]| {
            let end_tokens = eos.iter().map(|&token| token.to_owned()).collect();
            registry.resolve(file.to_str().unwrap(), &Overrides { width: None, end_tokens })
        };
        assert!(resolve(&[]).unwrap_err().help.unwrap().contains("--eos"));
        assert_eq!(resolve(&["2"]).unwrap().vocabulary.end_tokens(), [2]);
        assert_eq!(resolve(&["<e>"]).unwrap_err().kind, ErrorKind::NotFound);
        assert_eq!(resolve(&["9"]).unwrap_err().kind, ErrorKind::Inconsistent);
    }

    /// A compiled vocabulary is written at its place, and not where a link leads that somebody has put there.
    #[cfg(unix)]
    #[test]
    fn links_in_the_folder_are_replaced() {
        let Folders { registry, model, .. } = &folders();
        let name = model.to_str().unwrap();
        let Cache::Written(path) = registry.resolve(name, &Overrides::default()).unwrap().cache else {
            panic!("built")
        };
        let target = model.join("target");
        fs::write(&target, "untouched").unwrap();
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(&target, &path).unwrap();
        let again = registry.resolve(name, &Overrides::default()).unwrap();
        assert!(matches!(&again.cache, Cache::Written(written) if *written == path));
        assert!(fs::symlink_metadata(&path).unwrap().is_file());
        assert_eq!(fs::read(&target).unwrap(), b"untouched");
    }

    #[test]
    fn compiled_files_can_be_resolved() {
        let Folders { registry, model, .. } = &folders();
        let first = registry.resolve(model.to_str().unwrap(), &Overrides::default()).unwrap();
        let Cache::Written(path) = &first.cache else { panic!("built") };
        let again = registry.resolve(path.to_str().unwrap(), &Overrides::default()).unwrap();
        assert_eq!(again.vocabulary, first.vocabulary);
        let tokens = again.tokenizer(TokenizerOptions::default()).unwrap().tokenize(b"!#").unwrap();
        assert_eq!((tokens.ids, tokens.exact), (vec![0, 2], false));
    }

    #[test]
    fn labels_come_from_the_file_or_its_directory() {
        let label = |path: &str| label(Path::new(path));
        assert_eq!(label("/models/foo/tokenizer.json"), "foo");
        assert_eq!(label("/models/bar.tiktoken"), "bar");
        assert_eq!(label("/models/foo/tekken.json"), "tekken");
    }
}
