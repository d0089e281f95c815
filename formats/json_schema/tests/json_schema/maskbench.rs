//! Verdicts on a sample of the development cases of MaskBench; the example `maskbench` runs all of them.

use crate::bench::{paths, print, run};
use crate::shared;
use gcc_grammar_json_schema::Options;

#[test]
#[ignore = "needs ../shared: data/maskbench/dev"]
fn sampled_cases_have_the_right_verdicts() {
    let sample: Vec<_> = paths(&shared("maskbench/dev")).into_iter().step_by(50).collect();
    let outcomes = run(&sample, &Options::default(), 2);
    let compiled = outcomes.iter().filter(|outcome| outcome.is_compiled()).count();
    let mut wrong = Vec::new();
    for outcome in &outcomes {
        let pairs =
            [("valid refused", &outcome.valid_refused), ("invalid accepted", &outcome.invalid_accepted)];
        for (what, instances) in pairs {
            wrong.extend(instances.iter().map(|index| format!("{} {index}: {what}", outcome.name)));
        }
    }
    print(&outcomes, true);
    assert_eq!(wrong, Vec::<String>::new());
    assert!(compiled * 100 >= outcomes.len() * 95, "{compiled} of {} compiled", outcomes.len());
}
