//! The letters of texts.

/// A letter of a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unit {
    /// A byte of an ordinary token.
    Byte(u8),
    /// A special token, by id.
    Token(u32),
    /// No letter, but the end of a token. Read only in grammars with limits on tokens, see [`Lexicon::limits`](super::Lexicon::limits).
    TokenEnd,
}
