//! Finds ids without a definition. Front ends that resolve names never make them; programs that build grammars may.

use super::symbols::for_each_symbol;
use crate::diagnostic::{Code, Diagnostic};
use crate::grammar::{Body, Grammar, Rule, Symbol, SymbolDfa};

/// An error for every use of a terminal, nonterminal or state that does not exist.
pub(super) fn undefined_ids(grammar: &Grammar) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    if grammar.start.index() >= grammar.rules.len() {
        errors.push(undefined("nonterminal", grammar.start.index(), None));
    }
    let after = grammar.contexts.after.iter().flat_map(|after| after.lexemes.iter().chain([&after.terminal]));
    let outside_of_rules = grammar.ignored.iter().chain(&grammar.contexts.everywhere).chain(after);
    let outside_of_rules =
        outside_of_rules.chain(&grammar.contexts.verbatim).chain(&grammar.contexts.together);
    let languages = grammar.contexts.languages.iter();
    let languages = languages
        .flat_map(|language| language.terminals.iter().chain(&language.everywhere).chain(&language.ignored));
    let modes = grammar.contexts.modes.iter().flat_map(|mode| mode.terminals.iter().chain(&mode.behind));
    let outside_of_rules = outside_of_rules.chain(&grammar.contexts.lazy).chain(languages).chain(modes);
    let followed = grammar.contexts.followed.iter().map(|followed| &followed.terminal);
    let preceded = grammar.contexts.preceded.iter().map(|preceded| &preceded.terminal);
    let outside_of_rules = outside_of_rules.chain(followed).chain(preceded);
    let missing = outside_of_rules.filter(|terminal| terminal.index() >= grammar.terminals.len());
    errors.extend(missing.map(|terminal| undefined("terminal", terminal.index(), None)));
    for rule in &grammar.rules {
        for_each_symbol(&rule.body, &mut |symbol| match symbol {
            Symbol::Terminal(id) if id.index() >= grammar.terminals.len() => {
                errors.push(undefined("terminal", id.index(), Some(rule)));
            }
            Symbol::Nonterminal(id) if id.index() >= grammar.rules.len() => {
                errors.push(undefined("nonterminal", id.index(), Some(rule)));
            }
            _ => {}
        });
        if let Body::Automaton(automaton) = &rule.body {
            errors.extend(undefined_states(automaton).map(|state| undefined("state", state, Some(rule))));
        }
    }
    errors
}

/// The targets of transitions that are not states, and the start if there are no states.
fn undefined_states(automaton: &SymbolDfa) -> impl Iterator<Item = usize> {
    let states = automaton.states.len();
    let targets = automaton.states.iter().flat_map(|state| &state.transitions);
    let missing = targets.map(|&(_, target)| target as usize).filter(move |&target| target >= states);
    missing.chain((states == 0).then_some(0))
}

fn undefined(kind: &str, index: usize, rule: Option<&Rule>) -> Diagnostic {
    let place = rule.map_or(String::new(), |rule| format!(" in the rule `{}`", rule.name));
    let message = format!("{kind} {index} is used{place} but does not exist");
    Diagnostic::error(Code::UndefinedSymbol, message).at_optional(rule.and_then(|rule| rule.location.clone()))
}
