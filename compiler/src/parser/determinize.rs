//! Determinization: states of the DWA are sets of suspended items, reading one stack symbol at a time.
//!
//! Reading `p`: an item that has symbols to discard discards `p`; one that has none resumes on goto(p, A), and may be suspended again,
//! resolved with the same `p` until nothing is left at this level. The result depends on `p` only by the gotos that were asked
//! for, so it is kept in a decision tree over those answers ([`Decision`]) and computed once per distinct answers.

use super::Meeting;
use super::compose::{Collected, Composer, Item};
use crate::ids::{DwaState, LexState, LrState, SetId};
use crate::lexer::Lexer;
use crate::limits::{Budget, OverBudget};
use gcc_grammar_frontends::NonterminalId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

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

    /// Appends a state with these transitions; the most frequent one becomes the default.
    fn push(&mut self, mut row: Vec<(LrState, Transition)>, with_default: bool) {
        row.sort_unstable_by_key(|&(s, _)| s);
        let default = with_default.then(|| most_frequent(&row)).flatten();
        row.retain(|&(_, t)| Some(t) != default);
        self.default.push(default);
        self.exceptions.push(row);
    }
}

fn most_frequent(row: &[(LrState, Transition)]) -> Option<Transition> {
    let mut counts: FxHashMap<Transition, usize> = FxHashMap::default();
    row.iter().for_each(|&(_, t)| *counts.entry(t).or_default() += 1);
    counts.into_iter().max_by_key(|&(t, count)| (count, std::cmp::Reverse(t))).map(|(t, _)| t)
}

/// A state under construction.
struct State {
    items: Rc<[Item]>,
    decision: Decision,
    /// LR states already read from here.
    read: FxHashSet<LrState>,
    row: Vec<(LrState, Transition)>,
}

/// What reading a symbol gives, by the gotos it has.
enum Decision {
    Unknown,
    /// By goto(p, nonterminal).
    Ask(NonterminalId, FxHashMap<Option<LrState>, Decision>),
    Known(Transition),
}

struct Determinizer<'c, 'a, 's> {
    composer: &'c mut Composer<'a, 's>,
    budget: &'c Budget,
    states: Vec<State>,
    ids: FxHashMap<Rc<[Item]>, DwaState>,
    /// (state, symbol read to get there) pairs still to do, and those ever met.
    open: Vec<(DwaState, LrState)>,
    met: FxHashSet<(DwaState, LrState)>,
}

/// Builds the automaton from all starts.
pub(super) fn determinize(
    composer: &mut Composer<'_, '_>,
    lexer: &Lexer,
    budget: &Budget,
) -> Result<Dwa, OverBudget> {
    let mut determinizer = Determinizer {
        composer,
        budget,
        states: Vec::new(),
        ids: FxHashMap::default(),
        open: Vec::new(),
        met: FxHashSet::default(),
    };
    determinizer.state(Vec::new())?;
    let starts = determinizer.starts(lexer)?;
    while let Some((state, above)) = determinizer.open.pop() {
        determinizer.read_below(state, above)?;
    }
    let mut dwa = Dwa::default();
    determinizer.states.into_iter().for_each(|s| dwa.push(s.row, true));
    for row in starts {
        dwa.start.push(if row.is_empty() { DwaState(0) } else { DwaState::new(dwa.states()) });
        if !row.is_empty() {
            dwa.push(row, false);
        }
    }
    Ok(dwa)
}

impl Determinizer<'_, '_, '_> {
    /// The state with these items (sorted); state 0 has none.
    fn state(&mut self, items: Vec<Item>) -> Result<DwaState, OverBudget> {
        if let Some(&id) = self.ids.get(items.as_slice()) {
            return Ok(id);
        }
        self.budget.charge_bytes(items.len() as u64 * 12 + 200)?;
        let id = DwaState::new(self.states.len());
        self.budget.check("Parser DWA states", id.index() + 1, self.budget.limits().dwa_states)?;
        let items: Rc<[Item]> = items.into();
        self.ids.insert(items.clone(), id);
        self.states.push(State {
            items,
            decision: Decision::Unknown,
            read: FxHashSet::default(),
            row: Vec::new(),
        });
        Ok(id)
    }

    /// Per lexer state: the transitions on the top of the stack.
    fn starts(&mut self, lexer: &Lexer) -> Result<Vec<Vec<(LrState, Transition)>>, OverBudget> {
        let (tables, contexts) = (self.composer.tables, self.composer.contexts);
        let meeting = Meeting::new(tables);
        let mut starts = vec![Vec::new()];
        for lex in (1..lexer.states()).map(LexState::new) {
            let mut row = Vec::new();
            for lr in meeting.states_for(lexer, lex) {
                self.budget.charge_work(1)?;
                let node = self.composer.terminal.root(self.composer.sets, lex, contexts.of(lr))?;
                let outcome = self.composer.evaluate(node, &[lr].into())?;
                let target = self.state(outcome.items.clone())?;
                self.meet(target, lr)?;
                row.push((lr, Transition { output: outcome.fired, target }));
            }
            row.retain(|&(_, t)| t != Transition::default());
            self.budget.charge_bytes(row.len() as u64 * 12)?;
            starts.push(row);
        }
        Ok(starts)
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
        for &symbol in tables.predecessors.row(above.index()) {
            self.budget.charge_work(1)?;
            if !self.states[state.index()].read.insert(symbol) {
                continue;
            }
            let transition = self.read(state, symbol)?;
            self.budget.charge_bytes(20)?;
            self.states[state.index()].row.push((symbol, transition));
            self.meet(transition.target, symbol)?;
        }
        Ok(())
    }

    /// The transition of `state` on `symbol`, from the decision tree or computed and added to it.
    fn read(&mut self, state: DwaState, symbol: LrState) -> Result<Transition, OverBudget> {
        let tables = self.composer.tables;
        let mut decision = &self.states[state.index()].decision;
        while let Decision::Ask(nonterminal, branches) = decision {
            match branches.get(&tables.goto(symbol, *nonterminal)) {
                Some(next) => decision = next,
                None => break,
            }
        }
        if let Decision::Known(transition) = decision {
            return Ok(*transition);
        }
        let items = self.states[state.index()].items.clone();
        let (asked, transition) = self.compute(&items, symbol)?;
        let mut decision = &mut self.states[state.index()].decision;
        for (nonterminal, answer) in asked {
            if let Decision::Unknown = decision {
                *decision = Decision::Ask(nonterminal, FxHashMap::default());
            }
            let Decision::Ask(same, branches) = decision else {
                unreachable!("questions depend on answers alone")
            };
            debug_assert_eq!(*same, nonterminal);
            decision = branches.entry(answer).or_insert(Decision::Unknown);
        }
        *decision = Decision::Known(transition);
        Ok(transition)
    }

    /// Reads `symbol` from `items`; also says which gotos were asked for, in order.
    #[expect(clippy::type_complexity, reason = "a list of answers and the result")]
    fn compute(
        &mut self,
        items: &[Item],
        symbol: LrState,
    ) -> Result<(Vec<(NonterminalId, Option<LrState>)>, Transition), OverBudget> {
        let mut asked: Vec<(NonterminalId, Option<LrState>)> = Vec::new();
        let mut next = Collected::default();
        let mut here: Vec<Item> = items.to_vec();
        let mut seen: FxHashSet<Item> = items.iter().copied().collect();
        while let Some(item) = here.pop() {
            self.budget.charge_work(1)?;
            if item.discard > 0 {
                next.items.push(Item { discard: item.discard - 1, ..item });
                continue;
            }
            let answer = match asked.iter().find(|(n, _)| *n == item.nonterminal) {
                Some(&(_, answer)) => answer,
                None => {
                    let answer = self.composer.tables.goto(symbol, item.nonterminal);
                    asked.push((item.nonterminal, answer));
                    answer
                }
            };
            let Some(to) = answer else { continue };
            let outcome = self.composer.resume(item.arc, to)?;
            next.fired.push(outcome.fired);
            here.extend(outcome.items.iter().copied().filter(|&item| seen.insert(item)));
        }
        let outcome = self.composer.finish(next)?;
        let target = self.state(outcome.items)?;
        Ok((asked, Transition { output: outcome.fired, target }))
    }
}
