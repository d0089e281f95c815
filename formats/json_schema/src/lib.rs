//! JSON Schema to a grammar, exactly.
//!
//! ```text
//! text ──document──▶ values ──resolve──▶ resources ──load──▶ schemas ──algebra──▶ nodes with automata
//!      ──graph──▶ reachable, inhabited nodes ──emit──▶ Grammar
//! ```
//! The language of the grammar is the set of all JSON texts whose value is valid under the schema, with these
//! rules about what the schema leaves open:
//! - declared keys come in the order of their declaration, all others after them ([`PropertyOrder`]);
//! - white space is that of common printers ([`Whitespace`]);
//! - strings have every spelling that JSON has ([`Strings`]);
//! - numbers have every spelling if only their sign is restricted, else they are in plain notation, without exponent;
//! - nothing is done about two members with the same undeclared key.
//!
//! What cannot be enforced is an error, or left out and listed in the [`Report`] ([`Unenforced`]).
//!
//! # Glossary
//! - **schema**: a subschema as loaded; equal ones are shared.
//! - **node**: a boolean combination of schemas, the values at one place.
//! - **guard**: the condition that a member's value is valid under a schema.
//! - **letter**: what an automaton of arrays or objects reads: the kind of an item, or of a key and its value.

#![forbid(unsafe_code)]

mod algebra;
pub mod any_object;
mod decimal;
mod dialect;
mod document;
mod draft;
mod emit;
mod format;
mod graph;
mod languages;
mod load;
mod metaschemas;
mod number;
mod options;
mod pattern;
mod report;
mod resolve;
mod schema;
mod signs;
mod space;
mod spell;
mod strings;
mod uri;

pub use draft::Draft;
pub use options::{Formats, InvalidOption, Limits, Options, PropertyOrder, Strings, Unenforced, Whitespace};
pub use report::{Coverage, Entry, Report};

use algebra::Algebra;
use document::{ValueId, Values};
use emit::NoTerminal;
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, Grammar, Location};
use graph::{Graph, Vertex};
use load::{Features, Loader, ScopeId};
use resolve::{ResourceId, Resources};
use schema::SchemaId;

/// A compiled schema.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// Generates the valid texts.
    pub grammar: Grammar,
    /// What became of every keyword.
    pub report: Report,
    /// What the author should know.
    pub warnings: Vec<Diagnostic>,
}

/// Compiles the text of a schema.
pub fn compile(text: &str, options: &Options) -> Result<Compiled, Vec<Diagnostic>> {
    let mut values = Values::default();
    let root = values.read(text, options.limits.max_depth).map_err(|error| vec![error])?;
    let mut resources = Resources::default();
    let (resource, warning) = add_resources(&mut values, &mut resources, (root, text), options)?;
    let mut features = Features::default();
    features.add(text);
    options.resources.iter().for_each(|(_, text)| features.add(text));
    if values.texts_of("$ref").any(metaschemas::is_meant) {
        add_metaschemas(&mut values, &mut resources, &mut features, options)?;
    }
    let mut loader = Loader::new(options, values, resources, features);
    loader.warnings.extend(warning);
    let schema = loader.load_at((resource, root), ScopeId::NONE, "");
    if !loader.errors.is_empty() {
        return Err(loader.errors);
    }
    let graph = expand(&mut loader, schema);
    if !loader.errors.is_empty() {
        return Err(loader.errors);
    }
    let graph = graph.map_err(|error| vec![error])?;
    if graph.is_empty(Vertex(0)) {
        return Err(vec![
            Diagnostic::error(Code::Unsatisfiable, "no value is valid under this schema")
                .at(Location::Pointer(String::new()))
                .help("look for keywords that exclude each other"),
        ]);
    }
    let grammar = emit::emit(&graph, &loader.schemas, &mut loader.languages, options);
    let grammar = grammar.map_err(|reason| vec![too_large(&reason, options)])?;
    loader.report.for_every_place(&loader.values, root, &loader.first_pointers);
    Ok(Compiled { grammar, report: loader.report, warnings: loader.warnings })
}

/// What becomes of every keyword of a schema that is refused only because some of them cannot be enforced; `None` if it
/// compiles only with other changes.
pub fn coverage_of_refused(text: &str, options: &Options) -> Option<Report> {
    let options = Options { unenforced: Unenforced::Allow, ..options.clone() };
    let mut report = compile(text, &options).ok()?.report;
    for entry in &mut report.entries {
        if let Coverage::Superset { why, admits } = &mut entry.coverage {
            let help = format!("--unenforced allow leaves it out and admits {admits}");
            entry.coverage = Coverage::Refused { why: std::mem::take(why), help };
        }
    }
    Some(report)
}

fn expand(loader: &mut Loader, schema: SchemaId) -> Result<Graph, Diagnostic> {
    let mut algebra = Algebra::new(loader);
    let root = algebra.node_of(schema);
    Graph::build(&mut algebra, root).map_err(|trouble| trouble.diagnostic())
}

fn too_large(reason: &NoTerminal, options: &Options) -> Diagnostic {
    let message = match reason {
        NoTerminal::TooLarge(reason) => reason.to_string(),
        NoTerminal::TooManyStates => {
            format!("a string needs more than {} automaton states", options.limits.max_terminal_states)
        }
    };
    Diagnostic::error(Code::TooLarge, message).help("use smaller bounds or simpler patterns")
}

/// Registers the schema and the documents given along with it.
fn add_resources(
    values: &mut Values,
    resources: &mut Resources,
    (root, text): (ValueId, &str),
    options: &Options,
) -> Result<(ResourceId, Option<Diagnostic>), Vec<Diagnostic>> {
    let mut documents = Vec::new();
    for (uri, text) in &options.resources {
        let root = values.read(text, options.limits.max_depth).map_err(|mut error| {
            error.message = format!("in the document <{uri}>: {}", error.message);
            vec![error]
        })?;
        documents.push((uri.clone(), root));
    }
    let dialect = dialect::dialect(values, root, &documents).map_err(|error| vec![error])?;
    let draft = options.draft.or(dialect.draft);
    let main = resources.add(values, root, "", draft, has_ids(text));
    for ((uri, root), (_, text)) in documents.into_iter().zip(&options.resources) {
        let declared = Draft::declared(values, root).or(draft);
        resources.add(values, root, &uri, declared, has_ids(text));
    }
    Ok((main, dialect.warning.filter(|_| options.draft.is_none())))
}

/// Registers the metaschemas.
fn add_metaschemas(
    values: &mut Values,
    resources: &mut Resources,
    features: &mut Features,
    options: &Options,
) -> Result<(), Vec<Diagnostic>> {
    for metaschema in &metaschemas::ALL {
        let root = values.read(metaschema.text, options.limits.max_depth).map_err(|error| vec![error])?;
        resources.add(values, root, metaschema.uri, Some(metaschema.draft), true);
        features.add(metaschema.text);
    }
    Ok(())
}

/// Might there be identifiers or anchors in the text?
fn has_ids(text: &str) -> bool {
    ["id\"", "nchor\"", "\\u"].iter().any(|part| text.contains(part))
}
