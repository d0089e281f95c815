//! Follows two different stacks that read the same terminals, over all texts at once.
//!
//! In: the LR tables, and the conflicts at which stacks part. Out: a graph of [`PairId`]s, from each pair to the
//! pairs after one more terminal.
//!
//! The states that both stacks have in common at the bottom are not represented, except for the topmost. Where
//! a reduction pops this state, it is tried with every state that may lie below. So a pair is one of finitely
//! many as long as its stacks stay short. The states below are forgotten between terminals, so the graph has a
//! path for every text, but a path need not have a text.
//!
//! Source: two parsers side by side find ambiguities in Schmitz, *Conservative ambiguity detection in
//! context-free grammars*, ICALP 2007, there with another finite approximation of the stacks.

use crate::ids::LrState;
use crate::lr::{Action, LrTables, Run};
use gcc_grammar_ir::{TerminalId, index_newtype};
use rustc_hash::FxHashMap;

/// The largest number of states that are known below a pair.
const MAX_DEPTH: usize = 16;
/// The largest number of states in a stack of a pair.
const MAX_LENGTH: usize = 24;
/// The largest number of pairs.
const MAX_PAIRS: usize = 50_000;
/// The largest number of steps of the parser.
const MAX_STEPS: usize = 500_000;
/// The largest number of steps of the parser on one terminal.
const MAX_STEPS_PER_TERMINAL: usize = 1_000;

index_newtype! {
    /// The number of a pair of stacks.
    PairId;
}

/// Two different stacks after the same text, above the topmost state that they have in common.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Pair {
    base: LrState,
    /// The lesser stack, bottom first.
    left: Vec<LrState>,
    right: Vec<LrState>,
}

/// Two stacks on which a terminal is tried, above the states that they have in common.
struct Step<'a> {
    left: &'a [LrState],
    right: &'a [LrState],
    /// The first action on each stack, if it is given.
    actions: Option<(Action, Action)>,
    terminal: TerminalId,
}

/// Why the stacks after a terminal are not known.
enum Unknown {
    /// A reduction pops more states than are known.
    Underflow,
    /// A limit is exceeded.
    LimitExceeded,
}

/// The error that a limit is exceeded.
struct LimitExceeded;

/// The pairs that were found so far.
pub(super) struct StackPairs<'a> {
    lr: &'a LrTables,
    run: Run<&'a LrTables>,
    pairs: Vec<Pair>,
    ids: FxHashMap<Pair, PairId>,
    /// The steps of the parser so far.
    steps: usize,
}

impl<'a> StackPairs<'a> {
    pub(super) fn new(lr: &'a LrTables) -> Self {
        Self { lr, run: Run::new(lr), pairs: Vec::new(), ids: FxHashMap::default(), steps: 0 }
    }

    /// The pairs after the terminal of a conflict; `None` if a limit is exceeded.
    pub(super) fn after_conflict(
        &mut self,
        state: LrState,
        cell: &[(TerminalId, Action)],
    ) -> Option<Vec<PairId>> {
        let mut found = Vec::new();
        for (i, &(terminal, left)) in cell.iter().enumerate() {
            for &(_, right) in &cell[i + 1..] {
                let step = Step { left: &[], right: &[], actions: Some((left, right)), terminal };
                self.step(state, &step, &mut found).ok()?;
            }
        }
        Some(found)
    }

    /// Finds all pairs that follow the pairs found so far. Returns the successors of every pair; `None` where a
    /// limit is exceeded.
    pub(super) fn successors(&mut self) -> Vec<Option<Vec<PairId>>> {
        let mut successors = Vec::new();
        while let Some(pair) = self.pairs.get(successors.len()).cloned() {
            successors.push(self.after_pair(&pair));
        }
        successors
    }

    /// The pairs after one more terminal.
    fn after_pair(&mut self, pair: &Pair) -> Option<Vec<PairId>> {
        let Pair { base, left, right } = pair;
        let top = |stack: &[LrState]| *stack.last().unwrap_or(base);
        let terminals = |state: LrState| {
            let mut terminals: Vec<_> = self.lr.actions.row(state.index()).iter().map(|&(t, _)| t).collect();
            terminals.dedup();
            terminals
        };
        let others = terminals(top(right));
        self.steps += others.len();
        let both = terminals(top(left)).into_iter().filter(|terminal| others.binary_search(terminal).is_ok());
        let mut found = Vec::new();
        for terminal in both {
            self.step(*base, &Step { left, right, actions: None, terminal }, &mut found).ok()?;
        }
        Some(found)
    }

    /// Adds the pairs after a terminal, whatever lies below the base.
    fn step(&mut self, base: LrState, step: &Step<'_>, found: &mut Vec<PairId>) -> Result<(), LimitExceeded> {
        let mut open = vec![vec![base]];
        while let Some(known) = open.pop() {
            if self.steps > MAX_STEPS || known.len() > MAX_DEPTH {
                return Err(LimitExceeded);
            }
            let (left, right) = step.actions.unzip();
            let left = self.shift(&[&known, step.left].concat(), left, step.terminal);
            let right = self.shift(&[&known, step.right].concat(), right, step.terminal);
            match (left, right) {
                (Ok(left), _) if left.is_empty() => {}
                (_, Ok(right)) if right.is_empty() => {}
                (Ok(left), Ok(right)) => {
                    for (left, right) in left.iter().flat_map(|l| right.iter().map(move |r| (l, r))) {
                        found.extend(self.add(left, right)?);
                    }
                }
                (Err(Unknown::LimitExceeded), _) | (_, Err(Unknown::LimitExceeded)) => {
                    return Err(LimitExceeded);
                }
                _ => {
                    let below = self.lr.predecessors.row(known[0].index()).iter();
                    open.extend(below.map(|&state| [&[state], &known[..]].concat()));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(())
    }

    /// The number of the pair of two stacks; `None` if the stacks are equal.
    fn add(&mut self, left: &[LrState], right: &[LrState]) -> Result<Option<PairId>, LimitExceeded> {
        let common = left.iter().zip(right).take_while(|(a, b)| a == b).count();
        let (base, left, right) = (left[common - 1], &left[common..], &right[common..]);
        if left == right {
            return Ok(None);
        }
        if left.len().max(right.len()) > MAX_LENGTH {
            return Err(LimitExceeded);
        }
        let (left, right) = if left < right { (left, right) } else { (right, left) };
        let pair = Pair { base, left: left.to_vec(), right: right.to_vec() };
        let next = PairId::new(self.pairs.len());
        let id = *self.ids.entry(pair.clone()).or_insert(next);
        if id == next {
            if next.index() == MAX_PAIRS {
                return Err(LimitExceeded);
            }
            self.pairs.push(pair);
        }
        Ok(Some(id))
    }

    /// The stacks after a terminal. Only the upper part of `stack` is known. The first action may be given.
    fn shift(
        &mut self,
        stack: &[LrState],
        first: Option<Action>,
        terminal: TerminalId,
    ) -> Result<Vec<Vec<LrState>>, Unknown> {
        self.run.stacks.clear();
        let bottom = self.run.stacks.bottom(stack[0]);
        let stack = stack[1..].iter().fold(bottom, |stack, &state| self.run.stacks.push(stack, state));
        let shifted = match first {
            Some(action) => self.run.shift_unmerged_by(stack, &[action], terminal),
            None => self.run.shift_unmerged(stack, terminal),
        };
        self.steps += shifted.steps;
        if shifted.steps > MAX_STEPS_PER_TERMINAL {
            return Err(Unknown::LimitExceeded);
        }
        if shifted.underflow {
            return Err(Unknown::Underflow);
        }
        Ok(shifted.stacks.into_iter().map(|stack| self.run.stacks.states(stack)).collect())
    }
}
