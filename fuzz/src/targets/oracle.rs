//! Random grammars against the oracle of the tests: the input is a seed.

use crate::mutate::bytes;
use crate::target::Target;
use gcc_grammar_tests::campaign::try_seed;
use gcc_grammar_tests::subject::Way;

pub(super) const ORACLE: Target = Target {
    name: "oracle",
    about: "the masks of a random grammar are those of the oracle",
    seeds: || (0..16).map(|seed: u64| seed.to_le_bytes().to_vec()).collect(),
    mutate: bytes::mutate,
    check,
    executions: 60,
};

fn check(input: &[u8]) {
    let mut seed = [0; 8];
    seed.iter_mut().zip(input).for_each(|(to, from)| *to = *from);
    let seed = u64::from_le_bytes(seed);
    if let Err(wrong) = try_seed(seed, &Way::of_seed(seed)) {
        panic!("{wrong}");
    }
}
