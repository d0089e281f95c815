//! Just enough of the protobuf wire format to walk the fields of a message, every length checked.
//!
//! <https://protobuf.dev/programming-guides/encoding/>

use super::malformed;
use crate::{Place, VocabularyError};

/// The value of a field by its wire type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Value<'a> {
    Varint(u64),
    Fixed64([u8; 8]),
    Bytes(&'a [u8]),
    Fixed32([u8; 4]),
}

/// The fields of one message, in order. After an error there is nothing more.
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
    /// Offset of `rest` in the file, for errors.
    offset: usize,
}

impl<'a> Fields<'a> {
    /// Reads `message`, which lies at `offset` in the file.
    pub(crate) fn new(message: &'a [u8], offset: usize) -> Self {
        Self { rest: message, offset }
    }

    /// Where the next field starts in the file.
    pub(crate) fn offset(&self) -> usize {
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
        let field = self.field().ok_or_else(|| malformed("damaged protobuf field").at(Place::Offset(offset)));
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
    fn all_wire_types() {
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
    fn damage_is_an_error() {
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
