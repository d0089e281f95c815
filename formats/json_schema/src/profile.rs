//! Profiles: the conventions of other engines, each under one name.
//!
//! A profile sets options about spelling ([`Options::of`](crate::Options::of)), and says how schemas are read. What it reads into a schema is done on its values
//! before they are loaded, by [`Reading`]: objects and arrays that leave open what else they contain are closed, and all properties become
//! required. The loader lets `pattern` match whole strings. Nothing is read into `not` and `if`. Whatever refuses values that the schema
//! allows is reported as a narrowing of its place.
//!
//! | profile | objects | properties | patterns | forbidden keywords |
//! |---|---|---|---|---|
//! | `openai` | closed | all required | search | [`FORBIDDEN`] |
//! | `xgrammar`, `outlines` | closed, arrays too | as declared | whole strings | none |
//! | `llguidance` | as declared | as declared | search | none |
//!
//! Sources: OpenAI's guide to structured outputs, and the documentation of XGrammar 0.2, llguidance 1.9 and outlines-core 0.2.

use crate::read::document::{ObjectMembers, Value, ValueId, Values};
use crate::read::keywords::{Subschemas, applicator, child_pointer, is_in_place};
use crate::report::{Narrowed, Narrowing};
use gcc_grammar_ir::{Code, Diagnostic, Location, words};
use gcc_grammar_limits::Budget;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An engine or service whose conventions are followed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Profile {
    /// The strict mode of OpenAI's structured outputs.
    OpenAi,
    /// XGrammar.
    XGrammar,
    /// llguidance.
    LlGuidance,
    /// outlines-core.
    Outlines,
}

words!(Profile is "the profile" {
    OpenAi = "openai",
    XGrammar = "xgrammar",
    LlGuidance = "llguidance",
    Outlines = "outlines",
});

/// The keywords that OpenAI's strict mode forbids.
const FORBIDDEN: &[&str] = &[
    "allOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
    "minContains",
    "maxContains",
    "uniqueItems",
];

/// A member that tells a schema into which something was read from an equal one that is written so. It is in no report.
const MARK: &str = "\0profile";
/// The work to read a schema, besides that for each of its keywords.
const WORK_PER_SCHEMA: usize = 50;
/// The work for each keyword.
const WORK_PER_KEYWORD: usize = 20;

const CLOSED: Narrowed = Narrowed {
    kind: Narrowing::Profile,
    refuses: "members that the schema does not name, or items behind those that it lists",
    help: "write additionalProperties or items to allow them, or leave out --profile",
};
const REQUIRED: Narrowed = Narrowed {
    kind: Narrowing::Profile,
    refuses: "objects without some property that is not in required",
    help: "let the property be null, or leave out --profile",
};
const WHOLE: Narrowed = Narrowed {
    kind: Narrowing::Profile,
    refuses: "strings of which only a part matches the pattern",
    help: "begin or end the pattern with .*, or leave out --profile",
};

impl Profile {
    /// Whether arrays are closed, and `pattern` has to match the whole string.
    const fn is_whole(self) -> bool {
        matches!(self, Self::XGrammar | Self::Outlines)
    }

    const fn closes_objects(self) -> bool {
        !matches!(self, Self::LlGuidance)
    }
}

/// What a profile has read into schemas.
#[derive(Default)]
pub(crate) struct Read {
    schemas: FxHashMap<ValueId, OfSchema>,
}

/// What a profile has read into one schema.
#[derive(Default)]
struct OfSchema {
    /// The keywords that were added.
    added: Vec<&'static str>,
    /// What is narrowed thereby.
    narrowed: Vec<Narrowed>,
    /// Whether `pattern` has to match the whole string.
    is_whole: bool,
}

impl Read {
    /// Whether a keyword of a schema is not in its text.
    pub(crate) fn is_added(&self, schema: ValueId, keyword: &str) -> bool {
        self.schemas.get(&schema).is_some_and(|read| read.added.contains(&keyword))
    }

    /// What is narrowed in a schema.
    pub(crate) fn narrowed(&self, schema: ValueId) -> &[Narrowed] {
        self.schemas.get(&schema).map_or(&[], |read| &read.narrowed)
    }

    /// Whether `pattern` of a schema has to match the whole string.
    pub(crate) fn is_whole(&self, schema: ValueId) -> bool {
        self.schemas.get(&schema).is_some_and(|read| read.is_whole)
    }

    /// Reports that the pattern of a schema refuses strings that it matches in part.
    pub(crate) fn narrow_pattern(&mut self, schema: ValueId) {
        if let Some(read) = self.schemas.get_mut(&schema) {
            read.narrowed.push(WHOLE);
        }
    }

    /// Whether schemas were closed behind their subschemas.
    pub(crate) fn has_unevaluated(&self) -> bool {
        self.schemas.values().flat_map(|read| &read.added).any(|keyword| keyword.starts_with("unevaluated"))
    }
}

/// Reads documents as a profile does.
pub(crate) struct Reading<'v> {
    profile: Profile,
    values: &'v mut Values,
    budget: &'v Budget,
    read: Read,
    errors: Vec<Diagnostic>,
    /// The schemas that were read, each with whether a schema around it is closed.
    known: FxHashMap<(ValueId, bool), ValueId>,
}

impl<'v> Reading<'v> {
    pub(crate) fn new(profile: Profile, values: &'v mut Values, budget: &'v Budget) -> Self {
        let (read, known) = (Read::default(), FxHashMap::default());
        Self { profile, values, budget, read, errors: Vec::new(), known }
    }

    /// The root of a document, as the profile reads it.
    pub(crate) fn document(&mut self, root: ValueId, is_main: bool) -> ValueId {
        if is_main && self.profile == Profile::OpenAi {
            self.check_root(root);
        }
        self.schema(root, false, "")
    }

    /// What was read into the documents, or the errors.
    pub(crate) fn finish(self) -> Result<Read, Vec<Diagnostic>> {
        if self.errors.is_empty() { Ok(self.read) } else { Err(self.errors) }
    }

    /// A schema as the profile reads it. Nesting is bounded by the reader of JSON.
    fn schema(&mut self, schema: ValueId, is_inside: bool, pointer: &str) -> ValueId {
        let Value::Object(members) = self.values.get(schema).clone() else { return schema };
        if let Some(&known) = self.known.get(&(schema, is_inside)) {
            return known;
        }
        if !self.charge(members.len(), pointer) {
            return schema;
        }
        let errors = self.errors.len();
        if self.profile == Profile::OpenAi {
            self.check(&members, pointer);
        }
        let names = ["properties", "patternProperties"].iter().any(|name| get(&members, name).is_some());
        let mut result = Vec::with_capacity(members.len() + 2);
        for (keyword, value) in members.iter() {
            let is_inside = is_in_place(keyword) && (is_inside || names || &**keyword == "allOf");
            let value = match &**keyword {
                "not" | "if" => *value,
                _ => self.keyword(keyword, *value, is_inside, &child_pointer(pointer, keyword)),
            };
            result.push((keyword.clone(), value));
        }
        let result = self.extended(result, is_inside);
        if self.errors.len() == errors {
            self.known.insert((schema, is_inside), result);
        }
        result
    }

    /// A schema whose subschemas are read, with what the profile reads into it.
    fn extended(&mut self, mut members: Vec<(Arc<str>, ValueId)>, is_inside: bool) -> ValueId {
        let mut read = OfSchema::default();
        if self.profile == Profile::OpenAi && self.require_all(&mut members, &mut read.added) {
            read.narrowed.push(REQUIRED);
        }
        if !is_inside && self.close(&mut members, &mut read.added) {
            read.narrowed.push(CLOSED);
        }
        read.is_whole = self.profile.is_whole() && get(&members, "pattern").is_some();
        if read.narrowed.is_empty() && !read.is_whole {
            return self.values.add(Value::Object(members.into()));
        }
        members.push((MARK.into(), self.values.add(Value::Null)));
        read.added.push(MARK);
        let result = self.values.add(Value::Object(members.into()));
        self.read.schemas.insert(result, read);
        result
    }

    /// Spends the work and bytes to read a schema. If there is not enough, the compilation ends with an error.
    fn charge(&mut self, keywords: usize, pointer: &str) -> bool {
        let work = WORK_PER_SCHEMA + WORK_PER_KEYWORD * keywords + pointer.len();
        let charged = self.budget.charge_work(work as u64);
        let charged =
            charged.and_then(|()| self.budget.charge_bytes((WORK_PER_SCHEMA * (keywords + 2)) as u64));
        if let Err(over) = &charged {
            self.errors = vec![Diagnostic::from(over.clone()).at(Location::Pointer(pointer.to_owned()))];
        }
        charged.is_ok()
    }

    /// The value of a keyword, with the schemas in it read.
    fn keyword(&mut self, keyword: &str, value: ValueId, is_inside: bool, pointer: &str) -> ValueId {
        match (applicator(keyword), self.values.get(value).clone()) {
            (Some(Subschemas::Direct), Value::Array(items)) => {
                let each = items.iter().enumerate();
                let items =
                    each.map(|(index, &item)| self.schema(item, is_inside, &format!("{pointer}/{index}")));
                let items = items.collect();
                self.values.add(Value::Array(items))
            }
            (Some(Subschemas::Direct), _) => self.schema(value, is_inside, pointer),
            (Some(Subschemas::Named), Value::Object(members)) => {
                let read = |(name, value): &(Arc<str>, ValueId)| {
                    (name.clone(), self.schema(*value, is_inside, &child_pointer(pointer, name)))
                };
                let members = members.iter().map(read).collect();
                self.values.add(Value::Object(members))
            }
            _ => value,
        }
    }

    /// Closes objects and arrays that leave open what else they contain. Tells whether there are such.
    fn close(&mut self, members: &mut Vec<(Arc<str>, ValueId)>, added: &mut Vec<&'static str>) -> bool {
        let closes_object = self.profile.closes_objects() && self.is_open_object(members);
        let closes_array = self.profile.is_whole() && get(members, "prefixItems").is_some() && {
            ["items", "unevaluatedItems"].iter().all(|name| get(members, name).is_none())
        };
        let is_combined = members.iter().any(|(name, _)| is_in_place(name) || &**name == "$ref");
        let no_value = self.values.add(Value::Bool(false));
        let mut add = |keyword: &'static str| {
            members.push((keyword.into(), no_value));
            added.push(keyword);
        };
        if closes_object {
            add(if is_combined { "unevaluatedProperties" } else { "additionalProperties" });
        }
        if closes_array {
            add("unevaluatedItems");
        }
        if closes_object {
            self.name_required(members);
        }
        closes_object || closes_array
    }

    /// Whether a schema describes objects and says nothing about other members. Only a schema for OpenAI closes objects of which it names no
    /// property; elsewhere `{"type": "object"}` is any object.
    fn is_open_object(&self, members: &ObjectMembers) -> bool {
        let has = |name: &str| get(members, name).is_some();
        let names = ["properties", "patternProperties", "required"].into_iter().any(has)
            || (self.profile == Profile::OpenAi && self.is_of_type(members, "object"));
        names && !["additionalProperties", "unevaluatedProperties", "propertyNames"].into_iter().any(has)
    }

    fn is_of_type(&self, members: &ObjectMembers, name: &str) -> bool {
        let is_name = |&value: &ValueId| self.values.string(value).is_some_and(|text| &**text == name);
        get(members, "type").is_some_and(|value| match self.values.get(value) {
            Value::Array(names) => names.iter().any(is_name),
            _ => is_name(&value),
        })
    }

    /// Declares the properties that are required only: otherwise no object would be valid.
    fn name_required(&mut self, members: &mut Vec<(Arc<str>, ValueId)>) {
        let Some(Value::Array(required)) =
            get(members, "required").map(|value| self.values.get(value).clone())
        else {
            return;
        };
        let anything = self.values.add(Value::Bool(true));
        let mut properties = self.properties(members);
        for name in required.iter().filter_map(|&name| self.values.string(name)) {
            if get(&properties, name).is_none() {
                properties.push((name.clone(), anything));
            }
        }
        if !properties.is_empty() {
            let properties = self.values.add(Value::Object(properties.into()));
            set(members, "properties", properties);
        }
    }

    /// Requires all properties. Tells whether some were not required.
    fn require_all(&mut self, members: &mut Vec<(Arc<str>, ValueId)>, added: &mut Vec<&'static str>) -> bool {
        let (mut names, is_new) = match get(members, "required").map(|value| self.values.get(value)) {
            Some(Value::Array(names)) => (names.to_vec(), false),
            Some(_) => return false,
            None => (Vec::new(), true),
        };
        let before = names.len();
        for (name, _) in self.properties(members) {
            let name = self.values.add(Value::String(name));
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let is_changed = names.len() > before;
        if is_changed {
            let names = self.values.add(Value::Array(names.into()));
            set(members, "required", names);
            added.extend(is_new.then_some("required"));
        }
        is_changed
    }

    fn properties(&self, members: &ObjectMembers) -> Vec<(Arc<str>, ValueId)> {
        match get(members, "properties").map(|value| self.values.get(value)) {
            Some(Value::Object(properties)) => properties.to_vec(),
            _ => Vec::new(),
        }
    }

    /// OpenAI's strict mode demands an object at the root.
    fn check_root(&mut self, root: ValueId) {
        if self.values.member(root, "anyOf").is_some() {
            self.forbid("/anyOf", "anyOf at the root", "put it into a property");
        }
        let is_object = match self.values.get(root) {
            Value::Object(members) => {
                let members = members.clone();
                get(&members, "$ref").is_some() || self.is_of_type(&members, "object")
            }
            _ => false,
        };
        if !is_object {
            self.forbid(
                "",
                "any root but an object",
                "write \"type\": \"object\", and put the value into a property",
            );
        }
    }

    /// Forbids keywords of one schema.
    fn check(&mut self, members: &ObjectMembers, pointer: &str) {
        for (keyword, value) in members {
            let place = child_pointer(pointer, keyword);
            if FORBIDDEN.contains(&&**keyword) {
                self.forbid(&place, keyword, "leave it out");
            }
            let is_false = matches!(self.values.get(*value), Value::Bool(false));
            if &**keyword == "additionalProperties" && !is_false {
                self.forbid(
                    &place,
                    "additionalProperties other than false",
                    "write false, and name all properties",
                );
            }
        }
    }

    fn forbid(&mut self, pointer: &str, what: &str, help: &str) {
        let message = format!("the profile openai forbids {what}");
        let error = Diagnostic::error(Code::Unenforceable, message);
        let error =
            error.at(Location::Pointer(pointer.to_owned())).help(format!("{help}, or leave out --profile"));
        if !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }
}

fn get(members: &ObjectMembers, keyword: &str) -> Option<ValueId> {
    members.iter().find(|(name, _)| &**name == keyword).map(|&(_, value)| value)
}

fn set(members: &mut Vec<(Arc<str>, ValueId)>, keyword: &str, value: ValueId) {
    match members.iter_mut().find(|(name, _)| &**name == keyword) {
        Some(member) => member.1 = value,
        None => members.push((keyword.into(), value)),
    }
}
