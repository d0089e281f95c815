//! The schema resources, and the resolution of references to them: by URI, anchor or JSON Pointer.
//!
//! A *resource* is a schema with an identifier of its own: a document, or a subschema with `$id` (JSON Schema
//! Core 2020-12, section 4.3.5). All resources and anchors of a document are registered when the document is
//! added, before any reference is followed. Nothing is ever fetched.

use super::dialect::declared_draft;
use super::document::{Value, ValueId, Values};
use super::keywords::{name_of_segment, subschemas};
use super::uri;
use crate::draft::Draft;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A schema resource. Its URI is the base of the relative references in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct ResourceId(u32);

/// A subschema, with the resource that contains it.
pub(crate) type Place = (ResourceId, ValueId);

struct Resource {
    uri: String,
    root: ValueId,
    draft: Option<Draft>,
    /// The names of its dynamic anchors.
    dynamic: Vec<Arc<str>>,
}

/// All resources of the schema and of the documents given along with it.
#[derive(Default)]
pub(crate) struct Resources {
    list: Vec<Resource>,
    by_uri: FxHashMap<String, ResourceId>,
    anchors: FxHashMap<(ResourceId, Arc<str>), Place>,
    /// The subset of `anchors` that are a `$dynamicAnchor`.
    dynamic: FxHashMap<(ResourceId, Arc<str>), Place>,
    /// Resources whose root has `$recursiveAnchor: true`.
    recursive: FxHashSet<ResourceId>,
    /// Subschemas that are resources, by their place in the resource around them.
    nested: FxHashMap<Place, ResourceId>,
}

impl Resources {
    /// Registers a document and everything in it that has an identifier or an anchor.
    pub(crate) fn add(
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
        self.list.push(Resource { uri, root, draft, dynamic: Vec::new() });
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

    /// Registers the identifier and the anchors of one subschema. Returns the place and the draft for its
    /// children.
    fn identify(&mut self, values: &Values, place: Place, outer: Option<Draft>) -> (Place, Option<Draft>) {
        let (mut resource, value) = place;
        let is_document = self.get(resource).root == value;
        let declared = if is_document { None } else { declared_draft(values, value) };
        let draft = declared.or(outer);
        let rules = draft.unwrap_or(Draft::Draft2020);
        let text = |keyword| values.member(value, keyword).and_then(|id| values.string(id));
        if rules.ref_is_alone() && values.member(value, "$ref").is_some() {
            return (place, draft);
        }
        if let Some(id) = text(rules.id_keyword()) {
            let (uri, fragment) = uri::split_fragment(id);
            if !uri.is_empty() {
                let uri = uri::resolve(&self.get(resource).uri, uri);
                // The root of a document may repeat the URI under which the document was added.
                let is_known = self.get(resource).root == value && self.get(resource).uri == uri;
                if !is_known {
                    resource = self.resource(value, &uri, draft);
                    self.nested.insert(place, resource);
                }
            }
            if let Some(name) = fragment.filter(|name| !name.is_empty() && !name.starts_with('/')) {
                self.anchors.entry((resource, name.into())).or_insert((resource, value));
            }
        }
        if rules.has_anchors() {
            self.add_anchors(values, (resource, value));
        }
        ((resource, value), draft)
    }

    /// Registers the anchors of one subschema, as drafts from 2019-09 on have them.
    fn add_anchors(&mut self, values: &Values, place: Place) {
        let (resource, value) = place;
        let text = |keyword| values.member(value, keyword).and_then(|id| values.string(id));
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(name) = text(keyword) {
                self.anchors.entry((resource, name.clone())).or_insert(place);
            }
        }
        if let Some(name) = text("$dynamicAnchor") {
            self.dynamic.entry((resource, name.clone())).or_insert(place);
            self.list[resource.0 as usize].dynamic.push(name.clone());
        }
        let recursive = values.member(value, "$recursiveAnchor").map(|flag| values.get(flag));
        if recursive == Some(&Value::Bool(true)) && self.get(resource).root == value {
            self.recursive.insert(resource);
        }
    }

    fn get(&self, id: ResourceId) -> &Resource {
        &self.list[id.0 as usize]
    }

    /// The draft of a resource: the newest one if the resource does not name its draft.
    pub(crate) fn draft(&self, resource: ResourceId) -> Draft {
        self.get(resource).draft.unwrap_or(Draft::Draft2020)
    }

    /// Whether the draft of a resource is known from the options or from `$schema`.
    pub(crate) fn is_declared(&self, resource: ResourceId) -> bool {
        self.get(resource).draft.is_some()
    }

    /// The same subschema, with itself as the resource if it is one.
    pub(crate) fn enter(&self, place: Place) -> Place {
        match self.nested.get(&place) {
            Some(&resource) => (resource, place.1),
            None => place,
        }
    }

    /// Whether some dynamic reference leads elsewhere once a resource has been entered behind those of `scope`.
    pub(crate) fn binds_more(&self, scope: &[ResourceId], resource: ResourceId) -> bool {
        let is_bound =
            |name: &Arc<str>| scope.iter().any(|&outer| self.dynamic.contains_key(&(outer, name.clone())));
        let is_first = || !scope.iter().any(|outer| self.recursive.contains(outer));
        self.get(resource).dynamic.iter().any(|name| !is_bound(name))
            || self.recursive.contains(&resource) && is_first()
    }

    /// The target of a `$dynamicRef` that leads to `target` when it is resolved statically: the dynamic
    /// anchor of the same name in the outermost resource of `scope` that has one.
    pub(crate) fn outermost(&self, scope: &[ResourceId], target: Place, reference: &str) -> Place {
        let name: Arc<str> = uri::split_fragment(reference).1.unwrap_or_default().into();
        if self.dynamic.get(&(target.0, name.clone())) != Some(&target) {
            return target;
        }
        scope
            .iter()
            .find_map(|&resource| self.dynamic.get(&(resource, name.clone())).copied())
            .unwrap_or(target)
    }

    /// The target of a `$recursiveRef` that leads to `target` when it is resolved statically.
    pub(crate) fn outermost_root(&self, scope: &[ResourceId], target: Place) -> Place {
        let root = |resource: ResourceId| (resource, self.get(resource).root);
        if target != root(target.0) || !self.recursive.contains(&target.0) {
            return target;
        }
        scope
            .iter()
            .find(|resource| self.recursive.contains(resource))
            .map_or(target, |&resource| root(resource))
    }

    /// The target of a reference in the resource `from`. The error says what is missing.
    pub(crate) fn locate(&self, values: &Values, from: ResourceId, reference: &str) -> Result<Place, String> {
        let (uri, fragment) = uri::split_fragment(reference);
        let resource = if uri.is_empty() { from } else { self.by_reference(from, uri)? };
        let root = (resource, self.get(resource).root);
        let fragment = uri::percent_decode(fragment.unwrap_or(""));
        if fragment.is_empty() {
            return Ok(root);
        }
        if fragment.starts_with('/') {
            return self.follow_pointer(values, root, &fragment);
        }
        let anchor = self.anchors.get(&(resource, fragment.as_str().into())).copied();
        anchor.ok_or_else(|| format!("there is no anchor {fragment:?} in that resource"))
    }

    fn by_reference(&self, from: ResourceId, uri: &str) -> Result<ResourceId, String> {
        let uri = uri::resolve(&self.get(from).uri, uri);
        self.by_uri.get(&uri).copied().ok_or_else(|| format!("the document <{uri}> is not given"))
    }

    /// The place that a JSON Pointer names, from the root of a resource.
    fn follow_pointer(&self, values: &Values, root: Place, pointer: &str) -> Result<Place, String> {
        let mut place = root;
        for segment in pointer.split('/').skip(1) {
            let name = name_of_segment(segment);
            let child = match values.get(place.1) {
                Value::Array(items) => name.parse::<usize>().ok().and_then(|index| items.get(index).copied()),
                _ => values.member(place.1, &name),
            };
            let Some(child) = child else {
                return Err(format!("nothing is at {pointer:?}: there is no {name:?}"));
            };
            place = self.enter((place.0, child));
        }
        Ok(place)
    }
}
