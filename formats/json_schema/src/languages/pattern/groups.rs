//! The groups of a pattern that back references may mean, and the texts of a group of which there are few.

use gcc_grammar_regular::{CharSet, Regex};
use std::collections::BTreeSet;

/// A group has at most so many texts.
const MOST_TEXTS: usize = 64;
/// Each of them has at most so many bytes.
const LONGEST_TEXT: usize = 64;

/// A group that was read.
pub(super) struct Captured {
    /// Where its parentheses are.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) number: usize,
    pub(super) name: Option<String>,
}

/// A group with its text.
pub(super) struct Bound {
    pub(super) number: usize,
    pub(super) name: Option<String>,
    pub(super) text: String,
}

/// The groups of a pattern so far.
#[derive(Default)]
pub(super) struct Groups {
    /// How many began.
    pub(super) count: usize,
    /// The one that ended last.
    pub(super) last: Option<Captured>,
    /// Those whose texts are chosen, the innermost last.
    pub(super) bound: Vec<Bound>,
    /// In how many look-behinds the parser is.
    pub(super) behind: usize,
    /// How many characters were read again.
    pub(super) copied: usize,
}

/// The texts of an expression, if there are few and short ones, and they do not depend on what is around them.
pub(super) fn texts(regex: &Regex) -> Option<BTreeSet<String>> {
    let few = |texts: BTreeSet<String>| (texts.len() <= MOST_TEXTS).then_some(texts);
    match regex {
        Regex::Chars(set) => few(chars(set).take(MOST_TEXTS + 1).map(String::from).collect()),
        Regex::Literal(bytes) => Some(BTreeSet::from([String::from_utf8(bytes.clone()).ok()?])),
        Regex::Concat(parts) => parts.iter().try_fold(empty(), |before, part| joined(&before, &texts(part)?)),
        Regex::Union(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(texts).collect();
            few(parts?.into_iter().flatten().collect())
        }
        Regex::Repeat { inner, min, max: Some(max) } if *max as usize <= LONGEST_TEXT => {
            let (inner, mut all, mut last) = (texts(inner)?, BTreeSet::new(), empty());
            for count in 0..=*max {
                if count > 0 {
                    last = joined(&last, &inner)?;
                }
                if count >= *min {
                    all.extend(last.iter().cloned());
                }
            }
            few(all)
        }
        Regex::Lazy(inner) => texts(inner),
        _ => None,
    }
}

fn chars(set: &CharSet) -> impl Iterator<Item = char> {
    set.0.iter().flat_map(|&(low, high)| low..=high).filter_map(char::from_u32)
}

fn empty() -> BTreeSet<String> {
    BTreeSet::from([String::new()])
}

/// The texts of two expressions one after the other, if there are few and short ones.
fn joined(before: &BTreeSet<String>, after: &BTreeSet<String>) -> Option<BTreeSet<String>> {
    if before.len() * after.len() > MOST_TEXTS * MOST_TEXTS {
        return None;
    }
    let texts: BTreeSet<String> =
        before.iter().flat_map(|a| after.iter().map(move |b| format!("{a}{b}"))).collect();
    (texts.len() <= MOST_TEXTS && texts.iter().all(|text| text.len() <= LONGEST_TEXT)).then_some(texts)
}
