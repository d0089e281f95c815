//! Reads tiktoken rank files: one line per token, with its bytes in base64 and its rank, which is its id.
//!
//! The format has no special tokens and no pre-tokenizer pattern. If the ranks are those of a built-in vocabulary, the
//! contents get its special tokens and end tokens; otherwise these must come from `tokenizer_config.json`.

#[cfg(feature = "texts")]
use crate::builtin::Builtin;
use crate::contents::Contents;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
#[cfg(feature = "texts")]
use gcc_grammar_vocabulary::canonical_hash;
use gcc_grammar_vocabulary::limits;
use gcc_grammar_vocabulary::{Place, VocabularyError};

/// Whether the first line has the form of a rank line.
pub(super) fn looks_like(data: &[u8]) -> bool {
    let line = data.split(|&byte| byte == b'\n').next().unwrap_or_default();
    line.len() < 1024 && rank_line(line.trim_ascii_end()).is_some()
}

/// Reads the ranks. Known ranks get the special tokens and end tokens of their vocabulary.
pub(super) fn read(data: &[u8]) -> Result<Contents, VocabularyError> {
    let mut tokens = ranks(data)?;
    tokens.sort_unstable();
    Ok(complete(tokens))
}

#[cfg(feature = "texts")]
fn complete(tokens: Vec<(u32, Vec<u8>)>) -> Contents {
    let hash = canonical_hash(tokens.iter().map(|(id, bytes)| (*id, bytes.as_slice())));
    match Builtin::by_tokens(&hash) {
        Some(builtin) => builtin.complete(tokens),
        None => Contents { tokens, ..Contents::default() },
    }
}

/// The built-in vocabularies are left out with their data.
#[cfg(not(feature = "texts"))]
fn complete(tokens: Vec<(u32, Vec<u8>)>) -> Contents {
    Contents { tokens, ..Contents::default() }
}

/// The tokens in the order of the file: id and bytes.
fn ranks(data: &[u8]) -> Result<Vec<(u32, Vec<u8>)>, VocabularyError> {
    let lines = data.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end).enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty());
    if lines.clone().nth(limits::TOKENS).is_some() {
        let message = format!("the file has more than the limit of {} lines", limits::TOKENS);
        return Err(VocabularyError::too_large(message));
    }
    let bad = "a line does not consist of base64, a space and a rank";
    let malformed = |index: usize| VocabularyError::malformed(bad).at(Place::Line(index + 1, 1));
    lines.map(|(index, line)| rank_line(line).ok_or_else(|| malformed(index))).collect()
}

/// The rank and the bytes of one line.
fn rank_line(line: &[u8]) -> Option<(u32, Vec<u8>)> {
    let space = line.iter().position(|&byte| byte == b' ')?;
    let (token, rank) = (&line[..space], &line[space + 1..]);
    let plain = !rank.is_empty() && rank.iter().all(u8::is_ascii_digit);
    let rank = std::str::from_utf8(rank).ok().filter(|_| plain)?.parse().ok()?;
    Some((rank, STANDARD.decode(token).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_token() {
        let contents = read(b"aGk= 1\r\nIQ== 0\n\n 7\n").unwrap();
        assert_eq!(contents.tokens, [(0, b"!".to_vec()), (1, b"hi".to_vec()), (7, vec![])]);
        assert_eq!(contents.ids(), 8);
    }

    #[test]
    fn errors_name_the_line() {
        for line in
            ["IQ==", "IQ== x", "IQ== -1", "IQ== +1", "IQ== 4294967296", "I*== 1", "IQ== 1 2", "IQ==  1"]
        {
            let error = read(format!("IQ== 0\n{line}\n").as_bytes()).unwrap_err();
            assert_eq!(error.place, Some(Place::Line(2, 1)), "{line}");
        }
    }
}
