//! [`Format`]: the formats of tokenizer files that this crate reads.

/// The format of a tokenizer file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Format {
    /// Hugging Face `tokenizer.json`.
    HuggingFace,
    /// Mistral `tekken.json`.
    Tekken,
    /// SentencePiece `.model`.
    SentencePiece,
    /// tiktoken ranks: lines of base64 and rank.
    Tiktoken,
}
