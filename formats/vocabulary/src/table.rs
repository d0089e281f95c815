//! [`Table`]: a table of a vocabulary, either borrowed from a compiled file or owned.
//!
//! The input is a section of a compiled file, as words in little-endian order. On little-endian processors the words are
//! the entries, so a table can be borrowed from a file that stays in memory as long as the process runs. On other
//! processors, and for files that do not stay in memory, the entries are copied. Code that uses a table cannot tell the
//! difference.

use gcc_grammar_artifact::wire::U32;
use std::borrow::Cow;
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// A table that is borrowed from a file in memory, or owned.
pub(crate) type Table<T> = Cow<'static, [T]>;

/// An entry of a table. Its layout in a file is that of its type on a little-endian processor.
pub(crate) trait Entry: Copy + FromBytes + Immutable {
    /// Converts an entry from little-endian order to the order of this processor.
    fn to_native(self) -> Self;
}

impl Entry for u32 {
    fn to_native(self) -> Self {
        Self::from_le(self)
    }
}

impl<const N: usize> Entry for [u64; N] {
    fn to_native(self) -> Self {
        self.map(u64::from_le)
    }
}

/// The words of a section as entries, borrowed if possible; `None` if the last entry is not complete.
pub(crate) fn entries<T: Entry>(words: &[U32]) -> Option<Cow<'_, [T]>> {
    let bytes = words.as_bytes();
    if cfg!(target_endian = "little")
        && let Ok(table) = <[T]>::ref_from_bytes(bytes)
    {
        return Some(Cow::Borrowed(table));
    }
    let entry = |bytes| Some(T::read_from_bytes(bytes).ok()?.to_native());
    bytes.chunks(size_of::<T>()).map(entry).collect::<Option<Vec<T>>>().map(Cow::Owned)
}

/// Whether a vocabulary copies the tables of a file or borrows them.
pub(crate) trait Keep<'a> {
    /// Converts a table of the file to a table of the vocabulary.
    fn keep<T: Copy>(table: Cow<'a, [T]>) -> Table<T>;
}

/// The vocabulary copies the tables.
pub(crate) struct Copied;

/// The vocabulary borrows the tables.
pub(crate) struct Borrowed;

impl Keep<'_> for Copied {
    fn keep<T: Copy>(table: Cow<'_, [T]>) -> Table<T> {
        Cow::Owned(table.into_owned())
    }
}

impl Keep<'static> for Borrowed {
    fn keep<T: Copy>(table: Table<T>) -> Table<T> {
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_artifact::wire::words;

    #[test]
    fn entries_are_the_same_at_any_address() {
        let bytes: Vec<u8> = (0..80).collect();
        for start in 0..8 {
            let file = &bytes[start..start + 64];
            let expected = file.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
            let table = entries::<[u64; 4]>(words(file).unwrap()).unwrap();
            assert!(table.iter().flatten().copied().eq(expected), "{start}");
        }
    }

    #[test]
    fn an_incomplete_entry_is_none() {
        let bytes = [0; 64];
        for start in 0..8 {
            let entries = |length| entries::<[u64; 4]>(words(&bytes[start..start + length]).unwrap());
            assert_eq!((entries(32).unwrap().len(), entries(36)), (1, None));
        }
    }
}
