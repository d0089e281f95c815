//! The dialect that `$schema` names: a published draft, or a metaschema that was given along with the schema.
//!
//! The `$vocabulary` of such a metaschema is checked. A dialect that leaves out standard keywords, or that
//! requires unknown ones, is refused, because its schemas have another meaning than the one that is compiled
//! here.

use super::document::{Value, ValueId, Values};
use crate::draft::Draft;
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, Location};

/// The vocabularies that every supported dialect has.
const REQUIRED: [&str; 3] = ["core", "applicator", "validation"];
/// The other standard vocabularies.
const OPTIONAL: [&str; 6] =
    ["unevaluated", "meta-data", "format", "format-annotation", "format-assertion", "content"];

/// The dialect of a schema.
#[derive(Default)]
pub(super) struct Dialect {
    pub(super) draft: Option<Draft>,
    pub(super) warning: Option<Diagnostic>,
}

/// The drafts before those that are read, as URIs name them.
const OLD: [&str; 4] = [
    "json-schema.org/draft-00",
    "json-schema.org/draft-01",
    "json-schema.org/draft-02",
    "json-schema.org/draft-03",
];
const HELP_FOR_OLD: &str = "write a later draft: required lists keys beside properties, disallow is not, extends is allOf, divisibleBy is multipleOf; --draft 4 (Python: draft=\"4\") reads it as draft 4, without the keywords that are not in it";

/// Finds the dialect of a schema, for which a draft may have been chosen. `documents` are the given documents by URI; one of them may be its
/// metaschema.
pub(super) fn dialect(
    values: &Values,
    root: ValueId,
    documents: &[(String, ValueId)],
    chosen: Option<Draft>,
) -> Result<Dialect, Diagnostic> {
    let declared = values.member(root, "$schema").and_then(|uri| values.string(uri));
    let Some(uri) = declared else { return Ok(Dialect::default()) };
    if let Some(draft) = Draft::from_uri(uri) {
        return Ok(Dialect { draft: Some(draft), warning: None });
    }
    if let Some(old) = OLD.iter().find(|old| uri.contains(**old)).filter(|_| chosen.is_none()) {
        let message = format!("$schema names {old}, which is not read: its keywords have other meanings");
        let error = Diagnostic::error(Code::UnknownDialect, message).at(place());
        return Err(error.help(HELP_FOR_OLD));
    }
    let name = uri.trim_end_matches('#');
    let given = documents.iter().find(|(uri, _)| uri.trim_end_matches('#') == name);
    let Some(&(_, metaschema)) = given else {
        let message = format!("$schema names the unknown dialect {uri:?}; the keywords of all drafts count");
        let warning = Diagnostic::warning(Code::UnknownDialect, message).at(place());
        let warning = warning.help("name a published draft, or give the metaschema with --resource URI=FILE");
        return Ok(Dialect { draft: None, warning: Some(warning) });
    };
    check_vocabularies(values, metaschema)?;
    Ok(Dialect { draft: declared_draft(values, metaschema), warning: None })
}

/// The draft that the `$schema` member of a value names, if it is a published one.
pub(super) fn declared_draft(values: &Values, root: ValueId) -> Option<Draft> {
    Draft::from_uri(values.string(values.member(root, "$schema")?)?)
}

/// Refuses metaschemas whose vocabularies are not those of a published draft.
fn check_vocabularies(values: &Values, metaschema: ValueId) -> Result<(), Diagnostic> {
    let Some(vocabulary) = values.member(metaschema, "$vocabulary") else { return Ok(()) };
    let Value::Object(vocabularies) = values.get(vocabulary) else { return Ok(()) };
    let standard = |uri: &str| {
        let name = uri.strip_prefix("https://json-schema.org/draft/")?.split_once("/vocab/")?.1;
        REQUIRED.iter().chain(&OPTIONAL).copied().find(|&known| known == name)
    };
    let names: Vec<_> = vocabularies.iter().filter_map(|(uri, _)| standard(uri)).collect();
    if let Some(missing) = REQUIRED.iter().find(|name| !names.contains(name)) {
        return Err(refused(format!("the metaschema leaves out the {missing} vocabulary")));
    }
    let unknown = vocabularies
        .iter()
        .find(|&(uri, required)| standard(uri).is_none() && *values.get(*required) == Value::Bool(true));
    match unknown {
        Some((uri, _)) => Err(refused(format!("the metaschema requires the unknown vocabulary {uri:?}"))),
        None => Ok(()),
    }
}

fn refused(message: String) -> Diagnostic {
    Diagnostic::error(Code::Vocabulary, message).at(place()).help("name a published draft in $schema")
}

fn place() -> Location {
    Location::Pointer("/$schema".to_owned())
}
