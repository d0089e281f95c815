//! Random schemas and values over few keys, words and numbers, so that values often satisfy schemas.

use gcc_grammar_random::Random;
use serde_json::{Map, Value, json};

const KEYS: [&str; 4] = ["a", "b", "c", "ab"];
const WORDS: [&str; 7] = ["", "a", "b", "ab", "aab", "é\"", "2024-02-29"];
const NUMBERS: [&str; 10] = ["0", "1", "2", "3", "-1", "6", "0.5", "2.5", "-7", "10"];
const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];
const PATTERNS: [&str; 5] = ["^a", "b$", "^[ab]*$", "a.", "^.?$"];

fn number(random: &mut Random) -> Value {
    serde_json::from_str(random.pick::<&str>(&NUMBERS)).unwrap()
}

/// A value that nests at most `depth` deep.
pub(crate) fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 5 } else { 9 }) {
        0 => Value::Null,
        1 => Value::Bool(random.chance(50)),
        2 | 3 => number(random),
        4 => json!(random.pick(&WORDS)),
        5 | 6 => (0..random.below(4)).map(|_| value(random, depth - 1)).collect(),
        _ => members(random, depth - 1),
    }
}

/// An object with values that nest at most `depth` deep.
fn members(random: &mut Random, depth: usize) -> Value {
    let mut members = Map::new();
    for key in KEYS {
        if random.chance(45) {
            members.insert(key.to_owned(), value(random, depth));
        }
    }
    Value::Object(members)
}

/// The values of `const` and `enum` anywhere in a schema.
pub(crate) fn constants(schema: &Value) -> Vec<&Value> {
    match schema {
        Value::Array(parts) => parts.iter().flat_map(constants).collect(),
        Value::Object(keywords) => {
            let values = keywords.iter().map(|(name, value)| match (name.as_str(), value) {
                ("const", value) => vec![value],
                ("enum", Value::Array(values)) => values.iter().collect(),
                (_, part) => constants(part),
            });
            values.flatten().collect()
        }
        _ => Vec::new(),
    }
}

/// The value with one change somewhere.
pub(crate) fn mutated(random: &mut Random, original: &Value) -> Value {
    let mut changed = original.clone();
    match &mut changed {
        Value::Array(items) if !items.is_empty() && random.chance(80) => {
            let place = random.below(items.len());
            match random.below(3) {
                0 => drop(items.remove(place)),
                1 => items.insert(place, value(random, 1)),
                _ => items[place] = mutated(random, &items[place]),
            }
        }
        Value::Object(members) if random.chance(80) => {
            let key = (*random.pick(&KEYS)).to_owned();
            match members.get(&key) {
                Some(_) if random.chance(40) => drop(members.remove(&key)),
                Some(member) => {
                    let member = mutated(random, &member.clone());
                    members.insert(key, member);
                }
                None => drop(members.insert(key, value(random, 1))),
            }
        }
        _ => changed = value(random, 1),
    }
    changed
}

/// A schema document: some definitions and a schema that may refer to them.
pub(crate) fn document(random: &mut Random) -> Value {
    let mut root = schema(random, 3);
    if root.is_boolean() {
        root = json!({});
    }
    let definitions: Map<String, Value> =
        ["x", "y"].iter().map(|name| ((*name).to_owned(), in_place(random, 2))).collect();
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["$defs"] = Value::Object(definitions);
    root
}

/// A schema that nests at most `depth` deep.
fn schema(random: &mut Random, depth: usize) -> Value {
    if random.chance(8) || depth == 0 && random.chance(40) {
        return Value::Bool(random.chance(75));
    }
    let mut keywords = Map::new();
    if random.chance(55) {
        let types = if random.chance(70) {
            json!(random.pick(&TYPES))
        } else {
            let first = random.below(TYPES.len() - 1);
            json!([TYPES[first], TYPES[first + 1]])
        };
        keywords.insert("type".to_owned(), types);
    }
    for _ in 0..=random.below(3) {
        if depth == 0 || random.chance(30) {
            scalar_keyword(random, &mut keywords);
        } else {
            applicator(random, depth - 1, &mut keywords);
        }
    }
    Value::Object(keywords)
}

fn scalar_keyword(random: &mut Random, keywords: &mut Map<String, Value>) {
    let (name, value) = match random.below(17) {
        0 => ("minimum", number(random)),
        1 => ("exclusiveMaximum", number(random)),
        2 => ("multipleOf", json!(random.pick(&[2.0, 0.5, 3.0]))),
        3 => ("minLength", json!(random.below(3))),
        4 => ("maxLength", json!(random.below(4))),
        5 => ("pattern", json!(random.pick(&PATTERNS))),
        6 => ("const", value(random, 2)),
        7 => ("enum", (0..=random.below(4)).map(|_| value(random, 1)).collect()),
        8 => ("minItems", json!(random.below(3))),
        9 => ("maxItems", json!(random.below(4))),
        10 => ("minProperties", json!(random.below(3))),
        11 => ("maxProperties", json!(random.below(4))),
        12 | 13 => ("required", json!([random.pick(&KEYS)])),
        14 => ("dependentRequired", json!({(*random.pick(&KEYS)): [random.pick(&KEYS)]})),
        15 => ("uniqueItems", json!(true)),
        _ => ("propertyNames", json!({"pattern": random.pick(&PATTERNS)})),
    };
    keywords.insert(name.to_owned(), value);
}

/// A schema that applies to the same value as the schema around it. Often it is a constant or several, with members and
/// items that it does not evaluate.
fn in_place(random: &mut Random, depth: usize) -> Value {
    if random.chance(80) {
        return schema(random, depth);
    }
    let composite = |random: &mut Random| match random.chance(65) {
        true => members(random, 1),
        false => (0..random.below(3)).map(|_| value(random, 1)).collect(),
    };
    match random.chance(50) {
        true => json!({"const": composite(random)}),
        false => json!({"enum": (0..=random.below(3)).map(|_| composite(random)).collect::<Value>()}),
    }
}

/// Adds a schema for what the keywords beside it do not evaluate.
fn unevaluated(random: &mut Random, depth: usize, keywords: &mut Map<String, Value>) {
    let name = *random.pick(&["unevaluatedProperties", "unevaluatedProperties", "unevaluatedItems"]);
    let others = if random.chance(60) { Value::Bool(false) } else { schema(random, depth) };
    keywords.insert(name.to_owned(), others);
}

fn applicator(random: &mut Random, depth: usize, keywords: &mut Map<String, Value>) {
    let inner = |random: &mut Random| schema(random, depth);
    let in_place = |random: &mut Random| in_place(random, depth);
    let several =
        |random: &mut Random| -> Value { (0..2 + random.below(2)).map(|_| in_place(random)).collect() };
    let choice = random.below(18);
    if choice >= 8 && random.chance(25) {
        unevaluated(random, depth, keywords);
    }
    let (name, value) = match choice {
        0..=2 => {
            let mut properties = Map::new();
            for _ in 0..=random.below(3) {
                let key = (*random.pick(&KEYS)).to_owned();
                properties.insert(key, inner(random));
            }
            ("properties", Value::Object(properties))
        }
        3 => ("additionalProperties", inner(random)),
        4 => ("patternProperties", json!({(*random.pick(&PATTERNS)): inner(random)})),
        5 => ("items", inner(random)),
        6 => ("prefixItems", several(random)),
        7 => {
            if random.chance(50) {
                keywords.insert("maxContains".to_owned(), json!(random.below(3)));
            }
            ("contains", inner(random))
        }
        8 | 9 => ("allOf", several(random)),
        10 => ("anyOf", several(random)),
        11 => ("oneOf", several(random)),
        12 => ("not", in_place(random)),
        13 => {
            keywords.insert("then".to_owned(), in_place(random));
            keywords.insert("else".to_owned(), in_place(random));
            ("if", in_place(random))
        }
        14 => ("dependentSchemas", json!({(*random.pick(&KEYS)): in_place(random)})),
        15 => ("unevaluatedProperties", inner(random)),
        16 => ("unevaluatedItems", inner(random)),
        _ => ("$ref", json!(random.pick(&["#/$defs/x", "#/$defs/y", "#"]))),
    };
    keywords.insert(name.to_owned(), value);
}
