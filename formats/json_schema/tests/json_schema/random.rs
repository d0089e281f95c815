//! Random schemas and values over few keys, words and numbers, so that values often satisfy schemas.

use serde_json::{Map, Value, json};

/// Xorshift (Marsaglia 2003): the same sequence everywhere.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Less than `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

const KEYS: [&str; 4] = ["a", "b", "c", "ab"];
const WORDS: [&str; 7] = ["", "a", "b", "ab", "aab", "é\"", "2024-02-29"];
const NUMBERS: [&str; 10] = ["0", "1", "2", "3", "-1", "6", "0.5", "2.5", "-7", "10"];
const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];
const PATTERNS: [&str; 5] = ["^a", "b$", "^[ab]*$", "a.", "^.?$"];

fn number(random: &mut Random) -> Value {
    serde_json::from_str(random.pick(&NUMBERS)).unwrap()
}

/// A value that nests at most `depth` deep.
pub(crate) fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 5 } else { 9 }) {
        0 => Value::Null,
        1 => Value::Bool(random.chance(50)),
        2 | 3 => number(random),
        4 => json!(random.pick(&WORDS)),
        5 | 6 => (0..random.below(4)).map(|_| value(random, depth - 1)).collect(),
        _ => {
            let mut members = Map::new();
            for key in KEYS {
                if random.chance(45) {
                    members.insert(key.to_owned(), value(random, depth - 1));
                }
            }
            Value::Object(members)
        }
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
            let key = (random.pick(&KEYS)).to_owned();
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
        ["x", "y"].iter().map(|name| ((*name).to_owned(), schema(random, 2))).collect();
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
        14 => ("dependentRequired", json!({random.pick(&KEYS): [random.pick(&KEYS)]})),
        15 => ("uniqueItems", json!(true)),
        _ => ("propertyNames", json!({"pattern": random.pick(&PATTERNS)})),
    };
    keywords.insert(name.to_owned(), value);
}

fn applicator(random: &mut Random, depth: usize, keywords: &mut Map<String, Value>) {
    let inner = |random: &mut Random| schema(random, depth);
    let several =
        |random: &mut Random| -> Value { (0..2 + random.below(2)).map(|_| schema(random, depth)).collect() };
    let (name, value) = match random.below(18) {
        0..=2 => {
            let mut properties = Map::new();
            for _ in 0..=random.below(3) {
                let key = (random.pick(&KEYS)).to_owned();
                properties.insert(key, inner(random));
            }
            ("properties", Value::Object(properties))
        }
        3 => ("additionalProperties", inner(random)),
        4 => ("patternProperties", json!({random.pick(&PATTERNS): inner(random)})),
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
        12 => ("not", inner(random)),
        13 => {
            keywords.insert("then".to_owned(), inner(random));
            keywords.insert("else".to_owned(), inner(random));
            ("if", inner(random))
        }
        14 => ("dependentSchemas", json!({random.pick(&KEYS): inner(random)})),
        15 => ("unevaluatedProperties", inner(random)),
        16 => ("unevaluatedItems", inner(random)),
        _ => ("$ref", json!(random.pick(&["#/$defs/x", "#/$defs/y", "#"]))),
    };
    keywords.insert(name.to_owned(), value);
}
