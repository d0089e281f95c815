//! The regular languages of the terminals and rules of a grammar, as far as they are known.

use gcc_grammar_ir::Symbol;
use gcc_grammar_regular::Dfa;
use std::sync::Arc;

/// Per terminal and per rule, its automaton if the symbol is known to be regular.
pub(super) struct Languages {
    pub(super) terminals: Vec<Option<Arc<Dfa>>>,
    pub(super) rules: Vec<Option<Arc<Dfa>>>,
}

impl Languages {
    /// The automaton of a symbol, if the symbol is regular.
    pub(super) fn get(&self, symbol: Symbol) -> Option<&Arc<Dfa>> {
        match symbol {
            Symbol::Terminal(id) => self.terminals[id.index()].as_ref(),
            Symbol::Nonterminal(id) => self.rules[id.index()].as_ref(),
        }
    }
}
