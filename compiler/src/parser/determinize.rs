//! Determinizes the composition: the states of the DWA are sets of suspended items, and read one stack symbol
//! at a time.
//!
//! In: the composition of the Terminal DWA with the LR automaton, evaluated on demand by a [`Composer`]. Out:
//! a [`FullDwa`] with a transition for every symbol that a state can read.
//!
//! Reading `p`: an item that has symbols to discard discards `p`. An item that has none resumes with goto(p,
//! A), and may be suspended again, until no item needs `p` any more. The results are kept per set of items
//! and symbol ([`Composer::read`]), so that a state only unites the results of its items. Below a symbol only
//! its LR predecessors can be read. This is the subset construction for weighted automata, where the weight
//! that is certain is put out as early as possible.

use super::composer::Composer;
use super::dwa::{FullDwa, Row, Transition};
use super::item_set::{ItemSetId, Outcome, OutcomeId, Reading};
use super::lexeme_starts::LexemeStarts;
use super::share::Share;
use super::viable_pairs::ViablePairs;
use crate::ids::{DwaState, EndClass, LexState, LrState, NodeId};
use crate::lexer::{IGNORED, Lexer};
use crate::sets::Sets;
use gcc_grammar_limits::{Budget, OverBudget, Resource};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a transition takes in a row that grows: when the row is moved, the room of both is there.
const BYTES_PER_TRANSITION: u64 = 36;

/// The states that reading leads to.
#[derive(Default)]
pub(super) struct States {
    /// Per state: its items, and its transitions so far, in any order.
    pub(super) all: Vec<(ItemSetId, Row)>,
    ids: FxHashMap<ItemSetId, DwaState>,
}

impl States {
    /// The state with these items; the final state has none.
    pub(super) fn with(&mut self, items: ItemSetId, budget: &Budget) -> Result<DwaState, OverBudget> {
        if let Some(&id) = self.ids.get(&items) {
            return Ok(id);
        }
        budget.charge_entry(80)?;
        let id = DwaState::new(self.all.len());
        budget.check(Resource::DwaStates, id.index() + 1, budget.limits().dwa_states)?;
        self.ids.insert(items, id);
        self.all.push((items, Row::new()));
        Ok(id)
    }
}

/// The automaton for a share of the lexer states.
pub(super) struct Determinized {
    pub(super) states: States,
    /// Transitions on the top of the stack, which several lexer states may share.
    pub(super) rows: Vec<Row>,
    /// Per lexer state: the index of its row in `rows`, if it belongs to the share.
    pub(super) starts: Vec<Option<usize>>,
}

impl Determinized {
    /// The automaton of the states that reading leads to, followed by the states in which reading starts.
    pub(super) fn into_dwa(self) -> FullDwa {
        let mut rows: Vec<Row> = self.states.all.into_iter().map(|(_, row)| row).collect();
        let start = |row: Option<usize>| row.map_or(DwaState::STOP, |row| DwaState::new(rows.len() + row));
        let start = self.starts.into_iter().map(start).collect();
        rows.extend(self.rows);
        rows.iter_mut().for_each(|row| row.sort_unstable_by_key(|&(symbol, _)| symbol));
        FullDwa { rows, start }
    }
}

/// Determinizes the composition, state by state.
struct Determinizer<'c, 'a> {
    composer: &'c mut Composer<'a>,
    budget: &'c Budget,
    states: States,
    /// Per symbol: the last state that has read it. Complete for `marked`; entries of other states may be
    /// overwritten.
    read_by: Vec<DwaState>,
    marked: DwaState,
    /// Per LR state that a goto leads to: the last state with that goto, and its transition, if the
    /// transition does not depend on the symbol otherwise.
    after_goto: Vec<(DwaState, Option<Transition>)>,
    /// Pairs (state, symbol that leads to it) that are still to do, and all pairs so far.
    open: Vec<(DwaState, LrState)>,
    reached: FxHashSet<(DwaState, LrState)>,
}

/// Builds the automaton for a share of the lexer states.
///
/// # Errors
/// The budget is spent.
pub(super) fn determinize(
    composer: &mut Composer<'_>,
    lexer: &Lexer,
    starts: &LexemeStarts,
    share: Share,
    budget: &Budget,
) -> Result<Determinized, OverBudget> {
    let states = composer.tables.states();
    let mut determinizer = Determinizer {
        composer,
        budget,
        states: States::default(),
        read_by: vec![DwaState::STOP; states],
        marked: DwaState::STOP,
        after_goto: vec![(DwaState::STOP, None); states],
        open: Vec::new(),
        reached: FxHashSet::default(),
    };
    determinizer.states.with(ItemSetId::EMPTY, budget)?;
    let (rows, starts) = determinizer.starts(lexer, starts, share)?;
    while let Some((state, above)) = determinizer.open.pop() {
        determinizer.read_below(state, above)?;
    }
    Ok(Determinized { states: determinizer.states, rows, starts })
}

impl Determinizer<'_, '_> {
    /// The transition with this outcome.
    fn transition(&mut self, outcome: OutcomeId) -> Result<Transition, OverBudget> {
        let Outcome { allowed, items } = self.composer.outcomes.get(outcome);
        Ok(Transition { output: allowed, target: self.states.with(items, self.budget)? })
    }

    /// The transitions on the top of the stack, and per lexer state the index of its row, if it belongs to
    /// the share. Only viable pairs have a transition: other tops cannot occur.
    fn starts(
        &mut self,
        lexer: &Lexer,
        lexeme_starts: &LexemeStarts,
        share: Share,
    ) -> Result<(Vec<Row>, Vec<Option<usize>>), OverBudget> {
        let (tables, contexts) = (self.composer.tables, self.composer.contexts);
        let mut pairs =
            ViablePairs::new(tables, &self.composer.cells, contexts, lexer, lexeme_starts, self.budget)?;
        let (mut rows, mut starts) = (Vec::new(), vec![None; lexer.states()]);
        // Rows of nodes that are the same in all contexts, by node and address of the groups, which live as
        // long as `pairs`.
        let mut known: FxHashMap<(NodeId, *const Vec<LrState>), usize> = FxHashMap::default();
        let needs_row = |lex| share.has(lex) && lexeme_starts.is_entered(lex);
        for lex in (1..lexer.states()).map(LexState::new).filter(|&lex| needs_row(lex)) {
            let groups = pairs.groups(lex, &self.composer.cells, self.budget)?;
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
        pairs.end(self.budget);
        // The first head needs a transition even if it is not viable.
        let first = lexer.restart(EndClass(0), contexts.of(LrState(0)));
        if first != LexState::DEAD && share.has(first) {
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
        self.composer.terminal.root(&mut self.composer.sets, lex, context)
    }

    /// Adds the transitions on a group of tops with the same first actions.
    fn start(&mut self, lex: LexState, group: &[LrState], row: &mut Row) -> Result<(), OverBudget> {
        self.budget.charge_work(group.len() as u64)?;
        let node = self.root(lex, group[0])?;
        let begun = self.composer.begin_node(node, group[0])?;
        for &lr in group {
            let outcome = self.composer.read_top(begun, lr)?;
            let transition = self.transition(outcome)?;
            self.reach(transition.target, lr)?;
            row.push((lr, transition));
        }
        Ok(())
    }

    /// Notes that reading `symbol` leads to `state`.
    fn reach(&mut self, state: DwaState, symbol: LrState) -> Result<(), OverBudget> {
        if state != DwaState::STOP && self.reached.insert((state, symbol)) {
            self.budget.charge_entry(16)?;
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
            self.budget.charge_bytes(BYTES_PER_TRANSITION)?;
            self.states.all[state.index()].1.push((symbol, transition));
            self.reach(transition.target, symbol)?;
        }
        Ok(())
    }

    /// Marks the symbols that `state` has read.
    fn mark(&mut self, state: DwaState) {
        if self.marked != state {
            self.states.all[state.index()]
                .1
                .iter()
                .for_each(|&(symbol, _)| self.read_by[symbol.index()] = state);
            self.marked = state;
        }
    }

    /// The transition of `state` on `symbol`. If all of its items continue with a goto on the same
    /// nonterminal, then symbols mostly differ in the target of the goto and in nothing else.
    fn read(&mut self, state: DwaState, symbol: LrState) -> Result<Transition, OverBudget> {
        let items = self.states.all[state.index()].0;
        if let Reading::Goto(nonterminal) = self.composer.outcomes.reading(items) {
            let Some(to) = self.composer.goto(symbol, nonterminal)? else {
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
