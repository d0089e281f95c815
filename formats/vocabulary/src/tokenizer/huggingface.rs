//! The crate `tokenizers`, set up so that ids spell the text as it is.
//!
//! Before the crate reads the file, what would change the text is taken out of it:
//! normalizers other than plain replacements (which decoding undoes), prefixes, template tokens, and added tokens
//! that are special here. The large parts of the file, tokens and merges, are passed on unread.
//!
//! The crate panics on some damaged files (a merge longer than every token, in 0.23). Calls into it are fenced, so that
//! this is an error like any other.

use crate::{ErrorKind, Vocabulary, VocabularyError};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub(super) struct HuggingFace(Box<tokenizers::Tokenizer>);

impl HuggingFace {
    pub(super) fn read(
        data: &[u8],
        vocabulary: &Vocabulary,
        dummy_prefix: bool,
    ) -> Result<Self, VocabularyError> {
        let edited = edit(data, vocabulary, dummy_prefix).map_err(|error| unusable(error.into()))?;
        let tokenizer = fenced(|| edited.parse::<tokenizers::Tokenizer>())
            .unwrap_or_else(|| Err("the file is damaged".into()))
            .map_err(unusable)?;
        Ok(Self(Box::new(tokenizer)))
    }

    /// `None` if the crate gives up.
    pub(super) fn encode(&self, text: &str) -> Option<Vec<u32>> {
        let encoding = fenced(|| self.0.encode_fast(text, false))?.ok()?;
        Some(encoding.get_ids().to_vec())
    }
}

/// `None` if the call panics. What it worked on is not used any further then, or is only read.
fn fenced<T>(call: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(call)).ok()
}

fn unusable(error: tokenizers::Error) -> VocabularyError {
    let message = format!("the tokenizer cannot be used to cut text: {error}");
    VocabularyError::new(ErrorKind::Unsupported, message)
        .help("tokens can be given by their ids instead")
        .caused_by(error)
}

fn edit(data: &[u8], vocabulary: &Vocabulary, dummy_prefix: bool) -> Result<String, serde_json::Error> {
    let mut file: BTreeMap<String, Box<RawValue>> = serde_json::from_slice(data)?;
    let mut replace = |key: &str, edit: &dyn Fn(Value) -> Value| -> Result<(), serde_json::Error> {
        if let Some(part) = file.get_mut(key) {
            *part = to_raw_value(&edit(serde_json::from_str(part.get())?))?;
        }
        Ok(())
    };
    replace("normalizer", &|part| keep_replacements(part, dummy_prefix))?;
    replace("pre_tokenizer", &|part| if dummy_prefix { part } else { without_prefix(part) })?;
    replace("added_tokens", &|part| only_text(part, vocabulary))?;
    for unused in ["post_processor", "truncation", "padding"] {
        replace(unused, &|_| Value::Null)?;
    }
    serde_json::to_string(&file)
}

fn kind(step: &Value) -> &str {
    step["type"].as_str().unwrap_or_default()
}

fn keep_replacements(mut normalizer: Value, dummy_prefix: bool) -> Value {
    match kind(&normalizer) {
        "Sequence" => {
            if let Some(steps) = normalizer["normalizers"].as_array_mut() {
                let kept = steps.drain(..).map(|step| keep_replacements(step, dummy_prefix));
                let kept: Vec<Value> = kept.filter(|step| !step.is_null()).collect();
                *steps = kept;
            }
            normalizer
        }
        "Replace" => normalizer,
        "Prepend" if dummy_prefix => normalizer,
        _ => Value::Null,
    }
}

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

fn only_text(added: Value, vocabulary: &Vocabulary) -> Value {
    let Value::Array(mut tokens) = added else { return added };
    tokens.retain(|token| {
        let id = token["id"].as_u64().and_then(|id| u32::try_from(id).ok());
        id.is_some_and(|id| vocabulary.bytes(id).is_some())
    });
    Value::Array(tokens)
}
