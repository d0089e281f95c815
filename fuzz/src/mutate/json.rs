//! Mutations of JSON texts: values are replaced, removed, renamed and nested. Half of the mutations are those of texts, because a value that
//! is read and written again loses repeated keys and the spelling of numbers.

use super::{MAX_INPUT, text};
use gcc_grammar_tests::generate::Random;
use serde_json::{Map, Value, json};

/// Keywords of JSON Schema and structural tags, and keys of objects.
const KEYS: [&str; 88] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "items",
    "prefixItems",
    "additionalItems",
    "contains",
    "minContains",
    "maxContains",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "enum",
    "const",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
    "unevaluatedItems",
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "$anchor",
    "$dynamicAnchor",
    "$recursiveAnchor",
    "$id",
    "id",
    "$schema",
    "$defs",
    "definitions",
    "nullable",
    "discriminator",
    "x-guidance",
    "contentEncoding",
    "a",
    "b",
    "c",
    "",
    "elements",
    "content",
    "begin",
    "end",
    "tags",
    "triggers",
    "at_least_one",
    "stop_after_first",
    "value",
    "json_schema",
    "excludes",
    "max_chars",
    "separator",
    "min",
    "max",
    "style",
    "token",
    "tokens",
    "exclude_tokens",
    "structures",
    "schema",
    "trigger",
    "format",
    "added_tokens",
    "model",
    "vocab",
    "merges",
    "decoder",
    "special",
];

/// Words of JSON Schema and structural tags.
const WORDS: [&str; 64] = [
    "null",
    "boolean",
    "integer",
    "number",
    "string",
    "array",
    "object",
    "",
    "a",
    "b",
    "ab",
    "é",
    "\u{1F600}",
    "\"",
    "\\",
    "\u{0}",
    "^a",
    "b$",
    "^[ab]*$",
    "(?=a)b",
    "\\p{L}{2}",
    "[a-c]{0,4}",
    "(a|b)*",
    "date",
    "date-time",
    "time",
    "email",
    "uuid",
    "ipv4",
    "ipv6",
    "uri",
    "hostname",
    "regex",
    "json-pointer",
    "#",
    "#/$defs/x",
    "#/properties/a",
    "#a",
    "x",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "structural_tag",
    "tag",
    "triggered_tags",
    "any_text",
    "const_string",
    "sequence",
    "or",
    "optional",
    "star",
    "plus",
    "repeat",
    "grammar",
    "tags_with_separator",
    "dispatch",
    "token",
    "exclude_token",
    "any_tokens",
    "qwen_xml",
    "minimax_xml",
    "<a>",
    "</a>",
    "<",
];

/// Mutates JSON.
pub fn mutate(random: &mut Random, input: &[u8], pool: &[Vec<u8>]) -> Vec<u8> {
    let value = if random.chance(50) { serde_json::from_slice(input).ok() } else { None };
    let Some(mut value) = value else { return text::mutate(random, input, pool) };
    let donor = serde_json::from_slice(random.pick(pool).as_slice()).unwrap_or(Value::Bool(true));
    change(random, &mut value, &donor);
    let text = value.to_string().into_bytes();
    // A text that is cut would hardly be JSON any more.
    if text.len() > MAX_INPUT { text::mutate(random, input, pool) } else { text }
}

/// Changes a value somewhere below, or here.
fn change(random: &mut Random, value: &mut Value, donor: &Value) {
    match value {
        Value::Object(members) if !members.is_empty() && random.chance(75) => {
            let key = nth_key(random, members);
            change(random, &mut members[&key], donor);
        }
        Value::Array(items) if !items.is_empty() && random.chance(75) => {
            let at = random.below(items.len());
            change(random, &mut items[at], donor);
        }
        _ => change_here(random, value, donor),
    }
}

fn change_here(random: &mut Random, value: &mut Value, donor: &Value) {
    let new = match random.below(6) {
        0 => small(random),
        1 => part(random, donor),
        2 => wrapped(random, value.take()),
        _ => {
            match value {
                Value::Object(members) => return change_members(random, members, donor),
                Value::Array(items) => return change_items(random, items, donor),
                _ => {}
            }
            scalar(random)
        }
    };
    *value = new;
}

fn change_members(random: &mut Random, members: &mut Map<String, Value>, donor: &Value) {
    if members.is_empty() || random.chance(50) {
        let new = if random.chance(50) { small(random) } else { part(random, donor) };
        members.insert((*random.pick(&KEYS)).to_owned(), new);
        return;
    }
    let key = nth_key(random, members);
    let removed = members.remove(&key);
    if let Some(removed) = removed.filter(|_| random.chance(50)) {
        members.insert((*random.pick(&KEYS)).to_owned(), removed);
    }
}

fn change_items(random: &mut Random, items: &mut Vec<Value>, donor: &Value) {
    let at = random.below(items.len() + 1);
    match random.below(3) {
        0 if at < items.len() => drop(items.remove(at)),
        1 if at < items.len() => items.insert(at, items[at].clone()),
        _ => items.insert(at, if random.chance(50) { small(random) } else { part(random, donor) }),
    }
}

/// A value that contains the value.
fn wrapped(random: &mut Random, value: Value) -> Value {
    let depth = if random.chance(90) { 1 } else { random.between(2, 150) };
    let key = *random.pick(&KEYS);
    let in_array = random.chance(50);
    (0..depth).fold(value, |value, _| if in_array { json!([value]) } else { json!({key: value}) })
}

/// A value somewhere in another value.
fn part(random: &mut Random, value: &Value) -> Value {
    let mut part = value;
    while random.chance(70) {
        let inner: Vec<&Value> = match part {
            Value::Object(members) => members.values().collect(),
            Value::Array(items) => items.iter().collect(),
            _ => break,
        };
        if inner.is_empty() {
            break;
        }
        part = inner[random.below(inner.len())];
    }
    part.clone()
}

/// A small value.
fn small(random: &mut Random) -> Value {
    match random.below(6) {
        0 => json!({}),
        1 => json!([]),
        2 => json!({*random.pick(&KEYS): scalar(random)}),
        3 => json!([scalar(random), scalar(random)]),
        _ => scalar(random),
    }
}

fn scalar(random: &mut Random) -> Value {
    match random.below(8) {
        0 => Value::Null,
        1 => Value::Bool(random.chance(50)),
        2 => json!(random.below(4)),
        3 => json!(super::number(random)),
        4 => json!(-(random.below(300) as i64)),
        5 => json!(*random.pick(&[0.5, 0.1, -2.5, 1e-7, 1e300, 3.0, 1e19])),
        _ => json!(*random.pick(&WORDS)),
    }
}

fn nth_key(random: &mut Random, members: &Map<String, Value>) -> String {
    let at = random.below(members.len());
    members.keys().nth(at).expect("below the number of members").clone()
}
