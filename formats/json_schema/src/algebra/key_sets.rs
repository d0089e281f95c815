//! Sets of keys, such as the required keys that have not been read.
//!
//! A set is a binary trie over the numbers of its keys (Okasaki, Gill: Fast mergeable integer maps, 1998) whose leaves
//! are blocks of 64 numbers. The shape of a trie follows from its set, and equal tries are stored once, so equal ids
//! mean equal sets. A set without one of its keys shares all but one path with it: the sets that an object of n keys
//! passes through have O(n log n) nodes together.

use crate::schema::{Interner, KeyId};

/// The number of a set; equal ids mean equal sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct KeySetId(u32);

impl KeySetId {
    /// The set without keys.
    pub(super) const EMPTY: Self = Self(0);
}

/// A node of a trie.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum TrieNode {
    Empty,
    /// The keys of one block, a bit for each.
    Block {
        block: u32,
        keys: u64,
    },
    /// The blocks whose numbers have this bit clear, and those that have it set. All higher bits agree.
    Branch {
        bit: u32,
        clear: KeySetId,
        set: KeySetId,
    },
}

/// All sets made so far.
pub(super) struct KeySets {
    nodes: Interner<TrieNode>,
    /// For each node, the number of its keys.
    sizes: Vec<u32>,
}

impl KeySets {
    pub(super) fn new() -> Self {
        let mut sets = Self { nodes: Interner::default(), sizes: Vec::new() };
        sets.add(TrieNode::Empty);
        sets
    }

    /// The set of keys that are sorted and all different.
    pub(super) fn of(&mut self, keys: &[KeyId]) -> KeySetId {
        let (Some(first), Some(last)) = (keys.first(), keys.last()) else { return KeySetId::EMPTY };
        let differing = block_of(*first) ^ block_of(*last);
        if differing == 0 {
            let bits = keys.iter().fold(0, |bits, &key| bits | bit_of(key));
            return self.add(TrieNode::Block { block: block_of(*first), keys: bits });
        }
        let bit = 1 << (31 - differing.leading_zeros());
        let (clear, set) = keys.split_at(keys.partition_point(|&key| block_of(key) & bit == 0));
        let (clear, set) = (self.of(clear), self.of(set));
        self.add(TrieNode::Branch { bit, clear, set })
    }

    /// The set without a key.
    pub(super) fn without(&mut self, id: KeySetId, key: KeyId) -> KeySetId {
        let rest = match **self.nodes.get(id.0) {
            TrieNode::Block { block, keys } if block == block_of(key) => match keys & !bit_of(key) {
                0 => return KeySetId::EMPTY,
                keys => TrieNode::Block { block, keys },
            },
            TrieNode::Branch { bit, clear, set } if block_of(key) & bit == 0 => {
                match self.without(clear, key) {
                    KeySetId::EMPTY => return set,
                    clear => TrieNode::Branch { bit, clear, set },
                }
            }
            TrieNode::Branch { bit, clear, set } => match self.without(set, key) {
                KeySetId::EMPTY => return clear,
                set => TrieNode::Branch { bit, clear, set },
            },
            TrieNode::Empty | TrieNode::Block { .. } => return id,
        };
        self.add(rest)
    }

    /// Whether a key is in a set.
    pub(super) fn contains(&self, id: KeySetId, key: KeyId) -> bool {
        match **self.nodes.get(id.0) {
            TrieNode::Empty => false,
            TrieNode::Block { block, keys } => block == block_of(key) && keys & bit_of(key) != 0,
            TrieNode::Branch { bit, clear, .. } if block_of(key) & bit == 0 => self.contains(clear, key),
            TrieNode::Branch { set, .. } => self.contains(set, key),
        }
    }

    /// The number of keys in a set.
    pub(super) fn size(&self, id: KeySetId) -> usize {
        self.sizes[id.0 as usize] as usize
    }

    /// The keys of a set, sorted.
    pub(super) fn keys(&self, id: KeySetId) -> Vec<KeyId> {
        let (mut keys, mut open) = (Vec::with_capacity(self.size(id)), vec![id]);
        while let Some(id) = open.pop() {
            match **self.nodes.get(id.0) {
                TrieNode::Empty => {}
                TrieNode::Block { block, keys: bits } => {
                    let present = (0..64).filter(|place| bits >> place & 1 == 1);
                    keys.extend(present.map(|place| KeyId(block * 64 + place)));
                }
                TrieNode::Branch { clear, set, .. } => open.extend([set, clear]),
            }
        }
        keys
    }

    fn add(&mut self, node: TrieNode) -> KeySetId {
        let size = match node {
            TrieNode::Empty => 0,
            TrieNode::Block { keys, .. } => keys.count_ones(),
            TrieNode::Branch { clear, set, .. } => self.sizes[clear.0 as usize] + self.sizes[set.0 as usize],
        };
        let id = self.nodes.add(node);
        if id as usize == self.sizes.len() {
            self.sizes.push(size);
        }
        KeySetId(id)
    }
}

fn block_of(key: KeyId) -> u32 {
    key.0 / 64
}

fn bit_of(key: KeyId) -> u64 {
    1 << (key.0 % 64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn equal_sets_have_equal_numbers_whatever_was_removed() {
        let mut sets = KeySets::new();
        let numbers: BTreeSet<u32> = (0..400u32).map(|n| n.wrapping_mul(2_654_435_761) % 100_000).collect();
        let key_list = |numbers: &BTreeSet<u32>| numbers.iter().map(|&n| KeyId(n)).collect::<Vec<_>>();
        let mut left = numbers.clone();
        let mut id = sets.of(&key_list(&left));
        for &removed in numbers.iter().rev().step_by(3).chain(numbers.iter()) {
            assert_eq!(sets.contains(id, KeyId(removed)), left.remove(&removed));
            id = sets.without(id, KeyId(removed));
            assert_eq!(id, sets.of(&key_list(&left)));
            assert_eq!((sets.size(id), sets.keys(id)), (left.len(), key_list(&left)));
        }
        assert_eq!(id, KeySetId::EMPTY);
    }

    #[test]
    fn sets_on_the_way_share_their_nodes() {
        let mut sets = KeySets::new();
        let keys: Vec<_> = (0..20_000).map(KeyId).collect();
        keys.iter().fold(sets.of(&keys), |set, &key| sets.without(set, key));
        assert!(sets.sizes.len() < 20_000 * 12, "{}", sets.sizes.len());
    }
}
