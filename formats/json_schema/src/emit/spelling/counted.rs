//! The spellings of texts that are restricted in length only: those of one character, repeated.

use super::spelled::{Spelled, spell};
use crate::languages::{Frame, Lengths};
use crate::options::Strings;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, Regex, RegularLimits};
use std::sync::{Arc, OnceLock};

/// The spellings of one character, by [`Strings`]. All schemas share them.
static ONE: [OnceLock<Arc<Dfa>>; Strings::ALL.len()] = [const { OnceLock::new() }; Strings::ALL.len()];

/// The spellings of all texts of these lengths, in their frame. There must be some texts.
pub(crate) fn counted(
    lengths: Lengths,
    frame: Frame<'_>,
    strings: Strings,
    limits: &RegularLimits,
) -> Result<Spelled, OverBudget> {
    let one = ONE[strings as usize].get_or_init(|| {
        let limits = RegularLimits::default();
        let texts = Regex::any_char().to_dfa(&limits).expect("a handful of states");
        let one = spell(&texts, Frame { open: false, close: None }, strings, &limits);
        one.expect("a handful of states").automaton
    });
    let is_narrow = strings == Strings::Canonical && lengths.max != Some(0);
    Ok(Spelled { automaton: Arc::new(lengths.repeat(one, frame, limits)?), is_narrow })
}
