//! End-to-end tests: they run the built binary as a user does. Each test has a temporary folder, which `support` makes.

mod artifacts;
mod bad_input;
mod batches;
mod bounds;
mod compiling;
mod console;
mod decoding;
mod docs;
mod explaining;
mod exploring;
mod families;
mod files;
mod formats;
#[cfg(feature = "stores")]
mod remotes;
mod schemas;
#[cfg(feature = "serve")]
mod serving;
#[cfg(feature = "sign")]
mod signing;
mod snapshots;
mod stored;
mod streams;
mod support;
mod testing;
mod vocabularies;
