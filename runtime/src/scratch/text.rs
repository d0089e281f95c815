//! The text so far, of which the items of lists are remembered as ranges.
//!
//! Only grammars with lists whose items differ have one. All heads read the same text, so one copy serves them all. It lies in the last part
//! of the caller's words, four bytes a word; a rollback shortens it. Behind it is room for a table of items in [order](super::sorted).

use core::cmp::Ordering;

use crate::error::Error;

/// One part in so many of the caller's words is for the text.
const PART: usize = 4;
/// One part in so many is for the table: the cells of as many items take all words that are left.
const TABLE_PART: usize = 8;

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

/// What the next byte of a JSON text belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Outside,
    String,
    Escape,
}

impl Place {
    /// Whether a byte here is white space outside of strings.
    #[inline]
    pub(crate) fn skips(self, byte: u8) -> bool {
        self == Self::Outside && matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
    }

    /// The place after a byte.
    #[inline]
    #[must_use]
    pub(crate) fn after(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::Outside, b'"') | (Self::Escape, _) => Self::String,
            (Self::String, b'\\') => Self::Escape,
            (Self::String, b'"') => Self::Outside,
            (place, _) => place,
        }
    }
}

/// The rest of a JSON text that is read without the white space outside of strings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reading {
    rest: Span,
    pub(super) place: Place,
}

impl Reading {
    /// A whole text.
    pub(super) const fn of(text: Span) -> Self {
        Self { rest: text, place: Place::Outside }
    }

    /// Whether nothing is left. A text does not end with white space.
    pub(super) const fn is_read(self) -> bool {
        self.rest.len() == 0
    }

    /// The same behind the same text elsewhere: so many bytes of it are read.
    #[inline]
    pub(super) const fn moved(self, text: Span, read: u32) -> Self {
        Self { rest: Span { start: text.start + read, end: text.end }, ..self }
    }

    /// The first byte that is not read.
    pub(super) const fn start(self) -> u32 {
        self.rest.start
    }

    /// Reads the next byte that is no white space outside of strings.
    #[inline]
    pub(super) fn next(&mut self, words: &[u32]) -> Option<u8> {
        while self.rest.len() > 0 {
            let byte = byte(words, self.rest.start);
            let place = self.place;
            self.rest.start += 1;
            self.place = place.after(byte);
            if !place.skips(byte) {
                return Some(byte);
            }
        }
        None
    }
}

/// A byte of a text; 0 behind the end.
#[inline]
pub(super) fn byte(words: &[u32], at: u32) -> u8 {
    words.get(at as usize / 4).map_or(0, |word| (word >> (at % 4 * 8)) as u8)
}

/// The bytes of an empty array or object, which is one lexeme.
pub(super) const EMPTY: u32 = 2;

/// Whether a JSON text is an array or an object that is not empty.
pub(super) fn is_value(words: &[u32], span: Span) -> bool {
    span.len() > EMPTY && matches!(byte(words, span.start), b'{' | b'[')
}

/// The bytes of a range.
pub(super) fn bytes(words: &[u32], span: Span) -> impl Iterator<Item = u8> {
    (span.start..span.end).map(|at| byte(words, at))
}

/// Four bytes of a text, from one of them on; 0 behind the end.
#[inline]
fn four(words: &[u32], at: u32) -> u32 {
    let word = |number: usize| words.get(number).map_or(0, |&word| u64::from(word));
    let number = at as usize / 4;
    ((word(number) | word(number + 1) << 32) >> (at % 4 * 8)) as u32
}

/// Whether so many bytes are the same in two places.
pub(super) fn are_same(words: &[u32], a: u32, b: u32, len: u32) -> bool {
    let whole = len / 4 * 4;
    (0..whole).step_by(4).all(|at| four(words, a + at) == four(words, b + at))
        && (whole..len).all(|at| byte(words, a + at) == byte(words, b + at))
}

/// The bytes of a JSON text that are no white space outside of strings.
pub(super) fn significant(words: &[u32], text: Span) -> impl Iterator<Item = u8> {
    let mut reading = Reading::of(text);
    core::iter::from_fn(move || reading.next(words))
}

/// The order of a text and all those that begin with another one, which are [equal](Ordering::Equal) to it.
pub(super) fn compare_beginning(
    mut text: impl Iterator<Item = u8>,
    mut beginning: impl Iterator<Item = u8>,
) -> Ordering {
    let differs = beginning.find_map(|wanted| match text.next() {
        Some(byte) if byte == wanted => None,
        Some(byte) => Some(byte.cmp(&wanted)),
        None => Some(Ordering::Less),
    });
    differs.unwrap_or(Ordering::Equal)
}

/// The bytes of the text.
#[derive(Debug, Default)]
pub(crate) struct Text<'s> {
    words: &'s mut [u32],
    len: u32,
    /// The words of the table.
    table: &'s mut [u32],
    in_table: InTable,
}

/// What the table has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InTable {
    count: usize,
    /// The number of the last item of its list; none if the table is empty.
    of: Option<u32>,
    /// The number of the item before the first one of its list: the memory around it.
    around: Option<u32>,
}

/// The table of items.
impl Text<'_> {
    pub(super) const fn words(&self) -> &[u32] {
        self.words
    }

    pub(super) fn table(&self) -> &[u32] {
        &self.table[..self.in_table.count]
    }

    /// The text and the table.
    pub(super) fn with_table(&mut self) -> (&[u32], &mut [u32]) {
        (self.words, &mut self.table[..self.in_table.count])
    }

    /// The number of the last item of the list in the table.
    pub(super) const fn table_of(&self) -> Option<u32> {
        self.in_table.of
    }

    pub(super) fn set_table_of(&mut self, last: u32) {
        self.in_table.of = Some(last);
    }

    /// The number of the item before the first one of the list in the table.
    pub(super) const fn around_table(&self) -> Option<u32> {
        self.in_table.around
    }

    pub(super) fn set_around_table(&mut self, around: Option<u32>) {
        self.in_table.around = around;
    }

    pub(super) fn drop_table(&mut self) {
        self.in_table = InTable::default();
    }

    /// Inserts a number at a place. Whether there is room.
    pub(super) fn insert_in_table(&mut self, place: usize, number: u32) -> bool {
        let count = self.in_table.count;
        if count == self.table.len() {
            return false;
        }
        self.table.copy_within(place..count, place + 1);
        self.table[place] = number;
        self.in_table.count += 1;
        true
    }

    pub(super) fn remove_from_table(&mut self, place: usize) {
        self.table.copy_within(place + 1..self.in_table.count, place);
        self.in_table.count -= 1;
    }

    pub(super) const fn in_table(&self) -> InTable {
        self.in_table
    }

    /// Takes over the table of a text that was lent.
    pub(super) fn set_in_table(&mut self, in_table: InTable) {
        self.in_table = in_table;
    }
}

impl<'s> Text<'s> {
    /// Divides the words of the caller into those of the stack and an empty text.
    pub(super) fn split(words: &'s mut [u32]) -> (&'s mut [u32], Self) {
        let len = words.len();
        let (words, table) = words.split_at_mut(len - len / TABLE_PART);
        let (rest, words) = words.split_at_mut(words.len() - len / PART);
        (rest, Self { words, table, ..Self::default() })
    }

    /// The same text, for a scratch that is lent.
    pub(super) fn lent(&mut self) -> Text<'_> {
        Text { words: self.words, len: self.len, table: self.table, in_table: self.in_table }
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

    /// Copies another text, and its table if there is room.
    pub(super) fn copy_from(&mut self, other: &Text<'_>) -> Result<(), Error> {
        let used = (other.len as usize).div_ceil(4);
        self.words.get_mut(..used).ok_or(Error::ScratchFull)?.copy_from_slice(&other.words[..used]);
        (self.len, self.in_table) = (other.len, InTable::default());
        if other.table().len() <= self.table.len() {
            self.in_table = other.in_table;
            self.with_table().1.copy_from_slice(other.table());
        }
        Ok(())
    }

    /// A byte; 0 behind the end.
    #[inline]
    pub(crate) fn byte(&self, at: u32) -> u8 {
        byte(self.words, at)
    }

    /// Whether the text of one range begins with that of the other.
    pub(crate) fn begins_with(&self, whole: Span, beginning: Span) -> bool {
        beginning.len() <= whole.len() && are_same(self.words, whole.start, beginning.start, beginning.len())
    }

    /// The number of bytes in which two ranges agree at the beginning.
    pub(crate) fn common(&self, a: Span, b: Span) -> u32 {
        let bytes = |span| bytes(self.words, span);
        bytes(a).zip(bytes(b)).take_while(|(a, b)| a == b).count() as u32
    }

    /// Whether a JSON text is an array or an object that is not empty. An empty one is one lexeme.
    pub(crate) fn is_value(&self, span: Span) -> bool {
        is_value(self.words, span)
    }

    /// Whether a JSON text is an array or an object.
    pub(crate) fn is_composite(&self, span: Span) -> bool {
        matches!(self.byte(span.start), b'{' | b'[')
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
        assert_eq!(rest.len(), 20);
        b"ab,cab,cabd".iter().for_each(|&byte| text.push(byte).unwrap());
        let span = |start, end| Span { start, end };
        assert!(text.is_equal(span(0, 2), span(4, 6)) && !text.is_equal(span(0, 2), span(0, 3)));
        assert!(text.begins_with(span(7, 11), span(3, 6)) && !text.begins_with(span(3, 6), span(7, 11)));
        text.truncate(3);
        text.push(b'x').unwrap();
        assert_eq!((text.byte(2), text.byte(3), text.byte(1 << 20)), (b',', b'x', 0));
    }

    #[test]
    fn white_space_outside_of_strings_makes_no_difference() {
        let mut words = [0; 64];
        let (_, mut text) = Text::split(&mut words);
        let mut spans = [Span::EMPTY; 4];
        let texts: [&[u8]; 4] = [br#"{"a\" ":1}"#, b"{ \"a\\\" \":\n1 }", br#"{"a\"":1}"#, br#"{"a\" ":"#];
        for (span, bytes) in spans.iter_mut().zip(texts) {
            span.start = text.len();
            bytes.iter().for_each(|&byte| text.push(byte).unwrap());
            span.end = text.len();
        }
        let [a, spaced, other, beginning] = spans;
        let of = |span| significant(text.words(), span);
        assert!(of(a).eq(of(spaced)) && of(a).cmp(of(other)) == Ordering::Less);
        assert_eq!(compare_beginning(of(spaced), of(beginning)), Ordering::Equal);
        assert_eq!(compare_beginning(of(other), of(beginning)), Ordering::Greater);
        assert_eq!(compare_beginning(of(beginning), of(spaced)), Ordering::Less);
    }

    #[test]
    fn a_full_text_is_an_error() {
        let mut words = [0; 8];
        let (_, mut text) = Text::split(&mut words);
        (0..8).for_each(|_| text.push(b'x').unwrap());
        assert_eq!(text.push(b'x'), Err(Error::ScratchFull));
    }
}
