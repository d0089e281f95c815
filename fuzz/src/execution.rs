//! One execution: the input of a number, and what came of it.

use crate::Target;
use crate::corpus;
use gcc_grammar_tests::generate::Random;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The inputs of a target: a function from numbers to bytes.
#[derive(Debug)]
pub struct Inputs {
    target: &'static Target,
    pool: Vec<Vec<u8>>,
    seed: u64,
}

impl Inputs {
    /// The inputs of a seed.
    #[must_use]
    pub fn new(target: &'static Target, seed: u64) -> Self {
        Self { target, pool: corpus::pool(target), seed }
    }

    /// The input of a number: some mutations of one of the inputs to start from.
    #[must_use]
    pub fn input(&self, number: u64) -> Vec<u8> {
        let mut random = Random::new(Random::new(self.seed).draw() ^ number);
        let mut input = random.pick(&self.pool).clone();
        // Mostly few mutations: they stay near what is valid.
        let mutations = if random.chance(50) { 1 } else { random.between(2, 8) };
        for _ in 0..mutations {
            input = (self.target.mutate)(&mut random, &input, &self.pool);
        }
        input
    }
}

/// Checks an input. The error is the message of the property that does not hold.
pub fn execute(target: &Target, input: &[u8]) -> Result<(), String> {
    catch_unwind(AssertUnwindSafe(|| (target.check)(input))).map_err(|panic| message(&*panic))
}

/// The message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message").to_owned()
}
