//! The transitions of the spelling automaton over `\uXXXX`, as tries of hexadecimal digits.

use super::escaped::Escaped;
use super::speller::Speller;
use super::state::{CodePoints, Digits, Edges, Goal, Range, SpellingState, Values, push};

use crate::options::Strings;

impl Speller<'_> {
    /// The code points that `\u` may spell, by the value of its four digits.
    pub(super) fn escaped_ranges(&mut self, points: &CodePoints, escaped: Escaped) -> Vec<Range> {
        let mut ranges = Vec::new();
        let mut astral = Vec::new();
        for &(least, greatest) in escaped.ranges() {
            let from = points.partition_point(|point| point.1 < least);
            for &(low, high, to) in points[from..].iter().take_while(|point| point.0 <= greatest) {
                let (low, high) = (low.max(least), high.min(greatest));
                if low < 0x1_0000 {
                    push(&mut ranges, (low, high.min(0xFFFF), Goal::Text(to)));
                }
                if high >= 0x1_0000 {
                    astral.push((low.max(0x1_0000) - 0x1_0000, high - 0x1_0000, to));
                }
            }
        }
        let halves = self.surrogates(&astral);
        let place = ranges.partition_point(|range| range.0 < 0xD800);
        ranges.splice(place..place, halves);
        ranges
    }

    /// The first halves of the surrogate pairs that spell the given code points, which are counted from
    /// U+10000.
    fn surrogates(&mut self, astral: &[(u32, u32, u32)]) -> Vec<Range> {
        let mut halves = Vec::new();
        // A first half with the second halves found for it so far.
        let mut open: Option<(u32, Vec<Range>)> = None;
        for &(low, high, to) in astral {
            let mut low = low;
            while low <= high {
                let first = low >> 10;
                let full_until = if low & 0x3FF == 0 { (high + 1) >> 10 } else { 0 };
                if full_until > first {
                    self.close_half(open.take(), &mut halves);
                    let ranges = vec![(0xDC00, 0xDFFF, Goal::Text(to))];
                    let node = self.digits_node(Digits::new(4, ranges));
                    push(&mut halves, (0xD800 + first, 0xD7FF + full_until, Goal::Low(node)));
                    low = full_until << 10;
                    continue;
                }
                let end = high.min(low | 0x3FF);
                if open.as_ref().is_some_and(|(half, _)| *half != first) {
                    self.close_half(open.take(), &mut halves);
                }
                let (_, seconds) = open.get_or_insert_with(|| (first, Vec::new()));
                push(seconds, (0xDC00 + (low & 0x3FF), 0xDC00 + (end & 0x3FF), Goal::Text(to)));
                low = end + 1;
            }
        }
        self.close_half(open, &mut halves);
        halves
    }

    /// Adds a first half with its second halves.
    fn close_half(&mut self, open: Option<(u32, Vec<Range>)>, halves: &mut Vec<Range>) {
        if let Some((first, ranges)) = open {
            let node = self.digits_node(Digits::new(4, ranges));
            push(halves, (0xD800 + first, 0xD800 + first, Goal::Low(node)));
        }
    }

    /// The number of a node of a trie of digits.
    pub(super) fn digits_node(&mut self, digits: Digits) -> u32 {
        let next = self.digits.len() as u32;
        let number = *self.known_digits.entry(digits.clone()).or_insert(next);
        if number == next {
            self.digits.push(digits);
        }
        number
    }

    /// Adds the transitions over one hexadecimal digit.
    pub(super) fn digit_edges(&mut self, node: u32, edges: &mut Edges) {
        let Digits { left, values } = self.digits[node as usize].clone();
        let ranges = match values {
            Values::All(goal) => {
                let target = self.after_digit(left, Values::All(goal));
                return self.edges_over_digits(0, 15, target, edges);
            }
            Values::Ranges(ranges) => ranges,
        };
        let mut runs: Vec<(u32, u32, SpellingState)> = Vec::new();
        for digit in 0..16 {
            if let Some(values) = part(&ranges, left, digit) {
                let target = self.after_digit(left, values);
                push(&mut runs, (digit, digit, target));
            }
        }
        runs.into_iter().for_each(|(low, high, target)| self.edges_over_digits(low, high, target, edges));
    }

    /// The state after a digit, if `left` were left with it, and the rest has these values.
    fn after_digit(&mut self, left: u32, values: Values) -> SpellingState {
        match values {
            Values::All(goal) if left == 1 => goal.state(),
            values => SpellingState::Digits(self.digits_node(Digits { left: left - 1, values })),
        }
    }

    /// Adds the transitions over the digits `low..=high`.
    fn edges_over_digits(&mut self, low: u32, high: u32, target: SpellingState, edges: &mut Edges) {
        let (low, high) = (low as u8, high as u8);
        if low < 10 {
            edges.push((b'0' + low, b'0' + high.min(9), target));
        }
        if high >= 10 {
            let (low, high) = (low.max(10) - 10, high - 10);
            edges.push((b'a' + low, b'a' + high, target));
            if self.strings != Strings::Canonical {
                edges.push((b'A' + low, b'A' + high, target));
            }
        }
    }
}

/// The values of the digits after `digit`, which is the first of `left`; none if none leads on.
fn part(ranges: &[Range], left: u32, digit: u32) -> Option<Values> {
    let block = 1 << (4 * (left - 1));
    let (from, to) = (digit * block, digit * block + block - 1);
    let start = ranges.partition_point(|range| range.1 < from);
    let inside = ranges[start..].iter().take_while(|range| range.0 <= to);
    let clip = |&(low, high, goal): &Range| (low.max(from) - from, high.min(to) - from, goal);
    match ranges.get(start) {
        Some(&(low, high, goal)) if low <= from && to <= high => Some(Values::All(goal)),
        Some(&(low, ..)) if low <= to => Some(Values::Ranges(inside.map(clip).collect())),
        _ => None,
    }
}
