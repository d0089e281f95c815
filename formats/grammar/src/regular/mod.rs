//! Regular languages over bytes: expressions, and their minimal automata.

mod dfa;
mod regex;

pub use dfa::Dfa;
pub use regex::{ByteSet, CharSet, Regex};
