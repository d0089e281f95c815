//! The largest part of a grammar: the place that an error over a limit names.
//!
//! States and work come from the rules or from the terminals, by the stage that exceeds the limit. The weight of a rule is that of its
//! right part, which becomes productions and LR states; the weight of a terminal estimates the states of its automaton. Weights are
//! estimates from the grammar alone, so the error of an input is the same on every machine.

use crate::check::for_each_symbol;
use crate::diagnostic::{Diagnostic, Location};
use crate::grammar::{Body, Expr, Grammar, Pattern, Rule, Symbol, Terminal};
use crate::ids::TerminalId;
use gcc_grammar_limits::{OverBudget, Resource};
use gcc_grammar_regular::Regex;

/// From this part of all terminals on, in per cent, the largest one is named as the place.
const LEAST_SHARE: u64 = 5;

/// The error that a grammar exceeds a limit, located at its largest part.
#[must_use]
pub fn over_budget(over: OverBudget, grammar: &Grammar) -> Diagnostic {
    let heaviest = match over.stage {
        // The text that is read exceeds the limit.
        "trace" | "reading" => None,
        _ if is_about_terminals(&over) => heaviest_terminal(grammar),
        _ => heaviest_rule(grammar),
    };
    let mut diagnostic = Diagnostic::from(over);
    let Some(Heaviest { location, sentence }) = heaviest else { return diagnostic };
    let help = diagnostic.help.take().unwrap_or_default();
    diagnostic.location = location;
    diagnostic.help(format!("{sentence}; {help}"))
}

/// The largest part of a grammar: its place, if it has one, and a sentence about it.
struct Heaviest {
    location: Option<Location>,
    sentence: String,
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

/// The heaviest rule that has a place.
fn heaviest_rule(grammar: &Grammar) -> Option<Heaviest> {
    let weights: Vec<u64> = grammar.rules.iter().map(weight_of_rule).collect();
    let with_place = (0..weights.len()).filter(|&rule| grammar.rules[rule].location.is_some());
    let rule = first_largest(with_place, |&rule| weights[rule])?;
    let share = percent(weights[rule], &weights);
    let Rule { name, location, .. } = &grammar.rules[rule];
    let sentence = match share {
        ..LEAST_SHARE => format!(
            "the largest of the {} rules is `{name}` here, which is less than {LEAST_SHARE} % of the grammar",
            weights.len()
        ),
        _ => format!("the rule `{name}` here is {share} % of the grammar"),
    };
    Some(Heaviest { location: location.clone(), sentence })
}

/// The heaviest terminal, at a rule that refers to it. Ignored terminals have no place. Where many terminals are about as heavy, naming one of them
/// would mislead.
fn heaviest_terminal(grammar: &Grammar) -> Option<Heaviest> {
    let weights: Vec<u64> =
        grammar.terminals.iter().map(|terminal| weight_of_pattern(&terminal.pattern)).collect();
    let terminal = first_largest(0..weights.len(), |&terminal| weights[terminal])?;
    let location = place_of_terminal(grammar, TerminalId::new(terminal));
    let share = percent(weights[terminal], &weights);
    let Terminal { name, .. } = &grammar.terminals[terminal];
    let sentence = match share {
        ..LEAST_SHARE => format!(
            "the largest of the {} terminals is {name}, which is less than {LEAST_SHARE} % of them all",
            weights.len()
        ),
        _ if location.is_some() => format!("the terminal {name} here is {share} % of all terminals"),
        _ => format!("the terminal {name} is {share} % of all terminals"),
    };
    Some(Heaviest { location: location.or_else(|| place_of_start(grammar)), sentence })
}

/// The first rule with a place that refers to a terminal.
fn place_of_terminal(grammar: &Grammar, terminal: TerminalId) -> Option<Location> {
    let refers = |rule: &&Rule| {
        let mut found = false;
        for_each_symbol(&rule.body, &mut |symbol| found |= symbol == Symbol::Terminal(terminal));
        found
    };
    let mut rules = grammar.rules.iter().filter(|rule| rule.location.is_some());
    rules.find(refers).and_then(|rule| rule.location.clone())
}

/// The place of the start rule.
fn place_of_start(grammar: &Grammar) -> Option<Location> {
    grammar.rules.get(grammar.start.index())?.location.clone()
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
    use crate::grammar::{ContextRules, Discipline};
    use crate::ids::NonterminalId;
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

    /// A terminal that no rule with a place refers to, such as an ignored one, is named all the same.
    #[test]
    fn the_largest_terminal_is_named_without_a_place() {
        let mut grammar = grammar();
        grammar.terminals.push(Terminal {
            name: "SPACE".into(),
            pattern: Pattern::Regex(Regex::literal(" ").repeat(0, Some(100_000))),
            priority: 0,
            literal: false,
        });
        let over = || Budget::new(Limits::default()).stage("lexer").over(Resource::LexerStates, 7);
        let error = over_budget(over(), &grammar);
        assert_eq!(error.location, Some(Location::Span(1..2)));
        let help = error.help.expect("a remedy");
        assert!(help.starts_with("the terminal SPACE is 98 % of all terminals"), "{help}");
        grammar.terminals = vec![grammar.terminals[1].clone(); 30];
        let help = over_budget(over(), &grammar).help.expect("a remedy");
        assert!(
            help.starts_with("the largest of the 30 terminals is SHORT, which is less than 5 %"),
            "{help}"
        );
    }

    #[test]
    fn an_error_about_rules_without_a_place_has_none() {
        let mut grammar = grammar();
        grammar.rules.iter_mut().for_each(|rule| rule.location = None);
        let over = Budget::new(Limits::default()).stage("lr").over(Resource::LrStates, 7);
        assert_eq!(over_budget(over.clone(), &grammar), Diagnostic::from(over));
    }
}
