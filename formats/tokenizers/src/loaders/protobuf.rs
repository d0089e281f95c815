//! Iterates over the fields of a protobuf message: number and value, in the order of the file.
//!
//! Only the wire format is implemented (<https://protobuf.dev/programming-guides/encoding/>), without groups. Every length
//! is checked, so any bytes give fields or an error with its offset. After an error the iteration ends.

use gcc_grammar_vocabulary::{Place, VocabularyError};

/// The value of a field. The wire type determines the variant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Value<'a> {
    Varint(u64),
    Fixed64([u8; 8]),
    Bytes(&'a [u8]),
    Fixed32([u8; 4]),
}

/// Iterator over the fields of one message.
pub(super) struct Fields<'a> {
    rest: &'a [u8],
    /// Offset of `rest` in the file, which errors report.
    offset: usize,
}

impl<'a> Fields<'a> {
    /// Iterates over `message`, which lies at `offset` in the file.
    pub(super) fn new(message: &'a [u8], offset: usize) -> Self {
        Self { rest: message, offset }
    }

    /// Offset of the next field in the file.
    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    fn field(&mut self) -> Option<(u64, Value<'a>)> {
        let key = self.varint()?;
        let value = match key & 7 {
            0 => Value::Varint(self.varint()?),
            1 => Value::Fixed64(self.take(8)?.try_into().ok()?),
            2 => {
                let length = usize::try_from(self.varint()?).ok()?;
                Value::Bytes(self.take(length)?)
            }
            5 => Value::Fixed32(self.take(4)?.try_into().ok()?),
            _ => return None,
        };
        Some((key >> 3, value))
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        self.offset += length;
        Some(taken)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            let bits = u64::from(byte & 0x7f);
            value |= bits.checked_shl(shift).filter(|shifted| shifted >> shift == bits)?;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, Value<'a>), VocabularyError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let offset = self.offset;
        let damaged = || VocabularyError::malformed("a protobuf field is damaged").at(Place::Offset(offset));
        let field = self.field().ok_or_else(damaged);
        if field.is_err() {
            self.rest = &[];
        }
        Some(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(message: &[u8]) -> Option<Vec<(u64, Value<'_>)>> {
        Fields::new(message, 0).collect::<Result<_, _>>().ok()
    }

    #[test]
    fn all_wire_types_are_read() {
        let message = b"\x08\x96\x01\x12\x02hi\x1d\0\0\x80\x3f\x21\x01\0\0\0\0\0\0\0";
        let expected = [
            (1, Value::Varint(150)),
            (2, Value::Bytes(b"hi")),
            (3, Value::Fixed32(1f32.to_le_bytes())),
            (4, Value::Fixed64(1u64.to_le_bytes())),
        ];
        assert_eq!(read(message).unwrap(), expected);
    }

    #[test]
    fn damaged_fields_are_errors() {
        let damaged: [&[u8]; 6] = [
            b"\x08",
            b"\x12\x05hi",
            b"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
            b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
            b"\x1d\0\0",
            b"\x0b",
        ];
        assert!(damaged.iter().all(|message| read(message).is_none()));
    }
}
