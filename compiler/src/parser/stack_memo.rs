//! A memo of results that depend on the top of a stack.
//!
//! The effect of a token on a stack depends on the states that it reads. These are few, however high the
//! stack is: after forty opening parentheses the next one still reads the top alone. So a result is kept for
//! the top states that it depends on, or for the whole stack if it depends on where the stack ends.

use crate::ids::LrState;
use gcc_grammar_ir::index_newtype;
use rustc_hash::FxHashMap;
use std::hash::Hash;

index_newtype! { vis pub(super),
    /// A word of states, top first; 0 is the empty word.
    WordId;
}

/// Stands for the bottom of the stack in a word of states.
const BOTTOM: u32 = u32::MAX;

/// Results by key and top of the stack.
pub(super) struct StackMemo<K, V> {
    /// Words of states as a trie: (word, next state) -> longer word.
    words: FxHashMap<(WordId, u32), WordId>,
    /// By key and word. `None` if results for the key are kept under longer words.
    results: FxHashMap<(K, WordId), Option<V>>,
}

impl<K, V> Default for StackMemo<K, V> {
    fn default() -> Self {
        Self { words: FxHashMap::default(), results: FxHashMap::default() }
    }
}

/// The states from the top down, then the bottom.
fn from_top(stack: &[LrState]) -> impl Iterator<Item = u32> + '_ {
    stack.iter().rev().map(|state| state.0).chain([BOTTOM])
}

impl<K: Copy + Eq + Hash, V: Copy> StackMemo<K, V> {
    /// The result for `key` on `stack` (top last), and the number of states that it depends on: one more than
    /// the stack has if it depends on the bottom.
    pub(super) fn get(&self, key: K, stack: &[LrState]) -> Option<(V, usize)> {
        let mut word = WordId(0);
        for (depth, state) in from_top(stack).enumerate() {
            word = *self.words.get(&(word, state))?;
            if let Some(result) = self.results.get(&(key, word))? {
                return Some((*result, depth + 1));
            }
        }
        None
    }

    /// Keeps a result that depends on the top `used` states.
    pub(super) fn insert(&mut self, key: K, stack: &[LrState], used: usize, result: V) {
        let mut word = WordId(0);
        for (depth, state) in from_top(stack).take(used).enumerate() {
            let fresh = WordId::new(self.words.len() + 1);
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
        let mut memo = StackMemo::default();
        memo.insert(7, &stack(&[1, 2, 3]), 2, 'a');
        assert_eq!(memo.get(7, &stack(&[9, 9, 2, 3])), Some(('a', 2)));
        assert_eq!(memo.get(7, &stack(&[2, 3])), Some(('a', 2)));
        assert_eq!(memo.get(7, &stack(&[3])), None);
        assert_eq!(memo.get(8, &stack(&[2, 3])), None);
        memo.insert(7, &stack(&[3]), 2, 'b');
        assert_eq!(memo.get(7, &stack(&[3])), Some(('b', 2)));
        assert_eq!(memo.get(7, &stack(&[2, 3])), Some(('a', 2)));
        memo.insert(7, &stack(&[4, 3]), 3, 'c');
        assert_eq!(memo.get(7, &stack(&[4, 3])), Some(('c', 3)));
        assert_eq!(memo.get(7, &stack(&[5, 4, 3])), None);
    }
}
