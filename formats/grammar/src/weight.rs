//! The largest part of a grammar: the place that an error over a limit names.
//!
//! States and work come from the rules or from the terminals, by the stage that exceeds the limit. The weight of a rule is that of its
//! right part, which becomes productions and LR states; the weight of a terminal estimates the states of its automaton. Weights are
//! estimates from the grammar alone, so the error of an input is the same on every machine.

use crate::check::for_each_symbol;
use crate::diagnostic::{Diagnostic, Location};
use crate::grammar::{Body, Expr, Grammar, Pattern, Rule, Symbol};
use gcc_grammar_limits::{OverBudget, Resource};
use gcc_grammar_regular::Regex;

/// The error that a grammar exceeds a limit, located at its largest part.
#[must_use]
pub fn over_budget(over: OverBudget, grammar: &Grammar) -> Diagnostic {
    let heaviest = match over.stage {
        // The text that is read exceeds the limit.
        "trace" | "reading" => None,
        _ if is_about_terminals(&over) => heaviest_terminal(grammar),
        _ => heaviest_rule(grammar),
    };
    let diagnostic = Diagnostic::from(over);
    let Some((location, largest)) = heaviest else { return diagnostic };
    let help = diagnostic.help.clone().unwrap_or_default();
    diagnostic.at(location).help(format!("{largest}; {help}"))
}

/// Whether the states or the work of the error come from terminals, not from rules.
fn is_about_terminals(over: &OverBudget) -> bool {
    match over.resource {
        Resource::LrStates | Resource::DwaStates => false,
        Resource::Work | Resource::Bytes | Resource::Time => {
            ["terminals", "terminal", "lexer"].contains(&over.stage)
        }
        _ => true,
    }
}

/// The place of the heaviest rule that has one, and a sentence about it.
fn heaviest_rule(grammar: &Grammar) -> Option<(Location, String)> {
    let weights: Vec<u64> = grammar.rules.iter().map(weight_of_rule).collect();
    let with_place = (0..weights.len()).filter(|&rule| grammar.rules[rule].location.is_some());
    let rule = first_largest(with_place, |&rule| weights[rule])?;
    let share = percent(weights[rule], &weights);
    let Rule { name, location, .. } = &grammar.rules[rule];
    Some((location.clone()?, format!("the rule `{name}` here is {share} % of the grammar")))
}

/// The place of a rule that refers to the heaviest terminal, and a sentence about the terminal.
fn heaviest_terminal(grammar: &Grammar) -> Option<(Location, String)> {
    let weights: Vec<u64> =
        grammar.terminals.iter().map(|terminal| weight_of_pattern(&terminal.pattern)).collect();
    let mut places: Vec<Option<&Location>> = vec![None; weights.len()];
    for rule in &grammar.rules {
        for_each_symbol(&rule.body, &mut |symbol| match symbol {
            Symbol::Terminal(terminal) => {
                let place = &mut places[terminal.index()];
                *place = place.or(rule.location.as_ref());
            }
            Symbol::Nonterminal(_) => {}
        });
    }
    let with_place = (0..weights.len()).filter(|&terminal| places[terminal].is_some());
    let terminal = first_largest(with_place, |&terminal| weights[terminal])?;
    let share = percent(weights[terminal], &weights);
    let name = &grammar.terminals[terminal].name;
    Some((places[terminal]?.clone(), format!("the terminal {name} here is {share} % of all terminals")))
}

/// The first of the items with the largest weight.
fn first_largest(items: impl Iterator<Item = usize>, weight: impl Fn(&usize) -> u64) -> Option<usize> {
    items.min_by_key(|item| std::cmp::Reverse(weight(item)))
}

/// A part of all weights in per cent.
fn percent(part: u64, all: &[u64]) -> u64 {
    let all: u128 = all.iter().map(|&weight| u128::from(weight)).sum();
    (u128::from(part) * 100).checked_div(all).unwrap_or(0) as u64
}

/// The states and transitions of a right part. A repetition is written with a logarithm of its bound.
fn weight_of_rule(rule: &Rule) -> u64 {
    match &rule.body {
        Body::Automaton(automaton) => {
            automaton.states.iter().map(|state| 1 + state.transitions.len() as u64).sum()
        }
        Body::Expr(expr) => {
            let (mut weight, mut open) = (0u64, vec![(expr, 1u64)]);
            while let Some((expr, factor)) = open.pop() {
                weight = weight.saturating_add(factor);
                match expr {
                    Expr::Symbol(_) => {}
                    Expr::Sequence(parts) | Expr::Choice(parts) => {
                        open.extend(parts.iter().map(|part| (part, factor)));
                    }
                    Expr::Repeat { inner, min, max } => {
                        let bits = 1 + u64::from(max.unwrap_or(*min).max(1).ilog2());
                        open.push((inner, factor.saturating_mul(bits)));
                    }
                }
            }
            weight
        }
    }
}

/// An estimate of the states of an automaton: the bytes of a text, as often as it is repeated.
fn weight_of_pattern(pattern: &Pattern) -> u64 {
    let Some(regex) = pattern.regex() else { return 1 };
    let (mut weight, mut open) = (0u64, vec![(regex, 1u64)]);
    while let Some((regex, factor)) = open.pop() {
        let (own, factor) = match regex {
            Regex::Literal(text) => (text.len() as u64, factor),
            Regex::Automaton(dfa) => (dfa.state_count() as u64, factor),
            Regex::Repeat { min, max, .. } => (0, factor.saturating_mul(max.unwrap_or(*min).max(1).into())),
            _ => (1, factor),
        };
        weight = weight.saturating_add(own.saturating_mul(factor));
        open.extend(regex.children().iter().map(|child| (child, factor)));
    }
    weight
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{ContextRules, Discipline, Terminal};
    use crate::ids::{NonterminalId, TerminalId};
    use gcc_grammar_limits::{Budget, Limits};

    fn grammar() -> Grammar {
        let terminal = |name: &str, regex| Terminal {
            name: name.into(),
            pattern: Pattern::Regex(regex),
            priority: 0,
            literal: false,
        };
        let symbol = |index| Expr::Symbol(Symbol::Terminal(TerminalId::new(index)));
        let rule = |name: &str, body, place: Option<usize>| Rule {
            name: name.into(),
            body: Body::Expr(body),
            location: place.map(|at| Location::Span(at..at + 1)),
        };
        Grammar {
            terminals: vec![
                terminal("LONG", Regex::literal("ab").repeat(0, Some(1000))),
                terminal("SHORT", Regex::literal("abc")),
            ],
            rules: vec![
                rule("start", symbol(1), Some(1)),
                rule("wide", Expr::Choice(vec![symbol(1); 50]), Some(2)),
                rule("wider", Expr::Choice(vec![symbol(1); 90]), None),
                rule("counted", Expr::Repeat { inner: Box::new(symbol(0)), min: 0, max: Some(9) }, Some(3)),
            ],
            start: NonterminalId::new(0),
            ignored: Vec::new(),
            discipline: Discipline::AnySplit,
            contexts: ContextRules::default(),
        }
    }

    #[test]
    fn the_error_is_at_the_largest_part_of_what_the_limit_bounds() {
        let budget = Budget::new(Limits::default());
        let cases = [
            ("lr", Resource::LrStates, 2, "the rule `wide` here is 3", "--limit-lr-states"),
            ("parser", Resource::Bytes, 2, "the rule `wide` here is 3", "--limit-bytes"),
            ("masks", Resource::Work, 2, "the rule `wide` here is 3", "--limit-work"),
            ("lexer", Resource::Work, 3, "the terminal LONG here is 99 %", "--limit-work"),
            ("lexer", Resource::LexerStates, 3, "the terminal LONG here is 99 %", "--limit-lexer-states"),
            ("terminals", Resource::TerminalStates, 3, "the terminal LONG", "--limit-terminal-states"),
        ];
        for (stage, resource, place, largest, option) in cases {
            let error = over_budget(budget.stage(stage).over(resource, 7), &grammar());
            assert_eq!(error.location, Some(Location::Span(place..place + 1)), "{stage} {resource}");
            let help = error.help.expect("a remedy");
            assert!(help.starts_with(largest) && help.contains(option), "{help}");
        }
    }

    #[test]
    fn an_error_about_rules_without_a_place_has_none() {
        let mut grammar = grammar();
        grammar.rules.iter_mut().for_each(|rule| rule.location = None);
        let over = Budget::new(Limits::default()).stage("lr").over(Resource::LrStates, 7);
        assert_eq!(over_budget(over.clone(), &grammar), Diagnostic::from(over));
    }
}
