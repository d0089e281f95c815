//! Regular languages over bytes: expressions, and their minimal automata.
//!
//! ```text
//! pattern ──parse──▶ Regex ──nfa──▶ Nfa ──determinize──▶ Draft ──minimize──▶ Dfa ──product──▶ Dfa
//!                      └──acyclic (literals, sets of code points)──────────────┘
//! ```
//! A [`Dfa`] is minimal and numbered canonically, so equal languages are equal values.

#![forbid(unsafe_code)]

mod acyclic;
mod build;
mod determinize;
mod dfa;
mod error;
mod extension;
#[cfg(test)]
mod extension_tests;
mod finite;
mod limits;
mod minimize;
mod nfa;
mod parse;
mod product;
#[cfg(test)]
mod random;
mod regex;
mod sets;
mod substring;
#[cfg(test)]
mod tests;

pub use build::Step;
pub use dfa::Dfa;
pub use error::{PatternError, PatternErrorKind};
pub use extension::Extension;
pub use limits::{RegularLimits, Resource, TooLarge};
pub use parse::{PatternFlags, Syntax, literal};
pub use regex::{Look, Regex};
pub use sets::{ByteSet, CharSet};
