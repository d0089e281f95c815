//! Removes symbols and productions that no derivation uses: unproductive productions, unreachable
//! nonterminals, duplicates, and `A -> A`.
//!
//! In: a [`Cfg`] as it was laid out. Out: the same language, with nonterminals numbered breadth-first from
//! the start, productions sorted by left-hand side. This stage keeps masks exact: a token that only leads to
//! a dead end must never be allowed.

use super::cfg::{Cfg, Production, productions_of};
use super::error::NormalizeError;
use gcc_grammar_ir::{Code, Diagnostic, NonterminalId, Symbol};

/// Trims and renumbers `cfg`. A terminal `t` with `!usable[t]` matches no text; END is always usable.
pub(super) fn trim(cfg: Cfg, usable: &[bool]) -> Result<Cfg, NormalizeError> {
    let Cfg { terminal_count, names, origins, unions, mut productions, start, end } = cfg;
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
    let origins = order.iter().map(|n| origins[n.index()]).collect();
    let unions = order.iter().map(|n| unions[n.index()]).collect();
    Ok(Cfg { terminal_count, names, origins, unions, productions: kept, start: NonterminalId(0), end })
}

/// Removes repeated productions.
pub(super) fn dedup_within_lhs(productions: &mut Vec<Production>) {
    let mut seen = rustc_hash::FxHashSet::default();
    productions.retain(|p| seen.insert(p.clone()));
}

/// Per nonterminal: whether it derives a string of usable terminals. A worklist over the number of symbols in
/// each production that are not yet known to be productive.
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
                // This symbol never becomes productive.
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

/// The nonterminals that are reachable from `start`, breadth-first. `productions` is sorted by left-hand
/// side.
fn reachable(productions: &[Production], nonterminals: usize, start: NonterminalId) -> Vec<NonterminalId> {
    let mut seen = vec![false; nonterminals];
    seen[start.index()] = true;
    let mut order = vec![start];
    let mut next = 0;
    while let Some(&n) = order.get(next) {
        next += 1;
        for p in productions_of(productions, n) {
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
