//! The ranks of four tokenizers: the bytes of every token that merging makes, in the order of their ids.
//!
//! A file of `data` is compressed with zstd. It holds the number of its tokens as 32 bits little-endian, the length of each
//! token as a byte, and the bytes of all tokens. Two tokenizers were made from cl100k, so their files hold only what comes
//! after its tokens. `make.py` writes the files.

#![forbid(unsafe_code)]

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// A tokenizer whose ranks are here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ranks {
    /// `cl100k_base`, OpenAI GPT-4: 100,256 ranks.
    Cl100k,
    /// Meta Llama 3: 128,000 ranks.
    Llama3,
    /// `o200k_base`, OpenAI gpt-oss: 199,998 ranks.
    O200k,
    /// Qwen 2.5: 151,643 ranks.
    Qwen2,
}

impl Ranks {
    /// The bytes of the tokens. The index of a token is its id.
    #[must_use]
    pub fn tokens(self) -> Vec<Vec<u8>> {
        let cl100k = || read(include_bytes!("../data/cl100k.zst"));
        match self {
            Self::Cl100k => cl100k(),
            Self::Llama3 => [cl100k(), read(include_bytes!("../data/llama3.zst"))].concat(),
            Self::O200k => read(include_bytes!("../data/o200k.zst")),
            Self::Qwen2 => {
                let mut tokens = cl100k();
                tokens.retain(|token| !has_several_digits(token));
                [tokens, read(include_bytes!("../data/qwen2.zst"))].concat()
            }
        }
    }
}

/// Whether a token is a number of several digits. Qwen has left these out.
fn has_several_digits(token: &[u8]) -> bool {
    token.len() > 1 && token.iter().all(u8::is_ascii_digit)
}

/// Reads a file of this crate.
#[expect(clippy::expect_used, reason = "the data is part of the crate, and a test reads all of it")]
fn read(file: &[u8]) -> Vec<Vec<u8>> {
    let data = zstd::decode_all(file).expect("the data is compressed with zstd");
    let (count, data) = data.split_first_chunk().expect("the data starts with a number");
    let (lengths, mut bytes) = data.split_at(u32::from_le_bytes(*count) as usize);
    let token = |&length: &u8| {
        let (token, rest) = bytes.split_at(length.into());
        bytes = rest;
        token.to_vec()
    };
    lengths.iter().map(token).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_data_is_read() {
        let counts =
            [Ranks::Cl100k, Ranks::Llama3, Ranks::O200k, Ranks::Qwen2].map(|ranks| ranks.tokens().len());
        assert_eq!(counts, [100_256, 128_000, 199_998, 151_643]);
        assert_eq!(Ranks::Qwen2.tokens()[9707], b"Hello");
    }
}
