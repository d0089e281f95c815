//! Computes the figures of an engine from its reports: counts of right and wrong answers, and percentiles.

use crate::protocol::{Compile, Report, TestReport, Verdict};
use gcc_grammar_benches::times::nearest_rank;

/// The reports of one engine, one for each case. The results of all engines have the cases in the same order.
pub struct Results {
    /// The name of the engine.
    pub name: String,
    /// The reports.
    pub reports: Vec<Report>,
}

/// Sorted values.
pub struct Spread(Vec<u64>);

impl Spread {
    /// Sorts the values.
    #[must_use]
    pub fn new(values: impl IntoIterator<Item = u64>) -> Self {
        let mut values: Vec<u64> = values.into_iter().collect();
        values.sort_unstable();
        Self(values)
    }

    /// The least value that this many per mille of all values do not exceed; 1000 gives the largest value. `None` if there are no values.
    #[must_use]
    pub fn per_mille(&self, per_mille: usize) -> Option<u64> {
        nearest_rank(&self.0, per_mille)
    }

    /// All values, in ascending order.
    #[must_use]
    pub fn values(&self) -> &[u64] {
        &self.0
    }
}

/// The right and wrong answers of an engine.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// The number of cases that the engine compiled.
    pub compiled: usize,
    /// The number of cases that it did not compile.
    pub refused: usize,
    /// The cases with a valid text that was refused.
    pub valid_refused: Vec<String>,
    /// The cases with an invalid text that was accepted.
    pub invalid_accepted: Vec<String>,
    /// The cases where the engine gave up, or where mask and commit, two passes, or the saved and the opened artifact disagree.
    pub broken: Vec<String>,
}

impl Results {
    /// Counts right and wrong answers.
    #[must_use]
    pub fn answers(&self) -> Answers {
        let mut answers = Answers::default();
        for report in &self.reports {
            if report.compile != Compile::Ok {
                answers.refused += 1;
                continue;
            }
            answers.compiled += 1;
            let any = |wrong: fn(&TestReport) -> bool| report.tests.iter().any(wrong);
            let id = || report.id.clone();
            if any(|test| test.valid && matches!(test.verdict, Verdict::Rejected | Verdict::Incomplete)) {
                answers.valid_refused.push(id());
            }
            if any(|test| !test.valid && test.verdict == Verdict::Accepted) {
                answers.invalid_accepted.push(id());
            }
            if !report.run_failure.is_empty()
                || any(is_broken)
                || report.artifact.as_ref().is_some_and(|artifact| !artifact.same_mask)
            {
                answers.broken.push(id());
            }
        }
        answers
    }

    /// A figure of each case that was compiled.
    pub fn compiled<'r>(&'r self, figure: impl Fn(&Report) -> Option<u64> + 'r) -> Spread {
        Spread::new(self.reports.iter().filter(|report| report.compile == Compile::Ok).filter_map(figure))
    }

    /// A figure of each token of all texts.
    #[must_use]
    pub fn tokens(&self, figure: fn(&TestReport) -> &Vec<u64>) -> Spread {
        Spread::new(self.reports.iter().flat_map(|report| &report.tests).flat_map(figure).copied())
    }
}

fn is_broken(test: &TestReport) -> bool {
    test.verdict == Verdict::Broken || test.detail.contains("disagree")
}

/// The cases that two engines both compiled.
pub struct Common<'r> {
    cases: Vec<(&'r Report, &'r Report)>,
}

impl<'r> Common<'r> {
    /// Finds the cases that both compiled.
    #[must_use]
    pub fn new(ours: &'r Results, theirs: &'r Results) -> Self {
        let both = ours.reports.iter().zip(&theirs.reports);
        let compiled =
            both.filter(|(ours, theirs)| ours.compile == Compile::Ok && theirs.compile == Compile::Ok);
        Self { cases: compiled.collect() }
    }

    /// The number of cases.
    #[must_use]
    pub fn count(&self) -> usize {
        self.cases.len()
    }

    /// A figure of each case, of both engines.
    pub fn cases(&self, figure: impl Fn(&Report) -> Option<u64>) -> (Spread, Spread) {
        let pairs = self.cases.iter().filter_map(|(ours, theirs)| Some((figure(ours)?, figure(theirs)?)));
        spreads(pairs)
    }

    /// A figure of each token of the texts that both accepted, of both engines.
    pub fn tokens(&self, figure: impl Fn(&TestReport) -> &Vec<u64>) -> (Spread, Spread) {
        let tests = self.cases.iter().flat_map(|(ours, theirs)| ours.tests.iter().zip(&theirs.tests));
        let accepted = tests.filter(|(ours, theirs)| {
            ours.verdict == Verdict::Accepted
                && theirs.verdict == Verdict::Accepted
                && ours.tokens == theirs.tokens
        });
        let figure = &figure;
        spreads(accepted.flat_map(|(ours, theirs)| {
            figure(ours).iter().copied().zip(figure(theirs).iter().copied()).collect::<Vec<_>>()
        }))
    }
}

fn spreads(pairs: impl Iterator<Item = (u64, u64)>) -> (Spread, Spread) {
    let (ours, theirs): (Vec<u64>, Vec<u64>) = pairs.unzip();
    (Spread::new(ours), Spread::new(theirs))
}
