//! Compares a subject with the oracle on random samples.
//!
//! In: seeds and a subject. Out: a [`Report`] of how much was compared, or [`Wrong`] with a sample that was made small and is
//! written as a case for the folder `cases`.

use crate::cases::{Case, Expectation, Expected, write_case};
use crate::compare::{Failure, Guide, Refusal, Step, Subject, Tally, compare};
use crate::generate::shrink::{Failing, shrink};
use crate::generate::{Sample, Walk};
use crate::oracle::Decoder;
use crate::subject::productions_of;
use gcc_grammar_ir::Code;
use std::fmt;

/// Walks per sample.
const WALKS: u64 = 4;
/// Steps per walk.
const STEPS: usize = 12;
/// Simplifications tried on a failure.
const ATTEMPTS: usize = 3_000;

/// The amount of work that was done on some samples.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Samples compared.
    pub samples: u64,
    /// Samples that exceeded a limit of the compiler, or for which there is no oracle.
    pub over_limit: u64,
    /// How much was compared.
    pub tally: Tally,
}

impl std::ops::AddAssign for Report {
    fn add_assign(&mut self, other: Self) {
        self.samples += other.samples;
        self.over_limit += other.over_limit;
        self.tally += other.tally;
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { masks, by_tokens, bits, allowed, overflows, exhausted } = self.tally;
        write!(f, "{} samples, {masks} masks, {bits} bits, {allowed} of them allowed; ", self.samples)?;
        write!(f, "{by_tokens} masks where tokens spell not every text; ")?;
        write!(
            f,
            "{} samples over a limit, {overflows} overflows, oracle gave up {exhausted} times",
            self.over_limit
        )
    }
}

/// A difference between the subject and the oracle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// The seed of the sample.
    pub seed: u64,
    /// The subject.
    pub subject: &'static str,
    /// The difference, on the small sample.
    pub message: String,
    /// The small sample as a case.
    pub case: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}, {}: {}", self.seed, self.subject, self.message)?;
        write!(f, "as a case:\n\n{}", self.case)
    }
}

/// Compares the subject with the oracle on the sample of a seed.
pub fn try_seed(seed: u64, subject: &dyn Subject) -> Result<Report, Box<Wrong>> {
    try_sample(seed, Sample::new(seed), subject)
}

/// The same on the sample whose tokens are made of whole letters.
pub fn try_units(seed: u64, subject: &dyn Subject) -> Result<Report, Box<Wrong>> {
    try_sample(seed, Sample::of_units(seed), subject)
}

/// The same on the sample under any split whose lexemes have limits on tokens.
pub fn try_limits(seed: u64, subject: &dyn Subject) -> Result<Report, Box<Wrong>> {
    try_sample(seed, Sample::with_limits(seed), subject)
}

/// The same on the sample under any split with terminals whose characters are counted.
pub fn try_counters(seed: u64, subject: &dyn Subject) -> Result<Report, Box<Wrong>> {
    try_sample(seed, Sample::with_counters(seed), subject)
}

/// The same on the sample in either discipline whose lexemes have limits on tokens.
pub fn try_limits_in_contexts(seed: u64, subject: &dyn Subject) -> Result<Report, Box<Wrong>> {
    try_sample(seed, Sample::with_limits_in_contexts(seed), subject)
}

/// Compares the subject with the oracle on a sample, on the walks of a seed.
pub fn try_sample(seed: u64, sample: Sample, subject: &dyn Subject) -> Result<Report, Box<Wrong>> {
    let mut walks: Vec<Walk> =
        (0..WALKS).map(|walk| Walk::new(seed.wrapping_mul(WALKS).wrapping_add(walk), STEPS)).collect();
    let mut guides: Vec<&mut dyn Guide> = Vec::new();
    for walk in &mut walks {
        guides.push(walk);
    }
    match try_walks(&sample, subject, &mut guides) {
        Outcome::Same(tally) => Ok(Report { samples: 1, over_limit: 0, tally }),
        Outcome::OverLimit => Ok(Report { samples: 1, over_limit: 1, tally: Tally::default() }),
        Outcome::Different(failure) => Err(make_small(seed, subject, sample, failure.walk)),
        Outcome::Refused(_) => Err(make_small(seed, subject, sample, Vec::new())),
    }
}

/// The outcome of the walks on a sample.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Outcome {
    Same(Tally),
    Different(Failure),
    /// The subject refused a sound grammar.
    Refused(Refusal),
    OverLimit,
}

fn try_walks(sample: &Sample, subject: &dyn Subject, guides: &mut [&mut dyn Guide]) -> Outcome {
    let mut outcome = None;
    let built = subject.build(&sample.grammar, &sample.vocabulary, &mut |built| {
        let mut oracle = built.oracle(&sample.grammar, &sample.vocabulary);
        let mut total = Tally::default();
        for guide in guides.iter_mut() {
            let (tally, failure) = compare(&mut oracle, built.engine, *guide);
            if let Some(failure) = failure {
                outcome = Some(Outcome::Different(failure));
                return;
            }
            total += tally;
            oracle.reset();
            built.engine.reset();
        }
        outcome = Some(Outcome::Same(total));
    });
    match (built, outcome) {
        (Err(refusal), _) if refusal.over_limit => Outcome::OverLimit,
        (Err(refusal), _) => match is_empty(sample, &refusal) {
            Some(true) => Outcome::Same(Tally::default()),
            Some(false) => Outcome::Refused(refusal),
            None => Outcome::Same(Tally { exhausted: 1, ..Tally::default() }),
        },
        (Ok(()), Some(outcome)) => outcome,
        (Ok(()), None) => unreachable!("a subject that builds lends its engine"),
    }
}

/// Whether the subject refused the grammar because no text is in its language, and the oracle says so, too; none if the oracle gave up.
fn is_empty(sample: &Sample, refusal: &Refusal) -> Option<bool> {
    if refusal.code != Code::EmptyLanguage.as_str() {
        return Some(false);
    }
    let cfg = productions_of(&sample.grammar, &sample.vocabulary);
    let mut oracle = Decoder::new(&sample.grammar, &sample.vocabulary, cfg);
    let is_empty = !oracle.is_viable();
    (!oracle.is_exhausted()).then_some(is_empty)
}

/// Shrinks a failure and describes it.
fn make_small(seed: u64, subject: &dyn Subject, sample: Sample, walk: Vec<Step>) -> Box<Wrong> {
    let refused = |outcome: &Outcome| matches!(outcome, Outcome::Refused(_));
    let first = replay(&Failing { sample: sample.clone(), walk: walk.clone() }, subject);
    let wrong_as_before = |failing: &Failing| {
        let outcome = replay(failing, subject);
        matches!(outcome, Outcome::Different(_) | Outcome::Refused(_)) && refused(&outcome) == refused(&first)
    };
    let small = shrink(Failing { sample, walk }, ATTEMPTS, wrong_as_before);
    let message = match replay(&small, subject) {
        Outcome::Different(failure) => failure.difference.to_string(),
        Outcome::Refused(refusal) => format!("refused: {}: {}", refusal.code, refusal.message),
        Outcome::Same(_) | Outcome::OverLimit => "nothing is wrong when tried again".to_owned(),
    };
    let name = format!("seed {seed}, {}", subject.name());
    let case = write_case(&as_case(name, &small, oracle(&small.sample, subject)));
    Box::new(Wrong { seed, subject: subject.name(), message, case })
}

fn replay(failing: &Failing, subject: &dyn Subject) -> Outcome {
    try_walks(&failing.sample, subject, &mut [&mut failing.walk.clone().into_iter()])
}

/// The oracle for the subject.
fn oracle(sample: &Sample, subject: &dyn Subject) -> Decoder {
    let Sample { grammar, vocabulary } = sample;
    let mut oracle = None;
    // There are no productions if the grammar is refused.
    drop(subject.build(grammar, vocabulary, &mut |built| oracle = Some(built.oracle(grammar, vocabulary))));
    oracle.unwrap_or_else(|| Decoder::new(grammar, vocabulary, None))
}

/// Writes the walk as a case, with the masks of the oracle.
fn as_case(name: String, failing: &Failing, mut oracle: Decoder) -> Case {
    let Failing { sample, walk } = failing;
    let mut steps = Vec::new();
    for then in walk.iter().copied().map(Some).chain([None]) {
        let allowed = (0..).zip(oracle.allowed()).filter(|(_, bit)| *bit).map(|(id, _)| id).collect();
        steps.push(Expectation { allowed, accepting: Some(oracle.accepts()), then });
        match then {
            Some(Step::Commit(token)) => drop(oracle.accept(token)),
            Some(Step::Rollback(tokens)) => drop(oracle.rollback(tokens)),
            None => {}
        }
    }
    Case { name, sample: sample.clone(), expected: Expected::Steps(steps) }
}
