//! A store that gives equal values equal numbers, counted from 0 in the order of their addition.

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Gives equal values equal numbers.
pub(crate) struct Interner<T> {
    list: Vec<Arc<T>>,
    known: FxHashMap<Arc<T>, u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { list: Vec::new(), known: FxHashMap::default() }
    }
}

impl<T: Eq + std::hash::Hash> Interner<T> {
    /// The number of a value, which is stored unless it is known.
    pub(crate) fn add(&mut self, value: T) -> u32 {
        if let Some(&id) = self.known.get(&value) {
            return id;
        }
        let id = self.list.len() as u32;
        let value = Arc::new(value);
        self.list.push(value.clone());
        self.known.insert(value, id);
        id
    }

    pub(crate) fn get(&self, id: u32) -> &Arc<T> {
        &self.list[id as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }
}
