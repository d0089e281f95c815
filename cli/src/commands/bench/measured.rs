//! The measurements of `gcc-grammar bench`: times of loading, compiling, opening and decoding, and the peaks of memory.
//!
//! The modules beside this one fill them in; `render::bench` shows them. Lists of times are sorted.

use gcc_grammar::Stats;
use serde::{Deserialize, Deserializer};
use std::time::Duration;

/// All measurements of one run of the command.
pub(crate) struct Measured {
    /// The time to load the vocabulary.
    pub(crate) loading: Duration,
    pub(crate) compiling: Compiling,
    /// The times from the text to the first mask, made on demand.
    pub(crate) first_mask: Vec<Duration>,
    /// The times to open and validate the artifact.
    pub(crate) opening: Vec<Duration>,
    pub(crate) decoding: Decoding,
    /// Other engines, measured with the same outputs.
    pub(crate) peers: Vec<Peer>,
}

/// Another engine, as `peers.py` answers: what it needs, or an error.
#[derive(Deserialize)]
pub(crate) struct Peer {
    /// Its name and version.
    pub(crate) engine: String,
    /// Why it has no times.
    pub(crate) error: Option<String>,
    /// The times from the text to the first mask.
    #[serde(default, rename = "first_mask_ns", deserialize_with = "sorted")]
    pub(crate) first_mask: Vec<Duration>,
    #[serde(default, rename = "mask_ns", deserialize_with = "sorted")]
    pub(crate) mask: Vec<Duration>,
    #[serde(default, rename = "commit_ns", deserialize_with = "sorted")]
    pub(crate) commit: Vec<Duration>,
    /// The number of outputs of which it refuses a token.
    #[serde(default)]
    pub(crate) refused: usize,
}

/// Reads nanoseconds.
fn sorted<'de, D: Deserializer<'de>>(times: D) -> Result<Vec<Duration>, D::Error> {
    let mut times: Vec<u64> = Vec::deserialize(times)?;
    times.sort_unstable();
    Ok(times.into_iter().map(Duration::from_nanos).collect())
}

/// The measurements of compiling several times.
pub(crate) struct Compiling {
    pub(crate) stats: Stats,
    pub(crate) artifact: Vec<u8>,
    /// The times from the text to the bytes of the artifact.
    pub(crate) total: Vec<Duration>,
    /// The median time of each stage.
    pub(crate) stages: Vec<(&'static str, Duration)>,
    /// The peak of memory in each stage, in bytes.
    pub(crate) peaks: Vec<(&'static str, usize)>,
}

/// The times of masks and commits, one for each token of each replay.
#[derive(Default)]
pub(crate) struct Decoding {
    /// The number of tokens of all outputs.
    pub(crate) tokens: usize,
    pub(crate) mask: Vec<Duration>,
    pub(crate) commit: Vec<Duration>,
    /// The times of a mask and the commit after it together.
    pub(crate) both: Vec<Duration>,
    /// The times to update a row from its previous mask.
    pub(crate) update: Vec<Duration>,
    /// The times to copy a row: a lower bound for a mask that is written as a whole.
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
