//! Walks lexer states that differ mostly in a count all at once.
//!
//! `[a-z]{0,80}` is unrolled into 81 states. The state with one more character left takes every path of the
//! state before it, to the same state with one more character left. So one walk of the vocabulary finds the
//! results of all counts, if it notes which counts have each path. This is the way back from an unrolled
//! automaton to a counting automaton (Turoňová et al., Regex Matching with Counting-Set Automata, OOPSLA 2020).
//!
//! Nothing here need be exact but the transitions: a [`ControlState`] is *any* list of lexer states, and its
//! transitions say where each of them leads. The better the lists, the fewer cases there are. So a least
//! length, a part that is repeated a fixed number of times, or a symbol that some counts lack, costs a case more.
//!
//! In: the lexer. Out: a [`CountingAutomaton`], and the characters that its control states count. Files: [`links`] (finds the lists), [`automaton`] (their transitions)
//! and [`characters`].

mod automaton;
mod characters;
mod links;

pub(super) use automaton::{ControlState, CountingAutomaton, Path, Place};
pub(super) use characters::Finder;
