//! End to end: runs the built binary.

mod artifacts;
mod bad_input;
mod compiling;
mod console;
mod decoding;
mod docs;
mod explaining;
mod formats;
mod snapshots;
mod streams;
mod support;
mod vocabularies;
