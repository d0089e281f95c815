//! The LR automaton of a toy grammar: LR(0), or SLR with FOLLOW sets. All conflicts are kept.

use std::collections::{BTreeMap, BTreeSet};

use super::{Symbol, Toy};

/// An item: a rule and the position of the dot in it.
type Item = (usize, usize);

pub(crate) struct Automaton {
    /// Per state: sorted (terminal, action code).
    pub(crate) actions: Vec<BTreeSet<(u32, u32)>>,
    /// Per state: nonterminal to state.
    pub(crate) gotos: Vec<BTreeMap<u32, u32>>,
    /// Rules, with the start rules (start, END) and, if nothing is accepted, (END) last.
    pub(crate) rules: Vec<(u32, Vec<Symbol>)>,
}

pub(crate) fn build(toy: &Toy) -> Automaton {
    let mut rules = toy.rules.clone();
    rules.push((toy.nonterminals(), vec![Symbol::N(0), Symbol::T(toy.end())]));
    if toy.accepts_nothing {
        rules.push((toy.nonterminals(), vec![Symbol::T(toy.end())]));
    }
    let start = (toy.rules.len()..rules.len()).map(|rule| (rule, 0)).collect();
    let mut states = vec![closure(&rules, start)];
    let mut automaton = Automaton { actions: Vec::new(), gotos: Vec::new(), rules };
    let follow = follow(&automaton.rules, toy);
    while automaton.actions.len() < states.len() {
        let items = states[automaton.actions.len()].clone();
        let mut actions = BTreeSet::new();
        let mut gotos = BTreeMap::new();
        for (symbol, target) in successors(&automaton.rules, &items) {
            let target = number(&mut states, target);
            match symbol {
                Symbol::T(terminal) => _ = actions.insert((terminal, target << 1)),
                Symbol::N(nonterminal) => _ = gotos.insert(nonterminal, target),
            }
        }
        for &(rule, dot) in &items {
            let (lhs, right) = &automaton.rules[rule];
            if dot == right.len() && rule < toy.rules.len() {
                let code = (rule as u32) << 1 | 1;
                actions.extend(follow[*lhs as usize].iter().map(|&terminal| (terminal, code)));
            }
        }
        automaton.actions.push(actions);
        automaton.gotos.push(gotos);
    }
    automaton
}

fn number(states: &mut Vec<BTreeSet<Item>>, items: BTreeSet<Item>) -> u32 {
    let found = states.iter().position(|state| *state == items);
    found.unwrap_or_else(|| {
        states.push(items);
        states.len() - 1
    }) as u32
}

fn closure(rules: &[(u32, Vec<Symbol>)], mut items: BTreeSet<Item>) -> BTreeSet<Item> {
    let mut work: Vec<Item> = items.iter().copied().collect();
    while let Some((rule, dot)) = work.pop() {
        if let Some(&Symbol::N(nonterminal)) = rules[rule].1.get(dot) {
            for (index, _) in rules.iter().enumerate().filter(|(_, (lhs, _))| *lhs == nonterminal) {
                if items.insert((index, 0)) {
                    work.push((index, 0));
                }
            }
        }
    }
    items
}

fn successors(rules: &[(u32, Vec<Symbol>)], items: &BTreeSet<Item>) -> BTreeMap<Symbol, BTreeSet<Item>> {
    let mut next: BTreeMap<Symbol, BTreeSet<Item>> = BTreeMap::new();
    for &(rule, dot) in items {
        if let Some(&symbol) = rules[rule].1.get(dot) {
            next.entry(symbol).or_default().insert((rule, dot + 1));
        }
    }
    next.into_iter().map(|(symbol, items)| (symbol, closure(rules, items))).collect()
}

/// FOLLOW per nonterminal, or all terminals.
fn follow(rules: &[(u32, Vec<Symbol>)], toy: &Toy) -> Vec<BTreeSet<u32>> {
    let count = toy.nonterminals() as usize + 1;
    if !toy.lookahead {
        return vec![(0..=toy.end()).filter(|&t| Some(t) != toy.ignored).collect(); count];
    }
    let mut first = vec![BTreeSet::new(); count];
    let mut follow = vec![BTreeSet::new(); count];
    let first_of = |first: &[BTreeSet<u32>], symbol| match symbol {
        Symbol::T(terminal) => BTreeSet::from([terminal]),
        Symbol::N(nonterminal) => first[nonterminal as usize].clone(),
    };
    // As many rounds as there are nonterminals reach the fixed point.
    for _ in 0..=2 * count {
        for (lhs, right) in rules {
            let begins = first_of(&first, right[0]);
            first[*lhs as usize].extend(begins);
            for (index, symbol) in right.iter().enumerate() {
                let Symbol::N(nonterminal) = *symbol else { continue };
                let after = match right.get(index + 1) {
                    Some(&next) => first_of(&first, next),
                    None => follow[*lhs as usize].clone(),
                };
                follow[nonterminal as usize].extend(after);
            }
        }
    }
    follow
}
