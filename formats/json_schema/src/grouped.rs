//! Values by key.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The values of each key, in the order in which the keys come first.
pub(crate) fn grouped<K: Clone + Eq + Hash, V>(pairs: impl IntoIterator<Item = (K, V)>) -> Vec<(K, Vec<V>)> {
    let mut groups: Vec<(K, Vec<V>)> = Vec::new();
    let mut places: FxHashMap<K, usize> = FxHashMap::default();
    for (key, value) in pairs {
        let place = *places.entry(key.clone()).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(value);
    }
    groups
}
