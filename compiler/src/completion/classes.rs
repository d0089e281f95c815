//! The classes of cells: an automaton that reads the stack from its bottom and adds up what the rest of it costs.
//!
//! In: the LR tables and the summaries. Out: [`Classes`]. For a cell, each exit that pops it has a cost: the fewest tokens
//! that complete the text after it. The least of them is the *potential* of the cell, and the differences to it are its
//! class. Class and potential of a cell follow from those of the cell below, because adding a number to all costs of the
//! cell below adds it to all costs of the cell. So a class has, per LR state that can lie above it, the class of that cell
//! and the number by which its potential is higher.
//!
//! There may be very many classes, or no end of them. Then fewer exits are told apart ([`Detail`]): a completion may only
//! use the exits that are left, so costs are higher, and are still those of real completions.

use super::summaries::{Exit, ExitId, PlaceId, Summaries, Way};
use super::tokens::Cost;
use crate::ids::LrState;
use crate::lr::LrTables;
use gcc_grammar_ir::index_newtype;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

index_newtype! { vis pub(super),
    /// A class of cells.
    ClassId;
}

/// The cost of what cannot be done. Sums of costs saturate at it.
pub(super) const NEVER: Cost = Cost::MAX;

/// The most classes of cells with the same LR state.
const MAX_OF_STATE: usize = 254;
/// The most classes per LR state on average, and in any case.
const MAX_ALL: (usize, usize) = (8, 4096);

/// The exits of a cell that its class tells apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Detail {
    /// All.
    All,
    /// The cheapest ones.
    Cheapest,
    /// The first of the cheapest ones.
    First,
}

/// A class of cells.
#[derive(Clone, Debug)]
pub(super) struct Class {
    /// The LR state of the cells.
    pub(super) state: LrState,
    /// Per exit of the LR state: its cost above the potential.
    costs: Vec<Cost>,
    /// The cells that can lie above: their LR state, ascending, their class, and how much higher their potential is.
    pub(super) above: Vec<(LrState, ClassId, Cost)>,
}

/// The automaton.
pub(super) struct Classes<'a> {
    pub(super) all: Vec<Class>,
    summaries: &'a Summaries<'a>,
    states: States,
    detail: Detail,
}

/// What the cells of an LR state have in common.
struct States {
    /// Per LR state: its places.
    places: Vec<Vec<PlaceId>>,
    /// Per LR state: its exits, sorted.
    exits: Vec<Vec<ExitId>>,
    /// Per LR state: whether the text may end without the cell being popped.
    accepts: Vec<bool>,
    /// Per LR state: the states that can lie above it, sorted.
    above: Vec<Vec<LrState>>,
}

impl States {
    fn new(tables: &LrTables, summaries: &Summaries<'_>) -> Self {
        let count = tables.states();
        let mut states = Self {
            places: vec![Vec::new(); count],
            exits: vec![Vec::new(); count],
            accepts: vec![false; count],
            above: vec![Vec::new(); count],
        };
        for (index, place) in summaries.places().iter().enumerate() {
            let state = place.state.index();
            states.places[state].push(PlaceId::new(index));
            for &(way, _) in summaries.ways(PlaceId::new(index)) {
                match way {
                    Way::Accepted => states.accepts[state] = true,
                    Way::Exit(exit) => states.exits[state].push(exit),
                }
            }
        }
        for exits in &mut states.exits {
            exits.sort_unstable();
            exits.dedup();
        }
        for state in (0..count).map(LrState::new) {
            for &below in tables.predecessors.row(state.index()) {
                states.above[below.index()].push(state);
            }
        }
        states
    }

    fn exit_cost(&self, class: &Class, exit: ExitId) -> Cost {
        let exits = &self.exits[class.state.index()];
        exits.binary_search(&exit).map_or(NEVER, |index| class.costs[index])
    }
}

impl<'a> Classes<'a> {
    /// The classes; `None` if there are too many, whatever is told apart.
    pub(super) fn new(
        tables: &LrTables,
        summaries: &'a Summaries<'a>,
        budget: &Budget,
    ) -> Result<Option<Self>, OverBudget> {
        let mut states = States::new(tables, summaries);
        for detail in [Detail::All, Detail::Cheapest, Detail::First] {
            let mut builder =
                Builder { tables, summaries, states, detail, all: Vec::new(), ids: FxHashMap::default() };
            let is_small = builder.build(budget)?;
            states = builder.states;
            if is_small {
                return Ok(Some(Self { all: builder.all, summaries, states, detail }));
            }
        }
        Ok(None)
    }

    /// Whether all exits are told apart, so that each text that can be completed has a cost.
    pub(super) fn are_complete(&self) -> bool {
        self.detail == Detail::All
    }

    /// What completes the text from a place with a cell of this class on top, above the potential of the cell.
    pub(super) fn cost(&self, class: ClassId, place: PlaceId) -> Cost {
        let class = &self.all[class.index()];
        let way = |&(way, cost): &(Way, Cost)| match way {
            Way::Accepted => cost,
            Way::Exit(exit) => self.states.exit_cost(class, exit).saturating_add(cost),
        };
        self.summaries.ways(place).iter().map(way).min().unwrap_or(NEVER)
    }
}

struct Builder<'a> {
    tables: &'a LrTables,
    summaries: &'a Summaries<'a>,
    states: States,
    detail: Detail,
    all: Vec<Class>,
    ids: FxHashMap<(LrState, Vec<Cost>), ClassId>,
}

impl Builder<'_> {
    /// Finds all classes. Returns whether they are within the limits; if not, some are missing.
    fn build(&mut self, budget: &Budget) -> Result<bool, OverBudget> {
        let most = (self.tables.states() * MAX_ALL.0).max(MAX_ALL.1);
        let bottom = vec![NEVER; self.states.exits[0].len()];
        self.class(LrState(0), bottom);
        let mut next = 0;
        while next < self.all.len() && self.all.len() <= most {
            let class = self.all[next].clone();
            let gotos = self.goto_costs(&class, budget)?;
            let mut above = Vec::new();
            for index in 0..self.states.above[class.state.index()].len() {
                let state = self.states.above[class.state.index()][index];
                if let Some((id, more)) = self.cell_above(&class, &gotos, state) {
                    above.push((state, id, more));
                }
            }
            budget.charge_bytes(above.len() as u64 * 12 + class.costs.len() as u64 * 4)?;
            self.all[next].above = above;
            next += 1;
        }
        Ok(next == self.all.len() && self.is_within_limits())
    }

    fn is_within_limits(&self) -> bool {
        let mut of_state = vec![0; self.tables.states()];
        self.all.iter().for_each(|class| of_state[class.state.index()] += 1);
        of_state.into_iter().all(|count| count <= MAX_OF_STATE)
    }

    /// The class of a cell with this LR state above a cell, and how much higher its potential is; `None` if the text cannot
    /// be completed there.
    fn cell_above(
        &mut self,
        below: &Class,
        gotos: &FxHashMap<ExitId, Cost>,
        state: LrState,
    ) -> Option<(ClassId, Cost)> {
        let exits = self.states.exits[state.index()].iter();
        let mut costs: Vec<Cost> = exits.map(|&exit| self.after(below, gotos, exit)).collect();
        let least = if self.states.accepts[state.index()] { Some(0) } else { costs.iter().min().copied() };
        let potential = least.filter(|&least| least != NEVER)?;
        costs.iter_mut().filter(|cost| **cost != NEVER).for_each(|cost| *cost -= potential);
        self.drop_exits(&mut costs);
        Some((self.class(state, costs), potential))
    }

    /// The cost after the cell above a cell was popped by an exit.
    fn after(&self, below: &Class, gotos: &FxHashMap<ExitId, Cost>, exit: ExitId) -> Cost {
        let Exit { left, .. } = self.summaries.exit(exit);
        let Some(left) = left.checked_sub(1) else { return gotos.get(&exit).copied().unwrap_or(NEVER) };
        let further = self.summaries.exit_id(Exit { left, ..self.summaries.exit(exit) });
        further.map_or(NEVER, |exit| self.states.exit_cost(below, exit))
    }

    /// The costs after gotos on top of a cell, by the exits that lead to them. They depend on each other where one goto
    /// follows another one on the same cell, so they are lowered until nothing changes.
    fn goto_costs(&self, class: &Class, budget: &Budget) -> Result<FxHashMap<ExitId, Cost>, OverBudget> {
        let mut gotos: Vec<(ExitId, PlaceId)> = Vec::new();
        for &(nonterminal, to) in self.tables.gotos.row(class.state.index()) {
            for &place in &self.states.places[to.index()] {
                let boundary = self.summaries.places()[place.index()].boundary;
                gotos.extend(
                    self.summaries.exit_id(Exit { nonterminal, left: 0, boundary }).map(|exit| (exit, place)),
                );
            }
        }
        let mut costs: FxHashMap<ExitId, Cost> = FxHashMap::default();
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for &(exit, place) in &gotos {
                let ways = self.summaries.ways(place);
                budget.charge_work(ways.len() as u64 + 1)?;
                let way = |&(way, cost): &(Way, Cost)| match way {
                    Way::Accepted => cost,
                    Way::Exit(exit) => self.after(class, &costs, exit).saturating_add(cost),
                };
                let cost = ways.iter().map(way).min().unwrap_or(NEVER);
                let known = costs.entry(exit).or_insert(NEVER);
                has_changed |= cost < *known;
                *known = cost.min(*known);
            }
        }
        Ok(costs)
    }

    /// Drops the exits that are not told apart.
    fn drop_exits(&self, costs: &mut [Cost]) {
        let mut is_first = true;
        for cost in costs.iter_mut() {
            let is_kept = match self.detail {
                Detail::All => true,
                Detail::Cheapest => *cost == 0,
                Detail::First => *cost == 0 && std::mem::take(&mut is_first),
            };
            if !is_kept {
                *cost = NEVER;
            }
        }
    }

    fn class(&mut self, state: LrState, costs: Vec<Cost>) -> ClassId {
        let fresh = ClassId::new(self.all.len());
        let id = *self.ids.entry((state, costs.clone())).or_insert(fresh);
        if id == fresh {
            self.all.push(Class { state, costs, above: Vec::new() });
        }
        id
    }
}
