//! A share of the lexer states, for which an automaton is built.

use crate::ids::LexState;

/// The lexer states whose number leaves a certain remainder.
#[derive(Clone, Copy)]
pub(super) struct Share {
    modulus: u32,
    remainder: u32,
}

impl Share {
    /// All lexer states.
    pub(super) const WHOLE: Self = Self { modulus: 1, remainder: 0 };
    /// Two shares that are together all lexer states.
    pub(super) const HALVES: [Self; 2] =
        [Self { modulus: 2, remainder: 0 }, Self { modulus: 2, remainder: 1 }];

    /// Whether `state` belongs to the share.
    pub(super) fn has(self, state: LexState) -> bool {
        state.0 % self.modulus == self.remainder
    }
}
