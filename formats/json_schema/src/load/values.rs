//! The values of keywords, by the type that the keyword demands. A value of another type is an error.

use super::loader::Loader;
use super::source::Source;
use crate::languages::MAX_LENGTH;
use crate::read::decimal::Decimal;
use crate::read::document::{ObjectMembers, Value, ValueId};
use crate::schema::{KeyId, Schema};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The work to add a key or subschema to a schema.
const WORK_PER_PART: usize = 20;
/// Estimated bytes of a key or subschema of a schema.
const BYTES_PER_PART: usize = 100;

/// What a bound counts, and the largest bound that is enforced.
pub(super) struct Counted {
    noun: &'static str,
    most: u32,
}

pub(super) const CHARACTERS: Counted = Counted { noun: "characters", most: MAX_LENGTH };
/// There is a state of the automaton for each item.
pub(super) const ITEMS: Counted = Counted { noun: "items", most: 1 << 16 };
/// Items that are all alike are counted by rules whose number is logarithmic.
pub(super) const EQUAL_ITEMS: Counted = Counted { noun: "items", most: 1 << 30 };
/// There is a state of the automaton for each member.
pub(super) const MEMBERS: Counted = Counted { noun: "members", most: 1 << 16 };

impl Loader<'_> {
    /// The members of a keyword whose value is an object, in the order of the text.
    pub(super) fn members(&mut self, source: &Source, keyword: &str) -> Arc<ObjectMembers> {
        match source.get(keyword).map(|value| self.values.get(value).clone()) {
            None => Arc::new([]),
            Some(Value::Object(members)) => {
                self.charge(WORK_PER_PART * members.len(), BYTES_PER_PART * members.len());
                members
            }
            Some(_) => {
                self.descend(keyword, |loader| loader.invalid("an object is expected here"));
                Arc::new([])
            }
        }
    }

    /// The bound that a keyword gives. A bound that is too large to be counted is left out as an unknown condition.
    fn enforced_count(
        &mut self,
        source: &Source,
        schema: &mut Schema,
        keyword: &str,
        counted: &Counted,
    ) -> Option<u32> {
        let bound = self.count(source, keyword)?;
        if bound <= counted.most {
            return Some(bound);
        }
        let Counted { noun, most } = counted;
        let why = format!("no more than {most} {noun} are counted");
        let admits =
            if keyword.starts_with("min") { format!("fewer {noun}") } else { format!("more {noun}") };
        let help = format!("use a bound of at most {most}, or leave the keyword out");
        let clause = self.unenforced(keyword, why, &admits, &help);
        schema.clauses.push(clause);
        None
    }

    /// The bounds that two keywords give, without those that are too large to be counted.
    pub(super) fn bounds(
        &mut self,
        source: &Source,
        schema: &mut Schema,
        (min, max): (&str, &str),
        counted: &Counted,
    ) -> (Option<u32>, Option<u32>) {
        let max = self.enforced_count(source, schema, max, counted);
        (self.enforced_count(source, schema, min, counted), max)
    }

    /// The value of a keyword that is a non-negative integer. Larger numbers become the maximum of u32.
    fn count(&mut self, source: &Source, keyword: &str) -> Option<u32> {
        let value = source.get(keyword)?;
        let count = match self.values.get(value) {
            Value::Number(number) if number.is_integer() && !number.negative => {
                Some(number.to_u64().map_or(u32::MAX, |count| count.min(u64::from(u32::MAX)) as u32))
            }
            _ => None,
        };
        if count.is_none() {
            self.descend(keyword, |loader| loader.invalid("a non-negative integer is expected here"));
        }
        count
    }

    /// The value of a keyword that is a number.
    pub(super) fn number(&mut self, source: &Source, keyword: &str) -> Option<Decimal> {
        match self.values.get(source.get(keyword)?) {
            Value::Number(number) => Some(number.clone()),
            _ => {
                self.descend(keyword, |loader| loader.invalid("a number is expected here"));
                None
            }
        }
    }

    /// The value of a keyword that is true or false; false if the keyword is missing.
    pub(super) fn flag(&mut self, source: &Source, keyword: &str) -> bool {
        match source.get(keyword).map(|value| self.values.get(value).clone()) {
            None => false,
            Some(Value::Bool(flag)) => flag,
            Some(_) => {
                self.descend(keyword, |loader| loader.invalid("true or false is expected here"));
                false
            }
        }
    }

    /// A list of keys, without repetitions.
    pub(super) fn keys(&mut self, value: ValueId) -> Vec<KeyId> {
        let items = match self.values.get(value).clone() {
            Value::Array(items) => items,
            _ => {
                self.invalid("a list of keys is expected here");
                return Vec::new();
            }
        };
        self.charge(WORK_PER_PART * items.len(), BYTES_PER_PART * items.len());
        let mut keys = Vec::new();
        for &item in items.iter() {
            match self.values.string(item).cloned() {
                Some(key) => keys.push(self.schemas.add_key(&key)),
                None => self.invalid("a key must be a string"),
            }
        }
        let mut seen = FxHashSet::default();
        keys.retain(|&key| seen.insert(key));
        keys
    }
}
