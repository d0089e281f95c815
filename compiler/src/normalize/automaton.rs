//! Automata over symbols to left-linear productions.
//!
//! For a state `q` let `N_q` derive the non-empty words that lead from the start to `q`. A transition `p -X-> q` gives `N_q -> N_p X`
//! (`N_q -> X` from the start), an accepting state gives `A -> N_q`. The stack stays flat and words that share a prefix share the
//! parse. A state that is entered by one transition only and does not accept needs no `N_q`: its word is written out in
//! its successors, up to [`MAX_INLINE`] symbols, so that a chain costs one reduction instead of one per symbol.
//! Many words that go on with the same terminal to the same state are a union ([`unions`](super::unions)).

use super::layout::Layout;
use super::nullable::{null_closure, symbol_is_nullable};
use super::unions::{Meeting, Unions, may_unite};
use crate::limits::OverBudget;
use gcc_grammar_ir::{NonterminalId, Symbol, SymbolDfa};

/// Longest word written out in place of a helper.
const MAX_INLINE: usize = 5;

/// Adds the productions of `lhs` for the words of `dfa`.
pub(super) fn lay_out_automaton(
    layout: &mut Layout<'_>,
    lhs: NonterminalId,
    dfa: &SymbolDfa,
) -> Result<(), OverBudget> {
    if dfa.states.is_empty() {
        return Ok(());
    }
    let mut from_start = vec![false; dfa.states.len()];
    for q in null_closure(dfa, layout.nullable) {
        from_start[q] = true;
    }
    let prefixes = prefixes(layout, lhs, dfa, &from_start)?;
    let words: Vec<Option<Vec<Symbol>>> = prefixes.iter().map(Prefix::word).collect();
    let mut unions = Unions::default();
    let may_unite = may_unite(dfa, layout.nullable);
    for (p, state) in dfa.states.iter().enumerate() {
        for &(symbol, to) in &state.transitions {
            let Prefix::Helper(target) = prefixes[to as usize] else { continue };
            if let (true, Symbol::Terminal(terminal)) = (may_unite && !from_start[p], symbol)
                && let Some(word @ [Symbol::Nonterminal(_), ..]) = words[p].as_deref()
            {
                layout.budget.charge_bytes(4)?;
                unions.add(Meeting { target, terminal, length: word.len() }, p);
                continue;
            }
            for rhs in extended(words[p].as_deref(), from_start[p], symbol, layout.nullable) {
                layout.produce(target, rhs)?;
            }
        }
        match &prefixes[p] {
            Prefix::Helper(own) if state.accepting && *own != lhs => {
                layout.produce(lhs, vec![Symbol::Nonterminal(*own)])?;
            }
            _ => {}
        }
    }
    unions.produce(layout, |state| words[state as usize].as_deref().unwrap_or_default())
}

/// How the words that lead to a state are written in a production.
enum Prefix {
    /// By its nonterminal `N_q`.
    Helper(NonterminalId),
    /// As one word: the helper of an earlier state (if any) and some symbols.
    Word(Vec<Symbol>),
    /// Only the start without incoming transitions: no non-empty word leads there.
    Nothing,
}

impl Prefix {
    fn word(&self) -> Option<Vec<Symbol>> {
        match self {
            Self::Helper(helper) => Some(vec![Symbol::Nonterminal(*helper)]),
            Self::Word(word) => Some(word.clone()),
            Self::Nothing => None,
        }
    }
}

/// Decides the prefix of every state. A word is only given to a state whose single predecessor comes first in breadth-first order
/// and whose transition cannot be empty, so words are well-founded.
fn prefixes(
    layout: &mut Layout<'_>,
    lhs: NonterminalId,
    dfa: &SymbolDfa,
    from_start: &[bool],
) -> Result<Vec<Prefix>, OverBudget> {
    let incoming = incoming(dfa);
    let mut prefixes: Vec<Option<Prefix>> = (0..dfa.states.len()).map(|_| None).collect();
    for q in breadth_first(dfa) {
        layout.budget.charge_work(dfa.states[q].transitions.len() as u64 + 1)?;
        let state = &dfa.states[q];
        let word = match incoming[q] {
            Incoming::One(p, symbol)
                if p != q && q != 0 && !state.accepting && !symbol_is_nullable(symbol, layout.nullable) =>
            {
                prefixes[p].as_ref().and_then(|prefix| extend(prefix, from_start[p], symbol))
            }
            _ => None,
        };
        prefixes[q] = Some(match (word, &incoming[q]) {
            (Some(word), _) => Prefix::Word(word),
            (None, Incoming::None) => Prefix::Nothing,
            (None, _) if state.accepting && state.transitions.is_empty() => Prefix::Helper(lhs),
            (None, _) => Prefix::Helper(layout.fresh(&format!("part{q}"))),
        });
    }
    Ok(prefixes.into_iter().map(|p| p.unwrap_or(Prefix::Nothing)).collect())
}

/// The word that leads over `p` and `symbol`, if there is exactly one and it is short.
fn extend(prefix: &Prefix, from_start: bool, symbol: Symbol) -> Option<Vec<Symbol>> {
    let mut word = match prefix {
        Prefix::Nothing => Vec::new(),
        // The empty word leads to `p` beside the non-empty ones: two words, so no.
        _ if from_start => return None,
        Prefix::Helper(n) => vec![Symbol::Nonterminal(*n)],
        Prefix::Word(word) => word.clone(),
    };
    word.push(symbol);
    (word.len() <= MAX_INLINE).then_some(word)
}

/// All right-hand sides for the words that lead to some state and then over `symbol`.
fn extended(
    word: Option<&[Symbol]>,
    from_start: bool,
    symbol: Symbol,
    nullable: &[bool],
) -> Vec<Vec<Symbol>> {
    let mut out = Vec::new();
    if from_start {
        out.push(vec![symbol]);
    }
    if let Some(word) = word {
        if symbol_is_nullable(symbol, nullable) {
            out.push(word.to_vec());
        }
        out.push([word, &[symbol]].concat());
    }
    out
}

#[derive(Clone, Copy)]
enum Incoming {
    None,
    One(usize, Symbol),
    Many,
}

fn incoming(dfa: &SymbolDfa) -> Vec<Incoming> {
    let mut incoming = vec![Incoming::None; dfa.states.len()];
    for (p, state) in dfa.states.iter().enumerate() {
        for &(symbol, to) in &state.transitions {
            let slot = &mut incoming[to as usize];
            *slot = match *slot {
                Incoming::None => Incoming::One(p, symbol),
                _ => Incoming::Many,
            };
        }
    }
    incoming
}

fn breadth_first(dfa: &SymbolDfa) -> Vec<usize> {
    let mut seen = vec![false; dfa.states.len()];
    seen[0] = true;
    let mut order = vec![0];
    let mut next = 0;
    while let Some(&q) = order.get(next) {
        next += 1;
        for &(_, to) in &dfa.states[q].transitions {
            if !std::mem::replace(&mut seen[to as usize], true) {
                order.push(to as usize);
            }
        }
    }
    order
}
