//! Arrays with `uniqueItems` beside the list of all their documents, in every way to use the runtime.

use gcc_grammar_random::Random;
use gcc_grammar_tests::any_items;
use gcc_grammar_tests::distinct::{Outcome, Shape, campaign, compare, compare_in_all_ways, open_campaign};
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

/// Items of any value.
#[test]
fn masks_of_any_items_are_those_of_a_reader_of_json() {
    let report = any_items::campaign(0..200);
    assert!(report.wrong.is_empty(), "{:#?}", report.wrong);
    assert!(report.samples == 200 && report.masks > 20_000, "{report:?}");
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
