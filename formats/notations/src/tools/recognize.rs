//! Which family a model writes: told by its name, its chat template, or a description of the family.

use super::family::{Family, named, wrong};
use super::{marks, models};
use gcc_grammar_ir::Diagnostic;
use std::borrow::Cow;

/// The family of a model: by its name, its chat template or a document with it, or as a JSON object describes it.
///
/// # Errors
/// It is not known, or described wrongly.
pub(super) fn of(model: &str) -> Result<Cow<'static, Family>, Diagnostic> {
    if marks::is_template(model) {
        return marks::of_template(model).map(Cow::Borrowed);
    }
    if model.trim_start().starts_with('{') {
        return described(model);
    }
    if let Some(family) = named(model) {
        return Ok(Cow::Borrowed(family));
    }
    models::find(model).ok_or_else(|| models::unknown(model))?.family(model).map(Cow::Borrowed)
}

/// The family that a JSON object describes, or whose chat template it has.
fn described(text: &str) -> Result<Cow<'static, Family>, Diagnostic> {
    let family = match serde_json::from_str::<Family>(text) {
        Ok(family) => family,
        Err(error) => {
            return match marks::of_document(text) {
                Ok(Some(family)) => Ok(Cow::Borrowed(family)),
                Err(error) if HAS_TEMPLATE.iter().any(|member| text.contains(member)) => Err(error),
                _ => Err(wrong(error.to_string())),
            };
        }
    };
    family.check()?;
    Ok(Cow::Owned(family))
}

/// Members of documents with a chat template.
const HAS_TEMPLATE: [&str; 2] = ["\"chat_template\"", "\"default_vocab_size\""];

impl Family {
    /// The special tokens that its models have for calls, as far as it is known. Without them, a vocabulary is not that of such a model.
    #[must_use]
    pub fn tokens(&self) -> &'static [String] {
        models::tokens(&self.name)
    }
}
