//! A memo over the tops of stacks.
//!
//! What a token does to a stack depends on the states that it looks at, and those are few, however high the stack is: after forty opening
//! parentheses the next one still looks at the top alone. So a result is kept under the top states that were looked at, or
//! under the whole stack if it was found too short.

use crate::ids::LrState;
use rustc_hash::FxHashMap;

/// Stands for the bottom in a word of states.
const BOTTOM: u32 = u32::MAX;

/// Results by key and top of the stack.
pub(super) struct Tops<V> {
    /// Words of states, top first, as a trie: (word, next state) -> longer word. Word 0 is empty.
    words: FxHashMap<(u32, u32), u32>,
    /// `None`: longer words have to be asked.
    results: FxHashMap<(u32, u32), Option<V>>,
}

impl<V> Default for Tops<V> {
    fn default() -> Self {
        Self { words: FxHashMap::default(), results: FxHashMap::default() }
    }
}

/// The states from the top down, and the bottom.
fn from_top(stack: &[LrState]) -> impl Iterator<Item = u32> + '_ {
    stack.iter().rev().map(|state| state.0).chain([BOTTOM])
}

impl<V: Copy> Tops<V> {
    /// The result for `key` on `stack` (top last), and how many states it depends on: one more than there are if it depends on
    /// the bottom.
    pub(super) fn get(&self, key: u32, stack: &[LrState]) -> Option<(V, usize)> {
        let mut word = 0;
        for (depth, state) in from_top(stack).enumerate() {
            word = *self.words.get(&(word, state))?;
            if let Some(result) = self.results.get(&(key, word))? {
                return Some((*result, depth + 1));
            }
        }
        None
    }

    /// Keeps a result that depends on the `used` top states.
    pub(super) fn insert(&mut self, key: u32, stack: &[LrState], used: usize, result: V) {
        let mut word = 0;
        for (depth, state) in from_top(stack).take(used).enumerate() {
            let fresh = self.words.len() as u32 + 1;
            word = *self.words.entry((word, state)).or_insert(fresh);
            self.results.insert((key, word), (depth + 1 == used).then_some(result));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_hold_for_all_stacks_with_the_same_top() {
        let stack = |states: &[u32]| states.iter().map(|&s| LrState(s)).collect::<Vec<_>>();
        let mut tops = Tops::default();
        tops.insert(7, &stack(&[1, 2, 3]), 2, 'a');
        assert_eq!(tops.get(7, &stack(&[9, 9, 2, 3])), Some(('a', 2)));
        assert_eq!(tops.get(7, &stack(&[2, 3])), Some(('a', 2)));
        assert_eq!(tops.get(7, &stack(&[3])), None);
        assert_eq!(tops.get(8, &stack(&[2, 3])), None);
        tops.insert(7, &stack(&[3]), 2, 'b');
        assert_eq!(tops.get(7, &stack(&[3])), Some(('b', 2)));
        assert_eq!(tops.get(7, &stack(&[2, 3])), Some(('a', 2)));
        tops.insert(7, &stack(&[4, 3]), 3, 'c');
        assert_eq!(tops.get(7, &stack(&[4, 3])), Some(('c', 3)));
        assert_eq!(tops.get(7, &stack(&[5, 4, 3])), None);
    }
}
