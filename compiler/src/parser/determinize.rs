//! Determinization: states of the DWA are sets of suspended items, reading one stack symbol at a time.
//!
//! Reading `p`: an item that has symbols to discard discards `p`; one that has none resumes on goto(p, A), and may be suspended again,
//! resolved with the same `p` until nothing is left at this level. What that gives is kept per item and symbol
//! ([`Composer::read`]), so that a state only unites what its items give.

use super::compose::Composer;
use super::meeting::Meeting;
use super::origins::Origins;
use super::outcome::{ItemsId, Outcome, OutcomeId, Reading};
use super::parts::Part;
use crate::ids::{DwaState, EndClass, LexState, LrState, NodeId, SetId};
use crate::lexer::{IGNORED, Lexer};
use crate::limits::{Budget, OverBudget, Resource};
use crate::sets::Sets;
use rustc_hash::{FxHashMap, FxHashSet};

/// What reading a symbol gives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Transition {
    /// Tokens allowed from here on.
    pub output: SetId,
    /// Where to go on reading; state 0: nowhere.
    pub target: DwaState,
}

/// A deterministic weighted automaton over LR states, read from the top of the stack.
#[derive(Clone, Debug, Default)]
pub struct Dwa {
    /// Per state: what every symbol without an exception gives; `None` if such a symbol cannot occur.
    pub default: Vec<Option<Transition>>,
    /// Per state: exceptions, sorted by symbol.
    pub exceptions: Vec<Vec<(LrState, Transition)>>,
    /// Per lexer state: where reading starts. State 0 for the dead one.
    pub start: Vec<DwaState>,
}

impl Dwa {
    /// Number of states, the final one included.
    #[must_use]
    pub fn states(&self) -> usize {
        self.default.len()
    }

    /// Number of stored transitions, defaults included.
    #[must_use]
    pub fn transitions(&self) -> usize {
        self.exceptions.iter().map(Vec::len).sum::<usize>() + self.default.iter().flatten().count()
    }

    /// What reading `symbol` in `state` gives.
    #[must_use]
    pub fn step(&self, state: DwaState, symbol: LrState) -> Option<Transition> {
        let row = &self.exceptions[state.index()];
        match row.binary_search_by_key(&symbol, |&(s, _)| s) {
            Ok(i) => Some(row[i].1),
            Err(_) => self.default[state.index()],
        }
    }

    /// Appends a state with these transitions, sorted; the most frequent one becomes the default.
    pub(super) fn push(&mut self, mut row: Row) {
        let default = most_frequent(&row);
        row.retain(|&(_, t)| Some(t) != default);
        self.default.push(default);
        self.exceptions.push(row);
    }
}

/// The transition that most symbols of the row have; the least of equally frequent ones.
pub(super) fn most_frequent(row: &Row) -> Option<Transition> {
    let (_, first) = row.first()?;
    if row.iter().all(|(_, transition)| transition == first) {
        return Some(*first);
    }
    let mut counts: FxHashMap<Transition, usize> = FxHashMap::default();
    row.iter().for_each(|&(_, t)| *counts.entry(t).or_default() += 1);
    counts.into_iter().max_by_key(|&(t, count)| (count, std::cmp::Reverse(t))).map(|(t, _)| t)
}

/// What a state does on the symbols that it can be asked for.
pub(super) type Row = Vec<(LrState, Transition)>;

/// Adds the transitions on symbols that `row` does not have. Both are sorted.
pub(super) fn unite(row: &mut Row, other: &Row) {
    let mut left = row.iter().peekable();
    let mut is_known = |symbol: LrState| {
        while left.next_if(|(own, _)| *own < symbol).is_some() {}
        left.peek().is_some_and(|(own, _)| *own == symbol)
    };
    let fresh: Row = other.iter().filter(|cell| !is_known(cell.0)).copied().collect();
    if !fresh.is_empty() {
        row.extend(fresh);
        // Two runs, which are merged in one pass.
        row.sort_by_key(|&(symbol, _)| symbol);
    }
}

/// The automaton with the transitions of each state on all symbols that it can be asked for.
#[derive(Default)]
pub(super) struct FullDwa {
    /// Sorted by symbol, each once.
    pub(super) rows: Vec<Row>,
    /// Per lexer state: where reading starts. State 0 for the dead one.
    pub(super) start: Vec<DwaState>,
}

/// The states that are reached by reading.
#[derive(Default)]
pub(super) struct States {
    /// Per state: its items, and the transitions found, in any order.
    pub(super) all: Vec<(ItemsId, Row)>,
    ids: FxHashMap<ItemsId, DwaState>,
}

impl States {
    /// The state with these items; state 0 has none.
    pub(super) fn of(&mut self, items: ItemsId, budget: &Budget) -> Result<DwaState, OverBudget> {
        if let Some(&id) = self.ids.get(&items) {
            return Ok(id);
        }
        budget.charge_bytes(80)?;
        let id = DwaState::new(self.all.len());
        budget.check(Resource::DwaStates, id.index() + 1, budget.limits().dwa_states)?;
        self.ids.insert(items, id);
        self.all.push((items, Row::new()));
        Ok(id)
    }
}

/// The automaton of the lexer states of one part.
pub(super) struct Determinized {
    pub(super) states: States,
    /// Transitions on the top of the stack.
    pub(super) rows: Vec<Row>,
    /// Per lexer state: which of these rows is its own, if it is of the part.
    pub(super) starts: Vec<Option<usize>>,
}

impl Determinized {
    /// The states that are reached by reading, then those in which reading starts.
    pub(super) fn into_dwa(self) -> FullDwa {
        let mut rows: Vec<Row> = self.states.all.into_iter().map(|(_, row)| row).collect();
        let start = |row: Option<usize>| row.map_or(DwaState(0), |row| DwaState::new(rows.len() + row));
        let start = self.starts.into_iter().map(start).collect();
        rows.extend(self.rows);
        rows.iter_mut().for_each(|row| row.sort_unstable_by_key(|&(symbol, _)| symbol));
        FullDwa { rows, start }
    }
}

struct Determinizer<'c, 'a, 's> {
    composer: &'c mut Composer<'a, 's>,
    budget: &'c Budget,
    states: States,
    /// Per symbol: a state that has read it. Complete for `marked`; what is known of other states may be overwritten.
    read_by: Vec<DwaState>,
    marked: DwaState,
    /// Per LR state that a goto leads to: for which state it was asked last, and the transition after it, if that does not depend on the
    /// symbol.
    after_goto: Vec<(DwaState, Option<Transition>)>,
    /// (state, symbol read to get there) pairs still to do, and those ever met.
    open: Vec<(DwaState, LrState)>,
    met: FxHashSet<(DwaState, LrState)>,
}

/// Builds the automaton for the lexer states of one part.
pub(super) fn determinize(
    composer: &mut Composer<'_, '_>,
    lexer: &Lexer,
    origins: &Origins,
    part: Part,
    budget: &Budget,
) -> Result<Determinized, OverBudget> {
    let states = composer.tables.states();
    let mut determinizer = Determinizer {
        composer,
        budget,
        states: States::default(),
        read_by: vec![DwaState(0); states],
        marked: DwaState(0),
        after_goto: vec![(DwaState(0), None); states],
        open: Vec::new(),
        met: FxHashSet::default(),
    };
    determinizer.states.of(ItemsId(0), budget)?;
    let (rows, starts) = determinizer.starts(lexer, origins, part)?;
    while let Some((state, above)) = determinizer.open.pop() {
        determinizer.read_below(state, above)?;
    }
    Ok(Determinized { states: determinizer.states, rows, starts })
}

impl Determinizer<'_, '_, '_> {
    /// The transition with this outcome.
    fn transition(&mut self, outcome: OutcomeId) -> Result<Transition, OverBudget> {
        let Outcome { fired, items } = self.composer.outcomes.get(outcome);
        Ok(Transition { output: fired, target: self.states.of(items, self.budget)? })
    }

    /// Transitions on the top of the stack, and per lexer state which of these rows is its own, if it is of the part. Other tops cannot
    /// occur, since heads are viable.
    fn starts(
        &mut self,
        lexer: &Lexer,
        origins: &Origins,
        part: Part,
    ) -> Result<(Vec<Row>, Vec<Option<usize>>), OverBudget> {
        let (tables, contexts) = (self.composer.tables, self.composer.contexts);
        let mut meeting = Meeting::new(tables, contexts, lexer, origins);
        let (mut rows, mut starts) = (Vec::new(), vec![None; lexer.states()]);
        // Rows of nodes that are the same in all contexts. A group list lives as long as `meeting`.
        let mut known: FxHashMap<(NodeId, *const Vec<LrState>), usize> = FxHashMap::default();
        let is_met = |lex| part.has(lex) && origins.is_entered(lex);
        for lex in (1..lexer.states()).map(LexState::new).filter(|&lex| is_met(lex)) {
            let groups = meeting.groups(lex, &self.composer.cells, self.budget)?;
            let key = match lexer.pending(lex).last() {
                Some(&IGNORED) => None,
                _ => Some((self.root(lex, LrState(0))?, groups.as_ptr())),
            };
            if let Some(&row) = key.and_then(|key| known.get(&key)) {
                starts[lex.index()] = Some(row);
                continue;
            }
            let mut row = Row::new();
            for group in groups.iter() {
                self.start(lex, group, &mut row)?;
            }
            self.budget.charge_bytes(row.len() as u64 * 12)?;
            if !row.is_empty() {
                known.extend(key.map(|key| (key, rows.len())));
                starts[lex.index()] = Some(rows.len());
                rows.push(row);
            }
        }
        // The first head is not asked whether it is viable.
        let first = lexer.restart(EndClass(0), contexts.of(LrState(0)));
        if first != LexState(0) && part.has(first) {
            let row = *starts[first.index()].get_or_insert(rows.len());
            rows.resize(rows.len().max(row + 1), Row::new());
            if rows[row].iter().all(|&(lr, _)| lr != LrState(0)) {
                self.start(first, &[LrState(0)], &mut rows[row])?;
            }
        }
        Ok((rows, starts))
    }

    /// The node of a lexer state, in the context of an LR state.
    fn root(&mut self, lex: LexState, lr: LrState) -> Result<NodeId, OverBudget> {
        let context = self.composer.contexts.of(lr);
        self.composer.terminal.root(self.composer.sets, lex, context)
    }

    /// Adds the transitions on a group of tops that begin with the same actions.
    fn start(&mut self, lex: LexState, group: &[LrState], row: &mut Row) -> Result<(), OverBudget> {
        self.budget.charge_work(group.len() as u64)?;
        let node = self.root(lex, group[0])?;
        let begun = self.composer.begin_node(node, group[0])?;
        for &lr in group {
            let outcome = self.composer.read_top(begun, lr)?;
            let transition = self.transition(outcome)?;
            self.meet(transition.target, lr)?;
            row.push((lr, transition));
        }
        Ok(())
    }

    /// Notes that `state` is reached by reading `symbol`.
    fn meet(&mut self, state: DwaState, symbol: LrState) -> Result<(), OverBudget> {
        if state != DwaState(0) && self.met.insert((state, symbol)) {
            self.budget.charge_bytes(16)?;
            self.open.push((state, symbol));
        }
        Ok(())
    }

    /// Adds the transitions of `state` on all symbols that can lie below `above`.
    fn read_below(&mut self, state: DwaState, above: LrState) -> Result<(), OverBudget> {
        let tables = self.composer.tables;
        self.mark(state);
        for &symbol in tables.predecessors.row(above.index()) {
            self.budget.charge_work(1)?;
            if std::mem::replace(&mut self.read_by[symbol.index()], state) == state {
                continue;
            }
            let transition = self.read(state, symbol)?;
            self.budget.charge_bytes(24)?;
            self.states.all[state.index()].1.push((symbol, transition));
            self.meet(transition.target, symbol)?;
        }
        Ok(())
    }

    /// Notes what `state` has read.
    fn mark(&mut self, state: DwaState) {
        if self.marked != state {
            self.states.all[state.index()]
                .1
                .iter()
                .for_each(|&(symbol, _)| self.read_by[symbol.index()] = state);
            self.marked = state;
        }
    }

    /// The transition of `state` on `symbol`. If all of its items go on by the same goto, symbols mostly differ in where that leads and
    /// in nothing else.
    fn read(&mut self, state: DwaState, symbol: LrState) -> Result<Transition, OverBudget> {
        let items = self.states.all[state.index()].0;
        if let Reading::Decides(nonterminal) = self.composer.outcomes.reading(items) {
            let Some(to) = self.composer.tables.goto(symbol, nonterminal) else {
                return Ok(Transition::default());
            };
            if self.after_goto[to.index()].0 != state {
                let outcome = self.composer.after_goto(items, to)?;
                let transition = outcome.map(|outcome| self.transition(outcome)).transpose()?;
                self.after_goto[to.index()] = (state, transition);
            }
            if let Some(transition) = self.after_goto[to.index()].1 {
                return Ok(transition);
            }
        }
        let outcome = self.composer.read(Sets::EMPTY, items, symbol)?;
        self.transition(outcome)
    }
}
