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

/// A set of bytes. Byte `b` is bit `b % 64` of word `b / 64`.
pub type ByteSet = [u64; 4];

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
pub const TEXT: ByteSet = [u64::MAX, u64::MAX, u64::MAX, (1 << (0xF5 - 0xC0)) - (1 << (0xC2 - 0xC0))];

/// The ASCII characters.
pub const ASCII: ByteSet = [u64::MAX, u64::MAX, 0, 0];

/// The symbol of a single byte.
#[must_use]
pub(crate) fn of_byte(byte: u8) -> u8 {
    if has(&TEXT, byte) { byte } else { STRAY }
}

/// Adds a symbol to a set.
pub const fn add(set: &mut ByteSet, symbol: u8) {
    set[(symbol >> 6) as usize] |= 1 << (symbol & 63);
}

/// Adds all symbols of another set.
pub fn add_all(set: &mut ByteSet, other: &ByteSet) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}

/// The symbols in both sets.
#[must_use]
pub fn intersection(a: ByteSet, b: ByteSet) -> ByteSet {
    std::array::from_fn(|word| a[word] & b[word])
}

/// The symbols of `a` that are not in `b`.
#[must_use]
pub fn difference(a: ByteSet, b: ByteSet) -> ByteSet {
    std::array::from_fn(|word| a[word] & !b[word])
}

/// Whether two sets have a symbol in common.
#[inline]
#[must_use]
pub fn have_common(a: &ByteSet, b: &ByteSet) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

/// Whether all symbols of a set are in another one.
#[inline]
#[must_use]
pub fn is_part(part: &ByteSet, whole: &ByteSet) -> bool {
    part.iter().zip(whole).all(|(part, whole)| part & !whole == 0)
}

/// Whether a set contains a symbol.
#[must_use]
pub fn has(set: &ByteSet, symbol: u8) -> bool {
    set[usize::from(symbol >> 6)] >> (symbol & 63) & 1 == 1
}
