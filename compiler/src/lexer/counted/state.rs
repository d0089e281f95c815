//! A state that counts.

use gcc_grammar_artifact::json_string::Place;

/// A state of the automaton of a terminal whose characters are counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CountedState {
    pub(crate) place: Place,
    /// The fewest characters that must still begin.
    pub(crate) needed: u8,
    /// How many characters may begin at least, whatever came before.
    pub(crate) left: u32,
}
