//! From JSON values to [`Schema`]s: what every keyword means, once per subschema.
//!
//! One file per group of keywords that have to be read together:
//!
//! | file | keywords |
//! |---|---|
//! | `scalars` | `type`, numbers, strings |
//! | `constants` | `enum`, `const` |
//! | `arrays` | `items`, `prefixItems`, `contains`, lengths, `uniqueItems` |
//! | `objects` | `properties`, `patternProperties`, `required`, sizes, `dependencies` |
//! | `logic` | `$ref`, `allOf`, `anyOf`, `oneOf`, `not`, `if` |
//! | `shapes` | those that the others do not look at, because of the type |
//!
//! After this, every keyword met has an entry in the report, and nothing looks at the JSON text again.

mod arrays;
mod constants;
mod logic;
mod misspelt;
mod objects;
mod scalars;
mod shapes;

use super::document::{Value, ValueId, Values};
use super::draft::Draft;
use super::languages::{LanguageId, Languages};
use super::options::{Options, Unenforced};
use super::report::{Coverage, Entry, Report};
use super::resolve::{Holds, Place, ResourceId, Resources, applicator, below};
use super::schema::{Clause, Interner, ItemsId, RefId, Schema, SchemaId, Schemas};
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, Location};
use gcc_grammar_regular::TooLarge;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;

/// The members of a schema object.
pub(super) type Keywords = [(Arc<str>, ValueId)];

/// Loads schemas on demand and collects what there is to say about them.
pub(super) struct Loader<'a> {
    pub(super) options: &'a Options,
    pub(super) values: Values,
    pub(super) resources: Resources,
    pub(super) schemas: Schemas,
    pub(super) languages: Languages,
    pub(super) report: Report,
    pub(super) errors: Vec<Diagnostic>,
    pub(super) warnings: Vec<Diagnostic>,
    /// JSON Pointers of `uniqueItems`, which is decided when the items are known.
    pub(super) unique_items: FxHashMap<ItemsId, String>,
    /// JSON Pointer under which a value was first loaded as a schema.
    pub(super) first_pointers: FxHashMap<ValueId, String>,
    /// What the documents make use of.
    pub(super) features: Features,
    loaded: FxHashMap<(Place, ScopeId), SchemaId>,
    scopes: Interner<Vec<ResourceId>>,
    /// Keywords of the schema being loaded that are in the report.
    noted: Vec<String>,
    constants: FxHashMap<ValueId, SchemaId>,
    patterns: FxHashMap<Arc<str>, Result<LanguageId, (String, bool)>>,
    /// JSON Pointer of the schema being loaded.
    pointer: String,
    /// How many schemas are being loaded inside each other.
    depth: usize,
}

/// The resources through which a schema was reached, outermost first: what dynamic references depend on. All the same if
/// there are none of those.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct ScopeId(u32);

impl ScopeId {
    /// No resources, or nobody asks.
    pub(super) const NONE: Self = Self(0);
}

/// Rare parts of the language, which cost something even where they do nothing.
#[derive(Clone, Copy, Default)]
pub(super) struct Features {
    /// `$dynamicRef` or `$recursiveRef`.
    pub(super) dynamic: bool,
    /// `unevaluatedProperties` or `unevaluatedItems`.
    pub(super) unevaluated: bool,
}

impl Features {
    /// May the text make use of them?
    pub(super) fn add(&mut self, text: &str) {
        let escapes = text.contains("\\u");
        self.dynamic |= escapes || text.contains("$dynamicRef") || text.contains("$recursiveRef");
        self.unevaluated |= escapes || text.contains("unevaluated");
    }
}

/// Schemas may nest this deep: loading and everything after it recurse along the nesting.
const MAX_NESTING: usize = 200;

/// A schema object being read.
struct Source<'k> {
    keywords: &'k Keywords,
    place: Place,
    scope: ScopeId,
    draft: Draft,
}

impl Source<'_> {
    fn get(&self, keyword: &str) -> Option<ValueId> {
        self.keywords.iter().find(|(name, _)| &**name == keyword).map(|&(_, value)| value)
    }

    /// Are there keywords whose schemas look at the same value?
    fn has_in_place_applicators(&self) -> bool {
        let keywords = [
            "$ref",
            "$dynamicRef",
            "$recursiveRef",
            "allOf",
            "anyOf",
            "oneOf",
            "if",
            "dependentSchemas",
            "dependencies",
        ];
        keywords.iter().any(|keyword| self.get(keyword).is_some())
    }
}

impl<'a> Loader<'a> {
    pub(super) fn new(
        options: &'a Options,
        values: Values,
        resources: Resources,
        features: Features,
    ) -> Self {
        let mut scopes = Interner::default();
        scopes.add(Vec::new());
        Self {
            options,
            values,
            resources,
            schemas: Schemas::new(),
            languages: Languages::new(options.limits.regular, options.limits.max_language_states),
            report: Report::default(),
            errors: Vec::new(),
            warnings: Vec::new(),
            unique_items: FxHashMap::default(),
            first_pointers: FxHashMap::default(),
            features,
            loaded: FxHashMap::default(),
            scopes,
            noted: Vec::new(),
            constants: FxHashMap::default(),
            patterns: FxHashMap::default(),
            pointer: String::new(),
            depth: 0,
        }
    }

    /// The schema at a place. `pointer` is for messages.
    pub(super) fn load_at(&mut self, place: Place, scope: ScopeId, pointer: &str) -> SchemaId {
        let outer = std::mem::replace(&mut self.pointer, pointer.to_owned());
        let schema = self.load(place, scope);
        self.pointer = outer;
        schema
    }

    /// What a reference leads to.
    pub(super) fn follow(&mut self, reference: RefId) -> SchemaId {
        let target = &self.schemas.references[reference.0 as usize];
        if let Some(schema) = target.schema {
            return schema;
        }
        let (place, scope, pointer) = (target.place, target.scope, target.pointer.clone());
        let depth = std::mem::take(&mut self.depth);
        let schema = self.load_at(place, scope, &pointer);
        self.depth = depth;
        self.schemas.references[reference.0 as usize].schema = Some(schema);
        schema
    }

    /// The same schema without detours by references that stand alone. A circle of them means nothing: an error.
    pub(super) fn resolved(&mut self, schema: SchemaId) -> SchemaId {
        let mut schema = schema;
        let mut steps = 0;
        while let Some(reference) = self.schemas.get(schema).as_reference() {
            schema = self.follow(reference);
            steps += 1;
            if steps > self.schemas.references.len() {
                let pointer = self.schemas.references[reference.0 as usize].pointer.clone();
                self.error_at(
                    pointer,
                    Code::CircularReference,
                    "this reference leads back to itself",
                    "let it lead to a schema with content",
                );
                return SchemaId::FALSE;
            }
        }
        schema
    }

    fn load(&mut self, place: Place, scope: ScopeId) -> SchemaId {
        let place = self.resources.enter(place);
        let scope = self.enter_scope(scope, place.0);
        if let Some(&schema) = self.loaded.get(&(place, scope)) {
            return schema;
        }
        if self.depth > MAX_NESTING {
            self.error(
                Code::Nesting,
                format!("schemas are nested more than {MAX_NESTING} deep"),
                "move parts to $defs",
            );
            return SchemaId::FALSE;
        }
        self.depth += 1;
        let schema = match self.values.get(place.1).clone() {
            Value::Bool(true) => Schema::anything(),
            Value::Bool(false) => Schema::nothing(),
            Value::Object(keywords) => self.load_object(place, scope, &keywords),
            _ => {
                self.invalid("a schema is an object, true or false");
                Schema::nothing()
            }
        };
        self.depth -= 1;
        let id = self.schemas.add(schema);
        self.loaded.insert((place, scope), id);
        self.first_pointers.entry(place.1).or_insert_with(|| self.pointer.clone());
        id
    }

    fn enter_scope(&mut self, scope: ScopeId, resource: ResourceId) -> ScopeId {
        if !self.features.dynamic || self.scopes.get(scope.0).contains(&resource) {
            return scope;
        }
        let mut resources = (**self.scopes.get(scope.0)).clone();
        resources.push(resource);
        ScopeId(self.scopes.add(resources))
    }

    fn load_object(&mut self, place: Place, scope: ScopeId, keywords: &Keywords) -> Schema {
        let noted = std::mem::take(&mut self.noted);
        let draft = self.resources.draft(place.0);
        let known = self.known_keywords(place.0, draft, keywords);
        let source = Source { keywords: &known, place, scope, draft };
        let schema = self.load_keywords(&source);
        self.check_shapes(&source);
        self.note_the_rest(&source);
        self.noted = noted;
        schema
    }

    /// The keywords that mean something in the draft of the schema. It is said of every other one that it does not;
    /// schemas that do not name their draft may use the keywords of all.
    fn known_keywords<'k>(
        &mut self,
        resource: ResourceId,
        draft: Draft,
        keywords: &'k Keywords,
    ) -> Cow<'k, Keywords> {
        if !self.resources.is_declared(resource) {
            return Cow::Borrowed(keywords);
        }
        let ref_is_alone = draft.ref_is_alone() && keywords.iter().any(|(name, _)| &**name == "$ref");
        let means_something = |name: &str| draft.knows(name) && (!ref_is_alone || name == "$ref");
        if keywords.iter().all(|(name, _)| means_something(name)) {
            return Cow::Borrowed(keywords);
        }
        let (known, ignored): (Vec<_>, Vec<_>) =
            keywords.iter().cloned().partition(|(name, _)| means_something(name));
        for (name, _) in &ignored {
            self.note(name, Coverage::Annotation);
            if is_assertion(name) {
                self.warn_ignored(name, draft);
            }
        }
        Cow::Owned(known)
    }

    fn warn_ignored(&mut self, keyword: &str, draft: Draft) {
        let (message, help) = if draft.knows(keyword) {
            let message = format!("in {} everything beside $ref is ignored, so {keyword} is", draft.name());
            (message, "put $ref into allOf, or name a later draft in $schema")
        } else {
            let message = format!("{} has no keyword {keyword}, so it is ignored", draft.name());
            (message, "name the draft that has it in $schema")
        };
        let pointer = self.pointer_to(keyword);
        let warning = Diagnostic::warning(Code::IgnoredKeyword, message).at(Location::Pointer(pointer));
        self.warnings.push(warning.help(help));
    }

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

    /// Enters what has no entry yet into the report.
    fn note_the_rest(&mut self, source: &Source) {
        for (name, _) in source.keywords {
            if !self.noted.iter().any(|noted| **noted == **name) {
                let restricts = is_assertion(name);
                self.note(name, if restricts { Coverage::Enforced } else { Coverage::Annotation });
                if !restricts {
                    self.warn_misspelt(name);
                }
            }
        }
    }

    /// Loads a direct member that is a schema.
    fn subschema(&mut self, source: &Source, keyword: &str, value: ValueId) -> SchemaId {
        self.below(keyword, |loader| loader.load((source.place.0, value), source.scope))
    }

    /// Loads a list of schemas.
    fn subschemas(&mut self, source: &Source, keyword: &str, value: ValueId) -> Vec<SchemaId> {
        let Value::Array(items) = self.values.get(value).clone() else {
            self.below(keyword, |loader| loader.invalid("a list of schemas is expected here"));
            return Vec::new();
        };
        self.below(keyword, |loader| {
            let each = items.iter().enumerate();
            each.map(|(index, &item)| {
                loader.below(&index.to_string(), |l| l.load((source.place.0, item), source.scope))
            })
            .collect()
        })
    }

    /// The members of an object of schemas or of anything else, by name.
    fn named(&mut self, source: &Source, keyword: &str) -> Arc<Keywords> {
        match source.get(keyword).map(|value| self.values.get(value).clone()) {
            None => Arc::new([]),
            Some(Value::Object(members)) => members,
            Some(_) => {
                self.below(keyword, |loader| loader.invalid("an object is expected here"));
                Arc::new([])
            }
        }
    }

    /// A keyword whose value is a non-negative integer. Very large ones are as good as none, but stay finite.
    fn count(&mut self, source: &Source, keyword: &str) -> Option<u32> {
        let value = source.get(keyword)?;
        let count = match self.values.get(value) {
            Value::Number(number) if number.is_integer() && !number.negative => {
                Some(number.to_u64().map_or(u32::MAX, |count| count.min(u64::from(u32::MAX)) as u32))
            }
            _ => None,
        };
        if count.is_none() {
            self.below(keyword, |loader| loader.invalid("a non-negative integer is expected here"));
        }
        count
    }

    /// Runs with the pointer one level deeper.
    fn below<T>(&mut self, segment: &str, run: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.pointer.len();
        self.pointer = self.pointer_to(segment);
        let result = run(self);
        self.pointer.truncate(length);
        result
    }

    fn pointer_to(&self, segment: &str) -> String {
        below(&self.pointer, segment)
    }

    fn note(&mut self, keyword: &str, coverage: Coverage) {
        let pointer = self.pointer_to(keyword);
        self.noted.push(keyword.to_owned());
        self.report.entries.push(Entry { pointer, coverage });
    }

    /// A keyword that the grammar cannot express: refused, or left out as an unknown condition.
    fn unenforced(&mut self, keyword: &str, why: impl Into<String>, admits: &str, help: &str) -> Clause {
        let pointer = self.pointer_to(keyword);
        self.noted.push(keyword.to_owned());
        self.unenforced_at(pointer, why, admits, help);
        Clause::Unknown
    }

    /// Refuses the keyword at a pointer, or notes that it is left out.
    pub(super) fn unenforced_at(
        &mut self,
        pointer: String,
        why: impl Into<String>,
        admits: &str,
        help: &str,
    ) {
        let why = why.into();
        let coverage = match self.options.unenforced {
            Unenforced::Allow => Coverage::Superset { why, admits: admits.to_owned() },
            Unenforced::Refuse => {
                let keyword = pointer.rsplit('/').next().unwrap_or_default();
                let message = format!("{keyword} cannot be enforced: {why}");
                self.error_at(pointer.clone(), Code::Unenforceable, message, help);
                Coverage::Refused { why, help: help.to_owned() }
            }
        };
        self.report.entries.retain(|entry| entry.pointer != pointer);
        self.report.entries.push(Entry { pointer, coverage });
    }

    fn invalid(&mut self, message: &str) {
        self.error(Code::InvalidSchema, message, "");
    }

    fn error(&mut self, code: Code, message: impl Into<String>, help: &str) {
        let pointer = self.pointer.clone();
        self.error_at(pointer, code, message, help);
    }

    fn error_at(&mut self, pointer: String, code: Code, message: impl Into<String>, help: &str) {
        let mut error = Diagnostic::error(code, message).at(Location::Pointer(pointer));
        error.help = (!help.is_empty()).then(|| help.to_owned());
        if !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }

    /// The automaton, or an unknown condition if it would be too large.
    fn bounded<T>(&mut self, schema: &mut Schema, keyword: &str, result: Result<T, TooLarge>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(reason) => {
                let clause = self.unenforced(
                    keyword,
                    reason.to_string(),
                    "values that break it",
                    "use smaller bounds",
                );
                schema.clauses.push(clause);
                None
            }
        }
    }
}

/// Does the keyword restrict values?
fn is_assertion(keyword: &str) -> bool {
    let holds_schemas = applicator(keyword)
        .is_some_and(|holds| holds == Holds::Schemas || keyword != "$defs" && keyword != "definitions");
    holds_schemas
        || matches!(
            keyword,
            "type"
                | "enum"
                | "const"
                | "required"
                | "dependentRequired"
                | "minimum"
                | "maximum"
                | "exclusiveMinimum"
                | "exclusiveMaximum"
                | "multipleOf"
                | "minLength"
                | "maxLength"
                | "pattern"
                | "format"
                | "minItems"
                | "maxItems"
                | "uniqueItems"
                | "minContains"
                | "maxContains"
                | "minProperties"
                | "maxProperties"
                | "$ref"
                | "$dynamicRef"
                | "$recursiveRef"
        )
}
