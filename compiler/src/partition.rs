//! Partition refinement: equivalent states of an automaton get the same class.
//!
//! In: initial classes, the inverse transition relation, and a function that describes the transitions of a
//! state in terms of classes. Out: a class per state. After k rounds two states have the same class if and
//! only if k steps cannot distinguish them (Moore 1956).
//!
//! A round only looks at states with a successor whose class changed in the round before. In a long chain
//! these are a handful.

use crate::csr::Csr;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Numbers keys in the order of their first occurrence. Equal keys get the same number.
pub(crate) fn number<K: Hash + Eq>(keys: impl Iterator<Item = K>) -> Vec<u32> {
    let mut numbers: FxHashMap<K, u32> = FxHashMap::default();
    let number = |key| {
        let fresh = numbers.len() as u32;
        *numbers.entry(key).or_insert(fresh)
    };
    keys.map(number).collect()
}

/// A partition of states under refinement.
pub(crate) struct Partition {
    class_of: Vec<u32>,
    /// Per class: number of members.
    sizes: Vec<u32>,
    /// Per state: the states whose signature depends on the class of this state.
    dependents: Csr<u32>,
    /// The states that the next round looks at, sorted.
    dirty: Vec<u32>,
}

impl Partition {
    /// The partition into these classes, which must be numbered without gaps. Rows of `dependents` may repeat
    /// a state.
    pub(crate) fn new(class_of: Vec<u32>, dependents: Csr<u32>) -> Self {
        let mut sizes = vec![0; class_of.iter().max().map_or(0, |&class| class as usize + 1)];
        class_of.iter().for_each(|&class| sizes[class as usize] += 1);
        let dirty = (0..class_of.len() as u32).collect();
        Self { class_of, sizes, dependents, dirty }
    }

    /// The class of each state.
    pub(crate) fn class_of(&self) -> &[u32] {
        &self.class_of
    }

    /// Number of classes.
    pub(crate) fn classes(&self) -> usize {
        self.sizes.len()
    }

    /// Number of states that the next round looks at; 0 if the partition is stable.
    pub(crate) fn dirty(&self) -> usize {
        self.dirty.len()
    }

    /// The states that the next round looks at.
    pub(crate) fn dirty_states(&self) -> &[u32] {
        &self.dirty
    }

    /// The signatures of all dirty states with their classes, one after the other, and the bounds between
    /// them.
    #[inline]
    fn signatures(&self, signature: &mut impl FnMut(u32, &[u32], &mut Vec<u32>)) -> (Vec<u32>, Vec<usize>) {
        let mut texts: Vec<u32> = Vec::new();
        let mut ends: Vec<usize> = vec![0];
        for &state in &self.dirty {
            texts.push(self.class_of[state as usize]);
            signature(state, &self.class_of, &mut texts);
            ends.push(texts.len());
        }
        (texts, ends)
    }

    /// Refines by another step: states of a class stay together if `signature`, given all classes so far,
    /// appends the same for them.
    ///
    /// The members of a class that are not dirty are still equivalent, and differ from every dirty member,
    /// because a class that splits off gets a new number. So the dirty members leave their class in groups;
    /// the first group keeps the number if no member stays.
    pub(crate) fn round(&mut self, mut signature: impl FnMut(u32, &[u32], &mut Vec<u32>)) {
        let (signatures, ends) = self.signatures(&mut signature);
        // Per group: the class that it leaves, and its size.
        let mut groups: Vec<(u32, u32)> = Vec::new();
        let mut group_of: Vec<usize> = Vec::with_capacity(self.dirty.len());
        let mut known: FxHashMap<&[u32], usize> = FxHashMap::default();
        let mut leaving: FxHashMap<u32, u32> = FxHashMap::default();
        for (&state, span) in self.dirty.iter().zip(ends.windows(2)) {
            let class = self.class_of[state as usize];
            *leaving.entry(class).or_default() += 1;
            let group = *known.entry(&signatures[span[0]..span[1]]).or_insert(groups.len());
            if group == groups.len() {
                groups.push((class, 0));
            }
            groups[group].1 += 1;
            group_of.push(group);
        }
        // The classes that all members leave: their first group keeps the number.
        leaving.retain(|&class, count| *count == self.sizes[class as usize]);
        let sizes = &mut self.sizes;
        let class_of_group = |(class, size): (u32, u32)| {
            if leaving.remove(&class).is_some() {
                return class;
            }
            sizes[class as usize] -= size;
            sizes.push(size);
            sizes.len() as u32 - 1
        };
        let classes: Vec<u32> = groups.into_iter().map(class_of_group).collect();
        let mut next: Vec<u32> = Vec::new();
        for (&state, group) in self.dirty.iter().zip(group_of) {
            let class = &mut self.class_of[state as usize];
            if *class != classes[group] {
                *class = classes[group];
                next.extend(self.dependents.row(state as usize));
            }
        }
        next.sort_unstable();
        next.dedup();
        self.dirty = next;
    }
}
