//! Generates random walks: mostly allowed tokens, sometimes forbidden ones, and rollbacks.

use crate::compare::{Guide, Step};
use gcc_grammar_random::Random;

/// A random walk.
#[derive(Clone, Debug)]
pub struct Walk {
    random: Random,
    /// The number of steps that are left.
    left: usize,
}

impl Walk {
    /// A walk of at most `steps` steps.
    #[must_use]
    pub fn new(seed: u64, steps: usize) -> Self {
        Self { random: Random::new(seed), left: steps }
    }
}

impl Guide for Walk {
    fn next(&mut self, mask: &[bool], committed: usize) -> Option<Step> {
        self.left = self.left.checked_sub(1)?;
        let random = &mut self.random;
        if committed > 0 && random.chance(8) {
            return Some(Step::Rollback(random.between(0, committed.min(4))));
        }
        let want = !random.chance(8);
        let tokens: Vec<u32> = (0..).zip(mask).filter(|(_, bit)| **bit == want).map(|(id, _)| id).collect();
        if !tokens.is_empty() {
            return Some(Step::Commit(*random.pick(&tokens)));
        }
        (committed > 0).then(|| Step::Rollback(random.between(1, committed.min(3))))
    }
}
