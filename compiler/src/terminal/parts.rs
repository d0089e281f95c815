//! Divides lexer states into parts that are walked one by one.
//!
//! Under any split each terminal that a lexeme may be continues by itself, whatever the others do. So the walk of a
//! lexer state is made of the walks of its *parts*: for each terminal, the [language](Languages) that is left of it.
//! A language that fifty states have is walked once. Under longest match a lexer state is a single part.
//!
//! In: the members of lexer states, and the automata of the terminals. Out: the automaton that is walked, and the parts of each lexer
//! state.

use super::languages::{LanguageKey, Languages};
use crate::ids::LexState;
use crate::lexer::{Lexer, Member, Symbols};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};

/// A part of a lexer state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// The terminal of its lexemes; `None` if the walked automaton says which they are.
    pub(super) terminal: Option<TerminalId>,
    /// The state of the walked automaton.
    pub(super) state: LexState,
}

/// The parts of lexer states.
pub(super) struct Parts {
    /// None if lexer states are not divided, and the automaton that is walked is the lexer itself.
    languages: Option<Languages>,
}

impl Parts {
    /// The parts, with the keys of their languages if these are `keyed`.
    pub(super) fn new(
        members: Option<&[Member]>,
        symbols: &Symbols,
        keyed: bool,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let Some(members) = members else { return Ok(Self { languages: None }) };
        let mut used = vec![false; symbols.terminals.len()];
        members.iter().for_each(|member| used[member.automaton.index()] = true);
        Ok(Self { languages: Some(Languages::new(symbols, &used, keyed, budget)?) })
    }

    /// The automaton that is walked.
    pub(super) fn walked<'l>(&'l self, lexer: &'l Lexer) -> &'l Lexer {
        self.languages.as_ref().map_or(lexer, |languages| &languages.automaton)
    }

    /// The key of the language of a state of the walked automaton, if walks are kept.
    pub(super) fn key(&self, state: LexState) -> Option<LanguageKey> {
        self.languages.as_ref()?.key(state)
    }

    /// The state of the walked automaton for a member; `None` if lexer states are not divided.
    pub(super) fn walked_from(&self, member: &Member) -> Option<LexState> {
        Some(self.languages.as_ref()?.of[member.automaton.index()][member.state as usize])
    }

    /// The parts of a state of the lexer with these members; none of the dead state.
    pub(super) fn of(&self, state: LexState, members: &[Member]) -> Vec<Part> {
        let part = |member: &Member| {
            Some(Part { terminal: Some(member.terminal), state: self.walked_from(member)? })
        };
        match self.languages {
            Some(_) => members.iter().filter_map(part).collect(),
            None if state == LexState::DEAD => Vec::new(),
            None => vec![Part { terminal: None, state }],
        }
    }
}
