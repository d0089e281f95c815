//! Bounds how far the Parser DWA reads down the stack.
//!
//! In: the minimized automaton, with a row of explicit transitions per state, and per LR state the states that
//! can lie below it. Out: [`Depth`], the most cells that are read of any stack, or a cycle along which reading
//! never ends.
//!
//! The search runs over pairs of a DWA state and the LR states that can be read in it. Below an LR state lie
//! its predecessors in the LR automaton, and each path of the LR automaton from the start is a stack that some
//! text has. The rows have a transition on an LR state if and only if some stack makes the automaton take it:
//! determinization adds transitions for pairs that it has reached, and minimization unites rows. So every path
//! of pairs is read on some stack, and the bound is attained. A bound exists if and only if the pairs have no
//! cycle. Components are found by Tarjan's algorithm (*Depth-first search and linear graph algorithms*, 1972),
//! which finishes a component after all components that it leads to.

use super::dwa::{FullDwa, Row, Transition};
use crate::csr::Csr;
use crate::ids::{DwaState, LrState};
use crate::sets::Sets;
use gcc_grammar_ir::index_newtype;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// How far masks read down a stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Depth {
    /// At most this far, on every stack.
    Bounded(Bound),
    /// As far as this sequence of LR states is repeated on the stack, upwards. It is one of several if the
    /// pairs have several cyclic components.
    Unbounded {
        /// A shortest cycle of a component, from the bottom to the top.
        cycle: Vec<LrState>,
        /// The number of cyclic components.
        components: usize,
    },
}

/// The cost of reading a stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bound {
    /// The most cells that are read.
    pub cells: u32,
    /// The most transitions on the way whose output has tokens.
    pub outputs: u32,
}

impl Bound {
    /// The larger of each number.
    fn or(self, other: Self) -> Self {
        Self { cells: self.cells.max(other.cells), outputs: self.outputs.max(other.outputs) }
    }

    /// The bound before a transition with this bound after it.
    fn before(self, transition: Transition) -> Self {
        let outputs = self.outputs + u32::from(transition.output != Sets::EMPTY);
        Self { cells: self.cells + 1, outputs }
    }
}

index_newtype! {
    /// A node of the graph: a DWA state, and a set of LR states that it can read next.
    PairId;
}

/// Finds the bound of an automaton over stacks of an LR automaton with these predecessors.
///
/// # Errors
/// The budget is spent.
pub(super) fn depth(
    dwa: &FullDwa,
    predecessors: &Csr<LrState>,
    budget: &Budget,
) -> Result<Depth, OverBudget> {
    let mut search = Search::new(&dwa.rows, predecessors, budget);
    let mut most = Bound::default();
    for row in &dwa.rows {
        for &(symbol, transition) in row {
            let below = search.below(transition, symbol)?;
            most = most.or(below.before(transition));
        }
    }
    if search.components == 0 {
        return Ok(Depth::Bounded(most));
    }
    let cycle = search.first_cycle.map_or(Vec::new(), |start| search.cycle(start));
    Ok(Depth::Unbounded { cycle, components: search.components })
}

/// The findings about a node.
#[derive(Clone, Copy)]
struct Visited {
    /// The order in which nodes were found, then the least such number of a node on the path that is known to
    /// be reached: the `lowlink`.
    low: u32,
    is_open: bool,
    bound: Bound,
}

/// A node whose successors are being followed.
struct Frame {
    pair: PairId,
    /// The next of its LR states.
    next: usize,
    /// Whether the node leads to itself.
    is_loop: bool,
}

/// Depth-first search through the pairs.
struct Search<'a> {
    rows: &'a [Row],
    predecessors: &'a Csr<LrState>,
    budget: &'a Budget,
    /// Per LR state: the first LR state with the same predecessors, which stands for all of them.
    same_below: Vec<LrState>,
    ids: FxHashMap<(DwaState, LrState), PairId>,
    /// Per node: a DWA state, and the LR state above the cells that it reads.
    pairs: Vec<(DwaState, LrState)>,
    visited: Vec<Visited>,
    /// The nodes of components that are not finished.
    open: Vec<PairId>,
    path: Vec<Frame>,
    components: usize,
    first_cycle: Option<PairId>,
}

impl<'a> Search<'a> {
    fn new(rows: &'a [Row], predecessors: &'a Csr<LrState>, budget: &'a Budget) -> Self {
        let mut first: FxHashMap<&[LrState], LrState> = FxHashMap::default();
        let states = (0..predecessors.rows()).map(LrState::new);
        let same_below =
            states.map(|state| *first.entry(predecessors.row(state.index())).or_insert(state)).collect();
        Self {
            rows,
            predecessors,
            budget,
            same_below,
            ids: FxHashMap::default(),
            pairs: Vec::new(),
            visited: Vec::new(),
            open: Vec::new(),
            path: Vec::new(),
            components: 0,
            first_cycle: None,
        }
    }

    /// The bound below a transition on `symbol`, as far as there is one.
    fn below(&mut self, transition: Transition, symbol: LrState) -> Result<Bound, OverBudget> {
        if transition.target == DwaState::STOP {
            return Ok(Bound::default());
        }
        let (root, is_new) = self.enter(transition.target, symbol)?;
        if is_new {
            self.run()?;
        }
        Ok(self.visited[root.index()].bound)
    }

    /// The node of a DWA state that reads what lies below `above`, and whether it is new.
    fn enter(&mut self, state: DwaState, above: LrState) -> Result<(PairId, bool), OverBudget> {
        let key = (state, self.same_below[above.index()]);
        let fresh = PairId::new(self.pairs.len());
        let id = *self.ids.entry(key).or_insert(fresh);
        if id == fresh {
            self.budget.charge_bytes(64)?;
            self.budget.charge_work(self.predecessors.row(above.index()).len() as u64)?;
            self.pairs.push(key);
            self.visited.push(Visited { low: fresh.0, is_open: true, bound: Bound::default() });
            self.open.push(fresh);
            self.path.push(Frame { pair: fresh, next: 0, is_loop: false });
        }
        Ok((id, id == fresh))
    }

    /// The next transition of a node that leads to a node, from its LR state number `from` on, with the number
    /// behind it. The bounds of transitions that stop are added to the node.
    fn successor(&mut self, pair: PairId, from: usize) -> Option<(usize, LrState, Transition)> {
        let (state, above) = self.pairs[pair.index()];
        let symbols = self.predecessors.row(above.index());
        let row = &self.rows[state.index()];
        for (next, &symbol) in symbols.iter().enumerate().skip(from) {
            let Ok(at) = row.binary_search_by_key(&symbol, |&(symbol, _)| symbol) else { continue };
            let (_, transition) = row[at];
            if transition.target != DwaState::STOP {
                return Some((next + 1, symbol, transition));
            }
            let bound = &mut self.visited[pair.index()].bound;
            *bound = bound.or(Bound::default().before(transition));
        }
        None
    }

    /// Follows the nodes on the path until all are finished.
    fn run(&mut self) -> Result<(), OverBudget> {
        while let Some(&Frame { pair, next, .. }) = self.path.last() {
            self.budget.charge_work(1)?;
            match self.successor(pair, next) {
                Some((after, symbol, transition)) => self.follow(pair, after, symbol, transition)?,
                None => self.leave(pair),
            }
        }
        Ok(())
    }

    fn follow(
        &mut self,
        pair: PairId,
        after: usize,
        symbol: LrState,
        transition: Transition,
    ) -> Result<(), OverBudget> {
        let (target, is_new) = self.enter(transition.target, symbol)?;
        if is_new {
            // The same transition is met again when the target is finished.
            return Ok(());
        }
        let Visited { low, is_open, bound } = self.visited[target.index()];
        let own = &mut self.visited[pair.index()];
        own.bound = own.bound.or(bound.before(transition));
        if is_open {
            own.low = own.low.min(low);
        }
        if let Some(frame) = self.path.last_mut() {
            frame.next = after;
            frame.is_loop |= target == pair;
        }
        Ok(())
    }

    /// Finishes the last node of the path. If it is the first of its component, the component is finished.
    fn leave(&mut self, pair: PairId) {
        let is_loop = self.path.pop().is_some_and(|frame| frame.is_loop);
        if self.visited[pair.index()].low != pair.0 {
            return;
        }
        let mut members = 0;
        while let Some(member) = self.open.pop() {
            self.visited[member.index()].is_open = false;
            members += 1;
            if member == pair {
                break;
            }
        }
        if members > 1 || is_loop {
            self.components += 1;
            self.first_cycle.get_or_insert(pair);
        }
    }

    /// A shortest cycle through a node, from the bottom of the stack to the top.
    fn cycle(&mut self, start: PairId) -> Vec<LrState> {
        let mut from: FxHashMap<PairId, (PairId, LrState)> = FxHashMap::default();
        let mut open = VecDeque::from([start]);
        while let Some(pair) = open.pop_front() {
            let mut next = 0;
            while let Some((after, symbol, transition)) = self.successor(pair, next) {
                next = after;
                let key = (transition.target, self.same_below[symbol.index()]);
                let Some(&target) = self.ids.get(&key) else { continue };
                if target == start {
                    let above =
                        std::iter::successors(Some((pair, symbol)), |(pair, _)| from.get(pair).copied());
                    return above.map(|(_, symbol)| symbol).collect();
                }
                if target != start && !from.contains_key(&target) {
                    from.insert(target, (pair, symbol));
                    open.push_back(target);
                }
            }
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::SetId;
    use crate::random::Random;

    /// The longest reading that takes at most `limit` cells, by trying all stacks.
    fn search(dwa: &FullDwa, predecessors: &Csr<LrState>, limit: u32) -> Bound {
        let mut most = Bound::default();
        let mut open: Vec<(Bound, DwaState, LrState)> = Vec::new();
        let rows = dwa.rows.iter().enumerate();
        open.extend(rows.flat_map(|(state, row)| {
            row.iter().map(move |&(symbol, _)| (Bound::default(), DwaState::new(state), symbol))
        }));
        while let Some((Bound { cells, outputs }, state, symbol)) = open.pop() {
            let Some((_, t)) = dwa.rows[state.index()].iter().find(|(s, _)| *s == symbol) else { continue };
            let bound = Bound { cells: cells + 1, outputs: outputs + u32::from(t.output != Sets::EMPTY) };
            most = most.or(bound);
            if t.target != DwaState::STOP && bound.cells < limit {
                let below = predecessors.row(symbol.index()).iter();
                open.extend(below.map(|&symbol| (bound, t.target, symbol)));
            }
        }
        most
    }

    fn random_dwa(random: &mut Random) -> (FullDwa, Csr<LrState>) {
        let symbols = 5;
        let predecessors: Csr<LrState> = (0..symbols)
            .map(|_| (0..symbols).filter(|_| random.below(3) == 0).map(LrState::new).collect::<Vec<_>>())
            .collect();
        let states = 2 + random.below(6);
        let mut rows = vec![Row::new()];
        for state in 1..states {
            let target = |random: &mut Random| {
                let forwards = DwaState::new((state + 1 + random.below(states)) % states);
                if random.below(20) == 0 { DwaState::new(random.below(states)) } else { forwards }
            };
            let target = |random: &mut Random| match target(random) {
                DwaState(to) if (to as usize) <= state && random.below(12) > 0 => DwaState::STOP,
                to => to,
            };
            let row = (0..symbols).map(|symbol| {
                let output = SetId::new(random.below(2));
                (LrState::new(symbol), Transition { output, target: target(random) })
            });
            rows.push(row.collect());
        }
        (FullDwa { rows, start: Vec::new() }, predecessors)
    }

    #[test]
    fn bounds_are_those_of_a_search_through_all_stacks() {
        let random = &mut Random(7);
        let (mut bounded, mut unbounded) = (0, 0);
        for _ in 0..2_000 {
            let (dwa, predecessors) = random_dwa(random);
            match depth(&dwa, &predecessors, &Budget::unlimited("test")).expect("unlimited") {
                Depth::Bounded(bound) => {
                    assert_eq!(search(&dwa, &predecessors, 8 * 5), bound);
                    bounded += usize::from(bound.cells > 2);
                }
                Depth::Unbounded { cycle, components } => {
                    assert!(components > 0 && is_read_again(&dwa, &predecessors, &cycle));
                    unbounded += 1;
                }
            }
        }
        assert!(bounded > 200 && unbounded > 200, "{bounded} {unbounded}");
    }

    /// Whether a stack that repeats this sequence is read in a cycle.
    fn is_read_again(dwa: &FullDwa, predecessors: &Csr<LrState>, cycle: &[LrState]) -> bool {
        let can_lie = |above: LrState, below| predecessors.row(above.index()).contains(&below);
        let is_stack = cycle.windows(2).all(|pair| can_lie(pair[1], pair[0]))
            && can_lie(cycle[0], cycle[cycle.len() - 1]);
        let around = |start: DwaState| {
            cycle.iter().rev().try_fold(start, |state, symbol| {
                let row = &dwa.rows[state.index()];
                row.iter().find(|(s, _)| s == symbol).map(|(_, t)| t.target)
            })
        };
        let states = (1..dwa.rows.len()).map(DwaState::new);
        is_stack && states.into_iter().any(|state| around(state) == Some(state))
    }
}
