//! Divides lexer states into parts that are walked one by one.
//!
//! Under any split each terminal that a lexeme may be continues by itself, whatever the others do. So the walk of a
//! lexer state is made of the walks of its *parts*: for each terminal, the [language](Languages) that is left of it.
//! A language that fifty states have is walked once. Under longest match a lexer state is a single part.
//!
//! In: the lexer, and the automata of the terminals. Out: the automaton that is walked, and the parts of each lexer
//! state.

use super::languages::{LanguageKey, Languages};
use crate::csr::Csr;
use crate::ids::LexState;
use crate::lexer::{Lexer, Symbols, TerminalAutomaton};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashSet;

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
    /// The automaton that is walked; `None` if it is the lexer itself.
    automaton: Option<Lexer>,
    of_state: Csr<Part>,
    /// Per state of the walked automaton: the key of its language. None under longest match, or if no walks are kept.
    keys: Vec<LanguageKey>,
}

impl Parts {
    /// The parts, with the keys of their languages if these are `keyed`.
    pub(super) fn new(
        lexer: &Lexer,
        symbols: &Symbols,
        keyed: bool,
        divided: bool,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        budget.charge_bytes(lexer.states() as u64 * 12)?;
        let is_divided = divided && (keyed || !is_one_automaton(lexer, symbols));
        let Some(members) = lexer.members.as_ref().filter(|_| is_divided) else {
            let whole = |state| [Part { terminal: None, state: LexState::new(state) }];
            let of_state = (0..lexer.states()).map(whole).collect();
            return Ok(Self { automaton: None, of_state, keys: Vec::new() });
        };
        let mut used = vec![false; symbols.terminals.len()];
        members.items().iter().for_each(|member| used[member.automaton.index()] = true);
        let Languages { of, automaton, keys } = Languages::new(symbols, &used, keyed, budget)?;
        let parts = |state: usize| {
            members.row(state).iter().map(|member| Part {
                terminal: Some(member.terminal),
                state: of[member.automaton.index()][member.state as usize],
            })
        };
        Ok(Self { of_state: (0..members.rows()).map(parts).collect(), automaton: Some(automaton), keys })
    }

    /// The automaton that is walked.
    pub(super) fn walked<'l>(&'l self, lexer: &'l Lexer) -> &'l Lexer {
        self.automaton.as_ref().unwrap_or(lexer)
    }

    /// Per state of the walked automaton: the key of its language, if walks are kept.
    pub(super) fn keys(&self) -> &[LanguageKey] {
        &self.keys
    }

    /// The terminals of lexemes that can be in a state of the walked automaton, if that has languages.
    pub(super) fn terminals_at(&self, state: LexState) -> FxHashSet<TerminalId> {
        let parts = self.of_state.items().iter().filter(|part| part.state == state);
        parts.filter_map(|part| part.terminal).collect()
    }

    /// The parts of a state of the lexer; none of the dead state.
    pub(super) fn of(&self, state: LexState) -> &[Part] {
        if state == LexState::DEAD { &[] } else { self.of_state.row(state.index()) }
    }
}

/// Whether the lexer is the automaton of a single terminal, but for the end of text and a state for each context: then no two of its states have
/// a language in common.
fn is_one_automaton(lexer: &Lexer, symbols: &Symbols) -> bool {
    let largest = symbols.terminals.iter().map(TerminalAutomaton::states).max().unwrap_or_default();
    symbols.terminals.len() == 2 && lexer.states() <= largest + lexer.contexts + 1
}
