//! Lexer states that differ only in a count.
//!
//! `[a-z]{0,80}` is unrolled into 81 states. The state with one character more to go takes every path that the state before it
//! takes, to the state with one more to go again, and the paths that are one character longer. So one walk from the state
//! with the highest count finds what all of them give, if it notes for every path the least count that can take it. This is the way back
//! from an unrolled automaton to a counting one (Turoňová et al., Regex Matching with Counting-Set Automata, OOPSLA 2020).
//!
//! A *control state* is a row of lexer states by count, ascending. Found are pairs (state, the same with the next count) such that on every symbol
//!
//! - neither goes on, or only the one with the higher count, or
//! - both lead to the same state (the count is forgotten), or
//! - they lead to another such pair (the count goes on),
//!
//! as a greatest fixpoint from candidates: a state and where most bytes lead from it.

use super::levels::Levels;
use super::majority::Majority;
use crate::ids::{LexState, SymbolClass};
use crate::lexer::Lexer;
use crate::limits::{Budget, OverBudget};
use rustc_hash::{FxHashMap, FxHashSet};

/// Fewer counts than this are walked one by one.
const MIN_COUNTS: usize = 3;

/// A control state.
pub(super) struct Control {
    /// Its number.
    pub(super) number: u32,
    /// Its lexer states by count, ascending.
    pub(super) states: Vec<LexState>,
}

/// What a control state does on a symbol.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// The least count that can take it.
    pub(super) from: i32,
    /// The control state it leads to, and how much lower the count is there; none where the count is forgotten.
    pub(super) to: Option<(u32, i32)>,
    /// The state it leads to, or one of the control state.
    pub(super) state: LexState,
}

/// A path from all counts of a control state at once.
#[derive(Clone, Copy)]
pub(super) struct Path {
    /// The state it leads to, or one that is the same but for the count; 0 if no count can take it.
    pub(super) state: LexState,
    /// The least count that can take it.
    pub(super) least: i32,
    /// The control state it leads to, and how much lower the count is there; none where the count is forgotten.
    pub(super) counts: Option<(u32, i32)>,
}

impl Path {
    /// The path of no symbols.
    pub(super) fn from(control: &Control) -> Self {
        Self { state: control.states[0], least: 0, counts: Some((control.number, 0)) }
    }
}

/// The control states of a lexer.
#[derive(Default)]
pub(super) struct Counters {
    controls: Vec<Control>,
    /// Row-major `[control state][class]`.
    steps: Vec<Step>,
    /// Control states by class of their lexer states ([`Levels::of_tokens`]).
    of_class: FxHashMap<u32, u32>,
}

impl Counters {
    /// Finds them. Of states that no token can tell apart, one is enough.
    pub(super) fn new(
        lexer: &Lexer,
        levels: &Levels,
        majority: &mut Majority<'_>,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let mut pairs = Pairs::new(lexer, budget);
        let mut states = levels.representatives();
        // States are numbered as texts are read, and counts run down: of equivalent ones, the last has the lowest count.
        states.sort_unstable();
        for state in states.into_iter().rev().filter(|&state| state != LexState(0)) {
            let suits = |next| next != state && end_alike(lexer, state, next);
            if let Some(next) = majority.find(state, LexState::index, suits) {
                pairs.request(next, state)?;
                pairs.explore()?;
            }
        }
        pairs.refute_mixed();
        Ok(Self::from_pairs(&pairs, levels.of_tokens()))
    }

    /// The control state of a state of this class.
    pub(super) fn control(&self, class: u32) -> Option<&Control> {
        Some(&self.controls[*self.of_class.get(&class)? as usize])
    }

    /// All control states, by number.
    pub(super) fn controls(&self) -> &[Control] {
        &self.controls
    }

    /// What a control state does on a symbol.
    pub(super) fn on(&self, lexer: &Lexer, control: u32, class: SymbolClass) -> Step {
        self.steps[control as usize * lexer.classes + class.index()]
    }

    /// One more symbol on a path.
    pub(super) fn step(&self, lexer: &Lexer, path: Path, class: SymbolClass) -> Path {
        match path.counts {
            None => Path { state: lexer.next(path.state, class), ..path },
            Some((control, lower)) => {
                let step = self.on(lexer, control, class);
                Path {
                    state: step.state,
                    least: path.least.max(step.from.saturating_add(lower)),
                    counts: step.to.map(|(control, by)| (control, lower + by)),
                }
            }
        }
    }

    fn from_pairs(pairs: &Pairs<'_>, class_of: &[u32]) -> Self {
        let mut counters = Self::default();
        let mut places = FxHashMap::default();
        for pair in pairs.holding().filter(|pair| !pairs.by_high.contains_key(&pair.low)) {
            let mut states = vec![pair.low, pair.high];
            while let Some(&next) = pairs.by_low.get(&states[states.len() - 1]) {
                states.push(pairs.all[next as usize].high);
            }
            let number = counters.controls.len() as u32;
            for (&state, count) in states.iter().zip(0..) {
                places.insert(state, (number, count));
                if states.len() >= MIN_COUNTS {
                    counters.of_class.insert(class_of[state.index()], number);
                }
            }
            counters.controls.push(Control { number, states });
        }
        // Pairs that go round in a ring have no lowest count.
        if places.len() != pairs.by_low.len() + counters.controls.len() {
            return Self::default();
        }
        let steps = counters.controls.iter().map(|control| steps(pairs.lexer, &control.states, &places));
        Self { steps: steps.collect::<Vec<_>>().concat(), ..counters }
    }
}

/// What a control state does on each class.
fn steps(lexer: &Lexer, states: &[LexState], places: &FxHashMap<LexState, (u32, i32)>) -> Vec<Step> {
    let top = states.len() - 1;
    let [highest, below] = [states[top], states[top - 1]].map(|state| lexer.row(state));
    let step = |class: usize| {
        let state = highest[class];
        if state == LexState(0) {
            return Step { from: i32::MAX, to: None, state };
        }
        // What some count can take, all higher ones can.
        let next = |state: &LexState| lexer.next(*state, SymbolClass::new(class));
        let from = states.partition_point(|state| next(state) == LexState(0));
        let counts = from < top && state != below[class];
        let to = counts.then(|| places[&state]).map(|(control, count)| (control, top as i32 - count));
        Step { from: from as i32, to, state }
    };
    (0..lexer.classes).map(step).collect()
}

/// Whether tokens that end in `a` fare as those that end in `b`, and lexemes, too.
fn end_alike(lexer: &Lexer, a: LexState, b: LexState) -> bool {
    let accepts = lexer.accepts(a);
    lexer.pending[a.index()] == lexer.pending[b.index()]
        && accepts == lexer.accepts(b)
        && (accepts.is_empty() || lexer.end_class[a.index()] == lexer.end_class[b.index()])
}

/// A state, and perhaps the same with the next count.
struct Pair {
    low: LexState,
    high: LexState,
    /// Pairs that need this one.
    users: Vec<u32>,
}

/// Candidates. A state is the lower one of at most one pair, and the higher one of at most one.
struct Pairs<'a> {
    lexer: &'a Lexer,
    budget: &'a Budget,
    all: Vec<Pair>,
    /// The first one that was not looked at.
    next: usize,
    /// Those not refuted so far.
    by_low: FxHashMap<LexState, u32>,
    by_high: FxHashMap<LexState, u32>,
    refuted: FxHashSet<(LexState, LexState)>,
}

impl<'a> Pairs<'a> {
    fn new(lexer: &'a Lexer, budget: &'a Budget) -> Self {
        Self {
            lexer,
            budget,
            all: Vec::new(),
            next: 0,
            by_low: FxHashMap::default(),
            by_high: FxHashMap::default(),
            refuted: FxHashSet::default(),
        }
    }

    /// The candidate with these states, if there can be one.
    fn request(&mut self, low: LexState, high: LexState) -> Result<Option<u32>, OverBudget> {
        match (self.by_low.get(&low), self.by_high.get(&high)) {
            (None, None) => {}
            (a, b) => return Ok(if a == b { a.copied() } else { None }),
        }
        if !end_alike(self.lexer, low, high) || self.refuted.contains(&(low, high)) {
            return Ok(None);
        }
        self.budget.charge_bytes(96)?;
        let id = self.all.len() as u32;
        self.all.push(Pair { low, high, users: Vec::new() });
        self.by_low.insert(low, id);
        self.by_high.insert(high, id);
        Ok(Some(id))
    }

    /// Looks at new candidates, and at those that they need.
    fn explore(&mut self) -> Result<(), OverBudget> {
        while self.next < self.all.len() {
            let pair = self.next;
            self.next += 1;
            self.budget.charge_work(self.lexer.classes as u64 / 8 + 1)?;
            if !self.needs_hold(pair)? {
                self.refute(pair as u32);
            }
        }
        Ok(())
    }

    /// Requests all pairs that this one needs; whether there can be all of them.
    fn needs_hold(&mut self, pair: usize) -> Result<bool, OverBudget> {
        let lexer = self.lexer;
        let [low, high] = lexer.abreast([self.all[pair].low, self.all[pair].high]);
        let mut last = (LexState(0), LexState(0));
        for (&low, &high) in low.iter().zip(high) {
            if (low, high) == last || low == high || low == LexState(0) {
                continue;
            }
            last = (low, high);
            let needed = if high == LexState(0) { None } else { self.request(low, high)? };
            match needed {
                Some(needed) => self.all[needed as usize].users.push(pair as u32),
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Refutes a pair and all that need it.
    fn refute(&mut self, pair: u32) {
        let mut open = vec![pair];
        while let Some(pair) = open.pop() {
            let pair = &mut self.all[pair as usize];
            if self.refuted.insert((pair.low, pair.high)) {
                self.by_low.remove(&pair.low);
                self.by_high.remove(&pair.high);
                open.append(&mut pair.users);
            }
        }
    }

    /// Those that were not refuted, in the order in which they were found.
    fn holding(&self) -> impl Iterator<Item = &Pair> {
        self.all.iter().filter(|pair| !self.refuted.contains(&(pair.low, pair.high)))
    }

    /// A symbol must forget the count at all counts or at none: refutes pairs that differ in that from the pair below.
    fn refute_mixed(&mut self) {
        for pair in 0..self.all.len() {
            let Pair { low, high, .. } = self.all[pair];
            let Some(&below) = self.by_high.get(&low) else { continue };
            let [lowest, low, high] = self.lexer.abreast([self.all[below as usize].low, low, high]);
            let mut next = lowest.iter().zip(low).zip(high);
            if next.any(|((lowest, low), high)| *lowest != LexState(0) && (lowest == low) != (low == high)) {
                self.refute(pair as u32);
            }
        }
    }
}
