//! Mutations of protobuf messages (SentencePiece models): the fields of the message are changed, moved and repeated, and their lengths are
//! corrected, so that the change is not just a damaged length.

use super::{bytes, cut};
use gcc_grammar_tests::generate::Random;

/// Mutates a message.
pub fn mutate(random: &mut Random, input: &[u8], pool: &[Vec<u8>]) -> Vec<u8> {
    let fields = fields(input);
    let Some(mut fields) = fields.filter(|fields| !fields.is_empty() && random.chance(75)) else {
        return bytes::mutate(random, input, pool);
    };
    let at = random.below(fields.len());
    match random.below(4) {
        0 => drop(fields.remove(at)),
        1 => fields.insert(at, fields[at].clone()),
        2 => {
            let other = random.below(fields.len());
            fields.swap(at, other);
        }
        _ => {
            let others = [fields[random.below(fields.len())].1.clone()];
            let content = &fields[at].1;
            fields[at].1 = if random.chance(50) {
                mutate(random, content, &others)
            } else {
                bytes::mutate(random, content, &others)
            };
        }
    }
    cut(fields.iter().flat_map(|(tag, content)| field(*tag, content)).collect())
}

/// The bytes of a field of the wire type 2.
pub(crate) fn field(tag: u64, content: &[u8]) -> Vec<u8> {
    [varint(tag << 3 | 2), varint(content.len() as u64), content.to_vec()].concat()
}

/// The fields of a message that has only fields of the wire type 2: number and content.
fn fields(mut message: &[u8]) -> Option<Vec<(u64, Vec<u8>)>> {
    let mut fields = Vec::new();
    while !message.is_empty() {
        let key = read_varint(&mut message)?;
        let length = usize::try_from(read_varint(&mut message)?).ok()?;
        if key & 7 != 2 {
            return None;
        }
        let (content, rest) = message.split_at_checked(length)?;
        fields.push((key >> 3, content.to_vec()));
        message = rest;
    }
    Some(fields)
}

/// A number in base 128, the lowest digits first.
pub(crate) fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

fn read_varint(message: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let (&byte, rest) = message.split_first()?;
        *message = rest;
        number |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}
