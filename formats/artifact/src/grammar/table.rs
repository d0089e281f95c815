//! One table of words, and the checks that tables are validated with.

use core::ops::Range;

use crate::container::{Container, Section};
use crate::error::ArtifactError;
use crate::wire::U32;

/// A table of words that knows its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table<'a> {
    words: &'a [U32],
    name: &'static str,
}

impl<'a> Table<'a> {
    /// The table in `section`; the macro that declares the tables hands out one section per table.
    pub(crate) fn read(container: &Container<'a>, section: Option<&Section>) -> Result<Self, ArtifactError> {
        let section = section.ok_or(ArtifactError::MissingSection { section: "?" })?;
        Ok(Self { words: container.words(section)?, name: section.name })
    }

    pub(crate) const fn len(&self) -> usize {
        self.words.len()
    }

    /// The word at `index`. In bounds wherever `index` is of the kind the table is indexed by.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> u32 {
        self.words[index].get()
    }

    #[inline]
    pub(crate) fn slice(&self, range: Range<usize>) -> &'a [U32] {
        &self.words[range]
    }

    /// The range of row `row`, if this is a table of CSR offsets.
    #[inline]
    pub(crate) fn range(&self, row: usize) -> Range<usize> {
        self.get(row) as usize..self.get(row + 1) as usize
    }

    fn iter(&self) -> impl Iterator<Item = (usize, u32)> + use<'a> {
        self.words.iter().map(|word| word.get()).enumerate()
    }

    /// The error that this table is malformed at `index`.
    pub(crate) fn bad<T>(&self, index: usize, problem: &'static str) -> Result<T, ArtifactError> {
        Err(ArtifactError::MalformedTable { table: self.name, index, problem })
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
        match self.iter().find(|&(_, word)| !valid(word)) {
            Some((index, _)) => self.bad(index, problem),
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
    pub(crate) fn check_rows(
        &self,
        offsets: &Table<'_>,
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
        let start = range.start;
        let pairs = self.words[range].windows(2);
        match pairs.enumerate().find(|(_, pair)| !ordered(pair[0].get(), pair[1].get())) {
            Some((index, _)) => self.bad(start + index + 1, problem),
            None => Ok(()),
        }
    }
}
