//! Computes LALR(1) lookahead sets.
//!
//! In: the productions and their LR(0) automaton. Out: [`Lookaheads`], the terminals on which each complete
//! production is reduced in each state.
//!
//! Source: DeRemer and Pennello, *Efficient computation of LALR(1) look-ahead sets*, TOPLAS 1982. For a
//! nonterminal transition `(p, A)`:
//! - `Read(p, A)` = the terminals that can be shifted in goto(p, A) (`DR` in the paper; no production is
//!   empty, so there is no relation `reads`);
//! - `(p, A) includes (p', B)` iff `B -> β A` and `p' --β--> p`;
//! - `Follow` = the least solution of `Follow(x) = Read(x) ∪ ⋃ { Follow(y) : x includes y }`;
//! - `LA(q, A -> ω)` = `⋃ { Follow(p, A) : p --ω--> q }`.

use super::automaton::Automaton;
use super::copies::Copies;
use crate::csr::Csr;
use crate::ids::{LrState, ProductionId};
use crate::normalize::Cfg;
use gcc_grammar_ir::{NonterminalId, Symbol, TerminalId};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A matrix of bits: a set of terminals per row.
struct BitRows {
    /// Words per row.
    words: usize,
    bits: Vec<u64>,
}

impl BitRows {
    fn new(rows: usize, columns: usize, budget: &Budget) -> Result<Self, OverBudget> {
        let words = columns.div_ceil(64);
        budget.charge_bytes((rows * words * 8) as u64)?;
        Ok(Self { words, bits: vec![0; rows * words] })
    }

    fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..][..self.words]
    }

    fn set(&mut self, row: usize, bit: usize) {
        self.bits[row * self.words + bit / 64] |= 1 << (bit % 64);
    }

    fn or_row(&mut self, into: usize, from: usize) {
        for w in 0..self.words {
            self.bits[into * self.words + w] |= self.bits[from * self.words + w];
        }
    }

    fn copy_row(&mut self, into: usize, from: usize) {
        self.bits.copy_within(from * self.words..(from + 1) * self.words, into * self.words);
    }
}

/// Per state and complete production: the terminals on which the production is reduced, sorted.
/// Equal sets are stored once.
pub(super) type Lookaheads = FxHashMap<(LrState, ProductionId), Rc<[TerminalId]>>;

/// So many words of bits are united in a unit of work.
const WORDS_PER_UNIT: usize = 4;
/// Estimated bytes of an entry of [`Lookaheads`].
const BYTES_PER_ENTRY: u64 = 64;
/// Estimated bytes of an action that follows from a lookahead, while the tables are made.
const BYTES_PER_ACTION: u64 = 24;

/// The nonterminal transitions, numbered without gaps.
struct NonterminalTransitions {
    /// Per position in `Automaton::transitions`: the number, or `u32::MAX` for a transition on a terminal.
    number: Vec<u32>,
    /// Per number: the source state, and the position.
    list: Vec<(LrState, usize)>,
}

impl NonterminalTransitions {
    fn new(automaton: &Automaton) -> Self {
        let mut out = Self { number: vec![u32::MAX; automaton.transitions.items().len()], list: Vec::new() };
        for state in 0..automaton.transitions.rows() {
            for position in automaton.transitions.span(state) {
                if let (Symbol::Nonterminal(_), _) = automaton.transitions.items()[position] {
                    out.number[position] = out.list.len() as u32;
                    out.list.push((LrState::new(state), position));
                }
            }
        }
        out
    }

    /// The number of the transition of `state` on the nonterminal `symbol`.
    fn number_of(&self, automaton: &Automaton, state: LrState, symbol: Symbol) -> Option<usize> {
        let row = automaton.transitions.row(state.index());
        let i = row.binary_search_by_key(&symbol, |&(s, _)| s).ok()?;
        Some(self.number[automaton.transitions.span(state.index()).start + i] as usize)
    }
}

/// Computes the lookahead set of every complete production in every state.
///
/// In general the lexemes of a terminal may be told apart: `copies` gives the terminals that stand for a terminal which
/// is shifted to a state. A production may not have an item in every state that the LR(0) automaton predicts it in.
pub(super) fn lookaheads(
    cfg: &Cfg,
    automaton: &Automaton,
    copies: &impl Copies,
    budget: &Budget,
) -> Result<Lookaheads, OverBudget> {
    let transitions = NonterminalTransitions::new(automaton);
    let mut follow = BitRows::new(transitions.list.len(), copies.terminals(), budget)?;
    budget.charge_bytes(transitions.list.len() as u64 * 48)?;
    let mut includes: Vec<Vec<u32>> = vec![Vec::new(); transitions.list.len()];
    let mut lookback: Vec<((LrState, ProductionId), u32)> = Vec::new();
    for (x, &(p, position)) in transitions.list.iter().enumerate() {
        let (symbol, target) = automaton.transitions.items()[position];
        budget.charge_work(automaton.transitions.row(target.index()).len() as u64 + 1)?;
        for &(s, to) in automaton.transitions.row(target.index()) {
            if let Symbol::Terminal(t) = s {
                copies.of(t, to).for_each(|t| follow.set(x, t.index()));
            }
        }
        let Symbol::Nonterminal(lhs) = symbol else { continue };
        for &production in automaton.by_lhs.row(lhs.index()) {
            budget.charge_work(10)?;
            budget.charge_bytes(32)?;
            let Some((q, before_last)) = follow_rhs(cfg, automaton, p, production, budget)? else { continue };
            lookback.push(((q, production), x as u32));
            let last = *cfg.productions[production.index()].rhs.last().expect("epsilon-free");
            if let (Symbol::Nonterminal(_), Some(y)) =
                (last, transitions.number_of(automaton, before_last, last))
            {
                includes[y].push(x as u32);
            }
        }
    }
    let includes: Csr<u32> = includes.into_iter().collect();
    solve(&includes, &mut follow, budget)?;
    collect(lookback, &follow, budget)
}

/// Follows the right-hand side of `production` from `p`. Returns the last state and the state before it; `None` if the
/// production is not predicted there.
fn follow_rhs(
    cfg: &Cfg,
    automaton: &Automaton,
    p: LrState,
    production: ProductionId,
    budget: &Budget,
) -> Result<Option<(LrState, LrState)>, OverBudget> {
    let rhs = &cfg.productions[production.index()].rhs;
    budget.charge_work(rhs.len() as u64)?;
    let (mut state, mut before) = (p, p);
    let (word, rest) = match rhs[0] {
        Symbol::Nonterminal(union) if cfg.is_union(rhs[0]) => (some_word(cfg, automaton, union), &rhs[1..]),
        _ => (&[][..], rhs.as_slice()),
    };
    for &symbol in word.iter().chain(rest) {
        before = state;
        match automaton.step(state, symbol) {
            Some(next) => state = next,
            None => return Ok(None),
        }
    }
    Ok(Some((state, before)))
}

/// A word of a union. All its words followed by the same symbol lead to the same state, because the items
/// there have passed the union.
fn some_word<'a>(cfg: &'a Cfg, automaton: &Automaton, mut union: NonterminalId) -> &'a [Symbol] {
    loop {
        let mut productions = automaton.by_lhs.row(union.index()).iter();
        let rhs = |p: &ProductionId| cfg.productions[p.index()].rhs.as_slice();
        match productions.clone().map(rhs).find(|rhs| !cfg.is_union(rhs[0])) {
            Some(word) => return word,
            None => match productions.next().map(rhs) {
                Some(&[Symbol::Nonterminal(shorter), ..]) => union = shorter,
                _ => return &[],
            },
        }
    }
}

/// Solves the equations of `Follow` in place: the algorithm `digraph` of the paper, a depth-first pass over the
/// strongly connected components, without recursion.
fn solve(includes: &Csr<u32>, follow: &mut BitRows, budget: &Budget) -> Result<(), OverBudget> {
    let n = includes.rows();
    budget.charge_work((includes.items().len() * follow.words.div_ceil(WORDS_PER_UNIT)) as u64)?;
    const DONE: u32 = u32::MAX;
    let mut depth = vec![0u32; n];
    let mut stack: Vec<usize> = Vec::new();
    // Per node on the path: the node, its next edge, and the depth at which it was met.
    let mut path: Vec<(usize, usize, u32)> = Vec::new();
    for root in 0..n {
        if depth[root] != 0 {
            continue;
        }
        stack.push(root);
        depth[root] = stack.len() as u32;
        path.push((root, 0, depth[root]));
        while let Some(&mut (x, ref mut edge, own)) = path.last_mut() {
            if let Some(&y) = includes.row(x).get(*edge) {
                *edge += 1;
                let y = y as usize;
                if depth[y] == 0 {
                    stack.push(y);
                    depth[y] = stack.len() as u32;
                    path.push((y, 0, depth[y]));
                } else {
                    depth[x] = depth[x].min(depth[y]);
                    follow.or_row(x, y);
                }
                continue;
            }
            path.pop();
            if depth[x] == own {
                while let Some(y) = stack.pop() {
                    depth[y] = DONE;
                    if y == x {
                        break;
                    }
                    follow.copy_row(y, x);
                }
            }
            if let Some(&(parent, _, _)) = path.last() {
                depth[parent] = depth[parent].min(depth[x]);
                follow.or_row(parent, x);
            }
        }
    }
    Ok(())
}

/// Unites the `Follow` sets that each complete production looks back to.
fn collect(
    mut lookback: Vec<((LrState, ProductionId), u32)>,
    follow: &BitRows,
    budget: &Budget,
) -> Result<Lookaheads, OverBudget> {
    lookback.sort_unstable();
    lookback.dedup();
    let mut out = Lookaheads::default();
    let mut known: FxHashMap<Box<[u64]>, Rc<[TerminalId]>> = FxHashMap::default();
    let mut row = vec![0u64; follow.words];
    for group in lookback.chunk_by(|a, b| a.0 == b.0) {
        row.fill(0);
        for &(_, x) in group {
            row.iter_mut().zip(follow.row(x as usize)).for_each(|(into, from)| *into |= from);
        }
        budget.charge_work((group.len() * row.len().div_ceil(WORDS_PER_UNIT)) as u64)?;
        let count: u64 = row.iter().map(|word| u64::from(word.count_ones())).sum();
        budget.charge_work(count)?;
        budget.charge_bytes(count * BYTES_PER_ACTION + BYTES_PER_ENTRY)?;
        let terminals = match known.get(row.as_slice()) {
            Some(terminals) => Rc::clone(terminals),
            None => {
                budget.charge_bytes(count * 4 + row.len() as u64 * 8)?;
                let terminals: Rc<[TerminalId]> = terminals_of(&row).collect();
                known.insert(row.clone().into(), Rc::clone(&terminals));
                terminals
            }
        };
        out.insert(group[0].0, terminals);
    }
    Ok(out)
}

/// The terminals of a row of bits, ascending.
fn terminals_of(row: &[u64]) -> impl Iterator<Item = TerminalId> + '_ {
    row.iter().enumerate().flat_map(|(index, &word)| {
        let rest = std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)));
        let rest = rest.take_while(|&rest| rest != 0);
        rest.map(move |rest| TerminalId::new(index * 64 + rest.trailing_zeros() as usize))
    })
}
