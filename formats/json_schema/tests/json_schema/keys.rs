//! Objects whose keys are remembered, where an automaton would have too many states: verdicts, beside the conditions themselves.

use crate::recognizer::Recognizer;
use gcc_grammar_json_schema::{Narrowing, Options, PropertyOrder, compile};
use gcc_grammar_random::Random;

/// Texts of some keys with the value 1.
fn text(keys: &[usize]) -> String {
    let members: Vec<String> = keys.iter().map(|key| format!("\"k{key}\":1")).collect();
    format!("{{{}}}", members.join(","))
}

/// A schema of so many keys, with further keywords.
fn schema(keys: usize, more: &str) -> String {
    let properties: Vec<String> =
        (0..keys).map(|key| format!("\"k{key}\":{{\"type\":\"integer\"}}")).collect();
    format!(r#"{{"type":"object","properties":{{{}}},{more}}}"#, properties.join(","))
}

/// Whether the keys of some object are remembered.
fn is_remembered(schema: &str, options: &Options) -> bool {
    let grammar = compile(schema, options).unwrap().grammar;
    grammar.terminals.iter().any(|terminal| terminal.pattern.key_role().is_some())
}

/// Compares verdicts on random sequences of keys with a definition.
fn compare(schema: &str, options: &Options, keys: usize, is_valid: impl Fn(&[usize]) -> bool) {
    assert!(is_remembered(schema, options));
    let recognizer = Recognizer::new(&compile(schema, options).unwrap().grammar);
    let mut random = Random::new(keys as u64);
    let mut valid = 0;
    for sample in 0..400 {
        let mut chosen: Vec<usize> = (0..random.below(keys.min(12))).map(|_| random.below(keys)).collect();
        if sample % 2 == 0 {
            chosen.sort_unstable();
            chosen.dedup();
        }
        let text = text(&chosen);
        assert_eq!(recognizer.accepts(text.as_bytes()), is_valid(&chosen), "{text}");
        valid += usize::from(is_valid(&chosen));
    }
    assert!(valid > 20, "{valid}");
}

fn once(keys: &[usize]) -> bool {
    keys.iter().all(|key| keys.iter().filter(|other| *other == key).count() == 1)
}

#[test]
fn pairs_of_keys_that_must_not_both_come() {
    let pair = |key: usize| format!(r#"{{"not":{{"required":["k{key}","k{}"]}}}}"#, key + 20);
    let pairs: Vec<String> = (0..20).map(pair).collect();
    let has_pair = |keys: &[usize]| keys.iter().any(|key| keys.contains(&(key + 20)));
    for rest in ["", r#","additionalProperties":false"#] {
        let schema = schema(40, &format!(r#""allOf":[{}]{rest}"#, pairs.join(",")));
        compare(&schema, &Options::default(), 40, |keys| keys.is_sorted() && once(keys) && !has_pair(keys));
        let any_order = Options { property_order: PropertyOrder::Any, ..Options::default() };
        compare(&schema, &any_order, 40, |keys| once(keys) && !has_pair(keys));
    }
}

#[test]
fn keys_that_require_each_other() {
    let require: Vec<String> =
        (0..30).map(|key| format!(r#""k{key}":["k{}"]"#, (7 * key + 3) % 30)).collect();
    let more = format!(r#""dependentRequired":{{{}}},"additionalProperties":false"#, require.join(","));
    let any_order = Options { property_order: PropertyOrder::Any, ..Options::default() };
    let holds = |keys: &[usize]| keys.iter().all(|key| keys.contains(&((7 * key + 3) % 30)));
    compare(&schema(30, &more), &any_order, 30, |keys| once(keys) && holds(keys));
}

/// `if`, `then` and `else` of keys.
#[test]
fn conditions_on_keys_alone() {
    let condition = |key: usize| {
        let required = |key: usize| format!(r#"{{"required":["k{key}"]}}"#);
        let (then, other) = (required(key + 14), required(key + 28));
        format!(r#"{{"if":{},"then":{{"allOf":[{then},{{"not":{other}}}]}}}}"#, required(key))
    };
    let conditions: Vec<String> = (0..14).map(condition).collect();
    let schema = schema(42, &format!(r#""allOf":[{}],"additionalProperties":false"#, conditions.join(",")));
    let holds = |keys: &[usize]| {
        keys.iter().all(|key| *key >= 14 || keys.contains(&(key + 14)) && !keys.contains(&(key + 28)))
    };
    let any_order = Options { property_order: PropertyOrder::Any, ..Options::default() };
    compare(&schema, &any_order, 42, |keys| once(keys) && holds(keys));
    compare(&schema, &Options::default(), 42, |keys| keys.is_sorted() && once(keys) && holds(keys));
}

#[test]
fn many_keys_in_any_order() {
    let any_order = Options { property_order: PropertyOrder::Any, ..Options::default() };
    let closed = schema(100, r#""additionalProperties":false"#);
    compare(&closed, &any_order, 100, once);
    let report = compile(&closed, &any_order).unwrap().report;
    let narrows = |kind| report.narrowings().any(|entry| entry.coverage.narrowing() == Some(kind));
    assert!(!narrows(Narrowing::KeyOrder) && narrows(Narrowing::RepeatedKey));
    let requiring = schema(20, r#""required":["k3","k7"],"additionalProperties":false"#);
    compare(&requiring, &any_order, 20, |keys| once(keys) && keys.contains(&3) && keys.contains(&7));
    // A few keys are states, as before.
    assert!(!is_remembered(&schema(11, r#""additionalProperties":false"#), &any_order));
    assert!(is_remembered(&schema(12, r#""additionalProperties":false"#), &any_order));
    assert!(!is_remembered(&closed, &Options::default()));
}

/// Many objects of a few keys each are as many states as one of many keys.
#[test]
fn many_objects_in_any_order() {
    let any_order = Options { property_order: PropertyOrder::Any, ..Options::default() };
    let object = |first: usize| {
        let keys: Vec<String> = (first..first + 10).map(|key| format!("\"k{key}\":{{}}")).collect();
        format!(r#"{{"type":"object","properties":{{{}}},"additionalProperties":false}}"#, keys.join(","))
    };
    let tuple = |count: usize| {
        let objects: Vec<String> = (0..count).map(object).collect();
        format!(r#"{{"type":"array","prefixItems":[{}],"items":false}}"#, objects.join(","))
    };
    assert!(!is_remembered(&tuple(1), &any_order) && is_remembered(&tuple(2), &any_order));
    let recognizer = Recognizer::new(&compile(&tuple(8), &any_order).unwrap().grammar);
    let accepts = |last: &str| {
        let empty = "{},".repeat(7);
        recognizer.accepts(format!("[{empty}{last}]").as_bytes())
    };
    assert!(accepts(r#"{"k16":1,"k7":2,"k9":3}"#) && accepts("{}"));
    assert!(!accepts(r#"{"k16":1,"k7":2,"k16":3}"#) && !accepts(r#"{"k17":1}"#));
}

/// Keys whose values do not exist must not come, and objects that need them do not exist.
#[test]
fn keys_without_values() {
    let any_order = Options { property_order: PropertyOrder::Any, ..Options::default() };
    let of = |required: &str| {
        let keys: Vec<String> =
            (0..20).map(|key| format!("\"k{key}\":{}", if key == 5 { "false" } else { "{}" })).collect();
        let inner = format!(
            r#"{{"type":"object","properties":{{{}}},"required":[{required}],"additionalProperties":false}}"#,
            keys.join(",")
        );
        format!(r#"{{"anyOf":[{{"type":"null"}},{{"type":"array","items":{inner}}}]}}"#)
    };
    let accepts = |schema: &str, text: &str| {
        Recognizer::new(&compile(schema, &any_order).unwrap().grammar).accepts(text.as_bytes())
    };
    let without = of("\"k3\"");
    assert!(accepts(&without, r#"[{"k4":1,"k3":1}]"#) && !accepts(&without, r#"[{"k5":1,"k3":1}]"#));
    let with = of("\"k5\"");
    assert!(accepts(&with, "[]") && accepts(&with, "null") && !accepts(&with, r#"[{"k3":1}]"#));
}
