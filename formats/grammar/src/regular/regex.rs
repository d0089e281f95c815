//! Regular expressions over UTF-8 text and bytes, with intersection and complement.

use super::Dfa;
use std::sync::Arc;

/// A set of code points: sorted, disjoint, non-adjacent inclusive ranges, without surrogates.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct CharSet(pub Vec<(u32, u32)>);

/// A set of bytes, bit `b % 64` of word `b / 64`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ByteSet(pub [u64; 4]);

/// A regular expression. It denotes a set of byte strings.
#[derive(Clone, Debug)]
pub enum Regex {
    /// The UTF-8 encoding of one code point of the set; the empty set matches nothing.
    Chars(CharSet),
    /// One byte of the set.
    Bytes(ByteSet),
    /// Exactly these bytes; may be empty.
    Literal(Vec<u8>),
    /// All in order; empty for the empty string.
    Concat(Vec<Regex>),
    /// Any one; empty for "nothing matches".
    Union(Vec<Regex>),
    /// Between `min` and `max` times (`None`: no bound).
    Repeat {
        /// What is repeated.
        inner: Box<Regex>,
        /// At least so often.
        min: u32,
        /// At most so often.
        max: Option<u32>,
    },
    /// Strings that every one matches; empty for "all byte strings".
    Intersect(Vec<Regex>),
    /// Byte strings that the inner one does not match.
    Complement(Box<Regex>),
    /// A language that is already an automaton.
    Automaton(Arc<Dfa>),
}
