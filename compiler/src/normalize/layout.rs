//! Turns every rule of a grammar into productions.
//!
//! In: a [`Grammar`], and which of its rules derive the empty string. Out: a [`Cfg`] whose productions are
//! not empty. Where a part of a rule may be empty, the alternatives without it are written out. The result is
//! not yet trimmed.

use super::automaton::lay_out_automaton;
use super::builder::Builder;
use super::cfg::Cfg;
use super::error::NormalizeError;
use super::expression::{Helpers, lay_out_expression};
use gcc_grammar_ir::{Body, Grammar, NonterminalId};
use gcc_grammar_limits::Budget;

/// Lays out all rules.
pub(super) fn lay_out(grammar: &Grammar, nullable: &[bool], budget: &Budget) -> Result<Cfg, NormalizeError> {
    let mut builder = Builder::new(grammar, nullable, budget);
    let mut helpers = Helpers::default();
    for (i, rule) in grammar.rules.iter().enumerate() {
        let lhs = NonterminalId::new(i);
        builder.begin(lhs);
        match &rule.body {
            Body::Expr(expr) => lay_out_expression(&mut builder, &mut helpers, lhs, &rule.name, expr)?,
            Body::Automaton(dfa) => lay_out_automaton(&mut builder, lhs, dfa)?,
        }
    }
    Ok(builder.finish(grammar)?)
}
