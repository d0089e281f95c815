//! Long arrays that begin alike, read as one.
//!
//! Where the value of a key decides about the rest of an object, it may be an array of one node or of another, and these differ late: "at
//! most 1000 numbers" and "anything else". As two nonterminals, the parser would carry both, with a pair of reductions after each item. So
//! their product becomes a part of the right part around them, and what follows the closing bracket depends on its state.
//!
//! ```text
//! key ──▶ '[' ──▶ {a₀ b₀} ──item──▶ {a₁ b₁} ──▶ … ──▶ ']' ──▶ after a
//!                     └─other item──▶ {b₂} ──▶ … ──▶ ']' ──▶ after b
//! ```

use super::emitter::Emitter;
use super::layout::{Joint, Layout, LayoutPlace, Reading, Values};
use super::terminals::Result;
use crate::automaton::{Automaton, Run};
use crate::content::Vertex;
use gcc_grammar_ir::Symbol;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Arrays with fewer states together stay rules of their own, which other places share.
const LEAST_STATES: usize = 64;

/// Arrays with more states together are not made one: the parser carries both.
const MOST_STATES: usize = 20_000;

/// The work to visit a transition of one of the arrays.
const WORK_PER_TRANSITION: u64 = 30;

/// The states of a product, each with the items that may follow and the state after them.
type Product = Vec<(Joint, Vec<(Vertex, Joint)>)>;

impl Emitter<'_> {
    /// Adds the arrays among the values as one, if they are long and their product is not larger than they are. True if
    /// it was done.
    pub(super) fn joint_arrays(&mut self, layout: &mut Layout, place: u32, values: &Values) -> Result<bool> {
        let arrays: Vec<_> =
            values.iter().copied().filter(|&(value, _)| self.graph.content(value).array.is_some()).collect();
        let sizes: usize = arrays.iter().map(|&(value, _)| counts(self.array_of(value))).sum();
        let is_distinct = |&(value, _): &(Vertex, u32)| self.array_of(value).is_distinct();
        if arrays.len() < 2 || arrays.iter().any(is_distinct) || !(LEAST_STATES..MOST_STATES).contains(&sizes)
        {
            return Ok(false);
        }
        let start: Joint =
            arrays.iter().map(|&(value, target)| Reading { value, state: 0, read: 0, target }).collect();
        let Some(product) = self.product(self.going_on(&start), 2 * sizes)? else { return Ok(false) };
        self.after_joint(layout, place, &start, ("[ws", "[ws]"));
        for (joint, items) in &product {
            layout.check()?;
            let before = layout.state(LayoutPlace::BeforeJoint(joint.clone()));
            for (item, next) in items {
                let known = layout.existing(LayoutPlace::AfterJoint(next.clone()));
                let after = layout.state(LayoutPlace::AfterJoint(next.clone()));
                self.value(layout, before, *item, after)?;
                if known.is_none() {
                    self.after_joint(layout, after, next, (",ws", "ws]"));
                }
            }
        }
        Ok(true)
    }

    /// The product of the arrays, without letters that all of them refuse; `None` if it has more states than `most`.
    fn product(&self, start: Joint, most: usize) -> Result<Option<Product>> {
        let mut known = FxHashSet::from_iter([start.clone()]);
        let mut open = vec![start];
        let mut product: Product = Vec::new();
        while let Some(joint) = open.get(product.len()).cloned() {
            let mut items: BTreeMap<Vertex, Joint> = BTreeMap::new();
            for &reading in &joint {
                for (run, item, next) in self.array_of(reading.value).transitions(reading.state) {
                    self.budget.charge_work(WORK_PER_TRANSITION)?;
                    items.entry(item).or_default().push(reading.after_item(run, next));
                }
            }
            for next in items.values() {
                let going_on = self.going_on(next);
                let is_new = !going_on.is_empty() && known.insert(going_on.clone());
                if is_new {
                    open.push(going_on);
                }
            }
            product.push((joint, items.into_iter().collect()));
            if open.len() > most {
                return Ok(None);
            }
        }
        Ok(Some(product))
    }

    /// Adds what follows an item or the key: the next item, or the end of the arrays that may end here.
    fn after_joint(
        &mut self,
        layout: &mut Layout,
        after: u32,
        joint: &Joint,
        (more, end): (&'static str, &'static str),
    ) {
        let going_on = self.going_on(joint);
        if !going_on.is_empty() {
            let symbol = Symbol::Terminal(self.terminals.punctuation(more));
            let before = layout.state(LayoutPlace::BeforeJoint(going_on));
            layout.arc(after, symbol, before);
        }
        for &reading in joint {
            if self.may_end(reading) {
                let symbol = Symbol::Terminal(self.terminals.punctuation(end));
                let target = layout.state(LayoutPlace::After(reading.target));
                self.arc(layout, after, symbol, target);
            }
        }
    }

    /// The arrays that may have further items.
    fn going_on(&self, joint: &Joint) -> Joint {
        let goes_on =
            |reading: &Reading| self.array_of(reading.value).states[reading.state as usize].goes_on();
        joint.iter().copied().filter(goes_on).collect()
    }

    fn may_end(&self, Reading { value, state, read, .. }: Reading) -> bool {
        let state = &self.array_of(value).states[state as usize];
        if read == 0 { state.accepting } else { state.transitions.iter().all(|(run, ..)| read >= run.least) }
    }

    fn array_of(&self, value: Vertex) -> &Automaton<Run, Vertex> {
        self.graph.content(value).array.as_ref().expect("only values with arrays are read as one")
    }
}

impl Reading {
    /// The array after one more item of `run`, which leads to the state `next`.
    fn after_item(self, run: Run, next: u32) -> Self {
        let read = self.read + 1;
        match run.most {
            Some(most) if read == most => Self { state: next, read: 0, ..self },
            Some(_) => Self { read, ..self },
            None => Self { read: read.min(run.least), ..self },
        }
    }
}

/// The number of states of an array that reads runs item by item.
fn counts(array: &Automaton<Run, Vertex>) -> usize {
    let runs =
        array.states.iter().flat_map(|state| &state.transitions).map(|(run, ..)| run.counted() as usize - 1);
    array.states.len() + runs.sum::<usize>()
}
