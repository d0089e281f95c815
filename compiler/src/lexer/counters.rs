//! Counters: strings of bounded length whose characters are counted, where a lexer state for each number would be too many.
//!
//! In: the terminals that are [`Counted`](gcc_grammar_ir::Pattern::Counted). The lexer is built from their strings of any length. Out: [`Counters`], which say
//! what states of the lexer count, how far, and at which place within a character they are. A head then has a *counted* state, the state of the lexer
//! and the number of characters that began ([`gcc_grammar_artifact::grammar::Counters`]). Definition and proof are in appendix A.3 of `docs/theory.md`.
//!
//! The masks of a counted state are those of the lexer state, without the tokens that begin more characters than are left. This is so under five
//! conditions, which are checked by [`counted`](super::counted); a terminal that does not meet them is not counted ([`NotCounted`](crate::CompileError::NotCounted)):
//! 1. A lexeme that begins like the terminal is no other terminal ([`ambiguous`](super::counted::ambiguous)).
//! 2. The place within a JSON string follows from the state and the class of the byte that leads to it; states with several places are told apart ([`CountedTerminal`](super::counted::CountedTerminal)). Some string is short enough. Where states
//!    need further characters, there is a list of the tokens that do not take what their characters say.
//! 3. Few tokens have more characters behind a quote than the terminal allows, including the characters that must follow. A mask tries these one by one; else only a lexeme under way can become too long.
//! 4. Tokens can spell every text: each byte that matters is a token. Else it would depend on the number whether they can spell the rest.
//! 5. The characters of all tokens follow from their bytes and the place, as the vocabulary says.

use super::counted::CountedTerminal;
use gcc_grammar_artifact::grammar::index_bits;
use gcc_grammar_artifact::wire::U32;

/// The counters of a lexer; by default, none.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    /// Per counter: its first state, the most characters, and the first number of its counted states.
    pub(crate) entries: Vec<[U32; 3]>,
    /// How many characters a token may begin in a string that begins within it: this number fits, whatever the string is.
    pub(crate) entered: u32,
    /// Per state from the first counting one on: its place.
    pub(crate) places: Vec<u8>,
    /// Per state from the first counting one on: the fewest characters that must still begin.
    pub(crate) needed: Vec<u8>,
    /// Per state from the first counting one on: how many characters may begin at least, whatever came before.
    pub(super) left: Vec<u32>,
    /// Per state from the first counting one on: its list in the section `counter_tokens`, or empty.
    pub(crate) tokens: Vec<Vec<u32>>,
}

/// The first state that counts, where states are made one by one. All others have smaller numbers.
pub(crate) const FIRST_COUNTING: u32 = 1 << 28;

impl Counters {
    /// The counters of a lexer whose states are made one by one: every state of the automaton of a counted terminal has a number already. `None` if there are not enough numbers.
    pub(crate) fn of_terminals(counted: &[CountedTerminal]) -> Option<Self> {
        let mut counters = Self::default();
        let mut first = FIRST_COUNTING;
        for terminal in counted {
            counters.entries.push([first, terminal.most, 0].map(U32::new));
            counters
                .places
                .extend(terminal.states.iter().map(|state| state.map_or(0, |state| state.place as u8)));
            counters.needed.extend(terminal.states.iter().map(|state| state.map_or(0, |state| state.needed)));
            first += terminal.states.len() as u32;
        }
        counters.entered = counted.iter().map(|counted| counted.entered).min().unwrap_or(0);
        counters.numbered(first).then_some(counters)
    }

    /// Gives the counted states their numbers, in a lexer with so many states. Returns whether there are enough numbers.
    pub(super) fn numbered(&mut self, states: u32) -> bool {
        let mut number = u64::from(states);
        for counter in 0..self.entries.len() {
            let end = self.entries.get(counter + 1).map_or(states, |[first, ..]| first.get());
            let [first, most, first_number] = &mut self.entries[counter];
            *first_number = U32::new(number as u32);
            number += (u64::from(most.get()) + 1) << index_bits(end - first.get());
            if number > u64::from(u32::MAX) {
                return false;
            }
        }
        true
    }

    /// As readers of an artifact have them.
    pub(crate) fn view(&self) -> gcc_grammar_artifact::grammar::Counters<'_> {
        gcc_grammar_artifact::grammar::Counters::of_states(&self.entries, &self.places, &self.needed)
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
