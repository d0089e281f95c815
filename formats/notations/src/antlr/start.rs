//! The start rule of a grammar for which none is named.
//!
//! A rule that derives whole texts ends in `EOF`, so the first rule that does is the start rule; if none does, the first rule is. A rule ends in `EOF`
//! if each of its alternatives does, or ends in a rule that ends in `EOF`. A rule that is nothing but `EOF` is the end of others.

use super::Loaded;
use super::ast::{Alternative, ElementKind, Rule};
use super::reach::Rules;
use crate::named_rules::no_start;
use crate::scanner::warning;
use gcc_grammar_ir::{Code, Diagnostic};
use rustc_hash::{FxHashMap, FxHashSet};

/// The name of the end of the text.
pub(super) const END: &str = "EOF";
/// The most rules that a warning names.
const MAX_NAMES: usize = 5;

/// The start rule, and a warning if another one may be meant.
pub(super) fn start_rule<'g>(
    loaded: &'g [Loaded],
    rules: &Rules<'g>,
    start: Option<&str>,
) -> Result<(&'g Rule, Option<Diagnostic>), Diagnostic> {
    match start {
        Some(name) => {
            let named = rules.get(name).filter(|rule| !rule.name.is_token());
            named.map(|rule| (rule, None)).ok_or_else(|| no_start(start, names_of_parser(loaded)))
        }
        None => {
            let first = of_parser(loaded).next().ok_or_else(|| no_start(start, names_of_parser(loaded)))?;
            let whole = ending(loaded, rules);
            let start = whole.first().copied().unwrap_or(first);
            Ok((start, doubt(loaded, first, &whole)))
        }
    }
}

fn of_parser(loaded: &[Loaded]) -> impl Iterator<Item = &Rule> {
    loaded.iter().flat_map(|file| &file.grammar.rules).filter(|rule| !rule.name.is_token())
}

fn names_of_parser(loaded: &[Loaded]) -> impl Iterator<Item = &str> {
    of_parser(loaded).map(|rule| rule.name.text.as_str())
}

/// The warning that the start rule is not the first rule, or that several rules end in `EOF`.
fn doubt(loaded: &[Loaded], first: &Rule, whole: &[&Rule]) -> Option<Diagnostic> {
    let start = *whole.first()?;
    let name = &start.name.text;
    let others: Vec<String> = whole[1..].iter().map(|rule| format!("`{}`", rule.name.text)).collect();
    let message = match others.len() {
        0 if std::ptr::eq(start, first) => return None,
        0 => format!("the start rule is `{name}`, the only rule that ends in EOF"),
        _ => {
            let more = if others.len() > MAX_NAMES { ", …" } else { "" };
            let others = &others[..others.len().min(MAX_NAMES)];
            format!(
                "the start rule is `{name}`, the first one that ends in EOF; so do {}{more}",
                others.join(", ")
            )
        }
    };
    let help = "name the start rule with --start if it is another one";
    let is_own = loaded[0].grammar.rules.iter().any(|rule| std::ptr::eq(rule, start));
    let place = if is_own { start.name.span.clone() } else { loaded[0].grammar.name.span.clone() };
    Some(warning(Code::StartRule, message, place).help(help))
}

/// The rules of the parser that end in `EOF` and are not only that, in their order.
fn ending<'g>(loaded: &'g [Loaded], rules: &Rules<'g>) -> Vec<&'g Rule> {
    let counts = |rule: &&Rule| rules.get(&rule.name.text).is_some_and(|known| std::ptr::eq(known, *rule));
    let all: Vec<&Rule> = of_parser(loaded).filter(counts).collect();
    let (ending, only) = (least(&all, last_names), least(&all, only_names));
    let is_whole = |rule: &Rule| {
        let name = rule.name.text.as_str();
        ending.contains(name) && !only.contains(name)
    };
    all.into_iter().filter(|rule| is_whole(rule)).collect()
}

/// The least set of rules that has each rule of which all these names are in the set or `EOF`.
fn least<'g>(all: &[&'g Rule], names: impl Fn(&'g Rule) -> Option<Vec<&'g str>>) -> FxHashSet<&'g str> {
    let (mut found, mut open) = (FxHashSet::default(), vec![END]);
    let mut missing: FxHashMap<&str, usize> = FxHashMap::default();
    let mut users: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
    for rule in all {
        let Some(names) = names(rule) else { continue };
        missing.insert(&rule.name.text, names.len());
        names.iter().for_each(|name| users.entry(name).or_default().push(&rule.name.text));
    }
    while let Some(name) = open.pop() {
        for user in users.remove(name).unwrap_or_default() {
            let Some(missing) = missing.get_mut(user) else { continue };
            *missing -= 1;
            if *missing == 0 {
                found.insert(user);
                open.push(user);
            }
        }
    }
    found
}

/// The names at the ends of the alternatives of a rule but its own; none if something else stands at one of them, or nothing but its own.
fn last_names(rule: &Rule) -> Option<Vec<&str>> {
    let mut names = Vec::new();
    let mut open: Vec<&Alternative> = rule.alternatives.iter().collect();
    while let Some(alternative) = open.pop() {
        match &alternative.elements.last()?.kind {
            ElementKind::Name(name) if *name == rule.name.text => {}
            ElementKind::Name(name) => names.push(name.as_str()),
            ElementKind::Group(alternatives) => open.extend(alternatives),
            _ => return None,
        }
    }
    (!names.is_empty()).then_some(names)
}

/// The names that are the alternatives of a rule; none if an alternative is something else.
pub(super) fn only_names(rule: &Rule) -> Option<Vec<&str>> {
    rule.alternatives.iter().map(|one| only_name(one)).collect()
}

pub(super) fn only_name(alternative: &Alternative) -> Option<&str> {
    match &alternative.only()?.kind {
        ElementKind::Name(name) => Some(name),
        _ => None,
    }
}
