//! Tokenizes with the crate `tokenizers`, set up so that the ids spell the text as it is.
//!
//! The input is a `tokenizer.json`. Before the crate reads the file, this module removes everything that would change the
//! text: normalizers except plain replacements (which decoding undoes), prefixes, template tokens, and added tokens that
//! are special in the vocabulary. For prompts, only template tokens are removed. The large parts of the file, tokens and
//! merges, are passed on without being parsed.
//!
//! The crate panics on some damaged files (0.23: a merge that is longer than every token). Calls to it catch panics, so
//! that these become errors.

use super::options::TokenizerOptions;
use gcc_grammar_vocabulary::Vocabulary;
use gcc_grammar_vocabulary::{ErrorKind, VocabularyError};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A tokenizer of the crate `tokenizers`.
pub(super) struct HuggingFace(Box<tokenizers::Tokenizer>);

impl HuggingFace {
    /// Reads a `tokenizer.json`.
    ///
    /// # Errors
    /// The file is damaged, or the crate does not support it.
    pub(super) fn read(
        data: &[u8],
        vocabulary: &Vocabulary,
        options: TokenizerOptions,
    ) -> Result<Self, VocabularyError> {
        let edited = edit(data, vocabulary, options).map_err(|error| unusable(error.into()))?;
        // Parsing from a string is not generic, so it is compiled in the other crate and not again in this one.
        let mut tokenizer = catch_panic(|| edited.parse::<tokenizers::Tokenizer>())
            .unwrap_or_else(|| Err("the file is damaged".into()))
            .map_err(unusable)?;
        tokenizer.set_encode_special_tokens(options.prompt && !options.special_names);
        Ok(Self(Box::new(tokenizer)))
    }

    /// The ids of a text; `None` if the crate fails.
    pub(super) fn encode(&self, text: &str) -> Option<Vec<u32>> {
        let encoding = catch_panic(|| self.0.encode_fast(text, false))?.ok()?;
        Some(encoding.get_ids().to_vec())
    }
}

/// Calls a function; `None` if it panics. This is unwind safe because callers drop the values that the function has
/// changed, and keep only values that it has read.
fn catch_panic<T>(call: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(call)).ok()
}

fn unusable(error: tokenizers::Error) -> VocabularyError {
    let message = format!("the tokenizer file cannot be used to tokenize text: {error}");
    VocabularyError::new(ErrorKind::Unsupported, message)
        .help("give token ids instead of text")
        .caused_by(error)
}

/// Removes everything that would change the text from a `tokenizer.json`, or, for a prompt, what does not belong to the text.
fn edit(
    data: &[u8],
    vocabulary: &Vocabulary,
    options: TokenizerOptions,
) -> Result<String, serde_json::Error> {
    let mut file: BTreeMap<String, Box<RawValue>> = serde_json::from_slice(data)?;
    let mut replace = |key: &str, edit: &dyn Fn(Value) -> Value| -> Result<(), serde_json::Error> {
        if let Some(part) = file.get_mut(key) {
            *part = to_raw_value(&edit(serde_json::from_str(part.get())?))?;
        }
        Ok(())
    };
    if !options.prompt {
        replace("normalizer", &keep_replacements)?;
        replace("pre_tokenizer", &without_prefix)?;
        replace("added_tokens", &|part| only_text(part, vocabulary))?;
    }
    for unused in ["post_processor", "truncation", "padding"] {
        replace(unused, &|_| Value::Null)?;
    }
    serde_json::to_string(&file)
}

/// The type of a normalizer or pre-tokenizer.
fn kind(step: &Value) -> &str {
    step["type"].as_str().unwrap_or_default()
}

/// Removes all normalizers except replacements.
fn keep_replacements(mut normalizer: Value) -> Value {
    match kind(&normalizer) {
        "Sequence" => {
            if let Some(steps) = normalizer["normalizers"].as_array_mut() {
                let kept = steps.drain(..).map(keep_replacements);
                let kept: Vec<Value> = kept.filter(|step| !step.is_null()).collect();
                *steps = kept;
            }
            normalizer
        }
        "Replace" => normalizer,
        _ => Value::Null,
    }
}

/// Removes the space that a pre-tokenizer puts in front of the text.
fn without_prefix(mut pre_tokenizer: Value) -> Value {
    match kind(&pre_tokenizer) {
        "Sequence" => {
            if let Some(steps) = pre_tokenizer["pretokenizers"].as_array_mut() {
                steps.iter_mut().for_each(|step| *step = without_prefix(step.take()));
            }
        }
        "ByteLevel" => pre_tokenizer["add_prefix_space"] = Value::Bool(false),
        "Metaspace" => {
            pre_tokenizer["prepend_scheme"] = Value::String("never".to_owned());
            if let Some(fields) = pre_tokenizer.as_object_mut() {
                fields.remove("add_prefix_space");
            }
        }
        _ => {}
    }
    pre_tokenizer
}

/// Removes the added tokens that are not text tokens of the vocabulary.
fn only_text(added: Value, vocabulary: &Vocabulary) -> Value {
    let Value::Array(mut tokens) = added else { return added };
    tokens.retain(|token| {
        let id = token["id"].as_u64().and_then(|id| u32::try_from(id).ok());
        id.is_some_and(|id| vocabulary.bytes(id).is_some())
    });
    Value::Array(tokens)
}
