//! Finds look-around and atomic groups in the text of a pattern, which the parser of `regex-syntax` does not read, and makes groups of them.

use regex_syntax::ast;
use std::ops::Range;

/// What a group of a pattern is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Ahead { negative: bool },
    Behind { negative: bool },
    Atomic,
}

/// What begins such groups.
const PREFIXES: [(&str, Kind); 5] = [
    ("(?=", Kind::Ahead { negative: false }),
    ("(?!", Kind::Ahead { negative: true }),
    ("(?<=", Kind::Behind { negative: false }),
    ("(?<!", Kind::Behind { negative: true }),
    ("(?>", Kind::Atomic),
];

/// A pattern whose look-around and atomic groups were made plain groups.
pub(super) struct Grouped {
    pub(super) pattern: String,
    /// The places of the groups in the new pattern.
    groups: Vec<(usize, Kind)>,
    /// The place of the first of them in the pattern as it was.
    first: Range<usize>,
}

impl Grouped {
    /// The pattern with groups. None if it has neither.
    pub(super) fn new(pattern: &str) -> Option<Self> {
        let mut grouped =
            Self { pattern: String::with_capacity(pattern.len()), groups: Vec::new(), first: 0..0 };
        let (mut at, mut classes) = (0, 0_usize);
        while let Some(next) = pattern[at..].chars().next() {
            let rest = &pattern[at..];
            let prefix = PREFIXES.iter().find(|(prefix, _)| classes == 0 && rest.starts_with(prefix));
            if let Some(&(prefix, kind)) = prefix {
                grouped.open(at..at + prefix.len(), kind);
                at += prefix.len();
                continue;
            }
            let length = match next {
                '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
                '[' => class_start(rest, classes),
                next => next.len_utf8(),
            };
            classes = match next {
                '[' => classes + 1,
                ']' => classes.saturating_sub(1),
                _ => classes,
            };
            grouped.pattern.push_str(&rest[..length]);
            at += length;
        }
        (!grouped.groups.is_empty()).then_some(grouped)
    }

    fn open(&mut self, place: Range<usize>, kind: Kind) {
        if self.groups.is_empty() {
            self.first = place;
        }
        self.groups.push((self.pattern.len(), kind));
        self.pattern.push('(');
    }

    /// What the group at this place of the new pattern is, if it is no plain one.
    pub(super) fn kind(&self, group: &ast::Span) -> Option<Kind> {
        let found = self.groups.binary_search_by_key(&group.start.offset, |&(at, _)| at).ok()?;
        Some(self.groups[found].1)
    }

    pub(super) fn first(&self) -> Range<usize> {
        self.first.clone()
    }

    /// A range of the new pattern as a range of the pattern as it was.
    pub(super) fn origin(&self, span: Range<usize>) -> Range<usize> {
        self.place(span.start)..self.place(span.end)
    }

    /// A place of the new pattern in the pattern as it was. The parenthesis of each group was longer.
    fn place(&self, at: usize) -> usize {
        let groups = self.groups.iter().take_while(|&&(group, _)| group < at);
        at + groups.map(|(_, kind)| 2 + usize::from(matches!(kind, Kind::Behind { .. }))).sum::<usize>()
    }
}

/// The length of what begins a class: with its negation, and with a bracket that stands for itself.
fn class_start(rest: &str, classes: usize) -> usize {
    let negated = if rest[1..].starts_with('^') { 2 } else { 1 };
    negated + usize::from(classes == 0 && rest[negated..].starts_with(']'))
}
