//! What equal values have in common: the length of their texts, and a sum over their parts, whatever the order of members is.

use super::stack::TAGS;
use super::text::{Place, Span, Text};

/// The signature of a text: equal values have equal ones. It is the tag of an item: `1, 0 │ the length, in 14 bits │ a sum, in 16 bits`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Signature(u32);

const SUM_BITS: u32 = 16;
const MOST_LEN: u32 = (1 << 14) - 1;

impl Signature {
    #[inline]
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

/// A signature of which some bytes have been read. The parts of a text are what brackets and commas divide it into, each with its depth: a member with a scalar is
/// one of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signing {
    place: Place,
    len: u32,
    sum: u32,
    part: u32,
    depth: u32,
}

impl Signing {
    pub(crate) const START: Self = Self { place: Place::Outside, len: 0, sum: 0, part: 0, depth: 0 };

    /// Reads a byte. Whether it closes the outermost bracket.
    #[inline]
    pub(crate) fn read(&mut self, byte: u8) -> bool {
        let here = self.place;
        self.place = here.after(byte);
        if here.skips(byte) {
            return false;
        }
        self.len = self.len.saturating_add(1);
        if here != Place::Outside || !matches!(byte, b'{' | b'}' | b'[' | b']' | b',') {
            self.part = with(self.part, byte);
            return false;
        }
        let part = mixed(with(self.part, 0) ^ self.depth);
        self.sum = self.sum.wrapping_add(part).wrapping_add(mixed(u32::from(byte)));
        self.part = 0;
        let before = self.depth;
        self.depth = match byte {
            b'{' | b'[' => before.saturating_add(1),
            b',' => before,
            _ => before.saturating_sub(1),
        };
        before == 1 && self.depth == 0
    }

    #[inline]
    pub(crate) fn signature(&self) -> Signature {
        Signature::new(self.len, self.sum)
    }
}

impl Text<'_> {
    /// The signature of a JSON text.
    pub(crate) fn signature(&self, span: Span) -> Signature {
        self.signing(span).signature()
    }

    /// The signature of a beginning of a JSON text.
    pub(crate) fn signing(&self, span: Span) -> Signing {
        let mut signing = Signing::START;
        for at in span.start..span.end {
            signing.read(self.byte(at));
        }
        signing
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
