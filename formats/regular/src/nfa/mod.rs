//! From a regular expression to a nondeterministic automaton over bytes.
//!
//! Source: Thompson, "Regular expression search algorithm" (1968). [`thompson`] takes a [`Regex`](crate::regex::Regex)
//! and returns an [`Nfa`] with one start and one accepting state; its size is linear in the expression, with counted
//! repetitions written out.

mod automaton;
mod fragment;
mod thompson;

pub(crate) use automaton::{Chain, Dominant, Edge, Epsilon, Guard, Nfa, Preference};
pub(crate) use thompson::{is_minimized, thompson};
