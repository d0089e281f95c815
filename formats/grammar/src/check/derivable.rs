//! Least fixpoints over rules: which rules derive a text, which derive the empty text, and which the start rule reaches.
//!
//! Productive and nullable rules are least sets: a rule is a member if its right part can be read using only symbols that
//! are allowed already, which are some terminals and the members found so far. [`least`](super::least) solves these
//! equations in linear time.

use super::least::least_set;
use super::symbols::for_each_symbol;
use crate::grammar::{Grammar, Pattern, Rule, Symbol, SymbolDfa};
use gcc_grammar_regular::Regex;

/// Per rule, whether it derives some text.
pub(super) fn productive(grammar: &Grammar) -> Vec<bool> {
    least_set(&grammar.rules, |terminal| !matches_nothing(&grammar.terminals[terminal.index()].pattern))
}

/// Per rule, whether it derives the empty text.
pub fn nullable(rules: &[Rule]) -> Vec<bool> {
    least_set(rules, |_| false)
}

/// Per rule, whether the start rule uses it, directly or indirectly.
pub(super) fn reachable(grammar: &Grammar) -> Vec<bool> {
    let mut reached = vec![false; grammar.rules.len()];
    let mut open = vec![grammar.start];
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut reached[id.index()], true) {
            continue;
        }
        for_each_symbol(&grammar.rules[id.index()].body, &mut |symbol| {
            if let Symbol::Nonterminal(used) = symbol {
                open.push(used);
            }
        });
    }
    reached
}

/// Whether the pattern is known to match nothing. Expressions that would have to be compiled to find out count as
/// matching something.
pub(super) fn matches_nothing(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Regex(regex) | Pattern::Marked(regex) | Pattern::Counted(regex, _) => match regex {
            Regex::Automaton(dfa) => dfa.is_empty(),
            Regex::Union(alternatives) => alternatives.is_empty(),
            _ => false,
        },
        Pattern::Limited(texts, _) | Pattern::WithRole(texts, _) => matches_nothing(texts),
        Pattern::Token(selectors) => selectors.is_empty(),
    }
}

/// Per state, whether it is reachable from `from` over allowed symbols.
pub(super) fn forward(automaton: &SymbolDfa, allowed: &impl Fn(Symbol) -> bool, from: Vec<u32>) -> Vec<bool> {
    let mut reached = vec![false; automaton.states.len()];
    let mut open = from;
    while let Some(state) = open.pop() {
        if !std::mem::replace(&mut reached[state as usize], true) {
            let transitions = automaton.states[state as usize].transitions.iter();
            open.extend(transitions.filter(|(symbol, _)| allowed(*symbol)).map(|&(_, target)| target));
        }
    }
    reached
}
