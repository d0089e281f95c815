//! Modifiers of patterns (`(?i:…)`, ECMA-262 2025) and what they change.

use super::sets::{line_terminators, word};
use super::tree::PatternTree;
use super::unicode::in_any_case;
use gcc_grammar_regular::{CharSet, Look};

/// The modifiers that hold at a place of a pattern.
#[derive(Clone, Copy, Default)]
pub(super) struct Modifiers {
    ignore_case: bool,
    multi_line: bool,
    dot_all: bool,
    /// White space and comments are left out. ECMA-262 has no such modifier.
    extended: bool,
}

impl Modifiers {
    /// With changes such as `i-s`. None if they are malformed: each of the letters at most once, and at least one.
    pub(super) fn changed(mut self, letters: &str) -> Option<Self> {
        let is_repeated = |(place, letter)| letters[..place].contains(letter);
        if !letters.contains(['i', 'm', 's', 'x']) || letters.char_indices().any(is_repeated) {
            return None;
        }
        let mut value = true;
        for letter in letters.chars() {
            match letter {
                'i' => self.ignore_case = value,
                'm' => self.multi_line = value,
                's' => self.dot_all = value,
                'x' => self.extended = value,
                '-' => value = false,
                _ => return None,
            }
        }
        Some(self)
    }

    /// Whether white space and comments are left out.
    pub(super) fn is_extended(self) -> bool {
        self.extended
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
    pub(super) fn start(self) -> PatternTree {
        if self.multi_line {
            around(line_terminators().negate(), true, true)
        } else {
            PatternTree::Look(Look::Start)
        }
    }

    /// `$`
    pub(super) fn end(self) -> PatternTree {
        if self.multi_line {
            around(line_terminators().negate(), false, true)
        } else {
            PatternTree::Look(Look::End)
        }
    }

    /// `\b`, or `\B` if `negative`. In any case, two more characters count as those of words.
    pub(super) fn word_boundary(self, negative: bool) -> PatternTree {
        if !self.ignore_case {
            return PatternTree::Look(if negative { Look::NotWordBoundary } else { Look::WordBoundary });
        }
        let sides = |before, after| {
            let word = || in_any_case(&word());
            PatternTree::Concat(vec![around(word(), true, before), around(word(), false, after)])
        };
        PatternTree::Alternatives(vec![sides(false, !negative), sides(true, negative)])
    }
}

/// Whether a character of the set is before or after a place, or none if `negative`.
fn around(set: CharSet, behind: bool, negative: bool) -> PatternTree {
    PatternTree::Around { behind, negative, inner: Box::new(PatternTree::Chars(set)) }
}
