//! Ranges of code points as expressions over bytes.

use super::language::{Language, Languages};

/// The UTF-8 encodings of the code points `low..=high`.
pub(super) fn range(languages: &mut Languages, low: u32, high: u32) -> Language {
    let mut parts = Vec::new();
    let mut low = low;
    // Split where the encoded length changes, so that both ends have equally many bytes.
    for last in [0x7F, 0x7FF, 0xFFFF, 0x10_FFFF] {
        if low <= last && low <= high {
            let end = high.min(last);
            parts.push(equal_length(languages, &encode(low), &encode(end)));
            low = end + 1;
        }
    }
    languages.union(parts)
}

fn encode(code_point: u32) -> Vec<u8> {
    let c = char::from_u32(code_point).expect("a code point set holds scalar values only");
    c.to_string().into_bytes()
}

/// The byte strings between `low` and `high` whose bytes after the first are continuation bytes.
fn equal_length(languages: &mut Languages, low: &[u8], high: &[u8]) -> Language {
    let (first, last) = (low[0], high[0]);
    if low.len() == 1 {
        return languages.bytes(first, last);
    }
    if first == last {
        let rest = equal_length(languages, &low[1..], &high[1..]);
        return after(languages, first, last, rest);
    }
    let (lowest, highest) = (vec![0x80; low.len() - 1], vec![0xBF; low.len() - 1]);
    let from_low = equal_length(languages, &low[1..], &highest);
    let to_high = equal_length(languages, &lowest, &high[1..]);
    let mut parts = vec![after(languages, first, first, from_low), after(languages, last, last, to_high)];
    if first + 1 < last {
        let any = equal_length(languages, &lowest, &highest);
        parts.push(after(languages, first + 1, last - 1, any));
    }
    languages.union(parts)
}

fn after(languages: &mut Languages, first: u8, last: u8, rest: Language) -> Language {
    let byte = languages.bytes(first, last);
    languages.concat(byte, rest)
}
