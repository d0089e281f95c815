//! Lists of texts, one of which is to be chosen.
//!
//! They become one terminal, the minimal acyclic automaton of the list, in time linear in its length.

use crate::draft::Draft;
use gcc_grammar_ir::{Code, Diagnostic, Location, Parsed};
use gcc_grammar_regular::{Regex, RegularLimits};
use std::sync::Arc;

/// Any one of the texts; the empty one may be among them.
pub fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Parsed, Vec<Diagnostic>> {
    let texts: Vec<&str> = texts.into_iter().collect();
    if texts.is_empty() {
        let error = Diagnostic::error(Code::NoText, "there is nothing to choose from");
        return Err(vec![error.help("give one choice at least")]);
    }
    let limits = limits(texts.iter().map(|text| text.len()).sum());
    of_within(texts, &limits)
}

fn of_within(texts: Vec<&str>, limits: &RegularLimits) -> Result<Parsed, Vec<Diagnostic>> {
    let texts = texts.into_iter().map(Regex::literal).collect();
    let dfa = Regex::Union(texts).to_dfa(limits).map_err(|error| {
        let error = Diagnostic::error(Code::TerminalTooLarge, format!("the choices are too large: {error}"));
        vec![error.help("give fewer or shorter ones")]
    })?;
    let mut draft = Draft::default();
    let body = draft.regex(Regex::Automaton(Arc::new(dfa)), "choice", None);
    let start = draft.rule("start", body);
    Ok(Parsed { grammar: draft.finish(start).0, warnings: Vec::new() })
}

/// For texts of this length together: their automaton has a state per byte at most, and a cell per state and byte.
fn limits(length: usize) -> RegularLimits {
    let default = RegularLimits::default();
    RegularLimits {
        max_states: default.max_states.max(length + 1),
        max_work: default.max_work.max(length as u64 * 300),
        max_bytes: 1 << 32,
    }
}

/// Any one of the lines. Blank ones are no choices.
pub fn of_lines(text: &str) -> Result<Parsed, Vec<Diagnostic>> {
    let lines = text.strip_prefix('\u{FEFF}').unwrap_or(text).lines();
    let (blank, lines): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.is_empty());
    let mut parsed = of(lines)?;
    if let Some(first) = blank.first() {
        let at = first.as_ptr() as usize - text.as_ptr() as usize;
        let message = format!("{} blank lines are left out", blank.len());
        let warning = Diagnostic::warning(Code::BlankChoice, message).at(Location::Span(at..at));
        parsed.warnings.push(warning.help("to choose nothing, write a regular expression such as (a|b)?"));
    }
    Ok(parsed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_ir::{Discipline, Pattern};

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
        let parsed = of_lines("yes\r\nno\n\nmaybe é").expect("valid");
        let dfa = dfa(&parsed);
        assert!(["yes", "no", "maybe é"].iter().all(|text| dfa.accepts(text.as_bytes())));
        assert!(!dfa.accepts(b"yes\r") && !dfa.accepts(b"") && !dfa.accepts(b"ye"));
        assert_eq!(parsed.warnings[0].location, Some(Location::Span(8..8)));
        assert_eq!(of_lines("\n\n").expect_err("empty")[0].code, "no-text");
    }

    #[test]
    fn many_lines_are_linear() {
        let text: String = (0..100_000).map(|n: u64| format!("choice {}\n", n.wrapping_mul(n))).collect();
        let limits = RegularLimits { max_work: 20_000_000, ..RegularLimits::default() };
        let parsed = of_within(text.lines().collect(), &limits).expect("linear");
        assert!(dfa(&parsed).accepts(b"choice 9999800001") && !dfa(&parsed).accepts(b"choice 2"));
    }
}
