//! Reading: from the texts of a schema and its documents to values in which references can be resolved.
//!
//! ```text
//! text ──json──▶ document ──dialect──▶ draft ──resources──▶ places that references lead to
//! ```
//! After this, all documents are in one store of values, equal values are shared, every resource and anchor
//! is registered, and the draft of each resource is known. The meaning of keywords is not looked at yet.
//!
//! | file | job |
//! |---|---|
//! | `decimal` | exact numbers |
//! | `document` | the store of values |
//! | `json` | the reader of JSON text |
//! | `keywords` | which keywords contain subschemas |
//! | `uri` | resolution of relative URIs |
//! | `dialect` | what `$schema` names |
//! | `resources` | what references lead to |
//! | `metaschemas` | the published metaschemas |

pub(crate) mod decimal;
mod dialect;
pub(crate) mod document;
mod json;
pub(crate) mod keywords;
mod metaschemas;
pub(crate) mod resources;
mod uri;

use crate::options::Options;
use document::{ValueId, Values};
use gcc_grammar_ir::Diagnostic;
use gcc_grammar_limits::Budget;
use resources::{Place, Resources};

/// A schema and all documents that it may refer to.
pub(crate) struct Documents {
    pub(crate) values: Values,
    pub(crate) resources: Resources,
    /// The schema that is compiled.
    pub(crate) root: Place,
    pub(crate) features: Features,
    /// A remark on the dialect.
    pub(crate) warning: Option<Diagnostic>,
}

/// Keywords whose support takes time even where no schema uses them. False means that no document has the
/// keyword.
#[derive(Clone, Copy, Default)]
pub(crate) struct Features {
    /// `$dynamicRef` or `$recursiveRef`.
    pub(crate) dynamic: bool,
    /// `unevaluatedProperties` or `unevaluatedItems`.
    pub(crate) unevaluated: bool,
}

impl Features {
    /// Adds the keywords that a document may have, judged by its text.
    fn add(&mut self, text: &str) {
        let escapes = text.contains("\\u");
        self.dynamic |= escapes || text.contains("$dynamicRef") || text.contains("$recursiveRef");
        self.unevaluated |= escapes || text.contains("unevaluated");
    }
}

/// Reads a schema and the documents in the options. The metaschemas are added if some reference may lead to
/// one.
pub(crate) fn read(text: &str, options: &Options, budget: &Budget) -> Result<Documents, Diagnostic> {
    let mut values = Values::default();
    let root = json::read(&mut values, text, options.limits.max_depth, budget)?;
    let given = read_given(&mut values, options, budget)?;
    let dialect = dialect::dialect(&values, root, &given)?;
    let draft = options.draft.or(dialect.draft);
    let mut resources = Resources::default();
    let mut features = Features::default();
    let resource = resources.add(&values, root, "", draft, may_have_ids(text));
    features.add(text);
    for ((uri, root), (_, text)) in given.iter().zip(&options.resources) {
        let draft = dialect::declared_draft(&values, *root).or(draft);
        resources.add(&values, *root, uri, draft, may_have_ids(text));
        features.add(text);
    }
    let mut documents = Documents {
        root: (resource, root),
        warning: dialect.warning.filter(|_| options.draft.is_none()),
        values,
        resources,
        features,
    };
    if documents.values.strings_at("$ref").any(metaschemas::may_be_metaschema) {
        documents.add_metaschemas(options.limits.max_depth, budget)?;
    }
    Ok(documents)
}

/// Reads the documents that were given along with the schema.
fn read_given(
    values: &mut Values,
    options: &Options,
    budget: &Budget,
) -> Result<Vec<(String, ValueId)>, Diagnostic> {
    let read = |(uri, text): &(String, String)| {
        let root = json::read(values, text, options.limits.max_depth, budget);
        let root = root.map_err(|error| Diagnostic {
            message: format!("in the document <{uri}>: {}", error.message),
            ..error
        })?;
        Ok((uri.clone(), root))
    };
    options.resources.iter().map(read).collect()
}

impl Documents {
    fn add_metaschemas(&mut self, max_depth: usize, budget: &Budget) -> Result<(), Diagnostic> {
        for metaschema in &metaschemas::ALL {
            let root = json::read(&mut self.values, metaschema.text, max_depth, budget)?;
            self.resources.add(&self.values, root, metaschema.uri, Some(metaschema.draft), true);
            self.features.add(metaschema.text);
        }
        Ok(())
    }
}

/// Whether there may be identifiers or anchors in the text.
fn may_have_ids(text: &str) -> bool {
    ["id\"", "nchor\"", "\\u"].iter().any(|part| text.contains(part))
}
