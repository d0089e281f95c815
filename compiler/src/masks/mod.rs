//! Stores the masks: every mask is a base bitmap plus a bounded number of flipped tokens.
//!
//! In: the distinct sets of tokens that the Parser DWA puts out. Out: a [`MaskStore`], in which mask `i + 1`
//! is the `i`-th set and mask 0 is empty.
//!
//! Afterwards every mask has at most [`MAX_DELTA`](delta::MAX_DELTA) flips, so filling a mask costs a copy of
//! a bitmap and a bounded number of flips.
//!
//! Masks come in families (inside a string, after an expression, …) whose members differ in few tokens. So a
//! mask is one of few dense *bases*, which are bitmaps of the vocabulary or of the grammar, XOR a short sorted *delta*; a small mask needs no base. The files, in the
//! order of the data: [`bases`] chooses the bases, [`shared_flips`] finds flips that masks share, [`store`]
//! puts them together, with [`delta`] as a tool. [`interpret()`] expands a mask. [`lazy`] makes masks one by one.

mod bases;
mod delta;
mod interpret;
mod lazy;
mod shared_flips;
mod store;

pub use interpret::interpret;
pub use lazy::LazyMask;
pub(crate) use lazy::LazyMasks;
pub use store::{MaskStore, build, shared_bases};
