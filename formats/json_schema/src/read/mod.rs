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
pub(crate) mod json;
pub(crate) mod keywords;
mod metaschemas;
pub(crate) mod resources;
mod uri;

use crate::options::Options;
use crate::profile;
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
    /// What the profile has read into the schemas.
    pub(crate) profile: profile::Read,
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
pub(crate) fn read(text: &str, options: &Options, budget: &Budget) -> Result<Documents, Vec<Diagnostic>> {
    let one = |error| vec![error];
    let mut values = Values::default();
    let mut root = json::read(&mut values, text, options.limits.max_depth, budget).map_err(one)?;
    let mut given = read_given(&mut values, options, budget).map_err(one)?;
    let profile = read_profile(&mut values, (&mut root, &mut given), options, budget)?;
    let dialect = dialect::dialect(&values, root, &given, options.draft).map_err(one)?;
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
    features.unevaluated |= profile.has_unevaluated();
    let mut documents = Documents {
        root: (resource, root),
        warning: dialect.warning.filter(|_| options.draft.is_none()),
        values,
        resources,
        features,
        profile,
    };
    if documents.values.strings_at("$ref").any(metaschemas::may_be_metaschema) {
        documents.add_metaschemas(options.limits.max_depth, budget).map_err(one)?;
    }
    Ok(documents)
}

/// Replaces the roots of all documents by what the profile reads.
fn read_profile(
    values: &mut Values,
    (root, given): (&mut ValueId, &mut [(String, ValueId)]),
    options: &Options,
    budget: &Budget,
) -> Result<profile::Read, Vec<Diagnostic>> {
    let Some(profile) = options.profile else { return Ok(profile::Read::default()) };
    let mut reading = profile::Reading::new(profile, values, budget);
    *root = reading.document(*root, true);
    given.iter_mut().for_each(|(_, root)| *root = reading.document(*root, false));
    reading.finish()
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
