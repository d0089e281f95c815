//! JSON values with the members of objects in the order of the file.
//!
//! The tests of `formats/json_schema` use this file, too. MaskBench instances are read by grammars that fix the order of keys, and so must be written in the order in which they came. A map of
//! `serde_json` keeps that order only with a feature that would apply to the whole workspace.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::str::FromStr;

/// A JSON value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as text. Integers of up to 64 bits are exact; other numbers are written as the nearest `f64`.
    Number(String),
    /// A string, without escapes.
    String(String),
    /// The items of an array.
    Array(Vec<Value>),
    /// The members of an object, in the order of the file. Keys are distinct.
    Object(Vec<(String, Value)>),
}

/// What is written between items and members, and between a key and its value.
#[derive(Clone, Copy)]
struct Separators(&'static str, &'static str);

impl Value {
    /// The member of an object with this key; null if there is none.
    #[must_use]
    pub fn get(&self, key: &str) -> &Self {
        let found = self.members().iter().find(|(name, _)| name == key);
        found.map_or(&Self::Null, |(_, value)| value)
    }

    /// The value of `true` or `false`.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(value) = self { Some(*value) } else { None }
    }

    /// The text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// The members of an object; none for other values.
    #[must_use]
    pub fn members(&self) -> &[(String, Self)] {
        if let Self::Object(members) = self { members } else { &[] }
    }

    /// The items of an array; none for other values.
    #[must_use]
    pub fn items(&self) -> &[Self] {
        if let Self::Array(items) = self { items } else { &[] }
    }

    /// The value with `", "` and `": "` as separators, as `json.dumps` of Python writes it. Characters outside ASCII are not escaped.
    #[must_use]
    pub fn spaced(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, Separators(", ", ": ")).expect("a string takes all text");
        text
    }

    fn write(&self, out: &mut dyn fmt::Write, separators: Separators) -> fmt::Result {
        let Separators(between, colon) = separators;
        let separator = |index: usize| if index == 0 { "" } else { between };
        match self {
            Self::Null => out.write_str("null"),
            Self::Bool(value) => write!(out, "{value}"),
            Self::Number(text) => out.write_str(text),
            Self::String(text) => out.write_str(&quoted(text)),
            Self::Array(items) => {
                out.write_char('[')?;
                for (index, item) in items.iter().enumerate() {
                    out.write_str(separator(index))?;
                    item.write(out, separators)?;
                }
                out.write_char(']')
            }
            Self::Object(members) => {
                out.write_char('{')?;
                for (index, (key, value)) in members.iter().enumerate() {
                    write!(out, "{}{}{colon}", separator(index), quoted(key))?;
                    value.write(out, separators)?;
                }
                out.write_char('}')
            }
        }
    }
}

/// The text as a JSON string.
#[must_use]
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Writes the value without white space.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, Separators(",", ":"))
    }
}

impl FromStr for Value {
    type Err = serde_json::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        serde_json::from_str(text)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Number(serde_json::Value::from(value).to_string()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    /// A repeated key replaces the value of the first one.
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members: Vec<(String, Value)> = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, Value>()? {
            match members.iter_mut().find(|(other, _)| *other == key) {
                Some(member) => member.1 = value,
                None => members.push((key, value)),
            }
        }
        Ok(Value::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_in_the_order_of_the_text() {
        let value: Value =
            r#" {"b": [1, -2, 2.50, 1e2], "a": {"z": null, "y": "\"\u00e9\n"}, "b2": true, "a": {}} "#
                .parse()
                .unwrap();
        assert_eq!(value.to_string(), r#"{"b":[1,-2,2.5,100.0],"a":{},"b2":true}"#);
        let nested: Value = r#"{"z":[],"y":"\"\u00e9\n"}"#.parse().unwrap();
        assert_eq!(nested.spaced(), "{\"z\": [], \"y\": \"\\\"é\\n\"}");
        assert_eq!((nested.get("z").items(), nested.get("y").as_str()), (&[][..], Some("\"é\n")));
        assert_eq!((nested.get("x"), value.get("b2").as_bool()), (&Value::Null, Some(true)));
    }

    #[test]
    fn text_that_is_not_json_is_refused() {
        assert!("{\"a\": }".parse::<Value>().is_err() && "1 2".parse::<Value>().is_err());
    }
}
