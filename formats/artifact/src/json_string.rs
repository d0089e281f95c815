//! Places within a JSON string (RFC 8259, section 7), and how many characters begin in a text from each of them.
//!
//! A lexer state that counts the characters of a string knows its [`Place`]. What a token adds to the count then depends on its bytes and on
//! the place alone, so bitmaps of the vocabulary say which tokens fit ([`Cut`](crate::grammar::Cut)).

/// A place within a JSON string, after its opening quote: what has been read of the character under way. A surrogate pair is one character.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Place {
    /// Between two characters.
    Between,
    /// Before the last byte of a character in UTF-8.
    Bytes1,
    /// Two bytes before the end of a character.
    Bytes2,
    /// Three bytes before the end of a character.
    Bytes3,
    /// After `\`.
    Escape,
    /// After `\u`.
    Hex4,
    /// After `\ud`, or `\uD`.
    HexD,
    /// Three hexadecimal digits before the end of a character.
    Hex3,
    /// Two hexadecimal digits before the end of a character.
    Hex2,
    /// Before the last hexadecimal digit of a character.
    Hex1,
    /// Two hexadecimal digits before the end of the first half of a surrogate pair.
    High2,
    /// Before the last hexadecimal digit of the first half of a surrogate pair.
    High1,
    /// Before the `\` of the second half of a surrogate pair.
    Low,
    /// Before the `u` of the second half of a surrogate pair.
    LowU,
    /// Before the hexadecimal digits of the second half of a surrogate pair.
    Low4,
    /// After the first hexadecimal digit of the second half of a surrogate pair.
    Low3,
}

/// What a byte does in a JSON string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum After {
    /// The string continues.
    Within(Place),
    /// The string is over.
    Closed,
    /// No JSON string continues like this.
    Nothing,
}

impl Place {
    /// All places, by number.
    pub const ALL: [Self; 16] = [
        Self::Between,
        Self::Bytes1,
        Self::Bytes2,
        Self::Bytes3,
        Self::Escape,
        Self::Hex4,
        Self::HexD,
        Self::Hex3,
        Self::Hex2,
        Self::Hex1,
        Self::High2,
        Self::High1,
        Self::Low,
        Self::LowU,
        Self::Low4,
        Self::Low3,
    ];

    /// The place with this number.
    #[must_use]
    pub fn of_number(number: u32) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }

    /// What a byte does here. A character begins with it if this is [`Between`](Self::Between), and the string continues.
    #[must_use]
    pub const fn after(self, byte: u8) -> After {
        let next = match (self, byte) {
            (Self::Between, b'"') => return After::Closed,
            (Self::Between, b'\\') => Self::Escape,
            (Self::Between, 0x20..=0x7f) => Self::Between,
            (Self::Between, 0xc2..=0xdf) => Self::Bytes1,
            (Self::Between, 0xe0..=0xef) => Self::Bytes2,
            (Self::Between, 0xf0..=0xf4) => Self::Bytes3,
            (Self::Bytes3, 0x80..=0xbf) => Self::Bytes2,
            (Self::Bytes2, 0x80..=0xbf) => Self::Bytes1,
            (Self::Bytes1, 0x80..=0xbf) => Self::Between,
            (Self::Escape, b'u') => Self::Hex4,
            (Self::Escape, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Self::Between,
            (Self::Hex4, b'd' | b'D') => Self::HexD,
            (Self::HexD, b'0'..=b'7') => Self::Hex2,
            (Self::HexD, b'8' | b'9' | b'a' | b'b' | b'A' | b'B') => Self::High2,
            (Self::Low, b'\\') => Self::LowU,
            (Self::LowU, b'u') => Self::Low4,
            (Self::Low4, b'd' | b'D') => Self::Low3,
            (Self::Low3, b'c'..=b'f' | b'C'..=b'F') => Self::Hex2,
            (_, b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F') => match self {
                Self::Hex4 => Self::Hex3,
                Self::Hex3 => Self::Hex2,
                Self::Hex2 => Self::Hex1,
                Self::Hex1 => Self::Between,
                Self::High2 => Self::High1,
                Self::High1 => Self::Low,
                _ => return After::Nothing,
            },
            _ => return After::Nothing,
        };
        After::Within(next)
    }

    /// The number of characters that begin in a text read from here, until the string is over or the text is; `None` if no JSON string
    /// goes on with the text.
    #[must_use]
    pub fn characters(self, text: &[u8]) -> Option<u32> {
        let (mut place, mut count) = (self, 0);
        for &byte in text {
            match place.after(byte) {
                After::Closed => break,
                After::Nothing => return None,
                After::Within(next) => {
                    count += u32::from(place == Self::Between);
                    place = next;
                }
            }
        }
        Some(count)
    }

    /// How many fewer characters begin in a text read from here than if the text were read [between](Self::Between) two characters, or all if
    /// these are fewer: the rest of the character under way, read as characters of their own.
    #[must_use]
    pub const fn shift(self) -> u32 {
        match self {
            Self::Between | Self::Bytes1 | Self::Bytes2 | Self::Bytes3 | Self::Escape => 0,
            Self::Hex1 | Self::Low => 1,
            Self::Hex2 | Self::High1 => 2,
            Self::Hex3 | Self::HexD | Self::High2 | Self::Low3 => 3,
            Self::Hex4 | Self::Low4 => 4,
            Self::LowU => 5,
        }
    }
}

/// The number of characters that a token begins between two characters. For one that cannot be read there, it is the number that gives those of the first
/// place where it can, by the [shift](Place::shift). 0 for tokens that no JSON string has.
#[must_use]
pub fn characters(token: &[u8]) -> u32 {
    let mut places = Place::ALL.into_iter().filter(|&place| place != Place::Escape);
    places.find_map(|place| Some(place.characters(token)? + place.shift())).unwrap_or(0)
}

/// Whether the counts of a token at all places but [`Place::Escape`] follow from [`characters`] by the [shift](Place::shift).
#[must_use]
pub fn is_regular(token: &[u8]) -> bool {
    let count = characters(token);
    let mut others = Place::ALL.into_iter().filter(|&place| place != Place::Escape);
    others.all(|place| place.characters(token).is_none_or(|own| own == count.saturating_sub(place.shift())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_begin_between_characters() {
        let text = "aé\\n\\u00e9\\ud83d\\ude00𝄞".as_bytes();
        assert_eq!(Place::Between.characters(text), Some(6));
        // However the text is cut, the counts of the parts add up.
        for cut in 0..=text.len() {
            let (mut place, mut count) = (Place::Between, 0);
            for &byte in &text[..cut] {
                let After::Within(next) = place.after(byte) else { panic!("a string") };
                count += u32::from(place == Place::Between);
                place = next;
            }
            assert_eq!(place.characters(&text[cut..]), Some(6 - count), "{cut}");
        }
        assert_eq!(Place::Between.characters(b"ab\", \"c"), Some(2));
        assert_eq!(Place::Escape.characters(b"\"a\""), Some(1));
        for text in [&b"\n"[..], b"\\x", b"\\ud800a", b"\\udc00", b"\xc3a", b"\x80"] {
            assert_eq!(Place::Between.characters(text), None, "{text:?}");
        }
    }

    #[test]
    fn places_shift_the_counts_of_most_tokens() {
        for token in [&b"00e9ab"[..], b"d", b"83d", b"e9\"", b"\\ude00a", b"ude00a", b"\xa9a", b"n"] {
            assert!(is_regular(token), "{token:?}");
        }
        assert_eq!(characters(b"\x84\x9ea"), 1);
        assert!(!is_regular(b"d83d\\"));
        for (number, place) in (0..).zip(Place::ALL) {
            assert_eq!((Place::of_number(number), place as u32), (Some(place), number));
        }
    }
}
