//! Rules of the parts that derive the same texts in the same way, such as those for any JSON value.
//!
//! Input: the rules of all parts, over the terminals of the host. Output: a number for each rule. Rules of different parts have the same
//! number if their bodies are equal up to rules with the same number. The rules of one part have different numbers, so its automata stay
//! deterministic.

use super::partition;
use gcc_grammar_ir::{Body, Expr, NonterminalId, Rule, Symbol};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

/// Numbers the rules of each part, in order of first occurrence. Bodies refer to rules by their places in the part. If not `shared`, all
/// rules have different numbers.
///
/// # Errors
/// The budget is spent.
pub(super) fn number_rules<'r>(
    parts: impl Iterator<Item = &'r [Rule]> + Clone,
    shared: bool,
    budget: &Budget,
) -> Result<Vec<Vec<NonterminalId>>, OverBudget> {
    let sizes = parts.clone().map(<[Rule]>::len);
    if !shared {
        let mut next = (0..).map(NonterminalId::new);
        return Ok(sizes.map(|size| next.by_ref().take(size).collect()).collect());
    }
    let mut classes = classes(parts, budget)?.into_iter();
    let mut numbers: FxHashMap<(usize, usize), NonterminalId> = FxHashMap::default();
    let number_part = |size| {
        let mut used: FxHashMap<usize, usize> = FxHashMap::default();
        let number = |class| {
            let used = used.entry(class).or_default();
            *used += 1;
            let next = NonterminalId::new(numbers.len());
            *numbers.entry((class, *used)).or_insert(next)
        };
        classes.by_ref().take(size).map(number).collect()
    };
    Ok(sizes.map(number_part).collect())
}

/// The class of each rule of all parts: rules of one class derive the same texts in the same way.
fn classes<'r>(parts: impl Iterator<Item = &'r [Rule]>, budget: &Budget) -> Result<Vec<usize>, OverBudget> {
    let (mut shapes, mut references) = (Vec::new(), Vec::new());
    for part in parts {
        let first = shapes.len();
        for rule in part {
            let mut shape = rule.body.clone();
            let mut referred = Vec::new();
            for_each_symbol(&mut shape, &mut |symbol| {
                if let Symbol::Nonterminal(id) = symbol {
                    referred.push(first + id.index());
                    *id = NonterminalId(0);
                }
            });
            shapes.push(shape);
            references.push(referred);
        }
    }
    partition::classes(shapes, &references, budget)
}

/// Calls `change` with every symbol of a body, in order. Different symbols must stay different, and in order.
pub(super) fn for_each_symbol(body: &mut Body, change: &mut impl FnMut(&mut Symbol)) {
    match body {
        Body::Expr(expr) => expr.replace(&mut |mut symbol| {
            change(&mut symbol);
            Some(Expr::Symbol(symbol))
        }),
        Body::Automaton(automaton) => {
            let transitions = automaton.states.iter_mut().flat_map(|state| &mut state.transitions);
            transitions.for_each(|(letter, _)| change(letter));
        }
    }
}
