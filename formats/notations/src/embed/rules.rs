//! Constructors of the rules that embedding adds.

use gcc_grammar_ir::{Body, Expr, Rule, Symbol};

/// A rule that was not written by the author of a grammar.
pub(super) fn rule(name: &str, expr: Expr) -> Rule {
    Rule { name: name.to_string(), body: Body::Expr(expr), location: None }
}

/// The choice of the symbols.
pub(super) fn choice(pieces: &[Symbol]) -> Expr {
    match pieces {
        [only] => Expr::Symbol(*only),
        several => Expr::Choice(several.iter().copied().map(Expr::Symbol).collect()),
    }
}
