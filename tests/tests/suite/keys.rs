//! Objects whose keys are remembered beside the list of all their documents, in every way to use the runtime.

use gcc_grammar_random::Random;
use gcc_grammar_tests::distinct::compare_in_all_ways;
use gcc_grammar_tests::keys::{Condition, Shape, Values, campaign, compare};

#[test]
fn masks_are_those_of_the_documents() {
    let report = campaign(0..400);
    assert!(report.wrong.is_empty(), "{} wrong: {:#?}", report.wrong.len(), report.wrong.first());
    assert!(report.samples > 250 && report.masks > 15_000, "{report:?}");
    let remembered = (0..400).filter(|&seed| Shape::random(&mut Random::new(seed)).is_remembered());
    assert!(remembered.count() > 250);
}

fn shape(keys: &[&'static str], value: &'static str, any_order: bool, conditions: Vec<Condition>) -> Shape {
    let keys = keys.iter().map(|&key| (key, Values::Texts(vec![value]))).collect();
    Shape { keys, conditions, others: Vec::new(), any_order }
}

/// Keys of which many begin alike: beginnings run out, keys must still come, and nothing is left.
#[test]
fn beginnings_of_keys_run_out() {
    let keys = ["a", "ab", "aba", "abb", "b"];
    let pairs = || (0..3).map(|key| Condition::NotAll(vec![key, key + 2])).collect::<Vec<_>>();
    let chain = || (0..4).map(|key| Condition::Dependent(key, vec![key + 1])).collect::<Vec<_>>();
    let joint = vec![
        Condition::Implies(vec![0, 1], 4),
        Condition::NotAll(vec![2, 3, 4]),
        Condition::Required(vec![1]),
    ];
    let mut shapes = Vec::new();
    for any_order in [false, true] {
        for value in ["1", "\"\"", "{}"] {
            for conditions in [Vec::new(), pairs(), chain(), joint.clone()] {
                shapes.push(shape(&keys, value, any_order, conditions));
            }
        }
    }
    let inner = shape(&keys[..3], "1", true, vec![Condition::NotAll(vec![0, 1])]);
    let mut outer = shape(&keys, "null", true, pairs());
    outer.keys.truncate(3);
    outer.conditions.truncate(1);
    outer.keys[1].1 = Values::Object(Box::new(inner));
    shapes.push(outer);
    for (number, shape) in (0..).zip(&shapes) {
        assert!(shape.is_remembered() || !shape.any_order && shape.conditions.is_empty(), "{shape:?}");
        let all = compare_in_all_ways(shape, 100 * number, |random, way| compare(shape, random, way));
        assert!(all > 200, "{shape:?}: {all}");
    }
}
