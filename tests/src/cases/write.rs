//! Writes cases as TOML. Failures are reported in this form, so that they can be kept.

use super::case::{Case, Expectation, Expected};
use super::notation::{quote, write_bytes, write_expr, write_regex};
use crate::compare::Step;
use crate::{Token, Vocabulary};
use gcc_grammar_ir::{
    After, Body, Discipline, Grammar, ListRole, Pattern, Role, Symbol, SymbolDfa, Terminal, TerminalId,
    TokenSelector,
};
use gcc_grammar_regular::{Dfa, Regex};
use std::fmt::Write;
use std::sync::Arc;

/// Writes a case in the notation that [`read_cases`](super::read_cases) reads.
#[must_use]
pub fn write_case(case: &Case) -> String {
    let mut out = String::new();
    line(&mut out, "[[case]]");
    line(&mut out, &format!("name = {}", quote(&case.name)));
    write_grammar(&mut out, &case.sample.grammar, &case.expected);
    write_vocabulary(&mut out, &case.sample.vocabulary);
    if let Expected::Steps(steps) = &case.expected {
        steps.iter().for_each(|step| write_step(&mut out, step, &case.sample.vocabulary));
    }
    out
}

fn line(out: &mut String, text: &str) {
    writeln!(out, "{text}").expect("writing to a string");
}

fn write_grammar(out: &mut String, grammar: &Grammar, expected: &Expected) {
    let discipline = match grammar.discipline {
        Discipline::AnySplit => "any-split",
        Discipline::LongestMatch => "longest-match",
    };
    line(out, &format!("discipline = {}", quote(discipline)));
    let name = |symbol: Symbol| match symbol {
        Symbol::Terminal(id) => grammar.terminals[id.index()].name.clone(),
        Symbol::Nonterminal(id) => grammar.rules[id.index()].name.clone(),
    };
    let listed = |ids: &[TerminalId]| joined(ids.iter().map(|&id| quote(&name(Symbol::Terminal(id)))));
    if !grammar.ignored.is_empty() {
        line(out, &format!("ignored = [{}]", listed(&grammar.ignored)));
    }
    if !grammar.contexts.everywhere.is_empty() {
        line(out, &format!("everywhere = [{}]", listed(&grammar.contexts.everywhere)));
    }
    for After { terminal, lexemes } in &grammar.contexts.after {
        line(out, &format!("after.{} = [{}]", name(Symbol::Terminal(*terminal)), listed(lexemes)));
    }
    if !grammar.contexts.verbatim.is_empty() {
        line(out, &format!("verbatim = [{}]", listed(&grammar.contexts.verbatim)));
    }
    if !grammar.contexts.together.is_empty() {
        line(out, &format!("together = [{}]", listed(&grammar.contexts.together)));
    }
    if !grammar.contexts.lazy.is_empty() {
        line(out, &format!("lazy = [{}]", listed(&grammar.contexts.lazy)));
    }
    if !grammar.contexts.languages.is_empty() {
        let languages = grammar.contexts.languages.iter().map(|language| {
            let (terminals, everywhere) = (listed(&language.terminals), listed(&language.everywhere));
            let ignored = listed(&language.ignored);
            format!("{{ terminals = [{terminals}], everywhere = [{everywhere}], ignored = [{ignored}] }}")
        });
        line(out, &format!("languages = [{}]", joined(languages)));
    }
    if !grammar.contexts.modes.is_empty() {
        let modes = grammar.contexts.modes.iter().map(|mode| {
            format!("{{ terminals = [{}], behind = [{}] }}", listed(&mode.terminals), listed(&mode.behind))
        });
        line(out, &format!("modes = [{}]", joined(modes)));
    }
    line(out, &format!("start = {}", quote(&name(Symbol::Nonterminal(grammar.start)))));
    if let Expected::Error(code) = expected {
        line(out, &format!("error = {}", quote(code)));
    }
    line(out, "[case.terminals]");
    for terminal in &grammar.terminals {
        line(out, &format!("{} = {}", terminal.name, terminal_value(terminal)));
    }
    line(out, "[case.rules]");
    for rule in &grammar.rules {
        let body = match &rule.body {
            Body::Expr(expr) => write_expr(expr, &name),
            Body::Automaton(automaton) => automaton_value(automaton, &name),
        };
        line(out, &format!("{} = {body}", rule.name));
    }
}

fn selector_value(selector: &TokenSelector) -> String {
    match selector {
        TokenSelector::Name(name) => quote(name),
        TokenSelector::Ids(low, high) => format!("[{low}, {high}]"),
        TokenSelector::AnyBut(except) => format!("{{ any-but = [{}] }}", selectors_value(except)),
        TokenSelector::SpecialBut(except) => format!("{{ special-but = [{}] }}", selectors_value(except)),
        TokenSelector::TextsBut(texts, except) => {
            format!("{{ texts-but = [{}], texts = {} }}", selectors_value(except), language_value(texts))
        }
        TokenSelector::Matching(names) => format!("{{ matching = {} }}", language_value(names)),
        TokenSelector::Spelled(texts) => format!("{{ spelled = {} }}", language_value(texts)),
    }
}

fn selectors_value(selectors: &[TokenSelector]) -> String {
    joined(selectors.iter().map(selector_value))
}

fn language_value(language: &Arc<Dfa>) -> String {
    write_regex(&Regex::Automaton(Arc::clone(language)))
}

fn terminal_value(terminal: &Terminal) -> String {
    let priority =
        if terminal.priority == 0 { String::new() } else { format!(", priority = {}", terminal.priority) };
    match &terminal.pattern {
        Pattern::Token(selectors) => {
            let selectors = joined(selectors.iter().map(selector_value));
            format!("{{ tokens = [{selectors}]{priority} }}")
        }
        Pattern::Limited(texts, most) => {
            let (key, regex) = match &**texts {
                Pattern::Marked(regex) => ("marked", regex),
                texts => (if terminal.literal { "literal" } else { "regex" }, texts.regex().expect("texts")),
            };
            format!("{{ {key} = {}, max-tokens = {most}{priority} }}", write_regex(regex))
        }
        Pattern::Counted(regex, most) => {
            format!("{{ regex = {}, max-characters = {most}{priority} }}", write_regex(regex))
        }
        Pattern::WithRole(texts, Role::List(role)) => {
            let role = if *role == ListRole::Item { "item" } else { "between" };
            format!(
                "{{ regex = {}, list = \"{role}\"{priority} }}",
                write_regex(texts.regex().expect("texts"))
            )
        }
        Pattern::WithRole(..) => {
            unreachable!("no case has keys or texts that are remembered")
        }
        Pattern::Marked(regex) => format!("{{ marked = {}{priority} }}", write_regex(regex)),
        Pattern::Regex(regex) => {
            let value = write_regex(regex);
            let text = matches!(regex, Regex::Literal(_)) && value.starts_with(['"', '\'']);
            match (terminal.literal, terminal.priority) {
                (literal, 0) if literal == text => value,
                (true, _) => format!("{{ literal = {value}{priority} }}"),
                (false, _) => format!("{{ regex = {value}{priority} }}"),
            }
        }
    }
}

fn automaton_value(automaton: &SymbolDfa, name: &impl Fn(Symbol) -> String) -> String {
    let states = automaton.states.iter().map(|state| {
        let steps = state.transitions.iter().map(|&(symbol, target)| format!("{} = {target}", name(symbol)));
        format!("{{ accepting = {}, steps = {{ {} }} }}", state.accepting, joined(steps))
    });
    format!("{{ states = [{}] }}", joined(states))
}

fn write_vocabulary(out: &mut String, vocabulary: &Vocabulary) {
    line(out, "[case.vocabulary]");
    let tokens = vocabulary.tokens.iter().map(|token| match token {
        Token::Text(bytes) => write_bytes(bytes),
        Token::Special(name) => format!("{{ special = {} }}", quote(name)),
        Token::Hole => "{ hole = true }".to_owned(),
    });
    line(out, &format!("tokens = [{}]", joined(tokens)));
    if !vocabulary.end.is_empty() {
        line(out, &format!("end = {:?}", vocabulary.end));
    }
    if vocabulary.padding > 0 {
        line(out, &format!("padding = {}", vocabulary.padding));
    }
}

fn write_step(out: &mut String, step: &Expectation, vocabulary: &Vocabulary) {
    line(out, "[[case.steps]]");
    let allowed = step.allowed.iter().map(|&id| token_value(id, vocabulary));
    line(out, &format!("allowed = [{}]", joined(allowed)));
    if let Some(accepting) = step.accepting {
        line(out, &format!("accepting = {accepting}"));
    }
    match step.then {
        None => {}
        Some(Step::Commit(id)) => {
            line(out, &format!("then = {{ commit = {} }}", token_value(id, vocabulary)))
        }
        Some(Step::Rollback(tokens)) => line(out, &format!("then = {{ rollback = {tokens} }}")),
    }
}

/// Writes a token: its text or name if no other token has it, otherwise its id.
fn token_value(id: u32, vocabulary: &Vocabulary) -> String {
    let text = |token: &Token| match token {
        Token::Text(bytes) => String::from_utf8(bytes.clone()).ok(),
        Token::Special(name) => Some(name.clone()),
        Token::Hole => None,
    };
    let this = vocabulary.tokens.get(id as usize).and_then(text);
    let same = vocabulary.tokens.iter().filter(|token| text(token) == this).count();
    match this {
        Some(this) if same == 1 => quote(&this),
        _ => id.to_string(),
    }
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}
