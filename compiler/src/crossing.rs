//! The tokens that end an item, or a key, and go on far into the next one, so that they can be wrong in ways that the texts so far do not show.

use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::Dfa;
use gcc_grammar_vocabulary::Vocabulary;

/// Whether the items that begin with a text may run out.
pub(crate) type RunsOut<'a> = dyn Fn(&[u8]) -> bool + 'a;

/// The tokens in which the rest behind what stands between two items may be one of too few items. Ascending. The test looks at a number of automata.
pub(crate) fn crossing(
    (may_run_out, automata): (&RunsOut<'_>, usize),
    between: &[&Dfa],
    vocabulary: &Vocabulary,
    budget: &Budget,
) -> Result<Vec<u32>, OverBudget> {
    let mut crossing = Vec::new();
    for dfa in between {
        let all = || vocabulary.text_tokens().map(|(token, _)| token).collect();
        let tokens = needed(dfa).map_or_else(all, |byte| vocabulary.tokens_with(byte).to_vec());
        for token in tokens {
            let bytes = vocabulary.bytes(token).unwrap_or_default();
            let texts = (0..bytes.len()).map(|start| &bytes[start..]);
            let rests = texts.flat_map(|text| ends(dfa, text).into_iter().map(move |end| &text[end..]));
            let rests: Vec<&[u8]> = rests.filter(|rest| !rest.is_empty()).collect();
            budget.charge_work((bytes.len() + rests.len() * automata) as u64)?;
            if rests.iter().any(|rest| may_run_out(rest)) {
                crossing.push(token);
            }
        }
    }
    crossing.sort_unstable();
    crossing.dedup();
    Ok(crossing)
}

/// A byte that is in all texts of an automaton, if there is one, as the comma between items is.
fn needed(dfa: &Dfa) -> Option<u8> {
    dfa.shortest()?.into_iter().find(|&byte| {
        let (mut seen, mut open) = (vec![false; dfa.state_count()], vec![0]);
        seen[0] = true;
        while let Some(state) = open.pop() {
            if dfa.is_accepting(state) {
                return false;
            }
            let others = (0..=u8::MAX).filter(|&other| other != byte);
            for to in others.filter_map(|other| dfa.next(state, other)) {
                if !std::mem::replace(&mut seen[to as usize], true) {
                    open.push(to);
                }
            }
        }
        true
    })
}

/// The lengths of the beginnings of a text that an automaton accepts.
pub(crate) fn ends(dfa: &Dfa, text: &[u8]) -> Vec<usize> {
    let mut state = 0;
    let mut ends = Vec::new();
    for (read, &byte) in text.iter().enumerate() {
        match dfa.next(state, byte) {
            Some(next) => state = next,
            None => break,
        }
        if dfa.is_accepting(state) {
            ends.push(read + 1);
        }
    }
    ends
}

/// How many bytes of a text an automaton reads, and the state after them.
pub(crate) fn run(dfa: &Dfa, text: &[u8]) -> (usize, u32) {
    let mut state = 0;
    for (read, &byte) in text.iter().enumerate() {
        match dfa.next(state, byte) {
            Some(next) => state = next,
            None => return (read, state),
        }
    }
    (text.len(), state)
}

/// Whether a text begins a text of an automaton, or begins with one.
pub(crate) fn begins(dfa: &Dfa, text: &[u8]) -> bool {
    let (read, state) = run(dfa, text);
    read == text.len() || dfa.is_accepting(state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_regular::{PatternFlags, Regex, RegularLimits};

    #[test]
    fn a_byte_is_needed_if_it_is_in_all_texts() {
        for (pattern, expected) in [
            (" *, *", Some(b',')),
            ("a,|,b", Some(b',')),
            ("a|b", None),
            ("", None),
            ("(ab)+", Some(b'a')),
            ("x?(,|;)", None),
        ] {
            let regex = Regex::parse(pattern, PatternFlags::default()).expect("a pattern");
            assert_eq!(
                needed(&regex.to_dfa(&RegularLimits::default()).expect("small")),
                expected,
                "{pattern}"
            );
        }
    }
}
