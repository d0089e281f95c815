//! A schema of any JSON object, perhaps with a limit on its nesting.
//!
//! Schemas cannot count levels, so there is a definition for each level of nesting.

use serde_json::{Map, Value, json};

/// The text of a schema of any object that nests at most `max_depth` levels deep. The object itself is the
/// first level; `None` means any depth.
#[must_use]
pub fn schema(max_depth: Option<u32>) -> String {
    let Some(depth) = max_depth else { return json!({"type": "object"}).to_string() };
    let mut levels = Map::new();
    levels.insert("v0".to_owned(), json!({"type": ["string", "number", "boolean", "null"]}));
    for level in 1..depth {
        let inner = json!({"$ref": format!("#/$defs/v{}", level - 1)});
        let types = json!(["object", "array", "string", "number", "boolean", "null"]);
        levels.insert(
            format!("v{level}"),
            json!({"type": types, "additionalProperties": inner, "items": inner}),
        );
    }
    let root = match depth {
        0 | 1 => json!({"$ref": "#/$defs/v0"}),
        depth => json!({"$ref": format!("#/$defs/v{}", depth - 1)}),
    };
    json!({"type": "object", "additionalProperties": root, "$defs": Value::Object(levels)}).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate as json_schema;

    #[test]
    fn every_depth_is_a_valid_schema() {
        for depth in [None, Some(1), Some(2), Some(5), Some(64)] {
            let text = schema(depth);
            json_schema::compile(&text, &json_schema::Options::default())
                .unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        }
    }
}
