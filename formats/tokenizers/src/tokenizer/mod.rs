//! [`Tokenizer`]: cuts text into tokens as the model's own tokenizer does.
//!
//! ```text
//! bytes ──▶ valid UTF-8 ──▶ names of special tokens ──▶ their ids
//!       │               └─▶ other text ──engine──▶ ids that spell the text
//!       │                                    └──▶ failure ──spell──▶ the fewest ids
//!       └─▶ invalid UTF-8 ─────────────────────────────────spell──▶ the fewest ids
//! ```
//!
//! | format | engine |
//! |---|---|
//! | built-in, tiktoken, tekken | `ranks`: cuts by a pattern, then merges by rank |
//! | SentencePiece | `pieces`: merges by score, or finds the path with the best score |
//! | Hugging Face | `huggingface`: the crate `tokenizers` |
//!
//! The ids spell the given bytes. The text is not normalized and gets no prefix, because it stands for the output of
//! a model, which continues a prompt. Parts that an engine cannot spell (invalid UTF-8, or an engine that drops white
//! space) are cut into the fewest tokens instead, and [`Tokenization::exact`] is false.
//!
//! A text that starts a prompt (`TokenizerOptions::prompt`) is prepared as its file says: it is normalized, and a space may be put in front. A
//! `tokenizer.json` then gives the ids of the package `tokenizers` without the tokens that frame a prompt, whatever they spell.

mod added;
mod huggingface;
mod merge;
mod options;
mod pieces;
mod ranks;

use crate::builtin::Builtin;
use crate::canonical::Canonical;
use crate::loaders::{Format, sentencepiece, tekken};
pub use options::TokenizerOptions;
pub(crate) use ranks::merge_bytes;

use added::Added;
use gcc_grammar_vocabulary::{Vocabulary, VocabularyError, fewest_tokens};
use std::fmt;

/// The tokens of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Tokenization {
    /// The ids of the tokens.
    pub ids: Vec<u32>,
    /// Whether the model's own tokenizer cuts the text into the same tokens.
    pub exact: bool,
}

/// The error for a text that no sequence of tokens spells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unspellable {
    /// The approximate length in bytes of the longest prefix that tokens spell.
    pub offset: usize,
}

impl fmt::Display for Unspellable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no token of the vocabulary spells the text at byte {}", self.offset)
    }
}

impl std::error::Error for Unspellable {}

/// Cuts text into tokens of a vocabulary, as the model's own tokenizer does.
pub struct Tokenizer {
    vocabulary: Vocabulary,
    options: TokenizerOptions,
    engine: Engine,
    /// Whether the engine agrees with the model's own tokenizer on every text.
    exact: bool,
}

/// The implementation that cuts text. It may fail to spell the text.
enum Engine {
    Ranks(ranks::Ranks),
    Pieces(pieces::Pieces),
    HuggingFace(huggingface::HuggingFace),
    /// No engine: every text is cut into the fewest tokens.
    None,
}

impl Tokenizer {
    /// The tokenizer of a built-in vocabulary.
    ///
    /// # Errors
    /// The pattern of the vocabulary is not valid. Tests exclude this for all built-in vocabularies.
    pub fn builtin(
        builtin: &Builtin,
        vocabulary: &Vocabulary,
        options: TokenizerOptions,
    ) -> Result<Self, VocabularyError> {
        let added = added_to(builtin, vocabulary);
        let engine = Engine::Ranks(ranks::Ranks::new(builtin.pattern, added)?);
        Ok(Self { vocabulary: vocabulary.clone(), options, engine, exact: true })
    }

    /// The tokenizer of a vocabulary whose tokenizer file is not known. It is exact if the text tokens are those of a
    /// built-in vocabulary and added ones, and cuts text into the fewest tokens otherwise.
    ///
    /// # Errors
    /// Those of [`builtin`](Self::builtin).
    pub(crate) fn without_file(
        vocabulary: &Vocabulary,
        options: TokenizerOptions,
    ) -> Result<Self, VocabularyError> {
        match Builtin::by_ranks(vocabulary) {
            Some(builtin) => Self::builtin(builtin, vocabulary, options),
            None => Ok(Self { vocabulary: vocabulary.clone(), options, engine: Engine::None, exact: false }),
        }
    }

    /// The tokenizer in a file of this format, which must not be compressed. `vocabulary` must be that of the file.
    ///
    /// # Errors
    /// The file violates its format, or cannot be used to tokenize text.
    pub fn read(
        format: Format,
        data: &[u8],
        vocabulary: &Vocabulary,
        options: TokenizerOptions,
    ) -> Result<Self, VocabularyError> {
        let (engine, exact) = match format {
            Format::Tiktoken => {
                let known = Builtin::by_ranks(vocabulary);
                let pattern = known.map_or(ranks::USUAL_PATTERN, |builtin| builtin.pattern);
                let added = known.map_or_else(Added::default, |builtin| added_to(builtin, vocabulary));
                (Engine::Ranks(ranks::Ranks::new(pattern, added)?), known.is_some())
            }
            Format::Tekken => {
                (Engine::Ranks(ranks::Ranks::new(&tekken::pattern(data)?, Added::default())?), true)
            }
            Format::SentencePiece => {
                let pieces = pieces::Pieces::new(&sentencepiece::parse(data)?, options.prompt);
                let exact = pieces.is_exact();
                (Engine::Pieces(pieces), exact)
            }
            Format::HuggingFace => {
                let engine = huggingface::HuggingFace::read(data, vocabulary, options)?;
                (Engine::HuggingFace(engine), true)
            }
        };
        Ok(Self { vocabulary: vocabulary.clone(), options, engine, exact })
    }

    /// Which tokens it can write behind others; none if that is not known: for pieces, for files that are read by the crate `tokenizers` and have other
    /// tokens than the built-in vocabularies, and where the tokenizer itself is not known.
    #[must_use]
    pub fn canonical(&self) -> Option<Canonical> {
        match &self.engine {
            Engine::Ranks(ranks) if self.exact => {
                Canonical::new(&self.vocabulary, &ranks.source, &ranks.added.ids())
            }
            Engine::HuggingFace(_) => {
                let builtin = Builtin::by_ranks(&self.vocabulary)?;
                let added = added_to(builtin, &self.vocabulary);
                Canonical::new(&self.vocabulary, builtin.pattern, &added.ids())
            }
            _ => None,
        }
    }

    /// Cuts `text`, which need not be valid UTF-8.
    ///
    /// # Errors
    /// No sequence of tokens spells the text. This cannot happen if every byte is a token.
    pub fn tokenize(&self, text: &[u8]) -> Result<Tokenization, Unspellable> {
        self.cut(text, self.options.special_names)
    }

    /// Cuts `text` in which names of special tokens stand for those tokens, whatever the options say of names. In prompts, the options alone
    /// decide.
    ///
    /// # Errors
    /// As [`tokenize`](Self::tokenize).
    pub fn tokenize_with_names(&self, text: &[u8]) -> Result<Tokenization, Unspellable> {
        self.cut(text, !self.options.prompt || self.options.special_names)
    }

    fn cut(&self, text: &[u8], special_names: bool) -> Result<Tokenization, Unspellable> {
        // The crate `tokenizers` finds the names in a prompt itself.
        let special_names = special_names && !self.is_whole_prompt();
        let mut out = Tokenization { ids: Vec::new(), exact: self.exact };
        let mut offset = 0;
        for chunk in text.utf8_chunks() {
            self.tokenize_valid(chunk.valid(), special_names, offset, &mut out)?;
            offset += chunk.valid().len();
            self.spell(chunk.invalid(), offset, &mut out)?;
            offset += chunk.invalid().len();
        }
        Ok(out)
    }

    /// Whether the text is a prompt that the crate `tokenizers` prepares.
    fn is_whole_prompt(&self) -> bool {
        self.options.prompt && matches!(self.engine, Engine::HuggingFace(_))
    }

    /// Cuts valid UTF-8, and replaces names of special tokens if they are asked for.
    fn tokenize_valid(
        &self,
        text: &str,
        special_names: bool,
        offset: usize,
        out: &mut Tokenization,
    ) -> Result<(), Unspellable> {
        let mut from = 0;
        while special_names && let Some((start, id, length)) = self.find_special_name(text, from) {
            self.tokenize_text(&text[from..start], offset + from, out)?;
            out.ids.push(id);
            from = start + length;
        }
        self.tokenize_text(&text[from..], offset + from, out)
    }

    /// The first name of a special token at or after `from`: start, id and length. Of several names that start at the same
    /// place, this is the longest.
    fn find_special_name(&self, text: &str, from: usize) -> Option<(usize, u32, usize)> {
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

    /// Cuts text without special tokens, by the engine if its tokens spell the text.
    fn tokenize_text(&self, text: &str, offset: usize, out: &mut Tokenization) -> Result<(), Unspellable> {
        if text.is_empty() {
            return Ok(());
        }
        let ids = match &self.engine {
            Engine::Ranks(ranks) => ranks.encode(text, &self.vocabulary),
            Engine::Pieces(pieces) => pieces.encode(text),
            Engine::HuggingFace(tokenizer) => tokenizer.encode(text),
            Engine::None => None,
        };
        match ids.filter(|ids| self.is_whole_prompt() || self.spells(ids, text.as_bytes())) {
            Some(ids) => out.ids.extend(ids),
            None => self.spell(text.as_bytes(), offset, out)?,
        }
        Ok(())
    }

    /// Whether these are text tokens whose bytes are `text`, after a space if the text starts a prompt.
    fn spells(&self, ids: &[u32], text: &[u8]) -> bool {
        let bytes: Option<Vec<&[u8]>> = ids.iter().map(|&id| self.vocabulary.bytes(id)).collect();
        let Some(bytes) = bytes.map(|bytes| bytes.concat()) else { return false };
        bytes == text || (self.options.prompt && bytes.strip_prefix(b" ") == Some(text))
    }

    /// Cuts bytes into the fewest tokens, without the engine.
    fn spell(&self, text: &[u8], offset: usize, out: &mut Tokenization) -> Result<(), Unspellable> {
        if !text.is_empty() {
            let ids = fewest_tokens(text, &self.vocabulary);
            out.ids.extend(ids.map_err(|within| Unspellable { offset: offset + within })?);
            out.exact = false;
        }
        Ok(())
    }
}

/// The text tokens of a vocabulary with the ranks of a built-in one that have no rank.
fn added_to(builtin: &Builtin, vocabulary: &Vocabulary) -> Added {
    let mut added = Added::default();
    let texts = vocabulary.text_tokens().skip_while(|&(id, _)| id < builtin.ranks);
    texts.filter(|(_, bytes)| !bytes.is_empty()).for_each(|(id, bytes)| added.insert(bytes.to_vec(), id));
    added
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
    fn only_prompts_get_a_prefix() {
        let prompt = TokenizerOptions { prompt: true, ..TokenizerOptions::default() };
        let exact = |ids: &[u32]| Tokenization { ids: ids.to_vec(), exact: true };
        assert_eq!(tokenize(&PIECES, 2, TokenizerOptions::default(), b"ab ab"), exact(&[2, 4]));
        assert_eq!(tokenize(&PIECES, 2, prompt, b"ab ab"), exact(&[4, 4]));
    }

    #[test]
    fn names_of_special_tokens_are_text_by_default() {
        let names = TokenizerOptions { special_names: true, ..TokenizerOptions::default() };
        assert_eq!(tokenize(&PIECES, 2, names, b"a</s>b<").ids, [5, 1, 6, 8]);
        let data = model(&PIECES, 2);
        let vocabulary = Format::SentencePiece.read(&data).unwrap().into_vocabulary().unwrap();
        let tokenizer =
            Tokenizer::read(Format::SentencePiece, &data, &vocabulary, TokenizerOptions::default());
        assert_eq!(tokenizer.unwrap().tokenize(b"a</s>"), Err(Unspellable { offset: 2 }));
    }

    #[test]
    fn invalid_utf8_is_spelled_and_not_exact() {
        let tokens = tokenize(&PIECES, 2, TokenizerOptions::default(), b"ab\xffab");
        assert_eq!(tokens, Tokenization { ids: vec![2, 7, 2], exact: false });
    }
}
