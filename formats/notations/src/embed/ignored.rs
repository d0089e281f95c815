//! Makes the ignored terminals of a grammar explicit in its rules.
//!
//! Input: a grammar that ignores terminals, and the rules that stand for embedded parts. Output: a grammar of the same language that ignores
//! nothing: a new rule `%ignore` derives any number of ignored lexemes, and stands at the beginning and behind every terminal and part.

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
            Body::Expr(expr) => follow_by(expr, ignored, &follow),
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
    let lexemes: Vec<Symbol> = std::mem::take(&mut host.ignored).into_iter().map(Symbol::Terminal).collect();
    let lexemes = Box::new(choice(&lexemes));
    host.rules.push(rule("%ignore", Expr::Repeat { inner: lexemes, min: 0, max }));
    let start = [ignored, Symbol::Nonterminal(host.start)];
    host.start = NonterminalId::new(host.rules.len());
    host.rules.push(rule("%start", Expr::Sequence(start.map(Expr::Symbol).to_vec())));
    for symbol in wrappers {
        host.rules.push(rule("%lexeme", Expr::Sequence([symbol, ignored].map(Expr::Symbol).to_vec())));
    }
}

/// Puts a rule for any number of ignored lexemes before every terminal but the immediate ones, and at the end. Rules have expressions only.
pub(crate) fn ignore_before(grammar: &mut Grammar, immediate: &[TerminalId]) {
    let ignored = Symbol::Nonterminal(NonterminalId::new(grammar.rules.len()));
    for rule in &mut grammar.rules {
        if let Body::Expr(expr) = &mut rule.body {
            precede(expr, ignored, immediate);
        }
    }
    let lexemes: Vec<Symbol> =
        std::mem::take(&mut grammar.ignored).into_iter().map(Symbol::Terminal).collect();
    grammar
        .rules
        .push(rule("%ignore", Expr::Repeat { inner: Box::new(choice(&lexemes)), min: 0, max: None }));
    let start = [Symbol::Nonterminal(grammar.start), ignored];
    grammar.start = NonterminalId::new(grammar.rules.len());
    grammar.rules.push(rule("%start", Expr::Sequence(start.map(Expr::Symbol).to_vec())));
}

/// Puts `before` in front of every terminal that is not immediate.
fn precede(expr: &mut Expr, before: Symbol, immediate: &[TerminalId]) {
    match expr {
        &mut Expr::Symbol(symbol @ Symbol::Terminal(id)) if !immediate.contains(&id) => {
            *expr = Expr::Sequence([before, symbol].map(Expr::Symbol).to_vec());
        }
        Expr::Symbol(_) => {}
        Expr::Sequence(parts) | Expr::Choice(parts) => {
            parts.iter_mut().for_each(|part| precede(part, before, immediate));
        }
        Expr::Repeat { inner, .. } => precede(inner, before, immediate),
    }
}

/// Puts `follower` behind every symbol for which `follow` holds.
fn follow_by(expr: &mut Expr, follower: Symbol, follow: &impl Fn(Symbol) -> bool) {
    match expr {
        Expr::Symbol(symbol) if follow(*symbol) => {
            *expr = Expr::Sequence([*symbol, follower].map(Expr::Symbol).to_vec());
        }
        Expr::Symbol(_) => {}
        Expr::Sequence(parts) | Expr::Choice(parts) => {
            parts.iter_mut().for_each(|part| follow_by(part, follower, follow))
        }
        Expr::Repeat { inner, .. } => follow_by(inner, follower, follow),
    }
}

/// A rule that was not written by the author of a grammar.
fn rule(name: &str, expr: Expr) -> Rule {
    Rule { name: name.to_string(), body: Body::Expr(expr), location: None }
}

/// The choice of the symbols.
fn choice(symbols: &[Symbol]) -> Expr {
    match symbols {
        [only] => Expr::Symbol(*only),
        several => Expr::Choice(several.iter().copied().map(Expr::Symbol).collect()),
    }
}
