//! The lexer as the Terminal DWA asks for it: as tables, or made on demand.

use crate::ids::{ContextId, EndClass, LexState};
use crate::lexer::{IGNORED, Lexer, Member};
use gcc_grammar_limits::OverBudget;
use std::sync::Arc;

/// A lexer whose states are made on demand.
pub(crate) trait LexemeStates {
    /// The state in which a lexeme starts.
    fn start_in(&self, context: ContextId) -> Result<LexState, OverBudget>;

    /// The terminals that the lexeme may be in a state, each with a state of its automaton.
    fn members(&self, state: LexState) -> &[Member];
}

/// The lexer.
pub(crate) enum Lexemes<'a> {
    /// As tables.
    Whole(&'a Lexer),
    /// Made on demand, under any split.
    OnDemand(Arc<dyn LexemeStates + Send + Sync + 'a>),
}

impl Lexemes<'_> {
    /// The state in which the next lexeme starts, in a context, after a lexeme that ended so.
    pub(super) fn restart(&self, end: EndClass, context: ContextId) -> Result<LexState, OverBudget> {
        match self {
            Self::Whole(lexer) => Ok(lexer.restart(end, context)),
            Self::OnDemand(states) => states.start_in(context),
        }
    }

    /// Whether the lexeme can become an ignored one.
    pub(super) fn may_be_ignored(&self, state: LexState) -> bool {
        match self {
            Self::Whole(lexer) => lexer.pending(state).last() == Some(&IGNORED),
            Self::OnDemand(states) => {
                states.members(state).last().is_some_and(|last| last.terminal == IGNORED)
            }
        }
    }

    /// The terminals that the lexeme may be; none under longest match.
    pub(super) fn members(&self, state: LexState) -> &[Member] {
        match self {
            Self::Whole(lexer) => lexer.members.as_ref().map_or(&[], |members| members.row(state.index())),
            Self::OnDemand(states) => states.members(state),
        }
    }
}
