//! Text to tokens, as the model's own tokenizer cuts it.
//!
//! ```text
//! bytes ──valid UTF-8 | invalid──▶ names of special tokens | text ──engine──▶ ids ──check──▶ ids that spell the bytes
//! ```
//! | format | engine |
//! |---|---|
//! | built-in, tiktoken, tekken | `ranks`: cut by a pattern, then merge by rank |
//! | SentencePiece | `pieces`: merge by score, or the best path by score |
//! | Hugging Face | the crate `tokenizers` |
//!
//! The ids always spell the given bytes: the text is never normalized and gets no prefix, for here it stands for what a
//! model *emits*, somewhere after a prompt. What an engine cannot spell (invalid UTF-8, an engine that drops white
//! space) is cut into the fewest tokens possible instead, and [`Tokenization::exact`] is false.

mod huggingface;
mod merge;
mod pieces;
mod ranks;
mod spell;

use crate::loaders::{sentencepiece, tekken};
use crate::{Builtin, Format, Vocabulary, VocabularyError};
use std::fmt;

/// What else the text may contain than what the tokens spell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TokenizerOptions {
    /// Names of special tokens in the text become those tokens.
    pub special_names: bool,
    /// The text starts a prompt: tokenizers that put a space in front do so.
    pub dummy_prefix: bool,
}

/// A text cut into tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tokenization {
    /// The tokens.
    pub ids: Vec<u32>,
    /// Whether this is how the model's own tokenizer cuts the text.
    pub exact: bool,
}

/// A text that no sequence of tokens spells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unspellable {
    /// Tokens spell the text up to about here, in bytes.
    pub offset: usize,
}

impl fmt::Display for Unspellable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no token of the vocabulary spells the text at byte {}", self.offset)
    }
}

impl std::error::Error for Unspellable {}

/// Cuts text into tokens of a vocabulary.
pub struct Tokenizer<'v> {
    vocabulary: &'v Vocabulary,
    options: TokenizerOptions,
    engine: Engine,
    /// Whether the engine does what the model's own tokenizer does.
    exact: bool,
}

enum Engine {
    Ranks(ranks::Ranks),
    Pieces(pieces::Pieces),
    HuggingFace(huggingface::HuggingFace),
    /// Always the fewest tokens.
    Unknown,
}

impl<'v> Tokenizer<'v> {
    /// The tokenizer of a built-in vocabulary.
    ///
    /// # Errors
    /// None that a test would not have found.
    pub fn builtin(
        builtin: &Builtin,
        vocabulary: &'v Vocabulary,
        options: TokenizerOptions,
    ) -> Result<Self, VocabularyError> {
        let engine = Engine::Ranks(ranks::Ranks::new(builtin.pattern)?);
        Ok(Self { vocabulary, options, engine, exact: true })
    }

    /// The best that can be done for a vocabulary alone: exact if its text tokens are those of a built-in one.
    ///
    /// # Errors
    /// None that a test would not have found.
    pub fn without_file(
        vocabulary: &'v Vocabulary,
        options: TokenizerOptions,
    ) -> Result<Self, VocabularyError> {
        match Builtin::by_ranks(&vocabulary.canonical_hash()) {
            Some(builtin) => Self::builtin(builtin, vocabulary, options),
            None => Ok(Self { vocabulary, options, engine: Engine::Unknown, exact: false }),
        }
    }

    /// The tokenizer in a file of this format, not compressed. `vocabulary` must be that of the file.
    ///
    /// # Errors
    /// The file does not keep to its format.
    pub fn read(
        format: Format,
        data: &[u8],
        vocabulary: &'v Vocabulary,
        options: TokenizerOptions,
    ) -> Result<Self, VocabularyError> {
        let (engine, exact) = match format {
            Format::Tiktoken => {
                let known = Builtin::by_ranks(&vocabulary.canonical_hash());
                let pattern = known.map_or(ranks::USUAL_PATTERN, |builtin| builtin.pattern);
                (Engine::Ranks(ranks::Ranks::new(pattern)?), known.is_some())
            }
            Format::Tekken => (Engine::Ranks(ranks::Ranks::new(&tekken::pattern(data)?)?), true),
            Format::SentencePiece => {
                let pieces = pieces::Pieces::new(&sentencepiece::parse(data)?, options.dummy_prefix);
                let exact = pieces.is_exact();
                (Engine::Pieces(pieces), exact)
            }
            Format::HuggingFace => {
                let engine = huggingface::HuggingFace::read(data, vocabulary, options.dummy_prefix)?;
                (Engine::HuggingFace(engine), true)
            }
        };
        Ok(Self { vocabulary, options, engine, exact })
    }

    /// Cuts `text`, which need not be valid UTF-8.
    ///
    /// # Errors
    /// No sequence of tokens spells it. That cannot be if every byte is a token.
    pub fn tokenize(&self, text: &[u8]) -> Result<Tokenization, Unspellable> {
        let mut out = Tokenization { ids: Vec::new(), exact: self.exact };
        let mut offset = 0;
        for chunk in text.utf8_chunks() {
            self.tokenize_valid(chunk.valid(), offset, &mut out)?;
            offset += chunk.valid().len();
            self.spell(chunk.invalid(), offset, &mut out)?;
            offset += chunk.invalid().len();
        }
        Ok(out)
    }

    fn tokenize_valid(&self, text: &str, offset: usize, out: &mut Tokenization) -> Result<(), Unspellable> {
        let mut from = 0;
        while self.options.special_names
            && let Some((start, id, length)) = self.find_name(text, from)
        {
            self.tokenize_text(&text[from..start], offset + from, out)?;
            out.ids.push(id);
            from = start + length;
        }
        self.tokenize_text(&text[from..], offset + from, out)
    }

    /// The first name of a special token at or after `from`: where it starts, its id and length. The longest wins.
    fn find_name(&self, text: &str, from: usize) -> Option<(usize, u32, usize)> {
        let named_at = |start: usize| {
            let specials = self.vocabulary.specials().iter().filter(|special| !special.text.is_empty());
            let matching =
                specials.filter(|special| text.as_bytes()[start..].starts_with(special.text.as_bytes()));
            matching.max_by_key(|special| special.text.len())
        };
        let opens = |&start: &usize| matches!(text.as_bytes()[start], b'<' | b'[');
        let mut starts = (from..text.len()).filter(opens);
        starts.find_map(|start| named_at(start).map(|special| (start, special.id, special.text.len())))
    }

    fn tokenize_text(&self, text: &str, offset: usize, out: &mut Tokenization) -> Result<(), Unspellable> {
        if text.is_empty() {
            return Ok(());
        }
        let ids = match &self.engine {
            Engine::Ranks(ranks) => ranks.encode(text, self.vocabulary),
            Engine::Pieces(pieces) => pieces.encode(text),
            Engine::HuggingFace(tokenizer) => tokenizer.encode(text),
            Engine::Unknown => None,
        };
        match ids.filter(|ids| self.spells(ids, text.as_bytes())) {
            Some(ids) => out.ids.extend(ids),
            None => self.spell(text.as_bytes(), offset, out)?,
        }
        Ok(())
    }

    /// Whether these are text tokens whose bytes are `text`, maybe after a prefix.
    fn spells(&self, ids: &[u32], text: &[u8]) -> bool {
        let bytes: Option<Vec<&[u8]>> = ids.iter().map(|&id| self.vocabulary.bytes(id)).collect();
        let Some(bytes) = bytes.map(|bytes| bytes.concat()) else { return false };
        bytes == text || (self.options.dummy_prefix && bytes.strip_prefix(b" ") == Some(text))
    }

    /// Without the engine: the fewest tokens.
    fn spell(&self, text: &[u8], offset: usize, out: &mut Tokenization) -> Result<(), Unspellable> {
        if !text.is_empty() {
            let ids = spell::fewest_tokens(text, self.vocabulary);
            out.ids.extend(ids.map_err(|within| Unspellable { offset: offset + within })?);
            out.exact = false;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loaders::sentencepiece::tests::model;

    fn tokenize(
        pieces: &[(&str, u8)],
        algorithm: u8,
        options: TokenizerOptions,
        text: &[u8],
    ) -> Tokenization {
        let data = model(pieces, algorithm);
        let vocabulary = Format::SentencePiece.read(&data).unwrap().into_vocabulary().unwrap();
        let tokenizer = Tokenizer::read(Format::SentencePiece, &data, &vocabulary, options).unwrap();
        tokenizer.tokenize(text).unwrap()
    }

    const PIECES: [(&str, u8); 9] = [
        ("<unk>", 2),
        ("</s>", 3),
        ("ab", 1),
        ("\u{2581}", 1),
        ("\u{2581}ab", 1),
        ("a", 1),
        ("b", 1),
        ("<0xFF>", 6),
        ("<", 1),
    ];

    #[test]
    fn the_prefix_is_only_for_prompts() {
        let prompt = TokenizerOptions { dummy_prefix: true, ..TokenizerOptions::default() };
        let exact = |ids: &[u32]| Tokenization { ids: ids.to_vec(), exact: true };
        assert_eq!(tokenize(&PIECES, 2, TokenizerOptions::default(), b"ab ab"), exact(&[2, 4]));
        assert_eq!(tokenize(&PIECES, 2, prompt, b"ab ab"), exact(&[4, 4]));
    }

    #[test]
    fn names_of_special_tokens_are_text_unless_asked_for() {
        let names = TokenizerOptions { special_names: true, ..TokenizerOptions::default() };
        assert_eq!(tokenize(&PIECES, 2, names, b"a</s>b<").ids, [5, 1, 6, 8]);
        let data = model(&PIECES, 2);
        let vocabulary = Format::SentencePiece.read(&data).unwrap().into_vocabulary().unwrap();
        let tokenizer =
            Tokenizer::read(Format::SentencePiece, &data, &vocabulary, TokenizerOptions::default());
        assert_eq!(tokenizer.unwrap().tokenize(b"a</s>"), Err(Unspellable { offset: 2 }));
    }

    #[test]
    fn invalid_utf8_is_spelled_but_not_exact() {
        let tokens = tokenize(&PIECES, 2, TokenizerOptions::default(), b"ab\xffab");
        assert_eq!(tokens, Tokenization { ids: vec![2, 7, 2], exact: false });
    }
}
