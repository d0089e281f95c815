//! The keywords about arrays: `items`, `prefixItems`, `contains`, lengths, `uniqueItems` and
//! `unevaluatedItems`.
//!
//! They become the [`ArrayRule`]s of the schema. A schema that allows no arrays gets none.

use super::loader::Loader;
use super::source::Source;
use super::values::Counted;
use crate::draft::Draft;
use crate::read::document::Value;
use crate::schema::{ArrayRule, Items, Schema, SchemaId};
use gcc_grammar_ir::Code;

impl Loader<'_> {
    /// Adds the rules on arrays to a schema.
    pub(super) fn load_arrays(&mut self, source: &Source, schema: &mut Schema) {
        if schema.arrays.is_none() {
            return;
        }
        let mut rules = Vec::new();
        let items = self.load_items(source, schema);
        let (min, max) = self.bounds(source, schema, ("minItems", "maxItems"), self.counted_items(source));
        let min = min.unwrap_or(0);
        if items.rest != SchemaId::TRUE || !items.prefix.is_empty() {
            rules.push(ArrayRule::Items(self.schemas.add_items(items.clone())));
        }
        if min > 0 || max.is_some() {
            rules.push(ArrayRule::Length { min, max });
        }
        self.load_contains(source, schema, &mut rules);
        let longest = if items.rest == SchemaId::FALSE { Some(items.prefix.len() as u32) } else { None };
        let longest = longest.into_iter().chain(max).min();
        if self.flag(source, "uniqueItems") && longest.is_none_or(|longest| longest > 1) {
            let items = self.schemas.add_items(items);
            let pointer = self.pointer_to("uniqueItems");
            self.unique_items.entry(items).or_default().push(pointer);
            rules.push(ArrayRule::Unique(items));
        }
        if let Some(all) = &mut schema.arrays {
            all.extend(rules);
        }
    }

    /// How many items can be counted. What else depends on the items before, or writes them as tags, needs a state for each.
    fn counted_items(&self, source: &Source) -> Counted {
        let dependent = ["contains", "uniqueItems", "unevaluatedItems"];
        let are_alike = dependent.iter().all(|keyword| source.get(keyword).is_none());
        if are_alike && !self.options.style.has_tags_inside() { Counted::EqualItems } else { Counted::Items }
    }

    /// The schemas of the items, by place.
    fn load_items(&mut self, source: &Source, schema: &mut Schema) -> Items {
        let mut items = Items { prefix: Vec::new(), rest: SchemaId::TRUE };
        let mut rest = ("additionalItems", None);
        match source.get("items").map(|value| (value, self.values.get(value).clone())) {
            Some((value, Value::Array(_))) => {
                self.warn_of_list(source);
                items.prefix = self.subschemas(source, "items", value);
                rest.1 = source.get("additionalItems");
            }
            Some((value, _)) => rest = ("items", Some(value)),
            None => {}
        }
        if let Some(value) = source.get("prefixItems") {
            items.prefix = self.subschemas(source, "prefixItems", value);
        }
        if let (keyword, Some(value)) = rest {
            items.rest = self.subschema(source, keyword, value);
        }
        if self.features.unevaluated {
            schema.evaluation.prefix = items.prefix.len() as u32;
            schema.evaluation.all_items = rest.1.is_some();
            self.load_unevaluated_items(source, schema, &mut items);
        }
        items
    }

    /// Warns of a list of schemas in `items` where the schema names a draft that has none.
    fn warn_of_list(&mut self, source: &Source) {
        if source.draft < Draft::Draft2020 || !self.resources.is_declared(source.place.0) {
            return;
        }
        let message =
            format!("items is one schema in {}; the list is read as prefixItems", source.draft.title());
        let help = "write prefixItems, or name an earlier draft in $schema";
        self.warn("items", Code::InvalidKeyword, message, help);
    }

    fn load_unevaluated_items(&mut self, source: &Source, schema: &mut Schema, items: &mut Items) {
        let evaluation = &mut schema.evaluation;
        if source.draft.contains_evaluates()
            && let Some(value) = source.get("contains")
        {
            evaluation.contains = Some(self.subschema(source, "contains", value));
        }
        let Some(value) = source.get("unevaluatedItems") else { return };
        let others = self.subschema(source, "unevaluatedItems", value);
        if !evaluation.all_items {
            if source.has_in_place_applicators() || evaluation.contains.is_some() {
                evaluation.other_items = Some(others);
            } else {
                items.rest = others;
            }
        }
        evaluation.all_items = true;
    }

    fn load_contains(&mut self, source: &Source, schema: &mut Schema, rules: &mut Vec<ArrayRule>) {
        let Some(value) = source.get("contains") else { return };
        let contained = self.subschema(source, "contains", value);
        let (min, max) = self.bounds(source, schema, ("minContains", "maxContains"), Counted::Items);
        // Where a larger bound is left out, one item is still certain.
        let min = min.unwrap_or(1);
        if min > 0 || max.is_some() {
            rules.push(ArrayRule::Contains { schema: contained, min, max });
        }
    }
}
