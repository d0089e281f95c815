//! Finds rules that derive themselves and nothing else (`A ⇒⁺ A`): such a derivation can be repeated without end.
//!
//! The *units* of a rule are the nonterminals that its right part can derive alone, when everything around them becomes
//! empty. A rule is cyclic if it lies on a cycle of the graph of units.

use super::derivable::{forward, nullable};
use crate::diagnostic::{Code, Diagnostic};
use crate::grammar::{Body, Expr, Grammar, Symbol, SymbolDfa};
use crate::ids::NonterminalId;

/// A warning for every cycle found: it adds no text.
pub(super) fn cyclic_rules(grammar: &Grammar) -> Vec<Diagnostic> {
    let nullable = nullable(&grammar.rules);
    let units: Vec<Vec<NonterminalId>> =
        grammar.rules.iter().map(|rule| units(&rule.body, &nullable)).collect();
    cycles(&units).into_iter().map(|cycle| cyclic_rule(grammar, &cycle)).collect()
}

fn cyclic_rule(grammar: &Grammar, cycle: &[NonterminalId]) -> Diagnostic {
    let rule = &grammar.rules[cycle[0].index()];
    let name = |id: &NonterminalId| format!("`{}`", grammar.rules[id.index()].name);
    let more = (cycle.len() > MAX_NAMES).then(|| format!("… ({} more)", cycle.len() - MAX_NAMES));
    let names = cycle.iter().take(MAX_NAMES).map(name).chain(more).chain([name(&cycle[0])]);
    let message = format!(
        "the rule `{}` derives itself and nothing else: {}",
        rule.name,
        names.collect::<Vec<_>>().join(" → ")
    );
    let help = "this adds no text; remove the alternative that leads back, or make what surrounds it match something";
    Diagnostic::warning(Code::CyclicRule, message).help(help).at_optional(rule.location.clone())
}

/// The units of a right part, sorted.
fn units(body: &Body, nullable: &[bool]) -> Vec<NonterminalId> {
    let nullable_symbol = |symbol| matches!(symbol, Symbol::Nonterminal(id) if nullable[id.index()]);
    let mut found = Vec::new();
    match body {
        Body::Expr(expr) => found = units_of_expr(expr, &nullable_symbol),
        Body::Automaton(automaton) => units_of_automaton(automaton, &nullable_symbol, &mut found),
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// What is known about an expression.
struct Known {
    /// Whether it may become empty.
    is_nullable: bool,
    units: Vec<NonterminalId>,
}

fn units_of_expr(expr: &Expr, nullable_symbol: &impl Fn(Symbol) -> bool) -> Vec<NonterminalId> {
    let all = |parts: Vec<Known>| parts.into_iter().flat_map(|part| part.units).collect();
    let known = expr.fold(|expr, mut parts: Vec<Known>| match expr {
        Expr::Symbol(symbol) => {
            let units = match symbol {
                Symbol::Nonterminal(id) => vec![*id],
                Symbol::Terminal(_) => Vec::new(),
            };
            Known { is_nullable: nullable_symbol(*symbol), units }
        }
        Expr::Choice(_) => {
            Known { is_nullable: parts.iter().any(|part| part.is_nullable), units: all(parts) }
        }
        Expr::Sequence(_) => {
            let solid = parts.iter().filter(|part| !part.is_nullable).count();
            if solid > 0 {
                // Beside a part that is not empty there is no unit.
                parts.retain(|part| solid == 1 && !part.is_nullable);
            }
            Known { is_nullable: solid == 0, units: all(parts) }
        }
        Expr::Repeat { min, max, .. } => {
            let is_nullable = parts.iter().all(|part| part.is_nullable);
            let has_units = *max != Some(0) && (*min <= 1 || is_nullable);
            let is_proper = max.is_none_or(|max| *min <= max);
            Known {
                is_nullable: is_proper && (*min == 0 || is_nullable),
                units: if has_units { all(parts) } else { Vec::new() },
            }
        }
    });
    known.units
}

fn units_of_automaton(
    automaton: &SymbolDfa,
    nullable_symbol: &impl Fn(Symbol) -> bool,
    found: &mut Vec<NonterminalId>,
) {
    let before = forward(automaton, nullable_symbol, vec![0]);
    let after = backward(automaton, nullable_symbol);
    for (state, _) in automaton.states.iter().zip(before).filter(|(_, reached)| *reached) {
        for &(symbol, target) in &state.transitions {
            match symbol {
                Symbol::Nonterminal(id) if after[target as usize] => found.push(id),
                _ => {}
            }
        }
    }
}

/// Per state, whether an accepting state is reachable from it over allowed symbols.
fn backward(automaton: &SymbolDfa, allowed: &impl Fn(Symbol) -> bool) -> Vec<bool> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); automaton.states.len()];
    for (from, state) in automaton.states.iter().enumerate() {
        let transitions = state.transitions.iter().filter(|(symbol, _)| allowed(*symbol));
        transitions.for_each(|&(_, to)| before[to as usize].push(from));
    }
    let mut reached = vec![false; automaton.states.len()];
    let mut open: Vec<usize> =
        (0..automaton.states.len()).filter(|&state| automaton.states[state].accepting).collect();
    while let Some(state) = open.pop() {
        if !std::mem::replace(&mut reached[state], true) {
            open.append(&mut before[state]);
        }
    }
    reached
}

/// So many cycles are found at most.
const MAX_CYCLES: usize = 20;
/// The most rules of a cycle that are named.
const MAX_NAMES: usize = 20;

/// Some cycles of a graph, at least one if there is any, and not more than [`MAX_CYCLES`], by depth-first search with an explicit stack.
fn cycles(edges: &[Vec<NonterminalId>]) -> Vec<Vec<NonterminalId>> {
    let mut done = vec![false; edges.len()];
    let mut place_on_path = vec![None; edges.len()];
    let mut cycles = Vec::new();
    for root in (0..edges.len()).map(NonterminalId::new) {
        let mut path: Vec<(NonterminalId, usize)> = Vec::new();
        let mut enter = (!done[root.index()]).then_some(root);
        loop {
            if let Some(id) = enter.take() {
                place_on_path[id.index()] = Some(path.len());
                done[id.index()] = true;
                path.push((id, 0));
            }
            let Some((id, next)) = path.last_mut() else { break };
            match edges[id.index()].get(*next) {
                None => {
                    place_on_path[id.index()] = None;
                    path.pop();
                }
                Some(&target) => {
                    *next += 1;
                    if let Some(start) = place_on_path[target.index()] {
                        cycles.push(path[start..].iter().map(|&(id, _)| id).collect());
                        if cycles.len() == MAX_CYCLES {
                            return cycles;
                        }
                    } else if !done[target.index()] {
                        enter = Some(target);
                    }
                }
            }
        }
    }
    cycles
}
