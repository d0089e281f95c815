//! The spellings of a language of texts.

use super::speller::Speller;
use super::state::SpellingState;
use crate::languages::{Frame, texts::only_text};
use crate::options::Strings;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, MinimalBuilder, RegularLimits};
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
    if let Some(word) = plain_word(texts, strings)
        && frame.close.is_none_or(|close| close.is_finite() && !close.is_empty())
    {
        return Ok(Spelled {
            automaton: Arc::new(quoted(&word, frame, limits)?),
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
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\' | b'/');
    let word = only_text(texts).filter(|_| strings != Strings::All)?;
    word.bytes().all(is_plain).then_some(word)
}

/// A text without escapes, in its frame. The states are minimal, because each reads longer texts than the next one; what follows the quote is finite.
fn quoted(word: &str, frame: Frame<'_>, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
    let mut builder = MinimalBuilder::new(limits);
    let (open, close) = (if frame.open { "\"" } else { "" }, if frame.close.is_some() { "\"" } else { "" });
    let before = (open.len() + word.len() + close.len()) as u32;
    for (byte, next) in [open, word, close].concat().bytes().zip(1..) {
        builder.edge(byte, byte, next);
        builder.end_state(false)?;
    }
    let Some(tail) = frame.close else {
        builder.end_state(true)?;
        return builder.build();
    };
    for state in 0..tail.state_count() as u32 {
        tail.edges(state).for_each(|(low, high, to)| builder.edge(low, high, before + to));
        builder.end_state(tail.is_accepting(state))?;
    }
    builder.build()
}
