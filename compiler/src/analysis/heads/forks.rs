//! How long a conflict keeps stacks apart: pairs of stacks followed terminal by terminal, over all texts at once.
//!
//! What both stacks have in common at the bottom is not known and not looked at, save its topmost state; where a reduction pops that, it is
//! tried with every state that may lie below. So a pair is one of finitely many as long as its stacks stay short, and pairs with
//! the terminals between them are a graph: the longest way through it bounds the cost of a conflict, and a cycle means that there is no
//! bound. (Two parsers side by side are how Schmitz looks for ambiguity, "Conservative ambiguity detection in context-free grammars",
//! ICALP 2007, there with a finite approximation of the stacks.) What lies below is forgotten between terminals, so a bound holds, but a cycle may need a text that there is not.
//!
//! Both stacks of a pair take the same terminals. Where the next lexeme may be one terminal after the one and another after the other, heads may last
//! longer than it is said here.

use crate::ids::LrState;
use crate::lr::{Action, LrTables, Run};
use gcc_grammar_ir::TerminalId;
use rustc_hash::FxHashMap;

/// States known below a pair at most.
const MAX_DEPTH: usize = 16;
/// States of one of a pair's stacks at most.
const MAX_LENGTH: usize = 24;
/// Pairs at most.
const MAX_PAIRS: usize = 50_000;
/// Stacks that come about at most, all together and by reductions on one terminal.
const MAX_STEPS: usize = 500_000;
const MAX_REDUCED: usize = 1_000;

/// How long two heads that part at a conflict may be followed side by side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cost {
    /// For so many terminals at most, the one after which they part included. 0: only one of the actions ever leads to a shift of it.
    Terminals(usize),
    /// No bound was found.
    Unbounded,
}

/// Two different stacks after the same text, above the topmost state that they have in common.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Pair {
    base: LrState,
    /// Bottom first; the lesser one.
    left: Vec<LrState>,
    right: Vec<LrState>,
}

/// Why stacks cannot be told.
enum Unknown {
    /// A reduction pops more states than are known.
    Deeper,
    /// More than is looked at.
    TooMuch,
}

/// More than is looked at.
struct TooMuch;

/// Per conflict, in the order of states and terminals: what it costs.
#[must_use]
pub fn costs(lr: &LrTables) -> Vec<Cost> {
    let mut search = Search {
        lr,
        run: Run::new(lr),
        pairs: Vec::new(),
        ids: FxHashMap::default(),
        after: Vec::new(),
        steps: 0,
    };
    let mut roots = Vec::new();
    for state in (0..lr.states()).map(LrState::new) {
        roots.extend(lr.conflicts_of(state).map(|cell| search.part(state, cell)));
    }
    while let Some(pair) = search.pairs.get(search.after.len()).cloned() {
        let after = search.after_pair(&pair);
        search.after.push(after);
    }
    let lasts = search.lasts();
    let cost = |root: &Option<Vec<usize>>| {
        let pairs = root.as_ref()?;
        pairs.iter().map(|&pair| lasts[pair]).try_fold(0, |most: usize, lasts| Some(most.max(lasts?)))
    };
    roots.iter().map(|root| cost(root).map_or(Cost::Unbounded, Cost::Terminals)).collect()
}

struct Search<'a> {
    lr: &'a LrTables,
    run: Run<&'a LrTables>,
    pairs: Vec<Pair>,
    ids: FxHashMap<Pair, usize>,
    /// Per pair that was looked at: those after one more terminal; `None` if that was too much.
    after: Vec<Option<Vec<usize>>>,
    steps: usize,
}

impl Search<'_> {
    /// The pairs after a conflict.
    fn part(&mut self, state: LrState, cell: &[(TerminalId, Action)]) -> Option<Vec<usize>> {
        let mut found = Vec::new();
        for (i, &(terminal, left)) in cell.iter().enumerate() {
            for &(_, right) in &cell[i + 1..] {
                let origin = Origin { left: &[], right: &[], actions: Some((left, right)), terminal };
                self.follow(state, &origin, &mut found).ok()?;
            }
        }
        Some(found)
    }

    /// The pairs after one more terminal.
    fn after_pair(&mut self, pair: &Pair) -> Option<Vec<usize>> {
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
            self.follow(*base, &Origin { left, right, actions: None, terminal }, &mut found).ok()?;
        }
        Some(found)
    }

    /// Adds the pairs that a terminal makes of two stacks, whatever lies below.
    fn follow(&mut self, base: LrState, origin: &Origin<'_>, found: &mut Vec<usize>) -> Result<(), TooMuch> {
        let mut open = vec![vec![base]];
        while let Some(known) = open.pop() {
            if self.steps > MAX_STEPS || known.len() > MAX_DEPTH {
                return Err(TooMuch);
            }
            let (left, right) = origin.actions.unzip();
            let left = self.shift(&[&known, origin.left].concat(), left, origin.terminal);
            let right = self.shift(&[&known, origin.right].concat(), right, origin.terminal);
            match (left, right) {
                (Ok(left), _) if left.is_empty() => {}
                (_, Ok(right)) if right.is_empty() => {}
                (Ok(left), Ok(right)) => {
                    for (left, right) in left.iter().flat_map(|l| right.iter().map(move |r| (l, r))) {
                        found.extend(self.add(left, right)?);
                    }
                }
                (Err(Unknown::TooMuch), _) | (_, Err(Unknown::TooMuch)) => return Err(TooMuch),
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

    /// The number of a pair; none if the stacks are equal.
    fn add(&mut self, left: &[LrState], right: &[LrState]) -> Result<Option<usize>, TooMuch> {
        let common = left.iter().zip(right).take_while(|(a, b)| a == b).count();
        let (base, left, right) = (left[common - 1], &left[common..], &right[common..]);
        if left == right {
            return Ok(None);
        }
        if left.len().max(right.len()) > MAX_LENGTH {
            return Err(TooMuch);
        }
        let (left, right) = if left < right { (left, right) } else { (right, left) };
        let pair = Pair { base, left: left.to_vec(), right: right.to_vec() };
        let next = self.pairs.len();
        let id = *self.ids.entry(pair.clone()).or_insert(next);
        if id == next {
            if next == MAX_PAIRS {
                return Err(TooMuch);
            }
            self.pairs.push(pair);
        }
        Ok(Some(id))
    }

    /// The stacks after a terminal, of which only the upper part is known; the first action may be given.
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
        if shifted.steps > MAX_REDUCED {
            return Err(Unknown::TooMuch);
        }
        if shifted.underflow {
            return Err(Unknown::Deeper);
        }
        Ok(shifted.stacks.into_iter().map(|stack| self.run.stacks.states(stack)).collect())
    }

    /// Per pair: for how many terminals it lasts at most, the last one included; `None` if there is no bound. Pairs are done when all
    /// after them are; those on cycles never are.
    fn lasts(&self) -> Vec<Option<usize>> {
        let mut before = vec![Vec::new(); self.pairs.len()];
        let mut missing = vec![0; self.pairs.len()];
        for (pair, after) in self.after.iter().enumerate() {
            // One of which nothing is known is never done.
            missing[pair] = after.as_ref().map_or(1, Vec::len);
            after.iter().flatten().for_each(|&next| before[next].push(pair));
        }
        let mut lasts = vec![1; self.pairs.len()];
        let mut done: Vec<usize> = (0..self.pairs.len()).filter(|&pair| missing[pair] == 0).collect();
        let mut next = 0;
        while let Some(&pair) = done.get(next) {
            next += 1;
            for &earlier in &before[pair] {
                lasts[earlier] = lasts[earlier].max(lasts[pair] + 1);
                missing[earlier] -= 1;
                if missing[earlier] == 0 {
                    done.push(earlier);
                }
            }
        }
        lasts.into_iter().zip(missing).map(|(lasts, missing)| (missing == 0).then_some(lasts)).collect()
    }
}

/// Two stacks that a terminal is tried on, above what they have in common.
struct Origin<'a> {
    left: &'a [LrState],
    right: &'a [LrState],
    /// What is done first with each.
    actions: Option<(Action, Action)>,
    terminal: TerminalId,
}
