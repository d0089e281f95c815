//! What equal values have in common: the length of their texts, and a sum over their parts, whatever the order of members is.

use super::stack::TAGS;
use super::text::{Place, Span, Text};

/// The signature of a text: equal values have equal ones. It is the tag of an item: `1, 0 │ the length, in 14 bits │ a sum, in 16 bits`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Signature(u32);

const SUM_BITS: u32 = 16;
const MOST_LEN: u32 = (1 << 14) - 1;

impl Signature {
    fn new(len: u32, sum: u32) -> Self {
        Self(TAGS | len.min(MOST_LEN) << SUM_BITS | sum & ((1 << SUM_BITS) - 1))
    }

    /// The signature in a tag, if it has one.
    pub(crate) fn of_tag(tag: u32) -> Option<Self> {
        (tag >> (SUM_BITS + 14) == 0b10).then_some(Self(tag))
    }

    pub(crate) const fn tag(self) -> u32 {
        self.0
    }

    /// The number of bytes that are no white space outside of strings, or fewer if they are very many.
    pub(crate) const fn least_len(self) -> u32 {
        self.0 >> SUM_BITS & MOST_LEN
    }

    /// The number of these bytes, unless they are very many.
    pub(crate) fn len(self) -> Option<u32> {
        Some(self.least_len()).filter(|&len| len < MOST_LEN)
    }
}

impl Text<'_> {
    /// The signature of a JSON text. Its parts are what brackets and commas divide it into, each with its depth: a member with a scalar is one of them.
    pub(crate) fn signature(&self, span: Span) -> Signature {
        let (mut place, mut len, mut sum) = (Place::Outside, 0_u32, 0_u32);
        let (mut part, mut depth) = (0_u32, 0_u32);
        for at in span.start..span.end {
            let byte = self.byte(at);
            let here = place;
            place = place.after(byte);
            if here.skips(byte) {
                continue;
            }
            len = len.saturating_add(1);
            if here != Place::Outside || !matches!(byte, b'{' | b'}' | b'[' | b']' | b',') {
                part = with(part, byte);
                continue;
            }
            sum = sum.wrapping_add(mixed(with(part, 0) ^ depth)).wrapping_add(mixed(u32::from(byte)));
            part = 0;
            match byte {
                b'{' | b'[' => depth += 1,
                b',' => {}
                _ => depth = depth.saturating_sub(1),
            }
        }
        Signature::new(len, sum)
    }
}

/// A hash with one more byte.
const fn with(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(0x0100_0193).wrapping_add(0x9e37)
}

/// A hash whose sums differ where it does.
const fn mixed(hash: u32) -> u32 {
    let hash = (hash ^ hash >> 15).wrapping_mul(0x2c1b_3c6d);
    let hash = (hash ^ hash >> 12).wrapping_mul(0x297a_2d39);
    hash ^ hash >> 15
}
