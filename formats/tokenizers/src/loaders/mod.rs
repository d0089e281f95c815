//! Loaders: read a tokenizer file into the tokens that it defines. There is one file per format.
//!
//! ```text
//! file ──gzip──▶ expanded file ──detect──▶ Format ──huggingface | tekken | sentencepiece | tiktoken──▶ Contents
//! ```
//!
//! Every loader separates text tokens from special tokens by the rule that [`Contents`] states, so that later stages do
//! not depend on the format. A loader never panics: a damaged file is an error with its place.

mod byte_fallback;
mod detect;
mod format;
#[cfg(feature = "texts")]
mod gzip;
mod huggingface;
mod json;
mod protobuf;
pub(crate) mod sentencepiece;
pub(crate) mod tekken;
mod tiktoken;

#[cfg(feature = "texts")]
pub(crate) use byte_fallback::fallback_byte;
pub use format::Format;
#[cfg(feature = "texts")]
pub(crate) use gzip::expand;

use crate::contents::Contents;
use gcc_grammar_vocabulary::VocabularyError;

impl Format {
    /// Reads the content, which must not be compressed.
    ///
    /// # Errors
    /// The content violates the format, exceeds a limit, or uses a feature of the format that is not supported.
    pub fn read(self, data: &[u8]) -> Result<Contents, VocabularyError> {
        match self {
            Self::HuggingFace => huggingface::read(data),
            Self::Tekken => tekken::read(data),
            Self::SentencePiece => sentencepiece::read(data),
            Self::Tiktoken => tiktoken::read(data),
        }
    }
}
