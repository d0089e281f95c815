//! Takes an engine and the oracle along the same walk, and compares them at every step.
//!
//! In: the oracle, an engine, and a [`Guide`] that chooses the steps. Out: a [`Tally`] of what was compared, and the first
//! [`Failure`]. Compared are the mask, whether the text may end, whether it has ended, and the outcome of every commit and
//! rollback; at the end of the walk also the bytes that every continuation starts with.

use crate::Vocabulary;
use crate::engine::{Engine, Overflow};
use crate::oracle::{Cfg, Decoder};
use gcc_grammar_ir::Grammar;
use std::fmt;

/// The number of forced bytes that are compared at most.
const FORCED: usize = 4;

/// Something to be tested: a way to compile grammars and to decode with them.
pub trait Subject {
    /// The name in messages.
    fn name(&self) -> &'static str;
    /// Compiles the grammar and lends the engine to `body`, or returns the reason why the grammar is refused.
    fn build(
        &self,
        grammar: &Grammar,
        vocabulary: &Vocabulary,
        body: &mut dyn FnMut(Built<'_>),
    ) -> Result<(), Refusal>;
}

/// The engine that a [`Subject`] makes of a grammar.
pub struct Built<'e> {
    /// The engine, at the start of the text.
    pub engine: &'e mut dyn Engine,
    /// The productions of the parser. Under longest match the lexical contexts depend on them.
    pub cfg: Option<Cfg>,
    /// Whether it is certified that tokens can complete every text, where limits on tokens may end lexemes early. If not, bytes can.
    pub is_certified: bool,
}

impl Built<'_> {
    /// The oracle for the engine.
    #[must_use]
    pub fn oracle(&self, grammar: &Grammar, vocabulary: &Vocabulary) -> Decoder {
        if self.is_certified {
            Decoder::new(grammar, vocabulary, self.cfg.clone())
        } else {
            Decoder::by_bytes(grammar, vocabulary, self.cfg.clone())
        }
    }
}

/// The reason why a grammar was not compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The diagnostic's code.
    pub code: String,
    /// The diagnostic's message.
    pub message: String,
    /// Whether a limit was reached. Then the grammar may be right.
    pub over_limit: bool,
}

/// One move of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Commit this token, allowed or not.
    Commit(u32),
    /// Take back this number of tokens.
    Rollback(usize),
}

/// Chooses the moves of a walk.
pub trait Guide {
    /// The next move, given the mask and the number of tokens committed; `None` to stop.
    fn next(&mut self, mask: &[bool], committed: usize) -> Option<Step>;
}

/// A list of steps is a guide.
impl Guide for std::vec::IntoIter<Step> {
    fn next(&mut self, _mask: &[bool], _committed: usize) -> Option<Step> {
        Iterator::next(self)
    }
}

/// The amount of data that was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Masks compared.
    pub masks: u64,
    /// Masks among them where not every text is a sequence of tokens.
    pub by_tokens: u64,
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
        self.by_tokens += other.by_tokens;
        self.bits += other.bits;
        self.allowed += other.allowed;
        self.overflows += other.overflows;
        self.exhausted += other.exhausted;
    }
}

/// A difference between an engine and the oracle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// The masks differ.
    Mask {
        /// The tokens that only the oracle allows.
        missing: Vec<u32>,
        /// The tokens that only the engine allows.
        surplus: Vec<u32>,
    },
    /// Only one of them accepted a token.
    Commit {
        /// The token.
        token: u32,
        /// Whether the oracle accepted it.
        expected: bool,
    },
    /// Only one of them says that the text may end.
    Accepting {
        /// Whether the oracle says so.
        expected: bool,
    },
    /// Only one of them says that an end token was committed.
    Terminated {
        /// Whether the oracle says so.
        expected: bool,
    },
    /// The engine's mask has a wrong number of bits.
    Width {
        /// The width of the vocabulary.
        expected: usize,
        /// The result of the engine.
        found: usize,
    },
    /// The engine refused to take back tokens that were committed.
    Rollback,
    /// The forced bytes differ.
    Forced {
        /// The result of the oracle.
        expected: Vec<u8>,
        /// The result of the engine.
        found: Vec<u8>,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mask { missing, surplus } => write!(f, "mask: missing {missing:?}, surplus {surplus:?}"),
            Self::Commit { token, expected } => {
                write!(f, "commit {token}: {} instead of {expected}", !expected)
            }
            Self::Accepting { expected } => write!(f, "accepting: {} instead of {expected}", !expected),
            Self::Terminated { expected } => write!(f, "terminated: {} instead of {expected}", !expected),
            Self::Width { expected, found } => write!(f, "mask of {found} bits instead of {expected}"),
            Self::Rollback => write!(f, "rollback refused"),
            Self::Forced { expected, found } => write!(f, "forced: {found:?} instead of {expected:?}"),
        }
    }
}

/// A walk up to the first difference, which shows after its last step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The steps taken.
    pub walk: Vec<Step>,
    /// The difference after the last step.
    pub difference: Difference,
}

/// The reason why a walk ended early.
enum Stop {
    /// The engine reached a limit.
    Overflow,
    /// The oracle gave up.
    Exhausted,
    /// The engine and the oracle differ.
    Difference(Difference),
}

impl From<Overflow> for Stop {
    fn from(_: Overflow) -> Self {
        Self::Overflow
    }
}

/// Takes both engines along one walk, which ends when the guide stops, an engine gives up, or they differ.
pub fn compare(
    oracle: &mut Decoder,
    engine: &mut dyn Engine,
    guide: &mut dyn Guide,
) -> (Tally, Option<Failure>) {
    let mut pair = Pair { oracle, engine, tally: Tally::default(), walk: Vec::new() };
    match pair.go(guide) {
        Ok(()) => {}
        Err(Stop::Overflow) => pair.tally.overflows += 1,
        Err(Stop::Exhausted) => pair.tally.exhausted += 1,
        Err(Stop::Difference(difference)) => {
            return (pair.tally, Some(Failure { walk: pair.walk, difference }));
        }
    }
    (pair.tally, None)
}

/// The engine and the oracle on their walk.
struct Pair<'a> {
    oracle: &'a mut Decoder,
    engine: &'a mut dyn Engine,
    tally: Tally,
    walk: Vec<Step>,
}

impl Pair<'_> {
    fn go(&mut self, guide: &mut dyn Guide) -> Result<(), Stop> {
        let mut committed = 0;
        loop {
            let mask = self.compare_masks()?;
            self.compare_flags()?;
            let Some(step) = guide.next(&mask, committed) else { return self.compare_forced() };
            self.walk.push(step);
            match step {
                Step::Commit(token) => committed += usize::from(self.commit(token)?),
                Step::Rollback(tokens) => {
                    if self.engine.rollback(tokens) != self.oracle.rollback(tokens) {
                        return Err(Stop::Difference(Difference::Rollback));
                    }
                    committed = committed.saturating_sub(tokens);
                }
            }
        }
    }

    fn compare_masks(&mut self) -> Result<Vec<bool>, Stop> {
        let expected = self.oracle.allowed();
        self.check_oracle()?;
        let found = self.engine.mask()?;
        if found.len() != expected.len() {
            let width = Difference::Width { expected: expected.len(), found: found.len() };
            return Err(Stop::Difference(width));
        }
        let tokens = |this: &[bool], other: &[bool]| {
            let pairs = (0..).zip(this.iter().zip(other));
            pairs.filter(|(_, (this, other))| **this && !**other).map(|(id, _)| id).collect::<Vec<u32>>()
        };
        let (missing, surplus) = (tokens(&expected, &found), tokens(&found, &expected));
        if !missing.is_empty() || !surplus.is_empty() {
            return Err(Stop::Difference(Difference::Mask { missing, surplus }));
        }
        self.tally.masks += 1;
        self.tally.by_tokens += u64::from(self.oracle.is_by_tokens());
        self.tally.bits += found.len() as u64;
        self.tally.allowed += found.iter().filter(|&&bit| bit).count() as u64;
        Ok(expected)
    }

    fn compare_flags(&mut self) -> Result<(), Stop> {
        let expected = self.oracle.accepts();
        if self.engine.is_accepting()? != expected {
            return Err(Stop::Difference(Difference::Accepting { expected }));
        }
        let expected = self.oracle.is_terminated();
        if self.engine.is_terminated() != expected {
            return Err(Stop::Difference(Difference::Terminated { expected }));
        }
        Ok(())
    }

    fn commit(&mut self, token: u32) -> Result<bool, Stop> {
        let expected = self.oracle.accept(token);
        self.check_oracle()?;
        if self.engine.commit(token)? != expected {
            return Err(Stop::Difference(Difference::Commit { token, expected }));
        }
        Ok(expected)
    }

    /// Forced bytes are slow to find for the oracle, so they are compared at the end of a walk only. Where tokens spell not every text, the
    /// engine may know fewer of them.
    fn compare_forced(&mut self) -> Result<(), Stop> {
        if self.oracle.counts_tokens() {
            return self.check_forced();
        }
        let expected = self.oracle.forced(FORCED);
        self.check_oracle()?;
        let found = self.engine.forced(FORCED)?;
        if expected != found && !(self.oracle.is_by_tokens() && expected.starts_with(&found)) {
            return Err(Stop::Difference(Difference::Forced { expected, found }));
        }
        Ok(())
    }

    /// With limits on tokens, the engine may know fewer bytes, too.
    fn check_forced(&mut self) -> Result<(), Stop> {
        let found = self.engine.forced(FORCED)?;
        let is_forced = self.oracle.is_forced(&found);
        self.check_oracle()?;
        if is_forced {
            Ok(())
        } else {
            Err(Stop::Difference(Difference::Forced { expected: Vec::new(), found }))
        }
    }

    fn check_oracle(&self) -> Result<(), Stop> {
        if self.oracle.is_exhausted() { Err(Stop::Exhausted) } else { Ok(()) }
    }
}
