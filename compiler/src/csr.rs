//! Compressed sparse rows: many short lists of items, stored in two vectors.
//!
//! Row `i` is `items[offsets[i]..offsets[i + 1]]`. The offsets never descend, and there is one more than there
//! are rows. The artifact stores tables in the same form.

/// Rows of `T` in one vector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Csr<T> {
    offsets: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Csr<T> {
    fn default() -> Self {
        Self { offsets: vec![0], items: Vec::new() }
    }
}

impl<T> Csr<T> {
    /// No rows, with room for so many, and for their items.
    pub(crate) fn with_capacity(rows: usize, items: usize) -> Self {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        Self { offsets, items: Vec::with_capacity(items) }
    }

    /// Appends a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = T>) {
        self.items.extend(row);
        self.offsets.push(u32::try_from(self.items.len()).expect("more than 2^32 entries"));
    }

    /// The row at `index`.
    #[must_use]
    pub fn row(&self, index: usize) -> &[T] {
        &self.items[self.span(index)]
    }

    /// The positions of a row's items among all items.
    #[must_use]
    pub fn span(&self, index: usize) -> std::ops::Range<usize> {
        self.offsets[index] as usize..self.offsets[index + 1] as usize
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The items of all rows, one row after the other.
    #[must_use]
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The same, to change them.
    pub(crate) fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// The position at which each row begins, then the number of items.
    #[must_use]
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }
}

impl<T: Copy + PartialEq> Csr<T> {
    /// The inverse of a relation, given as pairs `(from, to)`. Row `to` has the `from` of its pairs, in their
    /// order; of equal entries in a row that follow each other, only the first is kept.
    #[must_use]
    pub fn inverse(rows: usize, pairs: impl Iterator<Item = (T, usize)> + Clone) -> Self {
        let mut last = vec![None; rows];
        let mut offsets = vec![0; rows + 1];
        let is_new = |last: &mut [Option<T>], from, to: usize| last[to].replace(from) != Some(from);
        for (from, to) in pairs.clone() {
            offsets[to + 1] += u32::from(is_new(&mut last, from, to));
        }
        for row in 0..rows {
            offsets[row + 1] += offsets[row];
        }
        let mut items: Vec<T> =
            pairs.clone().next().map_or_else(Vec::new, |(any, _)| vec![any; offsets[rows] as usize]);
        let mut next = offsets.clone();
        last.fill(None);
        for (from, to) in pairs {
            if is_new(&mut last, from, to) {
                items[next[to] as usize] = from;
                next[to] += 1;
            }
        }
        Self { offsets, items }
    }
}

impl<T, R: IntoIterator<Item = T>> FromIterator<R> for Csr<T> {
    fn from_iter<I: IntoIterator<Item = R>>(rows: I) -> Self {
        let mut csr = Self::default();
        rows.into_iter().for_each(|row| csr.push(row));
        csr
    }
}
