//! A terminal whose characters are counted, as tokens read it.

use super::state::CountedState;
use super::string::Strings;
use gcc_grammar_artifact::json_string::Place;
use gcc_grammar_vocabulary::Vocabulary;

/// The states of a terminal, with the characters that tokens take.
pub(super) struct Reader<'a> {
    pub(super) strings: &'a Strings,
    pub(super) states: &'a [Option<CountedState>],
    pub(super) vocabulary: &'a Vocabulary,
}

/// A token in a state.
pub(super) struct Token {
    pub(super) token: u32,
    /// What the planes of the vocabulary say that it begins.
    pub(super) planned: u32,
    /// The characters that it takes, with the shift of the place.
    pub(super) taken: u32,
    /// Those among them that must follow.
    pub(super) needed: u32,
}

impl Token {
    /// A token that begins what the planes say.
    pub(super) fn planned(token: u32, begun: u32, needed: u32) -> Self {
        Self { token, planned: begun, taken: begun + needed, needed }
    }
}

impl Reader<'_> {
    /// The characters that a string needs in a state.
    pub(super) fn needed(&self, state: u32) -> u32 {
        self.states[state as usize].map_or(0, |state| u32::from(state.needed))
    }

    /// The state after a byte within the string, and the characters that began.
    pub(super) fn after(&self, (state, begun): (u32, u32), byte: u8) -> Option<(u32, u32)> {
        let next = self.strings.next(state, byte)?;
        let is_within = self.states[next as usize].is_some();
        let begins =
            is_within && self.states[state as usize].is_some_and(|state| state.place == Place::Between);
        Some((next, begun + u32::from(begins)))
    }
}
