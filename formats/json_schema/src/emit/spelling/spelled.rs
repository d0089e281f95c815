//! The spellings of a language of texts.

use super::speller::Speller;
use super::state::SpellingState;
use super::text_classes::is_plain;
use crate::languages::{Frame, texts::only_text};
use crate::options::Strings;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, Patchwork, Regex, RegularLimits};
use std::sync::{Arc, LazyLock};

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
    if let Some(word) = plain_word(texts, strings)
        && frame.close.is_none_or(|close| close.is_finite() && !close.is_empty())
    {
        return Ok(Spelled {
            automaton: Arc::new(quoted(texts, frame, limits)?),
            is_narrow: !word.is_empty(),
        });
    }
    let mut speller = Speller::new(texts, frame.close, strings);
    let start = if frame.open { SpellingState::Open } else { SpellingState::Text(0) };
    let automaton = speller.automaton(start, limits)?;
    Ok(Spelled { automaton: Arc::new(automaton), is_narrow: speller.is_narrow })
}

/// The only text, if it has one spelling, which is the text: printable characters of ASCII, none with an escape.
fn plain_word(texts: &Dfa, strings: Strings) -> Option<String> {
    let word = only_text(texts).filter(|_| strings != Strings::All)?;
    word.bytes().all(is_plain).then_some(word)
}

/// The automaton of the quote.
static QUOTE: LazyLock<Dfa> =
    LazyLock::new(|| Regex::literal("\"").to_dfa(&RegularLimits::default()).expect("two states"));

/// A text without escapes, in its frame. The states are minimal, because each reads longer texts than the next one; what follows the quote is finite.
fn quoted(text: &Dfa, Frame { open, close }: Frame<'_>, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
    if !open && close.is_none() {
        return Ok(text.clone());
    }
    let (in_text, length) = (u32::from(open), text.state_count() as u32);
    let in_close = in_text + length;
    let parts = [&*QUOTE, text, close.unwrap_or(text)];
    let after = close.map_or(0..0, |close| 0..close.state_count() as u32);
    let mut states = Patchwork::new(&parts, in_close as usize + after.len(), limits)?;
    if open {
        states.copy(0, 0, 0);
    }
    (0..length).for_each(|state| states.copy(1, state, in_text));
    if close.is_some() {
        states.set(b'"', Some(in_close));
        states.set_accepting(false);
    }
    after.for_each(|state| states.copy(2, state, in_close));
    Ok(states.build())
}
