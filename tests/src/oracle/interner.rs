//! Numbers values, so that equal values have equal numbers.

use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::rc::Rc;

/// All values met so far.
#[derive(Clone, Debug)]
pub(super) struct Interner<T> {
    values: Vec<Rc<T>>,
    numbers: FxHashMap<Rc<T>, usize>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { values: Vec::new(), numbers: FxHashMap::default() }
    }
}

impl<T: Eq + Hash> Interner<T> {
    /// The number of the value.
    pub(super) fn number(&mut self, value: T) -> usize {
        if let Some(&known) = self.numbers.get(&value) {
            return known;
        }
        let value = Rc::new(value);
        self.values.push(Rc::clone(&value));
        self.numbers.insert(value, self.values.len() - 1);
        self.values.len() - 1
    }

    /// Number of values.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// The value with this number.
    pub(super) fn value(&self, number: usize) -> Rc<T> {
        Rc::clone(&self.values[number])
    }
}
