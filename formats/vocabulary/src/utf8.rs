//! UTF-8 as an automaton over bytes (RFC 3629, section 4).

/// Where well-formed text stands: between characters, or inside one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Phase(u8);

/// Bytes from the first to the last, and where they lead.
pub type Move = (u8, u8, Phase);

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
    /// Between characters.
    pub const BETWEEN: Self = Self(0);
    /// Number of phases.
    pub const COUNT: usize = MOVES.len();

    /// All phases, each after those that its moves lead to, but for that between characters, which is the last.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..Self::COUNT as u8).chain([0]).map(Self)
    }

    /// Its number, below [`COUNT`](Self::COUNT).
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Bytes until the character ends; 0 between characters.
    #[must_use]
    pub fn bytes_left(self) -> usize {
        [0, 1, 2, 3, 2, 2, 3, 3][self.index()]
    }

    /// The bytes beyond ASCII that can follow.
    #[must_use]
    pub fn moves(self) -> &'static [Move] {
        MOVES[self.index()]
    }

    /// Where `byte` leads, if it can follow.
    #[must_use]
    pub fn after(self, byte: u8) -> Option<Self> {
        if byte.is_ascii() {
            return (self == Self::BETWEEN).then_some(self);
        }
        self.moves().iter().find(|&&(first, last, _)| (first..=last).contains(&byte)).map(|&(.., to)| to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the standard library: all strings of up to four bytes that can make a difference.
    #[test]
    fn accepts_what_the_standard_library_accepts() {
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
