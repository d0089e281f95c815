//! Whether an automaton of objects prescribes an order of members, and whether it lets members be repeated.
//!
//! The language of a deterministic automaton is closed under exchanging two adjacent members, and so under every permutation, if and only
//! if from each state the letters `x y` and `y x` lead to equivalent states. This is checked letter by letter, where a letter is a key
//! with a set of values. In a trimmed automaton a pair that leads on in one order only is a valid object that is refused in the other
//! order. Likewise a member can be repeated at once if and only if `x x` and `x` lead to equivalent states.

use crate::automaton::{Automaton, Keys};
use crate::content::Vertex;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A key, or all keys of a class, with a set of values.
type Letter = (Keys, Vertex);

/// Whether some object is accepted and refused with its members in another order.
pub(super) fn is_ordered(automaton: &Automaton<Keys, Vertex>, budget: &Budget) -> Result<bool, OverBudget> {
    let mut exchange = Exchange::new(automaton, budget);
    for state in 0..automaton.targets as u32 {
        budget.charge_work(1)?;
        for (first, after_first) in letters(automaton, state) {
            for (second, after_both) in letters(automaton, after_first) {
                if first != second && !exchange.is_possible(state, (first, second), after_both)? {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// Whether some object is accepted and refused with a member repeated.
pub(super) fn refuses_repetition(
    automaton: &Automaton<Keys, Vertex>,
    budget: &Budget,
) -> Result<bool, OverBudget> {
    let mut exchange = Exchange::new(automaton, budget);
    for state in 0..automaton.targets as u32 {
        budget.charge_work(1)?;
        for (letter, once) in letters(automaton, state) {
            let twice = exchange.transitions(once)?.get(&letter).copied();
            let is_possible = match twice {
                Some(twice) => exchange.are_equivalent(once, twice)?,
                None => false,
            };
            if !is_possible {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn letters(automaton: &Automaton<Keys, Vertex>, state: u32) -> impl Iterator<Item = (Letter, u32)> + '_ {
    automaton.transitions(state).map(|(keys, value, to)| ((keys, value), to))
}

/// The search for letters that cannot be exchanged or repeated.
struct Exchange<'a> {
    automaton: &'a Automaton<Keys, Vertex>,
    budget: &'a Budget,
    /// The transitions of the states that were asked for.
    known: FxHashMap<u32, Rc<FxHashMap<Letter, u32>>>,
    /// Pairs of states that accept the same members, unless some pair here does not.
    equivalent: FxHashSet<(u32, u32)>,
}

impl<'a> Exchange<'a> {
    fn new(automaton: &'a Automaton<Keys, Vertex>, budget: &'a Budget) -> Self {
        Self { automaton, budget, known: FxHashMap::default(), equivalent: FxHashSet::default() }
    }

    /// Whether two letters in the other order lead to a state that is equivalent to `after_both`.
    fn is_possible(
        &mut self,
        state: u32,
        (first, second): (Letter, Letter),
        after_both: u32,
    ) -> Result<bool, OverBudget> {
        self.budget.charge_work(1)?;
        let Some(&after_second) = self.transitions(state)?.get(&second) else { return Ok(false) };
        let Some(&exchanged) = self.transitions(after_second)?.get(&first) else { return Ok(false) };
        self.are_equivalent(after_both, exchanged)
    }

    /// Whether two states accept the same members. A pair is taken to be equivalent until its letters have been compared (Hopcroft and
    /// Karp 1971); the search ends with the first pair that is not.
    fn are_equivalent(&mut self, a: u32, b: u32) -> Result<bool, OverBudget> {
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            if a == b || !self.equivalent.insert((a.min(b), a.max(b))) {
                continue;
            }
            let (of_a, of_b) = (self.transitions(a)?, self.transitions(b)?);
            let accepting = |state: u32| self.automaton.states[state as usize].accepting;
            if accepting(a) != accepting(b) || of_a.len() != of_b.len() {
                return Ok(false);
            }
            self.budget.charge_work(of_a.len() as u64)?;
            for (letter, &after_a) in of_a.iter() {
                let Some(&after_b) = of_b.get(letter) else { return Ok(false) };
                open.push((after_a, after_b));
            }
        }
        Ok(true)
    }

    fn transitions(&mut self, state: u32) -> Result<Rc<FxHashMap<Letter, u32>>, OverBudget> {
        if let Some(known) = self.known.get(&state) {
            return Ok(known.clone());
        }
        let transitions: Rc<FxHashMap<_, _>> = Rc::new(letters(self.automaton, state).collect());
        self.budget.charge_work(transitions.len() as u64)?;
        self.known.insert(state, transitions.clone());
        Ok(transitions)
    }
}
