//! The algebra of regular languages: union, intersection, difference, complement, derivative, inclusion.
//!
//! All operations take minimal automata and return minimal automata. The Boolean ones use the product construction
//! (Rabin, Scott 1959): a state of the result is a pair with a state of each side, or nothing on a side that can no
//! longer accept. Only pairs from which the result may still accept are made: intersection needs both sides alive,
//! difference the left one. Inclusion and disjointness stop at the first witness and build no automaton.

use crate::dfa::{Dfa, NONE};
use crate::limits::{Meter, RegularLimits};
use crate::minimize::minimize;
use crate::patchwork::Patchwork;
use crate::raw::RawDfa;
use gcc_grammar_limits::OverBudget;
use rustc_hash::{FxHashMap, FxHashSet};

impl Dfa {
    /// The strings in both languages.
    pub fn intersect(&self, other: &Self, limits: &RegularLimits) -> Result<Self, OverBudget> {
        combine(self, other, Operation::Intersect, limits)
    }

    /// The strings in at least one of the two languages.
    pub fn union(&self, other: &Self, limits: &RegularLimits) -> Result<Self, OverBudget> {
        combine(self, other, Operation::Union, limits)
    }

    /// The strings of this language that are not in `other`.
    pub fn difference(&self, other: &Self, limits: &RegularLimits) -> Result<Self, OverBudget> {
        combine(self, other, Operation::Difference, limits)
    }

    /// The strings of this language that are not in `few`, a finite part of it. Any two states of this automaton must differ in infinitely many strings:
    /// then no two states of the product are equivalent, because what `few` takes from each is finite and follows from its own state.
    pub fn without_few(&self, few: &Self, limits: &RegularLimits) -> Result<Self, OverBudget> {
        if let Some(known) = shortcut(self, few, Operation::Difference) {
            return Ok(known);
        }
        let Some(places) = self.places_of(few) else { return self.difference(few, limits) };
        // Where the few texts have been left, it goes on as in this automaton; before that, each of their states is a state of its own.
        let (parts, own) = ([self, few], 0..self.state_count() as u32);
        let mut states = Patchwork::new(&parts, places.len() + own.len(), limits)?;
        for (state, &place) in (0..).zip(&places) {
            states.copy(0, place, places.len() as u32);
            states.overlay(1, state, 0);
            states.set_accepting(self.is_accepting(place) && !few.is_accepting(state));
        }
        own.for_each(|state| states.copy(0, state, places.len() as u32));
        Ok(states.build())
    }

    /// For each state of `few`: the state of this automaton that the same strings lead to; `None` if they lead to several.
    fn places_of(&self, few: &Self) -> Option<Vec<u32>> {
        let mut places = vec![None; few.state_count()];
        places[0] = Some(0);
        // States come breadth first, so each has its place before its transitions are followed, or no part of `few` is here.
        for state in 0..few.state_count() as u32 {
            let place = places[state as usize]?;
            for (low, high, to) in few.edges(state) {
                for byte in low..=high {
                    let next = self.next(place, byte)?;
                    if *places[to as usize].get_or_insert(next) != next {
                        return None;
                    }
                }
            }
        }
        places.into_iter().collect()
    }

    /// All byte strings that are not in this language.
    pub fn complement(&self, limits: &RegularLimits) -> Result<Self, OverBudget> {
        Self::all().difference(self, limits)
    }

    /// The language without the empty string.
    pub fn without_empty(&self, limits: &RegularLimits) -> Result<Self, OverBudget> {
        self.difference(&Self::empty_string(), limits)
    }

    /// The strings of this language that have no proper prefix in it.
    pub fn shortest_matches(&self, limits: &RegularLimits) -> Result<Self, OverBudget> {
        let (classes, class_count, mut table, accepting) = self.clone().into_parts();
        for (row, _) in table.chunks_exact_mut(class_count).zip(&accepting).filter(|(_, accepts)| **accepts) {
            row.fill(NONE);
        }
        minimize(RawDfa { classes, class_count, table, accepting }.reachable(), limits)
    }

    /// The derivative by `text`: all strings that `text` can be continued with to a string of this language
    /// (Brzozowski, "Derivatives of regular expressions", 1964).
    pub fn derivative(&self, text: &[u8], limits: &RegularLimits) -> Result<Self, OverBudget> {
        let Some(start) = self.state_after(text).filter(|_| !self.is_empty()) else {
            return Ok(Self::never());
        };
        let (classes, class_count, mut table, mut accepting) = self.clone().into_parts();
        // The new start changes places with state 0.
        for cell in table.iter_mut() {
            *cell = match *cell {
                1 => start + 1,
                cell if cell == start + 1 => 1,
                cell => cell,
            };
        }
        for class in 0..class_count {
            table.swap(class, start as usize * class_count + class);
        }
        accepting.swap(0, start as usize);
        minimize(RawDfa { classes, class_count, table, accepting }.reachable(), limits)
    }

    /// Whether every string of this language is also in `other`. Visits at most as many pairs as the product of the
    /// numbers of states.
    pub fn is_subset(&self, other: &Self, limits: &RegularLimits) -> Result<bool, OverBudget> {
        Ok(self.is_empty() || !reaches_acceptance(self, other, Operation::Difference, limits)?)
    }

    /// Whether the two languages share a string. Visits at most as many pairs as the product of the numbers of states.
    pub fn intersects(&self, other: &Self, limits: &RegularLimits) -> Result<bool, OverBudget> {
        let is_possible = !self.is_empty() && !other.is_empty();
        Ok(is_possible && reaches_acceptance(self, other, Operation::Intersect, limits)?)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Intersect,
    Union,
    Difference,
}

impl Operation {
    /// Whether a pair accepts, given which of its sides accept.
    fn accepts(self, left: bool, right: bool) -> bool {
        match self {
            Self::Intersect => left && right,
            Self::Union => left || right,
            Self::Difference => left && !right,
        }
    }

    /// Whether a pair may still accept, given which of its sides are alive.
    fn is_alive(self, left: bool, right: bool) -> bool {
        match self {
            Self::Intersect => left && right,
            Self::Union => left || right,
            Self::Difference => left,
        }
    }
}

/// A state of each side, + 1, or [`NONE`] on a side that can no longer accept.
type Pair = (u32, u32);

/// The common refinement of the byte classes of two automata.
struct JointClasses {
    /// The joint class of each byte.
    by_byte: Box<[u8; 256]>,
    /// Per joint class, its class on each side.
    sides: Vec<(u8, u8)>,
}

impl JointClasses {
    fn new(left: &Dfa, right: &Dfa) -> Self {
        let width = right.class_count();
        let mut known = vec![None; left.class_count() * width];
        let mut joint = Self { by_byte: Box::new([0; 256]), sides: Vec::new() };
        for (byte, (&a, &b)) in left.byte_classes().iter().zip(right.byte_classes()).enumerate() {
            let slot = &mut known[usize::from(a) * width + usize::from(b)];
            joint.by_byte[byte] = *slot.get_or_insert_with(|| {
                joint.sides.push((a, b));
                (joint.sides.len() - 1) as u8
            });
        }
        joint
    }
}

fn step(dfa: &Dfa, state: u32, class: u8) -> u32 {
    if state == NONE { NONE } else { dfa.row(state - 1)[usize::from(class)] }
}

fn accepts(dfa: &Dfa, state: u32) -> bool {
    state != NONE && dfa.is_accepting(state - 1)
}

/// Estimated bytes of a pair, in a list and in a hash table.
const BYTES_PER_PAIR: usize = 48;
/// The steps to make the joint classes of two automata.
const JOINT_CLASSES: usize = 100;

/// The minimal automaton of `left` *operation* `right`.
fn combine(left: &Dfa, right: &Dfa, operation: Operation, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
    match shortcut(left, right, operation) {
        Some(known) => Ok(known),
        None => {
            let (raw, _held) = product(left, right, operation, limits)?;
            minimize(raw, limits)
        }
    }
}

/// The product of two automata, with what holds its bytes: its states are numbered breadth first, and its classes by their least bytes.
fn product(
    left: &Dfa,
    right: &Dfa,
    operation: Operation,
    limits: &RegularLimits,
) -> Result<(RawDfa, Meter), OverBudget> {
    let mut meter = Meter::new(limits);
    meter.work(JOINT_CLASSES)?;
    let joint = JointClasses::new(left, right);
    let mut numbers: FxHashMap<Pair, u32> = FxHashMap::default();
    let mut pairs: Vec<Pair> = vec![(1, 1)];
    numbers.insert((1, 1), 0);
    let mut table = Vec::new();
    let mut next = 0;
    while next < pairs.len() {
        let (a, b) = pairs[next];
        meter.work(joint.sides.len())?;
        meter.bytes(joint.sides.len() * size_of::<u32>() + BYTES_PER_PAIR)?;
        let mut last = ((NONE, NONE), NONE);
        for &(class_a, class_b) in &joint.sides {
            let pair = (step(left, a, class_a), step(right, b, class_b));
            if !operation.is_alive(pair.0 != NONE, pair.1 != NONE) {
                table.push(NONE);
                continue;
            }
            // Neighbouring classes often lead to the same pair.
            if pair != last.0 {
                let number = *numbers.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    (pairs.len() - 1) as u32
                });
                last = (pair, number + 1);
            }
            table.push(last.1);
        }
        meter.states(pairs.len())?;
        next += 1;
    }
    let accepting =
        pairs.iter().map(|&(a, b)| operation.accepts(accepts(left, a), accepts(right, b))).collect();
    let class_count = joint.sides.len();
    Ok((RawDfa { classes: joint.by_byte, class_count, table, accepting }, meter))
}

/// The result, where it is known without a product.
fn shortcut(left: &Dfa, right: &Dfa, operation: Operation) -> Option<Dfa> {
    match operation {
        _ if left == right => {
            Some(if operation == Operation::Difference { Dfa::never() } else { left.clone() })
        }
        Operation::Intersect if left.is_empty() || right.is_empty() => Some(Dfa::never()),
        Operation::Union if left.is_empty() => Some(right.clone()),
        Operation::Union | Operation::Difference if right.is_empty() => Some(left.clone()),
        Operation::Difference if left.is_empty() => Some(Dfa::never()),
        _ => None,
    }
}

/// Whether the language of `left` *operation* `right` has a string. Stops at the first witness.
fn reaches_acceptance(
    left: &Dfa,
    right: &Dfa,
    operation: Operation,
    limits: &RegularLimits,
) -> Result<bool, OverBudget> {
    let mut meter = Meter::new(limits);
    meter.work(JOINT_CLASSES)?;
    let joint = JointClasses::new(left, right);
    let mut seen: FxHashSet<Pair> = FxHashSet::default();
    let mut stack: Vec<Pair> = vec![(1, 1)];
    seen.insert((1, 1));
    while let Some((a, b)) = stack.pop() {
        // The automata are trimmed, so a left side that continues alone is a witness of a difference.
        let lone = operation == Operation::Difference && b == NONE;
        if lone || operation.accepts(accepts(left, a), accepts(right, b)) {
            return Ok(true);
        }
        meter.work(joint.sides.len())?;
        meter.bytes(BYTES_PER_PAIR)?;
        for &(class_a, class_b) in &joint.sides {
            let pair = (step(left, a, class_a), step(right, b, class_b));
            if operation.is_alive(pair.0 != NONE, pair.1 != NONE) && seen.insert(pair) {
                stack.push(pair);
            }
        }
    }
    Ok(false)
}
