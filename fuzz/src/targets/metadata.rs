//! The metadata of artifacts: decoding is bounded, and what is decoded is encoded to the same.

use crate::mutate::bytes;
use crate::target::Target;
use gcc_grammar::artifact::compress;
use gcc_grammar::metadata::{Metadata, ReportEntry, Source, VocabularyTokens};

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
    let entry = ReportEntry { pointer: text("/a"), coverage: text("enforced"), ..ReportEntry::default() };
    let metadata = Metadata {
        compiler: text("0.1.0"),
        source: Source { format: text("lark"), text: text("start: \"a\""), imports: Vec::new() },
        vocabulary: VocabularyTokens { tokens: [7; 32], width: 72, end_tokens: vec![61, 62] },
        options: vec![(text("start"), text("start"))],
        terminals: vec![text("A")],
        rules: vec![text("start")],
        report: vec![entry],
        warnings: vec![text("a warning")],
        liveness: text("certified"),
        stats: vec![(text("lr states"), 300)],
    };
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
