//! Declarations of sections: number, name, element type and meaning.
//!
//! A section is declared once, by the module that writes and reads it. The declaration serves the writer, the
//! reader, error messages and FORMAT.md.

/// The type of a section's elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SectionElement {
    /// Bytes.
    Byte,
    /// Little-endian 16-bit words.
    Short,
    /// Little-endian 32-bit words.
    Word,
    /// Little-endian numbers of 8, 16 or 32 bits ([`Numbers`](crate::wire::Numbers)).
    Number,
}

impl SectionElement {
    /// Whether an element of this type may take this many bytes.
    #[must_use]
    pub(super) const fn may_take(self, bytes: u32) -> bool {
        match self {
            Self::Byte => bytes == 1,
            Self::Short => bytes == 2,
            Self::Word => bytes == 4,
            Self::Number => matches!(bytes, 1 | 2 | 4),
        }
    }
}

/// The declaration of a kind of section.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// The number of the kind: `0x001..` for common sections, `0x1..` for grammars, `0x2..` for vocabularies.
    pub kind: u32,
    /// The name in error messages, in the output of `inspect`, and in FORMAT.md.
    pub name: &'static str,
    /// The type of the elements.
    pub element: SectionElement,
    /// The meaning of the elements.
    pub doc: &'static str,
}
