//! Boolean operations on two automata by the product construction.
//!
//! A pair holds a state of each side, or nothing where that side can no longer accept. Only pairs from which the
//! result may still accept are made: intersection needs both sides alive, difference the left one.

use super::limits::Meter;
use super::minimize::{Draft, NONE};
use super::{Dfa, RegularLimits, TooLarge};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    Intersect,
    Union,
    Difference,
}

impl Operation {
    fn accepts(self, left: bool, right: bool) -> bool {
        match self {
            Self::Intersect => left && right,
            Self::Union => left || right,
            Self::Difference => left && !right,
        }
    }

    /// May a pair with these sides alive still accept?
    fn is_alive(self, left: bool, right: bool) -> bool {
        match self {
            Self::Intersect => left && right,
            Self::Union => left || right,
            Self::Difference => left,
        }
    }
}

/// States of both sides, each + 1, 0 for none.
type Pair = (u32, u32);

/// The common refinement of the byte classes of two automata.
struct JointClasses {
    of_byte: Box<[u8; 256]>,
    /// Per joint class, the class on each side.
    sides: Vec<(u8, u8)>,
}

impl JointClasses {
    fn new(left: &Dfa, right: &Dfa) -> Self {
        let width = right.class_count();
        let mut known = vec![None; left.class_count() * width];
        let mut joint = Self { of_byte: Box::new([0; 256]), sides: Vec::new() };
        for (byte, (&a, &b)) in left.byte_classes().iter().zip(right.byte_classes()).enumerate() {
            let slot = &mut known[usize::from(a) * width + usize::from(b)];
            joint.of_byte[byte] = *slot.get_or_insert_with(|| {
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

pub(super) fn combine(
    left: &Dfa,
    right: &Dfa,
    operation: Operation,
    limits: &RegularLimits,
) -> Result<Dfa, TooLarge> {
    if let Some(known) = shortcut(left, right, operation) {
        return Ok(known);
    }
    let mut meter = Meter::new(limits);
    let joint = JointClasses::new(left, right);
    let mut numbers: FxHashMap<Pair, u32> = FxHashMap::default();
    let mut pairs: Vec<Pair> = vec![(1, 1)];
    numbers.insert((1, 1), 0);
    let mut table = Vec::new();
    let mut next = 0;
    while next < pairs.len() {
        let (a, b) = pairs[next];
        meter.work(joint.sides.len())?;
        meter.bytes(joint.sides.len() * size_of::<u32>())?;
        for &(class_a, class_b) in &joint.sides {
            let pair = (step(left, a, class_a), step(right, b, class_b));
            if !operation.is_alive(pair.0 != NONE, pair.1 != NONE) {
                table.push(NONE);
                continue;
            }
            let number = *numbers.entry(pair).or_insert_with(|| {
                pairs.push(pair);
                (pairs.len() - 1) as u32
            });
            table.push(number + 1);
        }
        meter.states(pairs.len())?;
        next += 1;
    }
    let accepting =
        pairs.iter().map(|&(a, b)| operation.accepts(accepts(left, a), accepts(right, b))).collect();
    Ok(Draft { classes: joint.of_byte, class_count: joint.sides.len(), table, accepting }.minimize())
}

/// Results that need no product.
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

pub(super) fn is_subset(left: &Dfa, right: &Dfa) -> bool {
    left.is_empty() || !reaches_acceptance(left, right, Operation::Difference)
}

pub(super) fn intersects(left: &Dfa, right: &Dfa) -> bool {
    !left.is_empty() && !right.is_empty() && reaches_acceptance(left, right, Operation::Intersect)
}

/// Is the language of the operation not empty? Stops at the first witness.
fn reaches_acceptance(left: &Dfa, right: &Dfa, operation: Operation) -> bool {
    let joint = JointClasses::new(left, right);
    let mut seen: FxHashSet<Pair> = FxHashSet::default();
    let mut stack: Vec<Pair> = vec![(1, 1)];
    seen.insert((1, 1));
    while let Some((a, b)) = stack.pop() {
        // A left side that goes on without the right one is itself a witness of a difference: it is trimmed.
        let lone = operation == Operation::Difference && b == NONE;
        if lone || operation.accepts(accepts(left, a), accepts(right, b)) {
            return true;
        }
        for &(class_a, class_b) in &joint.sides {
            let pair = (step(left, a, class_a), step(right, b, class_b));
            if operation.is_alive(pair.0 != NONE, pair.1 != NONE) && seen.insert(pair) {
                stack.push(pair);
            }
        }
    }
    false
}
