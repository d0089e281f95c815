//! Rules whose texts are bounded by attributes.
//!
//! Input: a grammar under any split, and the bounds of some of its rules. Output: the grammar in which each of these rules is a terminal of
//! its bounded texts, and the rules whose only bound, on their tokens, cannot be kept. Bounds are taken of a language and not of a derivation, so the rule must be regular.

use super::allowance::Allowance;
use super::languages::in_order_of_use;
use super::terminal_languages;
use crate::bounds::Bounds;
use crate::grammar_builder::repeat;
use gcc_grammar_ir::check::for_each_symbol;
use gcc_grammar_ir::{Body, Expr, Grammar, NonterminalId, Pattern, Symbol, Terminal, TerminalId};
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Regex, RegularLimits};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Why the texts of a rule cannot be bounded.
pub(crate) enum Unbounded {
    /// The rule is not regular, as far as is known, or uses itself.
    NotRegular(NonterminalId),
    /// The automaton of the bounded texts is too large.
    TooLarge(NonterminalId, OverBudget),
}

/// Bounds the texts of these rules. Rules that the start rule does not reach are left as they are. Returns the rules whose tokens cannot be
/// limited.
pub(crate) fn bound(
    grammar: &mut Grammar,
    bounded: &[(NonterminalId, Bounds)],
    limits: &RegularLimits,
) -> Result<Vec<NonterminalId>, Unbounded> {
    let mut unlimited = Vec::new();
    let allowance = Allowance::new(limits);
    let mut known = terminal_languages(grammar, &allowance);
    let places: FxHashMap<_, _> = bounded.iter().rev().map(|&(rule, bounds)| (rule, bounds)).collect();
    for component in in_order_of_use(grammar) {
        let bounds = component.iter().find_map(|&rule| Some((rule, *places.get(&rule)?)));
        known.solve(grammar, &component, &allowance);
        let Some((rule, bounds)) = bounds else { continue };
        let body = known.rules[rule.index()].clone().filter(|_| !is_recursive(grammar, &component));
        let is_limited = bounds.max_tokens.is_some() && !bounds.lazy && body.is_some();
        if bounds.max_tokens.is_some() && !is_limited {
            unlimited.push(rule);
            if !bounds.has_texts() {
                continue;
            }
        }
        let body = Regex::Automaton(body.ok_or(Unbounded::NotRegular(rule))?);
        let dfa = bounds.apply(&body, None, limits).map_err(|error| Unbounded::TooLarge(rule, error))?;
        let dfa = Arc::new(dfa);
        let most = bounds.max_tokens.filter(|&most| most > 0 && is_limited);
        // Text that is limited is no part of a larger lexeme.
        known.rules[rule.index()] = most.is_none().then(|| Arc::clone(&dfa));
        match most {
            None => become_terminal(grammar, rule, Pattern::of(Regex::Automaton(dfa)), false),
            Some(most) => {
                let texts = dfa.without_empty(limits).map_err(|error| Unbounded::TooLarge(rule, error))?;
                let pattern = Pattern::limited(Regex::Automaton(Arc::new(texts)), most);
                become_terminal(grammar, rule, pattern, dfa.matches_empty());
            }
        }
    }
    Ok(unlimited)
}

/// Whether a rule of the component uses a rule of it.
fn is_recursive(grammar: &Grammar, component: &[NonterminalId]) -> bool {
    component.iter().any(|rule| {
        let mut found = false;
        for_each_symbol(&grammar.rules[rule.index()].body, &mut |symbol| {
            found |= matches!(symbol, Symbol::Nonterminal(used) if component.contains(&used));
        });
        found
    })
}

/// Replaces the body of a rule by a terminal of its own, which is `optional` if the text may be empty.
pub(super) fn become_terminal(grammar: &mut Grammar, rule: NonterminalId, pattern: Pattern, optional: bool) {
    let terminal = TerminalId::new(grammar.terminals.len());
    let rule = &mut grammar.rules[rule.index()];
    let name = rule.name.clone();
    grammar.terminals.push(Terminal { name, pattern, priority: 0, literal: false });
    let symbol = Expr::Symbol(Symbol::Terminal(terminal));
    rule.body = Body::Expr(if optional { repeat(symbol, 0, Some(1)) } else { symbol });
}
