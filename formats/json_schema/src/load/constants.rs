//! `enum` and `const`: finite sets of values.
//!
//! Scalars become languages and sets of constants. Each array or object becomes a schema that only this value
//! satisfies.

use super::loader::Loader;
use super::source::Source;
use crate::languages::{LanguageId, Languages};
use crate::read::decimal::Decimal;
use crate::read::document::{Value, ValueId};
use crate::schema::{ArrayRule, Clause, Items, Members, ObjectRule, Schema, SchemaId, consts};
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::Regex;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Numbers in constants may have this number of digits.
const MAX_DIGITS: u64 = 2_000;
/// The work to note that a constant is a part of a schema.
const WORK_PER_OWNED: usize = 10;
/// Estimated bytes of this note.
const BYTES_PER_OWNED: usize = 40;

impl Loader<'_> {
    /// Leaves the values of `enum` and `const`.
    pub(super) fn load_constants(&mut self, source: &Source, schema: &mut Schema) {
        if let Some(value) = source.get("enum") {
            match self.values.get(value).clone() {
                Value::Array(values) => self.restrict_to(schema, (source, "enum"), &values),
                _ => self.descend("enum", |loader| loader.invalid("a list of values is expected here")),
            }
        }
        if let Some(value) = source.get("const") {
            self.restrict_to(schema, (source, "const"), &[value]);
        }
    }

    /// Leaves only the given values.
    fn restrict_to(&mut self, schema: &mut Schema, (source, keyword): (&Source, &str), values: &[ValueId]) {
        let mut set = 0;
        let (mut strings, mut numbers, mut composite) = (Vec::new(), Vec::new(), Vec::new());
        for &value in values {
            match self.values.get(value) {
                Value::Null => set |= consts::NULL,
                Value::Bool(false) => set |= consts::FALSE,
                Value::Bool(true) => set |= consts::TRUE,
                Value::String(text) => strings.push(text.clone()),
                Value::Number(number) => numbers.push(number.clone()),
                Value::Array(_) | Value::Object(_) => composite.push(value),
            }
        }
        schema.consts &= set;
        let texts = self.texts(&strings);
        if let Some(texts) = self.within_limits(schema, keyword, texts) {
            let narrowed = self.languages.intersect(schema.strings, texts);
            schema.strings = self.within_limits(schema, keyword, narrowed).unwrap_or(schema.strings);
        }
        let numerals = self.numerals(&numbers);
        match self.within_limits(schema, keyword, numerals) {
            Some(Some(numerals)) => {
                let narrowed = self.languages.intersect(schema.numbers, numerals);
                schema.numbers = self.within_limits(schema, keyword, narrowed).unwrap_or(schema.numbers);
            }
            None => {}
            Some(None) => {
                let why = format!("a number in it has more than {MAX_DIGITS} digits");
                let clause = self.unenforced(keyword, why, "other numbers", "use shorter numbers");
                schema.clauses.push(clause);
            }
        }
        self.restrict_to_composite(source, schema, &composite);
    }

    fn texts(&mut self, strings: &[Arc<str>]) -> Result<LanguageId, OverBudget> {
        if strings.is_empty() {
            return Ok(Languages::NOTHING);
        }
        self.languages.add_texts(strings.iter().map(|text| &**text))
    }

    /// The language of the numbers: all numerals in plain notation. `None` if a number has too many digits.
    pub(crate) fn numerals(&mut self, numbers: &[Decimal]) -> Result<Option<LanguageId>, OverBudget> {
        if numbers.is_empty() {
            return Ok(Some(Languages::NOTHING));
        }
        let (mut integers, mut fractions) = (Vec::new(), Vec::new());
        for number in numbers {
            if number.plain_length() > MAX_DIGITS {
                return Ok(None);
            }
            let sign = if number.negative { "-" } else { "" };
            let (whole, fraction) = number.plain();
            let text = |digits: &[u8]| digits.iter().map(|&d| (b'0' + d) as char).collect::<String>();
            if fraction.is_empty() {
                integers.push(Regex::literal(&format!("{sign}{}", text(&whole))));
                if number.is_zero() {
                    integers.push(Regex::literal("-0"));
                }
            } else {
                fractions.push(Regex::literal(&format!("{sign}{}.{}", text(&whole), text(&fraction))));
            }
        }
        let zeros = || Regex::literal("0");
        let regex = Regex::union([
            Regex::concat([Regex::Union(integers), Regex::literal(".").then(zeros().plus()).optional()]),
            Regex::concat([Regex::Union(fractions), zeros().star()]),
        ]);
        self.languages.add_regex(&regex).map(Some)
    }

    /// Leaves only the given arrays and objects; scalars are not affected.
    fn restrict_to_composite(&mut self, source: &Source, schema: &mut Schema, values: &[ValueId]) {
        let is_array = |loader: &Self, value: ValueId| matches!(loader.values.get(value), Value::Array(_));
        if !values.iter().any(|&value| is_array(self, value)) {
            schema.arrays = None;
        }
        if values.iter().all(|&value| is_array(self, value)) {
            schema.objects = None;
        }
        if schema.arrays.is_none() && schema.objects.is_none() {
            return;
        }
        let mut alternatives: Vec<_> = values.iter().map(|&value| self.constant(value)).collect();
        self.own_constants(source.place.1, values);
        alternatives.push(self.schemas.add(Schema { arrays: None, objects: None, ..Schema::anything() }));
        schema.clauses.push(Clause::AnyOf(alternatives));
    }

    /// The schema that exactly one value satisfies. Recursion is bounded by the depth of the document.
    pub(super) fn constant(&mut self, value: ValueId) -> SchemaId {
        if let Some(&schema) = self.constants.schemas.get(&value) {
            return schema;
        }
        let mut schema = Schema::nothing();
        let mut sorted = value;
        match self.values.get(value).clone() {
            Value::Null => schema.consts = consts::NULL,
            Value::Bool(false) => schema.consts = consts::FALSE,
            Value::Bool(true) => schema.consts = consts::TRUE,
            Value::String(text) => schema.strings = self.texts(&[text]).unwrap_or(Languages::NOTHING),
            Value::Number(number) => {
                schema.numbers = self.numerals(&[number]).ok().flatten().unwrap_or(Languages::NOTHING)
            }
            Value::Array(items) => {
                schema.arrays = Some(self.constant_array(&items));
                sorted = self.values.add(Value::Array(items.iter().map(|&item| self.sorted(item)).collect()));
            }
            Value::Object(members) => {
                let rules = self.constant_object(&members, &mut schema);
                schema.objects = Some(rules);
                let each = members.iter().map(|(key, value)| (key.clone(), self.sorted(*value)));
                let mut members: Vec<_> = each.collect();
                members.sort_unstable();
                sorted = self.values.add(Value::Object(members.into()));
            }
        }
        let id = self.schemas.add(schema);
        self.constants.schemas.insert(value, id);
        self.constants.values.insert(id, sorted);
        id
    }

    /// Notes that a schema has no value but its scalar `const`.
    pub(super) fn note_constant(&mut self, schema: ValueId, id: SchemaId) {
        let Some(value) = self.values.member(schema, "const") else { return };
        let content = self.schemas.get(id);
        let is_scalar = content.arrays.is_none() && content.objects.is_none();
        if is_scalar && content.clauses.is_empty() {
            self.constants.values.insert(id, value);
        }
    }

    /// A constant that has a schema, with the keys of objects sorted.
    fn sorted(&self, value: ValueId) -> ValueId {
        self.constants
            .schemas
            .get(&value)
            .and_then(|&schema| self.constants.value_of(schema))
            .unwrap_or(value)
    }

    /// Notes that constants, and all values in them, are parts of a schema.
    fn own_constants(&mut self, owner: ValueId, values: &[ValueId]) {
        let mut seen = FxHashSet::default();
        let mut open = values.to_vec();
        while let Some(value) = open.pop() {
            if !seen.insert(value) || !self.charge(WORK_PER_OWNED, BYTES_PER_OWNED) {
                continue;
            }
            if let Some(&schema) = self.constants.schemas.get(&value) {
                self.constants.owners.entry(schema).or_default().push(owner);
            }
            match self.values.get(value) {
                Value::Array(items) => open.extend_from_slice(items),
                Value::Object(members) => open.extend(members.iter().map(|&(_, value)| value)),
                _ => {}
            }
        }
    }

    fn constant_array(&mut self, items: &[ValueId]) -> Vec<ArrayRule> {
        let count = items.len() as u32;
        let prefix = items.iter().map(|&item| self.constant(item)).collect();
        let items = self.schemas.add_items(Items { prefix, rest: SchemaId::FALSE });
        vec![ArrayRule::Items(items), ArrayRule::Length { min: count, max: Some(count) }]
    }

    fn constant_object(&mut self, members: &[(Arc<str>, ValueId)], schema: &mut Schema) -> Vec<ObjectRule> {
        let each = members.iter().map(|(key, value)| (self.schemas.add_key(key), self.constant(*value)));
        let properties: Vec<_> = each.collect();
        let keys: Vec<_> = properties.iter().map(|&(key, _)| key).collect();
        schema.order = keys.clone();
        let rest = SchemaId::FALSE;
        let members = self.schemas.add_members(Members { properties, patterns: Vec::new(), rest });
        vec![ObjectRule::Members(members), ObjectRule::Required(keys)]
    }
}
