//! Fuzz targets: properties that must hold for every input, and inputs that try to break them.
//!
//! ```text
//! seeds, corpus ──mutate──▶ input ──Target::check──▶ nothing, or a panic: a finding
//!      ▲                                                    │
//!      └────────────── shrink, a file in corpus/ ◀──────────┘
//! ```
//! | module | job |
//! |---|---|
//! | [`target`] | the interface of targets |
//! | [`targets()`] | the list of targets |
//! | [`corpus`] | the files in `fuzz/corpus`: seeds and past findings |
//! | [`forge`] | files that are edited and get correct checksums again |
//! | [`mutate`] | mutations of bytes, texts, JSON, protobuf messages and edit scripts |
//! | [`execution`] | one execution: the input of a number, and how it went |
//! | [`campaign`] | many executions in a process of its own, for the program `fuzz` |
//! | [`shrink`] | makes a failing input small |
//!
//! An execution is a function of the target, the corpus, a seed and a number, so every finding can be repeated. Nothing depends on the
//! clock but how long a campaign runs. The same targets run in three ways: as ordinary tests with a fixed number of executions
//! (`tests/targets.rs`), as campaigns of a given time (`run.sh`), and guided by coverage (`coverage/`).

#![forbid(unsafe_code)]

pub mod campaign;
pub mod corpus;
pub mod execution;
mod forge;
pub mod mutate;
pub mod shrink;
pub mod target;
mod targets;

pub use target::Target;
pub use targets::{find, targets};
