//! The subschemas of a value, from those of the value around it.

use super::instance::{Instance, Step, Way};
use crate::languages::Languages;
use crate::languages::pattern;
use crate::options::Options;
use crate::read::Documents;
use crate::read::document::{Value, ValueId, Values};
use crate::read::keywords::{child_pointer, is_assertion, is_in_place};
use crate::read::resources::{Place, Resources};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::{FxHashMap, FxHashSet};

/// The work to look at a schema, besides the length of its pointer.
const WORK_PER_SCHEMA: usize = 100;
/// Estimated bytes of a schema on the way, besides its pointer.
const BYTES_PER_SCHEMA: usize = 100;

/// A subschema that applies to a value.
#[derive(Clone)]
pub(super) struct Applied {
    pub(super) place: Place,
    pub(super) pointer: String,
}

/// A walk through a schema.
pub(super) struct Walk<'a> {
    pub(super) values: Values,
    pub(super) resources: Resources,
    languages: Languages,
    pub(super) budget: &'a Budget,
    /// What is known of whether a value contradicts a schema.
    pub(super) refuted: FxHashMap<(Place, Instance), bool>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(documents: Documents, options: &Options, budget: &'a Budget) -> Self {
        let Documents { values, resources, .. } = documents;
        let languages = Languages::new(options.limits.automaton(budget), options.counting.clone());
        Self { values, resources, languages, budget, refuted: FxHashMap::default() }
    }

    /// The JSON Pointers of the subschemas that describe the value at the end of a way, or else the nearest value around it that some describe.
    pub(super) fn describe(
        &mut self,
        root: Place,
        way: &Way,
        refutes: bool,
    ) -> Result<Vec<String>, OverBudget> {
        self.refuted.clear();
        let start = Applied { place: root, pointer: String::new() };
        let mut level = self.in_place(vec![start], way, 0, refutes)?;
        for (depth, step) in way.steps.iter().enumerate() {
            let mut inner = Vec::new();
            for applied in &level {
                inner.extend(self.children(applied, step)?);
            }
            if inner.is_empty() {
                inner = level.iter().filter_map(|applied| self.unevaluated(applied, step)).collect();
            }
            let inner = self.in_place(inner, way, depth + 1, refutes)?;
            if inner.is_empty() {
                break;
            }
            level = inner;
        }
        let telling: Vec<&Applied> = level.iter().filter(|applied| self.is_telling(applied.place)).collect();
        let told = if telling.is_empty() { level.iter().collect() } else { telling };
        Ok(told.into_iter().map(|applied| applied.pointer.clone()).collect())
    }

    /// Schemas that apply to a value, with those that they apply to the same value.
    fn in_place(
        &mut self,
        schemas: Vec<Applied>,
        way: &Way,
        depth: usize,
        refutes: bool,
    ) -> Result<Vec<Applied>, OverBudget> {
        let instance = way.at(depth);
        let (mut level, mut known) = (Vec::new(), FxHashSet::default());
        let mut open: Vec<Applied> = schemas.into_iter().rev().collect();
        while let Some(Applied { place, pointer }) = open.pop() {
            let place = self.resources.enter(place);
            self.budget.charge_work((WORK_PER_SCHEMA + pointer.len()) as u64)?;
            if !known.insert((place, pointer.clone()))
                || refutes && self.is_refuted(place, way, instance, 0)?
            {
                continue;
            }
            self.budget.charge_bytes((BYTES_PER_SCHEMA + 2 * pointer.len()) as u64)?;
            let applied = Applied { place, pointer };
            let mut inner = self.same_value(&applied, instance)?;
            inner.reverse();
            open.extend(inner);
            level.push(applied);
        }
        Ok(level)
    }

    /// The schemas that a schema applies to the same value, but for `if` and `not`.
    fn same_value(&self, applied: &Applied, instance: Instance) -> Result<Vec<Applied>, OverBudget> {
        let mut inner = Vec::new();
        inner.extend(self.referred(applied));
        for keyword in ["allOf", "anyOf", "oneOf"] {
            inner.extend(self.listed(applied, keyword)?);
        }
        if self.keyword(applied.place, "if").is_some() {
            inner.extend(["then", "else"].iter().filter_map(|keyword| self.below(applied, keyword)));
        }
        for keyword in ["dependentSchemas", "dependencies"] {
            let Some(Value::Object(members)) = self.get(applied.place, keyword) else { continue };
            let has =
                |key: &str| instance.value.is_some_and(|value| self.values.member(value, key).is_some());
            let named = members.iter().filter(|(key, schema)| has(key) && self.is_schema(*schema));
            let pointer = child_pointer(&applied.pointer, keyword);
            inner.extend(named.map(|(key, schema)| applied.child(*schema, child_pointer(&pointer, key))));
        }
        Ok(inner)
    }

    /// What `$ref` leads to.
    pub(super) fn referred(&self, Applied { place, .. }: &Applied) -> Option<Applied> {
        let Some(Value::String(reference)) = self.get(*place, "$ref") else { return None };
        let target = self.resources.locate(&self.values, place.0, reference).ok()?;
        let pointer = reference.strip_prefix('#').unwrap_or(reference).to_owned();
        Some(Applied { place: target, pointer })
    }

    /// The schemas in the list that is the value of a keyword.
    fn listed(&self, applied: &Applied, keyword: &str) -> Result<Vec<Applied>, OverBudget> {
        let schemas = self.list(applied.place, keyword);
        let pointer = child_pointer(&applied.pointer, keyword);
        self.budget.charge_bytes((schemas.len() * (BYTES_PER_SCHEMA + pointer.len())) as u64)?;
        let listed = schemas.iter().enumerate();
        Ok(listed.map(|(index, &schema)| applied.child(schema, format!("{pointer}/{index}"))).collect())
    }

    /// The members of the list that is the value of a keyword; none if it is no list.
    pub(super) fn list(&self, place: Place, keyword: &str) -> &[ValueId] {
        match self.get(place, keyword) {
            Some(Value::Array(schemas)) => schemas,
            _ => &[],
        }
    }

    /// The schema that is the value of a keyword.
    fn below(&self, applied: &Applied, keyword: &str) -> Option<Applied> {
        let schema = self.keyword(applied.place, keyword).filter(|&schema| self.is_schema(schema))?;
        Some(applied.child(schema, child_pointer(&applied.pointer, keyword)))
    }

    /// The schemas that a schema applies to the value behind a step.
    pub(super) fn children(&mut self, applied: &Applied, step: &Step) -> Result<Vec<Applied>, OverBudget> {
        match step {
            Step::Key(key) => self.members(applied, key),
            Step::Item(index) => Ok(self.item(applied, *index).into_iter().collect()),
        }
    }

    fn members(&mut self, applied: &Applied, key: &str) -> Result<Vec<Applied>, OverBudget> {
        let mut schemas = Vec::new();
        if let Some(properties) = self.keyword(applied.place, "properties")
            && let Some(schema) = self.values.member(properties, key)
        {
            let pointer = child_pointer(&applied.pointer, "properties");
            schemas.push(applied.child(schema, child_pointer(&pointer, key)));
        }
        let mut is_unknown = false;
        if let Some(Value::Object(patterns)) = self.get(applied.place, "patternProperties").cloned() {
            let pointer = child_pointer(&applied.pointer, "patternProperties");
            for (text, schema) in patterns.iter() {
                match self.matches(text, key)? {
                    Some(true) => schemas.push(applied.child(*schema, child_pointer(&pointer, text))),
                    Some(false) => {}
                    None => is_unknown = true,
                }
            }
        }
        if schemas.is_empty() && !is_unknown {
            schemas.extend(self.below(applied, "additionalProperties"));
        }
        Ok(schemas)
    }

    /// Whether a key matches a pattern; none if that is not known.
    fn matches(&mut self, text: &str, key: &str) -> Result<Option<bool>, OverBudget> {
        self.budget.charge_work((WORK_PER_SCHEMA + text.len() + key.len()) as u64)?;
        pattern::charge(text, self.budget)?;
        let Ok(pattern) = pattern::parse(text) else { return Ok(None) };
        let add = |languages: &mut Languages| languages.add_pattern(&pattern);
        let Ok(language) = self.languages.in_half(add) else { return Ok(None) };
        self.languages.contains(language, key).map(Some)
    }

    fn item(&self, applied: &Applied, index: usize) -> Option<Applied> {
        let list = ["prefixItems", "items"]
            .into_iter()
            .find(|keyword| matches!(self.get(applied.place, keyword), Some(Value::Array(_))));
        let Some(list) = list else { return self.below(applied, "items") };
        let rest = if list == "items" { "additionalItems" } else { "items" };
        match self.list(applied.place, list).get(index) {
            Some(&schema) => {
                Some(applied.child(schema, child_pointer(&applied.pointer, list) + &format!("/{index}")))
            }
            None => self.below(applied, rest),
        }
    }

    fn unevaluated(&self, applied: &Applied, step: &Step) -> Option<Applied> {
        let keyword = match step {
            Step::Key(_) => "unevaluatedProperties",
            Step::Item(_) => "unevaluatedItems",
        };
        self.below(applied, keyword)
    }

    /// Whether a schema says something itself about the values that it applies to, and does not only refer to others.
    fn is_telling(&self, place: Place) -> bool {
        let Value::Object(keywords) = self.values.get(place.1) else { return false };
        keywords.iter().any(|(keyword, _)| {
            let only_refers = is_in_place(keyword) || keyword.starts_with('$');
            is_assertion(keyword) && !only_refers && self.keyword(place, keyword).is_some()
        })
    }

    fn is_schema(&self, value: ValueId) -> bool {
        matches!(self.values.get(value), Value::Object(_) | Value::Bool(_))
    }

    pub(super) fn get(&self, place: Place, keyword: &str) -> Option<&Value> {
        self.keyword(place, keyword).map(|value| self.values.get(value))
    }

    /// The value of a keyword, if that has a meaning in the draft of the schema.
    pub(super) fn keyword(&self, (resource, schema): Place, keyword: &str) -> Option<ValueId> {
        let value = self.values.member(schema, keyword)?;
        let draft = self.resources.draft(resource);
        let is_alone =
            || draft.ref_is_alone() && keyword != "$ref" && self.values.member(schema, "$ref").is_some();
        let has_meaning = !self.resources.is_declared(resource) || draft.knows(keyword) && !is_alone();
        has_meaning.then_some(value)
    }
}

impl Applied {
    /// A schema in this one.
    pub(super) fn child(&self, schema: ValueId, pointer: String) -> Self {
        Self { place: (self.place.0, schema), pointer }
    }
}
