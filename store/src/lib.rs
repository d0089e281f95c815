//! Stores of artifacts, which processes and machines share, and the batches that fill them.
//!
//! ```text
//! Store ── the cache or the folder itself (a Folder: mapped, locked, bounded)
//!   └──── behind a cache: the objects of the store
//! ```
//! | module | content |
//! |---|---|
//! | [`place`] | the name of an artifact in a store: vocabulary and key |
//! | [`folder`] | what keeps artifacts, and a folder that processes share: whole files, one compilation per key, least recently used goes first |
//! | `contents` | lists of all artifacts, and the removal of some |
//! | [`pack`](mod@pack) | writes many artifacts into one file |
//! | `remote` | objects of remote stores, with the feature `stores` |
//! | [`sealed`] | artifacts with their signatures |
//! | [`url`] | the address of a store |
//! | [`set`] | many artifacts of a store in one process |
//! | `on_demand` | sessions for sources whose artifacts may not be there yet |
//! | [`make`] | the artifact of one item is made, unless the store has it |
//! | [`items`], [`batch`] | many sources are read, and compiled into a store |
//!
//! An artifact has one place, which follows from its vocabulary and its [key](gcc_grammar::Key), and artifacts with equal keys are equal byte for
//! byte. So nothing in a store ever changes, writers need not agree on anything, and a file can be removed at any time: it is
//! made again. An artifact that is read is compared with its key, its vocabulary and all its checksums before it is used, and with its signature if that matters.

#![forbid(unsafe_code)]

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod batch;
mod contents;
mod folder;
pub mod items;
pub mod make;
mod on_demand;
mod pack;
mod place;
#[cfg(feature = "stores")]
mod remote;
mod sealed;
mod set;
mod store;
mod url;

pub use folder::{Origin, Removed, Stored};
pub use pack::pack;
pub use place::Place;
pub use set::{ArtifactSet, SetOptions};
pub use store::{CACHE_BYTES, CacheOptions, Store};
