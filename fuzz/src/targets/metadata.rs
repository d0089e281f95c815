//! The metadata of artifacts: decoding is bounded, and what is decoded is encoded to the same.

use crate::mutate::bytes;
use crate::target::Target;
use gcc_grammar::artifact::compress;
use gcc_grammar::metadata::{Metadata, ReportEntry};

pub(super) const METADATA: Target = Target {
    name: "metadata",
    about: "metadata is decoded within bounds, and written and read again",
    seeds,
    mutate: bytes::mutate,
    check,
    executions: 10_000,
};

/// The version byte of the encoding.
const VERSION: u8 = 3;

fn seeds() -> Vec<Vec<u8>> {
    let text = |text: &str| text.to_owned();
    let mut entry = ReportEntry::default();
    (entry.pointer, entry.coverage) = (text("/a"), text("enforced"));
    let mut metadata = Metadata::default();
    metadata.compiler = text("0.1.0");
    (metadata.source.format, metadata.source.text) = (text("lark"), text("start: \"a\""));
    (metadata.vocabulary.tokens, metadata.vocabulary.width) = ([7; 32], 72);
    metadata.vocabulary.end_tokens = vec![61, 62];
    metadata.options = vec![(text("start"), text("start"))];
    metadata.terminals = vec![text("A")];
    metadata.rules = vec![text("start")];
    metadata.report = vec![entry];
    metadata.warnings = vec![text("a warning")];
    metadata.liveness = text("certified");
    metadata.stats = vec![(text("lr states"), 300)];
    vec![metadata.encode()[1..].to_vec(), plain(&metadata)]
}

/// The encoding without version and compression.
fn plain(metadata: &Metadata) -> Vec<u8> {
    let packed = metadata.encode();
    zstd::decode_all(&packed[1..]).expect("it was just written")
}

fn check(input: &[u8]) {
    // The input as what is compressed, and as what is compressed already.
    for packed in [compress(input, 1), input.to_vec()] {
        let Ok(metadata) = Metadata::decode(&[&[VERSION], packed.as_slice()].concat()) else { continue };
        assert_eq!(Metadata::decode(&metadata.encode()), Ok(metadata), "written and read again");
    }
}
