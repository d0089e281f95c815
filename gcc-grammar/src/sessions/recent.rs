//! The artifacts that were used last, by key.

use crate::artifacts::key::Key;
use std::collections::HashMap;

/// Artifacts by key, up to a number of bytes. Beyond it, those go that have not been used for longest.
#[derive(Debug)]
pub(crate) struct Recent {
    most_bytes: usize,
    bytes: usize,
    /// Per artifact: when it was used, and its bytes.
    artifacts: HashMap<Key, (u64, Box<[u8]>)>,
    /// How often artifacts were used.
    now: u64,
}

impl Recent {
    /// No artifacts.
    pub(crate) fn new(most_bytes: usize) -> Self {
        Self { most_bytes, bytes: 0, artifacts: HashMap::new(), now: 0 }
    }

    /// The bytes of an artifact, if it is there.
    pub(crate) fn get(&mut self, key: &Key) -> Option<Vec<u8>> {
        let (used, bytes) = self.artifacts.get_mut(key)?;
        self.now += 1;
        *used = self.now;
        Some(bytes.to_vec())
    }

    /// Adds an artifact, unless it is larger than all may be together.
    pub(crate) fn add(&mut self, key: Key, bytes: &[u8]) {
        if bytes.len() > self.most_bytes {
            return;
        }
        self.now += 1;
        let before = self.artifacts.insert(key, (self.now, bytes.into()));
        self.bytes = self.bytes + bytes.len() - before.map_or(0, |(_, bytes)| bytes.len());
        while self.bytes > self.most_bytes {
            let oldest = self.artifacts.iter().min_by_key(|(_, (used, _))| *used).map(|(&key, _)| key);
            let gone = oldest.and_then(|key| self.artifacts.remove(&key));
            self.bytes -= gone.map_or(self.bytes, |(_, bytes)| bytes.len());
        }
    }

    /// The bytes of all artifacts.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_for_longest_goes() {
        let mut recent = Recent::new(10);
        let key = |n: u8| Key([n; 32]);
        recent.add(key(1), &[1; 4]);
        recent.add(key(2), &[2; 4]);
        assert_eq!(recent.get(&key(1)), Some(vec![1; 4]));
        recent.add(key(3), &[3; 6]);
        assert_eq!((recent.bytes(), recent.get(&key(2))), (10, None));
        assert_eq!(recent.get(&key(1)), Some(vec![1; 4]));
        recent.add(key(4), &[4; 11]);
        assert_eq!(recent.get(&key(4)), None);
        recent.add(key(3), &[3; 6]);
        assert_eq!(recent.bytes(), 10);
    }
}
