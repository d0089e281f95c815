//! [`Overrides`]: a mask width and end tokens that a user gives in place of those of the source.

use gcc_grammar_vocabulary::Vocabulary;
use gcc_grammar_vocabulary::{ErrorKind, VocabularyError};

/// Changes to the vocabulary of a source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overrides {
    /// The mask width: the model's vocabulary size.
    pub width: Option<u32>,
    /// The end tokens, each as the name of a special token or as an id. If empty, those of the source remain.
    pub end_tokens: Vec<String>,
}

impl Overrides {
    /// Applies the overrides. The result has at least one end token.
    ///
    /// # Errors
    /// The width or an end token does not fit the vocabulary, or there is no end token.
    pub(super) fn apply(&self, mut vocabulary: Vocabulary) -> Result<Vocabulary, VocabularyError> {
        if let Some(width) = self.width {
            vocabulary = vocabulary.with_width(width)?;
        }
        if !self.end_tokens.is_empty() {
            let ids = self.end_tokens.iter().map(|token| end_token(token, &vocabulary));
            let ids = ids.collect::<Result<_, _>>()?;
            vocabulary = vocabulary.with_end_tokens(ids)?;
        }
        if vocabulary.end_tokens().is_empty() {
            let message = "no end token is known for the vocabulary, so no output could ever end";
            let help =
                "give the end tokens (option --eos), or the model directory with its configuration files";
            return Err(VocabularyError::inconsistent(message, help));
        }
        Ok(vocabulary)
    }
}

/// The id of an end token that is given by name, id or text.
fn end_token(token: &str, vocabulary: &Vocabulary) -> Result<u32, VocabularyError> {
    let named = vocabulary.special(token).or_else(|| token.parse().ok());
    named.or_else(|| vocabulary.find(token.as_bytes())).ok_or_else(|| {
        let message = format!("{token:?} is neither a token of the vocabulary nor an id");
        let names = vocabulary.specials().iter().map(|special| special.text.as_str());
        let names = names.take(8).collect::<Vec<_>>().join(", ");
        let help =
            format!("give an id, or the name of a special token; the first special tokens are {names}");
        VocabularyError::new(ErrorKind::NotFound, message).help(help)
    })
}
