//! Texts that are repeated, beside readers of them, in every way to use the runtime.

use gcc_grammar_tests::same::campaign;

#[test]
fn masks_are_those_of_readers() {
    let report = campaign(0..1400);
    assert!(report.wrong.is_empty(), "{:#?}", report.wrong);
    assert!(report.samples == 1400 && report.masks > 50_000, "{report:?}");
}
