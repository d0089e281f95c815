//! The language of all prefixes of a grammar's sentences, as a grammar.
//!
//! In: the normalized productions, of which every nonterminal is reachable and productive. Out: productions that derive
//! exactly the non-empty prefixes of sentences. Every nonterminal `N` gets a second one, `N'`, for the prefixes of what
//! it derives: `N → X1 … Xn` gives `N' → X1 … Xk` for each `k ≥ 1`, and `N' → X1 … Xk'` where `Xk` is a nonterminal.
//! Chains `N' → M'`, which left recursion closes to cycles, are replaced by the other productions of `M'`.

use gcc_grammar_compiler::normalize::{Cfg, Origin, Production};
use gcc_grammar_ir::{NonterminalId, Symbol};
use std::collections::BTreeSet;

/// The grammar of the non-empty prefixes of the sentences of `cfg`, the end of text excluded.
pub(super) fn prefixes(cfg: &Cfg) -> Cfg {
    let count = cfg.names.len();
    let prefix_of = |nonterminal: NonterminalId| NonterminalId::new(count + nonterminal.index());
    let mut productions: BTreeSet<Production> =
        cfg.productions.iter().filter(|production| production.lhs != cfg.start).cloned().collect();
    for nonterminal in (0..count).map(NonterminalId::new).filter(|&nonterminal| nonterminal != cfg.start) {
        for rhs in prefixes_through_chains(cfg, nonterminal, &prefix_of) {
            productions.insert(Production { lhs: prefix_of(nonterminal), rhs });
        }
    }
    for rhs in prefixes_through_chains(cfg, cfg.start, &prefix_of) {
        let rhs = [rhs.as_slice(), &[Symbol::Terminal(cfg.end)]].concat();
        productions.insert(Production { lhs: cfg.start, rhs });
    }
    Cfg {
        names: cfg.names.iter().chain(&cfg.names).cloned().collect(),
        origins: vec![Origin::Start; 2 * count],
        unions: vec![0; 2 * count],
        productions: productions.into_iter().collect(),
        ..*cfg
    }
}

/// The right-hand sides of `N'`, without chains.
fn prefixes_through_chains(
    cfg: &Cfg,
    nonterminal: NonterminalId,
    prefix_of: &impl Fn(NonterminalId) -> NonterminalId,
) -> Vec<Vec<Symbol>> {
    let mut found = Vec::new();
    let (mut open, mut seen) = (vec![nonterminal], BTreeSet::from([nonterminal]));
    while let Some(nonterminal) = open.pop() {
        for production in &cfg.productions[cfg.span(nonterminal)] {
            for (index, &last) in production.rhs.iter().enumerate() {
                let before = &production.rhs[..index];
                if last == Symbol::Terminal(cfg.end) {
                    continue;
                }
                found.push(production.rhs[..=index].to_vec());
                match last {
                    Symbol::Nonterminal(last) if index == 0 => open.extend(seen.insert(last).then_some(last)),
                    Symbol::Nonterminal(last) => {
                        found.push([before, &[Symbol::Nonterminal(prefix_of(last))]].concat());
                    }
                    Symbol::Terminal(_) => {}
                }
            }
        }
    }
    found
}
