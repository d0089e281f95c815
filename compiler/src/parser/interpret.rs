//! Interprets a [`Dwa`]: the set of tokens that it allows for a lexer state and a stack. For tests.

use super::dwa::Dwa;
use crate::ids::{DwaState, LexState, LrState};
use crate::sets::Sets;
use std::collections::BTreeSet;

/// The ranks of all tokens that are allowed in lexer state `state` on `stack` (top last): the union of the
/// outputs along the stack, from the top until everything is decided.
#[must_use]
pub fn interpret(dwa: &Dwa, sets: &Sets, state: LexState, stack: &[LrState]) -> BTreeSet<u32> {
    let mut allowed = BTreeSet::new();
    let mut at = dwa.start[state.index()];
    for &symbol in stack.iter().rev() {
        if at == DwaState::STOP {
            break;
        }
        let Some(transition) = dwa.step(at, symbol) else { break };
        allowed.extend(sets.ranks(transition.output));
        at = transition.target;
    }
    allowed
}
