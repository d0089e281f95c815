//! Interned sets of token ranks.
//!
//! Tokens are ranked by their bytes, so a set that a grammar makes consists of few long runs with some holes,
//! and the sets of one grammar share most of their contents. A set is a sorted list of interned *chunks*,
//! bitmaps of [`CHUNK`](chunk::CHUNK) ranks. Equal sets have equal ids. Union, inclusion and hashing take one
//! step per chunk whatever the set looks like: 125 steps for 128 k tokens.
//!
//! Rejected: lists of ranges. They have up to ten thousand entries (measured: 6 times slower on JSON
//! schemas).
//!
//! Files: [`chunk`], [`interner`], then the operations [`algebra`], [`difference`], [`changing`] (a set step by step),
//! [`transfer`] (between interners) and [`precomputed`] (from a vocabulary).

mod algebra;
mod changing;
mod chunk;
mod difference;
mod interner;
mod precomputed;
#[cfg(test)]
mod tests;
mod transfer;

pub(crate) use changing::ChangingSet;
pub(crate) use chunk::hash;
pub use interner::{Range, Sets};
pub(crate) use precomputed::PrecomputedSets;
pub(crate) use transfer::Foreign;
