//! Drops what no text can use: unproductive productions, unreachable nonterminals, duplicates and `A -> A`.
//! A mask must never let a token through that leads only to a dead end, so this comes before everything else.

use super::{Cfg, NormalizeError, Production};
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, NonterminalId, Symbol};

/// Trims and renumbers `cfg`. Terminals `t` with `!usable[t]` match nothing; END always is usable.
pub(super) fn trim(cfg: Cfg, usable: &[bool]) -> Result<Cfg, NormalizeError> {
    let Cfg { terminal_count, names, unions, mut productions, start, end } = cfg;
    productions.retain(|p| p.rhs != [Symbol::Nonterminal(p.lhs)]);
    let productive = productive(&productions, names.len(), |s| match s {
        Symbol::Terminal(t) => t == end || usable[t.index()],
        Symbol::Nonterminal(_) => false,
    });
    if !productive[start.index()] {
        return Err(NormalizeError::Grammar(
            Diagnostic::error(Code::EmptyLanguage, "no text at all matches this grammar")
                .help("some part that every text needs can never be completed: look for a rule that only calls itself, or a terminal or schema that nothing satisfies"),
        ));
    }
    productions.retain(|p| {
        p.rhs.iter().all(|&s| match s {
            Symbol::Terminal(t) => t == end || usable[t.index()],
            Symbol::Nonterminal(n) => productive[n.index()],
        })
    });
    let by_lhs = |list: &mut Vec<Production>| list.sort_by_key(|p| p.lhs);
    by_lhs(&mut productions);
    let order = reachable(&productions, names.len(), start);
    let mut renumbered = vec![None; names.len()];
    for (new, old) in order.iter().enumerate() {
        renumbered[old.index()] = Some(NonterminalId::new(new));
    }
    let mut kept: Vec<Production> = productions
        .into_iter()
        .filter_map(|p| {
            let lhs = renumbered[p.lhs.index()]?;
            let rhs = p.rhs.into_iter().map(|s| match s {
                Symbol::Nonterminal(n) => renumbered[n.index()].map(Symbol::Nonterminal),
                terminal => Some(terminal),
            });
            Some(Production { lhs, rhs: rhs.collect::<Option<_>>()? })
        })
        .collect();
    by_lhs(&mut kept);
    dedup_within_lhs(&mut kept);
    let names = order.iter().map(|n| names[n.index()].clone()).collect();
    let unions = order.iter().map(|n| unions[n.index()]).collect();
    Ok(Cfg { terminal_count, names, unions, productions: kept, start: NonterminalId(0), end })
}

fn dedup_within_lhs(productions: &mut Vec<Production>) {
    let mut seen = rustc_hash::FxHashSet::default();
    productions.retain(|p| seen.insert(p.clone()));
}

/// Which nonterminals derive a string of usable terminals: worklist over occurrence counts.
fn productive(productions: &[Production], nonterminals: usize, usable: impl Fn(Symbol) -> bool) -> Vec<bool> {
    let mut occurrences: Vec<Vec<usize>> = vec![Vec::new(); nonterminals];
    let mut missing = vec![0usize; productions.len()];
    let mut ready = Vec::new();
    for (i, p) in productions.iter().enumerate() {
        for &s in &p.rhs {
            match s {
                Symbol::Nonterminal(n) => {
                    occurrences[n.index()].push(i);
                    missing[i] += 1;
                }
                // Never becomes available.
                terminal if !usable(terminal) => missing[i] += 1,
                Symbol::Terminal(_) => {}
            }
        }
        if missing[i] == 0 {
            ready.push(i);
        }
    }
    let mut productive = vec![false; nonterminals];
    while let Some(i) = ready.pop() {
        let lhs = productions[i].lhs.index();
        if std::mem::replace(&mut productive[lhs], true) {
            continue;
        }
        for &j in &occurrences[lhs] {
            missing[j] -= 1;
            if missing[j] == 0 {
                ready.push(j);
            }
        }
    }
    productive
}

/// Nonterminals reachable from `start`, breadth first. `productions` is sorted by left-hand side.
fn reachable(productions: &[Production], nonterminals: usize, start: NonterminalId) -> Vec<NonterminalId> {
    let mut seen = vec![false; nonterminals];
    seen[start.index()] = true;
    let mut order = vec![start];
    let mut next = 0;
    while let Some(&n) = order.get(next) {
        next += 1;
        for p in of(productions, n) {
            for &s in &p.rhs {
                if let Symbol::Nonterminal(m) = s
                    && !std::mem::replace(&mut seen[m.index()], true)
                {
                    order.push(m);
                }
            }
        }
    }
    order
}

/// The productions of one nonterminal in a list sorted by left-hand side.
fn of(productions: &[Production], lhs: NonterminalId) -> &[Production] {
    &productions[super::span(productions, lhs)]
}

/// Nonterminals along a cycle of unit productions, if there is one (iterative depth-first search).
pub(super) fn unit_cycle(cfg: &Cfg) -> Option<Vec<usize>> {
    let units: Vec<Vec<usize>> = (0..cfg.names.len())
        .map(|n| {
            of(&cfg.productions, NonterminalId::new(n))
                .iter()
                .filter_map(|p| match p.rhs.as_slice() {
                    [Symbol::Nonterminal(m)] => Some(m.index()),
                    _ => None,
                })
                .collect()
        })
        .collect();
    let (mut done, mut on_path) = (vec![false; units.len()], vec![false; units.len()]);
    for root in 0..units.len() {
        let mut path = vec![(root, 0)];
        on_path[root] = !done[root];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            if done[node] || *next == units[node].len() {
                done[node] = true;
                on_path[node] = false;
                path.pop();
                continue;
            }
            let to = units[node][*next];
            *next += 1;
            if on_path[to] {
                let from = path.iter().position(|&(n, _)| n == to).unwrap_or(0);
                let cycle = path[from..].iter().map(|&(n, _)| n).chain([to]);
                return Some(cycle.collect());
            }
            if !done[to] {
                on_path[to] = true;
                path.push((to, 0));
            }
        }
    }
    None
}

/// Makes the nonterminals of a unit cycle, which derive the same texts, one.
pub(super) fn merge(cfg: &mut Cfg, cycle: &[usize]) {
    let into = NonterminalId::new(cycle[0]);
    let map = |n: NonterminalId| if cycle.contains(&n.index()) { into } else { n };
    for p in &mut cfg.productions {
        p.lhs = map(p.lhs);
        for s in &mut p.rhs {
            if let Symbol::Nonterminal(n) = s {
                *n = map(*n);
            }
        }
    }
    cfg.productions.retain(|p| p.rhs != [Symbol::Nonterminal(p.lhs)]);
    cfg.productions.sort_by_key(|p| p.lhs);
    dedup_within_lhs(&mut cfg.productions);
}
