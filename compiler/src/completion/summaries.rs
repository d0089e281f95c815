//! What it costs to have a cell of the parser stack popped.
//!
//! In: the LR tables and the boundaries. Out: [`Summaries`]: for a cell with an LR state on top of the stack, at a
//! boundary, the *exits*: ways to read on until a reduction pops the cell, each with the fewest tokens. An exit says what
//! is left to do: how many more cells to pop, and the nonterminal to go to then.
//!
//! A reduction is done here without looking at the terminal that follows. This is sound: if a completion shifts a terminal
//! after it, that terminal can follow the reduction on this stack, and lookahead sets contain all such terminals.
//!
//! This is `pre*` of a weighted pushdown system, computed backwards by summaries. All rules add costs that are not
//! negative, so each cost is final when it is taken from the queue (Knuth 1977).

use super::boundaries::{Boundaries, Boundary, Outcome};
use super::tokens::Cost;
use crate::automata::Decoding;
use crate::ids::{LrState, ProductionId};
use crate::lexer::IGNORED;
use crate::lr::Action;
use gcc_grammar_ir::{NonterminalId, index_newtype};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::hash::Hash;

index_newtype! { vis pub(super),
    /// A cell on top of the stack, at a boundary.
    PlaceId;
    /// A way in which a cell is popped.
    ExitId;
}

/// Costs above this are taken for costs of what cannot be done.
const MAX_COST: Cost = 1 << 20;
/// The work to combine a caller of a place with a way that begins at it.
const PAIR_WORK: u64 = 2;

/// A cell on top of the stack, at a boundary.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Place {
    pub(super) state: LrState,
    pub(super) boundary: Boundary,
}

/// A way in which a cell is popped: `left` more cells are popped, then there is a goto on `nonterminal`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Exit {
    pub(super) nonterminal: NonterminalId,
    pub(super) left: u32,
    pub(super) boundary: Boundary,
}

/// A way to leave a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Way {
    /// The text ends.
    Accepted,
    /// The cell is popped.
    Exit(ExitId),
}

/// An item of the work list: something that has a cost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum WorkItem {
    /// From the first place a way leads to the second, which is directly above it.
    Above(PlaceId, PlaceId),
    /// From the first place a way leads to the second, which is the same cell at another boundary.
    Beside(PlaceId, PlaceId),
    /// From the place this way is taken.
    Way(PlaceId, Way),
}

/// A place from which another one is reached.
#[derive(Clone, Copy)]
pub(super) struct Caller {
    pub(super) place: PlaceId,
    pub(super) cost: Cost,
    pub(super) is_above: bool,
}

/// Numbers values in the order in which they come.
pub(super) struct Interner<T, Id> {
    all: Vec<T>,
    ids: FxHashMap<T, Id>,
}

impl<T: Copy + Eq + Hash, Id: Copy> Interner<T, Id> {
    fn new() -> Self {
        Self { all: Vec::new(), ids: FxHashMap::default() }
    }

    fn id(&mut self, value: T, make: impl FnOnce(usize) -> Id) -> Id {
        let all = &mut self.all;
        *self.ids.entry(value).or_insert_with(|| {
            all.push(value);
            make(all.len() - 1)
        })
    }
}

/// The costs to pop cells.
pub(super) struct Summaries<'a> {
    decoding: Decoding<'a>,
    boundaries: &'a Boundaries<'a>,
    places: Interner<Place, PlaceId>,
    exits: Interner<Exit, ExitId>,
    /// Per place: its ways with their costs, cheapest first.
    ways: Vec<Vec<(Way, Cost)>>,
    callers: Vec<Vec<Caller>>,
    /// Per LR state: the productions that it reduces, by nonterminal and length.
    reductions: Vec<Vec<(NonterminalId, u32)>>,
    /// Places that were met and not looked at yet.
    open: Vec<PlaceId>,
    queue: Queue,
    known: FxHashSet<WorkItem>,
}

/// Facts by cost.
#[derive(Default)]
struct Queue(BTreeMap<Cost, Vec<WorkItem>>);

impl Queue {
    fn push(&mut self, cost: Cost, item: WorkItem) {
        self.0.entry(cost).or_default().push(item);
    }

    /// Takes an item with the least cost.
    fn pop(&mut self) -> Option<(Cost, WorkItem)> {
        let mut least = self.0.first_entry()?;
        let (cost, item) = (*least.key(), least.get_mut().pop());
        if least.get().is_empty() {
            least.remove();
        }
        item.map(|item| (cost, item))
    }
}

impl<'a> Summaries<'a> {
    /// Computes the costs of all cells that a text can lead to.
    pub(super) fn new(
        decoding: &Decoding<'a>,
        boundaries: &'a Boundaries<'a>,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let mut summaries = Self {
            decoding: *decoding,
            boundaries,
            places: Interner::new(),
            exits: Interner::new(),
            ways: Vec::new(),
            callers: Vec::new(),
            reductions: reductions(decoding),
            open: Vec::new(),
            queue: Queue::default(),
            known: FxHashSet::default(),
        };
        summaries.place(LrState(0), boundaries.first());
        summaries.begin_open(budget)?;
        while let Some((cost, item)) = summaries.queue.pop() {
            budget.charge_work(8)?;
            if summaries.known.insert(item) {
                budget.charge_bytes(48)?;
                summaries.settle(cost, item, budget)?;
                summaries.begin_open(budget)?;
            }
        }
        Ok(summaries)
    }

    /// The place with this state and boundary, if some text leads to it.
    pub(super) fn find(&self, state: LrState, boundary: Boundary) -> Option<PlaceId> {
        self.places.ids.get(&Place { state, boundary }).copied()
    }

    /// All places, by id.
    pub(super) fn places(&self) -> &[Place] {
        &self.places.all
    }

    /// The ways to leave a place, with their costs, cheapest first.
    pub(super) fn ways(&self, place: PlaceId) -> &[(Way, Cost)] {
        &self.ways[place.index()]
    }

    /// The places from which a place is reached.
    pub(super) fn callers(&self, place: PlaceId) -> &[Caller] {
        &self.callers[place.index()]
    }

    /// An exit by its id.
    pub(super) fn exit(&self, exit: ExitId) -> Exit {
        self.exits.all[exit.index()]
    }

    /// The id of an exit, if some cell has it.
    pub(super) fn exit_id(&self, exit: Exit) -> Option<ExitId> {
        self.exits.ids.get(&exit).copied()
    }

    /// The place with this state and boundary.
    fn place(&mut self, state: LrState, boundary: Boundary) -> PlaceId {
        let fresh = self.places.all.len();
        let place = self.places.id(Place { state, boundary }, PlaceId::new);
        if place.index() == fresh {
            self.ways.push(Vec::new());
            self.callers.push(Vec::new());
            self.open.push(place);
        }
        place
    }

    /// Queues what can be done at once at the places that were met.
    fn begin_open(&mut self, budget: &Budget) -> Result<(), OverBudget> {
        while let Some(place) = self.open.pop() {
            let Place { state, boundary } = self.places.all[place.index()];
            let boundaries = self.boundaries;
            let outcomes = boundaries.outcomes(boundary);
            budget.charge_work(outcomes.len() as u64 + 1)?;
            for index in 0..self.reductions[state.index()].len() {
                let (nonterminal, length) = self.reductions[state.index()][index];
                self.add_exit(place, Exit { nonterminal, left: length - 1, boundary }, 0);
            }
            outcomes.iter().for_each(|&outcome| self.read(place, outcome));
        }
        Ok(())
    }

    /// Reads the lexeme of an outcome at a place.
    fn read(&mut self, place: PlaceId, Outcome { terminal, end, tokens }: Outcome) {
        let Place { state, boundary } = self.places.all[place.index()];
        let tables = self.decoding.lr;
        if terminal == IGNORED {
            let beside = self.place(state, Boundary { end, ..boundary });
            return self.push(tokens, WorkItem::Beside(place, beside));
        }
        for shifted in tables.actions_on(state, terminal).iter().filter_map(|(_, action)| action.shift()) {
            let item = if terminal == tables.end {
                WorkItem::Way(place, Way::Accepted)
            } else {
                WorkItem::Above(place, self.place(shifted, self.boundaries.after(end, shifted)))
            };
            self.push(tokens, item);
        }
    }

    /// A cost is final.
    fn settle(&mut self, cost: Cost, item: WorkItem, budget: &Budget) -> Result<(), OverBudget> {
        match item {
            WorkItem::Above(place, reached) => {
                self.call(Caller { place, cost, is_above: true }, reached, budget)
            }
            WorkItem::Beside(place, reached) => {
                self.call(Caller { place, cost, is_above: false }, reached, budget)
            }
            WorkItem::Way(place, way) => {
                budget.charge_work(self.callers[place.index()].len() as u64 * PAIR_WORK)?;
                self.ways[place.index()].push((way, cost));
                for index in 0..self.callers[place.index()].len() {
                    let caller = self.callers[place.index()][index];
                    self.go_on(caller, way, cost);
                }
                Ok(())
            }
        }
    }

    fn call(&mut self, caller: Caller, reached: PlaceId, budget: &Budget) -> Result<(), OverBudget> {
        budget.charge_work(self.ways[reached.index()].len() as u64 * PAIR_WORK)?;
        self.callers[reached.index()].push(caller);
        for index in 0..self.ways[reached.index()].len() {
            let (way, cost) = self.ways[reached.index()][index];
            self.go_on(caller, way, cost);
        }
        Ok(())
    }

    /// Goes on from the caller after a way was taken from the place that it reaches.
    fn go_on(&mut self, caller: Caller, way: Way, cost: Cost) {
        let cost = caller.cost.saturating_add(cost);
        let Way::Exit(exit) = way else {
            return self.push(cost, WorkItem::Way(caller.place, way));
        };
        let exit = self.exit(exit);
        if caller.is_above {
            self.pop(caller.place, exit, cost);
        } else {
            self.add_exit(caller.place, exit, cost);
        }
    }

    /// The cell above `place` was popped by `exit`: pops `place`, too, or goes to the nonterminal.
    fn pop(&mut self, place: PlaceId, exit: Exit, cost: Cost) {
        let Place { state, .. } = self.places.all[place.index()];
        if let Some(left) = exit.left.checked_sub(1) {
            return self.add_exit(place, Exit { left, ..exit }, cost);
        }
        if let Some(to) = self.decoding.lr.goto(state, exit.nonterminal) {
            let above = self.place(to, exit.boundary);
            self.push(cost, WorkItem::Above(place, above));
        }
    }

    fn add_exit(&mut self, place: PlaceId, exit: Exit, cost: Cost) {
        let exit = self.exits.id(exit, ExitId::new);
        self.push(cost, WorkItem::Way(place, Way::Exit(exit)));
    }

    fn push(&mut self, cost: Cost, item: WorkItem) {
        if cost <= MAX_COST && !self.known.contains(&item) {
            self.queue.push(cost, item);
        }
    }
}

/// Per LR state: the productions that it reduces, by nonterminal and length.
fn reductions(decoding: &Decoding<'_>) -> Vec<Vec<(NonterminalId, u32)>> {
    let tables = decoding.lr;
    let of = |state: usize| {
        let reduced = tables.actions.row(state).iter().filter_map(|&(_, action)| match action {
            Action::Shift(_) => None,
            Action::Reduce(ProductionId(production)) => Some(tables.productions[production as usize]),
        });
        let mut reduced: Vec<_> = reduced.collect();
        reduced.sort_unstable();
        reduced.dedup();
        reduced
    };
    (0..tables.states()).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The queue takes room, and looks, in proportion to its items and not to their costs.
    #[test]
    fn items_come_by_cost_and_the_latest_first() {
        let mut queue = Queue::default();
        let item = |place| WorkItem::Above(PlaceId(place), PlaceId(0));
        for (cost, place) in [(Cost::MAX, 1), (3, 2), (3, 3), (0, 4)] {
            queue.push(cost, item(place));
        }
        let all: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(all, [(0, item(4)), (3, item(3)), (3, item(2)), (Cost::MAX, item(1))]);
    }
}
