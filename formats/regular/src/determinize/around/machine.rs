//! The automata of an expression and of all its look-around as one automaton with several starts.

use super::super::indexed::IndexedNfa;
use crate::limits::{Meter, RegularLimits};
use crate::nfa::{Edge, Epsilon, Guard, Nfa, Preference};
use gcc_grammar_limits::OverBudget;
use rustc_hash::FxHashMap;

/// Estimated bytes of a state or transition.
const BYTES_PER_PART: usize = 40;

/// The automaton of a look-around: its states are among those of the machine.
pub(super) struct Around {
    pub(super) start: u32,
    pub(super) accept: u32,
    pub(super) behind: bool,
    pub(super) negative: bool,
}

/// The automata of an expression and of its look-around. State 0 is the start of the expression.
pub(super) struct Machine {
    pub(super) nfa: IndexedNfa,
    /// The guard of each state that has one.
    pub(super) guards: FxHashMap<u32, Vec<Guard>>,
    /// The parts of a look-around come before it.
    pub(super) arounds: Vec<Around>,
    /// Whether branches of the expression have an order of preference.
    pub(super) ordered: bool,
    /// Whether a match ends only where no preferred one is completed.
    pub(super) first_only: bool,
    /// Per state: whether the expression or a look-around accepts there.
    accepting: Vec<bool>,
    /// The bytes, in ranges that no transition and no assertion tells apart.
    pub(super) runs: Vec<(u8, u8)>,
}

impl Machine {
    pub(super) fn new(nfa: Nfa, preference: Preference, limits: &RegularLimits) -> Result<Self, OverBudget> {
        let mut parts = Parts { nfa: Nfa::default(), arounds: Vec::new(), meter: Meter::new(limits) };
        let accept = nfa.accept;
        parts.add(nfa)?;
        let Parts { nfa: mut whole, arounds, .. } = parts;
        whole.accept = accept;
        let mut guards: FxHashMap<u32, Vec<Guard>> = FxHashMap::default();
        whole.guards.iter().for_each(|guard| guards.entry(guard.from).or_default().push(*guard));
        let runs = runs(&whole);
        let mut accepting = vec![false; whole.states as usize];
        let accepts = arounds.iter().map(|around| around.accept).chain([accept]);
        accepts.for_each(|state| accepting[state as usize] = true);
        let (ordered, first_only) = (preference.is_ordered(), preference == Preference::FirstMatchOnly);
        Ok(Self { nfa: IndexedNfa::new(whole), guards, arounds, ordered, first_only, accepting, runs })
    }

    /// Whether a set of branches has to keep this state.
    pub(super) fn is_important(&self, state: u32) -> bool {
        self.accepts(state) || !self.nfa.edges(state).is_empty()
    }

    /// Whether an assertion may look at the text before it.
    pub(super) fn looks_behind(&self) -> bool {
        self.nfa.has_looks || self.arounds.iter().any(|around| around.behind)
    }

    /// Whether the expression or a look-around accepts in this state.
    pub(super) fn accepts(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }
}

/// The machine under construction.
struct Parts {
    nfa: Nfa,
    arounds: Vec<Around>,
    meter: Meter,
}

impl Parts {
    /// Adds an automaton, and those of its look-around before its own guards. Returns the number of its first state.
    fn add(&mut self, nfa: Nfa) -> Result<u32, OverBudget> {
        let first = self.nfa.states;
        let parts = nfa.states as usize + nfa.edges.len() + nfa.epsilons.len() + nfa.guards.len();
        self.meter.work(parts)?;
        self.meter.bytes(parts * BYTES_PER_PART)?;
        self.nfa.states += nfa.states;
        self.meter.states(self.nfa.states as usize)?;
        let edge = |edge: Edge| Edge { from: first + edge.from, to: first + edge.to, ..edge };
        self.nfa.edges.extend(nfa.edges.into_iter().map(edge));
        let epsilon =
            |epsilon: Epsilon| Epsilon { from: first + epsilon.from, to: first + epsilon.to, ..epsilon };
        self.nfa.epsilons.extend(nfa.epsilons.into_iter().map(epsilon));
        let mut numbers = Vec::with_capacity(nfa.arounds.len());
        for around in nfa.arounds {
            let accept = around.nfa.accept;
            let start = self.add(around.nfa)?;
            numbers.push(self.arounds.len());
            let (behind, negative) = (around.behind, around.negative);
            self.arounds.push(Around { start, accept: start + accept, behind, negative });
        }
        let guard = |Guard { from, around, to }| Guard {
            from: first + from,
            around: numbers[around],
            to: first + to,
        };
        self.nfa.guards.extend(nfa.guards.into_iter().map(guard));
        Ok(first)
    }
}

/// The ranges of bytes that nothing tells apart.
fn runs(nfa: &Nfa) -> Vec<(u8, u8)> {
    let (classes, _) = super::super::class_starts(nfa).classes();
    let mut runs: Vec<(u8, u8)> = Vec::new();
    for byte in 0..=255 {
        match runs.last_mut() {
            Some((low, high)) if classes[usize::from(*low)] == classes[usize::from(byte)] => *high = byte,
            _ => runs.push((byte, byte)),
        }
    }
    runs
}
