//! Alternatives that are contradicted by what is written.
//!
//! Only what is certain counts, however the output goes on: the type of a value that has begun, its constants once it is complete, and whether its members and items
//! are contradicted.

use super::instance::{Instance, Step, Way};
use super::walk::{Applied, Walk};
use crate::read::document::Value;
use crate::read::resources::Place;
use gcc_grammar_limits::OverBudget;

/// Schemas and values are followed this deep.
const MAX_DEPTH: usize = 64;

impl Walk<'_> {
    /// Whether a value contradicts a schema for certain.
    pub(super) fn is_refuted(
        &mut self,
        place: Place,
        way: &Way,
        instance: Instance,
        depth: usize,
    ) -> Result<bool, OverBudget> {
        let place = self.resources.enter(place);
        if let Some(&known) = self.refuted.get(&(place, instance)) {
            return Ok(known);
        }
        self.budget.charge_work(1)?;
        if depth > MAX_DEPTH {
            return Ok(false);
        }
        // A circle of references contradicts nothing.
        self.refuted.insert((place, instance), false);
        let is_refuted = match self.values.get(place.1) {
            Value::Bool(is_allowed) => !is_allowed,
            _ => {
                self.has_other_type(place, instance)
                    || self.is_other_constant(place, instance)
                    || self.is_refuted_in_place(place, way, instance, depth + 1)?
                    || self.has_refuted_part(place, way, instance, depth + 1)?
            }
        };
        self.refuted.insert((place, instance), is_refuted);
        Ok(is_refuted)
    }

    fn has_other_type(&self, place: Place, Instance { value, .. }: Instance) -> bool {
        let Some(value) = value.map(|value| self.values.get(value)) else { return false };
        let is_of = |name: &Value| match name {
            Value::String(name) => match (&**name, value) {
                ("null", Value::Null)
                | ("boolean", Value::Bool(_))
                | ("number", Value::Number(_))
                | ("string", Value::String(_))
                | ("array", Value::Array(_))
                | ("object", Value::Object(_)) => true,
                ("integer", Value::Number(number)) => number.is_integer(),
                ("null" | "boolean" | "number" | "integer" | "string" | "array" | "object", _) => false,
                _ => true,
            },
            _ => true,
        };
        let is_nullable = *value == Value::Null && self.keyword(place, "nullable").is_some();
        !is_nullable
            && match self.get(place, "type") {
                Some(Value::Array(names)) => !names.iter().any(|&name| is_of(self.values.get(name))),
                Some(name) => !is_of(name),
                None => false,
            }
    }

    fn is_other_constant(&self, place: Place, instance: Instance) -> bool {
        let Some(value) = instance.value.filter(|_| instance.open.is_none()) else { return false };
        let is_null = *self.values.get(value) == Value::Null;
        let is_other = self.keyword(place, "const").is_some_and(|constant| constant != value);
        let is_in_none = match self.get(place, "enum") {
            Some(Value::Array(constants)) => !constants.contains(&value),
            _ => false,
        };
        !is_null && (is_other || is_in_none)
    }

    fn is_refuted_in_place(
        &mut self,
        place: Place,
        way: &Way,
        instance: Instance,
        depth: usize,
    ) -> Result<bool, OverBudget> {
        let referred = self.referred(&Applied { place, pointer: String::new() });
        let listed = |walk: &Self, keyword| -> Vec<Place> {
            walk.list(place, keyword).iter().map(|&schema| (place.0, schema)).collect()
        };
        for schema in listed(self, "allOf").into_iter().chain(referred.map(|schema| schema.place)) {
            if self.is_refuted(schema, way, instance, depth)? {
                return Ok(true);
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            let alternatives = listed(self, keyword);
            let mut are_refuted = !alternatives.is_empty();
            for alternative in alternatives {
                are_refuted = are_refuted && self.is_refuted(alternative, way, instance, depth)?;
            }
            if are_refuted {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn has_refuted_part(
        &mut self,
        place: Place,
        way: &Way,
        instance: Instance,
        depth: usize,
    ) -> Result<bool, OverBudget> {
        let members =
            way.members(&self.values, instance).into_iter().map(|(key, child)| (Step::Key(key), child));
        let items = way.items(&self.values, instance).into_iter().enumerate();
        let items = items.map(|(index, child)| (Step::Item(index), child));
        let schema = Applied { place, pointer: String::new() };
        let parts: Vec<(Step, Instance)> = members.chain(items).collect();
        self.budget.charge_work(parts.len() as u64)?;
        for (step, child) in parts {
            for inner in self.children(&schema, &step)? {
                if self.is_refuted(inner.place, way, child, depth)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
