//! Mutations of any bytes: flips, interesting values, insertions, removals, copies, and parts of other inputs.

use super::{cut, number};
use gcc_grammar_tests::generate::Random;
use std::ops::Range;

/// Mutates bytes.
pub fn mutate(random: &mut Random, input: &[u8], pool: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    let at = random.below(bytes.len() + 1);
    match random.below(8) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        1 if at < bytes.len() => bytes[at] = random.draw() as u8,
        2 => overwrite(random, &mut bytes, at),
        3 => bytes.insert(at, random.draw() as u8),
        4 => drop(bytes.drain(range(random, input))),
        5 => {
            let copied = input[range(random, input)].to_vec();
            drop(bytes.splice(at..at, copied));
        }
        6 => bytes.truncate(at),
        _ => {
            let other = random.pick(pool);
            let part = other[range(random, other)].to_vec();
            drop(bytes.splice(at..at, part));
        }
    }
    cut(bytes)
}

/// A short range of indexes of the bytes; sometimes a long one.
fn range(random: &mut Random, bytes: &[u8]) -> Range<usize> {
    let start = random.below(bytes.len() + 1);
    let most = if random.chance(80) { 8 } else { bytes.len() };
    start..start + random.below(most.min(bytes.len() - start) + 1)
}

/// Overwrites one to eight bytes with an interesting number.
fn overwrite(random: &mut Random, bytes: &mut [u8], at: usize) {
    let number = number(random).to_le_bytes();
    let width = *random.pick(&[1, 2, 4, 8]);
    bytes[at..].iter_mut().zip(&number[..width]).for_each(|(byte, new)| *byte = *new);
}
