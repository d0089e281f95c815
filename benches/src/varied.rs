//! Any number of different schemas, made of those of MaskBench: copy `n` of a schema has other names of members and other bounds.
//!
//! The same number gives the same schema everywhere.

use crate::json::Value;

/// Keywords with an upper bound, which grows with the number of the copy.
const BOUNDS: [&str; 3] = ["maxLength", "maxItems", "maximum"];
/// Copies have so many different bounds.
const STEPS: u64 = 7;

/// Copy `number` of a schema. Copy 0 is the schema itself; others have the number in the names of all members.
#[must_use]
pub fn varied(schema: &Value, number: u64) -> Value {
    match schema {
        Value::Object(members) if number > 0 => Value::Object(
            members.iter().map(|(key, value)| (key.clone(), member(key, value, number))).collect(),
        ),
        Value::Array(items) => Value::Array(items.iter().map(|item| varied(item, number)).collect()),
        other => other.clone(),
    }
}

fn member(key: &str, value: &Value, number: u64) -> Value {
    match value {
        Value::Object(members) if key == "properties" => {
            let member = |(name, schema): &(String, Value)| (renamed(name, number), varied(schema, number));
            Value::Object(members.iter().map(member).collect())
        }
        Value::Array(names) if key == "required" => {
            Value::Array(names.iter().map(|name| name_of(name, number)).collect())
        }
        Value::Number(text) if BOUNDS.contains(&key) => Value::Number(higher(text, number)),
        // Values, not schemas.
        _ if matches!(key, "enum" | "const" | "default" | "examples") => value.clone(),
        other => varied(other, number),
    }
}

fn renamed(name: &str, number: u64) -> String {
    format!("{name}_{number}")
}

fn name_of(name: &Value, number: u64) -> Value {
    match name {
        Value::String(name) => Value::String(renamed(name, number)),
        other => other.clone(),
    }
}

/// A bound that is a natural number, and higher by less than [`STEPS`]. Others stay.
fn higher(bound: &str, number: u64) -> String {
    bound
        .parse::<u32>()
        .map_or_else(|_| bound.to_owned(), |bound| (u64::from(bound) + number % STEPS).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_differ_in_names_and_bounds() {
        let text = r#"{"type":"object","properties":{"a":{"maxLength":5},"properties":{"properties":{"b":{}}}},"required":["a"],"enum":[{"required":["a"]}]}"#;
        let schema: Value = text.parse().expect("JSON");
        assert_eq!(varied(&schema, 0), schema);
        let expected = r#"{"type":"object","properties":{"a_3":{"maxLength":8},"properties_3":{"properties":{"b_3":{}}}},"required":["a_3"],"enum":[{"required":["a"]}]}"#;
        assert_eq!(varied(&schema, 3).to_string(), expected);
    }
}
