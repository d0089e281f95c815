//! The same walk on two engines, compared at every step.

use crate::oracle::{Cfg, Decoder};
use crate::Vocabulary;
use gcc_grammar_frontends::Grammar;
use std::fmt;

/// What came of committing a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The token was allowed; the state has moved on.
    Accepted,
    /// The token was not allowed; the state is as before.
    Refused,
    /// A limit of the engine was reached; the state is as before.
    Overflow,
}

/// Anything that decodes under a grammar.
pub trait Engine {
    /// By token id: whether the token may come next.
    fn mask(&mut self) -> Vec<bool>;
    /// Moves over a token if it is allowed.
    fn commit(&mut self, token: u32) -> Verdict;
    /// Takes back the last `tokens` commits; false if there were not so many.
    fn rollback(&mut self, tokens: usize) -> bool;
    /// Whether the text so far is in the language.
    fn is_accepting(&mut self) -> bool;
    /// Whether an end token was committed.
    fn is_terminated(&mut self) -> bool;
}

/// A configuration of the compiler and the runtime: what is under test.
pub trait Subject {
    /// For messages.
    fn name(&self) -> String;
    /// An engine for the grammar, or why there is none.
    fn build(&self, grammar: &Grammar, vocabulary: &Vocabulary) -> Result<Built, Refusal>;
}

/// What a [`Subject`] makes of a grammar.
pub struct Built {
    /// At the start of the text.
    pub engine: Box<dyn Engine>,
    /// The productions it was made from, which decide the lexical contexts under longest match.
    pub cfg: Option<Cfg>,
}

/// Why a grammar was not compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The diagnostic's code.
    pub code: String,
    /// The diagnostic's message.
    pub message: String,
    /// A limit was reached: nothing is wrong with the grammar.
    pub over_limit: bool,
}

/// One move of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Commit this token, allowed or not.
    Commit(u32),
    /// Take back so many tokens.
    Rollback(usize),
}

/// Chooses the moves of a walk.
pub trait Guide {
    /// The next move, given the mask and the number of tokens committed; `None` to stop.
    fn next(&mut self, mask: &[bool], committed: usize) -> Option<Step>;
}

/// A walk written down is a guide.
impl Guide for std::vec::IntoIter<Step> {
    fn next(&mut self, _mask: &[bool], _committed: usize) -> Option<Step> {
        Iterator::next(self)
    }
}

/// How much was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Masks compared.
    pub masks: u64,
    /// Bits of masks compared.
    pub bits: u64,
    /// Bits that were set in them.
    pub allowed: u64,
    /// Walks cut short because the engine reached a limit.
    pub overflows: u64,
    /// Walks cut short because the oracle gave up.
    pub exhausted: u64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.masks += other.masks;
        self.bits += other.bits;
        self.allowed += other.allowed;
        self.overflows += other.overflows;
        self.exhausted += other.exhausted;
    }
}

/// Where two engines differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// The masks do: tokens only the oracle allows, tokens only the engine allows.
    Mask {
        /// Allowed, but masked out.
        missing: Vec<u32>,
        /// Let through, but not allowed.
        surplus: Vec<u32>,
    },
    /// What came of a commit does.
    Commit {
        /// The token.
        token: u32,
        /// The oracle's verdict.
        expected: Verdict,
        /// The engine's verdict.
        found: Verdict,
    },
    /// Only one of them says that the text is complete.
    Accepting {
        /// The oracle says so.
        expected: bool,
    },
    /// Only one of them says that an end token was committed.
    Terminated {
        /// The oracle says so.
        expected: bool,
    },
    /// The engine's mask has a wrong number of bits.
    Width {
        /// The vocabulary's.
        expected: usize,
        /// The engine's.
        found: usize,
    },
    /// The engine refused to take back tokens that were committed.
    Rollback,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mask { missing, surplus } => write!(f, "mask: missing {missing:?}, surplus {surplus:?}"),
            Self::Commit { token, expected, found } => write!(f, "commit {token}: {found:?} instead of {expected:?}"),
            Self::Accepting { expected } => write!(f, "accepting: {} instead of {expected}", !expected),
            Self::Terminated { expected } => write!(f, "terminated: {} instead of {expected}", !expected),
            Self::Width { expected, found } => write!(f, "mask of {found} bits instead of {expected}"),
            Self::Rollback => write!(f, "rollback refused"),
        }
    }
}

/// A walk up to the first difference, which shows after its last step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The steps taken.
    pub walk: Vec<Step>,
    /// What is different now.
    pub difference: Difference,
}

/// Takes both engines along one walk, which ends when the guide stops, an engine gives up, or they differ.
pub fn compare(oracle: &mut Decoder, engine: &mut dyn Engine, guide: &mut dyn Guide) -> (Tally, Option<Failure>) {
    let mut tally = Tally::default();
    let mut walk = Vec::new();
    let mut committed = 0;
    loop {
        let mask = oracle.mask();
        if oracle.is_exhausted() {
            tally.exhausted += 1;
            return (tally, None);
        }
        if let Some(difference) = compare_states(oracle, &mask, engine) {
            return (tally, Some(Failure { walk, difference }));
        }
        tally.masks += 1;
        tally.bits += mask.len() as u64;
        tally.allowed += mask.iter().filter(|&&bit| bit).count() as u64;
        let Some(step) = guide.next(&mask, committed) else { return (tally, None) };
        walk.push(step);
        match take(oracle, engine, step) {
            Ok(Verdict::Overflow) => {
                tally.overflows += 1;
                return (tally, None);
            }
            Ok(verdict) => match step {
                Step::Commit(_) => committed += usize::from(verdict == Verdict::Accepted),
                Step::Rollback(tokens) => committed = committed.saturating_sub(tokens),
            },
            Err(difference) => return (tally, Some(Failure { walk, difference })),
        }
    }
}

/// Compares what can be asked without moving.
fn compare_states(oracle: &mut Decoder, mask: &[bool], engine: &mut dyn Engine) -> Option<Difference> {
    let found = engine.mask();
    if found.len() != mask.len() {
        return Some(Difference::Width { expected: mask.len(), found: found.len() });
    }
    let tokens = |this: &[bool], other: &[bool]| {
        let pairs = (0..).zip(this.iter().zip(other));
        pairs.filter(|(_, (this, other))| **this && !**other).map(|(id, _)| id).collect::<Vec<u32>>()
    };
    let (missing, surplus) = (tokens(mask, &found), tokens(&found, mask));
    if !missing.is_empty() || !surplus.is_empty() {
        return Some(Difference::Mask { missing, surplus });
    }
    let expected = oracle.is_accepting();
    if engine.is_accepting() != expected {
        return Some(Difference::Accepting { expected });
    }
    let expected = oracle.is_terminated();
    (engine.is_terminated() != expected).then_some(Difference::Terminated { expected })
}

/// Moves both; only an overflow of the engine excuses it from the oracle's verdict.
fn take(oracle: &mut Decoder, engine: &mut dyn Engine, step: Step) -> Result<Verdict, Difference> {
    match step {
        Step::Commit(token) => {
            let expected = oracle.commit(token);
            let found = engine.commit(token);
            if found == expected || found == Verdict::Overflow {
                Ok(found)
            } else {
                Err(Difference::Commit { token, expected, found })
            }
        }
        Step::Rollback(tokens) => {
            let expected = oracle.rollback(tokens);
            let same = engine.rollback(tokens) == expected;
            if same { Ok(Verdict::Accepted) } else { Err(Difference::Rollback) }
        }
    }
}
