//! JSON objects without repeated keys.
//!
//! Readers of JSON do not agree which of two members with the same key counts (RFC 8259, section 4), so an input that has both would not mean
//! the same everywhere. Objects whose keys are not known in advance are read with these types; each refuses a repeated key. The fields of a
//! `struct` are checked by `serde` itself.

use rustc_hash::FxHashSet;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;
use std::marker::PhantomData;

/// The members of an object as they are written, repeated keys included.
#[derive(Clone, Debug)]
pub struct Written<V>(pub Vec<(String, V)>);

impl<V> Written<V> {
    /// The message that a key occurs twice, and this key, if there is one.
    #[must_use]
    pub fn repeated(&self) -> Option<(String, &str)> {
        let mut keys = FxHashSet::default();
        let (key, _) = self.0.iter().find(|(key, _)| !keys.insert(key))?;
        Some((format!("the key {key:?} occurs twice in one object"), key))
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Written<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(WrittenVisitor(PhantomData))
    }
}

struct WrittenVisitor<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for WrittenVisitor<V> {
    type Value = Written<V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Written<V>, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Written(members))
    }
}

/// The members of an object in the order of the text, no key twice.
#[derive(Clone, Debug)]
pub struct Members<V>(pub Vec<(String, V)>);

impl<V> Default for Members<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<V> Members<V> {
    fn checked<E: Error>(written: Written<V>) -> Result<Self, E> {
        match written.repeated() {
            Some((message, _)) => Err(E::custom(message)),
            None => Ok(Self(written.0)),
        }
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Members<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::checked(Written::deserialize(deserializer)?)
    }
}

/// A value in which no object has a key twice.
#[derive(Clone, Debug)]
pub struct Distinct(pub Value);

impl<'de> Deserialize<'de> for Distinct {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DistinctVisitor).map(Self)
    }
}

struct DistinctVisitor;

impl<'de> Visitor<'de> for DistinctVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(Distinct(item)) = list.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Value, A::Error> {
        let written = WrittenVisitor::<Distinct>(PhantomData).visit_map(map)?;
        Members::checked(written).map(|members| Value::Object(members.into()))
    }
}

impl From<Members<Distinct>> for Map<String, Value> {
    fn from(members: Members<Distinct>) -> Self {
        members.0.into_iter().map(|(key, Distinct(value))| (key, value)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_without_repeated_keys_are_read_as_they_are() {
        for text in ["null", "[true, -1, 18446744073709551615, 0.5]", r#"{"a": {"b": 1}, "b": [{"b": ""}]}"#]
        {
            let Distinct(value) = serde_json::from_str(text).expect(text);
            assert_eq!(value, serde_json::from_str::<Value>(text).expect(text));
        }
    }

    #[test]
    fn a_repeated_key_is_refused_however_deep_and_however_it_is_spelled() {
        for text in
            [r#"{"a": 1, "a": 1}"#, r#"[0, {"b": {"a": 1, "\u0061": 2}}]"#, r#"{"a": 1, "b": 2, "a": 3}"#]
        {
            let error = serde_json::from_str::<Distinct>(text).expect_err(text).to_string();
            assert!(error.starts_with("the key \"a\" occurs twice in one object"), "{error}");
        }
    }
}
