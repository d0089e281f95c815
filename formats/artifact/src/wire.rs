//! Little-endian records, declared once for writing, reading and documentation.
//!
//! [`record!`](crate::record) turns a list of named fields into a struct, its reader, its writer and the table that
//! FORMAT.md shows. Fields follow each other without padding. Long tables are not records but slices of [`U32`],
//! which is a `u32` stored as four little-endian bytes at any address.

pub use zerocopy::little_endian::U32;

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
        pub struct $name:ident {
            $($(#[doc = $field_doc:literal])+ $field:ident: $type:ty,)+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name {
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
