//! Atomic groups, `(?>…)`, as expressions with look-ahead.
//!
//! A backtracking matcher keeps the first match of an atomic group. Which one that is depends on what follows: none that is preferred to it may
//! match there. So `(?>a*)` is `a*(?!a)`, and `(?>a|ab)` is `a`.

use crate::error::{PatternError, PatternErrorKind};
use crate::limits::RegularLimits;
use crate::regex::Regex;
use crate::{Dfa, ending::Ending, sets::ByteSet};
use gcc_grammar_limits::OverBudget;
use std::sync::Arc;

/// The most different languages of what may follow a group.
const MOST_ENDINGS: usize = 64;

/// The expression of an atomic group. The error has no place yet.
pub(super) fn atomic(inner: &Regex, limits: &RegularLimits) -> Result<Regex, PatternError> {
    let refused = |message: &str| {
        let error = PatternError::new(PatternErrorKind::BadPattern, format!("an atomic group {message}"));
        Err(error.help("use a plain group (?:…), or a plain repetition"))
    };
    let too_large = |error: OverBudget| {
        let message = format!("the automaton of this atomic group is too large: {error}");
        PatternError::new(PatternErrorKind::TooLarge, message)
    };
    if repeats_empty(inner) {
        return refused("with a repetition of what may be empty is not supported");
    }
    if !inner.is_first_free_of_what_is_before(MOST_ENDINGS, limits).map_err(too_large)? {
        return refused("that looks at the text before it is not supported");
    }
    let Some(endings) = inner.first_endings(MOST_ENDINGS, limits).map_err(too_large)? else {
        return refused("depends on what follows in too many ways");
    };
    let parts: Result<Vec<Regex>, OverBudget> =
        endings.into_iter().map(|ending| part(ending, limits)).collect();
    Ok(Regex::Union(parts.map_err(too_large)?))
}

/// Texts, and that the right text follows.
fn part(Ending { texts, after }: Ending, limits: &RegularLimits) -> Result<Regex, OverBudget> {
    let automaton = |dfa: Dfa| Regex::Automaton(Arc::new(dfa));
    let texts = automaton(texts);
    if after == Dfa::all() {
        return Ok(texts);
    }
    let wrong = after.complement(limits)?;
    let begins = automaton(wrong.shortest_matches(limits)?);
    let any = Regex::Bytes(ByteSet::ALL).star();
    let follows = match begins.clone().then(any).to_dfa(limits)? == wrong {
        true => begins.ahead(true),
        false => automaton(after).then(Regex::Look(crate::regex::Look::End)).ahead(false),
    };
    Ok(texts.then(follows))
}

/// Whether an expression repeats one that may be empty. Backtracking matchers leave such a repetition after an empty round, whatever they prefer.
fn repeats_empty(regex: &Regex) -> bool {
    let is_such = match regex {
        Regex::Repeat { inner, max, .. } => max.is_none_or(|max| max > 1) && may_be_empty(inner),
        _ => false,
    };
    is_such || regex.children().iter().any(repeats_empty)
}

/// Whether the empty string matches somewhere.
fn may_be_empty(regex: &Regex) -> bool {
    match regex {
        Regex::Look(_) | Regex::Around(_) => true,
        Regex::Concat(parts) => parts.iter().all(may_be_empty),
        Regex::Union(parts) => parts.iter().any(may_be_empty),
        Regex::Repeat { inner, min, .. } => *min == 0 || may_be_empty(inner),
        Regex::Lazy(inner) => may_be_empty(inner),
        other => other.matches_empty(),
    }
}
