//! Schemas that are loaded once more, without one of their keywords or alone, to find out what makes a schema unsatisfiable.
//!
//! The report must be complete before, and there must be no errors: what is loaded here leaves no trace in either.

use super::loader::Loader;
use crate::read::document::{ObjectMembers, Value, ValueId};
use crate::read::keywords::{child_pointer, is_assertion, subschemas_below};
use crate::read::resources::Place;
use crate::schema::{SchemaId, ScopeId};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A schema in the text.
pub(crate) struct Site {
    pub(crate) place: Place,
    scope: ScopeId,
    pub(crate) pointer: String,
}

impl Site {
    /// The schema that is compiled.
    pub(crate) fn root(place: Place) -> Self {
        Self { place, scope: ScopeId::NONE, pointer: String::new() }
    }
}

impl Loader<'_> {
    /// The keywords of a schema that restrict values, in the order of the text.
    pub(crate) fn assertions(&self, site: &Site) -> Vec<Arc<str>> {
        let keywords = self.keywords(site);
        keywords.iter().map(|(keyword, _)| keyword.clone()).filter(|keyword| is_assertion(keyword)).collect()
    }

    fn keywords(&self, site: &Site) -> Arc<ObjectMembers> {
        match self.values.get(site.place.1) {
            Value::Object(members) => members.clone(),
            _ => Arc::new([]),
        }
    }

    /// Loads a schema.
    pub(crate) fn load_again(&mut self, site: &Site) -> SchemaId {
        self.load_quietly(site.place, site)
    }

    /// Loads a schema without one of its keywords.
    pub(crate) fn load_without(&mut self, site: &Site, keyword: &str) -> SchemaId {
        let others = self.keywords(site).iter().filter(|(name, _)| &**name != keyword).cloned().collect();
        let value = self.values.add(Value::Object(others));
        self.load_quietly((site.place.0, value), site)
    }

    fn load_quietly(&mut self, place: Place, site: &Site) -> SchemaId {
        let mark = self.findings.mark();
        let schema = self.load_at(place, site.scope, &site.pointer);
        self.findings.forget(mark);
        schema
    }

    /// The subschemas of one keyword, or what it refers to. False is none: it is meant to have no values.
    pub(crate) fn parts(&self, site: &Site, keyword: &str) -> Vec<Site> {
        let Some(value) = self.values.member(site.place.1, keyword) else { return Vec::new() };
        let site_of = |place, pointer| Site { place, scope: site.scope, pointer };
        if let ("$ref", Value::String(text)) = (keyword, self.values.get(value)) {
            let place = self.resources.locate(&self.values, site.place.0, text);
            let pointer = text.strip_prefix('#').unwrap_or(text).to_owned();
            return place.map(|place| site_of(place, pointer)).into_iter().collect();
        }
        let below = subschemas_below(&self.values, (keyword, value), &child_pointer(&site.pointer, keyword));
        let parts = below.into_iter().filter(|&(value, _)| !self.is_false(value));
        parts.map(|(value, pointer)| site_of((site.place.0, value), pointer)).collect()
    }

    /// Whether a value is the schema that has no values.
    pub(super) fn is_false(&self, value: ValueId) -> bool {
        *self.values.get(value) == Value::Bool(false)
    }

    /// The members of `properties` whose schemas have no values, unless they are written to have none. `barren` are the schemas without values.
    pub(crate) fn properties_among(&self, barren: &FxHashSet<SchemaId>) -> Vec<Site> {
        let resolved = |schema: SchemaId| self.resolutions.get(&schema).copied().unwrap_or(schema);
        let is_empty = |schema| schema == SchemaId::FALSE || barren.contains(&schema);
        let empty = self.loaded.iter().filter(|&(.., schema)| is_empty(resolved(schema)));
        let mistaken = empty.filter(|(place, ..)| !self.is_never(place.1));
        let sites = mistaken.filter_map(|(place, scope, _)| {
            let pointer = self.loaded.first_pointer(place.1)?;
            let is_property = pointer.rsplit('/').nth(1) == Some("properties");
            is_property.then(|| Site { place, scope, pointer: pointer.clone() })
        });
        let mut sites: Vec<Site> = sites.collect();
        sites.sort_by(|a, b| a.pointer.cmp(&b.pointer));
        sites
    }

    /// Whether a schema is `false` or `{"not": {}}`, as printers of schemas write types without values.
    fn is_never(&self, schema: ValueId) -> bool {
        let not = self.values.member(schema, "not").map(|not| self.values.get(not));
        let excludes_all = match not {
            Some(Value::Object(keywords)) => keywords.is_empty(),
            Some(not) => *not == Value::Bool(true),
            None => false,
        };
        excludes_all || self.is_false(schema)
    }
}
