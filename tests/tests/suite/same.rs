//! Texts that are repeated, beside readers of them, in every way to use the runtime.

use gcc_grammar_tests::same::campaign;

#[test]
fn masks_are_those_of_readers() {
    let report = campaign(0..280);
    assert!(report.wrong.is_empty(), "{:#?}", report.wrong);
    assert!(report.samples == 280 && report.masks > 10_000, "{report:?}");
}
