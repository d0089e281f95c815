//! Reads the text before a lexeme, for terminals that are recognized only behind certain texts, such as `/(?<!x)y/`.
//!
//! In: the automata of the texts that must come before. Out: their product over classes of symbols. It reads the whole text along with the lexer.
//! A special token counts as the beginning of the text.

use super::followed::Alphabet;
use crate::ids::SymbolClass;
use gcc_grammar_ir::{Preceded, TerminalId};
use gcc_grammar_limits::{Budget, OverBudget, Resource};
use rustc_hash::FxHashMap;

/// Estimated bytes of a state without its row.
const BYTES_PER_STATE: u64 = 96;

/// The product of the automata. State 0 is that at the beginning of the text.
#[derive(Debug)]
pub(super) struct History {
    /// The terminals that must be preceded by certain texts.
    terminals: Vec<TerminalId>,
    /// Number of classes of bytes, and of bytes and tokens.
    classes: [usize; 2],
    /// Per state and class of bytes, the next state.
    table: Vec<u32>,
    /// Per state and terminal, whether the terminal may begin.
    allowed: Vec<bool>,
}

impl History {
    pub(super) fn new(
        preceded: &[Preceded],
        alphabet: &Alphabet<'_>,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let terminals: Vec<TerminalId> = preceded.iter().map(|rule| rule.terminal).collect();
        let classes = [alphabet.bytes, alphabet.tokens];
        let mut history = Self { terminals, classes, table: Vec::new(), allowed: Vec::new() };
        if preceded.is_empty() {
            return Ok(history);
        }
        let mut states: Vec<Vec<Option<u32>>> = vec![vec![Some(0); preceded.len()]];
        let mut numbers = FxHashMap::from_iter([(states[0].clone(), 0)]);
        let mut at = 0;
        while at < states.len() {
            let cells = alphabet.members.len() + preceded.len();
            budget.check(Resource::LexerStates, states.len(), budget.limits().lexer_states)?;
            budget.charge_work((cells * preceded.len()) as u64)?;
            budget.charge_bytes(4 * cells as u64 + BYTES_PER_STATE)?;
            let state = states[at].clone();
            for &byte in alphabet.members {
                let next = |(rule, state): (&Preceded, &Option<u32>)| rule.before.next((*state)?, byte);
                let next: Vec<Option<u32>> = preceded.iter().zip(&state).map(next).collect();
                let fresh = states.len() as u32;
                let number = *numbers.entry(next.clone()).or_insert(fresh);
                if number == fresh {
                    states.push(next);
                }
                history.table.push(number);
            }
            let is_allowed = |(rule, state): (&Preceded, &Option<u32>)| {
                state.is_some_and(|state| rule.before.is_accepting(state))
            };
            history.allowed.extend(preceded.iter().zip(&state).map(is_allowed));
            at += 1;
        }
        Ok(history)
    }

    /// Whether nothing must come before any terminal.
    pub(super) fn is_empty(&self) -> bool {
        self.terminals.is_empty()
    }

    /// The state after one more symbol. The limit of a lexeme reads nothing.
    pub(super) fn next(&self, state: u32, class: SymbolClass) -> u32 {
        let [bytes, read] = self.classes;
        match class.index() {
            _ if self.terminals.is_empty() => 0,
            class if class < bytes => self.table[state as usize * bytes + class],
            class if class < read => 0,
            _ => state,
        }
    }

    /// Those of the terminals that may begin in a state.
    pub(super) fn allowed(&self, state: u32, terminals: &[TerminalId]) -> Vec<TerminalId> {
        let row = state as usize * self.terminals.len();
        let is_allowed = |terminal: &&TerminalId| {
            self.terminals
                .iter()
                .position(|one| one == *terminal)
                .is_none_or(|place| self.allowed[row + place])
        };
        terminals.iter().filter(is_allowed).copied().collect()
    }
}
