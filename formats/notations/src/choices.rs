//! Turns a list of texts into a grammar that derives any one of them.
//!
//! Input: the texts, or a file with one text per line. Output: a grammar with one terminal, whose pattern is the minimal acyclic automaton
//! of the list. The time is linear in the length of the list, but for texts that name special tokens.

use crate::grammar_builder::GrammarBuilder;
use gcc_grammar_ir::{Code, Diagnostic, Location, Parsed, SpecialNames};
use gcc_grammar_limits::Budget;
use gcc_grammar_regular::{Dfa, Regex, RegularLimits};
use std::sync::Arc;

/// Estimated bytes of a text in the list, besides its own.
const BYTES_PER_TEXT: u64 = 32;

/// The grammar that derives any one of the texts, of which one may be empty. An empty list is an error.
pub fn of<'t>(
    texts: impl IntoIterator<Item = &'t str>,
    names: &SpecialNames,
    budget: &Budget,
) -> Result<Parsed, Vec<Diagnostic>> {
    let (mut list, mut with_names) = (Vec::new(), Vec::new());
    for text in texts {
        budget.charge_bytes(BYTES_PER_TEXT).map_err(|over| vec![over.into()])?;
        match names.literal(text, budget) {
            Regex::Literal(_) => list.push(text.as_bytes()),
            named => with_names.push(named),
        }
    }
    if list.is_empty() && with_names.is_empty() {
        let error = Diagnostic::error(Code::NoText, "the list of choices is empty");
        return Err(vec![error.help("give at least one choice")]);
    }
    let limits = limits(list.iter().map(|text| text.len()).sum(), budget);
    of_within(list, with_names, &limits)
}

fn of_within(
    texts: Vec<&[u8]>,
    with_names: Vec<Regex>,
    limits: &RegularLimits,
) -> Result<Parsed, Vec<Diagnostic>> {
    let all = Dfa::of_literals(texts, limits).and_then(|texts| match with_names[..] {
        [] => Ok(texts),
        _ => Regex::union(with_names.into_iter().chain([Regex::Automaton(Arc::new(texts))])).to_dfa(limits),
    });
    let dfa = all.map_err(|error| {
        let error = Diagnostic::error(Code::TerminalTooLarge, format!("the choices are too large: {error}"));
        vec![error.help("give fewer or shorter choices")]
    })?;
    let mut draft = GrammarBuilder::default();
    let body = draft.literals(Regex::Automaton(Arc::new(dfa)), "choice", None);
    let start = draft.rule("start", body);
    Ok(Parsed { grammar: draft.finish(start).0, warnings: Vec::new() })
}

/// Limits that suffice for texts of this total length: their automaton has at most one state per byte. Each is a state of the lexer, of which the
/// budget has a limit. The work and bytes are those of the budget, which grows with the length, too.
fn limits(length: usize, budget: &Budget) -> RegularLimits {
    let default = RegularLimits::within(budget);
    let states = usize::try_from(budget.limits().lexer_states).unwrap_or(usize::MAX);
    RegularLimits { max_states: default.max_states.max(length + 1).min(states), ..default }
}

/// The grammar that derives any one of the lines. Empty lines are not choices; a warning counts them.
pub fn of_lines(text: &str, names: &SpecialNames, budget: &Budget) -> Result<Parsed, Vec<Diagnostic>> {
    let lines = || text.strip_prefix('\u{FEFF}').unwrap_or(text).lines();
    let blank = lines().filter(|line| line.is_empty()).count();
    let mut parsed = of(lines().filter(|line| !line.is_empty()), names, budget)?;
    if let Some(first) = lines().find(|line| line.is_empty()) {
        let at = first.as_ptr() as usize - text.as_ptr() as usize;
        let message = format!("{blank} blank lines are left out");
        let warning = Diagnostic::warning(Code::BlankChoice, message).at(Location::Span(at..at));
        parsed.warnings.push(warning.help("to choose nothing, write a regular expression such as (a|b)?"));
    }
    Ok(parsed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_ir::{Discipline, Pattern};
    use gcc_grammar_limits::Limits;

    fn dfa(parsed: &Parsed) -> &gcc_grammar_regular::Dfa {
        let grammar = &parsed.grammar;
        assert_eq!((grammar.terminals.len(), grammar.discipline), (1, Discipline::AnySplit));
        match &grammar.terminals[0].pattern {
            Pattern::Regex(Regex::Automaton(dfa)) => dfa,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn lines_are_choices() {
        let parsed =
            of_lines("yes\r\nno\n\nmaybe é", &SpecialNames::default(), &Budget::default()).expect("valid");
        let dfa = dfa(&parsed);
        assert!(["yes", "no", "maybe é"].iter().all(|text| dfa.accepts(text.as_bytes())));
        assert!(!dfa.accepts(b"yes\r") && !dfa.accepts(b"") && !dfa.accepts(b"ye"));
        assert_eq!(parsed.warnings[0].location, Some(Location::Span(8..8)));
        let empty = of_lines("\n\n", &SpecialNames::default(), &Budget::default());
        assert_eq!(empty.expect_err("empty")[0].code, "no-text");
    }

    #[test]
    fn states_that_the_lexer_refuses_are_not_made() {
        let limits = Limits { lexer_states: 100, ..Limits::default() };
        let of = |text: &str| of_lines(text, &SpecialNames::default(), &Budget::new(limits));
        assert!(of(&"a".repeat(90)).is_ok());
        assert_eq!(of(&"a".repeat(110)).expect_err("too many")[0].code, "terminal-too-large");
    }

    #[test]
    fn many_lines_are_linear() {
        let text: String = (0..100_000).map(|n: u64| format!("choice {}\n", n.wrapping_mul(n))).collect();
        let limits = RegularLimits { max_work: 20_000_000, ..RegularLimits::default() };
        let parsed =
            of_within(text.lines().map(str::as_bytes).collect(), Vec::new(), &limits).expect("linear");
        assert!(dfa(&parsed).accepts(b"choice 9999800001") && !dfa(&parsed).accepts(b"choice 2"));
    }
}
