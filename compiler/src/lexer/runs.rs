//! Runs: which terminals may be under way, each with the state of its automaton. Interned, so that contexts share them.

use super::IGNORED;
use super::symbols::{Symbols, TerminalAutomaton};
use crate::ids::SymbolClass;
use crate::limits::{Budget, OverBudget};
use gcc_grammar_ir::{Grammar, TerminalId, index_newtype};
use rustc_hash::FxHashMap;

index_newtype! {
    /// An interned run; 0 is the empty one.
    RunId;
}

/// A terminal and a state of its automaton.
pub(super) type Pair = (TerminalId, u32);

/// The interner. Invariant: lists are sorted, without duplicates.
pub(super) struct Runs<'a> {
    terminals: &'a [TerminalAutomaton],
    /// Rank in a tie, highest wins: (priority, literal, earlier declaration).
    precedence: Vec<(i32, bool, std::cmp::Reverse<u32>)>,
    classes: usize,
    ignored: Vec<bool>,
    lists: Vec<Box<[Pair]>>,
    ids: FxHashMap<Box<[Pair]>, RunId>,
    budget: Budget,
}

impl<'a> Runs<'a> {
    pub(super) fn new(grammar: &Grammar, symbols: &'a Symbols, budget: Budget) -> Self {
        let mut precedence: Vec<_> = (0u32..)
            .zip(&grammar.terminals)
            .map(|(i, t)| (t.priority, t.literal, std::cmp::Reverse(i)))
            .collect();
        precedence.push((i32::MIN, false, std::cmp::Reverse(u32::MAX)));
        let mut ignored = vec![false; precedence.len()];
        grammar.ignored.iter().for_each(|t| ignored[t.index()] = true);
        Self {
            terminals: &symbols.terminals,
            precedence,
            classes: symbols.classes,
            ignored,
            lists: vec![Box::default()],
            ids: FxHashMap::from_iter([(Box::default(), RunId(0))]),
            budget,
        }
    }

    /// The pairs of a run.
    pub(super) fn pairs(&self, run: RunId) -> &[Pair] {
        &self.lists[run.index()]
    }

    /// Interns pairs in any order.
    pub(super) fn intern(&mut self, mut pairs: Vec<Pair>) -> Result<RunId, OverBudget> {
        pairs.sort_unstable();
        pairs.dedup();
        self.intern_sorted(&pairs)
    }

    /// Interns pairs that are sorted, without duplicates.
    fn intern_sorted(&mut self, pairs: &[Pair]) -> Result<RunId, OverBudget> {
        if let Some(&id) = self.ids.get(pairs) {
            return Ok(id);
        }
        self.budget.charge_bytes(pairs.len() as u64 * 16 + 80)?;
        let id = RunId::new(self.lists.len());
        let list: Box<[Pair]> = pairs.into();
        self.lists.push(list.clone());
        self.ids.insert(list, id);
        Ok(id)
    }

    /// The run at the start of a lexeme in a context of these terminals.
    pub(super) fn start(&mut self, terminals: &[TerminalId]) -> Result<RunId, OverBudget> {
        self.intern(terminals.iter().map(|&t| (t, 0)).collect())
    }

    /// All successors of `run` that are not empty, sorted by class.
    pub(super) fn successors(&mut self, run: RunId) -> Result<Vec<(SymbolClass, RunId)>, OverBudget> {
        let mut moves: Vec<(SymbolClass, Pair)> = Vec::new();
        for &(t, q) in &self.lists[run.index()] {
            let transitions = self.terminals[t.index()].transitions(q);
            moves.extend(transitions.iter().map(|&(class, to)| (class, (t, to))));
        }
        self.budget.charge_work(moves.len() as u64 + 1)?;
        moves.sort_unstable();
        moves.dedup();
        let mut pairs: Vec<Pair> = Vec::new();
        let mut out: Vec<(SymbolClass, RunId)> = Vec::new();
        for group in moves.chunk_by(|a, b| a.0 == b.0) {
            // Neighbouring classes often have the same successors: look before interning again.
            pairs.clear();
            pairs.extend(group.iter().map(|&(_, pair)| pair));
            let same = out.last().filter(|&&(_, last)| *self.lists[last.index()] == *pairs);
            let to = match same {
                Some(&(_, last)) => last,
                None => self.intern_sorted(&pairs)?,
            };
            out.push((group[0].0, to));
        }
        Ok(out)
    }

    /// The terminals that accept in `run`, sorted, all ignored ones as one [`IGNORED`] at the end.
    pub(super) fn accepting(&self, run: RunId) -> Vec<TerminalId> {
        let mut out: Vec<TerminalId> = self.accepting_pairs(run).map(|(t, _)| self.or_ignored(t)).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The terminals under way in `run`, sorted, all ignored ones as one [`IGNORED`] at the end.
    pub(super) fn under_way(&self, run: RunId) -> Vec<TerminalId> {
        let mut out: Vec<TerminalId> = self.pairs(run).iter().map(|&(t, _)| self.or_ignored(t)).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The terminal that wins the tie in `run`, if any accepts.
    pub(super) fn winner(&self, run: RunId) -> Option<TerminalId> {
        self.accepting_pairs(run).map(|(t, _)| t).max_by_key(|t| self.precedence[t.index()])
    }

    /// The terminals that accept in `run`, as they are.
    pub(super) fn accepting_terminals(&self, run: RunId) -> Vec<TerminalId> {
        self.accepting_pairs(run).map(|(t, _)| t).collect()
    }

    /// Whether any terminal accepts in `run`.
    pub(super) fn accepts(&self, run: RunId) -> bool {
        self.accepting_pairs(run).next().is_some()
    }

    /// Whether `a` wins a tie against `b`.
    pub(super) fn beats(&self, a: TerminalId, b: TerminalId) -> bool {
        self.precedence[a.index()] > self.precedence[b.index()]
    }

    /// Whether the pair can go on.
    pub(super) fn can_go_on(&self, (t, q): Pair) -> bool {
        !self.terminals[t.index()].transitions(q).is_empty()
    }

    /// `t`, or [`IGNORED`] if it is ignored.
    pub(super) fn or_ignored(&self, t: TerminalId) -> TerminalId {
        if self.ignored[t.index()] { IGNORED } else { t }
    }

    /// Number of symbol classes.
    pub(super) fn class_count(&self) -> usize {
        self.classes
    }

    /// Number of terminals, END included.
    pub(super) fn terminal_count(&self) -> usize {
        self.terminals.len()
    }

    fn accepting_pairs(&self, run: RunId) -> impl Iterator<Item = Pair> + '_ {
        self.pairs(run).iter().copied().filter(|&(t, q)| self.terminals[t.index()].is_accepting(q))
    }
}
