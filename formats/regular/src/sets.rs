//! Sets of code points and sets of bytes, the leaves of regular expressions.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};
use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not};

/// The surrogates. They are not scalar values, so no [`CharSet`] contains them.
const SURROGATES: (u32, u32) = (0xD800, 0xDFFF);
/// The last code point.
const LAST: u32 = 0x10_FFFF;

/// A set of code points: sorted, disjoint, non-adjacent inclusive ranges, without surrogates.
///
/// U+D7FF and U+E000 do not count as adjacent, so a range never spans the surrogates.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct CharSet(pub Vec<(u32, u32)>);

impl CharSet {
    /// The set of the code points in any of the inclusive `ranges`, which may overlap and come in any order.
    /// Surrogates and values above U+10FFFF are left out.
    #[must_use]
    pub fn new(ranges: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut pieces = Vec::new();
        for (low, high) in ranges {
            push_piece(&mut pieces, low, high.min(SURROGATES.0 - 1));
            push_piece(&mut pieces, low.max(SURROGATES.1 + 1), high.min(LAST));
        }
        pieces.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(pieces.len());
        for (low, high) in pieces {
            match merged.last_mut() {
                Some(last) if low <= last.1 + 1 => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        Self(merged)
    }

    /// All code points except surrogates.
    #[must_use]
    pub fn all() -> Self {
        Self(vec![(0, SURROGATES.0 - 1), (SURROGATES.1 + 1, LAST)])
    }

    /// The set of `c` alone.
    #[must_use]
    pub fn single(c: char) -> Self {
        Self(vec![(c as u32, c as u32)])
    }

    /// The code points from `low` to `high`, both included.
    #[must_use]
    pub fn range(low: char, high: char) -> Self {
        Self::new([(low as u32, high as u32)])
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `code` is in the set.
    #[must_use]
    pub fn contains(&self, code: u32) -> bool {
        let after = self.0.partition_point(|&(low, _)| low <= code);
        after > 0 && code <= self.0[after - 1].1
    }

    /// Whether all code points from U+0080 on are in the set.
    pub(crate) fn contains_all_above_ascii(&self) -> bool {
        matches!(self.0[..], [.., (low, high), (second, LAST)]
            if low <= 0x80 && high + 1 == SURROGATES.0 && second == SURROGATES.1 + 1)
    }

    /// The number of code points in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|&(low, high)| (high - low + 1) as usize).sum()
    }

    /// The code points in at least one of the two sets.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self::new(self.0.iter().chain(&other.0).copied())
    }

    /// The code points in both sets.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        let (mut i, mut j) = (0, 0);
        let mut common = Vec::new();
        while let (Some(&a), Some(&b)) = (self.0.get(i), other.0.get(j)) {
            push_piece(&mut common, a.0.max(b.0), a.1.min(b.1));
            if a.1 < b.1 { i += 1 } else { j += 1 }
        }
        Self(common)
    }

    /// The code points that are not in the set.
    #[must_use]
    pub fn negate(&self) -> Self {
        let mut gaps = Vec::with_capacity(self.0.len() + 1);
        let mut next = 0;
        for &(low, high) in &self.0 {
            if next < low {
                gaps.push((next, low - 1));
            }
            next = high + 1;
        }
        if next <= LAST {
            gaps.push((next, LAST));
        }
        Self::new(gaps)
    }

    /// The code points that a code point of this set is in another case (simple case folding of Unicode), and the set itself.
    #[must_use]
    pub fn in_any_case(&self) -> Self {
        let chars = |code| char::from_u32(code).unwrap_or_default();
        let ranges = self.0.iter().map(|&(low, high)| ClassUnicodeRange::new(chars(low), chars(high)));
        let mut class = ClassUnicode::new(ranges);
        class.case_fold_simple();
        Self::new(class.iter().map(|range| (range.start() as u32, range.end() as u32)))
    }

    /// The code points of this set that are not in `other`.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.intersect(&other.negate())
    }
}

/// Appends the range, if it is not empty.
fn push_piece(pieces: &mut Vec<(u32, u32)>, low: u32, high: u32) {
    if low <= high {
        pieces.push((low, high));
    }
}

/// A set of bytes as a bitmap: byte `b` is bit `b % 64` of word `b / 64`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ByteSet(pub [u64; 4]);

impl ByteSet {
    /// The set of all bytes.
    pub const ALL: Self = Self([u64::MAX; 4]);

    /// Adds `byte`.
    pub const fn insert(&mut self, byte: u8) {
        self.0[(byte >> 6) as usize] |= 1 << (byte & 63);
    }

    /// Whether `byte` is in the set.
    #[must_use]
    pub fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }

    /// Whether no byte is in the set.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// The number of bytes in the set.
    #[must_use]
    pub fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The bytes in the set, ascending.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(move |&byte| self.contains(byte))
    }

    /// Whether a byte is in both sets.
    #[inline]
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(own, other)| own & other != 0)
    }

    /// Whether all bytes of this set are in the other one.
    #[inline]
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(own, other)| own & !other == 0)
    }

    /// The members as maximal inclusive ranges, ascending.
    #[must_use]
    pub fn ranges(&self) -> Vec<(u8, u8)> {
        let mut runs: Vec<(u8, u8)> = Vec::new();
        for byte in self.iter() {
            match runs.last_mut() {
                Some(last) if last.1 + 1 == byte => last.1 = byte,
                _ => runs.push((byte, byte)),
            }
        }
        runs
    }
}

impl BitAnd for ByteSet {
    type Output = Self;

    /// The bytes in both sets.
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl BitOr for ByteSet {
    type Output = Self;

    /// The bytes in either set.
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl BitXor for ByteSet {
    type Output = Self;

    /// The bytes in exactly one of the sets.
    fn bitxor(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] ^ other.0[word]))
    }
}

impl Not for ByteSet {
    type Output = Self;

    /// The bytes that are not in the set.
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl BitOrAssign for ByteSet {
    /// Adds the bytes of the other set.
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl FromIterator<u8> for ByteSet {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Self {
        let mut set = Self::default();
        bytes.into_iter().for_each(|byte| set.insert(byte));
        set
    }
}
