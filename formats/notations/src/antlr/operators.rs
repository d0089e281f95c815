//! Rules of operators, which use themselves on the left and on the right.
//!
//! Input: the rules of all files. Output: the same languages. A rule such as `e : e '+' e | e '[' e ']' | '-' e | INT` is ambiguous: `1 + 2 + 3` has two
//! readings. With *operands*, a primary behind prefixes, and *tails*, a suffix or an infix with an operand, its language is an operand and any tails:
//!
//! ```text
//! e : operand | e '[' e ']' | e '+' operand        operand : INT | '-' operand
//! ```
//! An optional suffix behind a prefix, as in `'new' e arguments?`, is left out where it is a suffix of the rule itself.
//!
//! The rule derives these texts: an operand and tails from the left to the right, prefixes around what follows them. And what it derives has this form: both
//! sides of an infix have it, and so has their sequence. That holds for any prefixes, infixes, and suffixes, also if they use the rule themselves.

use super::Loaded;
use super::ast::{Alternative, Element, ElementKind, Name, Rule, with_inner};
use super::reach::Rules;
use gcc_grammar_limits::{Budget, OverBudget};

/// Estimated bytes of the copies of an element.
const BYTES_PER_ELEMENT: u64 = 400;

/// The work to compare elements with a suffix.
const WORK_PER_SUFFIX: u64 = 10;

/// Gives rules of operators operands.
pub(super) fn give_operands(loaded: &mut [Loaded], budget: &Budget) -> Result<(), OverBudget> {
    let all = Rules::new(loaded);
    let rules = loaded
        .iter()
        .enumerate()
        .flat_map(|(file, one)| one.grammar.rules.iter().enumerate().map(move |(at, rule)| (file, at, rule)));
    let rules = rules.filter(|(file, _, rule)| all.counts(*file, rule) && has_operators(rule));
    let mut made = Vec::new();
    for (file, at, rule) in rules {
        let elements = with_inner(rule.alternatives.iter().flat_map(|one| &one.elements));
        budget.charge_bytes(BYTES_PER_ELEMENT * elements.len() as u64)?;
        let rule = &without_suffixes(rule, budget)?;
        made.push((file, at, operands(rule), tails(rule)));
    }
    for (file, at, operands, tails) in made {
        let rules = &mut loaded[file].grammar.rules;
        rules[at] = tails;
        rules.push(operands);
    }
    Ok(())
}

/// The rule without optional suffixes that the rule has anyway: all that they add to `'new' e` is a part of `e`.
fn without_suffixes(rule: &Rule, budget: &Budget) -> Result<Rule, OverBudget> {
    let name = &rule.name.text;
    let suffixes: Vec<&[Element]> =
        rule.alternatives.iter().filter(|one| sides(one, name).0).map(|one| &one.elements[1..]).collect();
    let is_suffix = |elements: &[Element]| {
        budget.charge_work(WORK_PER_SUFFIX * suffixes.len() as u64)?;
        Ok(suffixes.contains(&elements))
    };
    let mut alternatives = rule.alternatives.clone();
    for Alternative { elements, .. } in &mut alternatives {
        if let [.., before, Element { kind: ElementKind::Repeat { inner, min: 0, max: Some(1), .. }, .. }] =
            &elements[..]
            && is_use(Some(before), name)
            && is_suffix(only_alternative(inner))?
        {
            elements.pop();
        }
    }
    Ok(of_name(rule.name.clone(), alternatives))
}

/// The elements in parentheses with one alternative; of another element, itself.
fn only_alternative(element: &Element) -> &[Element] {
    match &element.kind {
        ElementKind::Group(alternatives) if alternatives.len() == 1 => &alternatives[0].elements,
        _ => std::slice::from_ref(element),
    }
}

fn is_use(element: Option<&Element>, name: &str) -> bool {
    element.is_some_and(|element| matches!(&element.kind, ElementKind::Name(used) if used == name))
}

/// Whether an alternative begins with its rule, and whether it ends with it. One that is nothing but its rule adds nothing and counts as neither.
fn sides(alternative: &Alternative, name: &str) -> (bool, bool) {
    let elements = &alternative.elements;
    let is_more = elements.len() > 1;
    (is_more && is_use(elements.first(), name), is_more && is_use(elements.last(), name))
}

/// Whether a rule uses itself on both sides, so that it is ambiguous. One in which the text ends is left as it is.
fn has_operators(rule: &Rule) -> bool {
    let name = &rule.name.text;
    let sides = rule.alternatives.iter().map(|one| sides(one, name));
    let (left, right) = sides.fold((false, false), |all, one| (all.0 || one.0, all.1 || one.1));
    let has_end = || {
        with_inner(rule.alternatives.iter().flat_map(|one| &one.elements)).into_iter().any(Element::is_end)
    };
    !rule.name.is_token() && left && right && !has_end()
}

fn operand_name(rule: &Rule) -> String {
    format!("{}@operand", rule.name.text)
}

/// A use of the operands of a rule.
fn operand(rule: &Rule, at: &Element) -> Element {
    Element { kind: ElementKind::Name(operand_name(rule)), span: at.span.clone() }
}

/// The rule of operands: primaries, and prefixes before an operand.
fn operands(rule: &Rule) -> Rule {
    let is_operand = |one: &&Alternative| !sides(one, &rule.name.text).0 && !is_itself(one, rule);
    let alternatives = rule.alternatives.iter().filter(is_operand).map(|one| with_operand(one, rule));
    let name = Name { text: operand_name(rule), span: rule.name.span.clone() };
    of_name(name, alternatives.collect())
}

/// The rule itself: an operand, or the rule with a tail.
fn tails(rule: &Rule) -> Rule {
    let own = Element { kind: ElementKind::Name(operand_name(rule)), span: rule.name.span.clone() };
    let first = Alternative { elements: vec![own], ..Alternative::default() };
    let tails = rule.alternatives.iter().filter(|one| sides(one, &rule.name.text).0);
    let tails = tails.map(|one| with_operand(one, rule));
    of_name(rule.name.clone(), std::iter::once(first).chain(tails).collect())
}

/// Whether an alternative is nothing but its rule.
fn is_itself(alternative: &Alternative, rule: &Rule) -> bool {
    is_use(alternative.only(), &rule.name.text)
}

/// An alternative whose last element is an operand, if it was the rule.
fn with_operand(alternative: &Alternative, rule: &Rule) -> Alternative {
    let mut made = alternative.clone();
    if sides(alternative, &rule.name.text).1
        && let Some(last) = made.elements.last_mut()
    {
        *last = operand(rule, last);
    }
    made
}

fn of_name(name: Name, alternatives: Vec<Alternative>) -> Rule {
    Rule { name, is_fragment: false, mode: None, alternatives, begins_with_none_of: Vec::new() }
}
