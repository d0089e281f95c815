//! Little-endian values in a file: records, and tables of integers.
//!
//! Everything is read in place, from bytes at any address, without copying tables. A *record* is a struct
//! whose fields are declared once, for reading, writing and documentation. A *table* is a slice of bytes, of
//! 16-bit or 32-bit words, or of numbers that take two or four bytes each, whichever suffices for the whole
//! table.

mod numbers;
#[macro_use]
mod record;

pub(crate) use numbers::shorts;
pub use numbers::{Numbers, U16, U32, words};
pub use record::{Field, Wire};
