//! Which family a model writes: told by its name, its chat template, or a description of the family.

use super::builtin::named;
use super::family::Family;
use super::{description, marks, models};
use gcc_grammar_ir::Diagnostic;
use std::borrow::Cow;

/// The family of a model: by its name, its chat template or a document with it, or as a JSON object describes it.
///
/// # Errors
/// It is not known, or described wrongly.
pub(super) fn of(model: &str) -> Result<Cow<'static, Family>, Diagnostic> {
    if marks::is_template(model) {
        return marks::of_template(model, None).map(Cow::Borrowed);
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
    let is_of_model =
        !description::is_description(text) && HAS_TEMPLATE.iter().any(|member| text.contains(member));
    if is_of_model && let Some(family) = marks::of_document(text, None)? {
        return Ok(Cow::Borrowed(family));
    }
    description::one(text).map(Cow::Owned).map_err(description::in_options)
}

/// Members of documents with a chat template.
const HAS_TEMPLATE: [&str; 2] = ["\"chat_template\"", "\"default_vocab_size\""];
