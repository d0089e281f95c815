//! Loading of one schema: from its place to a [`Schema`] in the store.
//!
//! Each pair of a place and a dynamic scope is loaded once. The keywords of a schema are loaded in groups,
//! each in a file of its own; subschemas are loaded recursively, and the targets of references only when the
//! algebra follows them.

use super::loader::Loader;
use super::source::Source;
use crate::draft::Draft;
use crate::guidance;
use crate::read::document::{ObjectMembers, Value, ValueId};
use crate::read::keywords::is_assertion;
use crate::read::resources::{Place, ResourceId};
use crate::report::Coverage;
use crate::schema::{RefId, Schema, SchemaId, ScopeId};
use gcc_grammar_ir::Code;
use std::borrow::Cow;

/// Schemas may nest this deep, because loading and everything after it recurse along the nesting.
const MAX_NESTING: usize = 200;

/// The work to load a schema, besides that for each of its keywords.
const WORK_PER_SCHEMA: usize = 100;
/// The work for each keyword: it is looked up for each keyword that there is.
const WORK_PER_KEYWORD: usize = 20;
/// Estimated bytes of a loaded schema, in the store and in the tables of the algebra.
const BYTES_PER_SCHEMA: usize = 500;

impl Loader<'_> {
    /// Loads the schema that is compiled.
    pub(super) fn load_root(&mut self, root: Place) -> SchemaId {
        self.load_at(root, ScopeId::NONE, "")
    }

    /// Loads the schema at a place. `pointer` is its JSON Pointer for messages.
    pub(super) fn load_at(&mut self, place: Place, scope: ScopeId, pointer: &str) -> SchemaId {
        let outer = std::mem::replace(&mut self.current.pointer, pointer.to_owned());
        let schema = self.load(place, scope);
        self.current.pointer = outer;
        schema
    }

    /// The schema that a reference leads to.
    pub(crate) fn follow(&mut self, reference: RefId) -> SchemaId {
        let target = &self.schemas.references[reference.0 as usize];
        if let Some(schema) = target.schema {
            return schema;
        }
        let (place, scope, pointer) = (target.place, target.scope, target.pointer.clone());
        let depth = std::mem::take(&mut self.current.depth);
        let schema = self.load_at(place, scope, &pointer);
        self.current.depth = depth;
        self.schemas.references[reference.0 as usize].schema = Some(schema);
        schema
    }

    /// The schema without detours over schemas that consist of a reference only. A circle of such references
    /// has no meaning and is an error.
    pub(crate) fn resolved(&mut self, schema: SchemaId) -> SchemaId {
        let mut schema = schema;
        let mut path = Vec::new();
        while let Some(reference) = self.schemas.get(schema).as_reference() {
            if let Some(&known) = self.resolutions.get(&schema) {
                schema = known;
                break;
            }
            path.push(schema);
            schema = self.follow(reference);
            if path.len() > self.schemas.references.len() {
                let pointer = self.schemas.references[reference.0 as usize].pointer.clone();
                self.error_at(
                    pointer,
                    Code::CircularReference,
                    "this reference leads back to itself",
                    "let it lead to a schema with content",
                );
                schema = SchemaId::FALSE;
                break;
            }
        }
        self.resolutions.extend(path.into_iter().map(|passed| (passed, schema)));
        schema
    }

    /// Loads the schema at a place, unless it is loaded.
    fn load(&mut self, place: Place, scope: ScopeId) -> SchemaId {
        let place = self.resources.enter(place);
        let scope = self.enter_scope(scope, place.0);
        if let Some(schema) = self.loaded.get(place, scope) {
            return schema;
        }
        if !self.charge(WORK_PER_SCHEMA, BYTES_PER_SCHEMA + self.current.pointer.len()) {
            return SchemaId::FALSE;
        }
        if self.current.depth > MAX_NESTING {
            self.error(
                Code::Nesting,
                format!("schemas are nested more than {MAX_NESTING} deep"),
                "move parts to $defs",
            );
            return SchemaId::FALSE;
        }
        self.current.depth += 1;
        let schema = match self.values.get(place.1).clone() {
            Value::Bool(true) => Schema::anything(),
            Value::Bool(false) => Schema::nothing(),
            Value::Object(keywords) => self.load_object(place, scope, &keywords),
            _ => {
                self.invalid("a schema must be an object, true or false");
                Schema::nothing()
            }
        };
        self.current.depth -= 1;
        self.charge(0, 0);
        let id = self.schemas.add(schema);
        self.note_constant(place.1, id);
        self.loaded.add(place, scope, id, &self.current.pointer);
        id
    }

    /// The dynamic scope of a schema in `resource` that is reached through `scope`.
    fn enter_scope(&mut self, scope: ScopeId, resource: ResourceId) -> ScopeId {
        let resources = self.scopes.get(scope.0);
        if !self.features.dynamic || !self.resources.binds_more(resources, resource) {
            return scope;
        }
        let mut resources = (**resources).clone();
        resources.push(resource);
        ScopeId(self.scopes.add(resources))
    }

    /// Loads a schema object, and enters its keywords into the report.
    fn load_object(&mut self, place: Place, scope: ScopeId, keywords: &ObjectMembers) -> Schema {
        self.charge(WORK_PER_KEYWORD * keywords.len(), 0);
        let noted = std::mem::take(&mut self.current.noted);
        let draft = self.resources.draft(place.0);
        let known = self.known_keywords(place, draft, keywords);
        let source = Source { keywords: &known, place, scope, draft };
        let schema = self.load_keywords(&source);
        self.check_unread(&source);
        self.note_others(&source);
        self.current.noted = noted;
        schema
    }

    /// The keywords that have a meaning in the draft of the schema. Every other keyword is entered into the
    /// report as an annotation. A schema that does not name its draft may use the keywords of all drafts.
    fn known_keywords<'k>(
        &mut self,
        (resource, schema): Place,
        draft: Draft,
        keywords: &'k ObjectMembers,
    ) -> Cow<'k, ObjectMembers> {
        if !self.resources.is_declared(resource) {
            return Cow::Borrowed(keywords);
        }
        let ref_is_alone = draft.ref_is_alone() && keywords.iter().any(|(name, _)| &**name == "$ref");
        let is_known = |name: &str| draft.knows(name) || self.profile.is_added(schema, name);
        let has_meaning = |name: &str| is_known(name) && (!ref_is_alone || name == "$ref");
        if keywords.iter().all(|(name, _)| has_meaning(name)) {
            return Cow::Borrowed(keywords);
        }
        let (known, ignored): (Vec<_>, Vec<_>) =
            keywords.iter().cloned().partition(|(name, _)| has_meaning(name));
        for (name, _) in &ignored {
            self.note(name, Coverage::Annotation);
            if is_assertion(name) {
                self.warn_ignored(name, draft);
            }
        }
        Cow::Owned(known)
    }

    /// Warns that a keyword has no meaning in the draft.
    fn warn_ignored(&mut self, keyword: &str, draft: Draft) {
        let (message, help) = if draft.knows(keyword) {
            let message = format!("in {} everything beside $ref is ignored, so {keyword} is", draft.title());
            (message, "put $ref into allOf, or name a later draft in $schema")
        } else {
            let message = format!("{} has no keyword {keyword}, so it is ignored", draft.title());
            (message, "name the draft that has it in $schema")
        };
        self.warn(keyword, Code::IgnoredKeyword, message, help);
    }

    /// Loads the keywords of a schema, in groups.
    fn load_keywords(&mut self, source: &Source) -> Schema {
        let mut schema = Schema::anything();
        self.load_type(source, &mut schema);
        self.load_constants(source, &mut schema);
        self.load_numbers(source, &mut schema);
        self.load_strings(source, &mut schema);
        self.load_arrays(source, &mut schema);
        self.load_objects(source, &mut schema);
        self.load_logic(source, &mut schema);
        schema
    }

    /// Enters all keywords into the report that have no entry yet.
    fn note_others(&mut self, source: &Source) {
        for (name, _) in source.keywords {
            if !self.current.noted.contains(&**name) && !self.profile.is_added(source.place.1, name) {
                let is_guidance = &**name == guidance::KEYWORD;
                let restricts = is_assertion(name) || (is_guidance && self.current.pointer.is_empty());
                self.note(name, if restricts { Coverage::Enforced } else { Coverage::Annotation });
                if is_guidance && !restricts {
                    self.warn_of_inner_guidance();
                } else if !restricts {
                    self.warn_misspelt(name);
                }
            }
        }
    }

    /// Warns that `x-guidance` has no effect at a place that is not the top level, as in llguidance.
    fn warn_of_inner_guidance(&mut self) {
        let message = "x-guidance has an effect at the top level of a schema only";
        self.warn(guidance::KEYWORD, Code::IgnoredKeyword, message, "move it to the top level");
    }

    /// Loads the value of a keyword as a schema.
    pub(super) fn subschema(&mut self, source: &Source, keyword: &str, value: ValueId) -> SchemaId {
        self.descend(keyword, |loader| loader.load((source.place.0, value), source.scope))
    }

    /// Loads the value of a keyword as a list of schemas.
    pub(super) fn subschemas(&mut self, source: &Source, keyword: &str, value: ValueId) -> Vec<SchemaId> {
        let Value::Array(items) = self.values.get(value).clone() else {
            self.descend(keyword, |loader| loader.invalid("a list of schemas is expected here"));
            return Vec::new();
        };
        self.descend(keyword, |loader| {
            let each = items.iter().enumerate();
            each.map(|(index, &item)| {
                loader.descend(&index.to_string(), |l| l.load((source.place.0, item), source.scope))
            })
            .collect()
        })
    }
}
