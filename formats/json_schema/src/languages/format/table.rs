//! The automata of the formats, from the file `formats.bin`.
//!
//! Some formats take longer to construct from their patterns than everything else about a schema. So their minimal automata are in a file
//! that is a part of the program: in the order of [`TEXTS`](super::TEXTS), then of [`NUMBERS`](super::NUMBERS), each with its length in bytes
//! before it. An automaton is a list
//! of numbers in LEB128: the number of states; for each state twice the number of its transitions, plus 1 if it accepts; for each transition
//! the number of bytes between it and the last one, the number of bytes of its range minus 1, and its target.
//!
//! A test compares the file with the automata of the patterns, or writes it anew:
//! ```text
//! GCC_GRAMMAR_UPDATE_FORMATS=1 cargo test -p gcc-grammar-json-schema --lib format::table
//! ```

use gcc_grammar_regular::{Dfa, MinimalBuilder, RegularLimits};

const FILE: &[u8] = include_bytes!("formats.bin");

/// The automaton at a place in the file.
pub(super) fn automaton(place: usize) -> Dfa {
    let mut file = Reader(FILE);
    for _ in 0..place {
        let length = file.number();
        file.0 = &file.0[length..];
    }
    file.number();
    file.automaton()
}

/// Reads numbers. The file is a part of the program, so it is not checked.
struct Reader(&'static [u8]);

impl Reader {
    fn number(&mut self) -> usize {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.0[0];
            self.0 = &self.0[1..];
            number |= usize::from(byte & 0x7F) << shift;
            shift += 7;
            if byte < 0x80 {
                return number;
            }
        }
    }

    fn automaton(&mut self) -> Dfa {
        let limits = RegularLimits::default();
        let mut builder = MinimalBuilder::new(&limits);
        for _ in 0..self.number() {
            let state = self.number();
            let mut byte = 0;
            for _ in 0..state / 2 {
                let low = byte + self.number();
                let high = low + self.number();
                builder.edge(low as u8, high as u8, self.number() as u32);
                byte = high + 1;
            }
            builder.end_state(state % 2 == 1).expect("formats are small");
        }
        builder.build().expect("formats are small")
    }
}

#[cfg(test)]
mod tests {
    use super::super::{NUMBERS, TEXTS, patterns};
    use super::*;
    use crate::languages::number::{comparing, integers};
    use crate::read::decimal::Decimal;
    use std::cmp::Ordering;
    use std::path::Path;

    fn push(out: &mut Vec<u8>, mut number: usize) {
        while number >= 0x80 {
            out.push(number as u8 | 0x80);
            number >>= 7;
        }
        out.push(number as u8);
    }

    fn written(dfa: &Dfa) -> Vec<u8> {
        let mut out = Vec::new();
        push(&mut out, dfa.state_count());
        for state in 0..dfa.state_count() as u32 {
            push(&mut out, 2 * dfa.edges(state).count() + usize::from(dfa.is_accepting(state)));
            let mut byte = 0;
            for (low, high, target) in dfa.edges(state) {
                let (low, high) = (usize::from(low), usize::from(high));
                [low - byte, high - low, target as usize]
                    .into_iter()
                    .for_each(|number| push(&mut out, number));
                byte = high + 1;
            }
        }
        out
    }

    /// All automata, by their definitions.
    fn automata() -> Vec<Dfa> {
        let limits = RegularLimits::default();
        let bounded = |bound: &str, accepted: fn(Ordering) -> bool| {
            comparing(&Decimal::parse(bound).unwrap(), accepted, &limits).unwrap().unwrap()
        };
        let texts = TEXTS.iter().map(|name| patterns::regex(name).to_dfa(&limits).unwrap());
        let numbers = NUMBERS.iter().map(|&(_, least, greatest)| {
            let numbers =
                bounded(least, Ordering::is_ge).intersect(&bounded(greatest, Ordering::is_le), &limits);
            numbers.unwrap().intersect(&integers(true), &limits).unwrap()
        });
        texts.chain(numbers).collect()
    }

    #[test]
    fn the_file_has_the_automata_of_the_formats() {
        let mut file = Vec::new();
        for automaton in automata() {
            let automaton = written(&automaton);
            push(&mut file, automaton.len());
            file.extend(automaton);
        }
        if std::env::var_os("GCC_GRAMMAR_UPDATE_FORMATS").is_some() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/languages/format/formats.bin");
            std::fs::write(path, &file).unwrap();
        } else {
            assert!(
                FILE == file,
                "the formats have changed: update the file as the first lines of this one say"
            );
            for (place, expected) in automata().into_iter().enumerate() {
                assert_eq!(automaton(place), expected, "{place}");
            }
        }
    }
}
