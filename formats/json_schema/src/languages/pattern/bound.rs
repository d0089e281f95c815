//! Patterns with a bound that is one on the length of the whole text, such as `^[a-z]{1,64}$`: the compiler may count the characters.
//!
//! The texts of the pattern are then those of a *relaxed* one, in which a repetition has no greatest number, with at most so many characters. This is so if all
//! that may come beside the repetition has a fixed length.

use gcc_grammar_regular::{Look, Regex};

/// A repetition that can be read fewer times is not relaxed.
const LEAST: u32 = 12;

/// The lengths of the texts of a node, in characters.
#[derive(Clone, Copy)]
struct Lengths {
    min: u32,
    /// `None` if there is no greatest length, or it is very large.
    max: Option<u32>,
    /// The texts of the node are those of the relaxed one with at most `max` characters.
    is_relaxed: bool,
}

impl Lengths {
    const fn exactly(length: u32) -> Self {
        Self { min: length, max: Some(length), is_relaxed: false }
    }

    /// The length of all texts, if they have the same.
    fn fixed(self) -> Option<u32> {
        self.max.filter(|&max| max == self.min && !self.is_relaxed)
    }
}

/// Relaxes a pattern, and gives the bound. The pattern is of no use if there is none.
pub(super) fn relax(pattern: &mut Regex) -> Option<u32> {
    let is_whole = is_anchored(pattern, Look::Start) && is_anchored(pattern, Look::End);
    let lengths = if is_whole { relax_node(pattern)? } else { return None };
    lengths.max.filter(|_| lengths.is_relaxed)
}

/// Whether all that a node matches begins at the start of the text, or ends at its end.
fn is_anchored(node: &Regex, look: Look) -> bool {
    match node {
        Regex::Look(own) => *own == look,
        Regex::Concat(nodes) => {
            let outer = if look == Look::Start { nodes.first() } else { nodes.last() };
            outer.is_some_and(|node| is_anchored(node, look))
        }
        Regex::Union(nodes) => nodes.iter().all(|node| is_anchored(node, look)),
        _ => false,
    }
}

/// Relaxes what can be relaxed; `None` if the lengths do not decide what the pattern matches. Recursion is bounded by the parser.
fn relax_node(node: &mut Regex) -> Option<Lengths> {
    match node {
        Regex::Look(_) | Regex::Around(_) => Some(Lengths::exactly(0)),
        Regex::Literal(text) if text.is_empty() => Some(Lengths::exactly(0)),
        Regex::Chars(_) => Some(Lengths::exactly(1)),
        Regex::Concat(nodes) => {
            let parts = nodes.iter_mut().map(relax_node).collect::<Option<Vec<_>>>()?;
            sequence(&parts)
        }
        Regex::Union(nodes) => {
            let parts = nodes.iter_mut().map(relax_node).collect::<Option<Vec<_>>>()?;
            either(&parts)
        }
        Regex::Repeat { inner, min, max } => {
            let inner = relax_node(inner)?;
            if inner.is_relaxed {
                let none = Lengths::exactly(0);
                return match (*min, *max) {
                    (0, Some(1)) => either(&[none, inner]),
                    (1, Some(1)) => Some(inner),
                    _ => None,
                };
            }
            let times = |length: Option<u32>, number: Option<u32>| length?.checked_mul(number?);
            let lengths = Lengths {
                min: inner.min.saturating_mul(*min),
                max: times(inner.max, *max),
                is_relaxed: inner.fixed().is_some() && max.is_some_and(|max| max >= LEAST && max > *min),
            };
            if lengths.is_relaxed {
                *max = None;
            }
            Some(lengths)
        }
        // The parser makes no others.
        _ => None,
    }
}

/// The lengths of texts one after the other.
fn sequence(parts: &[Lengths]) -> Option<Lengths> {
    let is_relaxed = parts.iter().any(|part| part.is_relaxed);
    let are_others_fixed = parts.iter().filter(|part| part.fixed().is_none()).count() == 1;
    if is_relaxed && !are_others_fixed {
        return None;
    }
    let add = |sum: Option<u32>, part: &Lengths| sum?.checked_add(part.max?);
    Some(Lengths {
        min: parts.iter().fold(0, |sum, part| sum.saturating_add(part.min)),
        max: parts.iter().fold(Some(0), add),
        is_relaxed,
    })
}

/// The lengths of the texts of any part. Where some are relaxed, the bound is one for all.
fn either(parts: &[Lengths]) -> Option<Lengths> {
    let max = parts.iter().map(|part| part.max).reduce(|a, b| a.zip(b).map(|(a, b)| a.max(b)))?;
    let mut relaxed = parts.iter().filter(|part| part.is_relaxed).peekable();
    let is_relaxed = relaxed.peek().is_some();
    let is_common = !is_relaxed || max.is_some() && relaxed.all(|part| part.max == max);
    let min = parts.iter().map(|part| part.min).min()?;
    is_common.then_some(Lengths { min, max, is_relaxed })
}
