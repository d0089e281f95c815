//! The tokens that end an item, or a key, and go on far into the next one, so that they can be wrong in ways that the texts so far do not show.

use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::{ByteSet, Dfa};
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
    let begins: ByteSet =
        (0..=u8::MAX).filter(|&byte| between.iter().any(|dfa| dfa.next(0, byte).is_some())).collect();
    let mut crossing = Vec::new();
    for token in 0..vocabulary.width() {
        let bytes = vocabulary.bytes(token).unwrap_or_default();
        // In most tokens nothing begins that stands between items.
        let starts = (0..bytes.len()).filter(|&start| begins.contains(bytes[start]));
        let starts = starts.map(|start| &bytes[start..]);
        let ends_in = |text: &[u8]| between.iter().flat_map(|dfa| ends(dfa, text)).collect::<Vec<_>>();
        let rests = starts.flat_map(|text| ends_in(text).into_iter().map(move |end| &text[end..]));
        let rests: Vec<&[u8]> = rests.filter(|rest| !rest.is_empty()).collect();
        budget.charge_work((bytes.len() * between.len() + rests.len() * automata) as u64)?;
        if rests.iter().any(|rest| may_run_out(rest)) {
            crossing.push(token);
        }
    }
    Ok(crossing)
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
