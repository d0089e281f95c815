//! Transitions of the lexer that do not matter to tokens.
//!
//! A transition is *neutral* if tokens that end after it end like tokens that end before it, and no lexeme
//! can end on the way. Text that only takes neutral transitions, such as most text inside a string, need not
//! be walked.

use crate::ids::LexState;
use crate::lexer::Lexer;

/// Whether a transition from `state` to `to` is neutral.
///
/// Under any split a lexeme may end at every accepting state. Under longest match a lexeme that continues and
/// accepts again cannot have ended before.
pub(super) fn is_neutral(lexer: &Lexer, any_split: bool, state: LexState, to: LexState) -> bool {
    to != LexState::DEAD
        && lexer.pending[to.index()] == lexer.pending[state.index()]
        && (lexer.accepts(state).is_empty() || !any_split && !lexer.accepts(to).is_empty())
}
