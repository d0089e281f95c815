//! Merges equivalent states of the LR tables.
//!
//! In: [`LrTables`], and the lexical kind of every terminal. Out: tables with a state per equivalence class.
//! Afterwards no two states are equivalent, and the parser accepts the same language.
//!
//! States with the same actions and gotos, up to equivalence of their targets, accept the same texts on any
//! stack, because a reduction counts the states that it pops and does not look at them. Partition refinement
//! finds the coarsest equivalence of this kind, as in the minimization of finite automata, with reductions as
//! outputs. It is worth it for schemas: an object with `n` optional members has a production, and so a state,
//! for every pair of a member and its predecessor, and all states of a member do the same reduction.
//!
//! Two states are not merged if different nonterminals lead to them, or if they are entered by lexemes after
//! which the lexer recognizes different terminals.

use super::table::{Action, Entry, LrTables, predecessors};
use crate::csr::Csr;
use crate::ids::{LrState, ProductionId};
use crate::partition::{Partition, number};
use gcc_grammar_ir::NonterminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

/// Estimated bytes of an action or goto in a signature.
const BYTES_PER_SYMBOL: u64 = 24;

/// Merges equivalent states. The classes are numbered in the order of their first members. Productions with
/// the same left-hand side and length become one production.
///
/// `kinds` has the lexical kind of every terminal: after lexemes of the same kind the same terminals are
/// recognized, given the same LR state.
///
/// # Errors
/// The budget is spent.
pub fn minimize(tables: &LrTables, kinds: &[u32], budget: &Budget) -> Result<LrTables, OverBudget> {
    Ok(merge(tables, by_entry(tables, kinds), &budget.stage("lr"))?.0)
}

/// Merges equivalent states of the same initial class. Also returns the new state of each state.
pub(crate) fn merge(
    tables: &LrTables,
    initial: Vec<u32>,
    budget: &Budget,
) -> Result<(LrTables, Vec<LrState>), OverBudget> {
    let productions = Productions::new(tables);
    let mut partition = Partition::new(initial, dependents(tables));
    while partition.dirty() > 0 {
        let symbols = partition.dirty_states().iter().map(|&state| {
            let state = state as usize;
            tables.actions.row(state).len() + tables.gotos.row(state).len() + 1
        });
        let symbols: usize = symbols.sum();
        budget.charge_work(symbols as u64)?;
        budget.charge_bytes(symbols as u64 * BYTES_PER_SYMBOL)?;
        partition.round(|state, class_of, signature| {
            sign(tables, &productions, state as usize, class_of, signature)
        });
        budget.release_bytes(symbols as u64 * BYTES_PER_SYMBOL);
    }
    Ok(quotient(tables, productions, partition.class_of(), partition.classes()))
}

/// Productions by kind: productions with the same left-hand side and length have the same effect on a stack.
struct Productions {
    /// Per production that is used: its kind.
    kind: Vec<ProductionId>,
    /// Per kind: the left-hand side and the length.
    kinds: Vec<(NonterminalId, u32)>,
}

impl Productions {
    /// Numbers the kinds of the productions that some state reduces by.
    fn new(tables: &LrTables) -> Self {
        let mut numbers = FxHashMap::default();
        let mut kinds = Vec::new();
        let mut kind = vec![ProductionId(0); tables.productions.len()];
        let mut is_used = vec![false; tables.productions.len()];
        for &(_, action) in tables.actions.items() {
            if let Action::Reduce(by) = action {
                is_used[by.index()] = true;
            }
        }
        for (i, &production) in tables.productions.iter().enumerate().filter(|&(i, _)| is_used[i]) {
            kind[i] = *numbers.entry(production).or_insert_with(|| {
                kinds.push(production);
                ProductionId::new(kinds.len() - 1)
            });
        }
        Self { kind, kinds }
    }
}

/// The initial classes: states that are entered in the same way.
pub(crate) fn by_entry(tables: &LrTables, kinds: &[u32]) -> Vec<u32> {
    let key = |entry| match entry {
        Entry::Start => (0, 0),
        Entry::Shift(terminals) => (1, kinds[terminals[0].index()]),
        Entry::Goto(nonterminal) => (2, nonterminal.0),
    };
    number(tables.entries().into_iter().map(key))
}

fn dependents(tables: &LrTables) -> Csr<u32> {
    (0..tables.states()).map(|state| tables.predecessors.row(state).iter().map(|s| s.0)).collect()
}

/// Appends the actions and gotos of a state to its signature, with classes as targets.
fn sign(
    tables: &LrTables,
    productions: &Productions,
    state: usize,
    class_of: &[u32],
    signature: &mut Vec<u32>,
) {
    for &(terminal, action) in tables.actions.row(state) {
        match action {
            Action::Shift(to) => signature.extend([terminal.0, 0, class_of[to.index()]]),
            Action::Reduce(by) => signature.extend([terminal.0, 1, productions.kind[by.index()].0]),
        }
    }
    for &(nonterminal, to) in tables.gotos.row(state) {
        signature.extend([nonterminal.0, 2, class_of[to.index()]]);
    }
}

/// The tables with a state per class.
fn quotient(
    tables: &LrTables,
    productions: Productions,
    class_of: &[u32],
    classes: usize,
) -> (LrTables, Vec<LrState>) {
    let mut number = vec![None; classes];
    let mut first = Vec::with_capacity(classes);
    for state in 0..tables.states() {
        number[class_of[state] as usize].get_or_insert_with(|| {
            first.push(state);
            LrState::new(first.len() - 1)
        });
    }
    let new = |state: LrState| number[class_of[state.index()] as usize].expect("every class has a member");
    let new_action = |action| match action {
        Action::Shift(to) => Action::Shift(new(to)),
        Action::Reduce(by) => Action::Reduce(productions.kind[by.index()]),
    };
    let actions = first.iter().map(|&state| {
        let row = tables.actions.row(state).iter();
        let mut row: Vec<_> = row.map(|&(terminal, action)| (terminal, new_action(action))).collect();
        row.sort_unstable();
        row.dedup();
        row
    });
    let gotos = first.iter().map(|&state| {
        let row = tables.gotos.row(state).iter();
        row.map(|&(nonterminal, to)| (nonterminal, new(to))).collect::<Vec<_>>()
    });
    let (actions, gotos) = (actions.collect(), gotos.collect());
    let states = (0..tables.states()).map(|state| new(LrState::new(state))).collect();
    let predecessors = predecessors(&actions, &gotos);
    (LrTables { predecessors, actions, gotos, productions: productions.kinds, ..*tables }, states)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalize::{Cfg, Origin, Production};
    use gcc_grammar_ir::{Symbol, TerminalId};

    /// At least one of the members 0, 1, 2, in this order, separated by terminal 3: `p_j -> p_i , m_j` for all
    /// i < j.
    fn members() -> Cfg {
        let (t, n) = (|i| Symbol::Terminal(TerminalId(i)), |i| Symbol::Nonterminal(NonterminalId(i)));
        let production = |lhs, rhs: &[Symbol]| Production { lhs: NonterminalId(lhs), rhs: rhs.to_vec() };
        let mut productions = vec![production(0, &[n(1), t(4)])];
        productions.extend((0..3).map(|j| production(1, &[n(2 + j)])));
        for j in 0..3 {
            productions.push(production(2 + j, &[n(5 + j)]));
            productions.extend((0..j).map(|i| production(2 + j, &[n(2 + i), t(3), n(5 + j)])));
        }
        productions.extend((0..3).map(|j| production(5 + j, &[t(j)])));
        productions.sort();
        let names = ["start", "object", "p0", "p1", "p2", "m0", "m1", "m2"].map(str::to_owned).to_vec();
        Cfg {
            terminal_count: 5,
            origins: vec![Origin::Start; names.len()],
            unions: vec![0; names.len()],
            names,
            productions,
            start: NonterminalId(0),
            end: TerminalId(4),
        }
    }

    #[test]
    fn accepts_the_same_with_fewer_states() {
        let budget = Budget::unlimited("test");
        let whole = crate::lr::build(&members(), &budget).expect("small");
        let minimal = minimize(&whole, &[0; 5], &budget).expect("small");
        assert!(minimal.states() < whole.states(), "{} of {}", minimal.states(), whole.states());
        let mut texts: Vec<Vec<TerminalId>> = vec![vec![]];
        let mut accepted = 0;
        for _ in 0..6 {
            texts = texts
                .iter()
                .flat_map(|text| (0..4).map(move |t| [text.as_slice(), &[TerminalId(t)]].concat()))
                .collect();
            for text in &texts {
                assert_eq!(minimal.accepts(text), whole.accepts(text), "{text:?}");
                accepted += usize::from(minimal.accepts(text));
            }
        }
        assert_eq!(accepted, 7);
    }

    /// `x -> 0 | 1 | 2`: the states after the terminals are equivalent if the terminals are of the same kind.
    #[test]
    fn terminals_of_a_kind_lead_to_one_state() {
        let budget = Budget::unlimited("test");
        let t = |i| Symbol::Terminal(TerminalId(i));
        let production = |lhs, rhs: &[Symbol]| Production { lhs: NonterminalId(lhs), rhs: rhs.to_vec() };
        let mut productions = vec![production(0, &[Symbol::Nonterminal(NonterminalId(1)), t(3)])];
        productions.extend((0..3).map(|i| production(1, &[t(i)])));
        let cfg = Cfg {
            terminal_count: 4,
            origins: vec![Origin::Start; 2],
            unions: vec![0; 2],
            names: vec!["start".to_owned(), "x".to_owned()],
            productions,
            start: NonterminalId(0),
            end: TerminalId(3),
        };
        let whole = crate::lr::build(&cfg, &budget).expect("small");
        let shifted = |kinds: [u32; 4]| {
            let entries = minimize(&whole, &kinds, &budget).expect("small").entries();
            let terminals = entries.into_iter().filter_map(|entry| match entry {
                Entry::Shift(terminals) => Some(terminals.iter().map(|t| t.0).collect()),
                _ => None,
            });
            terminals.collect::<Vec<Vec<u32>>>()
        };
        assert_eq!(shifted([0; 4]), [vec![0, 1, 2], vec![3]]);
        assert_eq!(shifted([0, 1, 0, 0]), [vec![0, 2], vec![1], vec![3]]);
    }
}
