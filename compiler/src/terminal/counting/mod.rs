//! Walks lexer states that differ only in a count all at once.
//!
//! `[a-z]{0,80}` is unrolled into 81 states. The state with one more character left takes every path of the
//! state before it, to the same state with one more character left, and the paths that are longer by a
//! character. So one walk from the state with the highest count finds the results of all, if it notes the
//! least count that has each path. This is the way back from an unrolled automaton to a counting automaton
//! (Turoňová et al., Regex Matching with Counting-Set Automata, OOPSLA 2020).
//!
//! In: the lexer. Out: a [`CountingAutomaton`], and which of its [`ControlState`]s count characters
//! ([`CountedCharacters`]). Files: [`pairs`], [`automaton`], [`characters`], and [`by_count`], which collects
//! tokens during a walk.

mod automaton;
mod by_count;
mod characters;
mod pairs;

pub(super) use automaton::{ControlState, CountingAutomaton, Path};
pub(super) use by_count::TokensByCount;
pub(super) use characters::CountedCharacters;
