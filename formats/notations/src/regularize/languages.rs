//! The regular languages of the terminals and rules of a grammar, as far as they are known.

use gcc_grammar_ir::check::for_each_symbol;
use gcc_grammar_ir::special::has_marks;
use gcc_grammar_ir::{Grammar, NonterminalId, Pattern, Rule, Symbol, components};
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

/// The components of the rules that the start rule reaches, each after the components that it uses.
pub(super) fn in_order_of_use(grammar: &Grammar) -> Vec<Vec<NonterminalId>> {
    from(grammar, [grammar.start])
}

/// The components of all rules, each after the components that it uses.
pub(super) fn all_in_order_of_use(grammar: &Grammar) -> Vec<Vec<NonterminalId>> {
    from(grammar, (0..grammar.rules.len()).map(NonterminalId::new))
}

/// The components of the rules that these rules reach.
fn from(grammar: &Grammar, roots: impl IntoIterator<Item = NonterminalId>) -> Vec<Vec<NonterminalId>> {
    let uses: Vec<Vec<u32>> = grammar.rules.iter().map(uses).collect();
    let roots = roots.into_iter().map(|root| root.0);
    let found = components(uses.len(), roots, |rule| &uses[rule as usize]);
    found.into_iter().map(|component| component.into_iter().map(NonterminalId).collect()).collect()
}

/// The rules that a rule uses, from the last to the first.
fn uses(rule: &Rule) -> Vec<u32> {
    let mut uses = Vec::new();
    for_each_symbol(&rule.body, &mut |symbol| {
        if let Symbol::Nonterminal(used) = symbol {
            uses.push(used.0);
        }
    });
    uses.reverse();
    uses
}
