//! JSON values whose objects keep the order of their keys, for schemas and instances of the tests.
//!
//! The order of keys matters here: it is the order in which instances are written and in which a schema
//! declares them.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Number;
use std::fmt;

/// A JSON value. Objects keep the order of the text.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The value of a JSON text.
    pub(crate) fn parse(text: &str) -> Self {
        serde_json::from_str(text).expect("the text is JSON")
    }

    /// The value of a key of an object; null if there is none.
    pub(crate) fn get(&self, key: &str) -> &Self {
        let found = self.members().iter().find(|(name, _)| name == key);
        found.map_or(&Self::Null, |(_, value)| value)
    }

    /// The members of an object; none for any other value.
    pub(crate) fn members(&self) -> &[(String, Self)] {
        if let Self::Object(members) = self { members } else { &[] }
    }

    /// The items of an array; none for any other value.
    pub(crate) fn items(&self) -> &[Self] {
        if let Self::Array(items) = self { items } else { &[] }
    }

    pub(crate) fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(flag) = self { Some(*flag) } else { None }
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }
}

/// As Python's `json.dumps` writes it, with non-ASCII characters kept.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(flag) => write!(f, "{flag}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::String(text) => f.write_str(&quoted(text)),
            Self::Array(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if index > 0 { ", " } else { "" })?;
                }
                f.write_str("]")
            }
            Self::Object(members) => {
                f.write_str("{")?;
                for (index, (key, value)) in members.iter().enumerate() {
                    write!(f, "{}{}: {value}", if index > 0 { ", " } else { "" }, quoted(key))?;
                }
                f.write_str("}")
            }
        }
    }
}

/// The text as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("every text is a JSON string")
}

/// The JSON text as Python prints it with `ensure_ascii`: with escapes for all characters that are not printable ASCII.
pub(crate) fn ascii(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        let mut units = [0; 2];
        match character {
            '\n' | ' '..='~' => out.push(character),
            _ => character
                .encode_utf16(&mut units)
                .iter()
                .for_each(|unit| out.push_str(&format!("\\u{unit:04x}"))),
        }
    }
    out
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Json, E> {
        Ok(Json::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        Ok(Json::Number(number.into()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Json, E> {
        Number::from_f64(number).map(Json::Number).ok_or_else(|| E::custom("the number is not finite"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::Array(list))
    }

    /// If a key repeats, its last value counts, at the place of the first.
    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Json, A::Error> {
        let mut list: Vec<(String, Json)> = Vec::new();
        while let Some((key, value)) = members.next_entry::<String, Json>()? {
            match list.iter_mut().find(|(known, _)| *known == key) {
                Some((_, known)) => *known = value,
                None => list.push((key, value)),
            }
        }
        Ok(Json::Object(list))
    }
}

#[test]
fn objects_keep_the_order_of_their_keys() {
    let text = r#"{"b": [1, -2, 0.5, 1e+30], "a": {"é\n": null, "": true}, "b2": "x"}"#;
    assert_eq!(Json::parse(text).to_string(), text);
}
