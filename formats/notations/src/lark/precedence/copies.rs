//! Writes the copies of a rule as rules.
//!
//! Input: the alternatives of a rule, and its copies. Output: the bodies of the rule and of its copies. Copies with the same alternatives
//! are united (Moore's partition refinement), and a copy that has all alternatives of another one uses that one: of `+` and `*` come the
//! three rules of the textbook.

use super::filter::Choice;
use super::gather::Alternative;
use gcc_grammar_ir::{Expr, NonterminalId, Symbol};
use rustc_hash::FxHashMap;

/// The classes of equal copies, found by Moore's partition refinement, each with its choices. The first class is that of the first copy.
fn united(copies: &[Vec<Choice>]) -> Vec<Vec<Choice>> {
    let mut classes = vec![0; copies.len()];
    let mut count = 1;
    loop {
        // Classes are numbered in the order of their first copies, so the numbers stay once no class is refined any more.
        let mut numbers: FxHashMap<Vec<Choice>, usize> = FxHashMap::default();
        let mut united: Vec<Vec<Choice>> = Vec::new();
        let mut refined = Vec::with_capacity(copies.len());
        for choices in copies {
            let in_classes = |operands: &[usize]| operands.iter().map(|&copy| classes[copy]).collect();
            let choices: Vec<Choice> =
                choices.iter().map(|(a, operands)| (*a, in_classes(operands))).collect();
            refined.push(*numbers.entry(choices).or_insert_with_key(|choices| {
                united.push(choices.clone());
                united.len() - 1
            }));
        }
        if united.len() == count {
            return united;
        }
        (count, classes) = (united.len(), refined);
    }
}

/// The bodies of the first copy, which is the rule itself, and of the copies that it reaches, which are numbered from `next` on.
pub(super) fn bodies(
    rule: NonterminalId,
    next: usize,
    alternatives: &[Alternative],
    copies: &[Vec<Choice>],
) -> Vec<Expr> {
    let classes = &united(copies);
    let mut order = vec![0];
    let mut bodies = Vec::new();
    while let Some(&class) = order.get(bodies.len()) {
        let mut symbol = |class: usize| {
            let place = order.iter().position(|&known| known == class).unwrap_or_else(|| {
                order.push(class);
                order.len() - 1
            });
            let id = if place == 0 { rule } else { NonterminalId::new(next + place - 1) };
            Expr::Symbol(Symbol::Nonterminal(id))
        };
        let within = largest_within(classes, class);
        let inherited = within.map_or(&[][..], |within| &classes[within]);
        let mut body = Vec::new();
        for (alternative, operands) in classes[class].iter().filter(|choice| !inherited.contains(choice)) {
            let alternative = &alternatives[*alternative];
            let mut elements = alternative.elements.clone();
            for (place, &class) in alternative.operands(rule).zip(operands) {
                elements[place] = symbol(class);
            }
            body.push(Expr::Sequence(elements));
        }
        body.extend(within.map(symbol));
        bodies.push(Expr::Choice(body));
    }
    bodies
}

/// The class with the most choices among those whose choices are a proper, non-empty part of this class's.
fn largest_within(classes: &[Vec<Choice>], class: usize) -> Option<usize> {
    let own = &classes[class];
    let is_within = |other: &usize| {
        let other = &classes[*other];
        let mut own = own.iter();
        !other.is_empty()
            && other.len() < own.len()
            && other.iter().all(|choice| own.any(|own| own == choice))
    };
    (0..classes.len()).filter(is_within).max_by_key(|&other| (classes[other].len(), std::cmp::Reverse(other)))
}
