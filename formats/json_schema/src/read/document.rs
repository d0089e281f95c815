//! The store of JSON values: every value that was read, equal values once.
//!
//! Values are hash-consed: two values are equal exactly when their ids are. So equal subschemas are
//! recognized by comparing numbers, and the members of `enum` compare as the specification demands (1 equals
//! 1.0). Objects keep the order of their keys, and two objects that differ only in this order are different
//! values, because the order of `properties` is the order in which keys are generated.

use super::decimal::Decimal;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::sync::Arc;

/// A value; equal ids mean equal values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct ValueId(u32);

/// A JSON value whose children are in the store.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Number(Decimal),
    String(Arc<str>),
    Array(Arc<[ValueId]>),
    Object(Arc<ObjectMembers>),
}

/// The members of an object, in the order of the text.
pub(crate) type ObjectMembers = [(Arc<str>, ValueId)];

/// Objects with more members have an index of their keys.
const LEAST_FOR_INDEX: usize = 32;

/// The value of each key of an object.
type Index = FxHashMap<Arc<str>, ValueId>;

/// All values read so far, from any number of texts.
#[derive(Default)]
pub(crate) struct Values {
    values: Vec<Value>,
    /// The indices of large objects, each made when the first member is looked up.
    indices: FxHashMap<ValueId, OnceCell<Index>>,
    known: FxHashMap<Value, ValueId>,
}

impl Values {
    pub(crate) fn get(&self, id: ValueId) -> &Value {
        &self.values[id.0 as usize]
    }

    /// The id of a value, which is stored unless it is known.
    pub(crate) fn add(&mut self, value: Value) -> ValueId {
        if let Some(&id) = self.known.get(&value) {
            return id;
        }
        let id = ValueId(self.values.len() as u32);
        if matches!(&value, Value::Object(members) if members.len() > LEAST_FOR_INDEX) {
            self.indices.insert(id, OnceCell::new());
        }
        self.values.push(value.clone());
        self.known.insert(value, id);
        id
    }

    /// The member `key` of an object; `None` for anything else.
    pub(crate) fn member(&self, id: ValueId, key: &str) -> Option<ValueId> {
        match self.get(id) {
            Value::Object(members) => match self.indices.get(&id) {
                Some(index) => index.get_or_init(|| members.iter().cloned().collect()).get(key).copied(),
                None => members.iter().find(|(name, _)| &**name == key).map(|&(_, value)| value),
            },
            _ => None,
        }
    }

    /// The string values of all members with this key, in all objects of the store.
    pub(crate) fn strings_at<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        let members = self.values.iter().filter_map(|value| match value {
            Value::Object(members) => Some(members),
            _ => None,
        });
        let values = members.flat_map(|members| members.iter()).filter(move |(name, _)| &**name == key);
        values.filter_map(|&(_, value)| self.string(value)).map(|text| &**text)
    }

    /// The text of a string; `None` for any other value.
    pub(crate) fn string(&self, id: ValueId) -> Option<&Arc<str>> {
        match self.get(id) {
            Value::String(text) => Some(text),
            _ => None,
        }
    }
}
