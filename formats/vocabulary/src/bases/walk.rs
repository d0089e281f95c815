//! Walks the trie with an automaton: which tokens may come next in a state.

use crate::trie::Trie;
use gcc_grammar_regular::Dfa;

/// The ranks of the tokens whose bytes some text of the language goes on with after `state`, as ranges that ascend and do not touch each
/// other.
pub(super) fn ranges(trie: &Trie, automaton: &Dfa, state: u32) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    // The states after the strings of the nodes from the root to the last one.
    let mut path = vec![state];
    let mut node = 1;
    while node < trie.len() {
        let entry = &trie.nodes()[node as usize];
        path.truncate(usize::from(entry.depth));
        match path.last().and_then(|&state| automaton.next(state, entry.byte)) {
            Some(next) => {
                path.push(next);
                let tokens = trie.tokens_at(node);
                match ranges.last_mut() {
                    Some(last) if last.1 == tokens.start => last.1 = tokens.end,
                    _ if tokens.is_empty() => {}
                    _ => ranges.push((tokens.start, tokens.end)),
                }
                node += 1;
            }
            None => node = entry.subtree_end,
        }
    }
    ranges
}

/// The ranks in `whole` that are not in `part`. All ranges ascend and do not touch each other.
pub(super) fn without(whole: &[(u32, u32)], part: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut left = Vec::new();
    let mut part = part.iter().peekable();
    for &(mut start, end) in whole {
        while let Some(&&(from, to)) = part.peek().filter(|removed| removed.0 < end) {
            if start < from {
                left.push((start, from));
            }
            start = start.max(to);
            if to >= end {
                break;
            }
            part.next();
        }
        if start < end {
            left.push((start, end));
        }
    }
    left
}
