//! Finds the rules that derive the empty string.
//!
//! In: the rules of a grammar, with expressions or automata as right parts. Out: a flag per rule, the least
//! fixpoint of "a right part has a word of nullable symbols only".

use gcc_grammar_ir::{Body, Expr, Grammar, Symbol, SymbolDfa};
use gcc_grammar_limits::{Budget, OverBudget};

/// Per rule of the grammar: whether it derives the empty string.
pub(super) fn nullable_rules(grammar: &Grammar, budget: &Budget) -> Result<Vec<bool>, OverBudget> {
    let mut nullable = vec![false; grammar.rules.len()];
    loop {
        let mut changed = false;
        for (i, rule) in grammar.rules.iter().enumerate() {
            if nullable[i] {
                continue;
            }
            budget.charge_work(1)?;
            let now = match &rule.body {
                Body::Expr(expr) => expr_is_nullable(expr, &nullable),
                Body::Automaton(dfa) => {
                    !null_closure(dfa, &nullable).iter().all(|&q| !dfa.states[q].accepting)
                }
            };
            nullable[i] = now;
            changed |= now;
        }
        if !changed {
            return Ok(nullable);
        }
    }
}

/// Whether `symbol` derives the empty string.
pub(super) fn symbol_is_nullable(symbol: Symbol, nullable: &[bool]) -> bool {
    match symbol {
        Symbol::Terminal(_) => false,
        Symbol::Nonterminal(n) => nullable[n.index()],
    }
}

fn expr_is_nullable(expr: &Expr, nullable: &[bool]) -> bool {
    match expr {
        Expr::Symbol(s) => symbol_is_nullable(*s, nullable),
        Expr::Sequence(parts) => parts.iter().all(|e| expr_is_nullable(e, nullable)),
        Expr::Choice(parts) => parts.iter().any(|e| expr_is_nullable(e, nullable)),
        Expr::Repeat { inner, min, .. } => *min == 0 || expr_is_nullable(inner, nullable),
    }
}

/// The states that are reachable from the start over nullable symbols alone; the start is the first of them.
pub(super) fn null_closure(dfa: &SymbolDfa, nullable: &[bool]) -> Vec<usize> {
    let mut seen = vec![false; dfa.states.len()];
    let mut order: Vec<usize> = if dfa.states.is_empty() { Vec::new() } else { vec![0] };
    let mut next = 0;
    while let Some(&q) = order.get(next) {
        next += 1;
        seen[q] = true;
        for &(symbol, to) in &dfa.states[q].transitions {
            let to = to as usize;
            if symbol_is_nullable(symbol, nullable) && !seen[to] {
                seen[to] = true;
                order.push(to);
            }
        }
    }
    order
}
