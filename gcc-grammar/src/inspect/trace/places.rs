//! Lines and columns of places in a text that follow one another, without reading the text from its start for each.

/// Lines and columns of ascending offsets. Columns count characters; bytes that are not UTF-8 count as U+FFFD.
pub(super) struct Places<'t> {
    text: &'t [u8],
    /// The offset up to which characters were counted.
    at: usize,
    line: usize,
    column: usize,
}

impl<'t> Places<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self { text, at: 0, line: 1, column: 1 }
    }

    /// The line and the column of an offset, both from 1. It is not before the last one.
    pub(super) fn of(&mut self, offset: usize) -> (usize, usize) {
        for chunk in self.text[self.at..offset].utf8_chunks() {
            for c in chunk.valid().chars() {
                (self.line, self.column) =
                    if c == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
            }
            self.at += chunk.valid().len();
            let invalid = chunk.invalid().len();
            if invalid > 0 && self.at + invalid == offset {
                // It may continue behind the offset, so it is looked at again.
                return (self.line, self.column + 1);
            }
            self.column += usize::from(invalid > 0);
            self.at += invalid;
        }
        (self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_ir::diagnostic::line_and_column;

    #[test]
    fn places_are_those_of_the_text_up_to_there() {
        let texts: [&[u8]; 5] = [
            b"",
            b"a\nbc\n\nd",
            "é\n→x\u{1f600}y\n".as_bytes(),
            b"\xff\xe2\x82\n\xe2\x82\xac\xf0\x9f\x98",
            b"\xe2\x82\xe2\xff\xc3\xa9\n\xc3",
        ];
        for text in texts {
            let mut places = Places::new(text);
            for offset in 0..=text.len() {
                let before = String::from_utf8_lossy(&text[..offset]);
                let expected = line_and_column(&before, usize::MAX);
                assert_eq!(places.of(offset), expected, "{text:?} {offset}");
            }
        }
    }
}
