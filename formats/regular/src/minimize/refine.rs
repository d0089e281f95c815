//! Minimizes a deterministic automaton by partition refinement.
//!
//! Source: Valmari, "Fast brief practical DFA minimization" (2012). A partition of the states into *blocks* and one of
//! the transitions into *cords* refine each other, always relabelling the smaller half (Hopcroft's idea), in O(m log n)
//! for m transitions. The algorithm works on partial transition functions, so no sink state is ever made; in exchange,
//! states that are not co-accessible have to go first.

use super::partition::{Grouped, Partition};
use crate::dfa::{Dfa, NONE};
use crate::limits::Meter;
use crate::raw::RawDfa;
use gcc_grammar_limits::OverBudget;

/// The memory that minimization needs per transition: its two ends and class, its places in two orders and in a partition.
const BYTES_PER_TRANSITION: usize = 36;
/// The work to move a transition or state within its set: it is far from the last one in memory.
const MARK_WORK: usize = 3;

/// The minimal automaton of the language of `raw`, all of whose states are reachable.
pub(super) fn minimize(raw: &RawDfa, meter: &mut Meter) -> Result<Dfa, OverBudget> {
    let transitions = raw.table.iter().filter(|&&cell| cell != NONE).count();
    meter.work(2 * transitions)?;
    meter.bytes(transitions * BYTES_PER_TRANSITION)?;
    match useful_transitions(raw) {
        Some(transitions) => quotient(raw, &transitions, meter),
        None => Ok(Dfa::never()),
    }
}

/// The transitions between co-accessible states; `None` if the start is not co-accessible.
fn useful_transitions(raw: &RawDfa) -> Option<Transitions> {
    let all = Transitions::between(raw, |_| true);
    let incoming = all.by_head(raw.accepting.len());
    let mut useful = raw.accepting.clone();
    let mut stack: Vec<u32> = (0..raw.accepting.len() as u32).filter(|&s| useful[s as usize]).collect();
    while let Some(state) = stack.pop() {
        for &transition in incoming.with_key(state) {
            let tail = all.tail[transition as usize];
            if !std::mem::replace(&mut useful[tail as usize], true) {
                stack.push(tail);
            }
        }
    }
    if !useful[0] {
        return None;
    }
    let all_useful = useful.iter().all(|&useful| useful);
    Some(if all_useful { all } else { Transitions::between(raw, |state| useful[state as usize]) })
}

/// The canonical automaton of the blocks of equivalent states.
fn quotient(raw: &RawDfa, transitions: &Transitions, meter: &mut Meter) -> Result<Dfa, OverBudget> {
    let blocks = equivalent_states(transitions, &raw.accepting, raw.class_count, meter)?;
    let mut representatives = vec![NONE; blocks.set_count()];
    for state in 0..raw.accepting.len() as u32 {
        representatives[blocks.set_of(state) as usize] = state;
    }
    let mut table = vec![NONE; blocks.set_count() * raw.class_count];
    for index in 0..transitions.len() {
        let from = blocks.set_of(transitions.tail[index]) as usize;
        let to = blocks.set_of(transitions.head[index]);
        table[from * raw.class_count + usize::from(transitions.label[index])] = to + 1;
    }
    let accepting = representatives.iter().map(|&state| raw.accepting[state as usize]).collect();
    let quotient = RawDfa { classes: raw.classes.clone(), class_count: raw.class_count, table, accepting };
    Ok(quotient.canonical(blocks.set_of(0)))
}

/// The coarsest partition of the states that respects acceptance and transitions.
fn equivalent_states(
    transitions: &Transitions,
    accepting: &[bool],
    labels: usize,
    meter: &mut Meter,
) -> Result<Partition, OverBudget> {
    let incoming = transitions.by_head(accepting.len());
    let mut blocks = Partition::whole(accepting.len());
    let mut cords =
        Partition::by_key(Grouped::new(transitions.len(), labels, |t| u32::from(transitions.label[t])));
    (0..accepting.len() as u32)
        .filter(|&state| accepting[state as usize])
        .for_each(|state| blocks.mark(state));
    blocks.split();
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

/// Transitions as parallel arrays: from `tail`, on a byte of the class `label`, to `head`.
struct Transitions {
    tail: Vec<u32>,
    label: Vec<u8>,
    head: Vec<u32>,
}

impl Transitions {
    /// The transitions of `raw` between states that `keep` selects.
    fn between(raw: &RawDfa, keep: impl Fn(u32) -> bool) -> Self {
        let mut all = Self { tail: Vec::new(), label: Vec::new(), head: Vec::new() };
        for state in (0..raw.accepting.len() as u32).filter(|&state| keep(state)) {
            for (class, &cell) in raw.row(state).iter().enumerate() {
                if cell != NONE && keep(cell - 1) {
                    all.tail.push(state);
                    all.label.push(class as u8);
                    all.head.push(cell - 1);
                }
            }
        }
        all
    }

    fn len(&self) -> usize {
        self.tail.len()
    }

    /// The transitions grouped by the state they enter.
    fn by_head(&self, states: usize) -> Grouped {
        Grouped::new(self.len(), states, |transition| self.head[transition])
    }
}
