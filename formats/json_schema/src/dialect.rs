//! What `$schema` says: a draft, or a metaschema of somebody's own.
//!
//! A metaschema that was given along with the schema is read for its `$vocabulary`. Dialects without the standard
//! keywords, or with others that must be understood, are refused: their schemas mean something else.

use super::document::{Value, ValueId, Values};
use super::draft::Draft;
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, Location};

/// The standard vocabularies without which this would be another language.
const NEEDED: [&str; 3] = ["core", "applicator", "validation"];
/// Further standard vocabularies.
const STANDARD: [&str; 6] =
    ["unevaluated", "meta-data", "format", "format-annotation", "format-assertion", "content"];

/// What was found out about the dialect of a schema.
#[derive(Default)]
pub(super) struct Dialect {
    pub(super) draft: Option<Draft>,
    pub(super) warning: Option<Diagnostic>,
}

/// The dialect of a schema. `documents` may be its metaschema, by URI.
pub(super) fn dialect(
    values: &Values,
    root: ValueId,
    documents: &[(String, ValueId)],
) -> Result<Dialect, Diagnostic> {
    let declared = values.member(root, "$schema").and_then(|uri| values.string(uri));
    let Some(uri) = declared else { return Ok(Dialect::default()) };
    if let Some(draft) = Draft::of_uri(uri) {
        return Ok(Dialect { draft: Some(draft), warning: None });
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
    Ok(Dialect { draft: Draft::declared(values, metaschema), warning: None })
}

fn check_vocabularies(values: &Values, metaschema: ValueId) -> Result<(), Diagnostic> {
    let Some(vocabulary) = values.member(metaschema, "$vocabulary") else { return Ok(()) };
    let Value::Object(vocabularies) = values.get(vocabulary) else { return Ok(()) };
    let standard = |uri: &str| {
        let name = uri.strip_prefix("https://json-schema.org/draft/")?.split_once("/vocab/")?.1;
        NEEDED.iter().chain(&STANDARD).copied().find(|&known| known == name)
    };
    let names: Vec<_> = vocabularies.iter().filter_map(|(uri, _)| standard(uri)).collect();
    if let Some(missing) = NEEDED.iter().find(|needed| !names.contains(needed)) {
        return Err(refused(format!("the metaschema leaves out the {missing} vocabulary")));
    }
    let unknown = vocabularies
        .iter()
        .find(|&(uri, required)| standard(uri).is_none() && *values.get(*required) == Value::Bool(true));
    match unknown {
        Some((uri, _)) => Err(refused(format!("the metaschema demands the unknown vocabulary {uri:?}"))),
        None => Ok(()),
    }
}

fn refused(message: String) -> Diagnostic {
    Diagnostic::error(Code::Vocabulary, message).at(place()).help("name a published draft in $schema")
}

fn place() -> Location {
    Location::Pointer("/$schema".to_owned())
}
