//! Turns a right part that is an automaton over symbols into left-linear productions.
//!
//! For a state `q` let the nonterminal `N_q` derive the non-empty words that lead from the start to `q`. A
//! transition `p -X-> q` gives `N_q -> N_p X` (and `N_q -> X` if `p` is the start), an accepting state gives
//! `A -> N_q`. The parser stack stays flat, and words with a common prefix share their parse.
//!
//! A state that is entered by a single transition and does not accept needs no `N_q`: its word is written out
//! in its successors, up to [`MAX_INLINE`] symbols, so that a chain costs one reduction instead of one per
//! symbol. Where many words continue with the same terminal to the same state, they become a
//! [union](super::unions).

use super::builder::Builder;
use super::cfg::Helper;
use super::nullable::{null_closure, symbol_is_nullable};
use super::unions::{CommonSuffix, Unions, may_unite};
use gcc_grammar_ir::{NonterminalId, Symbol, SymbolDfa};
use gcc_grammar_limits::OverBudget;

/// Longest word that is written out in place of a helper, in symbols.
const MAX_INLINE: usize = 5;

/// Adds the productions of `lhs` for the words of `dfa`.
pub(super) fn lay_out_automaton(
    builder: &mut Builder<'_>,
    lhs: NonterminalId,
    dfa: &SymbolDfa,
) -> Result<(), OverBudget> {
    if dfa.states.is_empty() {
        return Ok(());
    }
    let mut from_start = vec![false; dfa.states.len()];
    for q in null_closure(dfa, builder.nullable) {
        from_start[q] = true;
    }
    let prefixes = prefixes(builder, lhs, dfa, &from_start)?;
    let words: Vec<Option<Vec<Symbol>>> = prefixes.iter().map(Prefix::word).collect();
    let mut unions = Unions::default();
    let may_unite = may_unite(dfa, builder.nullable);
    for (p, state) in dfa.states.iter().enumerate() {
        for &(symbol, to) in &state.transitions {
            let Prefix::Helper(target) = prefixes[to as usize] else { continue };
            if let (true, Symbol::Terminal(terminal)) = (may_unite && !from_start[p], symbol)
                && let Some(word @ [Symbol::Nonterminal(_), ..]) = words[p].as_deref()
            {
                builder.budget.charge_bytes(4)?;
                unions.add(CommonSuffix { target, terminal, length: word.len() }, p);
                continue;
            }
            for rhs in extended(words[p].as_deref(), from_start[p], symbol, builder.nullable) {
                builder.produce(target, rhs)?;
            }
        }
        match &prefixes[p] {
            Prefix::Helper(own) if state.accepting && *own != lhs => {
                builder.produce(lhs, vec![Symbol::Nonterminal(*own)])?;
            }
            _ => {}
        }
    }
    unions.produce(builder, |state| words[state as usize].as_deref().unwrap_or_default())
}

/// How a production writes the words that lead to a state.
enum Prefix {
    /// As its nonterminal `N_q`.
    Helper(NonterminalId),
    /// As a single word: the helper of an earlier state, if there is one, and some symbols.
    Word(Vec<Symbol>),
    /// Not at all: no non-empty word leads to the state. Only the start can be such a state.
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

/// Decides the prefix of every state. Only a state whose single predecessor comes earlier in breadth-first
/// order, and whose transition derives no empty string, gets a word; so words are well-founded.
fn prefixes(
    builder: &mut Builder<'_>,
    lhs: NonterminalId,
    dfa: &SymbolDfa,
    from_start: &[bool],
) -> Result<Vec<Prefix>, OverBudget> {
    let incoming = incoming(dfa);
    let mut prefixes: Vec<Option<Prefix>> = (0..dfa.states.len()).map(|_| None).collect();
    for q in breadth_first(dfa) {
        builder.budget.charge_work(dfa.states[q].transitions.len() as u64 + 1)?;
        let state = &dfa.states[q];
        let word = match incoming[q] {
            Incoming::One(p, symbol)
                if p != q && q != 0 && !state.accepting && !symbol_is_nullable(symbol, builder.nullable) =>
            {
                prefixes[p].as_ref().and_then(|prefix| extend(prefix, from_start[p], symbol))
            }
            _ => None,
        };
        prefixes[q] = Some(match (word, &incoming[q]) {
            (Some(word), _) => Prefix::Word(word),
            (None, Incoming::None) => Prefix::Nothing,
            (None, _) if state.accepting && state.transitions.is_empty() => Prefix::Helper(lhs),
            (None, _) => Prefix::Helper(builder.helper(Helper::AutomatonState, &format!("part{q}"))?),
        });
    }
    Ok(prefixes.into_iter().map(|p| p.unwrap_or(Prefix::Nothing)).collect())
}

/// The word that leads to a state with this prefix and then over `symbol`, if it is the only word and short.
fn extend(prefix: &Prefix, from_start: bool, symbol: Symbol) -> Option<Vec<Symbol>> {
    let mut word = match prefix {
        Prefix::Nothing => Vec::new(),
        // The empty word leads to the state, too, so there are two words.
        _ if from_start => return None,
        Prefix::Helper(n) => vec![Symbol::Nonterminal(*n)],
        Prefix::Word(word) => word.clone(),
    };
    word.push(symbol);
    (word.len() <= MAX_INLINE).then_some(word)
}

/// The right-hand sides for all words that lead to a state and then over `symbol`.
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

/// The transitions that enter a state.
#[derive(Clone, Copy)]
enum Incoming {
    None,
    One(usize, Symbol),
    Many,
}

/// Per state: the transitions that enter it.
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

/// The reachable states in breadth-first order.
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
