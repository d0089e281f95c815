//! Tokenizer files to token bytes: one file per format.
//!
//! ```text
//! bytes ──gunzip──▶ bytes ──Format::detect──▶ huggingface | tekken | sentencepiece | tiktoken ──▶ Contents
//! ```
//!
//! What is text and what is a control token is settled here, once, for all formats: see [`Contents`].

mod gzip;
pub(crate) mod huggingface;
mod json;
pub(crate) mod protobuf;
pub(crate) mod sentencepiece;
pub(crate) mod tekken;
pub(crate) mod tiktoken;

pub(crate) use gzip::expand;

use crate::vocabulary::limits;
use crate::{ErrorKind, SpecialToken, Vocabulary, VocabularyError};

/// Larger files are refused, and so are compressed ones that expand to more. Real ones have up to 40 MB.
pub(crate) const MAX_FILE_BYTES: usize = 1 << 27;
/// More tokens than this are refused.
const MAX_TOKENS: usize = limits::WIDTH as usize;

/// Names of control tokens that end a model's output. They serve where no configuration names the end tokens.
const END_TOKEN_NAMES: [&str; 22] = [
    "</s>",
    "<eos>",
    "<EOS_TOKEN>",
    "<end_of_turn>",
    "<end_of_utterance>",
    "<turn|>",
    "<|END_OF_TURN_TOKEN|>",
    "<|call|>",
    "<|end_of_text|>",
    "<|endoftext|>",
    "<|end|>",
    "<|endofresponse|>",
    "<|endofturn|>",
    "<|eom_id|>",
    "<|eos|>",
    "<|eot_id|>",
    "<|eot|>",
    "<|im_end|>",
    "<|return|>",
    "<|user_end|>",
    "<\u{ff5c}end\u{2581}of\u{2581}sentence\u{ff5c}>",
    "[e~[",
];

/// The formats of tokenizer files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

impl Format {
    /// For people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::HuggingFace => "Hugging Face tokenizer.json",
            Self::Tekken => "Mistral tekken.json",
            Self::SentencePiece => "SentencePiece model",
            Self::Tiktoken => "tiktoken ranks",
        }
    }

    /// Tells the format by the content, which must not be compressed.
    ///
    /// # Errors
    /// The content is of no known format, or of one that does not hold a whole tokenizer.
    pub fn detect(data: &[u8]) -> Result<Self, VocabularyError> {
        if data.is_empty() {
            return Err(unknown("the file is empty"));
        }
        if sentencepiece::looks_like(data) {
            return Ok(Self::SentencePiece);
        }
        if data.trim_ascii_start().first() == Some(&b'{') {
            return json::detect(data);
        }
        if tiktoken::looks_like(data) {
            return Ok(Self::Tiktoken);
        }
        Err(unknown("this is not a tokenizer file of a known format"))
    }

    /// Reads the content, which must not be compressed.
    ///
    /// # Errors
    /// The content does not keep to the format, or uses a feature of it that is not supported.
    pub fn read(self, data: &[u8]) -> Result<Contents, VocabularyError> {
        match self {
            Self::HuggingFace => huggingface::read(data),
            Self::Tekken => tekken::read(data),
            Self::SentencePiece => sentencepiece::read(data),
            Self::Tiktoken => tiktoken::read(data),
        }
    }
}

/// What a tokenizer file says.
///
/// A token is either text or special. Special are the tokens that the file marks as such (control, unknown), and
/// tokens added outside of the model's own vocabulary whose text is shaped like a tag (`<tool_call>`): their ids mean
/// something to the model that the same text, spelled out, does not. Other added tokens (runs of spaces) are text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contents {
    /// Text tokens with their bytes, no id twice.
    pub tokens: Vec<(u32, Vec<u8>)>,
    /// Special tokens.
    pub specials: Vec<SpecialToken>,
    /// End tokens, as far as the file names them or their names tell.
    pub end_tokens: Vec<u32>,
    /// Mask width where the file or a configuration names one; more than the ids for padded models.
    pub width: u32,
}

impl Contents {
    /// One more than the highest id.
    #[must_use]
    pub fn ids(&self) -> u32 {
        let text = self.tokens.iter().map(|&(id, _)| id);
        text.chain(self.specials.iter().map(|special| special.id)).max().map_or(0, |id| id.saturating_add(1))
    }

    /// The vocabulary of these tokens.
    ///
    /// # Errors
    /// See [`Vocabulary::from_tokens`].
    pub fn into_vocabulary(self) -> Result<Vocabulary, VocabularyError> {
        let width = self.width.max(self.ids());
        Vocabulary::from_tokens(self.tokens, self.specials, self.end_tokens, width)
    }

    /// Sets the end tokens to the special tokens that are known to end an output by their names.
    pub(crate) fn end_tokens_by_name(&mut self) {
        let ends = self.specials.iter().filter(|special| END_TOKEN_NAMES.contains(&special.text.as_str()));
        self.end_tokens.extend(ends.map(|special| special.id));
    }
}

/// Whether the text of an added token looks like a control token's name.
pub(crate) fn is_tag(text: &str) -> bool {
    let bracketed = |open, close| text.starts_with(open) && text.ends_with(close);
    text.len() > 2 && !text.contains(char::is_whitespace) && (bracketed('<', '>') || bracketed('[', ']'))
}

/// The byte that a byte-fallback piece stands for: `<0x0A>`.
pub(crate) fn fallback_byte(piece: &str) -> Option<u8> {
    let digits = piece.strip_prefix("<0x")?.strip_suffix('>')?;
    if digits.len() != 2 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    u8::from_str_radix(digits, 16).ok()
}

fn unknown(message: &str) -> VocabularyError {
    VocabularyError::new(ErrorKind::UnknownFormat, message).help(
        "known are Hugging Face tokenizer.json, Mistral tekken.json, SentencePiece .model and tiktoken ranks, \
         also with gzip",
    )
}

fn too_large(message: String) -> VocabularyError {
    VocabularyError::new(ErrorKind::TooLarge, message).help("is this a tokenizer file?")
}

fn malformed(message: impl Into<String>) -> VocabularyError {
    VocabularyError::new(ErrorKind::Malformed, message).help("is the file complete? fetch it again")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_content() {
        let detect = |data: &[u8]| Format::detect(data).map_err(|error| error.kind);
        assert_eq!(detect(br#"{"version":"1.0","added_tokens":[]}"#), Ok(Format::HuggingFace));
        assert_eq!(detect(br#" {"vocab":[{"rank":0}],"config":{}}"#), Ok(Format::Tekken));
        assert_eq!(detect(b"IQ== 0\nIg== 1\n"), Ok(Format::Tiktoken));
        assert_eq!(detect(b"\n\x0e\n\x05<unk>\x15\0\0\0\0\x18\x02"), Ok(Format::SentencePiece));
        for other in [&b""[..], b"hello", br#"{"a":1}"#, br#"{"!":0,"\"":1}"#, b"\xff\xfe\0", b"[]"] {
            assert_eq!(detect(other), Err(ErrorKind::UnknownFormat), "{other:?}");
        }
        assert_eq!(detect(b"{"), Err(ErrorKind::Malformed));
    }

    #[test]
    fn tags_and_fallback_bytes() {
        assert!(["<tool_call>", "[INST]", "<|x|>"].into_iter().all(is_tag));
        assert!(!["  ", "\n\n", "<", "<>", "<a b>", "word", "a>"].into_iter().any(is_tag));
        assert_eq!(fallback_byte("<0x0A>"), Some(10));
        assert_eq!(fallback_byte("<0xff>"), Some(255));
        for other in ["<0x+1>", "<0x1>", "<0x001>", "0x01", "<0x0G>", "<0x\u{e9}>"] {
            assert_eq!(fallback_byte(other), None);
        }
    }
}
