//! UTF-8 as a deterministic automaton over bytes (RFC 3629, section 4).
//!
//! A state of the automaton is a [`Phase`]: between two characters, or inside a character with certain bytes still to
//! come. The automaton accepts a string of bytes if it leads from [`Phase::BETWEEN`] to [`Phase::BETWEEN`], which is the
//! case exactly for well-formed UTF-8.

/// A state of the automaton: between two characters, or inside one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Phase(u8);

/// A transition: the first and the last byte of a range, and the phase that these bytes lead to.
pub type Move = (u8, u8, Phase);

/// The transitions of each phase over bytes beyond ASCII.
const MOVES: [&[Move]; 8] = [
    &[
        (0xC2, 0xDF, Phase(1)),
        (0xE0, 0xE0, Phase(4)),
        (0xE1, 0xEC, Phase(2)),
        (0xED, 0xED, Phase(5)),
        (0xEE, 0xEF, Phase(2)),
        (0xF0, 0xF0, Phase(6)),
        (0xF1, 0xF3, Phase(3)),
        (0xF4, 0xF4, Phase(7)),
    ],
    &[(0x80, 0xBF, Phase(0))],
    &[(0x80, 0xBF, Phase(1))],
    &[(0x80, 0xBF, Phase(2))],
    &[(0xA0, 0xBF, Phase(1))],
    &[(0x80, 0x9F, Phase(1))],
    &[(0x90, 0xBF, Phase(2))],
    &[(0x80, 0x8F, Phase(2))],
];

impl Phase {
    /// Between two characters: the initial and the only accepting state.
    pub const BETWEEN: Self = Self(0);
    /// Number of phases.
    pub const COUNT: usize = MOVES.len();

    /// All phases: each one comes after the phases that its transitions lead to, and [`BETWEEN`](Self::BETWEEN) is last.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..Self::COUNT as u8).chain([0]).map(Self)
    }

    /// The number of this phase, below [`COUNT`](Self::COUNT).
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The number of bytes until the character ends; 0 between characters.
    #[must_use]
    pub fn bytes_left(self) -> usize {
        [0, 1, 2, 3, 2, 2, 3, 3][self.index()]
    }

    /// The transitions over bytes beyond ASCII.
    #[must_use]
    pub fn moves(self) -> &'static [Move] {
        MOVES[self.index()]
    }

    /// The phase that `byte` leads to; `None` if `byte` cannot follow.
    pub(crate) fn after(self, byte: u8) -> Option<Self> {
        if byte.is_ascii() {
            return (self == Self::BETWEEN).then_some(self);
        }
        self.moves().iter().find(|&&(first, last, _)| (first..=last).contains(&byte)).map(|&(.., to)| to)
    }
}

/// Whether a byte is not a continuation byte of UTF-8. Bytes that occur in no UTF-8 text begin a character, too.
#[must_use]
pub fn begins_character(byte: u8) -> bool {
    !matches!(byte, 0x80..0xC0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the standard library, for all strings of up to four bytes from each range of bytes that the automaton
    /// distinguishes.
    #[test]
    fn the_automaton_accepts_the_same_strings_as_the_standard_library() {
        let bytes = [0, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC];
        let more = [0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF];
        let bytes = [&bytes[..], &more[..]].concat();
        let mut strings: Vec<Vec<u8>> = vec![Vec::new()];
        for _ in 0..4 {
            let longer = strings.iter().flat_map(|string| {
                bytes.iter().map(|&byte| [string.as_slice(), &[byte]].concat()).collect::<Vec<_>>()
            });
            strings = longer.collect();
            for string in &strings {
                let phase = string.iter().try_fold(Phase::BETWEEN, |phase, &byte| phase.after(byte));
                assert_eq!(phase == Some(Phase::BETWEEN), std::str::from_utf8(string).is_ok(), "{string:x?}");
                let unfinished = std::str::from_utf8(string).is_err_and(|error| error.error_len().is_none());
                assert_eq!(phase.is_some_and(|phase| phase.bytes_left() > 0), unfinished, "{string:x?}");
            }
        }
    }
}
