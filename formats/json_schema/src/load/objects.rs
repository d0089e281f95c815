//! The keywords about objects: `properties` and its relatives, `required`, sizes, `propertyNames`,
//! dependencies and `unevaluatedProperties`.
//!
//! They become the [`ObjectRule`]s of the schema, the order of its declared keys, and a clause for each
//! dependency. A schema that allows no objects gets none.

use super::loader::Loader;
use super::source::Source;
use super::values::Counted;
use crate::languages::Languages;
use crate::read::document::{Value, ValueId};
use crate::schema::{Clause, KeyId, Members, ObjectRule, Schema, SchemaId};
use gcc_grammar_ir::Code;
use gcc_grammar_ir::spelling::similar;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// So many required keys that are not declared are compared with as many declared keys.
const MOST_COMPARED: usize = 32;
/// Shorter keys are alike only if they are the same but for the case of letters.
const SHORTEST: usize = 4;
/// The work to compare two keys.
const WORK_PER_COMPARISON: usize = 100;

impl Loader<'_> {
    /// Adds the rules on objects to a schema.
    pub(super) fn load_objects(&mut self, source: &Source, schema: &mut Schema) {
        if schema.objects.is_none() {
            return;
        }
        let mut rules = Vec::new();
        let members = self.load_members(source, schema);
        schema.order = members.properties.iter().map(|&(key, _)| key).collect();
        if !(members.properties.is_empty() && members.patterns.is_empty() && members.rest == SchemaId::TRUE) {
            let members = self.schemas.add_members(members);
            rules.push(ObjectRule::Members(members));
            schema.evaluation.members = self.features.unevaluated.then_some(members);
        }
        let required = self.load_required(source);
        self.warn_undeclared(source, &schema.order, &required);
        if !required.is_empty() {
            rules.push(ObjectRule::Required(required));
        }
        let (min, max) = self.bounds(source, schema, ("minProperties", "maxProperties"), Counted::Members);
        let min = min.unwrap_or(0);
        if min > 0 || max.is_some() {
            rules.push(ObjectRule::Size { min, max });
        }
        if let Some(value) = source.get("propertyNames") {
            let names = self.subschema(source, "propertyNames", value);
            self.warn_keys_without_texts(names);
            rules.push(ObjectRule::Names(names));
        }
        if let Some(all) = &mut schema.objects {
            all.extend(rules);
        }
    }

    /// Warns of a schema of keys that allows other values, and no strings. `false` is the usual way to write that there are no members.
    fn warn_keys_without_texts(&mut self, names: SchemaId) {
        let names = self.schemas.get(names);
        if names.strings == Languages::NOTHING && names.numbers != Languages::NOTHING {
            let message = "keys are strings, and this schema allows none, so objects have no members";
            let help = "describe keys as strings here, and values in additionalProperties";
            self.warn("propertyNames", Code::UnsatisfiableProperty, message, help);
        }
    }

    /// The schemas of the members, by key.
    fn load_members(&mut self, source: &Source, schema: &mut Schema) -> Members {
        let mut members = Members { properties: Vec::new(), patterns: Vec::new(), rest: SchemaId::TRUE };
        for (key, value) in self.members(source, "properties").iter() {
            let key_id = self.schemas.add_key(key);
            let value = self.descend("properties", |loader| loader.subschema(source, key, *value));
            members.properties.push((key_id, value));
        }
        let mut all_known = true;
        for (pattern, value) in self.members(source, "patternProperties").iter() {
            let value = self.descend("patternProperties", |loader| loader.subschema(source, pattern, *value));
            match self.pattern(schema, "patternProperties", pattern) {
                Some(language) => members.patterns.push((language, value)),
                None => all_known = false,
            }
        }
        if let Some(value) = source.get("additionalProperties") {
            let rest = self.subschema(source, "additionalProperties", value);
            // A key that matches the pattern without a language is not additional, so no key is for certain.
            members.rest = if all_known { rest } else { SchemaId::TRUE };
        }
        if self.features.unevaluated {
            schema.evaluation.all_members = source.get("additionalProperties").is_some() || !all_known;
            self.load_unevaluated_members(source, schema, &mut members);
        }
        members
    }

    fn load_unevaluated_members(&mut self, source: &Source, schema: &mut Schema, members: &mut Members) {
        let Some(value) = source.get("unevaluatedProperties") else { return };
        let others = self.subschema(source, "unevaluatedProperties", value);
        let evaluation = &mut schema.evaluation;
        if !evaluation.all_members {
            if source.has_in_place_applicators() {
                evaluation.other_members = Some(others);
            } else {
                members.rest = others;
            }
        }
        evaluation.all_members = true;
    }

    /// Warns of required keys that are not declared, where no other key is allowed or a declared one is nearly the same.
    fn warn_undeclared(&mut self, source: &Source, declared: &[KeyId], required: &[KeyId]) {
        let is_closed = source.get("additionalProperties").is_some_and(|value| self.is_false(value));
        if source.get("patternProperties").is_some() {
            return;
        }
        let known: FxHashSet<KeyId> = declared.iter().copied().collect();
        let missing: Vec<_> = required.iter().filter(|key| !known.contains(key)).collect();
        if !is_closed {
            return self.warn_misspelt_required(declared, required, &missing);
        }
        let [first, others @ ..] = &missing[..] else { return };
        let others = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
        let message = format!(
            "{:?}{others} is required but not in properties, and additionalProperties is false: no object is valid",
            self.schemas.key(**first)
        );
        let help = "add it to properties, or correct its spelling";
        self.warn("required", Code::UndeclaredRequired, message, help);
    }

    /// Warns of a required key that is not declared, if a declared one that is not required is nearly the same.
    fn warn_misspelt_required(&mut self, declared: &[KeyId], required: &[KeyId], missing: &[&KeyId]) {
        let most = MOST_COMPARED;
        self.charge(WORK_PER_COMPARISON * missing.len().min(most) * declared.len().min(most), 0);
        let is_optional = |key: &&KeyId| !required.contains(*key);
        let known: Vec<KeyId> = declared.iter().take(most).filter(is_optional).copied().collect();
        for &&key in missing.iter().take(most) {
            let key = self.schemas.key(key).to_owned();
            let names = known.iter().map(|&known| self.schemas.key(known));
            let alike = |name: &&str| key.len() >= SHORTEST || name.eq_ignore_ascii_case(&key);
            let Some(meant) = similar(&key, names.filter(alike)).map(str::to_owned) else { continue };
            let message =
                format!("{key:?} is required but not in properties, so any value is allowed for it");
            self.warn("required", Code::UndeclaredRequired, message, format!("did you mean {meant:?}?"));
        }
    }

    fn load_required(&mut self, source: &Source) -> Vec<KeyId> {
        let Some(value) = source.get("required") else { return Vec::new() };
        self.descend("required", |loader| loader.keys(value))
    }

    /// Adds the clauses of `dependencies`, `dependentRequired` or `dependentSchemas`.
    pub(super) fn load_dependencies(&mut self, source: &Source, keyword: &str, schema: &mut Schema) {
        if schema.objects.is_none() {
            return;
        }
        for (key, value) in self.members(source, keyword).iter() {
            let key_id = self.schemas.add_key(key);
            let schema_id = self.descend(keyword, |loader| loader.dependency(source, key, *value));
            schema.clauses.push(Clause::Dependent(key_id, schema_id));
        }
    }

    fn dependency(&mut self, source: &Source, key: &Arc<str>, value: ValueId) -> SchemaId {
        if !matches!(self.values.get(value), Value::Array(_)) {
            return self.subschema(source, key, value);
        }
        let keys = self.descend(key, |loader| loader.keys(value));
        // The keys are required but not declared, so they do not take part in the order of keys.
        let rules = vec![ObjectRule::Required(keys)];
        self.schemas.add(Schema { objects: Some(rules), ..Schema::anything() })
    }
}
