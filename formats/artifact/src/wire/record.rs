//! Records: a list of named fields declares a struct, its reader, its writer and the table that FORMAT.md
//! shows.
//!
//! Fields follow each other without padding, each little-endian. [`record!`](crate::record) declares a
//! record; [`Wire`] is implemented by the types that a field can have.

/// A value of fixed size that can be a field of a record.
pub trait Wire: Sized {
    /// The number of bytes that it takes.
    const SIZE: usize;
    /// The name of the type in FORMAT.md.
    const NAME: &'static str;
    /// Reads a value from exactly [`SIZE`](Self::SIZE) bytes.
    fn get(bytes: &[u8]) -> Self;
    /// Writes the value to exactly [`SIZE`](Self::SIZE) bytes.
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

/// The description of a record's field, as FORMAT.md lists it.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The name in the declaration.
    pub name: &'static str,
    /// The distance from the start of the record, in bytes.
    pub offset: usize,
    /// The name of the type in FORMAT.md.
    pub type_name: &'static str,
    /// The meaning of the field.
    pub doc: &'static str,
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
            /// The number of bytes that the record takes.
            pub const SIZE: usize = 0 $(+ <$type as $crate::wire::Wire>::SIZE)+;

            /// The fields in order.
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

            /// Writes the record to bytes.
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
