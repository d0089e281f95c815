//! Transitions of the lexer that do not matter to tokens.
//!
//! A transition is *neutral* if tokens that end after it end like tokens that end before it, and no lexeme
//! can end on the way. Text that only takes neutral transitions, such as most text inside a string, need not
//! be walked.
//!
//! Free text may end anywhere. But where a lexeme ends, the next one begins, and few bytes begin one of those that may [follow](super::followers).
//! So the other bytes are neutral.

use super::followers::Followers;
use crate::ids::LexState;
use crate::lexer::Lexer;
use gcc_grammar_regular::ByteSet;
use gcc_grammar_vocabulary::symbols;

/// Whether a transition from `state` to `to` is neutral.
///
/// Under any split a lexeme may end at every accepting state. Under longest match a lexeme that continues and
/// accepts again cannot have ended before.
pub(super) fn is_neutral(lexer: &Lexer, any_split: bool, state: LexState, to: LexState) -> bool {
    keeps_pending(lexer, state, to)
        && (lexer.accepts(state).is_empty() || !any_split && !lexer.accepts(to).is_empty())
}

fn keeps_pending(lexer: &Lexer, state: LexState, to: LexState) -> bool {
    to != LexState::DEAD && lexer.pending[to.index()] == lexer.pending[state.index()]
}

/// The transitions that are neutral on the bytes that begin no lexeme.
pub(super) struct Neutral<'a> {
    lexer: &'a Lexer,
    any_split: bool,
    followers: &'a Followers,
}

impl<'a> Neutral<'a> {
    pub(super) fn new(lexer: &'a Lexer, any_split: bool, followers: &'a Followers) -> Self {
        Self { lexer, any_split, followers }
    }

    /// Whether a transition from `state` to `to` is neutral on all bytes but those that [begin](Self::begin) a lexeme.
    pub(super) fn is(&self, state: LexState, to: LexState) -> bool {
        is_neutral(self.lexer, self.any_split, state, to)
            || self.free_text(state).is_some() && keeps_pending(self.lexer, state, to)
    }

    /// The bytes that begin a lexeme behind one that ends in a state of free text. In other states, neutral transitions are neutral on all bytes.
    pub(super) fn begin(&self, state: LexState) -> ByteSet {
        self.free_text(state).unwrap_or_default()
    }

    /// The same, if it is a state of free text: where only bytes of ASCII begin a lexeme.
    fn free_text(&self, state: LexState) -> Option<ByteSet> {
        let begin = self.followers.begin(state)?;
        begin.is_subset(&symbols::ASCII).then_some(begin)
    }
}
