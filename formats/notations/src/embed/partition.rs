//! The coarsest stable partition of items that refer to each other, as in the minimization of automata.
//!
//! Input: for each item a shape and the items that it refers to, in order. Output: classes such that two items are in one class exactly if
//! they have the same shape and refer to items of the same classes. Classes are split until this holds. Where a class is split, its largest
//! part stays, and only items that refer to the other parts are looked at again (Hopcroft 1971; for signatures, as here: Wißmann, Dorsch,
//! Milius, Schröder, Efficient and modular coalgebraic partition refinement, LMCS 2020). So an item is looked at again only where the class of
//! an item that it refers to has become half as large.

use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The classes of the items that an item refers to, in order.
type Signature = Vec<usize>;

/// Classes of items that nothing tells apart so far.
///
/// Invariant: the items of a class that are not in `changed` have the signature of the class.
struct Partition<'r> {
    references: &'r [Vec<usize>],
    /// Per item: the items that refer to it.
    users: Vec<Vec<usize>>,
    class_of: Vec<usize>,
    /// Per class: its number of items.
    sizes: Vec<usize>,
    /// Per class: its items, and perhaps some that have left it.
    members: Vec<Vec<usize>>,
    /// Per class: the signature of those of its items that have not changed.
    signatures: Vec<Signature>,
    /// Items whose signature may have changed.
    changed: Vec<usize>,
}

/// Items of a class that have the same signature.
struct Group {
    signature: Signature,
    items: Vec<usize>,
}

/// The class of each item.
///
/// # Errors
/// The budget is spent.
pub(super) fn classes<S: Eq + Hash>(
    shapes: Vec<S>,
    references: &[Vec<usize>],
    budget: &Budget,
) -> Result<Vec<usize>, OverBudget> {
    let mut users = vec![Vec::new(); references.len()];
    for (item, referred) in references.iter().enumerate() {
        referred.iter().for_each(|&other| users[other].push(item));
    }
    let mut known = FxHashMap::default();
    let mut members: Vec<Vec<usize>> = Vec::new();
    let mut class_of = Vec::with_capacity(shapes.len());
    for (item, shape) in shapes.into_iter().enumerate() {
        let class = *known.entry(shape).or_insert(members.len());
        if class == members.len() {
            members.push(Vec::new());
        }
        members[class].push(item);
        class_of.push(class);
    }
    let sizes: Vec<usize> = members.iter().map(Vec::len).collect();
    let signatures = vec![Signature::new(); sizes.len()];
    let changed = (0..references.len()).collect();
    let mut partition = Partition { references, users, class_of, sizes, members, signatures, changed };
    partition.refine(budget)?;
    Ok(partition.class_of)
}

impl Partition<'_> {
    /// Splits classes until all items of each class have the same signature.
    fn refine(&mut self, budget: &Budget) -> Result<(), OverBudget> {
        while !self.changed.is_empty() {
            let mut items = std::mem::take(&mut self.changed);
            items.sort_unstable_by_key(|&item| (self.class_of[item], item));
            items.dedup();
            let steps: usize = items.iter().map(|&item| self.references[item].len() + 1).sum();
            budget.charge_work(steps as u64)?;
            let ends = items.chunk_by(|&a, &b| self.class_of[a] == self.class_of[b]).map(<[usize]>::len);
            let mut rest = items.as_slice();
            for length in ends.collect::<Vec<_>>() {
                let (class, others) = rest.split_at(length);
                self.split(class);
                rest = others;
            }
        }
        Ok(())
    }

    /// Splits a class of which these items, which are sorted, may have changed.
    fn split(&mut self, changed: &[usize]) {
        let class = self.class_of[changed[0]];
        let mut groups = self.groups(class, changed);
        let unchanged = self.sizes[class] - changed.len();
        let size = |group: usize| groups[group].items.len() + if group == 0 { unchanged } else { 0 };
        let stays = (0..groups.len()).rev().max_by_key(|&group| size(group)).unwrap_or(0);
        if stays > 0 && unchanged > 0 {
            let class_of = &self.class_of;
            let mut items = std::mem::take(&mut self.members[class]);
            items.retain(|item| class_of[*item] == class && changed.binary_search(item).is_err());
            groups[0].items.append(&mut items);
        }
        for (index, Group { signature, items }) in groups.into_iter().enumerate() {
            if index == stays {
                self.signatures[class] = signature;
                if stays > 0 {
                    self.members[class] = items;
                }
                continue;
            }
            for &item in &items {
                self.class_of[item] = self.sizes.len();
                self.changed.extend(&self.users[item]);
            }
            self.sizes[class] -= items.len();
            self.sizes.push(items.len());
            self.signatures.push(signature);
            self.members.push(items);
        }
    }

    /// The groups of the changed items, in order of first occurrence. If the class has other items, the first group is theirs.
    fn groups(&mut self, class: usize, changed: &[usize]) -> Vec<Group> {
        let mut groups = Vec::new();
        let mut known: FxHashMap<Signature, usize> = FxHashMap::default();
        if changed.len() < self.sizes[class] {
            let signature = std::mem::take(&mut self.signatures[class]);
            known.insert(signature.clone(), 0);
            groups.push(Group { signature, items: Vec::new() });
        }
        for &item in changed {
            let signature: Signature =
                self.references[item].iter().map(|&other| self.class_of[other]).collect();
            let group = *known.entry(signature.clone()).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Group { signature, items: Vec::new() });
            }
            groups[group].items.push(item);
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_random::Random;

    /// The same classes by rounds in which all items are looked at, numbered by first occurrence.
    fn by_rounds(shapes: &[usize], references: &[Vec<usize>]) -> Vec<usize> {
        let mut class_of = shapes.to_vec();
        for _ in 0..=shapes.len() {
            let key = |item: usize| {
                let referred: Vec<usize> = references[item].iter().map(|&other| class_of[other]).collect();
                (class_of[item], referred)
            };
            class_of = numbered((0..shapes.len()).map(key));
        }
        class_of
    }

    fn numbered<K: Eq + Hash>(keys: impl Iterator<Item = K>) -> Vec<usize> {
        let mut known = FxHashMap::default();
        let number = |key| {
            let next = known.len();
            *known.entry(key).or_insert(next)
        };
        keys.map(number).collect()
    }

    #[test]
    fn classes_are_those_of_all_rounds() {
        let mut random = Random::new(1);
        let mut merged = 0;
        for _ in 0..2000 {
            let count = 1 + random.below(20);
            let kinds = 1 + random.below(3);
            let shapes: Vec<usize> = (0..count).map(|_| random.below(kinds)).collect();
            // The number of references is part of the shape, as in the bodies of rules.
            let references: Vec<Vec<usize>> =
                shapes.iter().map(|&shape| (0..shape).map(|_| random.below(count)).collect()).collect();
            let found = classes(shapes.clone(), &references, &Budget::default()).expect("small");
            let found = numbered(found.into_iter());
            assert_eq!(found, by_rounds(&shapes, &references), "{shapes:?} {references:?}");
            merged += count - found.iter().max().expect("not empty") - 1;
        }
        assert!(merged > 1000, "{merged}");
    }

    #[test]
    fn a_chain_takes_linear_work() {
        let count = 200_000;
        let references: Vec<Vec<usize>> =
            (1..=count).map(|next| (next < count).then_some(next).into_iter().collect()).collect();
        let shapes = references.iter().map(Vec::len).collect();
        let budget = Budget::default();
        let found = classes(shapes, &references, &budget).expect("linear");
        assert_eq!(numbered(found.into_iter()), (0..count).collect::<Vec<_>>());
        let (work, _) = budget.spent();
        assert!(work < 5 * count as u64, "{work}");
    }
}
