//! The strongly connected components of a grammar: maximal sets of rules that use each other, directly or not.
//!
//! Input: a grammar. Output: the components of the rules that the start rule reaches, in an order in which the rules that a component uses
//! come before it.

use gcc_grammar_ir::check::for_each_symbol;
use gcc_grammar_ir::{Grammar, NonterminalId, Rule, Symbol, components};

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
