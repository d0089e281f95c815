//! From what a user writes after `--vocab` to a vocabulary, compiled once and kept.
//!
//! ```text
//! name ──▶ built-in | imported | compiled file | tokenizer file | model directory ──▶ cache ──▶ overrides ──▶ Resolved
//! ```
//! The folder of a registry holds
//! ```text
//! imported/<name>/             a tokenizer file and settings.json
//! compiled/<name>-<source>-<stamp>.gcv
//! ```
//! A compiled vocabulary is found by its source and a stamp of everything that could change it: sizes and times of
//! the files, version of this crate. Files are written beside their place and renamed, so that several processes may
//! share a folder; what cannot be read or is damaged is built again, and a folder that cannot be written costs only
//! time.

use crate::source::{io_error, read_file};
use crate::{BUILTINS, Builtin, ErrorKind, Source, Tokenizer, TokenizerOptions, Vocabulary, VocabularyError};
use gcc_grammar_artifact::container::MAGIC;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Part of the stamp: raised whenever the same files give another vocabulary than before.
const RULES: &str = concat!(env!("CARGO_PKG_VERSION"), " 2");
const LONGEST_NAME: usize = 64;

/// Changes to a vocabulary that its source does not know of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overrides {
    /// The width of the mask: the model's vocabulary size.
    pub width: Option<u32>,
    /// The end tokens, each the name of a special token or an id. Empty: as the source has them.
    pub end_tokens: Vec<String>,
}

/// Brings a file into memory for as long as the process runs.
pub type MapFile = fn(&Path) -> std::io::Result<&'static [u8]>;

/// Where vocabularies are kept.
#[derive(Clone, Debug)]
pub struct Registry {
    folder: PathBuf,
    map: Option<MapFile>,
}

/// Where a vocabulary comes from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// It comes with the program.
    Builtin(&'static Builtin),
    /// It was imported; this is its folder.
    Imported(PathBuf),
    /// A tokenizer file or a model directory.
    Source(PathBuf),
    /// A compiled vocabulary.
    Compiled(PathBuf),
}

/// Whether a compiled vocabulary was at hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cache {
    /// It was read from this file.
    Read(PathBuf),
    /// It was built, and kept in this file.
    Written(PathBuf),
    /// It was built, but could not be kept.
    Unavailable(VocabularyError),
}

/// A vocabulary that was asked for.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// A short name for it.
    pub name: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Whether it was at hand.
    pub cache: Cache,
    /// The vocabulary.
    pub vocabulary: Vocabulary,
}

impl Resolved {
    /// What cuts text into tokens of this vocabulary.
    ///
    /// # Errors
    /// The tokenizer file cannot be read, or cannot be used to cut text.
    pub fn tokenizer(&self, options: TokenizerOptions) -> Result<Tokenizer<'_>, VocabularyError> {
        match &self.origin {
            Origin::Builtin(builtin) => Tokenizer::builtin(builtin, &self.vocabulary, options),
            Origin::Imported(path) => Source::open_imported(path)?.tokenizer(&self.vocabulary, options),
            Origin::Source(path) => Source::open(path)?.tokenizer(&self.vocabulary, options),
            Origin::Compiled(_) => Tokenizer::without_file(&self.vocabulary, options),
        }
    }
}

impl Registry {
    /// The registry in this folder, which need not exist yet.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), map: None }
    }

    /// The same, but compiled vocabularies are used where `map` puts them, and not copied. What is mapped must not
    /// change; the registry itself only ever replaces files.
    #[must_use]
    pub fn mapping(self, map: MapFile) -> Self {
        Self { map: Some(map), ..self }
    }

    /// Finds what `name` stands for: a built-in vocabulary, an imported one, a compiled one, a tokenizer file or a model
    /// directory, in this order.
    ///
    /// # Errors
    /// Nothing has this name; its files are not as they should be; the overrides do not fit; no end token is known.
    pub fn resolve(&self, name: &str, overrides: &Overrides) -> Result<Resolved, VocabularyError> {
        let origin = self.find(name)?;
        let (label, vocabulary, cache) = match &origin {
            Origin::Builtin(builtin) => self.builtin(builtin)?,
            Origin::Imported(path) => self.cached(name, path, &Source::open_imported)?,
            Origin::Source(path) => self.cached(&label(path), path, &Source::open)?,
            Origin::Compiled(path) => (label(path), self.read_compiled(path)?, Cache::Read(path.clone())),
        };
        let vocabulary = apply(vocabulary, overrides)?;
        Ok(Resolved { name: label, origin, cache, vocabulary })
    }

    /// The names of the imported vocabularies, sorted.
    #[must_use]
    pub fn imported(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.join("imported"));
        let names =
            entries.into_iter().flatten().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| check_name(name).is_ok()).collect();
        names.sort_unstable();
        names
    }

    /// Keeps a copy of a tokenizer file, or of what matters of a model directory, under a name.
    ///
    /// # Errors
    /// The name is not usable, or in use and not to be replaced; the source is not as it should be; the overrides do
    /// not fit; the folder cannot be written.
    pub fn import(
        &self,
        path: &Path,
        name: &str,
        overrides: &Overrides,
        replace: bool,
    ) -> Result<Resolved, VocabularyError> {
        check_name(name)?;
        let target = self.imported_folder(name);
        if target.exists() && !replace {
            let message = format!("a vocabulary named {name} was imported before");
            return Err(VocabularyError::new(ErrorKind::UnusableName, message)
                .help("choose another name, or replace it with --force"));
        }
        let mut source = Source::open(path)?;
        let vocabulary = apply(source.vocabulary()?, overrides)?;
        source.fix(vocabulary.width(), vocabulary.end_tokens());
        self.write_import(&source, &target)
            .map_err(|error| io_error(error, "cannot import").in_file(&target))?;
        self.resolve(name, &Overrides::default())
    }

    /// Removes an imported vocabulary.
    ///
    /// # Errors
    /// There is none of this name, or it cannot be removed.
    pub fn remove(&self, name: &str) -> Result<(), VocabularyError> {
        check_name(name)?;
        let folder = self.imported_folder(name);
        if !folder.is_dir() {
            return Err(self.not_found(name));
        }
        remove_other_stamps(&self.compiled_folder(), &prefix(name, &folder), None);
        std::fs::remove_dir_all(&folder).map_err(|error| io_error(error, "cannot be removed").in_file(folder))
    }

    fn imported_folder(&self, name: &str) -> PathBuf {
        self.folder.join("imported").join(name)
    }

    fn compiled_folder(&self) -> PathBuf {
        self.folder.join("compiled")
    }

    fn find(&self, name: &str) -> Result<Origin, VocabularyError> {
        if let Some(builtin) = Builtin::find(name) {
            return Ok(Origin::Builtin(builtin));
        }
        if check_name(name).is_ok() && self.imported_folder(name).is_dir() {
            return Ok(Origin::Imported(self.imported_folder(name)));
        }
        let path = Path::new(name);
        if !path.exists() {
            return Err(self.not_found(name));
        }
        let compiled = path.is_file() && starts_with_magic(path);
        Ok(if compiled { Origin::Compiled(path.to_owned()) } else { Origin::Source(path.to_owned()) })
    }

    fn not_found(&self, name: &str) -> VocabularyError {
        let builtin = BUILTINS.iter().map(|builtin| builtin.name.to_owned());
        let names: Vec<String> = builtin.chain(self.imported()).collect();
        let message = format!("no vocabulary, file or directory is named {name}");
        VocabularyError::new(ErrorKind::NotFound, message).help(format!(
            "known names are {}; or give a tokenizer file or a model directory",
            names.join(", ")
        ))
    }

    fn builtin(&self, builtin: &Builtin) -> Result<(String, Vocabulary, Cache), VocabularyError> {
        let prefix = format!("{}-builtin-", builtin.name);
        let (vocabulary, cache) =
            self.through_cache(&prefix, &stamp(&[]), || builtin.contents().into_vocabulary())?;
        Ok((builtin.name.to_owned(), vocabulary, cache))
    }

    fn cached(
        &self,
        label: &str,
        path: &Path,
        open: &dyn Fn(&Path) -> Result<Source, VocabularyError>,
    ) -> Result<(String, Vocabulary, Cache), VocabularyError> {
        let build = || open(path)?.vocabulary();
        let stamp = stamp(&Source::files(path)?);
        let (vocabulary, cache) = self.through_cache(&prefix(label, path), &stamp, build)?;
        Ok((label.to_owned(), vocabulary, cache))
    }

    /// The vocabulary in the file `prefix` + `stamp`, which is made if need be; other stamps are removed then.
    fn through_cache(
        &self,
        prefix: &str,
        stamp: &str,
        build: impl FnOnce() -> Result<Vocabulary, VocabularyError>,
    ) -> Result<(Vocabulary, Cache), VocabularyError> {
        let folder = self.compiled_folder();
        let path = folder.join(format!("{prefix}{stamp}.gcv"));
        if let Ok(vocabulary) = self.read_compiled(&path) {
            return Ok((vocabulary, Cache::Read(path)));
        }
        let vocabulary = build()?;
        let cache = match write_file(&path, &vocabulary.to_artifact()) {
            Ok(()) => {
                remove_other_stamps(&folder, prefix, Some(&path));
                Cache::Written(path)
            }
            Err(error) => Cache::Unavailable(io_error(error, "cannot be written").in_file(path)),
        };
        Ok((vocabulary, cache))
    }

    fn read_compiled(&self, path: &Path) -> Result<Vocabulary, VocabularyError> {
        let read = || match self.map {
            Some(map) => {
                Vocabulary::in_artifact(map(path).map_err(|error| io_error(error, "cannot be read"))?)
            }
            None => Vocabulary::from_artifact(&read_file(path)?),
        };
        read().map_err(|error| error.in_file(path))
    }

    /// Fills a new folder and puts it in the place of the old one.
    fn write_import(&self, source: &Source, target: &Path) -> std::io::Result<()> {
        let parent = self.folder.join("imported");
        std::fs::create_dir_all(&parent)?;
        let fresh = tempfile::Builder::new().prefix(".import-").tempdir_in(&parent)?;
        source.write(fresh.path())?;
        if target.exists() {
            std::fs::remove_dir_all(target)?;
        }
        std::fs::rename(fresh.path(), target)
    }
}

/// Names of imported vocabularies become names of folders.
fn check_name(name: &str) -> Result<(), VocabularyError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let usable = !name.is_empty()
        && name.len() <= LONGEST_NAME
        && !name.starts_with(['.', '-'])
        && name.chars().all(plain);
    let error =
        |message: String, help: &str| Err(VocabularyError::new(ErrorKind::UnusableName, message).help(help));
    if !usable {
        return error(
            format!("{name:?} cannot be the name of a vocabulary"),
            "use up to 64 letters, digits, '.', '_' and '-', and begin with a letter, a digit or '_'",
        );
    }
    if Builtin::find(name).is_some() {
        return error(format!("{name} is a built-in vocabulary"), "choose another name");
    }
    Ok(())
}

/// The vocabulary with the overrides; it has an end token then.
fn apply(mut vocabulary: Vocabulary, overrides: &Overrides) -> Result<Vocabulary, VocabularyError> {
    if let Some(width) = overrides.width {
        vocabulary = vocabulary.with_width(width)?;
    }
    if !overrides.end_tokens.is_empty() {
        let ids = overrides.end_tokens.iter().map(|token| end_token(token, &vocabulary));
        let ids = ids.collect::<Result<_, _>>()?;
        vocabulary = vocabulary.with_end_tokens(ids)?;
    }
    if vocabulary.end_tokens().is_empty() {
        let message = "no end token is known for the vocabulary, so no output could ever end";
        return Err(VocabularyError::new(ErrorKind::Inconsistent, message)
            .help("name the end tokens with --eos, or give the model directory with its configurations"));
    }
    Ok(vocabulary)
}

fn end_token(token: &str, vocabulary: &Vocabulary) -> Result<u32, VocabularyError> {
    vocabulary.special(token).or_else(|| token.parse().ok()).ok_or_else(|| {
        let message = format!("{token:?} is neither a special token of the vocabulary nor an id");
        let some: Vec<&str> =
            vocabulary.specials().iter().map(|special| special.text.as_str()).take(8).collect();
        VocabularyError::new(ErrorKind::NotFound, message)
            .help(format!("its special tokens begin with {}; ids work for all tokens", some.join(", ")))
    })
}

/// A short name for a path.
fn label(path: &Path) -> String {
    let own = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let directory = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // "tokenizer" says nothing; the directory it lies in usually does.
    match own(&path).filter(|stem| !path.is_dir() && !stem.starts_with("tokenizer")) {
        Some(stem) => stem,
        None if path.is_dir() => directory(&path).unwrap_or_default(),
        None => path.parent().and_then(directory).unwrap_or_default(),
    }
}

/// What the names of compiled files begin with: a readable part, and which source it is.
fn prefix(label: &str, path: &Path) -> String {
    let readable: String =
        label.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' }).take(32).collect();
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    format!("{readable}-{}-", short_hash(&[path.as_os_str().as_encoded_bytes()]))
}

/// Everything that could change the vocabulary made of these files.
fn stamp(files: &[PathBuf]) -> String {
    let describe = |path: &PathBuf| {
        let metadata = path.metadata().ok();
        let modified = metadata.as_ref().and_then(|metadata| metadata.modified().ok());
        format!("{} {:?} {modified:?}", path.display(), metadata.map(|metadata| metadata.len()))
    };
    let described: Vec<String> = files.iter().map(describe).collect();
    let mut parts: Vec<&[u8]> = vec![RULES.as_bytes()];
    parts.extend(described.iter().map(|part| part.as_bytes()));
    short_hash(&parts)
}

fn short_hash(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().take(8).fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn starts_with_magic(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    let read =
        std::fs::File::open(path).and_then(|mut file| std::io::Read::read_exact(&mut file, &mut start));
    read.is_ok() && start == MAGIC
}

/// Writes beside the place, then renames.
fn write_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

/// What cannot be removed stays; it is never read again.
fn remove_other_stamps(folder: &Path, prefix: &str, keep: Option<&Path>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()).filter(|path| Some(path.as_path()) != keep) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.starts_with(prefix) && name.ends_with(".gcv") {
            let _ = std::fs::remove_file(path);
        }
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
            r#"{"added_tokens_decoder": {"3": {"content": "<e>"}}}"#,
        )
        .unwrap();
        fs::write(model.join("config.json"), r#"{"eos_token_id": 3, "vocab_size": 8}"#).unwrap();
        Folders { registry: Registry::new(root.path().join("registry")), _root: root, model }
    }

    fn compiled_files(registry: &Registry) -> usize {
        fs::read_dir(registry.compiled_folder()).unwrap().count()
    }

    #[test]
    fn built_once_then_read() {
        let Folders { registry, model, .. } = &folders();
        let name = model.to_str().unwrap();
        let first = registry.resolve(name, &Overrides::default()).unwrap();
        let second = registry.resolve(name, &Overrides::default()).unwrap();
        assert!(matches!((&first.cache, &second.cache), (Cache::Written(a), Cache::Read(b)) if a == b));
        assert_eq!((first.name.as_str(), first.vocabulary.width()), ("model", 8));
        assert_eq!(first.vocabulary, second.vocabulary);
    }

    #[test]
    fn stale_and_damaged_files_are_built_again() {
        let Folders { registry, model, .. } = &folders();
        check_rebuilding(registry, model);
    }

    #[test]
    fn what_is_mapped_is_the_same() {
        let Folders { registry, model, .. } = &folders();
        let mapping = registry.clone().mapping(|path| Ok(fs::read(path)?.leak()));
        let resolve =
            |registry: &Registry| registry.resolve(model.to_str().unwrap(), &Overrides::default()).unwrap();
        let built = resolve(&mapping).vocabulary;
        assert!(matches!(resolve(&mapping).cache, Cache::Read(_)));
        assert_eq!((&resolve(&mapping).vocabulary, &resolve(registry).vocabulary), (&built, &built));
        fs::remove_dir_all(registry.compiled_folder()).unwrap();
        check_rebuilding(&mapping, model);
    }

    fn check_rebuilding(registry: &Registry, model: &Path) {
        let name = model.to_str().unwrap();
        let resolve = || registry.resolve(name, &Overrides::default()).unwrap();
        let Cache::Written(path) = resolve().cache else { panic!("built") };
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        assert_eq!(resolve().cache, Cache::Written(path));
        fs::write(model.join("config.json"), r#"{"eos_token_id": 3, "vocab_size": 64}"#).unwrap();
        let changed = resolve();
        assert_eq!((changed.vocabulary.width(), compiled_files(registry)), (64, 1));
        assert!(matches!(changed.cache, Cache::Written(_)));
    }

    #[test]
    fn a_folder_that_cannot_be_written_costs_only_time() {
        let Folders { _root: root, model, .. } = &folders();
        let blocked = root.path().join("blocked");
        fs::write(&blocked, "a file").unwrap();
        let resolved =
            Registry::new(blocked).resolve(model.to_str().unwrap(), &Overrides::default()).unwrap();
        assert!(matches!(resolved.cache, Cache::Unavailable(_)));
    }

    #[test]
    fn imported_with_overrides_it_needs_its_source_no_more() {
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
        registry.remove("mine").unwrap();
        assert_eq!((registry.imported().len(), compiled_files(registry)), (0, 0));
        assert_eq!(registry.remove("mine").unwrap_err().kind, ErrorKind::NotFound);
    }

    #[test]
    fn names_are_kept_apart() {
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
    fn unknown_names_get_advice() {
        let Folders { registry, model, .. } = &folders();
        registry.import(model, "mine", &Overrides::default(), false).unwrap();
        let error = registry.resolve("lama3", &Overrides::default()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::NotFound);
        assert!(error.help.unwrap().contains("llama3, qwen2.5, o200k, cl100k, mine"));
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

    #[test]
    fn compiled_files_are_vocabularies_too() {
        let Folders { registry, model, .. } = &folders();
        let first = registry.resolve(model.to_str().unwrap(), &Overrides::default()).unwrap();
        let Cache::Written(path) = &first.cache else { panic!("built") };
        let again = registry.resolve(path.to_str().unwrap(), &Overrides::default()).unwrap();
        assert_eq!(again.vocabulary, first.vocabulary);
        let tokens = again.tokenizer(TokenizerOptions::default()).unwrap().tokenize(b"!#").unwrap();
        assert_eq!((tokens.ids, tokens.exact), (vec![0, 2], false));
    }

    #[test]
    fn labels_are_short_and_telling() {
        let label = |path: &str| label(Path::new(path));
        assert_eq!(label("/models/foo/tokenizer.json"), "foo");
        assert_eq!(label("/models/bar.tiktoken"), "bar");
        assert_eq!(label("/models/foo/tekken.json"), "tekken");
    }
}
