//! [`Settings`]: end tokens, width and added tokens from the configuration files of a model directory.
//!
//! | file | fields that are read |
//! |---|---|
//! | `generation_config.json` | `eos_token_id`: one id or a list |
//! | `config.json` | `eos_token_id` and `vocab_size`, also inside `text_config` |
//! | `tokenizer_config.json` | `eos_token`, `added_tokens_decoder` |
//!
//! Settings complete the [`Contents`] of the tokenizer file. The end tokens are the ids of `generation_config.json`, or
//! those of `config.json` if it has none, or the special tokens known by name if no file has any; `eos_token` is added in
//! any case. An imported vocabulary has one file `settings.json` instead, which this module writes and reads.

use crate::contents::{Contents, ends_outputs};
use crate::files::read_file;
use gcc_grammar_vocabulary::SpecialToken;
use gcc_grammar_vocabulary::{ErrorKind, Place, VocabularyError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

const GENERATION_CONFIG: &str = "generation_config.json";
const CONFIG: &str = "config.json";
const TOKENIZER_CONFIG: &str = "tokenizer_config.json";
/// The file of an imported vocabulary.
const OWN: &str = "settings.json";

/// The settings of a model. A tokenizer file without configuration files has the default, which changes nothing.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Settings {
    /// The model's vocabulary size; 0 if no file gives it.
    width: u32,
    /// The ids of the end tokens; empty if no file gives them.
    end_ids: Vec<u32>,
    /// The name of an end token.
    end_name: Option<String>,
    /// Tokens that the tokenizer file may lack, by id.
    added: BTreeMap<u32, AddedToken>,
}

#[derive(Deserialize, Default)]
struct GenerationConfig {
    #[serde(default)]
    eos_token_id: Option<Ids>,
}

#[derive(Deserialize, Default)]
struct Config {
    #[serde(default)]
    eos_token_id: Option<Ids>,
    #[serde(default)]
    vocab_size: Option<u32>,
    #[serde(default)]
    text_config: Option<Box<Config>>,
}

#[derive(Deserialize, Default)]
struct TokenizerConfig {
    #[serde(default)]
    eos_token: Option<Name>,
    #[serde(default)]
    added_tokens_decoder: BTreeMap<u32, AddedToken>,
}

/// One id or a list of ids.
#[derive(Deserialize)]
#[serde(untagged)]
enum Ids {
    One(u32),
    Several(Vec<u32>),
}

/// The name of a token, as a string or inside an object.
#[derive(Deserialize)]
#[serde(untagged)]
enum Name {
    Plain(String),
    Token { content: String },
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
struct AddedToken {
    content: String,
    #[serde(default)]
    special: bool,
}

impl Settings {
    /// Reads the configuration files that exist.
    pub(crate) fn read(directory: &Path) -> Result<Self, VocabularyError> {
        let generation: GenerationConfig = read_json(&directory.join(GENERATION_CONFIG))?;
        let config: Config = read_json(&directory.join(CONFIG))?;
        let tokenizer: TokenizerConfig = read_json(&directory.join(TOKENIZER_CONFIG))?;
        let text = config.text_config.map(|text| *text).unwrap_or_default();
        let ids = generation.eos_token_id.or(config.eos_token_id).or(text.eos_token_id);
        Ok(Self {
            width: config.vocab_size.or(text.vocab_size).unwrap_or(0),
            end_ids: ids.map(Ids::into_vec).unwrap_or_default(),
            end_name: tokenizer.eos_token.map(Name::into_string),
            added: tokenizer.added_tokens_decoder,
        })
    }

    /// All files that settings are read from, whether they exist or not.
    pub(crate) fn files(directory: &Path) -> impl Iterator<Item = PathBuf> {
        [GENERATION_CONFIG, CONFIG, TOKENIZER_CONFIG, OWN].map(|name| directory.join(name)).into_iter()
    }

    /// Reads the settings of an imported vocabulary.
    pub(crate) fn read_own(directory: &Path) -> Result<Self, VocabularyError> {
        read_json(&directory.join(OWN))
    }

    /// Writes the settings of an imported vocabulary.
    pub(crate) fn write_own(&self, directory: &Path) -> io::Result<()> {
        std::fs::write(directory.join(OWN), serde_json::to_vec_pretty(self)?)
    }

    /// Sets width and end tokens to these, whatever the configuration files say.
    pub(crate) fn set(&mut self, width: u32, end_tokens: &[u32]) {
        self.width = width;
        self.end_ids = end_tokens.to_vec();
        self.end_name = None;
    }

    /// Completes the contents of the tokenizer file.
    pub(crate) fn apply(&self, contents: &mut Contents) {
        self.add_missing_tokens(contents);
        contents.width = contents.width.max(self.width);
        if !self.end_ids.is_empty() {
            contents.end_tokens.clone_from(&self.end_ids);
        }
        if let Some(name) = &self.end_name {
            let named =
                contents.specials.iter().find(|special| special.text == *name).map(|special| special.id);
            let text =
                || contents.tokens.iter().find(|(_, bytes)| bytes == name.as_bytes()).map(|&(id, _)| id);
            contents.end_tokens.extend(named.or_else(text));
        }
    }

    /// Adds the tokens that the tokenizer file lacks: rank files have no special tokens.
    fn add_missing_tokens(&self, contents: &mut Contents) {
        let text = contents.tokens.iter().map(|&(id, _)| id);
        let known: BTreeSet<u32> = text.chain(contents.specials.iter().map(|special| special.id)).collect();
        for (&id, token) in self.added.iter().filter(|(id, _)| !known.contains(id)) {
            if token.special || ends_outputs(&token.content) {
                contents.specials.push(SpecialToken { id, text: token.content.clone() });
            } else {
                contents.tokens.push((id, token.content.clone().into_bytes()));
                contents.added.push(id);
            }
        }
    }
}

impl Ids {
    fn into_vec(self) -> Vec<u32> {
        match self {
            Self::One(id) => vec![id],
            Self::Several(ids) => ids,
        }
    }
}

impl Name {
    fn into_string(self) -> String {
        match self {
            Self::Plain(text) | Self::Token { content: text } => text,
        }
    }
}

/// Reads a configuration file; a file that does not exist gives the default.
fn read_json<T: DeserializeOwned + Default>(path: &Path) -> Result<T, VocabularyError> {
    match path.try_exists() {
        Ok(false) => return Ok(T::default()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(T::default()),
        Err(error) => return Err(VocabularyError::io(error, "the file cannot be read").in_file(path)),
        Ok(true) => {}
    }
    let data = read_file(path).map_err(|error| error.in_file(path))?;
    serde_json::from_slice(&data).map_err(|error| {
        let message = format!("the configuration file does not have the expected form: {error}");
        VocabularyError::new(ErrorKind::Malformed, message)
            .at(Place::Line(error.line(), error.column()))
            .help("correct the file, or give the tokenizer file instead of the directory")
            .caused_by(error)
            .in_file(path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents() -> Contents {
        let specials =
            [(1, "<s>"), (2, "</s>"), (3, "<x>")].map(|(id, text)| SpecialToken { id, text: text.into() });
        Contents {
            tokens: vec![(0, b"a".to_vec())],
            specials: specials.into(),
            end_tokens: vec![2],
            ..Contents::default()
        }
    }

    fn settings(files: &[(&str, &str)]) -> Result<Settings, VocabularyError> {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(directory.path().join(name), text).unwrap();
        }
        Settings::read(directory.path())
    }

    fn applied(files: &[(&str, &str)]) -> Contents {
        let mut contents = contents();
        settings(files).unwrap().apply(&mut contents);
        contents
    }

    #[test]
    fn without_configuration_files_nothing_changes() {
        assert_eq!(applied(&[]), contents());
    }

    #[test]
    fn end_tokens_come_from_the_first_file_that_has_them() {
        let config = ("config.json", r#"{"eos_token_id": 3, "vocab_size": 64}"#);
        assert_eq!((applied(&[config]).end_tokens, applied(&[config]).width), (vec![3], 64));
        let generation = ("generation_config.json", r#"{"eos_token_id": [1, 2]}"#);
        assert_eq!(applied(&[config, generation]).end_tokens, [1, 2]);
        let nested = ("config.json", r#"{"text_config": {"eos_token_id": 1, "vocab_size": 9}}"#);
        assert_eq!((applied(&[nested]).end_tokens, applied(&[nested]).width), (vec![1], 9));
    }

    #[test]
    fn the_tokenizer_configuration_adds_an_end_token() {
        for name in [r#""<x>""#, r#"{"content": "<x>"}"#] {
            let text = format!(r#"{{"eos_token": {name}}}"#);
            assert_eq!(applied(&[("tokenizer_config.json", &text)]).end_tokens, [2, 3]);
        }
        assert_eq!(applied(&[("tokenizer_config.json", r#"{"eos_token": null}"#)]).end_tokens, [2]);
    }

    #[test]
    fn tokens_that_the_tokenizer_file_lacks_are_added() {
        let added = r#"{"added_tokens_decoder": {"0": {"content": "no"}, "5": {"content": "<y>"},
            "6": {"content": "  "}, "7": {"content": "z", "special": true}}}"#;
        let contents = applied(&[("tokenizer_config.json", added)]);
        assert_eq!(contents.tokens, [(0, b"a".to_vec()), (5, b"<y>".to_vec()), (6, b"  ".to_vec())]);
        assert_eq!(contents.specials.iter().map(|special| special.id).collect::<Vec<_>>(), [1, 2, 3, 7]);
        assert_eq!(contents.added, [5, 6]);
    }

    #[test]
    fn errors_name_file_and_place() {
        let error = settings(&[("config.json", "{\n\"vocab_size\": -1}")]).unwrap_err();
        assert!(error.file.unwrap().ends_with("config.json"));
        assert_eq!(error.place, Some(Place::Line(2, 16)));
    }
}
