//! What was used last, within a bound of memory.

use std::collections::HashMap;
use std::hash::Hash;

/// Values by key, up to a number of bytes. Beyond it, those go that have not been used for longest.
#[derive(Debug)]
pub struct Recent<K, V> {
    most_bytes: u64,
    bytes: u64,
    values: HashMap<K, Used<V>>,
    /// How often values were used.
    now: u64,
}

#[derive(Debug)]
struct Used<V> {
    /// When it was used.
    at: u64,
    bytes: u64,
    value: V,
}

impl<K: Copy + Eq + Hash, V: Clone> Recent<K, V> {
    /// No values.
    #[must_use]
    pub fn new(most_bytes: u64) -> Self {
        Self { most_bytes, bytes: 0, values: HashMap::new(), now: 0 }
    }

    /// A value, if it is there.
    pub fn get(&mut self, key: &K) -> Option<V> {
        let used = self.values.get_mut(key)?;
        self.now += 1;
        used.at = self.now;
        Some(used.value.clone())
    }

    /// Adds a value of so many bytes, unless it is larger than all may be together.
    pub fn add(&mut self, key: K, value: V, bytes: u64) {
        if bytes > self.most_bytes {
            return;
        }
        self.now += 1;
        let before = self.values.insert(key, Used { at: self.now, bytes, value });
        self.bytes = self.bytes + bytes - before.map_or(0, |before| before.bytes);
        while self.bytes > self.most_bytes {
            let oldest = self.values.iter().min_by_key(|(_, used)| used.at).map(|(&key, _)| key);
            let gone = oldest.and_then(|key| self.values.remove(&key));
            self.bytes -= gone.map_or(self.bytes, |gone| gone.bytes);
        }
    }

    /// The bytes of all values.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_for_longest_goes() {
        let mut recent = Recent::new(10);
        recent.add(1, 'a', 4);
        recent.add(2, 'b', 4);
        assert_eq!(recent.get(&1), Some('a'));
        recent.add(3, 'c', 6);
        assert_eq!((recent.bytes(), recent.get(&2)), (10, None));
        assert_eq!(recent.get(&1), Some('a'));
        recent.add(4, 'd', 11);
        assert_eq!(recent.get(&4), None);
        recent.add(3, 'e', 6);
        assert_eq!((recent.bytes(), recent.get(&3)), (10, Some('e')));
    }
}
