//! The subset construction (Rabin, Scott 1959), extended to one byte of look-around and to orders of preference.
//!
//! Comes in: an [`Nfa`]. Goes out: a [`RawDfa`], whose states are the reachable subsets of important states, closed under
//! ε-transitions. It is not minimal yet.
//!
//! - **Look-around.** If the automaton has assertions, a subset also records the kind of the last byte (or that there is
//!   none). ε-transitions with assertions are followed when the kind of the next byte is known too: once per kind of
//!   byte for the transitions, and once for the end of the text, which decides acceptance.
//! - **Preference.** Under [`Preference::FirstMatch`] a subset is a list in the order of preference, cut after the
//!   accepting state: what comes later is never tried. RE2 and regex-automata do the same for leftmost-first search.
//!   Under [`Preference::LazyMatch`], what comes later is left out if a lazy repetition has begun in it.
//! - **Look-around** of more than one byte has a construction of its own; see [`around`].
//! - **Dominance.** Of the copies of a state in a counted repetition, a subset keeps only one; see [`dominance`].

mod around;
mod dominance;
mod indexed;
mod look;
mod segments;
mod visited;

use crate::dfa::NONE;
use crate::limits::{Meter, RegularLimits};
use crate::nfa::{Edge, Nfa, Preference};
use crate::range_starts::RangeStarts;
use crate::raw::RawDfa;
use crate::regex::Look;
pub(crate) use around::{beginnings, endings, is_free_of_what_is_before, look_around};
use dominance::DominatedCopies;
use gcc_grammar_limits::OverBudget;
use indexed::IndexedNfa;
use look::{ByteKinds, Neighbor};
use rustc_hash::FxHashMap;
use segments::Segments;
use std::rc::Rc;
use visited::Visited;

/// The work of a step of a closure, which looks up a few large tables.
const CLOSURE_WORK: usize = 2;
/// Estimated bytes of a cell of the table, which grows by doubling.
const BYTES_PER_CELL: usize = 6;
/// Estimated bytes of a subset besides its members: in a list and in a hash table.
const BYTES_PER_SET: usize = 96;
/// Estimated bytes of a nondeterministic state, in all tables.
const BYTES_PER_STATE: usize = 28;
/// Estimated bytes of a transition or ε-transition while they are sorted.
const BYTES_PER_EDGE: usize = 18;

/// The deterministic automaton of the language of `nfa`; under [`Preference::FirstMatch`], of the strings that a
/// backtracking matcher would return as the match at the start of some text.
pub(crate) fn determinize(
    nfa: Nfa,
    preference: Preference,
    limits: &RegularLimits,
) -> Result<RawDfa, OverBudget> {
    let (classes, class_count) = class_starts(&nfa).classes();
    let mut subsets = Subsets::new(nfa, preference, limits)?;
    subsets.state_of(&[0], Neighbor::Boundary)?;
    let mut table = Vec::new();
    let mut accepting = Vec::new();
    let mut segments = Segments::default();
    while accepting.len() < subsets.sets.len() {
        let set = Rc::clone(&subsets.sets[accepting.len()]);
        let row = table.len();
        table.resize(row + class_count, NONE);
        subsets.meter.bytes(class_count * BYTES_PER_CELL)?;
        subsets.meter.work(class_count)?;
        accepting.push(subsets.expand(&set, &mut segments, |low, high, target| {
            let [first, last] = [low, high].map(|byte| row + usize::from(classes[usize::from(byte)]));
            table[first..=last].fill(target + 1);
        })?);
    }
    Ok(RawDfa { classes, class_count, table, accepting })
}

/// The bytes where a class may begin: the bounds of the edges, and of the kinds of bytes that assertions tell apart.
fn class_starts(nfa: &Nfa) -> RangeStarts {
    let mut starts = RangeStarts::of(nfa.edges.iter().map(|edge| (edge.low, edge.high)));
    let kinds = ByteKinds::new(&nfa.epsilons);
    let begins = |&byte: &u8| kinds.kind(byte) != kinds.kind(byte - 1);
    (1..=255).filter(begins).for_each(|byte| starts.add(usize::from(byte)));
    starts
}

/// The subsets found so far, numbered as deterministic states, and the tables to find more.
struct Subsets {
    nfa: IndexedNfa,
    /// Per state: whether a subset has to contain it; see [`IndexedNfa::important_states`].
    important: Vec<bool>,
    copies: Option<DominatedCopies>,
    preference: Preference,
    meter: Meter,
    visited: Visited,
    /// The states still to be visited by a closure.
    stack: Vec<u32>,
    /// The deterministic state of each subset.
    numbers: FxHashMap<Rc<[u32]>, u32>,
    /// The subset of each deterministic state.
    sets: Vec<Rc<[u32]>>,
    /// Per nondeterministic state: the deterministic state of its closure alone, + 1.
    singles: Vec<u32>,
    /// The subset under construction.
    scratch: Vec<u32>,
}

impl Subsets {
    fn new(nfa: Nfa, preference: Preference, limits: &RegularLimits) -> Result<Self, OverBudget> {
        let states = nfa.states as usize;
        let transitions = nfa.edges.len() + nfa.epsilons.len();
        let mut meter = Meter::new(limits);
        meter.work(states + 2 * transitions)?;
        meter.bytes(states * BYTES_PER_STATE + transitions * BYTES_PER_EDGE)?;
        let copies = DominatedCopies::new(&nfa.chains, states);
        let nfa = IndexedNfa::new(nfa);
        Ok(Self {
            important: nfa.important_states(),
            copies,
            nfa,
            preference,
            meter,
            visited: Visited::new(states),
            stack: Vec::new(),
            numbers: FxHashMap::default(),
            sets: Vec::new(),
            singles: vec![0; states],
            scratch: Vec::new(),
        })
    }

    /// Reports the transitions of a subset as `(low, high, target)`. Returns whether the subset accepts.
    fn expand(
        &mut self,
        set: &[u32],
        segments: &mut Segments,
        mut report: impl FnMut(u8, u8, u32),
    ) -> Result<bool, OverBudget> {
        if !self.nfa.has_looks {
            match *set {
                [state] if self.nfa.is_deterministic(state) => self.expand_single(state, &mut report)?,
                _ => self.expand_between(set, None, segments, &mut report)?,
            }
            return Ok(set.contains(&self.nfa.accept));
        }
        let (before, members) = match set.split_last() {
            Some((&marker, members)) => {
                (Neighbor::from_marker(marker).unwrap_or(Neighbor::Boundary), members)
            }
            None => (Neighbor::Boundary, set),
        };
        for after in self.nfa.kinds.all() {
            let here = self.closure_at(members, before, after)?;
            self.expand_between(&here, Some(after), segments, &mut report)?;
        }
        Ok(self.closure_at(members, before, Neighbor::Boundary)?.contains(&self.nfa.accept))
    }

    /// Reports the transitions of the closure of a single state, whose edges do not overlap.
    fn expand_single(&mut self, state: u32, report: &mut impl FnMut(u8, u8, u32)) -> Result<(), OverBudget> {
        let edges = self.nfa.edges(state).len();
        self.meter.work(edges)?;
        for index in 0..edges {
            let Edge { low, high, to, .. } = self.nfa.edges(state)[index];
            let target = self.state_of(&[to], Neighbor::Boundary)?;
            report(low, high, target);
        }
        Ok(())
    }

    /// Reports the transitions of the members of `set`, on the bytes of kind `after` only if it is given.
    fn expand_between(
        &mut self,
        set: &[u32],
        after: Option<Neighbor>,
        segments: &mut Segments,
        report: &mut impl FnMut(u8, u8, u32),
    ) -> Result<(), OverBudget> {
        let pushed = segments.fill(set.iter().flat_map(|&state| self.nfa.edges(state)));
        self.meter.work(pushed + set.len() + segments.len())?;
        for index in 0..segments.len() {
            let ((low, high), targets) = segments.get(index);
            if targets.is_empty() {
                continue;
            }
            let Some(after) = after else {
                let target = self.state_of(targets, Neighbor::Boundary)?;
                report(low, high, target);
                continue;
            };
            let kinds = self.nfa.kinds;
            let mut wanted = (low..=high).filter(|&byte| kinds.kind(byte) == after).peekable();
            while let Some(first) = wanted.next() {
                let mut last = first;
                while let Some(next) = wanted.next_if(|&next| next == last + 1) {
                    last = next;
                }
                let target = self.state_of(targets, after)?;
                report(first, last, target);
            }
        }
        Ok(())
    }

    /// The deterministic state of the closure of `targets`, after a byte of kind `before`.
    fn state_of(&mut self, targets: &[u32], before: Neighbor) -> Result<u32, OverBudget> {
        let single = match *targets {
            [only] if !self.nfa.has_looks => Some(only as usize),
            _ => None,
        };
        if let Some(known) = single.and_then(|single| self.singles[single].checked_sub(1)) {
            return Ok(known);
        }
        self.epsilon_closure(targets, |_| false)?;
        if self.nfa.has_looks {
            self.scratch.push(before.marker());
        }
        let number = match self.numbers.get(self.scratch.as_slice()) {
            Some(&known) => known,
            None => self.new_set()?,
        };
        if let Some(single) = single {
            self.singles[single] = number + 1;
        }
        Ok(number)
    }

    /// Numbers the subset in `scratch`.
    fn new_set(&mut self) -> Result<u32, OverBudget> {
        let set: Rc<[u32]> = self.scratch.as_slice().into();
        let number = self.sets.len() as u32;
        self.meter.states(self.sets.len() + 1)?;
        self.meter.bytes(set.len() * size_of::<u32>() + BYTES_PER_SET)?;
        self.sets.push(Rc::clone(&set));
        self.numbers.insert(set, number);
        Ok(number)
    }

    /// The closure of `members` at a position between `before` and `after`.
    fn closure_at(
        &mut self,
        members: &[u32],
        before: Neighbor,
        after: Neighbor,
    ) -> Result<Vec<u32>, OverBudget> {
        self.epsilon_closure(members, |look| look.holds(before, after))?;
        Ok(self.scratch.clone())
    }

    /// Leaves in `scratch` the important states reachable from `from` over ε-transitions without an assertion, or with
    /// one that `holds`. The search is depth first, so it finds them in the order of preference.
    fn epsilon_closure(&mut self, from: &[u32], holds: impl Fn(Look) -> bool) -> Result<(), OverBudget> {
        self.visited.clear();
        self.scratch.clear();
        self.stack.clear();
        self.stack.extend(from.iter().rev());
        let ordered = self.preference.is_ordered();
        let (first_cut, mut is_cut) = (self.nfa.first_cut, false);
        let mut steps = 0;
        while let Some(state) = self.stack.pop() {
            steps += 1;
            if is_cut && state >= first_cut || !self.visited.insert(state) {
                continue;
            }
            if self.important[state as usize] {
                self.scratch.push(state);
            }
            if ordered && state == self.nfa.accept {
                if first_cut == 0 {
                    break;
                }
                is_cut = true;
            }
            let open = self.nfa.epsilons(state).iter().rev();
            let open = open.filter(|epsilon| epsilon.look.is_none_or(&holds));
            self.stack.extend(open.map(|epsilon| epsilon.to));
        }
        if !ordered {
            self.scratch.sort_unstable();
            if let Some(copies) = &mut self.copies {
                steps += copies.prune(&mut self.scratch);
            }
        }
        self.meter.work(steps * CLOSURE_WORK)
    }
}
