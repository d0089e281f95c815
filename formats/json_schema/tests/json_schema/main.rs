//! Tests of JSON Schema to grammar through the public interface.
//!
//! Tests that read shared data beside the repository are ignored by default, with the reason that they need
//! it. With `--include-ignored` they run, and fail if the data is not there.

mod applied;
mod bench;
mod constants;
mod core;
mod doubling;
mod emitted;
mod guidance;
mod hostile;
mod json;
mod keys;
mod limits;
mod maskbench;
mod mistakes;
mod narrowing;
#[cfg(feature = "oracle")]
mod oracle;
mod order;
mod printed;
mod profiles;
#[cfg(feature = "oracle")]
mod random;
mod recognizer;
#[cfg(feature = "oracle")]
mod repeats;
#[cfg(feature = "oracle")]
mod respelled;
#[cfg(feature = "oracle")]
mod second_judge;
mod suite;
#[cfg(feature = "oracle")]
mod unions;

use std::path::{Path, PathBuf};

/// A folder or file of the shared data.
///
/// # Panics
/// The data is not there.
pub(crate) fn shared(path: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut places = here.ancestors().map(|folder| folder.join("shared/data").join(path));
    places
        .find(|path| path.exists())
        .unwrap_or_else(|| panic!("needs shared/data/{path} beside the repository"))
}
