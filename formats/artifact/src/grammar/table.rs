//! One table, of shorts, words or numbers, and the checks that tables are validated with.

use core::ops::Range;

use crate::container::{Container, Section};
use crate::error::ArtifactError;
use crate::wire::{Numbers, U16, U32};

/// What tables of shorts hold.
pub(crate) type Short<'a> = &'a [U16];
/// What tables of words hold.
pub(crate) type Word<'a> = &'a [U32];
/// What tables of numbers hold.
pub(crate) type Number<'a> = Numbers<'a>;

/// What a table holds.
pub(crate) trait Column<'a>: Copy {
    fn read(container: &Container<'a>, section: &Section) -> Result<Self, ArtifactError>;
    fn len(&self) -> usize;
}

/// 32-bit numbers, however they are stored.
pub(crate) trait Numeric<'a>: Column<'a> {
    fn numbers(self) -> Numbers<'a>;
    fn get(&self, index: usize) -> u32;
}

impl<'a> Column<'a> for Short<'a> {
    fn read(container: &Container<'a>, section: &Section) -> Result<Self, ArtifactError> {
        container.shorts(section)
    }

    fn len(&self) -> usize {
        <[U16]>::len(self)
    }
}

impl<'a> Column<'a> for Word<'a> {
    fn read(container: &Container<'a>, section: &Section) -> Result<Self, ArtifactError> {
        container.words(section)
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
        self[index].get()
    }
}

impl<'a> Column<'a> for Number<'a> {
    fn read(container: &Container<'a>, section: &Section) -> Result<Self, ArtifactError> {
        container.numbers(section)
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

/// A table that knows its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table<C> {
    column: C,
    name: &'static str,
}

impl<'a, T> Table<&'a [T]> {
    #[inline]
    pub(crate) fn slice(&self, range: Range<usize>) -> &'a [T] {
        &self.column[range]
    }
}

impl Table<Number<'_>> {
    /// Where `number` is in `range`, in which the numbers ascend strictly.
    #[inline]
    pub(crate) fn position(&self, range: Range<usize>, number: u32) -> Option<usize> {
        self.column.position(range, number)
    }
}

impl<'a, C: Column<'a>> Table<C> {
    /// The table in `section`; the macro that declares the tables hands out one section per table.
    pub(crate) fn read(container: &Container<'a>, section: Option<&Section>) -> Result<Self, ArtifactError> {
        let section = section.ok_or(ArtifactError::MissingSection { section: "?" })?;
        Ok(Self { column: C::read(container, section)?, name: section.name })
    }

    pub(crate) fn len(&self) -> usize {
        self.column.len()
    }

    /// The error that this table is malformed at `index`.
    pub(crate) fn bad<T>(&self, index: usize, problem: &'static str) -> Result<T, ArtifactError> {
        Err(ArtifactError::MalformedTable { table: self.name, index, problem })
    }
}

impl<'a, C: Numeric<'a>> Table<C> {
    /// The number at `index`. In bounds wherever `index` is of the kind the table is indexed by.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> u32 {
        self.column.get(index)
    }

    /// The range of row `row`, if this is a table of CSR offsets.
    #[inline]
    pub(crate) fn range(&self, row: usize) -> Range<usize> {
        self.get(row) as usize..self.get(row + 1) as usize
    }

    /// The table has `expected` entries; `None` stands for a number that does not even fit in memory.
    pub(crate) fn check_len(&self, expected: Option<usize>) -> Result<(), ArtifactError> {
        if expected == Some(self.len()) { Ok(()) } else { self.bad(self.len(), "wrong number of entries") }
    }

    /// Every entry satisfies `valid`.
    pub(crate) fn check_all(
        &self,
        valid: impl Fn(u32) -> bool,
        problem: &'static str,
    ) -> Result<(), ArtifactError> {
        self.check_range(0..self.len(), valid, problem)
    }

    /// Every entry in `range` satisfies `valid`.
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

    /// Every entry is less than `limit`.
    pub(crate) fn check_below(&self, limit: usize) -> Result<(), ArtifactError> {
        self.check_all(|word| (word as usize) < limit, "out of range")
    }

    /// Every entry is less than `limit`, or 2^32 - 1 (NONE, IGNORE).
    pub(crate) fn check_below_or_max(&self, limit: usize) -> Result<(), ArtifactError> {
        self.check_all(|word| (word as usize) < limit || word == u32::MAX, "out of range")
    }

    /// The table holds the offsets of `rows` rows that make up a table of `columns` entries.
    pub(crate) fn check_offsets(&self, rows: usize, columns: usize) -> Result<(), ArtifactError> {
        self.check_len(rows.checked_add(1))?;
        if self.get(0) != 0 {
            return self.bad(0, "offsets do not start at 0");
        }
        self.check_pairs(0..self.len(), |a, b| a <= b, "offsets descend")?;
        if self.get(rows) as usize != columns {
            return self.bad(rows, "offsets do not end at the end of the columns");
        }
        Ok(())
    }

    /// Neighbours within every row of `offsets` satisfy `ordered`. The offsets are valid.
    pub(crate) fn check_rows<'o>(
        &self,
        offsets: &Table<impl Numeric<'o>>,
        ordered: impl Fn(u32, u32) -> bool,
    ) -> Result<(), ArtifactError> {
        (0..offsets.len() - 1)
            .try_for_each(|row| self.check_pairs(offsets.range(row), &ordered, "row is not sorted"))
    }

    /// Neighbours in `range` satisfy `ordered`.
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
