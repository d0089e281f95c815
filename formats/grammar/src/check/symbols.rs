//! Visits the symbols of a right part.

use crate::grammar::{Body, Expr, Symbol};

/// Calls `visit` with every occurrence of a symbol in a right part.
pub fn for_each_symbol(body: &Body, visit: &mut impl FnMut(Symbol)) {
    match body {
        Body::Expr(expr) => for_each_in_expr(expr, visit),
        Body::Automaton(automaton) => {
            automaton
                .states
                .iter()
                .flat_map(|state| &state.transitions)
                .for_each(|&(symbol, _)| visit(symbol));
        }
    }
}

/// Calls `visit` with every occurrence of a symbol in an expression.
pub fn for_each_in_expr(expr: &Expr, visit: &mut impl FnMut(Symbol)) {
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        match expr {
            Expr::Symbol(symbol) => visit(*symbol),
            Expr::Sequence(parts) | Expr::Choice(parts) => open.extend(parts),
            Expr::Repeat { inner, .. } => open.push(inner),
        }
    }
}
