//! A state that counts.

use gcc_grammar_artifact::json_string::Place;

/// A state of the automaton of a terminal whose characters are counted.
#[derive(Clone, Copy, Debug)]
pub(in crate::lexer) struct CountedState {
    pub(in crate::lexer) place: Place,
    /// The fewest characters that must still begin.
    pub(in crate::lexer) needed: u8,
    /// How many characters may begin at least, whatever came before.
    pub(in crate::lexer) left: u32,
}
