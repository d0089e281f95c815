//! [`TokenizerOptions`]: how a text is cut.

/// Options of a [`Tokenizer`](super::Tokenizer). By default the tokens spell exactly the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TokenizerOptions {
    /// Whether names of special tokens in the text become those tokens.
    pub special_names: bool,
    /// Whether the text starts a prompt: tokenizers that normalize it, or put a space in front, then do so.
    pub prompt: bool,
}
