//! JSON Schema to grammar, from outside.

mod bench;
mod core;
mod data;
mod emitted;
mod hostile;
mod maskbench;
#[cfg(feature = "oracle")]
mod oracle;
mod order;
#[cfg(feature = "oracle")]
mod random;
mod recognizer;
mod suite;

use std::path::{Path, PathBuf};

/// A folder or file of the shared data; `None` (said loudly) if it is not there.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found =
        here.ancestors().map(|folder| folder.join("shared/data").join(path)).find(|path| path.exists());
    if found.is_none() {
        eprintln!("SKIPPED: there is no shared/data/{path} beside the repository");
    }
    found
}
