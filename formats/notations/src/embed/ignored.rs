//! Makes the ignored terminals of a grammar explicit in its rules.
//!
//! Input: a grammar that ignores terminals, and the rules that stand for embedded parts. Output: a grammar of the same language that ignores
//! nothing: a new rule `%ignore` derives any number of ignored lexemes, and stands at the beginning and behind every terminal and part.

use crate::grammar_builder::{choice, repeat};
use gcc_grammar_ir::{Body, Expr, Grammar, NonterminalId, Rule, Symbol, TerminalId};

/// Puts a rule for any number of ignored lexemes, or at most `max`, at the beginning, and behind every terminal and every place. (The rule
/// `%ignore`, the new start rule `%start`, and one rule `%lexeme` for each letter of an automaton that is followed by it.)
pub(crate) fn make_ignored_explicit(host: &mut Grammar, places: &[NonterminalId], max: Option<u32>) {
    let ignored = Symbol::Nonterminal(NonterminalId::new(host.rules.len()));
    let follow = |symbol: Symbol| match symbol {
        Symbol::Terminal(_) => true,
        Symbol::Nonterminal(id) => places.contains(&id),
    };
    let mut wrappers = Vec::new();
    let first_wrapper = host.rules.len() + 2;
    for rule in &mut host.rules {
        match &mut rule.body {
            Body::Expr(expr) => {
                expr.replace(&mut |symbol| follow(symbol).then(|| pair([symbol, ignored])));
            }
            Body::Automaton(automaton) => {
                for (symbol, _) in automaton.states.iter_mut().flat_map(|state| &mut state.transitions) {
                    if follow(*symbol) {
                        let id = NonterminalId::new(first_wrapper + wrappers.len());
                        wrappers.push(std::mem::replace(symbol, Symbol::Nonterminal(id)));
                    }
                }
                automaton.states.iter_mut().for_each(|state| state.transitions.sort_unstable());
            }
        }
    }
    add_rules(host, max, [ignored, Symbol::Nonterminal(host.start)]);
    for symbol in wrappers {
        host.rules.push(rule("%lexeme", pair([symbol, ignored])));
    }
}

/// Puts a rule for any number of ignored lexemes before every terminal but the immediate ones, and at the end. Rules have expressions only.
pub(crate) fn ignore_before(grammar: &mut Grammar, immediate: &[TerminalId]) {
    let ignored = Symbol::Nonterminal(NonterminalId::new(grammar.rules.len()));
    for rule in &mut grammar.rules {
        if let Body::Expr(expr) = &mut rule.body {
            expr.replace(&mut |symbol| match symbol {
                Symbol::Terminal(id) if !immediate.contains(&id) => Some(pair([ignored, symbol])),
                _ => None,
            });
        }
    }
    add_rules(grammar, None, [Symbol::Nonterminal(grammar.start), ignored]);
}

/// Adds the rule for any number of ignored lexemes, or at most `max`, and the new start rule.
fn add_rules(grammar: &mut Grammar, max: Option<u32>, start: [Symbol; 2]) {
    let lexemes = std::mem::take(&mut grammar.ignored).into_iter();
    let lexemes = choice(lexemes.map(|id| Expr::Symbol(Symbol::Terminal(id))).collect());
    grammar.rules.push(rule("%ignore", repeat(lexemes, 0, max)));
    grammar.start = NonterminalId::new(grammar.rules.len());
    grammar.rules.push(rule("%start", pair(start)));
}

fn pair(symbols: [Symbol; 2]) -> Expr {
    Expr::Sequence(symbols.map(Expr::Symbol).to_vec())
}

fn rule(name: &str, expr: Expr) -> Rule {
    Rule { name: name.to_string(), body: Body::Expr(expr), location: None }
}
