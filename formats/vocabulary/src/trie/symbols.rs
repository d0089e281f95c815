//! Symbols: the alphabet in which a [`Trie`](crate::Trie) says which bytes occur below a node.
//!
//! A set of symbols is a [`ByteSet`] in which some bytes that occur in no UTF-8 text have a meaning of their own. It
//! describes all strings that lead from a node to its descendants:
//!
//! - **The strings continue as well-formed UTF-8** from some [`Phase`]. This is the common case. Then the set holds their
//!   ASCII characters, and [`of_phase`] for all characters beyond ASCII together.
//! - **They do not.** Then the set holds each byte of the strings; the bytes that occur in no UTF-8 text share [`STRAY`].
//!
//! The set holds [`BETWEEN`] unless the strings start inside a character and are well-formed.

use crate::utf8::Phase;
use gcc_grammar_regular::ByteSet;

/// A byte that occurs in no UTF-8 text.
pub(crate) const STRAY: u8 = 0xC0;
/// The strings do not start inside a character.
pub const BETWEEN: u8 = 0xC1;

/// The characters beyond ASCII in text that is well-formed from this phase on.
#[must_use]
pub fn of_phase(phase: Phase) -> u8 {
    0xF8 + phase.index() as u8
}

/// The bytes that occur in UTF-8 text: all bytes except C0, C1, and F5 to FF.
pub const TEXT: ByteSet =
    ByteSet([u64::MAX, u64::MAX, u64::MAX, (1 << (0xF5 - 0xC0)) - (1 << (0xC2 - 0xC0))]);

/// The ASCII characters.
pub const ASCII: ByteSet = ByteSet([u64::MAX, u64::MAX, 0, 0]);

/// The symbol of a single byte.
#[must_use]
pub(crate) fn of_byte(byte: u8) -> u8 {
    if TEXT.contains(byte) { byte } else { STRAY }
}
