//! Tokenizes by ranks, as tiktoken does, and cuts added text tokens out first, as `tokenizers` does.
//!
//! A regular expression, the pre-tokenizer pattern, cuts the text into pieces. A piece that is a token becomes its id;
//! any other piece is merged from its bytes by rank. Ids are ranks plus a constant, so the vocabulary has all ranks.

use super::added::Added;
use super::merge::merge;
use crate::builtin::{BUILTINS, Builtin};
use fancy_regex::Regex;
use gcc_grammar_vocabulary::Vocabulary;
use gcc_grammar_vocabulary::{ErrorKind, VocabularyError};
use std::ops::Range;

const LLAMA3: &Builtin = &BUILTINS[0];
/// The pattern for rank files that are not known: that of most vocabularies with ranks.
pub(super) const USUAL_PATTERN: &str = LLAMA3.pattern;

/// A pre-tokenizer pattern, compiled. The vocabulary holds the ranks.
pub(super) struct Ranks {
    pattern: Regex,
    /// The pattern as it is written.
    pub(super) source: String,
    /// Text tokens without a rank, which are cut out first.
    pub(super) added: Added,
}

impl Ranks {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// The pattern is not a valid regular expression, or it is too large.
    pub(super) fn new(source: &str, added: Added) -> Result<Self, VocabularyError> {
        let pattern = Regex::new(source).map_err(|error| {
            let message = format!("the pre-tokenizer pattern cannot be used: {error}");
            VocabularyError::new(ErrorKind::Unsupported, message)
                .help("give token ids instead of text")
                .caused_by(error)
        })?;
        Ok(Self { pattern, source: source.to_owned(), added })
    }

    /// The ids of a text; `None` if matching the pattern takes too long, or a byte of the text is not a token.
    pub(super) fn encode(&self, text: &str, vocabulary: &Vocabulary) -> Option<Vec<u32>> {
        let mut ids = Vec::new();
        let mut end = 0;
        for (span, id) in self.added.spans(text) {
            self.encode_ranked(&text[end..span.start], vocabulary, &mut ids)?;
            ids.push(id);
            end = span.end;
        }
        self.encode_ranked(&text[end..], vocabulary, &mut ids)?;
        Some(ids)
    }

    /// Appends the ids of a text without added tokens.
    fn encode_ranked(&self, text: &str, vocabulary: &Vocabulary, ids: &mut Vec<u32>) -> Option<()> {
        let mut end = 0;
        for found in self.pattern.find_iter(text) {
            let found = found.ok()?;
            encode_piece(&text.as_bytes()[end..found.start()], vocabulary, ids)?;
            encode_piece(found.as_str().as_bytes(), vocabulary, ids)?;
            end = found.end();
        }
        encode_piece(&text.as_bytes()[end..], vocabulary, ids)
    }
}

/// Appends the ids of one piece.
fn encode_piece(piece: &[u8], vocabulary: &Vocabulary, ids: &mut Vec<u32>) -> Option<()> {
    if piece.is_empty() {
        return Some(());
    }
    if let Some(id) = vocabulary.find(piece) {
        ids.push(id);
        return Some(());
    }
    for span in merge_bytes(piece, vocabulary) {
        ids.push(vocabulary.find(&piece[span])?);
    }
    Some(())
}

/// What merging makes of the bytes of a piece.
pub(crate) fn merge_bytes(piece: &[u8], vocabulary: &Vocabulary) -> Vec<Range<usize>> {
    let starts: Vec<usize> = (0..piece.len()).collect();
    merge(piece, &starts, |bytes| vocabulary.find(bytes))
}
