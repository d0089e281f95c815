//! The spellings of a language of texts.

use super::speller::Speller;
use super::state::State;
use crate::languages::Frame;
use crate::options::Strings;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, RegularLimits};
use std::sync::Arc;

/// The spellings of the texts of a language.
#[derive(Clone)]
pub(crate) struct Spelled {
    pub(crate) automaton: Arc<Dfa>,
    /// Whether some spelling of some text is left out.
    pub(crate) is_narrow: bool,
}

/// The spellings of the texts of a language, in their frame.
pub(crate) fn spell(
    texts: &Dfa,
    frame: Frame<'_>,
    strings: Strings,
    limits: &RegularLimits,
) -> Result<Spelled, OverBudget> {
    let mut speller = Speller::new(texts, frame.close, strings);
    let start = if frame.open { State::Open } else { State::Text(0) };
    let automaton = speller.automaton(start, limits)?;
    Ok(Spelled { automaton: Arc::new(automaton), is_narrow: speller.is_narrow })
}
