//! The memory of the heads: which items of a list, names and keys of an object came before, and whether what is written can still differ.
//!
//! The cells and the text lie in the [scratch](crate::scratch): `items` has the cells, `text` the bytes, `sorted` the longest list in
//! order, `signature` what equal values have in common. Read in this order:
//!
//! | file | content |
//! |---|---|
//! | `values` | whether a text begins like a JSON value, with members in any order |
//! | `items` | the memory after a terminal; whether the lexeme can still differ from the items of its list |
//! | `open_items` | whether items of several lexemes that have begun can still differ |
//! | `keys` | objects whose keys are remembered: their conditions, and which keys may still come |
//! | `same` | texts that are repeated |
//! | `owed` | what the members cost that open objects must still have |
//!
//! What follows for masks is in [`refused`](crate::refused).

pub(crate) mod items;
pub(crate) mod keys;
mod open_items;
pub(crate) mod owed;
mod same;
pub(crate) mod values;
