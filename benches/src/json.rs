//! JSON as benchmarks read it.

use serde_json::Value;

/// JSON with `", "` and `": "`, as Python's `json.dumps` writes it; other characters than ASCII are kept.
#[must_use]
pub fn spaced(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(spaced).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let member =
                |(key, value): (&String, &Value)| format!("{}: {}", Value::from(key.as_str()), spaced(value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        scalar => scalar.to_string(),
    }
}
