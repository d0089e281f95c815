//! Arrays with `uniqueItems` beside the list of all their documents, in every way to use the runtime.

use gcc_grammar_random::Random;
use gcc_grammar_tests::any_items;
use gcc_grammar_tests::distinct::{
    Outcome, Shape, campaign, compare, compare_documents, compare_in_all_ways, counted_campaign,
    open_campaign,
};
use gcc_grammar_tests::subject::Way;

#[test]
fn masks_are_those_of_the_documents() {
    let report = campaign(0..300);
    assert!(report.wrong.is_empty(), "{:#?}", report.wrong);
    assert!(report.samples > 120 && report.masks > 10_000, "{report:?}");
}

/// Maps and open objects, whose members come in any order, each name once.
#[test]
fn masks_of_open_objects_are_those_of_the_documents() {
    let report = open_campaign(0..300);
    assert!(report.wrong.is_empty(), "{:#?}", report.wrong);
    assert!(report.samples > 100 && report.masks > 10_000, "{report:?}");
}

/// Open objects with a least and a greatest number of members, whose other keys are remembered.
#[test]
fn masks_of_counted_members_are_those_of_the_documents() {
    let report = counted_campaign(0..300);
    assert!(report.wrong.is_empty(), "{:#?}", report.wrong);
    assert!(report.samples > 100 && report.masks > 10_000, "{report:?}");
}

/// Items of any value.
#[test]
fn masks_of_any_items_are_those_of_a_reader_of_json() {
    let report = any_items::campaign(0..200);
    assert!(report.wrong.is_empty(), "{:#?}", report.wrong);
    assert!(report.samples == 200 && report.masks > 20_000, "{report:?}");
}

/// The automaton of an item has a state that leads to no end: its cost overflowed.
#[test]
fn items_with_dead_states_have_costs() {
    let outcome = gcc_grammar_tests::memory::Kind::Nested.try_sample(900_511);
    assert!(matches!(outcome, Outcome::Compared(masks) if masks > 20), "{outcome:?}");
}

/// Sets of values of which many begin alike, so that beginnings run out.
#[test]
fn beginnings_run_out() {
    let values =
        ["\"a\"", "\"ab\"", "\"aba\"", "\"abb\"", "\"b\"", "1", "12", "123", "-1", "true", "null", "0.5"];
    let values = Shape::Values(values.map(str::to_owned).to_vec());
    let shape = Shape::Array { items: Box::new(values), min: 0, max: 4, unique: true };
    for (seed, way) in (0..).zip(Way::ALL) {
        let outcome = compare(&shape, &mut Random::new(seed), way);
        assert!(matches!(outcome, Outcome::Compared(masks) if masks > 20), "{outcome:?}");
    }
}

fn values(values: &[&str]) -> Shape {
    Shape::Values(values.iter().map(|&value| value.to_owned()).collect())
}

fn object(members: Vec<(&str, Shape, bool)>) -> Shape {
    Shape::Object(
        members.into_iter().map(|(key, value, required)| (key.to_owned(), value, required)).collect(),
    )
}

fn unique(items: Shape, min: usize, max: usize) -> Shape {
    Shape::Array { items: Box::new(items), min, max, unique: true }
}

/// Items of several lexemes: objects with optional members, arrays, lists in lists, and scalars beside them.
#[test]
fn items_of_several_lexemes_run_out() {
    let letters = || values(&["\"a\"", "\"ab\"", "\"b\""]);
    let flag = || values(&["true", "false"]);
    let pair = || object(vec![("a", letters(), true), ("b", flag(), false)]);
    let array = |items, min, max| Shape::Array { items: Box::new(items), min, max, unique: false };
    let shapes = [
        unique(pair(), 0, 3),
        unique(object(vec![("a", flag(), false), ("b", flag(), false)]), 1, 3),
        unique(array(letters(), 0, 2), 0, 3),
        unique(unique(letters(), 0, 2), 0, 3),
        unique(object(vec![("a", unique(flag(), 0, 2), true)]), 0, 3),
        unique(object(vec![("a", unique(pair(), 0, 2), true)]), 0, 2),
        unique(Shape::Either(vec![object(vec![("a", flag(), false)]), values(&["\"a\"", "null"])]), 0, 4),
        unique(
            object(vec![("a", object(vec![("b", flag(), false), ("c", values(&["null"]), false)]), true)]),
            0,
            4,
        ),
    ];
    for (number, shape) in (0..).zip(&shapes) {
        let all = compare_in_all_ways(shape, 100 * number, |random, way| compare(shape, random, way));
        assert!(all > 200, "{shape:?}: {all}");
    }
}

/// Lists that may be longer than there are values, and alternatives with an order each, of which one runs out.
#[test]
fn few_values_and_few_orders_run_out() {
    let flag = || values(&["true", "false"]);
    let open = |members| Shape::Open(members, Box::new(values(&["1"])));
    let letters = || values(&["\"a\"", "\"ab\""]);
    let shapes = [
        unique(object(vec![("a", flag(), false)]), 0, 5),
        unique(object(vec![("a", values(&["null"]), true)]), 1, 4),
        unique(
            Shape::Either(vec![
                open(vec![("a".to_owned(), letters(), true), ("b".to_owned(), flag(), false)]),
                open(vec![("b".to_owned(), flag(), true), ("a".to_owned(), letters(), true)]),
                object(vec![("r", values(&["1"]), true)]),
            ]),
            0,
            2,
        ),
    ];
    for (number, shape) in (0..).zip(&shapes) {
        let all = compare_in_all_ways(shape, 100 * number, |random, way| compare(shape, random, way));
        assert!(all > 200, "{shape:?}: {all}");
    }
}

/// A member with equal items asks for another one.
#[test]
fn members_with_equal_items_have_no_complement() {
    let letters: Vec<String> = ('a'..='k').map(|letter| format!("\"{letter}\"")).collect();
    let list = format!(r#"{{"type":"array","items":{{"enum":[{}]}}"#, letters.join(","));
    let schema = format!(
        r#"{{"type":"object","properties":{{"a":{list},"maxItems":2}},"b":{{"const":1}}}},"additionalProperties":false,
            "anyOf":[{{"properties":{{"a":{list},"uniqueItems":true}}}}}},{{"required":["b"]}}]}}"#
    );
    let mut documents = std::collections::BTreeSet::from(["{}".to_owned(), r#"{"b":1}"#.to_owned()]);
    let mut add = |items: &[&str], differ: bool| {
        let list = items.join(",");
        documents.extend(differ.then(|| format!(r#"{{"a":[{list}]}}"#)));
        documents.insert(format!(r#"{{"a":[{list}],"b":1}}"#));
    };
    add(&[], true);
    for first in &letters {
        add(&[first], true);
        letters.iter().for_each(|second| add(&[first, second], first != second));
    }
    let all = compare_in_all_ways(&schema, 7, |random, way| {
        compare_documents(&schema, documents.clone(), random, way)
    });
    assert!(all > 200, "{all}");
}

/// Lists of which one has few values, beside one that has the same value and others.
#[test]
fn few_values_beside_others_run_out() {
    let letters: Vec<String> = ('a'..='k').map(|letter| format!("\"{letter}\"")).collect();
    let list = |items: &str| {
        format!(r#"{{"type":"array","items":{items},"uniqueItems":true,"minItems":1,"maxItems":3}}"#)
    };
    let closed = |key: &str, value: &str| {
        format!(r#"{{"type":"object","properties":{{"{key}":{value}}},"additionalProperties":false}}"#)
    };
    let secure = closed("s", r#"{"const":1}"#);
    let mixed = format!(r#"{{"anyOf":[{{"enum":[{}]}},{secure}]}}"#, letters.join(","));
    let schema = format!(r#"{{"oneOf":[{},{}]}}"#, list(&mixed), list(&closed("d", r#"{"type":"boolean"}"#)));
    let array = |items: &[&str]| unique(values(items), 1, 3).documents().unwrap();
    let mut of_mixed: Vec<&str> = letters.iter().map(String::as_str).collect();
    of_mixed.extend(["{}", r#"{"s":1}"#]);
    let flags = array(&["{}", r#"{"d":true}"#, r#"{"d":false}"#]);
    let documents: std::collections::BTreeSet<String> =
        array(&of_mixed).symmetric_difference(&flags).cloned().collect();
    assert!(!documents.contains("[{}]"));
    let all = compare_in_all_ways(&schema, 11, |random, way| {
        compare_documents(&schema, documents.clone(), random, way)
    });
    assert!(all > 200, "{all}");
}

/// A session of a schema for a vocabulary of bytes and some words.
fn session_with(schema: &str, words: &[&str]) -> gcc_grammar::Session {
    let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
    let words = words.iter().map(|word| word.as_bytes().to_vec());
    let vocabulary = gcc_grammar::Vocabulary::from_tokens("many", bytes.chain(words)).unwrap();
    let source = gcc_grammar::Source::json_schema(schema);
    let artifact = gcc_grammar::compile(&source, &vocabulary, &gcc_grammar::Options::default()).unwrap();
    gcc_grammar::Session::new(artifact, &vocabulary).unwrap()
}

/// Items, and whether they are new.
type Texts<'t> = &'t [(&'t str, bool)];

/// Compares masks with commits behind each byte of items, which are new or not, behind a list of others. No mask takes more than some units of work.
fn compare_with_commits(
    session: &gcc_grammar::Session,
    list: &[String],
    items: &[(&str, bool)],
    most_work: u64,
) {
    let mut matcher = session.matcher().unwrap();
    let mut row = vec![0; session.row_words()];
    matcher.commit_bytes(format!("[{},", list.join(",")).as_bytes()).unwrap();
    // The first mask puts the items in order.
    matcher.fill_mask(&mut row).unwrap();
    for &(text, is_new) in items {
        let mut committed = 0;
        for byte in text.bytes() {
            matcher.fill_mask(&mut row).unwrap();
            let work = matcher.inspect(|matcher| matcher.work_done());
            assert!(work <= most_work, "{work} units behind {committed} bytes of {text}, behind {}", list[0]);
            for token in 0..session.engine().grammar().meta().mask_width {
                let allowed = row[token as usize / 32] >> (token % 32) & 1 == 1;
                let read = matcher.validate(&[token]).unwrap() == 1;
                assert_eq!(allowed, read, "token {token} behind {committed} bytes of {text}");
            }
            let is_end = committed + 1 == text.len();
            let allowed = row[usize::from(byte) / 32] >> (byte % 32) & 1 == 1;
            assert_eq!(allowed, !is_end || is_new, "byte {committed} of {text}");
            if allowed {
                matcher.commit(u32::from(byte)).unwrap();
                committed += 1;
            }
        }
        matcher.rollback(committed as u64).unwrap();
    }
}

/// Where many items are as long as what is written, tokens that would end one of them are found by its signature.
#[test]
fn masks_with_many_objects_are_those_of_commits() {
    let words = [
        "}", "]}", "]}]", "7]}", "7]},", "}]", "\"b\":[", "[7]", "[7]}", ":[7]}", "{\"a\":", "},{", "}}",
        "7}", "1]},{",
    ];
    let schema = r#"{"type": "array", "uniqueItems": true, "items": {"type": "object"}}"#;
    let item = |number: usize| match number % 2 {
        0 => format!(r#"{{"a":{},"b":[{number}]}}"#, number % 7),
        _ => format!(r#"{{"b":[{number}],"a":{}}}"#, number % 7),
    };
    let all: Vec<String> = (100..300).map(item).collect();
    // The same as an earlier one in another order, a new one, and one that goes on behind its beginning.
    let items =
        [(r#"{"b":[170],"a":2}"#, false), (r#"{"a":2,"b":[177]}"#, false), (r#"{"a":3,"b":[170]}"#, true)];
    compare_with_commits(&session_with(schema, &words), &all, &items, u64::MAX);
}

/// The work of a mask does not grow with the number of items that have one order of members.
#[test]
fn masks_with_many_arrays_are_those_of_commits() {
    let words = [
        "  ",
        "\n\n",
        ", ",
        ",  ",
        " ,",
        "[1",
        "[1,",
        ",1",
        "1,",
        "1]",
        "]]",
        "],",
        "],[",
        "] ,[1",
        "1],[1",
        "12",
        "\"to\":",
        "{\"from\":",
        ": 1",
        "},{",
        "1}",
        "\":",
        ",\"to\":1",
        "\"a",
        "\"]",
    ];
    let spaced = |number: usize| if number.is_multiple_of(3) { " " } else { "" };
    let pair = |number: usize| format!("[{},{}{}]", number / 20, spaced(number), number % 20);
    let object =
        |number: usize| format!(r#"{{"from":{}{},"to":{}}}"#, spaced(number), number / 20, number % 20);
    let set = |number: usize| format!(r#"["a{number}","b"]"#);
    let integers = r#"{"type":"array","items":{"type":"integer"}}"#;
    let from_to = r#"{"type":"object","properties":{"from":{"type":"integer"},"to":{"type":"integer"}},"required":["from","to"],"additionalProperties":false}"#;
    let few =
        r#"{"type":"array","items":{"type":"integer","minimum":0,"maximum":19},"minItems":2,"maxItems":2}"#;
    let strings = r#"{"type":"array","items":{"type":"string"},"uniqueItems":true}"#;
    let list = |items: &dyn Fn(usize) -> String| (20..320).map(items).collect::<Vec<String>>();
    let pairs = [("[5,1]", false), ("[5, 2]", false), ("[5,20]", true), ("[5,1,1]", true), ("[12,3]", false)];
    let cases: [(&str, Vec<String>, Texts<'_>); 4] = [
        (integers, list(&pair), &pairs),
        (few, list(&pair), &[("[5", false), ("[15", false), ("[0,3]", true), ("[17,19]", true)]),
        (from_to, list(&object), &[(r#"{"from":5, "to":1}"#, false), (r#"{"from":5,"to":100}"#, true)]),
        (
            strings,
            list(&set),
            &[(r#"["a100","b"]"#, false), (r#"["b","a100"]"#, true), (r#"["a100","c"]"#, true)],
        ),
    ];
    for (items, all, texts) in cases {
        let schema = format!(r#"{{"type":"array","uniqueItems":true,"items":{items}}}"#);
        // Of few pairs, a new one is searched for.
        let most_work = if items == few { 1_000_000 } else { 20_000 };
        compare_with_commits(&session_with(&schema, &words), &all, texts, most_work);
    }
}
