//! The automata of the formats, from the file `formats.bin`.
//!
//! Some formats take longer to construct from their patterns than everything else about a schema. So their minimal automata are in a file
//! that is a part of the program: in the order of [`TEXTS`](super::TEXTS), then of [`NUMBERS`](super::NUMBERS), each with its length in bytes
//! before it. An automaton is a list
//! of numbers in LEB128: the number of states; for each state twice the number of its transitions, plus 1 if it accepts; for each transition
//! the number of bytes between it and the last one, the number of bytes of its range minus 1, and its target.
//!
//! A test compares the file with the automata of the patterns in `tests`, or writes it anew:
//! ```text
//! GCC_GRAMMAR_UPDATE_FORMATS=1 cargo test -p gcc-grammar-json-schema --lib format::tests
//! ```

use gcc_grammar_regular::{Dfa, MinimalBuilder, RegularLimits};

pub(super) const FILE: &[u8] = include_bytes!("formats.bin");

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
