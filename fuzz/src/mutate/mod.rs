//! Mutations: they make a new input of an old one, and sometimes of parts of others.
//!
//! | module | inputs |
//! |---|---|
//! | [`bytes`] | any bytes |
//! | [`text`] | grammars: words, numbers, strings and brackets are moved as a whole |
//! | [`json`] | JSON: values are replaced, removed, renamed and nested |
//! | [`protobuf`] | protobuf messages: fields are changed and their lengths corrected |
//! | [`edits`] | edit scripts, which are lists of records of the same length |

pub mod bytes;
pub mod edits;
pub mod json;
pub mod protobuf;
pub mod text;

use gcc_grammar_tests::generate::Random;

/// A mutation: the stream of random numbers, the input, and all inputs to start from.
pub type Mutate = fn(&mut Random, &[u8], &[Vec<u8>]) -> Vec<u8>;

/// Longer inputs are cut: what matters is that there are many executions, not that inputs are long.
pub const MAX_INPUT: usize = 4096;

/// Numbers at which something may overflow or begin.
pub(crate) const NUMBERS: [u64; 22] = [
    0,
    1,
    2,
    3,
    7,
    8,
    31,
    32,
    33,
    63,
    64,
    127,
    128,
    255,
    256,
    65_535,
    65_536,
    1 << 31,
    u32::MAX as u64,
    1 << 32,
    i64::MAX as u64,
    u64::MAX,
];

/// A number at which something may overflow or begin, or any number.
pub(crate) fn number(random: &mut Random) -> u64 {
    if random.chance(80) { *random.pick(&NUMBERS) } else { random.draw() >> random.below(64) }
}

/// The input, not longer than [`MAX_INPUT`].
pub(crate) fn cut(mut input: Vec<u8>) -> Vec<u8> {
    input.truncate(MAX_INPUT);
    input
}
