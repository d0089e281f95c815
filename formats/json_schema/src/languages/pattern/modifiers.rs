//! Modifiers of patterns (`(?i:…)`, ECMA-262 2025) and what they change.

use super::sets::{line_terminators, word};
use super::unicode::in_any_case;
use gcc_grammar_regular::{CharSet, Look, Regex};

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
    pub(super) fn start(self) -> Regex {
        if self.multi_line {
            Regex::Chars(line_terminators().negate()).behind(true)
        } else {
            Regex::Look(Look::Start)
        }
    }

    /// `$`
    pub(super) fn end(self) -> Regex {
        if self.multi_line {
            Regex::Chars(line_terminators().negate()).ahead(true)
        } else {
            Regex::Look(Look::End)
        }
    }

    /// `\b`, or `\B` if `negative`. In any case, two more characters count as those of words.
    pub(super) fn word_boundary(self, negative: bool) -> Regex {
        if !self.ignore_case {
            return Regex::Look(if negative { Look::NotWordBoundary } else { Look::WordBoundary });
        }
        let sides = |before, after| {
            let word = || in_any_case(&word());
            Regex::concat([Regex::Chars(word()).behind(before), Regex::Chars(word()).ahead(after)])
        };
        Regex::union([sides(false, !negative), sides(true, negative)])
    }
}
