//! The regular languages of the terminals and rules of a grammar, as far as they are known.

use gcc_grammar_ir::special::has_marks;
use gcc_grammar_ir::{Grammar, Pattern, Symbol};
use gcc_grammar_regular::{Dfa, Regex};
use std::sync::Arc;

/// Per terminal and per rule, its automaton if the symbol is known to be regular. Literals have none: there may be very many.
pub(super) struct Languages {
    pub(super) terminals: Vec<Option<Arc<Dfa>>>,
    pub(super) rules: Vec<Option<Arc<Dfa>>>,
}

impl Languages {
    /// The expression of a symbol, if the symbol is regular.
    pub(super) fn regex(&self, grammar: &Grammar, symbol: Symbol) -> Option<Regex> {
        if let Symbol::Terminal(id) = symbol
            && let Pattern::Regex(literal @ Regex::Literal(_)) = &grammar.terminals[id.index()].pattern
            && !has_marks(literal)
        {
            return Some(literal.clone());
        }
        self.get(symbol).map(|dfa| Regex::Automaton(Arc::clone(dfa)))
    }

    /// The automaton of a symbol, if it is known.
    fn get(&self, symbol: Symbol) -> Option<&Arc<Dfa>> {
        match symbol {
            Symbol::Terminal(id) => self.terminals[id.index()].as_ref(),
            Symbol::Nonterminal(id) => self.rules[id.index()].as_ref(),
        }
    }
}
