//! Little-endian records, declared once for writing, reading and documentation.
//!
//! [`record!`](crate::record) turns a list of named fields into a struct, its reader, its writer and the table that
//! FORMAT.md shows. Fields follow each other without padding. Long tables are not records but slices of [`U32`],
//! which is a `u32` stored as four little-endian bytes at any address, or of [`Numbers`], which take two bytes where that is enough.

use core::ops::Range;

pub use zerocopy::little_endian::{U16, U32};

/// A value of fixed size that can be a field of a record.
pub trait Wire: Sized {
    /// Bytes it takes.
    const SIZE: usize;
    /// Its type as FORMAT.md spells it.
    const NAME: &'static str;
    /// Reads it from exactly [`SIZE`](Self::SIZE) bytes.
    fn get(bytes: &[u8]) -> Self;
    /// Writes it to exactly [`SIZE`](Self::SIZE) bytes.
    fn put(&self, bytes: &mut [u8]);
}

macro_rules! wire_integers {
    ($($type:ident),*) => {$(
        impl Wire for $type {
            const SIZE: usize = size_of::<$type>();
            const NAME: &'static str = stringify!($type);
            fn get(bytes: &[u8]) -> Self {
                let mut buffer = [0; size_of::<$type>()];
                buffer.copy_from_slice(bytes);
                Self::from_le_bytes(buffer)
            }
            fn put(&self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}
wire_integers!(u16, u32, u64);

macro_rules! wire_bytes {
    ($($count:literal $name:literal),*) => {$(
        impl Wire for [u8; $count] {
            const SIZE: usize = $count;
            const NAME: &'static str = $name;
            fn get(bytes: &[u8]) -> Self {
                let mut buffer = [0; $count];
                buffer.copy_from_slice(bytes);
                buffer
            }
            fn put(&self, bytes: &mut [u8]) {
                bytes.copy_from_slice(self);
            }
        }
    )*};
}
wire_bytes!(4 "4 bytes", 16 "16 bytes", 32 "32 bytes");

/// One field of a record, as FORMAT.md lists it.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name in the declaration.
    pub name: &'static str,
    /// Bytes from the start of the record.
    pub offset: usize,
    /// Type as FORMAT.md spells it.
    pub type_name: &'static str,
    /// What it says.
    pub doc: &'static str,
}

/// Numbers of 32 bits, each in four bytes, or each in two where all of them fit.
#[derive(Clone, Copy, Debug)]
pub enum Numbers<'a> {
    /// In two bytes; 2^16 - 1 stands for 2^32 - 1.
    Narrow(&'a [U16]),
    /// In four bytes.
    Wide(&'a [U32]),
}

impl<'a> Numbers<'a> {
    /// Bytes that each of these numbers takes: 2 or 4.
    #[must_use]
    pub fn width_for(numbers: &[u32]) -> u32 {
        let fits = |&number: &u32| number < u32::from(u16::MAX) || number == u32::MAX;
        if numbers.iter().all(fits) { 2 } else { 4 }
    }

    /// Views bytes as numbers of `width` bytes; `None` if they are not a whole number of them.
    #[must_use]
    pub fn read(bytes: &'a [u8], width: u32) -> Option<Self> {
        match width {
            2 => shorts(bytes).map(Self::Narrow),
            4 => words(bytes).map(Self::Wide),
            _ => None,
        }
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Narrow(numbers) => numbers.len(),
            Self::Wide(numbers) => numbers.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number at `index`, which is in bounds.
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> u32 {
        match self {
            Self::Narrow(numbers) => widened(numbers[index]),
            Self::Wide(numbers) => numbers[index].get(),
        }
    }

    /// Where `number` is in `range`, which is in bounds; the numbers there ascend strictly.
    #[must_use]
    #[inline]
    pub fn position(&self, range: Range<usize>, number: u32) -> Option<usize> {
        match self {
            Self::Narrow(numbers) => {
                numbers[range].binary_search_by_key(&number, |&other| widened(other)).ok()
            }
            Self::Wide(numbers) => numbers[range].binary_search_by_key(&number, |other| other.get()).ok(),
        }
    }

    /// The first index in `range`, which is in bounds, whose number and the next one in `range` are not `as_expected`.
    pub(crate) fn first_pair(
        &self,
        range: Range<usize>,
        as_expected: impl Fn(u32, u32) -> bool,
    ) -> Option<usize> {
        let start = range.start;
        let found = match self {
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

    /// The first index in `range`, which is in bounds, whose number is not `as_expected`.
    pub(crate) fn first(&self, range: Range<usize>, as_expected: impl Fn(u32) -> bool) -> Option<usize> {
        let start = range.start;
        let found = match self {
            Self::Narrow(numbers) => numbers[range].iter().position(|&number| !as_expected(widened(number))),
            Self::Wide(numbers) => numbers[range].iter().position(|number| !as_expected(number.get())),
        };
        found.map(|index| start + index)
    }
}

#[inline]
fn widened(number: U16) -> u32 {
    match number.get() {
        u16::MAX => u32::MAX,
        number => u32::from(number),
    }
}

/// Views bytes as 16-bit little-endian words; `None` if the length is odd.
#[must_use]
pub fn shorts(bytes: &[u8]) -> Option<&[U16]> {
    zerocopy::FromBytes::ref_from_bytes(bytes).ok()
}

/// Views bytes as 32-bit little-endian words; `None` if the length is no multiple of four.
#[must_use]
pub fn words(bytes: &[u8]) -> Option<&[U32]> {
    zerocopy::FromBytes::ref_from_bytes(bytes).ok()
}

/// Declares a record: the struct, `SIZE`, `FIELDS`, `read` and `write`.
#[macro_export]
macro_rules! record {
    (
        $(#[doc = $doc:literal])+
        $vis:vis struct $name:ident {
            $($(#[doc = $field_doc:literal])+ $field:ident: $type:ty,)+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $vis struct $name {
            $($(#[doc = $field_doc])+ pub $field: $type,)+
        }

        impl $name {
            /// Bytes the record takes.
            pub const SIZE: usize = 0 $(+ <$type as $crate::wire::Wire>::SIZE)+;

            /// The fields in order, for FORMAT.md and dumps.
            pub const FIELDS: &'static [$crate::wire::Field] = {
                let mut offset = 0;
                &[$({
                    let field = $crate::wire::Field {
                        name: stringify!($field),
                        offset,
                        type_name: <$type as $crate::wire::Wire>::NAME,
                        doc: concat!($($field_doc),+),
                    };
                    offset += <$type as $crate::wire::Wire>::SIZE;
                    let _ = offset;
                    field
                }),+]
            };

            /// Reads the record from its bytes.
            #[must_use]
            pub fn read(bytes: &[u8; Self::SIZE]) -> Self {
                let mut rest: &[u8] = bytes;
                $(
                    let (head, tail) = rest.split_at(<$type as $crate::wire::Wire>::SIZE);
                    let $field = <$type as $crate::wire::Wire>::get(head);
                    rest = tail;
                )+
                let _ = rest;
                Self { $($field),+ }
            }

            /// The record as bytes.
            #[must_use]
            pub fn write(&self) -> [u8; Self::SIZE] {
                let mut bytes = [0; Self::SIZE];
                let mut rest: &mut [u8] = &mut bytes;
                $(
                    let (head, tail) = rest.split_at_mut(<$type as $crate::wire::Wire>::SIZE);
                    $crate::wire::Wire::put(&self.$field, head);
                    rest = tail;
                )+
                let _ = rest;
                bytes
            }
        }
    };
}
