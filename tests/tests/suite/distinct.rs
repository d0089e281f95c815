//! Arrays with `uniqueItems` beside the list of all their documents, in every way to use the runtime.

use gcc_grammar_random::Random;
use gcc_grammar_tests::distinct::{Outcome, Shape, campaign, compare};
use gcc_grammar_tests::subject::Way;

#[test]
fn masks_are_those_of_the_documents() {
    let report = campaign(0..300);
    assert!(report.wrong.is_empty(), "{:#?}", report.wrong);
    assert!(report.samples > 120 && report.masks > 10_000, "{report:?}");
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
