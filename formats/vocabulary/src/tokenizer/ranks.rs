//! tiktoken's way: cut by a pattern, look the piece up, else merge its bytes by rank.

use super::merge::merge;
use crate::{BUILTINS, Builtin, ErrorKind, Vocabulary, VocabularyError};
use fancy_regex::Regex;

const LLAMA3: &Builtin = &BUILTINS[0];
/// The pattern of most vocabularies of this kind, for rank files that are not known.
pub(super) const USUAL_PATTERN: &str = LLAMA3.pattern;

/// Ranks are token ids, up to a constant: the vocabulary has all that is needed but the pattern.
pub(super) struct Ranks {
    pattern: Regex,
}

impl Ranks {
    pub(super) fn new(pattern: &str) -> Result<Self, VocabularyError> {
        let pattern = Regex::new(pattern).map_err(|error| {
            let message = format!("the pattern that cuts text is not usable: {error}");
            VocabularyError::new(ErrorKind::Unsupported, message)
                .help("tokens can be given by their ids instead")
                .caused_by(error)
        })?;
        Ok(Self { pattern })
    }

    /// `None` if the pattern takes too long on this text, or some byte is not a token.
    pub(super) fn encode(&self, text: &str, vocabulary: &Vocabulary) -> Option<Vec<u32>> {
        let mut ids = Vec::new();
        let mut end = 0;
        for found in self.pattern.find_iter(text) {
            let found = found.ok()?;
            encode_piece(&text.as_bytes()[end..found.start()], vocabulary, &mut ids)?;
            encode_piece(found.as_str().as_bytes(), vocabulary, &mut ids)?;
            end = found.end();
        }
        encode_piece(&text.as_bytes()[end..], vocabulary, &mut ids)?;
        Some(ids)
    }
}

fn encode_piece(piece: &[u8], vocabulary: &Vocabulary, ids: &mut Vec<u32>) -> Option<()> {
    if piece.is_empty() {
        return Some(());
    }
    if let Some(id) = vocabulary.find(piece) {
        ids.push(id);
        return Some(());
    }
    let starts: Vec<usize> = (0..piece.len()).collect();
    for span in merge(piece, &starts, |bytes| vocabulary.find(bytes)) {
        ids.push(vocabulary.find(&piece[span])?);
    }
    Some(())
}
