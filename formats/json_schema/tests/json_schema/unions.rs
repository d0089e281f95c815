//! Unions of many objects against an independent validator, the crate `jsonschema`.
//!
//! The alternatives have too many states together, so most of them are apart. What is accepted must be valid. A valid object whose keys are
//! in the order of one alternative must be accepted, and every valid object in some order.

use crate::json::Json;
use crate::order::{Verdict, accepts_printed, verdict};
use crate::recognizer::Recognizer;
use gcc_grammar_json_schema::{Options, compile};
use gcc_grammar_random::Random;
use serde_json::{Map, Value, json};

/// Members in the order in which they are written.
type Members = Vec<(String, Value)>;

/// An alternative: its keys in order, and those that are required.
struct Alternative {
    properties: Vec<(String, Value)>,
    required: Vec<String>,
    is_closed: bool,
}

impl Alternative {
    /// The alternative number `index`. All alternatives share some keys, with schemas that may differ.
    fn random(random: &mut Random, index: usize, discriminator: Option<usize>) -> Self {
        let mut properties: Members = Vec::new();
        for shared in ["p", "q", "r", "s"] {
            if random.chance(50) {
                properties.push((shared.to_owned(), scalar(random)));
            }
        }
        for own in 0..random.below(4) {
            properties.push((format!("f{index}_{own}"), scalar(random)));
        }
        if random.chance(15) {
            properties.reverse();
        }
        if let Some(place) = discriminator {
            let place = place.min(properties.len());
            properties.insert(place, ("kind".to_owned(), json!({"const": format!("k{index}")})));
        }
        let is_required = |(key, _): &&(String, Value)| key == "kind" || random.chance(30);
        let required = properties.iter().filter(is_required).map(|(key, _)| key.clone()).collect();
        Self { properties, required, is_closed: random.chance(20) }
    }

    fn schema(&self) -> String {
        let properties: Vec<String> =
            self.properties.iter().map(|(key, schema)| format!("{}: {schema}", json!(key))).collect();
        let closed = if self.is_closed { r#", "additionalProperties": false"# } else { "" };
        format!(
            r#"{{"type": "object", "properties": {{{}}}, "required": {}{closed}}}"#,
            properties.join(", "),
            json!(self.required)
        )
    }

    /// Members in the order of the alternative; most of them are valid.
    fn members(&self, random: &mut Random) -> Members {
        let mut members = Vec::new();
        for (key, schema) in &self.properties {
            if random.chance(if self.required.contains(key) { 95 } else { 60 }) {
                members.push((key.clone(), value(random, schema)));
            }
        }
        members
    }

    /// Whether the keys are in the order of this alternative, with all others behind them.
    fn orders(&self, members: &Members) -> bool {
        let place = |key: &str| self.properties.iter().position(|(own, _)| own == key).unwrap_or(usize::MAX);
        members.windows(2).all(|pair| place(&pair[0].0) <= place(&pair[1].0))
    }
}

fn scalar(random: &mut Random) -> Value {
    let schemas = [
        json!({"type": "string"}),
        json!({"type": "integer"}),
        json!({"type": ["number", "null"]}),
        json!({"enum": ["a", "b", 1]}),
        json!({"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}),
        json!({"type": "array", "items": {"type": "boolean"}}),
    ];
    random.pick(&schemas).clone()
}

fn value(random: &mut Random, schema: &Value) -> Value {
    if let Some(constant) = schema.get("const").filter(|_| random.chance(90)) {
        return constant.clone();
    }
    let values = [json!("a"), json!("k1"), json!(1), json!(2.5), json!(null), json!({"x": 1}), json!([true])];
    let valid: Vec<&Value> = values.iter().filter(|value| jsonschema::is_valid(schema, value)).collect();
    match valid.is_empty() || random.chance(8) {
        true => random.pick(&values).clone(),
        false => (*random.pick(&valid)).clone(),
    }
}

fn json(text: &str) -> Value {
    text.parse().expect("the text is JSON")
}

fn text(members: &Members) -> String {
    let members: Vec<String> =
        members.iter().map(|(key, value)| format!("{}: {}", json!(key), spaced(value))).collect();
    format!("{{{}}}", members.join(", "))
}

fn spaced(value: &Value) -> String {
    value.to_string().parse::<Json>().expect("the text is JSON").spaced()
}

/// Further members: of another alternative, and a key that none declares.
fn add_others(random: &mut Random, alternatives: &[Alternative], members: &mut Members) {
    let mut others = random.pick(alternatives).members(random);
    if random.chance(50) {
        others.push(("zz".to_owned(), json!(true)));
    }
    for (key, value) in others {
        if random.chance(50) && members.iter().all(|(known, _)| *known != key) {
            members.push((key, value));
        }
    }
}

#[derive(Default)]
struct Tally {
    apart: usize,
    valid: usize,
    invalid: usize,
}

fn compare(seed: u64, tally: &mut Tally) {
    let random = &mut Random::new(seed);
    let discriminator = random.chance(60).then(|| random.below(6));
    let alternatives: Vec<Alternative> =
        (0..random.between(3, 9)).map(|index| Alternative::random(random, index, discriminator)).collect();
    let schemas: Vec<String> = alternatives.iter().map(Alternative::schema).collect();
    let is_one = discriminator.is_some() && random.chance(70) || random.chance(10);
    let keyword = if is_one { "oneOf" } else { "anyOf" };
    let schema = format!(r#"{{"{keyword}": [{}]}}"#, schemas.join(", "));
    let Ok(compiled) = compile(&schema, &Options::default()) else { panic!("{seed}: {schema}") };
    // Keys of alternatives that are excluded have an order, too.
    let excludes = is_one && discriminator.is_none();
    let is_apart = compiled.grammar.rules.iter().any(|rule| rule.name == "object1_2");
    tally.apart += usize::from(is_apart);
    let recognizer = Recognizer::new(&compiled.grammar);
    let judge = jsonschema::validator_for(&json(&schema)).unwrap();
    for _ in 0..40 {
        let mut members = random.pick(&alternatives).members(random);
        if random.chance(50) {
            add_others(random, &alternatives, &mut members);
        }
        if random.chance(20) && members.len() > 1 {
            let last = members.len() - 1;
            members.swap(random.below(last), last);
        }
        let instance = Value::Object(members.iter().cloned().collect::<Map<_, _>>());
        let is_valid = judge.is_valid(&instance);
        let text = text(&members);
        *(if is_valid { &mut tally.valid } else { &mut tally.invalid }) += 1;
        let accepted = accepts_printed(&recognizer, &text);
        assert!(is_valid || !accepted, "{seed}: accepted: {text}\n{schema}");
        if is_valid && !accepted {
            let ordered = |(alternative, schema): (&Alternative, &String)| {
                let holds = jsonschema::is_valid(&json(schema), &instance);
                holds && alternative.orders(&members)
            };
            let is_ordered = alternatives.iter().zip(&schemas).any(ordered);
            assert!(
                !is_apart || excludes || !is_ordered,
                "{seed}: refused in the order of an alternative: {text}\n{schema}"
            );
            let instance: Json = text.parse().unwrap();
            let reordered = verdict(&recognizer, &instance, &schema.parse().unwrap());
            assert_ne!(reordered, Verdict::Refused, "{seed}: refused in every order: {text}\n{schema}");
        }
    }
}

fn run(seeds: std::ops::Range<u64>) {
    let count = seeds.clone().count();
    let mut tally = Tally::default();
    seeds.for_each(|seed| compare(seed, &mut tally));
    println!("{} of {count} apart; {} valid, {} invalid objects", tally.apart, tally.valid, tally.invalid);
    assert!(tally.apart * 8 > count, "{} of {count} unions are apart", tally.apart);
    assert!(tally.valid * 5 > tally.invalid, "{} valid of {}", tally.valid, tally.invalid);
}

#[test]
fn unions_of_many_objects_have_the_right_verdicts() {
    run(0..60);
}

#[test]
fn members_of_alternatives_refer_to_their_union() {
    let alternative = |index: usize| {
        let properties = format!(
            r##""kind": {{"const": "k{index}"}}, "f{index}": {{"$ref": "#"}}, "g{index}": {{"type": "integer"}}"##
        );
        format!(r#"{{"type": "object", "properties": {{{properties}}}, "required": ["kind", "f{index}"]}}"#)
    };
    let alternatives: Vec<String> = (0..16).map(alternative).collect();
    let schema = format!(r#"{{"oneOf": [{}, {{"type": "null"}}]}}"#, alternatives.join(", "));
    let compiled = compile(&schema, &Options::default()).expect("the union is no circular reference");
    let recognizer = Recognizer::new(&compiled.grammar);
    let judge = jsonschema::validator_for(&json(&schema)).expect("a schema");
    for (text, is_valid) in [
        (r#"{"kind": "k3", "f3": {"kind": "k9", "f9": null, "g9": 1}, "f4": 7}"#, true),
        (r#"{"kind": "k3", "f3": {"kind": "k9", "f8": null}}"#, false),
        (r#"{"kind": "k3", "f3": null, "g3": "a"}"#, false),
        (r#"{"kind": "k4", "f4": null, "g3": "a"}"#, true),
    ] {
        assert_eq!(judge.is_valid(&json(text)), is_valid, "{text}");
        assert_eq!(accepts_printed(&recognizer, text), is_valid, "{text}");
    }
}

#[test]
#[ignore = "takes minutes: the long run, by hand with --ignored"]
fn many_unions_of_many_objects_have_the_right_verdicts() {
    run(1_000_000..1_002_000);
}
