//! Objects whose keys are remembered beside the list of all their documents, in every way to use the runtime.

use gcc_grammar_random::Random;
use gcc_grammar_tests::distinct::compare_in_all_ways;
use gcc_grammar_tests::formula::Formula;
use gcc_grammar_tests::keys::{Condition, Shape, Values, campaign, compare, counted_campaign};

#[test]
fn masks_are_those_of_the_documents() {
    let report = campaign(0..400);
    assert!(report.wrong.is_empty(), "{} wrong: {:#?}", report.wrong.len(), report.wrong.first());
    assert!(report.samples > 250 && report.masks > 15_000, "{report:?}");
    let shapes = (0..400).map(|seed| Shape::random(&mut Random::new(seed)));
    let remembered: Vec<Shape> = shapes.filter(Shape::is_remembered).collect();
    assert!(remembered.len() > 200, "{}", remembered.len());
    let of_values = remembered.iter().filter(|shape| shape.asks_for_values()).count();
    assert!(of_values > 60, "{of_values}");
}

/// Least and greatest numbers of members in any order, beside keys that must be there.
#[test]
fn masks_of_counted_members_are_those_of_the_documents() {
    let report = counted_campaign(0..400);
    assert!(report.wrong.is_empty(), "{} wrong: {:#?}", report.wrong.len(), report.wrong.first());
    assert!(report.samples > 250 && report.masks > 15_000, "{report:?}");
    let shapes = (0..400).map(|seed| Shape::random_counted(&mut Random::new(seed)));
    let counts = |shape: &Shape| {
        shape.conditions.iter().any(|one| matches!(one, Condition::Count(2.., _))) && shape.is_remembered()
    };
    let counted = shapes.filter(counts).count();
    assert!(counted > 100, "{counted}");
}

/// `a` may have a value that demands nothing, so before it is read nothing follows from the one that demands `w`, with which no value of `b` goes.
#[test]
fn the_least_variant_of_a_key_is_taken() {
    let texts = |texts: &[&'static str]| Values::Texts(texts.to_vec());
    let keys = [("a", texts(&["1", "2", "3"])), ("b", texts(&["4", "5"])), ("w", texts(&["6"]))];
    let keys: Vec<(&'static str, Values)> =
        keys.into_iter().chain([("u", texts(&["7"])), ("v", texts(&["8"]))]).collect();
    let conditions = vec![
        Condition::Required(vec![0, 1]),
        Condition::Either((0, vec!["1", "3"]), 0, 2),
        Condition::Either((1, vec!["4"]), 3, 4),
        Condition::Excludes(2, 3),
        Condition::Excludes(2, 4),
    ];
    for any_order in [false, true] {
        let shape =
            Shape { keys: keys.clone(), conditions: conditions.clone(), others: Vec::new(), any_order };
        assert!(shape.is_remembered(), "{shape:?}");
        let all = compare_in_all_ways(&shape, 7, |random, way| compare(&shape, random, way));
        assert!(all > 100, "{shape:?}: {all}");
    }
}

/// Conditions on values: each is decided at one key, and has its effect at another one.
#[test]
fn values_decide_about_other_keys() {
    let keys = [("a", vec!["\"x\"", "\"y\""]), ("b", vec!["1", "12", "null"]), ("ab", vec!["\"x\"", "1"])];
    let keys: Vec<(&'static str, Values)> =
        keys.into_iter().map(|(key, texts)| (key, Values::Texts(texts))).collect();
    let x = || (0, vec!["\"x\""]);
    let demands = Condition::Demands(x(), vec![1]);
    let restricts = Condition::Restricts(x(), (1, vec!["12", "null"]));
    let back = Condition::Restricts((1, vec!["12"]), (0, vec!["\"y\""]));
    let chain = Condition::Demands((1, vec!["12", "null"]), vec![2]);
    let last = Condition::Restricts((1, vec!["null"]), (2, vec!["1"]));
    let not_both = Condition::NotBoth(x(), (2, vec!["\"x\""]));
    let either = Condition::Either(x(), 1, 2);
    let all = [
        vec![either, Condition::Required(vec![0])],
        vec![demands.clone()],
        vec![restricts.clone()],
        vec![demands.clone(), restricts.clone()],
        vec![demands.clone(), restricts.clone(), chain.clone()],
        vec![restricts.clone(), chain.clone(), last, Condition::Required(vec![1])],
        vec![not_both.clone(), Condition::Required(vec![0])],
        vec![not_both, chain, back, Condition::NotAll(vec![0, 2])],
    ];
    for any_order in [false, true] {
        for (number, conditions) in (0..).zip(&all) {
            let shape =
                Shape { keys: keys.clone(), conditions: conditions.clone(), others: Vec::new(), any_order };
            assert!(shape.is_remembered(), "{shape:?}");
            let all = compare_in_all_ways(&shape, 100 * number, |random, way| compare(&shape, random, way));
            assert!(all > 100, "{shape:?}: {all}");
        }
    }
}

/// Conditions that hold where a key is missing, and alternatives of groups of keys: one of several things has to come.
#[test]
fn one_of_several_things_has_to_come() {
    use Formula::{All, Any, If, Is, Not, One, Required};
    let keys =
        [("a", vec!["\"x\"", "\"y\""]), ("b", vec!["1", "12", "null"]), ("c", vec!["1"]), ("ab", vec!["1"])];
    let keys: Vec<(&'static str, Values)> =
        keys.into_iter().map(|(key, texts)| (key, Values::Texts(texts))).collect();
    let x = || Is((0, vec!["\"x\""]));
    let number = || Is((1, vec!["1", "12"]));
    let is_number = || All(vec![number(), Required(vec![1])]);
    let if_then = |condition, then| If(Box::new([condition, then, All(Vec::new())]));
    let not = |formula| Not(Box::new(formula));
    let all = [
        vec![if_then(x(), Required(vec![1]))],
        vec![if_then(x(), is_number())],
        vec![if_then(x(), number()), Required(vec![2])],
        vec![If(Box::new([x(), is_number(), Required(vec![2])]))],
        vec![if_then(All(vec![x(), number()]), Required(vec![2])), if_then(x(), Required(vec![3]))],
        vec![Any(vec![Required(vec![0, 1]), Required(vec![2])]), not(Required(vec![2, 3]))],
        vec![Any(vec![is_number(), All(vec![x(), Required(vec![0])]), Required(vec![3])])],
        vec![One(vec![Required(vec![0]), Required(vec![2]), is_number()])],
        vec![Formula::Mixins(vec![(0, 1), (2, 3), (1, 1)]), not(Required(vec![0, 2]))],
    ];
    let mut remembered = 0;
    for any_order in [false, true] {
        for (number, formulas) in (0..).zip(&all) {
            let conditions: Vec<Condition> = formulas.iter().cloned().map(Condition::Holds).collect();
            let shape = Shape { keys: keys.clone(), conditions, others: Vec::new(), any_order };
            remembered += usize::from(shape.is_remembered());
            let all = compare_in_all_ways(&shape, 100 * number, |random, way| compare(&shape, random, way));
            assert!(all > 100, "{shape:?}: {all}");
        }
    }
    // Small unions of objects with keys of their own are states.
    assert!(remembered >= 14, "{remembered}");
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
