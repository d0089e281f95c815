//! Where references lead: resources by URI, anchors, JSON Pointers.
//!
//! A *resource* is a schema with an identifier of its own: the document, and every subschema with `$id`. All of
//! them are found before any reference is followed. Nothing is ever fetched.

use super::document::{Value, ValueId, Values};
use super::draft::Draft;
use super::uri;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A schema resource: what relative references in it are relative to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct ResourceId(pub(super) u32);

/// A subschema and the resource it stands in.
pub(super) type Place = (ResourceId, ValueId);

struct Resource {
    uri: String,
    root: ValueId,
    draft: Option<Draft>,
}

/// All resources of the schema and of the documents given along with it.
#[derive(Default)]
pub(super) struct Resources {
    list: Vec<Resource>,
    by_uri: FxHashMap<String, ResourceId>,
    anchors: FxHashMap<(ResourceId, Arc<str>), Place>,
    /// Those of the anchors that are `$dynamicAnchor`s.
    dynamic: FxHashMap<(ResourceId, Arc<str>), Place>,
    /// Resources whose root has `$recursiveAnchor: true`.
    recursive: FxHashSet<ResourceId>,
    /// Subschemas that are resources themselves.
    nested: FxHashMap<Place, ResourceId>,
}

impl Resources {
    /// Registers a document and everything in it that has an identifier or an anchor.
    pub(super) fn add(
        &mut self,
        values: &Values,
        root: ValueId,
        uri: &str,
        draft: Option<Draft>,
        has_ids: bool,
    ) -> ResourceId {
        let resource = self.resource(root, uri, draft);
        if has_ids {
            self.scan(values, (resource, root), draft);
        }
        resource
    }

    fn resource(&mut self, root: ValueId, uri: &str, draft: Option<Draft>) -> ResourceId {
        let id = ResourceId(self.list.len() as u32);
        let uri = uri::split_fragment(uri).0.to_owned();
        self.by_uri.entry(uri.clone()).or_insert(id);
        self.list.push(Resource { uri, root, draft });
        id
    }

    /// Visits every subschema once per resource.
    fn scan(&mut self, values: &Values, start: Place, draft: Option<Draft>) {
        let mut open = vec![(start, draft)];
        let mut seen = FxHashSet::default();
        while let Some((place, draft)) = open.pop() {
            if !seen.insert(place) {
                continue;
            }
            let (place, draft) = self.identify(values, place, draft);
            open.extend(subschemas(values, place.1).map(|child| ((place.0, child), draft)));
        }
    }

    /// Notes the identifier and anchors of one subschema; returns where its children stand.
    fn identify(&mut self, values: &Values, place: Place, outer: Option<Draft>) -> (Place, Option<Draft>) {
        let (mut resource, value) = place;
        let is_document = self.list[resource.0 as usize].root == value;
        let declared = if is_document { None } else { Draft::declared(values, value) };
        let draft = declared.or(outer);
        let rules = draft.unwrap_or(Draft::Draft2020);
        let text = |keyword| values.member(value, keyword).and_then(|id| values.string(id));
        if rules.ref_is_alone() && values.member(value, "$ref").is_some() {
            return (place, draft);
        }
        if let Some(id) = text(rules.id_keyword()) {
            let (uri, fragment) = uri::split_fragment(id);
            if !uri.is_empty() {
                let uri = uri::resolve(&self.list[resource.0 as usize].uri, uri);
                let is_root = self.list[resource.0 as usize].root == value;
                if is_root && self.list[resource.0 as usize].uri == uri {
                    // The document itself was registered under this URI.
                } else {
                    resource = self.resource(value, &uri, draft);
                    self.nested.insert(place, resource);
                }
            }
            if let Some(name) = fragment.filter(|name| !name.is_empty() && !name.starts_with('/')) {
                self.anchors.entry((resource, name.into())).or_insert((resource, value));
            }
        }
        if rules.has_anchors() {
            for keyword in ["$anchor", "$dynamicAnchor"] {
                if let Some(name) = text(keyword) {
                    self.anchors.entry((resource, name.clone())).or_insert((resource, value));
                }
            }
            if let Some(name) = text("$dynamicAnchor") {
                self.dynamic.entry((resource, name.clone())).or_insert((resource, value));
            }
            let recursive = values.member(value, "$recursiveAnchor").map(|flag| values.get(flag));
            if recursive == Some(&Value::Bool(true)) && self.list[resource.0 as usize].root == value {
                self.recursive.insert(resource);
            }
        }
        ((resource, value), draft)
    }

    /// The draft of a resource; the newest if it does not say.
    pub(super) fn draft(&self, resource: ResourceId) -> Draft {
        self.list[resource.0 as usize].draft.unwrap_or(Draft::Draft2020)
    }

    pub(super) fn is_declared(&self, resource: ResourceId) -> bool {
        self.list[resource.0 as usize].draft.is_some()
    }

    /// The same place, in its own resource if it is one.
    pub(super) fn enter(&self, place: Place) -> Place {
        match self.nested.get(&place) {
            Some(&resource) => (resource, place.1),
            None => place,
        }
    }

    /// Where a `$dynamicRef` leads that was found to lead to `target` statically: to the outermost resource in
    /// `scope` with the same dynamic anchor.
    pub(super) fn outermost(&self, scope: &[ResourceId], target: Place, reference: &str) -> Place {
        let name: Arc<str> = uri::split_fragment(reference).1.unwrap_or_default().into();
        if self.dynamic.get(&(target.0, name.clone())) != Some(&target) {
            return target;
        }
        scope
            .iter()
            .find_map(|&resource| self.dynamic.get(&(resource, name.clone())).copied())
            .unwrap_or(target)
    }

    /// The same for `$recursiveRef`.
    pub(super) fn outermost_root(&self, scope: &[ResourceId], target: Place) -> Place {
        let root = |resource: ResourceId| (resource, self.list[resource.0 as usize].root);
        if target != root(target.0) || !self.recursive.contains(&target.0) {
            return target;
        }
        scope
            .iter()
            .find(|resource| self.recursive.contains(resource))
            .map_or(target, |&resource| root(resource))
    }

    /// Where a reference in a resource leads. The error says what is missing.
    pub(super) fn locate(&self, values: &Values, from: ResourceId, reference: &str) -> Result<Place, String> {
        let (uri, fragment) = uri::split_fragment(reference);
        let resource = if uri.is_empty() { from } else { self.by_reference(from, uri)? };
        let root = (resource, self.list[resource.0 as usize].root);
        let fragment = uri::percent_decode(fragment.unwrap_or(""));
        if fragment.is_empty() {
            return Ok(root);
        }
        if fragment.starts_with('/') {
            return self.follow(values, root, &fragment);
        }
        let anchor = self.anchors.get(&(resource, fragment.as_str().into())).copied();
        anchor.ok_or_else(|| format!("there is no anchor {fragment:?} in that resource"))
    }

    fn by_reference(&self, from: ResourceId, uri: &str) -> Result<ResourceId, String> {
        let uri = uri::resolve(&self.list[from.0 as usize].uri, uri);
        self.by_uri.get(&uri).copied().ok_or_else(|| format!("the document <{uri}> is not given"))
    }

    fn follow(&self, values: &Values, root: Place, pointer: &str) -> Result<Place, String> {
        let mut place = root;
        for segment in pointer.split('/').skip(1) {
            let name = segment.replace("~1", "/").replace("~0", "~");
            let child = match values.get(place.1) {
                Value::Array(items) => name.parse::<usize>().ok().and_then(|index| items.get(index).copied()),
                _ => values.member(place.1, &name),
            };
            let Some(child) = child else {
                return Err(format!("{pointer:?} leads nowhere: there is no {name:?}"));
            };
            place = self.enter((place.0, child));
        }
        Ok(place)
    }
}

/// What a keyword holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// One schema, or a list of them.
    Schemas,
    /// An object whose members are schemas.
    NamedSchemas,
}

/// Keywords with subschemas.
pub(super) fn applicator(keyword: &str) -> Option<Holds> {
    Some(match keyword {
        "items"
        | "additionalItems"
        | "prefixItems"
        | "contains"
        | "unevaluatedItems"
        | "additionalProperties"
        | "propertyNames"
        | "unevaluatedProperties"
        | "allOf"
        | "anyOf"
        | "oneOf"
        | "not"
        | "if"
        | "then"
        | "else" => Holds::Schemas,
        "properties" | "patternProperties" | "dependentSchemas" | "dependencies" | "$defs"
        | "definitions" => Holds::NamedSchemas,
        _ => return None,
    })
}

/// The direct subschemas of a schema.
fn subschemas(values: &Values, schema: ValueId) -> impl Iterator<Item = ValueId> {
    let keywords = match values.get(schema) {
        Value::Object(members) => &members[..],
        _ => &[],
    };
    keywords.iter().flat_map(|(keyword, value)| match (applicator(keyword), values.get(*value)) {
        (Some(Holds::Schemas), Value::Array(items)) => items.to_vec(),
        (Some(Holds::Schemas), _) => vec![*value],
        (Some(Holds::NamedSchemas), Value::Object(members)) => {
            members.iter().map(|(_, value)| *value).collect()
        }
        _ => Vec::new(),
    })
}

/// The subschemas under one keyword, with the JSON Pointer of each from the pointer of the keyword.
pub(super) fn subschemas_below(
    values: &Values,
    (keyword, value): (&str, ValueId),
    pointer: &str,
) -> Vec<(ValueId, String)> {
    match (applicator(keyword), values.get(value)) {
        (Some(Holds::Schemas), Value::Array(items)) => {
            items.iter().enumerate().map(|(index, &item)| (item, format!("{pointer}/{index}"))).collect()
        }
        (Some(Holds::Schemas), _) => vec![(value, pointer.to_owned())],
        (Some(Holds::NamedSchemas), Value::Object(members)) => {
            members.iter().map(|(name, value)| (*value, below(pointer, name))).collect()
        }
        _ => Vec::new(),
    }
}

/// The JSON Pointer of a member.
pub(super) fn below(pointer: &str, segment: &str) -> String {
    format!("{pointer}/{}", segment.replace('~', "~0").replace('/', "~1"))
}
