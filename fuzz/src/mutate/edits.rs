//! Mutations of edit scripts: some bytes at the beginning that choose what is edited, and then records of the same length.

use super::{bytes, cut, number};
use crate::forge::Edit;
use gcc_grammar_tests::generate::Random;

/// The length of the beginning.
pub(crate) const START: usize = 4;

/// Mutates a script of edits: records are added, changed, removed and moved.
pub fn mutate(random: &mut Random, input: &[u8], pool: &[Vec<u8>]) -> Vec<u8> {
    let mut script = input.to_vec();
    script.resize(script.len().max(START), 0);
    let records = (script.len() - START) / Edit::SIZE;
    let at = START + random.below(records + 1) * Edit::SIZE;
    match random.below(8) {
        0 => script[random.below(START)] = random.draw() as u8,
        1 if at < script.len() => drop(script.drain(at..(at + Edit::SIZE).min(script.len()))),
        2 => script = bytes::mutate(random, &script, pool),
        // Neighbouring places are often edited together.
        3 if at + Edit::SIZE <= script.len() => {
            let mut edit = Edit::read(&script[at..]);
            edit.place = edit.place.wrapping_add(1);
            if random.chance(50) {
                edit.value = number(random) as u32;
            }
            drop(script.splice(at..at, edit.write()));
        }
        _ => {
            let edit = Edit {
                section: random.draw() as u8,
                operation: random.draw() as u8,
                place: random.draw() as u16,
                value: number(random) as u32,
            };
            drop(script.splice(at..at, edit.write()));
        }
    }
    cut(script)
}
