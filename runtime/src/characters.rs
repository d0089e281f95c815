//! What the bytes of a token are made of, in one word.
//!
//! A token of whole characters is described by their number and by the groups that they belong to. A lexer state in which all characters of a
//! group continue alike reads such a token without looking at its bytes.

/// The bits of the number of characters.
const COUNT_BITS: u32 = 8;
/// The bits of their groups.
const GROUP_BITS: u32 = WIDE + 1;
/// The group of characters that are not ASCII.
const WIDE: u32 = 44;

/// Stands for a first character that is not ASCII.
pub(crate) const FIRST_WIDE: u8 = 0x80;

/// The number of characters of a token, the groups that they belong to, and the first one. It is zero for a token that is empty, not UTF-8,
/// longer than 255 characters, or special.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Characters(u64);

impl Characters {
    /// Describes the bytes of a token.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let Ok(text) = core::str::from_utf8(bytes) else { return Self::default() };
        let (mut count, mut groups) = (0, Groups::NONE);
        for character in text.chars() {
            count += 1;
            groups = groups.with(u8::try_from(character).map_or(Groups::WIDE, Groups::of));
        }
        let first = bytes.first().map_or(0, |&byte| byte.min(FIRST_WIDE));
        let first = u64::from(first) << (COUNT_BITS + GROUP_BITS);
        if count < 1 << COUNT_BITS { Self(first | groups.0 << COUNT_BITS | count) } else { Self::default() }
    }

    /// The number of characters; 0 if the bytes say more.
    #[inline]
    pub(crate) const fn count(self) -> usize {
        (self.0 & ((1 << COUNT_BITS) - 1)) as usize
    }

    /// The groups of the characters.
    #[inline]
    pub(crate) const fn groups(self) -> Groups {
        Groups(self.0 >> COUNT_BITS & Groups::ALL.0)
    }

    /// The first character if it is ASCII, else [`FIRST_WIDE`].
    #[inline]
    pub(crate) const fn first(self) -> u8 {
        (self.0 >> (COUNT_BITS + GROUP_BITS)) as u8
    }
}

/// A set of groups of characters: each ASCII punctuation mark and white space alone, other control characters, digits, hexadecimal and other
/// letters by case, and all characters that are not ASCII.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Groups(u64);

impl Groups {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const ALL: Self = Self((1 << GROUP_BITS) - 1);
    /// All characters that are not ASCII.
    pub(crate) const WIDE: Self = Self(1 << WIDE);

    /// The group of a character below 256.
    pub(crate) const fn of(character: u8) -> Self {
        let group = match character {
            b'0'..=b'9' => 0,
            b'a'..=b'f' => 1,
            b'g'..=b'z' => 2,
            b'A'..=b'F' => 3,
            b'G'..=b'Z' => 4,
            b'\t' => 5,
            b'\n' => 6,
            b'\r' => 7,
            0..=0x1f | 0x7f => 8,
            b' '..=b'/' => 9 + (character - b' ') as u32,
            b':'..=b'@' => 25 + (character - b':') as u32,
            b'['..=b'`' => 32 + (character - b'[') as u32,
            b'{'..=b'~' => 38 + (character - b'{') as u32,
            0x80.. => WIDE,
        };
        Self(1 << group)
    }

    pub(crate) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether all these groups are among `others`.
    #[inline]
    pub(crate) const fn are_among(self, others: Self) -> bool {
        self.0 & !others.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_partition_the_characters() {
        for character in 0..=255 {
            let Groups(group) = Groups::of(character);
            assert!(group.is_power_of_two() && Groups(group).are_among(Groups::ALL), "{character}");
        }
        let alone =
            |character: u8| (0..=255).filter(|&other| Groups::of(other) == Groups::of(character)).count();
        assert!((0..128u8).filter(u8::is_ascii_punctuation).chain(*b" \t\n\r").all(|mark| alone(mark) == 1));
    }

    #[test]
    fn tokens_are_counted_in_characters() {
        let token = Characters::of("aé7€\"".as_bytes());
        assert_eq!(token.count(), 5);
        let groups =
            [b'b', b'8', b'"', 0xff].iter().fold(Groups::NONE, |all, &one| all.with(Groups::of(one)));
        assert_eq!((token.groups(), token.first()), (groups, b'a'));
        assert_eq!(Characters::of("é".as_bytes()).first(), FIRST_WIDE);
        assert_eq!((Characters::of(b"\x7f").first(), Characters::of(b"\0").count()), (0x7f, 1));
        let none = [&b"\xc3"[..], b"", &[b'a'; 256], b"a\xff"];
        assert!(none.iter().all(|bytes| Characters::of(bytes) == Characters::default()));
        assert_eq!(Characters::of(&[b'a'; 255]).count(), 255);
    }
}
