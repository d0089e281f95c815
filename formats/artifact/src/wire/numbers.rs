//! Tables as slices of little-endian integers, which lie in the file at any address.
//!
//! [`U32`] and [`U16`] are integers stored in four and two bytes, without alignment. [`Numbers`] is a slice
//! of either, or of bytes: a table takes as few bytes for each number as all of them fit into.

use core::ops::Range;

pub use zerocopy::little_endian::{U16, U32};

/// A table of 32-bit numbers, stored in one or two bytes each if all of them fit, else in four bytes each.
#[derive(Clone, Copy, Debug)]
pub enum Numbers<'a> {
    /// One byte each; 2^8 - 1 stands for 2^32 - 1.
    Bytes(&'a [u8]),
    /// Two bytes each; 2^16 - 1 stands for 2^32 - 1.
    Narrow(&'a [U16]),
    /// Four bytes each.
    Wide(&'a [U32]),
}

impl<'a> Numbers<'a> {
    /// The number of bytes, 1, 2 or 4, that each of these numbers takes in a table.
    #[cfg(feature = "write")]
    pub(crate) fn width_for(numbers: &[u32]) -> u32 {
        let greatest = numbers.iter().copied().filter(|&number| number < u32::MAX).max().unwrap_or(0);
        match greatest {
            0..0xFF => 1,
            0xFF..0xFFFF => 2,
            _ => 4,
        }
    }

    /// Views bytes as numbers of `width` bytes; `None` if the length is not a multiple of the width.
    #[must_use]
    pub fn read(bytes: &'a [u8], width: u32) -> Option<Self> {
        match width {
            1 => Some(Self::Bytes(bytes)),
            2 => shorts(bytes).map(Self::Narrow),
            4 => words(bytes).map(Self::Wide),
            _ => None,
        }
    }

    /// The number of entries.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Bytes(numbers) => numbers.len(),
            Self::Narrow(numbers) => numbers.len(),
            Self::Wide(numbers) => numbers.len(),
        }
    }

    /// Whether the table has no entries.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number at `index`; 0 beyond the end.
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> u32 {
        match self {
            Self::Bytes(numbers) => numbers.get(index).map_or(0, |&number| widened_byte(number)),
            Self::Narrow(numbers) => numbers.get(index).map_or(0, |&number| widened(number)),
            Self::Wide(numbers) => numbers.get(index).map_or(0, |number| number.get()),
        }
    }

    /// The position of `number` in `range`, relative to its start, if the numbers there ascend strictly; `None` if the
    /// range is not in bounds.
    #[must_use]
    #[inline]
    pub fn position(&self, range: Range<usize>, number: u32) -> Option<usize> {
        match self {
            Self::Bytes(numbers) => {
                numbers.get(range)?.binary_search_by_key(&number, |&other| widened_byte(other)).ok()
            }
            Self::Narrow(numbers) => {
                numbers.get(range)?.binary_search_by_key(&number, |&other| widened(other)).ok()
            }
            Self::Wide(numbers) => {
                numbers.get(range)?.binary_search_by_key(&number, |other| other.get()).ok()
            }
        }
    }

    /// The first index in `range`, which is in bounds, at which a number and the next one are not
    /// `as_expected`.
    pub(crate) fn first_pair(
        &self,
        range: Range<usize>,
        as_expected: impl Fn(u32, u32) -> bool,
    ) -> Option<usize> {
        let start = range.start;
        let found = match self {
            Self::Bytes(numbers) => {
                let mut pairs = numbers[range].windows(2);
                pairs.position(|pair| !as_expected(widened_byte(pair[0]), widened_byte(pair[1])))
            }
            Self::Narrow(numbers) => {
                let mut pairs = numbers[range].windows(2);
                pairs.position(|pair| !as_expected(widened(pair[0]), widened(pair[1])))
            }
            Self::Wide(numbers) => {
                let mut pairs = numbers[range].windows(2);
                pairs.position(|pair| !as_expected(pair[0].get(), pair[1].get()))
            }
        };
        found.map(|index| start + index)
    }

    /// The first index in `range`, which is in bounds, at which a number is not `as_expected`.
    pub(crate) fn first(&self, range: Range<usize>, as_expected: impl Fn(u32) -> bool) -> Option<usize> {
        let start = range.start;
        let found = match self {
            Self::Bytes(numbers) => {
                numbers[range].iter().position(|&number| !as_expected(widened_byte(number)))
            }
            Self::Narrow(numbers) => numbers[range].iter().position(|&number| !as_expected(widened(number))),
            Self::Wide(numbers) => numbers[range].iter().position(|number| !as_expected(number.get())),
        };
        found.map(|index| start + index)
    }
}

/// The number that a byte stands for.
#[inline]
fn widened_byte(number: u8) -> u32 {
    match number {
        u8::MAX => u32::MAX,
        number => u32::from(number),
    }
}

/// The number that two bytes stand for.
#[inline]
fn widened(number: U16) -> u32 {
    match number.get() {
        u16::MAX => u32::MAX,
        number => u32::from(number),
    }
}

/// Views bytes as 16-bit little-endian words; `None` if the length is odd.
#[must_use]
pub(crate) fn shorts(bytes: &[u8]) -> Option<&[U16]> {
    zerocopy::FromBytes::ref_from_bytes(bytes).ok()
}

/// Views bytes as 32-bit little-endian words; `None` if the length is not a multiple of four.
#[must_use]
pub fn words(bytes: &[u8]) -> Option<&[U32]> {
    zerocopy::FromBytes::ref_from_bytes(bytes).ok()
}
