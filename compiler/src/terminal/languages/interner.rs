//! Languages of which each is one state, by their descriptions; see the page of this folder.

use crate::csr::Csr;
use crate::ids::{EndClass, LexState};
use crate::lexer::{Lexer, PatternId, PendingId, Rows, TerminalAutomaton};
use gcc_grammar_ir::{TerminalId, components};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

/// On cycles of more states than this, states are described by their order.
const MAX_CYCLE: usize = 64;
/// Estimated bytes of the row of a state, besides its targets.
const BYTES_PER_STATE: usize = 64;
/// Estimated bytes of a pattern, besides its classes.
const PATTERN_BYTES: u64 = 64;

/// The only terminal of the automaton.
pub(in crate::terminal) const ANY: TerminalId = TerminalId(0);

/// The number of a state in the automaton. States were interned from the last symbol to the first; as in the
/// lexer, states come in the order of the text.
pub(super) fn renumbered(states: usize, state: LexState) -> LexState {
    if state == LexState::DEAD { state } else { LexState::new(states - state.index()) }
}

/// Languages by their descriptions. State 0 is dead.
pub(super) struct Interner {
    classes: usize,
    /// By its classes, each with the number of its target: a pattern.
    patterns: FxHashMap<Box<[(u32, u32)]>, PatternId>,
    /// Row-major `[pattern][class]`: the number of the target, from 1; 0 is the dead state.
    slots: Vec<u32>,
    /// Per pattern: its number of targets.
    pub(super) sizes: Vec<u32>,
    /// By acceptance, pattern and targets.
    rows: FxHashMap<Box<[u32]>, LexState>,
    /// The states on small cycles, by their descriptions.
    pub(super) cycles: FxHashMap<Box<[u32]>, LexState>,
    /// Per small cycle: its first state, and the number of its states, which follow each other.
    pub(super) small_cycles: Vec<(LexState, u32)>,
    /// The states on a large cycle, in order, by the description of the cycle.
    pub(super) large_cycles: FxHashMap<Box<[u32]>, Box<[LexState]>>,
    /// Per state.
    pub(super) accepting: Vec<bool>,
    pattern: Vec<PatternId>,
    pub(super) targets: Vec<Box<[LexState]>>,
}

/// The states of a terminal's automaton: per state its pattern, and the states that its targets are.
struct States {
    patterns: Vec<PatternId>,
    targets: Csr<u32>,
}

/// Buffers for the rows of an automaton.
struct Slots {
    /// Per state: the last row that it is a target of, and its number there.
    of: Vec<(u32, u32)>,
    pattern: Vec<(u32, u32)>,
    targets: Vec<u32>,
}

impl Interner {
    pub(super) fn new(classes: usize, budget: &Budget) -> Result<Self, OverBudget> {
        let mut interner = Self {
            classes,
            patterns: FxHashMap::default(),
            slots: Vec::new(),
            sizes: Vec::new(),
            rows: FxHashMap::default(),
            cycles: FxHashMap::default(),
            small_cycles: Vec::new(),
            large_cycles: FxHashMap::default(),
            accepting: Vec::new(),
            pattern: Vec::new(),
            targets: Vec::new(),
        };
        let nothing = interner.pattern(&[], budget)?;
        interner.push(false, nothing, Box::default());
        Ok(interner)
    }

    /// The languages of all states of an automaton.
    pub(super) fn add(
        &mut self,
        automaton: &TerminalAutomaton,
        budget: &Budget,
    ) -> Result<Vec<LexState>, OverBudget> {
        let transitions = automaton.transition_count();
        budget.charge_work((automaton.states() + transitions) as u64)?;
        let bytes = (automaton.states() * BYTES_PER_STATE + transitions * size_of::<u32>()) as u64;
        budget.charge_bytes(bytes)?;
        let count = automaton.states();
        let of = vec![(u32::MAX, 0); count];
        let mut slots = Slots { of, pattern: Vec::new(), targets: Vec::new() };
        let mut rows =
            States { patterns: Vec::with_capacity(count), targets: Csr::with_capacity(count, count) };
        for state in 0..count as u32 {
            rows.patterns.push(self.row(automaton, state, &mut slots, budget)?);
            rows.targets.push(slots.targets.iter().copied());
        }
        let mut languages = vec![LexState::DEAD; count];
        let mut key = Vec::new();
        for mut component in components(count, 0..count as u32, |state| rows.targets.row(state as usize)) {
            component.sort_unstable();
            budget.charge_work(component.len() as u64)?;
            let state = component[0] as usize;
            if component.len() == 1 && !rows.targets.row(state).contains(&component[0]) {
                key.clear();
                key.extend([u32::from(automaton.is_accepting(component[0])), rows.patterns[state].0]);
                key.extend(rows.targets.row(state).iter().map(|&to| languages[to as usize].0));
                languages[state] = self.tree(&key, budget)?;
            } else if component.len() <= MAX_CYCLE {
                self.small_cycle(automaton, &rows, &component, &mut languages, budget)?;
            } else {
                self.large_cycle(automaton, &rows, &component, &mut languages, budget)?;
            }
        }
        budget.release_bytes(bytes);
        Ok(languages)
    }

    /// The pattern of a state, whose targets are left in `slots`. They are numbered in the order of their first symbols.
    fn row(
        &mut self,
        automaton: &TerminalAutomaton,
        state: u32,
        slots: &mut Slots,
        budget: &Budget,
    ) -> Result<PatternId, OverBudget> {
        let Slots { of, pattern, targets } = slots;
        pattern.clear();
        targets.clear();
        for &(class, to) in automaton.transitions(state) {
            let (seen_in, slot) = &mut of[to as usize];
            if *seen_in != state {
                (*seen_in, *slot) = (state, targets.len() as u32);
                targets.push(to);
            }
            pattern.push((class.0, *slot));
        }
        self.pattern(pattern, budget)
    }

    fn pattern(&mut self, classes: &[(u32, u32)], budget: &Budget) -> Result<PatternId, OverBudget> {
        if let Some(&known) = self.patterns.get(classes) {
            return Ok(known);
        }
        budget.charge_bytes((self.classes * 4 + classes.len() * 8) as u64 + PATTERN_BYTES)?;
        let id = PatternId::new(self.sizes.len());
        let first = self.slots.len();
        self.slots.resize(first + self.classes, 0);
        classes.iter().for_each(|&(class, slot)| self.slots[first + class as usize] = slot + 1);
        self.sizes.push(classes.iter().map(|&(_, slot)| slot + 1).max().unwrap_or(0));
        self.patterns.insert(classes.into(), id);
        Ok(id)
    }

    /// The language of a state that is on no cycle, by acceptance, pattern and targets.
    fn tree(&mut self, key: &[u32], budget: &Budget) -> Result<LexState, OverBudget> {
        if let Some(&known) = self.rows.get(key) {
            return Ok(known);
        }
        budget.charge_bytes(key.len() as u64 * 8 + 64)?;
        let targets = key[2..].iter().map(|&to| LexState(to)).collect();
        let state = self.push(key[0] == 1, PatternId(key[1]), targets);
        self.rows.insert(key.into(), state);
        Ok(state)
    }

    /// Finds the languages of the states on a cycle of a few states. Each is described by all of them.
    fn small_cycle(
        &mut self,
        automaton: &TerminalAutomaton,
        rows: &States,
        component: &[u32],
        languages: &mut [LexState],
        budget: &Budget,
    ) -> Result<(), OverBudget> {
        charge_descriptions(rows, component, component.len(), budget)?;
        let mut place = FxHashMap::default();
        let keys: Vec<Box<[u32]>> = component
            .iter()
            .map(|&state| describe(automaton, rows, state, component, languages, &mut place).into())
            .collect();
        // All of them are known, or none is.
        if self.cycles.contains_key(&keys[0]) {
            component
                .iter()
                .zip(&keys)
                .for_each(|(&state, key)| languages[state as usize] = self.cycles[key]);
            return Ok(());
        }
        self.new_cycle(automaton, rows, component, languages);
        self.small_cycles.push((languages[component[0] as usize], component.len() as u32));
        let known = component.iter().map(|&state| languages[state as usize]);
        self.cycles.extend(keys.into_iter().zip(known));
        Ok(())
    }

    /// Finds the languages of the states on a cycle of many states: by the description from its first state, and by
    /// the order in which that comes to them.
    fn large_cycle(
        &mut self,
        automaton: &TerminalAutomaton,
        rows: &States,
        component: &[u32],
        languages: &mut [LexState],
        budget: &Budget,
    ) -> Result<(), OverBudget> {
        charge_descriptions(rows, component, 1, budget)?;
        let mut place = FxHashMap::default();
        let description = describe(automaton, rows, component[0], component, languages, &mut place);
        let order = ordered(&place);
        if let Some(known) = self.large_cycles.get(&*description) {
            order.iter().zip(known).for_each(|(&state, &known)| languages[state as usize] = known);
            return Ok(());
        }
        self.new_cycle(automaton, rows, &order, languages);
        let known = order.iter().map(|&state| languages[state as usize]).collect();
        self.large_cycles.insert(description.into(), known);
        Ok(())
    }

    /// Adds the languages of the states on a cycle, in this order.
    fn new_cycle(
        &mut self,
        automaton: &TerminalAutomaton,
        rows: &States,
        order: &[u32],
        languages: &mut [LexState],
    ) {
        for &state in order {
            let pattern = rows.patterns[state as usize];
            let new = self.push(automaton.is_accepting(state), pattern, Box::default());
            languages[state as usize] = new;
        }
        for &state in order {
            let targets = rows.targets.row(state as usize).iter().map(|&to| languages[to as usize]).collect();
            self.targets[languages[state as usize].index()] = targets;
        }
    }

    fn push(&mut self, accepts: bool, pattern: PatternId, targets: Box<[LexState]>) -> LexState {
        self.accepting.push(accepts);
        self.pattern.push(pattern);
        self.targets.push(targets);
        LexState::new(self.accepting.len() - 1)
    }

    pub(super) fn into_automaton(self) -> Lexer {
        let states = self.accepting.len();
        let order = || std::iter::once(0).chain((1..states).rev());
        let target = |&to: &LexState| renumbered(states, to);
        let targets: Csr<LexState> = order().map(|state| self.targets[state].iter().map(target)).collect();
        let pattern = order().map(|state| self.pattern[state]).collect();
        let rows = Rows::from_patterns(self.classes, pattern, targets, self.sizes, self.slots);
        Lexer {
            classes: self.classes,
            contexts: 0,
            transitions: rows.expanded(),
            rows,
            accepts: order().map(|state| self.accepting[state].then_some(ANY)).collect(),
            end_class: vec![EndClass(0); states],
            restarts: Vec::new(),
            pending: (0..states).map(|state| PendingId(u32::from(state > 0))).collect(),
            pending_sets: [None, Some(ANY)].into_iter().collect(),
            members: None,
            counters: Default::default(),
            contested: None,
        }
    }
}

/// Charges for this number of descriptions of states on a cycle, and for its states.
fn charge_descriptions(
    rows: &States,
    component: &[u32],
    descriptions: usize,
    budget: &Budget,
) -> Result<(), OverBudget> {
    let targets = component.iter().map(|&state| rows.targets.row(state as usize).len()).sum::<usize>();
    let numbers = (2 * component.len() + targets + 1) * descriptions;
    budget.charge_work(numbers as u64)?;
    budget.charge_bytes((numbers * 4 + (component.len() + descriptions) * 96 + targets * 4) as u64)
}

/// Describes a state on a cycle by all states of the cycle, in the order of a breadth-first search from it, which
/// is left in `place`.
fn describe(
    automaton: &TerminalAutomaton,
    rows: &States,
    from: u32,
    component: &[u32],
    languages: &[LexState],
    place: &mut FxHashMap<u32, u32>,
) -> Vec<u32> {
    place.clear();
    place.insert(from, 0);
    let mut order = vec![from];
    let mut description = vec![component.len() as u32];
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        next += 1;
        let pattern = rows.patterns[state as usize];
        description.extend([u32::from(automaton.is_accepting(state)), pattern.0]);
        for &to in rows.targets.row(state as usize) {
            // States outside of the cycle are known, and states on it are not.
            let known = languages[to as usize];
            description.push(if known == LexState::DEAD {
                let fresh = order.len() as u32;
                let number = *place.entry(to).or_insert(fresh);
                if number == fresh {
                    order.push(to);
                }
                number << 1
            } else {
                known.0 << 1 | 1
            });
        }
    }
    description
}

/// The states in the order of their places.
fn ordered(place: &FxHashMap<u32, u32>) -> Vec<u32> {
    let mut order = vec![0; place.len()];
    place.iter().for_each(|(&state, &number)| order[number as usize] = state);
    order
}
