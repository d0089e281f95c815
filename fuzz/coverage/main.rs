//! A target under libFuzzer. The target is named by the environment variable `TARGET`, because libFuzzer reads the arguments.
//!
//! Half of the mutations are those of the target, which know the structure of its inputs; the others are libFuzzer's own.

#![no_main]

use gcc_grammar_fuzz::{Target, corpus, find};
use gcc_grammar_tests::generate::Random;
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use std::sync::LazyLock;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("TARGET").unwrap_or_default();
    find(&name).unwrap_or_else(|| panic!("TARGET={name} is not the name of a target"))
});
static POOL: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| corpus::pool(&TARGET));

fuzz_target!(|input: &[u8]| (TARGET.check)(input));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut random = Random::new(seed.into());
    if random.chance(50) {
        return fuzzer_mutate(data, size, max_size);
    }
    let mut input = if size <= 1 { random.pick(&POOL).clone() } else { data[..size].to_vec() };
    input = (TARGET.mutate)(&mut random, &input, &POOL);
    input.truncate(max_size.min(data.len()));
    data[..input.len()].copy_from_slice(&input);
    input.len()
});
