//! Terms: right parts of rules in which the maximal regular parts are joined.
//!
//! The constructors [`sequence`], [`choice`] and [`repeat`] join regular neighbours, alternatives and operands into one regular term,
//! which remembers the parts that it was made of. If its automaton turns out too large, the term is taken apart again.

use gcc_grammar_ir::Symbol;
use gcc_grammar_regular::Regex;

/// The length in bytes at which the names of joined terminals are cut off.
const MAX_NAME: usize = 60;

/// A right part with its regular parts marked.
pub(super) enum Term {
    Regular { regex: Regex, name: String, parts: Vec<Term>, kind: Kind },
    Symbol(Symbol),
    Sequence(Vec<Term>),
    Choice(Vec<Term>),
    Repeat { inner: Box<Term>, min: u32, max: Option<u32> },
}

/// The operation that made a regular term of its parts.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// None: it is one symbol of the old grammar.
    Whole(Symbol),
    Sequence,
    Choice,
    Repeat(u32, Option<u32>),
}

fn is_regular(term: &Term) -> bool {
    matches!(term, Term::Regular { .. })
}

/// A sequence in which regular neighbours are one term.
pub(super) fn sequence(parts: Vec<Term>) -> Term {
    let mut joined: Vec<Term> = Vec::with_capacity(parts.len());
    let mut run: Vec<Term> = Vec::new();
    for part in parts {
        if is_regular(&part) {
            run.push(part);
        } else {
            joined.extend(join(std::mem::take(&mut run), Kind::Sequence));
            joined.push(part);
        }
    }
    let all = joined.is_empty();
    let rest = join(run, Kind::Sequence);
    match rest {
        Some(rest) if all => rest,
        rest => {
            joined.extend(rest);
            if joined.is_empty() { empty() } else { Term::Sequence(joined) }
        }
    }
}

/// A choice whose regular alternatives are one term, in the place of the first of them.
pub(super) fn choice(parts: Vec<Term>) -> Term {
    let place = parts.iter().position(is_regular);
    let (regular, mut others): (Vec<Term>, Vec<Term>) = parts.into_iter().partition(is_regular);
    match (join(regular, Kind::Choice), place) {
        (Some(regular), _) if others.is_empty() => regular,
        (Some(regular), Some(place)) => {
            others.insert(place, regular);
            Term::Choice(others)
        }
        _ => Term::Choice(others),
    }
}

/// A repetition, which is regular if its operand is.
pub(super) fn repeat(inner: Term, min: u32, max: Option<u32>) -> Term {
    if max == Some(0) {
        return empty();
    }
    if is_regular(&inner) {
        let kind = Kind::Repeat(min, max);
        return join(vec![inner], kind).unwrap_or_else(empty);
    }
    Term::Repeat { inner: Box::new(inner), min, max }
}

/// The term of the empty string.
fn empty() -> Term {
    Term::Regular { regex: Regex::empty(), name: String::new(), parts: Vec::new(), kind: Kind::Sequence }
}

/// The regular term that `kind` makes of regular parts; none of no parts.
fn join(mut parts: Vec<Term>, kind: Kind) -> Option<Term> {
    if parts.len() <= 1 && !matches!(kind, Kind::Repeat(..)) {
        return parts.pop();
    }
    let regexes = parts.iter().filter_map(|part| match part {
        Term::Regular { regex, .. } => Some(regex.clone()),
        _ => None,
    });
    let regex = match kind {
        Kind::Choice => Regex::union(regexes),
        Kind::Repeat(min, max) => Regex::concat(regexes).repeat(min, max),
        Kind::Sequence | Kind::Whole(_) => Regex::concat(regexes),
    };
    let name = name(&parts, kind);
    Some(Term::Regular { regex, name, parts, kind })
}

/// The name of a joined term, for messages: its expression over the names of its parts.
fn name(parts: &[Term], kind: Kind) -> String {
    let mut out = String::new();
    for part in parts {
        let Term::Regular { name, kind: inner, .. } = part else { continue };
        let separator = if matches!(kind, Kind::Choice) { " | " } else { " " };
        let tight = matches!(
            (kind, inner),
            (Kind::Sequence, Kind::Choice) | (Kind::Repeat(..), Kind::Choice | Kind::Sequence)
        );
        if !out.is_empty() && !name.is_empty() {
            out.push_str(separator);
        }
        out.push_str(&if tight { format!("({name})") } else { name.clone() });
        if out.len() > MAX_NAME {
            let end = (0..=MAX_NAME).rev().find(|&end| out.is_char_boundary(end)).unwrap_or(0);
            out.truncate(end);
            out.push('…');
            return out;
        }
    }
    if let Kind::Repeat(min, max) = kind {
        out.push_str(&match (min, max) {
            (0, Some(1)) => "?".to_owned(),
            (0, None) => "*".to_owned(),
            (1, None) => "+".to_owned(),
            (min, None) => format!("{{{min},}}"),
            (min, Some(max)) if min == max => format!("{{{min}}}"),
            (min, Some(max)) => format!("{{{min},{max}}}"),
        });
    }
    out
}
