//! What makes a schema unsatisfiable: the keyword without which there would be values.
//!
//! The search leaves out one keyword after the other. Where a keyword matters and one of its subschemas has no values itself, it goes on in
//! that subschema.

use crate::algebra::Algebra;
use crate::graph::Graph;
use crate::load::{Loader, Site};
use crate::options::Options;
use crate::read::resources::Place;
use crate::schema::SchemaId;
use gcc_grammar_ir::{Code, Diagnostic, Location};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The causes of so many properties are searched for; the others are reported without.
const MOST_CAUSES: usize = 8;

/// The error that no value is valid, at the keyword that makes it so.
pub(crate) fn unsatisfiable(loader: &mut Loader, root: Place, options: &Options) -> Diagnostic {
    let pointer = cause(loader, Site::root(root), options);
    let help = match &*pointer {
        "" => "look for keywords that exclude each other",
        _ if pointer.ends_with("/$ref") => {
            "if this refers to a schema around it, let the recursion have an end"
        }
        _ if pointer.ends_with("/pattern") => {
            "look for what excludes this pattern, or for an anchor within it: slashes around a pattern are part of its text"
        }
        _ => "without this keyword there would be values: look for what excludes it",
    };
    let error = Diagnostic::error(Code::Unsatisfiable, "no value is valid under this schema");
    error.at(Location::Pointer(pointer)).help(help)
}

/// Warnings of properties that no value satisfies, so that they never occur, if `barren` are the schemas without values.
pub(crate) fn warnings(
    loader: &mut Loader,
    barren: &FxHashSet<SchemaId>,
    options: &Options,
) -> Vec<Diagnostic> {
    let mut pointers = Vec::new();
    for (index, property) in loader.properties_among(barren).into_iter().enumerate() {
        pointers.push(if index < MOST_CAUSES { cause(loader, property, options) } else { property.pointer });
    }
    let mut seen = FxHashSet::default();
    pointers.retain(|pointer| seen.insert(pointer.clone()));
    let warning = |pointer| {
        let message = "no value satisfies this property, so it never occurs";
        let warning =
            Diagnostic::warning(Code::UnsatisfiableProperty, message).at(Location::Pointer(pointer));
        warning.help("look for keywords that exclude each other, or write false if it must not occur")
    };
    pointers.into_iter().map(warning).collect()
}

/// The pointer of the keyword that leaves a schema without values, or of the schema itself if no single keyword does.
fn cause(loader: &mut Loader, site: Site, options: &Options) -> String {
    let mut search = Search { algebra: &mut Algebra::new(loader), options };
    let mut site = site;
    let mut seen = FxHashSet::default();
    loop {
        let decisive = search.decisive(&site);
        let part = decisive.iter().find_map(|keyword| search.empty_part(&site, keyword));
        match part {
            Some(part) if seen.insert(part.place) => site = part,
            _ => {
                // A keyword that lists what is allowed is a worse answer than one that demands something else.
                let rank = |keyword: &&Arc<str>| match &***keyword {
                    "type" => 0,
                    "additionalProperties" | "unevaluatedProperties" => 1,
                    _ => 2,
                };
                let keyword = decisive.iter().max_by_key(rank);
                return keyword.map_or(site.pointer.clone(), |keyword| format!("{}/{keyword}", site.pointer));
            }
        }
    }
}

struct Search<'a, 'l, 'o> {
    algebra: &'a mut Algebra<'l, 'o>,
    options: &'a Options,
}

impl Search<'_, '_, '_> {
    /// The keywords without each of which the schema has values.
    fn decisive(&mut self, site: &Site) -> Vec<Arc<str>> {
        let mut keywords = self.algebra.loader_mut().assertions(site);
        keywords.retain(|keyword| {
            let others = self.algebra.loader_mut().load_without(site, keyword);
            self.is_empty(others) == Some(false)
        });
        keywords
    }

    /// The subschema of a keyword that has no values itself. Alternatives are looked into if there is one only.
    fn empty_part(&mut self, site: &Site, keyword: &str) -> Option<Site> {
        let parts = self.algebra.loader_mut().parts(site, keyword);
        if ["anyOf", "oneOf", "not", "if"].contains(&keyword) && parts.len() > 1 {
            return None;
        }
        parts.into_iter().find(|part| {
            let schema = self.algebra.loader_mut().load_again(part);
            self.is_empty(schema) == Some(true)
        })
    }

    /// Whether a schema has no values; `None` if a limit is exceeded.
    fn is_empty(&mut self, schema: SchemaId) -> Option<bool> {
        Graph::build(self.algebra, schema, &self.options.excludes).ok().map(|graph| graph.is_empty())
    }
}
