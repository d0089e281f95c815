//! What the reports of an engine come to.

use crate::protocol::{Compile, Report, TestReport, Verdict};
use gcc_grammar_benches::times::nearest_rank;

/// The reports of one engine, one per case; those of other engines have the same order.
pub struct Results {
    /// The engine.
    pub name: String,
    /// What became of the cases.
    pub reports: Vec<Report>,
}

/// Some values, sorted.
pub struct Spread(Vec<u64>);

impl Spread {
    /// In any order.
    #[must_use]
    pub fn new(values: impl IntoIterator<Item = u64>) -> Self {
        let mut values: Vec<u64> = values.into_iter().collect();
        values.sort_unstable();
        Self(values)
    }

    /// What so many per mille do not exceed; 1000 is the largest. None of no values.
    #[must_use]
    pub fn per_mille(&self, per_mille: usize) -> Option<u64> {
        nearest_rank(&self.0, per_mille)
    }

    /// All of them, ascending.
    #[must_use]
    pub fn values(&self) -> &[u64] {
        &self.0
    }
}

/// What an engine got wrong or gave up on.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// Cases it compiled.
    pub compiled: usize,
    /// Cases it did not.
    pub refused: usize,
    /// Cases with valid texts refused.
    pub valid_refused: Vec<String>,
    /// Cases with invalid texts accepted.
    pub invalid_accepted: Vec<String>,
    /// Cases with texts on which it gave up, or where mask and commit, or passes, disagree.
    pub broken: Vec<String>,
}

impl Results {
    /// Right and wrong answers.
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

    /// A figure of all cases that were compiled.
    pub fn compiled<'r>(&'r self, figure: impl Fn(&Report) -> Option<u64> + 'r) -> Spread {
        Spread::new(self.reports.iter().filter(|report| report.compile == Compile::Ok).filter_map(figure))
    }

    /// A figure per token of all texts.
    #[must_use]
    pub fn tokens(&self, figure: fn(&TestReport) -> &Vec<u64>) -> Spread {
        Spread::new(self.reports.iter().flat_map(|report| &report.tests).flat_map(figure).copied())
    }
}

fn is_broken(test: &TestReport) -> bool {
    test.verdict == Verdict::Broken || test.detail.contains("disagree")
}

/// Two engines on the cases that both compiled, and the texts that both accepted.
pub struct Common<'r> {
    cases: Vec<(&'r Report, &'r Report)>,
}

impl<'r> Common<'r> {
    /// What two engines have in common.
    #[must_use]
    pub fn new(ours: &'r Results, theirs: &'r Results) -> Self {
        let both = ours.reports.iter().zip(&theirs.reports);
        let compiled =
            both.filter(|(ours, theirs)| ours.compile == Compile::Ok && theirs.compile == Compile::Ok);
        Self { cases: compiled.collect() }
    }

    /// How many cases.
    #[must_use]
    pub fn count(&self) -> usize {
        self.cases.len()
    }

    /// A figure of each case: ours and theirs.
    pub fn cases(&self, figure: impl Fn(&Report) -> Option<u64>) -> (Spread, Spread) {
        let pairs = self.cases.iter().filter_map(|(ours, theirs)| Some((figure(ours)?, figure(theirs)?)));
        spreads(pairs)
    }

    /// A figure of each token of the texts that both accepted: ours and theirs.
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
