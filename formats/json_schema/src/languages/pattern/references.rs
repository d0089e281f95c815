//! Back references to groups of few texts: what follows such a group is read once for each of its texts, with the references to it as that text.
//!
//! `(['"])[a-z]*\1` is `'[a-z]*'` or `"[a-z]*"`: a match exists if and only if one exists for some text of the group. The group has to be a part of the
//! sequence that the reference is in, or of one around it, and is not repeated; so it has exactly one text there. Groups in look-behind
//! are not chosen: ECMA-262 reads it backwards (22.2.2.3), so a reference there comes before a group that is written before it.

use super::error::PatternError;
use super::groups::{Bound, Captured, texts};
use super::modifiers::Modifiers;
use super::parser::Parser;
use gcc_grammar_regular::{CharSet, Regex};

/// The most characters that are read again for the texts of groups, in all.
const MOST_COPIED: usize = 8192;

impl Parser {
    /// If `term`, which was read from `start`, is a group to which the rest of the sequence refers: the group and the rest.
    pub(super) fn bound(&mut self, start: usize, term: &Regex) -> Result<Option<Regex>, PatternError> {
        let Some(captured) = self.groups.last.take() else { return Ok(None) };
        let is_term = captured.start == start && captured.end == self.position;
        let rest = self.text.len() - self.position;
        if !is_term || self.groups.behind > 0 || rest > MOST_COPIED || !self.refers_to(&captured) {
            return Ok(None);
        }
        let texts = texts(term).unwrap_or_default();
        self.groups.copied += texts.len() * rest;
        if texts.is_empty() || self.groups.copied > MOST_COPIED {
            return Ok(None);
        }
        let (position, modifiers, count) = (self.position, self.modifiers, self.groups.count);
        let mut alternatives = Vec::new();
        for text in texts {
            (self.position, self.modifiers, self.groups.count) = (position, modifiers, count);
            let literal = Regex::literal(&text);
            self.groups.bound.push(Bound { number: captured.number, name: captured.name.clone(), text });
            alternatives.push(literal.then(self.alternative()?));
            self.groups.bound.pop();
        }
        Ok(Some(Regex::Union(alternatives)))
    }

    /// The name of a group, in the text from its question mark on: `<name>`, `P<name>` or `'name'`.
    pub(super) fn name_since(&self, from: usize) -> String {
        let is_mark = |c: &char| matches!(c, '<' | '>' | '\'');
        let mut parts = self.text[from..self.position].split(is_mark);
        parts.nth(1).unwrap_or_default().iter().collect()
    }

    /// Whether the rest of the pattern has a text like a reference to a group.
    fn refers_to(&self, group: &Captured) -> bool {
        let named = group.name.as_ref().map(|name| format!("k<{name}>"));
        let references = [Some(group.number.to_string()), named];
        let references: Vec<Vec<char>> =
            references.into_iter().flatten().map(|text| text.chars().collect()).collect();
        let rest = &self.text[self.position..];
        (1..rest.len())
            .filter(|&at| rest[at - 1] == '\\')
            .any(|at| references.iter().any(|reference| rest[at..].starts_with(reference)))
    }

    /// A reference, whose backslash has been read.
    pub(super) fn reference(&mut self, start: usize) -> Result<Regex, PatternError> {
        let of = |bound: &&Bound, number, name: &str| {
            bound.number == number || bound.name.as_deref() == Some(name)
        };
        let (mut number, mut name) = (0, String::new());
        if self.eat('k') {
            let from = self.position + 1;
            if self.group_name() {
                name = self.text[from..self.position - 1].iter().collect();
            }
        } else {
            number = self.count().unwrap_or(0) as usize;
        }
        match self.groups.bound.iter().rfind(|bound| of(bound, number, &name)) {
            Some(bound) => Ok(spelled(&bound.text, self.modifiers)),
            None => Err(PatternError::unsupported(start, "a back reference is not a regular operation")),
        }
    }
}

/// A text, in either case if the modifiers say so.
fn spelled(text: &str, modifiers: Modifiers) -> Regex {
    Regex::concat(text.chars().map(|c| Regex::Chars(modifiers.fold(CharSet::single(c)))))
}
