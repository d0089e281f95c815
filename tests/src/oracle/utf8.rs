//! The UTF-8 encodings of a range of code points, as ranges of bytes.
//!
//! In: the first and the last code point. Out: sequences of byte ranges. A string is the encoding of a code point of the
//! range if and only if one of the sequences has its length and each byte is in the range at its place.

/// A range of bytes for every byte of an encoding.
pub(super) type Sequence = Vec<(u8, u8)>;

/// The encodings of the code points `low..=high`.
pub(super) fn encodings(low: u32, high: u32) -> Vec<Sequence> {
    let mut sequences = Vec::new();
    let mut low = low;
    // Split where the encoded length changes, so that both ends have equally many bytes.
    for last in [0x7F, 0x7FF, 0xFFFF, 0x10_FFFF] {
        if low <= last && low <= high {
            let end = high.min(last);
            sequences.extend(equal_length(&encode(low), &encode(end)));
            low = end + 1;
        }
    }
    sequences
}

fn encode(code_point: u32) -> Vec<u8> {
    let c = char::from_u32(code_point).expect("a code point set holds scalar values only");
    c.to_string().into_bytes()
}

/// The byte strings between `low` and `high` whose bytes after the first are continuation bytes.
fn equal_length(low: &[u8], high: &[u8]) -> Vec<Sequence> {
    let (first, last) = (low[0], high[0]);
    if low.len() == 1 {
        return vec![vec![(first, last)]];
    }
    if first == last {
        return after((first, last), equal_length(&low[1..], &high[1..]));
    }
    let (lowest, highest) = (vec![0x80; low.len() - 1], vec![0xBF; low.len() - 1]);
    let mut sequences = after((first, first), equal_length(&low[1..], &highest));
    if first + 1 < last {
        sequences.extend(after((first + 1, last - 1), equal_length(&lowest, &highest)));
    }
    sequences.extend(after((last, last), equal_length(&lowest, &high[1..])));
    sequences
}

fn after(byte: (u8, u8), rest: Vec<Sequence>) -> Vec<Sequence> {
    rest.into_iter().map(|sequence| [&[byte], &sequence[..]].concat()).collect()
}
