//! Rules that are differences of two other rules.
//!
//! Input: a grammar under any split, and rules with the two rules that they are differences of, which they name. Output: the grammar in which each
//! of these rules is a terminal, and the rules for which this is not possible, because the others are not known to be regular or use them.

use super::allowance::Allowance;
use super::bounded::become_terminal;
use super::languages::{all_in_order_of_use, in_order_of_use};
use super::terminal_languages;
use gcc_grammar_ir::{Grammar, NonterminalId, Pattern, TerminalId};
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Regex, RegularLimits};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Makes the rules terminals of the texts that the first one of their rules has and the second one has not.
pub(crate) fn subtract(
    grammar: &mut Grammar,
    differences: &[(NonterminalId, NonterminalId, NonterminalId)],
    limits: &RegularLimits,
) -> Result<Vec<NonterminalId>, OverBudget> {
    let mut irregular = Vec::new();
    if differences.is_empty() {
        return Ok(irregular);
    }
    let allowance = Allowance::new(limits);
    let mut known = terminal_languages(grammar, &allowance);
    let places: FxHashMap<_, _> = differences.iter().map(|one| (one.0, one)).collect();
    for component in in_order_of_use(grammar) {
        let mut difference = component.iter().filter_map(|rule| places.get(rule));
        let Some(&&(rule, kept, left_out)) = difference.next() else {
            known.solve(grammar, &component, &allowance);
            continue;
        };
        let parts = (known.rules[kept.index()].as_ref(), known.rules[left_out.index()].as_ref());
        let (1, (Some(kept), Some(left_out))) = (component.len(), parts) else {
            irregular.extend(component.iter().filter(|rule| places.contains_key(rule)));
            continue;
        };
        let texts = kept.difference(left_out, limits)?;
        let some = Arc::new(texts.without_empty(limits)?);
        let pattern = Pattern::of(Regex::Automaton(some));
        become_terminal(grammar, rule, pattern, texts.matches_empty());
        known.rules[rule.index()] = Some(Arc::new(texts));
    }
    Ok(irregular)
}

/// Makes rules terminals of their texts. Returns the terminal of each; none of rules that are not known to be regular.
pub(crate) fn terminals(
    grammar: &mut Grammar,
    rules: &[NonterminalId],
    limits: &RegularLimits,
) -> Result<Vec<Option<TerminalId>>, OverBudget> {
    let allowance = Allowance::new(limits);
    let mut known = terminal_languages(grammar, &allowance);
    for component in all_in_order_of_use(grammar) {
        known.solve(grammar, &component, &allowance);
    }
    let mut made = Vec::new();
    for &rule in rules {
        let Some(texts) = known.rules[rule.index()].clone() else {
            made.push(None);
            continue;
        };
        made.push(Some(TerminalId::new(grammar.terminals.len())));
        let some = Arc::new(texts.without_empty(limits)?);
        become_terminal(grammar, rule, Pattern::of(Regex::Automaton(some)), texts.matches_empty());
    }
    Ok(made)
}
