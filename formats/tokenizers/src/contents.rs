//! [`Contents`]: the tokens that a tokenizer file defines, independent of its format.
//!
//! Loaders produce contents, the configuration files of a model complete them, and
//! [`into_vocabulary`](Contents::into_vocabulary) checks them and builds the vocabulary. Nothing is checked here: ids may
//! repeat, contradict each other or exceed the width.

use gcc_grammar_vocabulary::VocabularyError;
use gcc_grammar_vocabulary::{SpecialToken, Vocabulary};

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
/// A token is either text or special. Special tokens are those that the file marks as special, control or unknown tokens: engines leave
/// them out of the text that they return. All other added tokens, such as `<tool_call>` of Qwen and runs of spaces, are text.
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
    /// Those text tokens that the file adds to the model's own.
    pub added: Vec<u32>,
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
        let ends = self.specials.iter().filter(|special| ends_outputs(&special.text));
        self.end_tokens.extend(ends.map(|special| special.id));
    }
}

/// Whether an added token of this name is special although its file does not mark it: it ends outputs.
pub(crate) fn ends_outputs(name: &str) -> bool {
    END_TOKEN_NAMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn end_tokens_are_known_by_name() {
        assert!(["<|im_end|>", "</s>"].into_iter().all(ends_outputs));
        assert!(!["<tool_call>", "  ", ""].into_iter().any(ends_outputs));
    }
}
