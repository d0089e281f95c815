//! Byte-pair merging (Sennrich, Haddow, Birch 2016).
//!
//! The input is a text, the offsets of its symbols, and a priority for every token. [`merge`] joins the two neighbouring
//! symbols whose concatenation has the best priority, until no concatenation is a token, and returns the spans that
//! remain. A heap holds the candidates, so a text of n symbols takes O(n log n) steps.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// Joins neighbouring symbols while the concatenation of two neighbours is a token: the pair with the lowest priority
/// number first, and the leftmost of equal pairs.
///
/// `starts` has the offsets at which the symbols start, ascending from 0. Returns the spans that remain.
pub(super) fn merge(
    text: &[u8],
    starts: &[usize],
    priority: impl Fn(&[u8]) -> Option<u32>,
) -> Vec<Range<usize>> {
    let mut symbols = Symbols::new(starts, text.len());
    let mut heap = BinaryHeap::new();
    let push = |heap: &mut BinaryHeap<_>, symbols: &Symbols, left: usize| {
        if let Some(span) = symbols.pair(left)
            && let Some(priority) = priority(&text[span.clone()])
        {
            heap.push(Reverse((priority, left, span.end)));
        }
    };
    (0..starts.len()).for_each(|left| push(&mut heap, &symbols, left));
    while let Some(Reverse((_, left, end))) = heap.pop() {
        // An entry is stale if one of its two symbols has been joined to another symbol since.
        if symbols.pair(left).is_none_or(|span| span.end != end) {
            continue;
        }
        symbols.join(left);
        push(&mut heap, &symbols, left);
        if let Some(before) = symbols.previous[left] {
            push(&mut heap, &symbols, before);
        }
    }
    symbols.spans()
}

/// A doubly linked list of symbols. A symbol keeps its number; joining two symbols removes the right one.
struct Symbols {
    /// The span of each symbol; `None` if it was joined to its predecessor.
    spans: Vec<Option<Range<usize>>>,
    previous: Vec<Option<usize>>,
    next: Vec<Option<usize>>,
}

impl Symbols {
    fn new(starts: &[usize], end: usize) -> Self {
        let ends = starts.iter().skip(1).copied().chain([end]);
        let count = starts.len();
        Self {
            spans: starts.iter().zip(ends).map(|(&start, end)| Some(start..end)).collect(),
            previous: (0..count).map(|index| index.checked_sub(1)).collect(),
            next: (1..=count).map(|index| (index < count).then_some(index)).collect(),
        }
    }

    /// The span of a symbol and its successor.
    fn pair(&self, left: usize) -> Option<Range<usize>> {
        let start = self.spans[left].as_ref()?.start;
        Some(start..self.spans[self.next[left]?].as_ref()?.end)
    }

    /// Joins a symbol with its successor.
    fn join(&mut self, left: usize) {
        let (Some(span), Some(right)) = (self.pair(left), self.next[left]) else { return };
        self.spans[left] = Some(span);
        self.spans[right] = None;
        self.next[left] = self.next[right];
        if let Some(after) = self.next[left] {
            self.previous[after] = Some(left);
        }
    }

    /// The spans of the remaining symbols.
    fn spans(self) -> Vec<Range<usize>> {
        self.spans.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(text: &str, tokens: &[&str]) -> Vec<String> {
        let starts: Vec<usize> = (0..text.len()).collect();
        let priority =
            |bytes: &[u8]| tokens.iter().position(|token| token.as_bytes() == bytes).map(|at| at as u32);
        merge(text.as_bytes(), &starts, priority).into_iter().map(|span| text[span].to_owned()).collect()
    }

    #[test]
    fn the_lowest_priority_number_is_joined_first() {
        assert_eq!(merged("abc", &["bc", "ab"]), ["a", "bc"]);
        assert_eq!(merged("abc", &["ab", "bc"]), ["ab", "c"]);
        assert_eq!(merged("abc", &["ab", "abc"]), ["abc"]);
        assert_eq!(merged("", &[]), [""; 0]);
    }

    #[test]
    fn the_leftmost_of_equal_pairs_is_joined_first() {
        assert_eq!(merged("aaa", &["aa"]), ["aa", "a"]);
        assert_eq!(merged("aaaaa", &["aa", "aaaa"]), ["aaaa", "a"]);
    }

    #[test]
    fn a_join_makes_new_pairs_on_both_sides() {
        assert_eq!(merged("abcd", &["bc", "abc", "abcd"]), ["abcd"]);
        assert_eq!(merged("xabcd", &["bc", "abc", "xa", "cd"]), ["x", "abc", "d"]);
    }
}
