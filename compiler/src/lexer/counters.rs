//! Counters: strings of bounded length whose characters are counted, where a lexer state for each number would be too many.
//!
//! In: the terminals that are [`Counted`](gcc_grammar_ir::Pattern::Counted). The lexer is built from their strings of any length. Out: [`Counters`], which say
//! what states of the lexer count, how far, and at which place within a character they are. A head then has a *counted* state, the state of the lexer
//! and the number of characters that began ([`gcc_grammar_artifact::grammar::Counters`]). Definition and proof are in section 2.10 of `docs/theory.md`.
//!
//! The masks of a counted state are those of the lexer state, without the tokens that begin more characters than are left. This is so under five
//! conditions, which are checked by [`counted`](super::counted); a terminal that does not meet them is not counted ([`NotCounted`](crate::CompileError::NotCounted)):
//! 1. A lexeme that begins like the terminal is no other terminal ([`ambiguous`](super::counted::ambiguous)).
//! 2. The place within a JSON string follows from the state of the terminal's automaton, and no state needs more characters than are left ([`CountedTerminal`](super::counted::CountedTerminal)).
//!    Where states need some, the last characters are not counted but read by *near* states, one for each state and number of characters that are left.
//! 3. No token has more characters behind a quote than the terminal allows, so that only a lexeme under way can become too long.
//! 4. Tokens can spell every text: each byte that matters is a token. Else it would depend on the number whether they can spell the rest.
//! 5. The characters of all tokens follow from their bytes and the place, as the vocabulary says.

use crate::csr::Csr;
use gcc_grammar_artifact::wire::U32;

/// The counters of a lexer; by default, none.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    /// Per counter: its first state, the most characters, and the first number of its counted states.
    pub(crate) entries: Vec<[U32; 3]>,
    /// Per state from the first counting one on: its place.
    pub(crate) places: Vec<u8>,
    /// Per counter: the characters behind those that are counted. Then per state that counts: the state in which these begin, or 0. Empty if there are none.
    pub(crate) overflow: Vec<u32>,
    /// Per state that counts: its own long tokens, if it has some. Empty if there are no near states.
    pub(crate) long: Csr<u32>,
    /// Per state from the first counting one on: whether a character may begin there, whatever the number of characters before it is.
    pub(super) may_begin: Vec<bool>,
}

impl Counters {
    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
