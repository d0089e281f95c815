//! The values of keywords, by the type that the keyword demands. A value of another type is an error.

use super::loader::Loader;
use super::source::Source;
use crate::languages::{Lengths, MAX_LENGTH};
use crate::read::decimal::Decimal;
use crate::read::document::{ObjectMembers, Value, ValueId};
use crate::report::{NO_OPTION, Narrowed, Narrowing};
use crate::schema::{ArrayRule, Clause, KeyId, Schema, SchemaId};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The work to add a key or subschema to a schema.
const WORK_PER_PART: usize = 20;
/// Estimated bytes of a key or subschema of a schema.
const BYTES_PER_PART: usize = 100;

/// What a bound counts.
#[derive(Clone, Copy)]
pub(super) enum Counted {
    Characters,
    /// There is a state of the automaton for each item.
    Items,
    /// Items that are all alike are counted by rules whose number is logarithmic.
    EqualItems,
    /// There is a state of the automaton for each member.
    Members,
}

impl Counted {
    fn noun(self) -> &'static str {
        match self {
            Self::Characters => "characters",
            Self::Items | Self::EqualItems => "items",
            Self::Members => "members",
        }
    }

    /// The largest bound that is enforced.
    fn most(self) -> u32 {
        match self {
            Self::Characters => MAX_LENGTH,
            Self::EqualItems => 1 << 30,
            Self::Items | Self::Members => 1 << 16,
        }
    }

    /// What is refused where so many are counted and no more, if that is more than a text has that somebody writes.
    fn refuses(self) -> Option<&'static str> {
        match self {
            Self::Characters => Some("strings of more than 1,280,000 characters"),
            Self::EqualItems => Some("arrays of more than 1,073,741,824 items"),
            Self::Items | Self::Members => None,
        }
    }
}

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

    /// The bounds that two keywords give. An upper bound that is too large to be counted becomes a condition of which a part is
    /// accepted; other ones are left out as unknown conditions.
    pub(super) fn bounds(
        &mut self,
        source: &Source,
        schema: &mut Schema,
        (least, most): (&'static str, &'static str),
        counted: Counted,
    ) -> (Option<u32>, Option<u32>) {
        let max = self.count(source, most);
        let max = match counted.refuses() {
            Some(refuses) if max > Some(counted.most()) => {
                let narrowed = Narrowed { kind: Narrowing::Length, refuses, help: NO_OPTION };
                self.findings.narrow(source.place.1, most, narrowed);
                let accepted = self.at_most(counted);
                self.restrict_between(schema, most, accepted, SchemaId::TRUE);
                None
            }
            _ => self.enforced_count(schema, most, max, counted),
        };
        let min = self.count(source, least);
        (self.enforced_count(schema, least, min, counted), max)
    }

    /// The values with as many characters or items as are counted.
    fn at_most(&mut self, counted: Counted) -> SchemaId {
        let max = Some(counted.most());
        let mut schema = Schema::anything();
        if let Counted::Characters = counted {
            let lengths = self.languages.in_half(|languages| languages.add_lengths(Lengths { min: 0, max }));
            if let Some(lengths) = self.within_limits(&mut schema, "maxLength", lengths) {
                schema.strings = lengths;
            }
        } else {
            schema.arrays = Some(vec![ArrayRule::Length { min: 0, max }]);
        }
        self.schemas.add(schema)
    }

    /// Adds a condition of which a part is accepted.
    pub(super) fn restrict_between(
        &mut self,
        schema: &mut Schema,
        keyword: &'static str,
        accepted: SchemaId,
        possible: SchemaId,
    ) {
        self.has_parts = true;
        schema.clauses.push(Clause::Between { keyword, accepted, possible });
    }

    /// The bound of a keyword. One that is too large to be counted is left out as an unknown condition.
    fn enforced_count(
        &mut self,
        schema: &mut Schema,
        keyword: &str,
        bound: Option<u32>,
        counted: Counted,
    ) -> Option<u32> {
        let (noun, most) = (counted.noun(), counted.most());
        if bound? <= most {
            return bound;
        }
        let why = format!("no more than {most} {noun} are counted");
        let admits =
            if keyword.starts_with("min") { format!("fewer {noun}") } else { format!("more {noun}") };
        let help = format!("use a bound of at most {most}, or leave the keyword out");
        let clause = self.unenforced(keyword, why, &admits, &help);
        schema.clauses.push(clause);
        None
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
