//! Tables of a vocabulary: used where they lie in a compiled file, or with memory of their own.

use gcc_grammar_artifact::wire::U32;
use std::borrow::Cow;
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// A table that lies in a file that is in memory as long as the process, or one of its own.
pub(crate) type Table<T> = Cow<'static, [T]>;

/// An entry of a table of words. Where integers are little-endian, it is in memory as it is in a file.
pub(crate) trait Entry: Copy + FromBytes + Immutable {
    /// An entry as it is in a file to the entry.
    fn to_native(self) -> Self;
}

impl Entry for u32 {
    fn to_native(self) -> Self {
        Self::from_le(self)
    }
}

/// The words as entries, where they lie if possible; `None` if they end within an entry.
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

/// How the tables of a file become those of a vocabulary.
pub(crate) trait Keep<'a> {
    /// The table to keep.
    fn keep<T: Copy>(table: Cow<'a, [T]>) -> Table<T>;
}

/// With memory of their own.
pub(crate) struct Copied;

/// Where they lie.
pub(crate) struct InPlace;

impl Keep<'_> for Copied {
    fn keep<T: Copy>(table: Cow<'_, [T]>) -> Table<T> {
        Cow::Owned(table.into_owned())
    }
}

impl Keep<'static> for InPlace {
    fn keep<T: Copy>(table: Table<T>) -> Table<T> {
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ByteSet;
    use gcc_grammar_artifact::wire::words;

    #[test]
    fn entries_are_the_same_at_any_address() {
        let bytes: Vec<u8> = (0..80).collect();
        for start in 0..8 {
            let file = &bytes[start..start + 64];
            let expected = file.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
            let table = entries::<ByteSet>(words(file).unwrap()).unwrap();
            assert!(table.iter().flatten().copied().eq(expected), "{start}");
        }
    }

    #[test]
    fn part_of_an_entry_is_none() {
        let bytes = [0; 64];
        for start in 0..8 {
            let entries = |length| entries::<ByteSet>(words(&bytes[start..start + length]).unwrap());
            assert_eq!((entries(32).unwrap().len(), entries(36)), (1, None));
        }
    }
}
