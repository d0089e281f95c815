//! The merge of several orders of keys to one order that contains each of them as a subsequence.

use super::error::Result;
use crate::schema::KeyId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The keys that a schema declares, in order.
#[derive(Default)]
pub(super) struct Declared {
    pub(super) keys: Vec<KeyId>,
    /// Whether alternatives of the schema have orders that contradict each other.
    pub(super) conflict: bool,
}

/// Keys in the order in which they are declared first.
#[derive(Clone, Default)]
pub(super) struct Order {
    keys: Vec<KeyId>,
    known: FxHashSet<KeyId>,
}

impl Order {
    /// Adds keys to the end, without those that are declared.
    pub(super) fn declare(&mut self, keys: &[KeyId]) {
        self.keys.extend(keys.iter().copied().filter(|&key| self.known.insert(key)));
    }

    /// The keys as a set.
    pub(super) fn known(&self) -> &FxHashSet<KeyId> {
        &self.known
    }

    /// The keys in their order.
    pub(super) fn into_keys(self) -> Vec<KeyId> {
        self.keys
    }
}

/// The keys of the alternatives without those in `before`, in an order that contains the order of each
/// alternative as a subsequence; `None` if there is no such order. `step` charges the keys that move.
pub(super) fn merge(
    before: &FxHashSet<KeyId>,
    alternatives: &[Rc<Declared>],
    step: impl Fn(usize) -> Result<()>,
) -> Result<Option<Vec<KeyId>>> {
    let mut merged = Merged::default();
    for alternative in alternatives {
        let keys = alternative.keys.iter().copied().filter(|key| !before.contains(key));
        if alternative.conflict || !merged.add(keys, &step)? {
            return Ok(None);
        }
    }
    Ok(Some(merged.keys))
}

/// Keys, and the place of each.
#[derive(Default)]
struct Merged {
    keys: Vec<KeyId>,
    places: FxHashMap<KeyId, usize>,
}

impl Merged {
    /// Adds keys in their order, if it does not contradict the known one. New keys come as late as possible: before the next key that both have,
    /// or at the end.
    fn add(&mut self, keys: impl Iterator<Item = KeyId>, step: impl Fn(usize) -> Result<()>) -> Result<bool> {
        let (mut new, mut done) = (Vec::new(), 0);
        for key in keys {
            match self.places.get(&key) {
                None => new.push(key),
                Some(&place) if place < done => return Ok(false),
                Some(&place) => {
                    done = place + new.len() + 1;
                    self.insert(&mut new, place, &step)?;
                }
            }
        }
        self.insert(&mut new, self.keys.len(), &step)?;
        Ok(true)
    }

    /// Moves keys to a place.
    fn insert(
        &mut self,
        keys: &mut Vec<KeyId>,
        place: usize,
        step: impl Fn(usize) -> Result<()>,
    ) -> Result<()> {
        if keys.is_empty() {
            return Ok(());
        }
        step(self.keys.len() - place)?;
        self.keys.splice(place..place, keys.drain(..));
        self.places.extend(self.keys[place..].iter().copied().zip(place..));
        Ok(())
    }
}

/// All keys of the alternatives, one alternative after the other, without repetitions.
pub(super) fn first_appearance(alternatives: &[Rc<Declared>]) -> Vec<KeyId> {
    let mut seen = FxHashSet::default();
    alternatives
        .iter()
        .flat_map(|alternative| &alternative.keys)
        .copied()
        .filter(|&key| seen.insert(key))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(keys: &[u32]) -> Rc<Declared> {
        Rc::new(Declared { keys: keys.iter().copied().map(KeyId).collect(), conflict: false })
    }

    #[test]
    fn merged_orders_contain_every_order() {
        let merge = |before: &[u32], lists: &[&[u32]]| {
            let before = before.iter().copied().map(KeyId).collect();
            let lists: Vec<_> = lists.iter().map(|list| declared(list)).collect();
            merge(&before, &lists, |_| Ok(()))
                .unwrap()
                .map(|keys| keys.into_iter().map(|key| key.0).collect::<Vec<_>>())
        };
        assert_eq!(merge(&[], &[&[1, 2, 9], &[1, 3, 9]]), Some(vec![1, 2, 3, 9]));
        assert_eq!(merge(&[9], &[&[9, 2], &[3, 9]]), Some(vec![2, 3]));
        assert_eq!(merge(&[], &[&[1, 2], &[2, 1]]), None);
        assert_eq!(merge(&[], &[&[1, 2], &[3], &[2, 4]]), Some(vec![1, 2, 3, 4]));
        assert_eq!(first_appearance(&[declared(&[1, 2]), declared(&[2, 3])]), [1, 2, 3].map(KeyId));
    }
}
