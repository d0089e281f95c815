//! Modifiers of patterns (`(?i:…)`, ECMA-262 2025) and what they change.

use super::sets::{line_terminators, word};
use super::tree::Node;
use super::unicode::in_any_case;
use gcc_grammar_regular::{CharSet, Look};

/// The modifiers that hold at a place of a pattern.
#[derive(Clone, Copy, Default)]
pub(super) struct Modifiers {
    ignore_case: bool,
    multi_line: bool,
    dot_all: bool,
}

impl Modifiers {
    /// With changes such as `i-s`. None if they are malformed: each of the letters at most once, and at least one.
    pub(super) fn changed(mut self, letters: &str) -> Option<Self> {
        let is_repeated = |(place, letter)| letters[..place].contains(letter);
        if !letters.contains(['i', 'm', 's']) || letters.char_indices().any(is_repeated) {
            return None;
        }
        let mut value = true;
        for letter in letters.chars() {
            match letter {
                'i' => self.ignore_case = value,
                'm' => self.multi_line = value,
                's' => self.dot_all = value,
                '-' => value = false,
                _ => return None,
            }
        }
        Some(self)
    }

    /// The characters that one of the set matches.
    pub(super) fn fold(self, set: CharSet) -> CharSet {
        if self.ignore_case { in_any_case(&set) } else { set }
    }

    /// `.`
    pub(super) fn dot(self) -> CharSet {
        if self.dot_all { CharSet::all() } else { line_terminators().negate() }
    }

    /// `^`
    pub(super) fn start(self) -> Node {
        if self.multi_line {
            around(line_terminators().negate(), true, true)
        } else {
            Node::Look(Look::Start)
        }
    }

    /// `$`
    pub(super) fn end(self) -> Node {
        if self.multi_line { around(line_terminators().negate(), false, true) } else { Node::Look(Look::End) }
    }

    /// `\b`, or `\B` if `negative`. In any case, two more characters count as those of words.
    pub(super) fn word_boundary(self, negative: bool) -> Node {
        if !self.ignore_case {
            return Node::Look(if negative { Look::NotWordBoundary } else { Look::WordBoundary });
        }
        let sides = |before, after| {
            let word = || in_any_case(&word());
            Node::Concat(vec![around(word(), true, before), around(word(), false, after)])
        };
        Node::Alternatives(vec![sides(false, !negative), sides(true, negative)])
    }
}

/// Whether a character of the set is before or after a place, or none if `negative`.
fn around(set: CharSet, behind: bool, negative: bool) -> Node {
    Node::Around { behind, negative, inner: Box::new(Node::Chars(set)) }
}
