//! Minimizes a deterministic automaton by partition refinement.
//!
//! Source: Valmari, "Fast brief practical DFA minimization" (2012). A partition of the states into *blocks* and one of
//! the transitions into *cords* refine each other, always relabelling the smaller half (Hopcroft's idea), in O(m log n)
//! for m transitions. The algorithm works on partial transition functions, so no sink state is ever made; in exchange,
//! states that are not co-accessible have to go first.
//! Here, only states that a cycle leads to are refined.

use super::partition::{Grouped, Partition};
use super::register::Register;
use super::rounds;
use super::transitions::Transitions;
use crate::dfa::NONE;
use crate::limits::Meter;
use crate::raw::{RawDfa, renumber};
use gcc_grammar_limits::OverBudget;

/// The memory that minimization needs per transition: its two ends and class, its places in two orders and in a partition.
const BYTES_PER_TRANSITION: usize = 36;
/// With so many states, rounds come first.
const MANY_STATES: usize = 4096;
/// The work to move a transition or state within its set: it is far from the last one in memory.
const MARK_WORK: usize = 3;

/// Registers the minimal states of the states of `raw` but the `others`, which none of them leads to. Per state: the registered one + 1, or [`NONE`] if it cannot
/// reach acceptance, or is one of the others.
pub(super) fn minimize(
    raw: &RawDfa,
    others: &[u32],
    register: &mut Register,
    meter: &mut Meter,
) -> Result<Vec<u32>, OverBudget> {
    let mut kept = vec![true; raw.accepting.len()];
    others.iter().for_each(|&state| kept[state as usize] = false);
    let states: Vec<u32> = (0..raw.accepting.len() as u32).filter(|&state| kept[state as usize]).collect();
    let cells = states.iter().flat_map(|&state| raw.row(state));
    let transitions = cells.filter(|&&cell| cell != NONE).count();
    meter.work(2 * transitions)?;
    meter.bytes(transitions * BYTES_PER_TRANSITION)?;
    let part = Part::new(raw, &states).useful();
    let blocks = equivalent_states(&part.transitions, &part.accepting, raw.class_count, meter)?;
    Ok(part.register(raw, &blocks, register))
}

/// Some states of an automaton, numbered anew.
struct Part {
    /// Per state: its old number.
    old: Vec<u32>,
    accepting: Vec<bool>,
    /// The transitions between the states.
    transitions: Transitions,
}

impl Part {
    fn new(raw: &RawDfa, states: &[u32]) -> Self {
        let mut new = vec![NONE; raw.accepting.len()];
        states.iter().zip(1..).for_each(|(&state, number)| new[state as usize] = number);
        let mut transitions = Transitions::default();
        for (&state, tail) in states.iter().zip(0..) {
            for (class, cell) in (0..=u8::MAX).zip(raw.row(state)) {
                let head = cell.checked_sub(1).and_then(|target| new[target as usize].checked_sub(1));
                if let Some(head) = head {
                    transitions.push((tail, class, head));
                }
            }
        }
        let accepting = states.iter().map(|&state| raw.accepting[state as usize]).collect();
        Self { old: states.to_vec(), accepting, transitions }
    }

    /// The states that can reach acceptance.
    fn useful(self) -> Self {
        let incoming = self.transitions.by_head(self.accepting.len());
        let mut useful = self.accepting.clone();
        let mut stack: Vec<u32> = (0..useful.len() as u32).filter(|&state| useful[state as usize]).collect();
        while let Some(state) = stack.pop() {
            for &transition in incoming.with_key(state) {
                let tail = self.transitions.tail[transition as usize];
                if !std::mem::replace(&mut useful[tail as usize], true) {
                    stack.push(tail);
                }
            }
        }
        if useful.iter().all(|&useful| useful) { self } else { self.only(&useful) }
    }

    fn only(self, kept: &[bool]) -> Self {
        let mut new = vec![NONE; kept.len()];
        let mut part = Self { old: Vec::new(), accepting: Vec::new(), transitions: Transitions::default() };
        for state in (0..kept.len()).filter(|&state| kept[state]) {
            new[state] = part.old.len() as u32;
            part.old.push(self.old[state]);
            part.accepting.push(self.accepting[state]);
        }
        let Transitions { tail, label, head } = self.transitions;
        for ((tail, label), head) in tail.into_iter().zip(label).zip(head) {
            if kept[tail as usize] && kept[head as usize] {
                part.transitions.push((new[tail as usize], label, new[head as usize]));
            }
        }
        part
    }

    /// Registers a state for each block.
    fn register(&self, raw: &RawDfa, blocks: &Partition, register: &mut Register) -> Vec<u32> {
        let mut number = vec![NONE; raw.accepting.len()];
        let mut first = vec![NONE; blocks.set_count()];
        for (state, &old) in self.old.iter().enumerate().rev() {
            let block = blocks.set_of(state as u32);
            number[old as usize] = block + 1;
            first[block as usize] = old;
        }
        let mut row = vec![NONE; raw.class_count];
        for &state in &first {
            renumber(&mut row, raw.row(state), &number);
            register.state(&row, raw.accepting[state as usize]);
        }
        number
    }
}

/// The coarsest partition of the states that respects acceptance and transitions.
fn equivalent_states(
    transitions: &Transitions,
    accepting: &[bool],
    labels: usize,
    meter: &mut Meter,
) -> Result<Partition, OverBudget> {
    if accepting.len() >= MANY_STATES
        && let Some(classes) = rounds::equivalent(transitions, accepting, meter)?
    {
        return Ok(Partition::by_key(Grouped::new(accepting.len(), classes.count, |state| {
            classes.of[state]
        })));
    }
    let mut blocks = by_acceptance(accepting);
    let incoming = transitions.by_head(accepting.len());
    let mut cords =
        Partition::by_key(Grouped::new(transitions.len(), labels, |t| u32::from(transitions.label[t])));
    // Block 0 need not be used as a splitter: the other blocks and the cords already tell its predecessors apart.
    let (mut block, mut cord) = (1, 0);
    while cord < cords.set_count() {
        meter.work(cords.elements(cord).len() * MARK_WORK + 1)?;
        for &transition in cords.elements(cord) {
            blocks.mark(transitions.tail[transition as usize]);
        }
        blocks.split();
        cord += 1;
        while block < blocks.set_count() {
            meter.work(blocks.elements(block).len())?;
            for &state in blocks.elements(block) {
                meter.work(incoming.with_key(state).len() * MARK_WORK)?;
                incoming.with_key(state).iter().for_each(|&transition| cords.mark(transition));
            }
            cords.split();
            block += 1;
        }
    }
    Ok(blocks)
}

/// Two blocks: the states that accept, and the others.
fn by_acceptance(accepting: &[bool]) -> Partition {
    let mut blocks = Partition::whole(accepting.len());
    (0..accepting.len() as u32)
        .filter(|&state| accepting[state as usize])
        .for_each(|state| blocks.mark(state));
    blocks.split();
    blocks
}
