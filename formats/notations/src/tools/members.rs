//! Members of objects that are not known, with those that are meant.

use crate::structural_tag::json::{Object, listed, words};
use gcc_grammar_ir::Diagnostic;
use gcc_grammar_ir::spelling::similar;

/// The advice "did you mean …?", if a known name is near.
pub(super) fn nearly<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> String {
    similar(name, known).map_or_else(String::new, |meant| format!("did you mean {meant}? "))
}

/// An error if an object has other members. `what` is the object, as in "this choice".
pub(super) fn known_members(object: &Object<'_>, members: &str, what: &str) -> Result<(), Diagnostic> {
    let Some(other) = object.names().find(|name| words(members).all(|known| known != *name)) else {
        return Ok(());
    };
    let advice = nearly(other, words(members));
    let error = object.error(other, format!("{what} has no member {other:?}"));
    Err(error.help(format!("{advice}The members are {}", listed(members))))
}
