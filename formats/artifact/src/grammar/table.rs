//! A single table, of shorts, words or numbers, with the checks that validation is made of.
//!
//! Reading is total: beyond its end, a table has zeros, and a range that does not lie in it is empty. So a file whose
//! content was not validated can give wrong numbers, but no panic.
//!
//! Each check takes time in the length of the table and fails with the name of the table and the index of the
//! fault.

use core::ops::Range;

use crate::container::{Container, Section};
use crate::error::ArtifactError;
use crate::wire::{self, Numbers, U16, U32};

/// The column of a table of shorts.
pub(crate) type Short<'a> = &'a [U16];
/// The column of a table of words.
pub(crate) type Word<'a> = &'a [U32];
/// The column of a table of numbers.
pub(crate) type Number<'a> = Numbers<'a>;

/// The entries of a table.
pub(crate) trait Column<'a>: Copy {
    /// Views bytes as entries of `width` bytes; `None` if they end within an entry.
    fn view(bytes: &'a [u8], width: u32) -> Option<Self>;
    fn len(&self) -> usize;
}

/// Entries that are 32-bit numbers, however they are stored.
pub(crate) trait Numeric<'a>: Column<'a> {
    fn numbers(self) -> Numbers<'a>;
    fn get(&self, index: usize) -> u32;
}

impl<'a> Column<'a> for Short<'a> {
    fn view(bytes: &'a [u8], _: u32) -> Option<Self> {
        wire::shorts(bytes)
    }

    fn len(&self) -> usize {
        <[U16]>::len(self)
    }
}

impl<'a> Column<'a> for Word<'a> {
    fn view(bytes: &'a [u8], _: u32) -> Option<Self> {
        wire::words(bytes)
    }

    fn len(&self) -> usize {
        <[U32]>::len(self)
    }
}

impl<'a> Numeric<'a> for Word<'a> {
    fn numbers(self) -> Numbers<'a> {
        Numbers::Wide(self)
    }

    #[inline]
    fn get(&self, index: usize) -> u32 {
        <[U32]>::get(self, index).map_or(0, |word| word.get())
    }
}

impl<'a> Column<'a> for Number<'a> {
    fn view(bytes: &'a [u8], width: u32) -> Option<Self> {
        Numbers::read(bytes, width)
    }

    fn len(&self) -> usize {
        Numbers::len(self)
    }
}

impl<'a> Numeric<'a> for Number<'a> {
    fn numbers(self) -> Self {
        self
    }

    #[inline]
    fn get(&self, index: usize) -> u32 {
        Numbers::get(self, index)
    }
}

/// The entries of a table with its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table<C> {
    column: C,
    name: &'static str,
}

impl<'a, T> Table<&'a [T]> {
    /// The entries in `range`; none if it does not lie in the table.
    #[inline]
    pub(crate) fn slice(&self, range: Range<usize>) -> &'a [T] {
        self.column.get(range).unwrap_or_default()
    }

    /// All entries.
    pub(crate) fn all(&self) -> &'a [T] {
        self.column
    }
}

impl Table<Number<'_>> {
    /// The position of `number` in `range`, relative to its start, if the numbers there ascend strictly.
    #[inline]
    pub(crate) fn position(&self, range: Range<usize>, number: u32) -> Option<usize> {
        self.column.position(range, number)
    }
}

impl<'a, C: Column<'a>> Table<C> {
    /// Finds the table in `section`. The macro that declares the tables passes one section per table.
    pub(crate) fn read(container: &Container<'a>, section: Option<&Section>) -> Result<Self, ArtifactError> {
        let section = section.ok_or(ArtifactError::MissingSection { section: "?" })?;
        let (bytes, width) = container.stored(section)?;
        let (table, problem) = (section.name, "it ends within an entry");
        let malformed = ArtifactError::MalformedTable { table, index: 0, problem };
        Ok(Self { column: C::view(bytes, width).ok_or(malformed)?, name: section.name })
    }

    pub(crate) fn len(&self) -> usize {
        self.column.len()
    }

    /// A table of the same name with other entries, of four bytes each.
    pub(crate) fn replaced_by(&self, bytes: &'a [u8]) -> Result<Self, ArtifactError> {
        match C::view(bytes, 4) {
            Some(column) => Ok(Self { column, name: self.name }),
            None => self.bad(0, "it ends within an entry"),
        }
    }

    /// Fails with the error that this table is malformed at `index`.
    pub(crate) fn bad<T>(&self, index: usize, problem: &'static str) -> Result<T, ArtifactError> {
        Err(ArtifactError::MalformedTable { table: self.name, index, problem })
    }
}

impl<'a, C: Numeric<'a>> Table<C> {
    /// The number at `index`; 0 beyond the end of the table.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> u32 {
        self.column.get(index)
    }

    /// The range of columns of row `row`, if this is a table of CSR offsets.
    #[inline]
    pub(crate) fn range(&self, row: usize) -> Range<usize> {
        self.get(row) as usize..self.get(row.wrapping_add(1)) as usize
    }

    /// Checks that the table has `expected` entries; `None` stands for a number greater than any length.
    pub(crate) fn check_len(&self, expected: Option<usize>) -> Result<(), ArtifactError> {
        if expected == Some(self.len()) { Ok(()) } else { self.bad(self.len(), "wrong number of entries") }
    }

    /// Checks that every entry satisfies `valid`.
    pub(crate) fn check_all(
        &self,
        valid: impl Fn(u32) -> bool,
        problem: &'static str,
    ) -> Result<(), ArtifactError> {
        self.check_range(0..self.len(), valid, problem)
    }

    /// Checks that every entry in `range` satisfies `valid`.
    pub(crate) fn check_range(
        &self,
        range: Range<usize>,
        valid: impl Fn(u32) -> bool,
        problem: &'static str,
    ) -> Result<(), ArtifactError> {
        match self.column.numbers().first(range, valid) {
            Some(index) => self.bad(index, problem),
            None => Ok(()),
        }
    }

    /// Checks that every entry is less than `limit`.
    pub(crate) fn check_below(&self, limit: usize) -> Result<(), ArtifactError> {
        self.check_all(|word| (word as usize) < limit, "the number is out of range")
    }

    /// Checks that every entry is less than `limit`, or is 2^32 - 1 (NONE, IGNORE).
    pub(crate) fn check_below_or_max(&self, limit: usize) -> Result<(), ArtifactError> {
        self.check_all(|word| (word as usize) < limit || word == u32::MAX, "the number is out of range")
    }

    /// Checks that the entries are the CSR offsets of rows that make up a table of `columns` entries. There is an
    /// entry.
    pub(crate) fn check_offsets(&self, columns: usize) -> Result<(), ArtifactError> {
        if self.get(0) != 0 {
            return self.bad(0, "the offsets do not start at 0");
        }
        self.check_pairs(0..self.len(), |a, b| a <= b, "the offsets descend")?;
        if self.get(self.len() - 1) as usize != columns {
            return self.bad(self.len() - 1, "the offsets do not end at the end of the columns");
        }
        Ok(())
    }

    /// Checks that neighbours within every row of `offsets` satisfy `ordered`. The offsets are valid.
    pub(crate) fn check_rows<'o>(
        &self,
        offsets: &Table<impl Numeric<'o>>,
        ordered: impl Fn(u32, u32) -> bool,
    ) -> Result<(), ArtifactError> {
        (0..offsets.len() - 1)
            .try_for_each(|row| self.check_pairs(offsets.range(row), &ordered, "the row is not sorted"))
    }

    /// Checks that neighbours in `range` satisfy `ordered`.
    pub(crate) fn check_pairs(
        &self,
        range: Range<usize>,
        ordered: impl Fn(u32, u32) -> bool,
        problem: &'static str,
    ) -> Result<(), ArtifactError> {
        match self.column.numbers().first_pair(range, ordered) {
            Some(index) => self.bad(index + 1, problem),
            None => Ok(()),
        }
    }
}
