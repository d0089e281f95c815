//! Objects in which a key occurs twice, against an independent validator, the crate `jsonschema`, by the value that readers keep: that of
//! the last member.

use crate::json::Json;
use crate::order::{Verdict, verdict};
use crate::recognizer::Recognizer;
use gcc_grammar_ir::Location;
use gcc_grammar_json_schema::{Options, PropertyOrder, RepeatedKeys, Unenforced, compile};
use serde_json::{Map, Value, json};

const MEMBERS: [(&str, &str); 6] =
    [("a", "1"), ("a", "\"s\""), ("b", "1"), ("b", "\"s\""), ("x", "1"), ("x", "\"s\"")];

/// How many of the schemas compile, how many of these accept repeated keys and say so, and how many are refused.
const EXPECTED: (usize, usize, usize) = (264, 8, 0);

/// All lists of up to so many members, keys repeated or not.
fn lists(most: usize) -> Vec<Vec<(&'static str, &'static str)>> {
    let mut all = vec![Vec::new()];
    let mut longest = all.clone();
    for _ in 0..most {
        longest =
            longest.iter().flat_map(|list| MEMBERS.map(|member| [&list[..], &[member]].concat())).collect();
        all.extend(longest.iter().cloned());
    }
    all
}

fn text(members: &[(&str, &str)]) -> String {
    let members: Vec<String> = members.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
    format!("{{{}}}", members.join(","))
}

/// What a reader keeps: the last member of each key.
fn value(members: &[(&str, &str)]) -> Value {
    let members = members.iter().map(|(key, value)| ((*key).to_owned(), value.parse().expect("JSON")));
    Value::Object(members.collect::<Map<_, _>>())
}

/// Schemas in which the number of keys, or a wrong member, decides.
fn schemas() -> Vec<Value> {
    let integer = json!({"type": "integer"});
    let names = json!({"propertyNames": {"enum": ["a", "b", "x"]}});
    let closed = json!({"patternProperties": {"^[abx]$": true}, "additionalProperties": false});
    let conditions = [
        json!({"minProperties": 2}),
        json!({"additionalProperties": integer, "minProperties": 2}),
        json!({"minProperties": 2, "maxProperties": 2}),
        json!({"not": {"maxProperties": 1}}),
        json!({"not": {"minProperties": 1, "maxProperties": 2}}),
        json!({"required": ["b"], "minProperties": 2, "additionalProperties": integer}),
        json!({"properties": {"b": integer}, "minProperties": 2}),
        json!({"dependentRequired": {"a": ["b"]}, "minProperties": 2}),
        json!({"dependentSchemas": {"a": {"minProperties": 2}}}),
        json!({"if": {"required": ["a"]}, "then": {"minProperties": 3}}),
        json!({"if": {"minProperties": 2}, "then": {"required": ["a"]}, "else": {"required": ["b"]}}),
        json!({"not": {"additionalProperties": integer}}),
        json!({"not": {"properties": {"a": integer}}}),
        json!({"not": {"patternProperties": {"^[ab]$": integer}}}),
        json!({"oneOf": [{"minProperties": 2}, {"required": ["a"]}]}),
        json!({"oneOf": [{"additionalProperties": integer}, {"additionalProperties": {"type": "string"}}]}),
        json!({"oneOf": [{"additionalProperties": {"type": ["string", "integer"]}}, {"additionalProperties": integer}]}),
        json!({"anyOf": [{"minProperties": 3}, {"properties": {"a": integer}, "required": ["a"]}]}),
        json!({"anyOf": [{"not": {"const": {"a": 1}}, "minProperties": 1}, {"maxProperties": 0}]}),
        json!({"properties": {"a": true}, "unevaluatedProperties": integer, "not": {"maxProperties": 1}}),
        json!({"enum": [{"a": 1, "b": 1}, {"x": "s"}]}),
        json!({"not": {"enum": [{"a": 1, "b": 1}, {"x": "s"}]}}),
    ];
    let mut all = Vec::new();
    for condition in &conditions {
        for others in [&json!({}), &names, &closed] {
            all.push(json!({"type": "object", "allOf": [condition, others]}));
            let mut same = condition.clone();
            let keys =
                others.as_object().into_iter().flatten().filter(|(key, _)| condition.get(key).is_none());
            keys.for_each(|(key, value)| same[key] = value.clone());
            same["type"] = json!("object");
            all.push(same);
        }
    }
    all
}

#[test]
fn what_is_accepted_with_a_repeated_key_has_a_valid_value() {
    let lists = lists(3);
    let (mut compiled, mut supersets, mut refused, mut wrong) = (0, 0, Vec::new(), Vec::new());
    for schema in schemas() {
        let validator = jsonschema::draft202012::new(&schema).expect("the schema is valid");
        for property_order in [PropertyOrder::Declared, PropertyOrder::Any] {
            let options = Options { property_order, ..Options::default() };
            let (recognizer, is_superset) = match compile(&schema.to_string(), &options) {
                Ok(compiled) => (Recognizer::new(&compiled.grammar), compiled.report.gaps().count() > 0),
                Err(errors) => {
                    assert!(errors.iter().all(|error| error.code == "unenforceable"), "{schema}: {errors:?}");
                    refused.push(schema.to_string());
                    continue;
                }
            };
            compiled += 1;
            supersets += usize::from(is_superset);
            for members in &lists {
                let (text, value) = (text(members), value(members));
                let is_valid = validator.is_valid(&value);
                let is_repeated = value.as_object().is_some_and(|value| value.len() < members.len());
                if !is_valid && recognizer.accepts(text.as_bytes()) && !(is_superset && is_repeated) {
                    wrong.push(format!("{schema} accepts {text}"));
                }
                let json: Json = text.parse().expect("JSON");
                if is_valid && !is_repeated && verdict(&recognizer, &json, &Json::Null) == Verdict::Refused {
                    wrong.push(format!("{schema} refuses {text}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong, such as {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
    assert!(
        (compiled, supersets, refused.len()) == EXPECTED,
        "{compiled} compiled, {supersets} of them supersets, {} refused: {refused:#?}",
        refused.len()
    );
}

/// Further schemas whose objects have keys that no schema declares.
fn open_schemas() -> Vec<Value> {
    let other = json!({"type": ["integer", "string"]});
    let discriminated = |kind: i32| json!({"properties": {"a": {"const": kind}}, "required": ["a"]});
    vec![
        json!({"type": "object"}),
        json!({"type": "object", "properties": {"a": {"type": "integer"}}}),
        json!({"type": "object", "properties": {"a": true, "b": true}, "additionalProperties": other, "required": ["b"]}),
        json!({"type": "object", "patternProperties": {"^[ab]": other}, "additionalProperties": {"type": "integer"}}),
        json!({"type": "object", "propertyNames": {"pattern": "^[a-z]$"}}),
        json!({"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["x"]}]}),
        json!({"type": "object", "oneOf": [discriminated(1), discriminated(2)]}),
        json!({"type": "object", "properties": {"a": {"type": "integer"}}, "if": {"required": ["b"]}, "then": {"required": ["x"]}}),
    ]
}

#[test]
fn no_key_occurs_twice_where_repeated_keys_are_refused() {
    let lists = lists(3);
    let (mut compiled, mut refused, mut wrong) = (0, Vec::new(), Vec::new());
    for schema in schemas().into_iter().chain(open_schemas()) {
        let validator = jsonschema::draft202012::new(&schema).expect("the schema is valid");
        for property_order in [PropertyOrder::Declared, PropertyOrder::Any] {
            let repeated_keys = RepeatedKeys::Refuse;
            let options = Options { property_order, repeated_keys, ..Options::default() };
            let Ok(grammar) = compile(&schema.to_string(), &options) else {
                refused.push(schema.to_string());
                continue;
            };
            compiled += 1;
            let gaps = grammar.report.gaps().count();
            let recognizer = Recognizer::new(&grammar.grammar);
            for members in &lists {
                let (text, value) = (text(members), value(members));
                let is_repeated = value.as_object().is_some_and(|value| value.len() < members.len());
                let is_valid = validator.is_valid(&value) && !is_repeated;
                if !is_valid && recognizer.accepts(text.as_bytes()) {
                    wrong.push(format!("{schema} accepts {text}, {gaps} gaps"));
                }
                let json: Json = text.parse().expect("JSON");
                if is_valid && verdict(&recognizer, &json, &Json::Null) == Verdict::Refused {
                    wrong.push(format!("{schema} refuses {text}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong, such as {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
    assert!(
        (compiled, refused.len()) == (280, 0),
        "{compiled} compiled, {} refused: {refused:#?}",
        refused.len()
    );
}

#[test]
fn where_keys_cannot_be_remembered_the_option_is_refused() {
    let keys: Map<String, Value> = ('a'..='n').map(|key| (key.to_string(), json!(true))).collect();
    let used_up = json!({"properties": {"in": {"type": "object", "patternProperties": {"^[a-z]{3}$": true}, "additionalProperties": false}}});
    let by_number = json!({"type": "object", "properties": {"in": {"type": "object", "properties": keys}}, "additionalProperties": false});
    let used_up = (used_up, PropertyOrder::Declared, "/properties/in/patternProperties");
    let by_number = (by_number, PropertyOrder::Any, "/properties/in/properties");
    for (schema, property_order, place) in [used_up, by_number] {
        let options = Options { property_order, repeated_keys: RepeatedKeys::Refuse, ..Options::default() };
        let errors =
            compile(&schema.to_string(), &options).map(|_| ()).expect_err("the keys cannot be remembered");
        assert!(errors[0].message.contains("repeated keys are to be refused"), "{errors:?}");
        assert_eq!(errors[0].location, Some(Location::Pointer(place.into())));
        let options = Options { unenforced: Unenforced::Allow, ..options };
        let compiled = compile(&schema.to_string(), &options).expect("left out");
        let gaps: Vec<_> = compiled.report.gaps().map(|entry| entry.pointer.as_str()).collect();
        assert_eq!(gaps, [place]);
    }
}
