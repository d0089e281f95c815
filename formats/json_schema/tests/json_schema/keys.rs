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

/// At least one of some keys or groups of keys, which may lie in each other's way.
#[test]
fn one_of_several_groups_of_keys() {
    let required = |keys: &[usize]| {
        let names: Vec<String> = keys.iter().map(|key| format!("\"k{key}\"")).collect();
        format!(r#"{{"required":[{}]}}"#, names.join(","))
    };
    let groups = |first: usize| [vec![first], vec![first + 8, first + 16], vec![first + 24]];
    let any = |first: usize| {
        let groups = groups(first).map(|group| required(&group));
        format!(r#"{{"anyOf":[{}]}},{{"not":{}}}"#, groups.join(","), required(&[first, first + 24]))
    };
    let all: Vec<String> = (0..8).map(any).collect();
    let schema = schema(32, &format!(r#""allOf":[{}],"additionalProperties":false"#, all.join(",")));
    let holds = |keys: &[usize]| {
        let has = |key: &usize| keys.contains(key);
        (0..8).all(|place| {
            groups(place).iter().any(|group| group.iter().all(has)) && !(has(&place) && has(&(place + 24)))
        })
    };
    let texts = |random: &mut Random| -> Vec<usize> {
        let mut keys: Vec<usize> = (0..8).flat_map(|place| random.pick(&groups(place)).clone()).collect();
        keys.push(random.below(32));
        if random.chance(50) {
            keys.remove(random.below(keys.len()));
        }
        keys
    };
    compare_chosen((&schema, 32), &[PropertyOrder::Declared, PropertyOrder::Any], texts, holds);
}

/// Conditions that hold where their key is missing, with an effect on another key.
#[test]
fn conditions_on_keys_that_may_be_missing() {
    let condition = |key: usize| {
        let holds = format!(r#"{{"properties":{{"k{key}":{{"const":2}}}}}}"#);
        format!(r#"{{"if":{holds},"then":{{"required":["k{}"]}}}}"#, key + 14)
    };
    let all: Vec<String> = (0..14).map(condition).collect();
    let schema = schema(28, &format!(r#""allOf":[{}],"additionalProperties":false"#, all.join(",")));
    let holds = |keys: &[usize]| (0..14).all(|key| keys.contains(&key) || keys.contains(&(key + 14)));
    let texts = |random: &mut Random| -> Vec<usize> {
        let count = random.between(13, 14);
        (0..count).map(|key| if random.chance(50) { key } else { key + 14 }).collect()
    };
    compare_chosen((&schema, 28), &[PropertyOrder::Declared, PropertyOrder::Any], texts, holds);
}

/// Objects of which each requires a key and declares it, with no unevaluated keys.
#[test]
fn mixins_without_unevaluated_keys() {
    let mixin =
        |key: usize| format!(r#"{{"properties":{{"k{key}":{{"type":"integer"}}}},"required":["k{key}"]}}"#);
    let all: Vec<String> = (0..14).map(mixin).collect();
    let schema = format!(r#"{{"type":"object","anyOf":[{}],"unevaluatedProperties":false}}"#, all.join(","));
    let texts =
        |random: &mut Random| -> Vec<usize> { (0..random.below(4)).map(|_| random.below(15)).collect() };
    let holds = |keys: &[usize]| !keys.is_empty() && keys.iter().all(|&key| key < 14);
    compare_chosen((&schema, 14), &[PropertyOrder::Any], texts, holds);
}

/// Compares verdicts in the declared order and in any order on chosen sets of keys.
fn compare_chosen(
    (schema, keys): (&str, usize),
    remembered: &[PropertyOrder],
    texts: impl Fn(&mut Random) -> Vec<usize>,
    holds: impl Fn(&[usize]) -> bool,
) {
    for property_order in [PropertyOrder::Declared, PropertyOrder::Any] {
        let options = Options { property_order, ..Options::default() };
        assert_eq!(is_remembered(schema, &options), remembered.contains(&property_order), "{schema}");
        let recognizer = Recognizer::new(&compile(schema, &options).unwrap().grammar);
        let mut random = Random::new(keys as u64);
        let mut valid = 0;
        for _ in 0..400 {
            let mut chosen = texts(&mut random);
            if property_order == PropertyOrder::Declared {
                chosen.sort_unstable();
                chosen.dedup();
            }
            let text = text(&chosen);
            assert_eq!(recognizer.accepts(text.as_bytes()), once(&chosen) && holds(&chosen), "{text}");
            valid += usize::from(once(&chosen) && holds(&chosen));
        }
        assert!(valid > 20, "{valid}");
    }
}

/// A bound on members leaves places for those that are required, whenever they come.
#[test]
fn most_members_beside_required_ones() {
    let options = Options { property_order: PropertyOrder::Any, ..Options::default() };
    for (least, most) in [(0, 3), (4, 4), (3, 6), (0, 2)] {
        let more = format!(r#""required":["k0","k7","k19"],"minProperties":{least},"maxProperties":{most}"#);
        let open = schema(20, &more);
        let closed = schema(20, &format!(r#"{more},"additionalProperties":false"#));
        if most < 3 {
            let error = compile(&open, &options).unwrap_err().remove(0);
            assert_eq!(error.code.as_str(), "unsatisfiable", "{error:?}");
            continue;
        }
        let holds = |keys: &[usize]| {
            [0, 7, 19].iter().all(|key| keys.contains(key)) && (least..=most).contains(&keys.len())
        };
        // Where members of open objects are counted up to a least number, keys that are not declared are remembered.
        let schemas = [(open, 22), (closed, 20)].into_iter().skip(usize::from(least > 1));
        for (schema, keys) in schemas {
            assert!(is_remembered(&schema, &options));
            let recognizer = Recognizer::new(&compile(&schema, &options).unwrap().grammar);
            let mut random = Random::new(keys as u64);
            let mut valid = 0;
            for _ in 0..400 {
                let mut chosen = vec![0, 7, 19];
                chosen.extend((0..random.below(5)).map(|_| random.below(22)));
                chosen.sort_by_cached_key(|_| random.draw());
                chosen.truncate(chosen.len() - random.below(2));
                let is_valid = once(&chosen) && holds(&chosen) && chosen.iter().all(|&key| key < keys);
                assert_eq!(recognizer.accepts(text(&chosen).as_bytes()), is_valid, "{}", text(&chosen));
                valid += usize::from(is_valid);
            }
            assert!(valid > 20, "{valid}");
        }
    }
}

/// A key whose value asks for another one: each value has a variant.
#[test]
fn a_key_with_many_values() {
    let values: Vec<String> = (0..13).map(|value| value.to_string()).collect();
    let condition = |value: usize| {
        let holds = format!(r#"{{"properties":{{"kind":{{"const":{value}}}}},"required":["kind"]}}"#);
        format!(
            r#"{{"if":{holds},"then":{{"required":["k{value}"],"not":{{"required":["k{}"]}}}}}}"#,
            (value + 1) % 13
        )
    };
    let all: Vec<String> = (0..13).map(condition).collect();
    let keys: Vec<String> = (0..13).map(|key| format!("\"k{key}\":{{\"const\":1}}")).collect();
    for last in [12, 13] {
        let schema = format!(
            r#"{{"type":"object","properties":{{{},"kind":{{"enum":[{}]}}}},"allOf":[{}],"additionalProperties":false}}"#,
            keys.join(","),
            values[..last].join(","),
            all.join(",")
        );
        let options = Options { property_order: PropertyOrder::Any, ..Options::default() };
        assert!(is_remembered(&schema, &options), "{schema}");
        let recognizer = Recognizer::new(&compile(&schema, &options).unwrap().grammar);
        let accepts = |text: &str| recognizer.accepts(text.as_bytes());
        assert!(
            accepts(r#"{"k3":1,"kind":3}"#)
                && accepts(r#"{"kind":3,"k5":1,"k3":1}"#)
                && accepts(r#"{"k3":1,"k4":1}"#)
        );
        assert!(
            !accepts(r#"{"k4":1,"kind":3}"#)
                && !accepts(r#"{"kind":3,"k4":1,"k3":1}"#)
                && !accepts(r#"{"kind":13}"#)
        );
        assert_eq!(accepts(r#"{"kind":12,"k12":1}"#), last == 13);
    }
}

/// Exactly one of four keys, where only declared keys are evaluated.
#[test]
fn one_of_several_keys_without_unevaluated_ones() {
    let one: Vec<String> = (0..4).map(|key| format!(r#"{{"required":["k{key}"]}}"#)).collect();
    let schema = schema(14, &format!(r#""oneOf":[{}],"unevaluatedProperties":false"#, one.join(",")));
    let texts =
        |random: &mut Random| -> Vec<usize> { (0..random.below(5)).map(|_| random.below(15)).collect() };
    let holds =
        |keys: &[usize]| keys.iter().filter(|&&key| key < 4).count() == 1 && keys.iter().all(|&key| key < 14);
    compare_chosen((&schema, 14), &[PropertyOrder::Any], texts, holds);
}

/// Closed objects that the value of a key tells apart, with keys of their own and keys that all have.
#[test]
fn closed_objects_in_any_order() {
    let member = |key: usize, value: usize| format!(r#""k{key}":{{"const":{value}}}"#);
    // The alternative number n has the keys 0 to 9, and 3 more from 10 + 3 n on; the value of the first key is n, that of the others 1.
    let own = |n: usize| (10 + 3 * n..13 + 3 * n).map(|key| member(key, 1));
    let alternative = |n: usize| {
        let shared = (1..10).map(|key| member(key, 1));
        let all: Vec<String> = [member(0, n)].into_iter().chain(shared).chain(own(n)).collect();
        format!(
            r#"{{"type":"object","properties":{{{}}},"required":["k0","k{}"],"additionalProperties":false}}"#,
            all.join(","),
            10 + 3 * n
        )
    };
    for (keyword, count, texts) in [("oneOf", 5, 2000), ("anyOf", 5, 2000), ("oneOf", 31, 300)] {
        let all: Vec<String> = (0..count).map(alternative).collect();
        let schema = format!(r#"{{"{keyword}":[{}]}}"#, all.join(","));
        let options = Options { property_order: PropertyOrder::Any, ..Options::default() };
        assert!(is_remembered(&schema, &options));
        let recognizer = Recognizer::new(&compile(&schema, &options).unwrap().grammar);
        let mut random = Random::new(7);
        let mut valid = 0;
        for _ in 0..texts {
            let n = random.below(count + 1);
            let mut keys = vec![0, 10 + 3 * n];
            keys.extend((0..random.below(4)).map(|_| random.below(10)));
            keys.extend((0..random.below(3)).map(|_| 10 + (3 * n + random.below(4)) % (3 * count + 1)));
            keys.sort_by_cached_key(|_| random.draw());
            keys.truncate(1 + random.below(8));
            let members: Vec<String> =
                keys.iter().map(|&key| format!("\"k{key}\":{}", if key == 0 { n } else { 1 })).collect();
            let text = format!("{{{}}}", members.join(","));
            let is_own = |key: &usize| *key < 10 || (10 + 3 * n..13 + 3 * n).contains(key);
            let holds = n < count
                && once(&keys)
                && keys.contains(&0)
                && keys.contains(&(10 + 3 * n))
                && keys.iter().all(is_own);
            assert_eq!(recognizer.accepts(text.as_bytes()), holds, "{text}");
            valid += usize::from(holds);
        }
        assert!(valid > texts / 20, "{valid}");
    }
}

/// Alternatives in any order whose keys would be too many states are refused before they are made, and the help names the declared order.
#[test]
fn many_alternatives_in_any_order_are_counted() {
    let alternative = |n: usize| {
        let keys: Vec<String> = (0..10).map(|key| format!(r#""k{n}_{key}":{{"type":"integer"}}"#)).collect();
        format!(
            r#"{{"type":"object","properties":{{"t":{{"const":{n}}},{}}},"required":["t"],"additionalProperties":false}}"#,
            keys.join(",")
        )
    };
    let all: Vec<String> = (0..32).map(alternative).collect();
    let schema = format!(r#"{{"oneOf":[{}]}}"#, all.join(","));
    let options = Options { property_order: PropertyOrder::Any, ..Options::default() };
    let budget = gcc_grammar_limits::Budget::default();
    let error = gcc_grammar_json_schema::compile_within(&schema, &options, &budget).unwrap_err().remove(0);
    assert_eq!(error.location, Some(gcc_grammar_ir::Location::Pointer("/oneOf".to_owned())), "{error:?}");
    assert!(error.help.is_some_and(|help| help.contains("--property-order declared")));
    assert!(budget.spent().0 < 250_000_000, "{:?}", budget.spent());
}

/// A list in which an item of a few must occur: the others are all strings, and it is not used before it comes.
#[test]
fn few_items_beside_others_are_remembered() {
    let schema =
        r#"{"type":"array","items":{"type":"string"},"uniqueItems":true,"contains":{"const":"admin"}}"#;
    let recognizer = Recognizer::new(&compile(schema, &Options::default()).unwrap().grammar);
    let accepts = |text: &str| recognizer.accepts(text.as_bytes());
    assert!(accepts(r#"["admin"]"#) && accepts(r#"["a","admin","b"]"#) && accepts(r#"["a","b","admin"]"#));
    assert!(!accepts(r#"["a"]"#) && !accepts("[]") && !accepts(r#"["a","admin","a"]"#));
    assert!(!accepts(r#"["admin","admin"]"#) && !accepts(r#"["a","admin","b","admin"]"#));
    let twice = r#"{"type":"array","items":{"type":"string"},"uniqueItems":true,"contains":{"enum":["a","b"]},"minContains":2}"#;
    let error = compile(twice, &Options::default()).unwrap_err().remove(0);
    assert!(error.help.is_some_and(|help| help.contains("contains")), "{}", error.message);
}
