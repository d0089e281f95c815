//! Random schemas against a validator: the input is a seed.
//!
//! The schemas have keywords whose meaning takes a line of code, so the validator here is independent of the compiler and easy to check
//! against the specification. What is compared: every output of the grammar is JSON and valid, no value is accepted that is not valid,
//! and a valid value in which the order of keys does not matter is accepted. (`formats/json_schema` compares all keywords with the crate
//! `jsonschema`.)

use super::samples::vocabulary;
use crate::mutate::bytes;
use crate::target::Target;
use gcc_grammar::generate::{Generator, RandomNumbers};
use gcc_grammar::{Code, Options, Session, Source, compile};
use gcc_grammar_tests::generate::Random;
use serde_json::{Map, Value, json};

pub(super) const SCHEMAS: Target = Target {
    name: "schemas",
    about: "outputs of a random schema are valid, and values are accepted exactly if they are valid",
    seeds: || (0..16).map(|seed: u64| seed.to_le_bytes().to_vec()).collect(),
    mutate: bytes::mutate,
    check,
    executions: 60,
};

const KEYS: [&str; 4] = ["a", "ab", "b", "c"];
const WORDS: [&str; 6] = ["", "a", "ab", "abc", "é", "\""];

fn check(input: &[u8]) {
    let mut seed = [0; 8];
    seed.iter_mut().zip(input).for_each(|(to, from)| *to = *from);
    let seed = u64::from_le_bytes(seed);
    let mut random = Random::new(seed);
    let schema = schema(&mut random, 3);
    let text = schema.to_string();
    let session = match compile(&Source::json_schema(&text), vocabulary(), &Options::default()) {
        Ok(artifact) => Some(Session::new(artifact, vocabulary()).expect("the artifact just compiled opens")),
        Err(error) => {
            // A schema can be satisfiable, but by no text that the tokens spell.
            let code = error.diagnostics()[0].code;
            assert!([Code::Unsatisfiable, Code::EmptyLanguage].contains(&code), "{text} is refused: {error}");
            None
        }
    };
    if let Some(session) = &session {
        check_outputs(session, &schema, seed);
    }
    for _ in 0..12 {
        let value = value(&mut random, 3);
        let expected = is_valid(&schema, &value);
        let accepted = session.as_ref().is_some_and(|session| accepts(session, value.to_string().as_bytes()));
        assert!(expected || !accepted, "{value} is accepted, but not valid under {text}");
        let is_open = has_order(&value) || !is_spelled(&value.to_string());
        assert!(accepted || !expected || is_open, "{value} is refused, but valid under {text}");
    }
}

/// Whether every byte of a text is in a token. What no token spells is refused.
fn is_spelled(text: &str) -> bool {
    let tokens = vocabulary().tokens();
    let bytes: Vec<u8> =
        tokens.order().iter().flat_map(|&id| tokens.bytes(id).unwrap_or_default()).copied().collect();
    text.bytes().all(|byte| bytes.contains(&byte))
}

/// Whether an object in the value has several keys, so that the order in which they are printed matters.
fn has_order(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.len() > 1 || members.values().any(has_order),
        Value::Array(items) => items.iter().any(has_order),
        _ => false,
    }
}

/// Whether the text is in the language.
fn accepts(session: &Session, text: &[u8]) -> bool {
    let mut matcher = session.matcher().expect("room for the beginning");
    matcher.commit_bytes(text).is_ok() && matcher.is_accepting().expect("room")
}

fn check_outputs(session: &Session, schema: &Value, seed: u64) {
    let mut generator = Generator::new(session).expect("room for the beginning");
    let mut random = RandomNumbers(seed);
    for _ in 0..2 {
        let Ok(tokens) = generator.generate(&mut random, 60) else { continue };
        let text = session.vocabulary().text_of(&tokens);
        let shown = String::from_utf8_lossy(&text);
        let value: Value = match serde_json::from_slice(&text) {
            Ok(value) => value,
            // A number of JSON need not fit a number of the machine.
            Err(error) if error.to_string().starts_with("number out of range") => continue,
            Err(error) => panic!("{shown} is not JSON: {error}"),
        };
        assert!(is_valid(schema, &value), "{shown} is not valid under {schema}");
    }
}

/// A schema of the keywords that the validator knows.
fn schema(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 6 } else { 10 }) {
        0 => json!({"type": *random.pick(&["null", "boolean", "string", "integer", "array", "object"])}),
        1 => json!({"type": "string", "minLength": random.below(3), "maxLength": random.below(5)}),
        2 => json!({"type": "integer", "minimum": random.below(30) as i64 - 10, "maximum": random.below(40)}),
        3 => json!({"enum": (0..=random.below(4)).map(|_| value(random, 1)).collect::<Vec<Value>>()}),
        4 => json!({"const": value(random, 2)}),
        5 => json!(random.chance(80)),
        6 => {
            let bounds = (random.below(3), random.below(4));
            json!({"type": "array", "items": schema(random, depth - 1), "minItems": bounds.0, "maxItems": bounds.1})
        }
        7 => {
            let name = *random.pick(&["anyOf", "allOf", "oneOf"]);
            json!({name: [schema(random, depth - 1), schema(random, depth - 1)]})
        }
        8 => json!({"not": schema(random, depth - 1)}),
        _ => object(random, depth - 1),
    }
}

fn object(random: &mut Random, depth: usize) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for key in KEYS {
        if random.chance(50) {
            properties.insert(key.to_owned(), schema(random, depth));
            if random.chance(50) {
                required.push(key);
            }
        }
    }
    let others = if random.chance(50) { json!(false) } else { schema(random, depth) };
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": others})
}

/// A value that nests at most `depth` deep.
fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 5 } else { 8 }) {
        0 => Value::Null,
        1 => json!(random.chance(50)),
        2 => json!(random.below(40) as i64 - 12),
        3 | 4 => json!(*random.pick(&WORDS)),
        5 => (0..random.below(4)).map(|_| value(random, depth - 1)).collect(),
        _ => {
            let keys = KEYS.iter().filter(|_| random.chance(45)).copied().collect::<Vec<&str>>();
            keys.into_iter()
                .map(|key| (key.to_owned(), value(random, depth - 1)))
                .collect::<Map<_, _>>()
                .into()
        }
    }
}

/// Whether a value is valid, by the sections of JSON Schema Core and Validation (2020-12) on the keywords that [`schema`] makes.
fn is_valid(schema: &Value, value: &Value) -> bool {
    let Value::Object(keywords) = schema else { return *schema == Value::Bool(true) };
    keywords.iter().all(|(keyword, operand)| match keyword.as_str() {
        "type" => has_type(operand.as_str().unwrap_or_default(), value),
        "enum" => operand.as_array().is_some_and(|values| values.iter().any(|other| is_equal(other, value))),
        "const" => is_equal(operand, value),
        "minLength" => value.as_str().is_none_or(|text| text.chars().count() as u64 >= number(operand)),
        "maxLength" => value.as_str().is_none_or(|text| text.chars().count() as u64 <= number(operand)),
        "minimum" => value.as_f64().is_none_or(|number| Some(number) >= operand.as_f64()),
        "maximum" => value.as_f64().is_none_or(|number| Some(number) <= operand.as_f64()),
        "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= number(operand)),
        "maxItems" => value.as_array().is_none_or(|items| items.len() as u64 <= number(operand)),
        "items" => value.as_array().is_none_or(|items| items.iter().all(|item| is_valid(operand, item))),
        "anyOf" => count_valid(operand, value) > 0,
        "allOf" => Some(count_valid(operand, value)) == operand.as_array().map(Vec::len),
        "oneOf" => count_valid(operand, value) == 1,
        "not" => !is_valid(operand, value),
        "required" => value.as_object().is_none_or(|members| {
            let names = operand.as_array().into_iter().flatten().filter_map(Value::as_str);
            names.into_iter().all(|name| members.contains_key(name))
        }),
        "properties" => value.as_object().is_none_or(|members| {
            members
                .iter()
                .all(|(name, member)| operand.get(name).is_none_or(|schema| is_valid(schema, member)))
        }),
        "additionalProperties" => value.as_object().is_none_or(|members| {
            let others =
                members.iter().filter(|(name, _)| keywords["properties"].get(name.as_str()).is_none());
            others.into_iter().all(|(_, member)| is_valid(operand, member))
        }),
        _ => unreachable!("{keyword} is not made"),
    })
}

fn has_type(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "array" => value.is_array(),
        _ => value.is_object(),
    }
}

/// Whether two values are equal: numbers by their value, objects without regard to order.
fn is_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let is_member = |(name, member): (&String, &Value)| {
                other.get(name).is_some_and(|value| is_equal(member, value))
            };
            one.len() == other.len() && one.iter().all(is_member)
        }
        _ => one == other,
    }
}

fn number(operand: &Value) -> u64 {
    operand.as_u64().unwrap_or_default()
}

fn count_valid(schemas: &Value, value: &Value) -> usize {
    schemas.as_array().into_iter().flatten().filter(|schema| is_valid(schema, value)).count()
}
