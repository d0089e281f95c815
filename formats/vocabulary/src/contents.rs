//! [`Contents`]: the tokens that a tokenizer file defines, independent of its format.
//!
//! Loaders produce contents, the configuration files of a model complete them, and
//! [`into_vocabulary`](Contents::into_vocabulary) checks them and builds the vocabulary. Nothing is checked here: ids may
//! repeat, contradict each other or exceed the width.

use crate::error::VocabularyError;
use crate::vocabulary::{SpecialToken, Vocabulary};

/// Names of control tokens that end a model's output. They are used where no configuration names the end tokens.
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

/// The tokens that a tokenizer file defines.
///
/// A token is either text or special. Special tokens are those that the file marks as control or unknown tokens, and
/// tokens that were added to the model's own vocabulary and whose text has the form of a tag (`<tool_call>`): the model
/// gives their ids a meaning that the same text, spelled with other tokens, does not have. All other added tokens, such as
/// runs of spaces, are text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contents {
    /// Text tokens: id and bytes. No id occurs twice.
    pub tokens: Vec<(u32, Vec<u8>)>,
    /// Special tokens.
    pub specials: Vec<SpecialToken>,
    /// End tokens, as far as the file or the names of the special tokens determine them.
    pub end_tokens: Vec<u32>,
    /// Mask width, where the file or a configuration gives one; 0 otherwise. It exceeds the ids for padded models.
    pub width: u32,
}

impl Contents {
    /// The number of ids: the highest id of a text or special token, plus 1.
    #[must_use]
    pub fn ids(&self) -> u32 {
        let text = self.tokens.iter().map(|&(id, _)| id);
        text.chain(self.specials.iter().map(|special| special.id)).max().map_or(0, |id| id.saturating_add(1))
    }

    /// Builds the vocabulary of these tokens. Its width is [`width`](Self::width), or [`ids`](Self::ids) if that is more.
    ///
    /// # Errors
    /// The same as those of [`Vocabulary::from_tokens`].
    pub fn into_vocabulary(self) -> Result<Vocabulary, VocabularyError> {
        let width = self.width.max(self.ids());
        Vocabulary::from_tokens(self.tokens, self.specials, self.end_tokens, width)
    }

    /// Adds the special tokens whose names are known to end an output to the end tokens.
    pub(crate) fn add_end_tokens_by_name(&mut self) {
        let ends = self.specials.iter().filter(|special| END_TOKEN_NAMES.contains(&special.text.as_str()));
        self.end_tokens.extend(ends.map(|special| special.id));
    }
}

/// Whether the text of an added token has the form of a control token's name: `<...>` or `[...]` without white space.
pub(crate) fn is_tag(text: &str) -> bool {
    let bracketed = |open, close| text.starts_with(open) && text.ends_with(close);
    text.len() > 2 && !text.contains(char::is_whitespace) && (bracketed('<', '>') || bracketed('[', ']'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_bracketed_words() {
        assert!(["<tool_call>", "[INST]", "<|x|>"].into_iter().all(is_tag));
        assert!(!["  ", "\n\n", "<", "<>", "<a b>", "word", "a>"].into_iter().any(is_tag));
    }
}
