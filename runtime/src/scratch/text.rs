//! The text so far, of which the items of lists are remembered as ranges.
//!
//! Only grammars with lists whose items differ have one. All heads read the same text, so one copy serves them all. It lies in the last part
//! of the caller's words, four bytes a word; a rollback shortens it.

use crate::error::Error;

/// One part in so many of the caller's words is for the text.
const PART: usize = 4;

/// A range of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    pub(crate) const EMPTY: Self = Self { start: 0, end: 0 };

    pub(crate) const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }
}

/// The bytes of the text.
#[derive(Debug, Default)]
pub(crate) struct Text<'s> {
    words: &'s mut [u32],
    len: u32,
}

impl<'s> Text<'s> {
    /// Divides the words of the caller into those of the stack and an empty text.
    pub(super) fn split(words: &'s mut [u32]) -> (&'s mut [u32], Self) {
        let len = words.len();
        let (rest, words) = words.split_at_mut(len - len / PART);
        (rest, Self { words, len: 0 })
    }

    /// The same text, for a scratch that is lent.
    pub(super) fn lent(&mut self) -> Text<'_> {
        Text { words: self.words, len: self.len }
    }

    /// The number of bytes.
    pub(crate) const fn len(&self) -> u32 {
        self.len
    }

    pub(crate) fn push(&mut self, byte: u8) -> Result<(), Error> {
        let word = self.words.get_mut(self.len as usize / 4).ok_or(Error::ScratchFull)?;
        let shift = self.len % 4 * 8;
        *word = *word & !(0xff << shift) | u32::from(byte) << shift;
        self.len += 1;
        Ok(())
    }

    /// Drops the bytes from number `len` on.
    pub(super) fn truncate(&mut self, len: u32) {
        debug_assert!(len <= self.len);
        self.len = len;
    }

    pub(super) fn copy_from(&mut self, other: &Text<'_>) -> Result<(), Error> {
        let used = (other.len as usize).div_ceil(4);
        self.words.get_mut(..used).ok_or(Error::ScratchFull)?.copy_from_slice(&other.words[..used]);
        self.len = other.len;
        Ok(())
    }

    /// A byte; 0 behind the end.
    #[inline]
    pub(crate) fn byte(&self, at: u32) -> u8 {
        self.words.get(at as usize / 4).map_or(0, |word| (word >> (at % 4 * 8)) as u8)
    }

    /// Whether the text of one range begins with that of the other.
    pub(crate) fn begins_with(&self, whole: Span, beginning: Span) -> bool {
        beginning.len() <= whole.len()
            && (0..beginning.len()).all(|at| self.byte(whole.start + at) == self.byte(beginning.start + at))
    }

    /// Whether two ranges have the same text.
    pub(crate) fn is_equal(&self, a: Span, b: Span) -> bool {
        a.len() == b.len() && self.begins_with(a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_compared_wherever_they_lie() {
        let mut words = [u32::MAX; 32];
        let (rest, mut text) = Text::split(&mut words);
        assert_eq!(rest.len(), 24);
        b"ab,cab,cabd".iter().for_each(|&byte| text.push(byte).unwrap());
        let span = |start, end| Span { start, end };
        assert!(text.is_equal(span(0, 2), span(4, 6)) && !text.is_equal(span(0, 2), span(0, 3)));
        assert!(text.begins_with(span(7, 11), span(3, 6)) && !text.begins_with(span(3, 6), span(7, 11)));
        text.truncate(3);
        text.push(b'x').unwrap();
        assert_eq!((text.byte(2), text.byte(3), text.byte(1 << 20)), (b',', b'x', 0));
    }

    #[test]
    fn a_full_text_is_an_error() {
        let mut words = [0; 8];
        let (_, mut text) = Text::split(&mut words);
        (0..8).for_each(|_| text.push(b'x').unwrap());
        assert_eq!(text.push(b'x'), Err(Error::ScratchFull));
    }
}
