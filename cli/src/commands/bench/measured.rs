//! The measurements of `gcc-grammar bench`.

use gcc_grammar::Stats;
use std::time::Duration;

/// The measurements.
pub(crate) struct Measured {
    pub(crate) loading: Duration,
    pub(crate) compiling: Compiling,
    pub(crate) opening: Vec<Duration>,
    pub(crate) decoding: Decoding,
}

/// Compiling, several times.
pub(crate) struct Compiling {
    pub(crate) stats: Stats,
    pub(crate) artifact: Vec<u8>,
    /// From the text to the bytes of the artifact.
    pub(crate) total: Vec<Duration>,
    /// Median by stage.
    pub(crate) stages: Vec<(&'static str, Duration)>,
    /// Bytes by stage.
    pub(crate) peaks: Vec<(&'static str, usize)>,
}

/// Mask and commit, for each token of each replay.
#[derive(Default)]
pub(crate) struct Decoding {
    pub(crate) tokens: usize,
    pub(crate) mask: Vec<Duration>,
    pub(crate) commit: Vec<Duration>,
    pub(crate) both: Vec<Duration>,
    /// A row that remembers what it holds, updated.
    pub(crate) update: Vec<Duration>,
    /// A row copied, in place of a mask: the floor.
    pub(crate) copy: Vec<Duration>,
}

impl Decoding {
    /// The times by name.
    pub(crate) fn named(&self) -> [(&'static str, &[Duration]); 5] {
        [
            ("mask", &self.mask),
            ("commit", &self.commit),
            ("both", &self.both),
            ("update", &self.update),
            ("copy", &self.copy),
        ]
    }
}
