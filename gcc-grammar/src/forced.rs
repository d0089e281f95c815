//! Forced tokens (jump-forward decoding): the tokens of the text that is certain to come, cut as the model's own tokenizer cuts it.
//!
//! In: the bytes that the grammar forces. Out: tokens that may be committed without asking the model. They are canonical: if the text
//! goes on, in whatever way, the tokenizer still cuts its beginning into the same tokens. Two rules make sure of that:
//!
//! 1. The tokens end where no token of the vocabulary could start that is longer than the rest of the forced text (the rule of
//!    llguidance).
//! 2. The tokens stay the same when one of the [`PROBES`] follows. Tokenizers cut a text into words first, and where a word ends
//!    depends on the characters behind it: white space, digits, letters, apostrophes.

use crate::error::Error;
use crate::matcher::Matcher;
use crate::vocabulary::Tokenizer;
use gcc_grammar_vocabulary::Vocabulary as Tokens;

/// The bytes of forced text that are looked at, at most.
const MOST_BYTES: usize = 256;
/// The tokens before the forced text that are tokenized along with it.
const MOST_BEFORE: usize = 16;

/// Texts that may follow: a character of each class that the patterns of tokenizers distinguish.
const PROBES: [&str; 14] =
    [" ", "  ", " a", "\n", "\n\n", "\r\n", "a", "A", "s", "0", "000", "'s", ".", "\u{e9}"];

impl Matcher {
    /// The tokens that are certain to come, cut as the model's own tokenizer would cut the whole text. `before` has the last tokens that
    /// were committed; if the tokenizer would join the last of them with the forced text, there are no forced tokens. Commits none of
    /// them.
    ///
    /// # Errors
    /// The tokenizer of the vocabulary cannot be used, or the scratch is at its limit.
    pub fn forced_tokens(&mut self, before: &[u32]) -> Result<Vec<u32>, Error> {
        let forced = self.forced(MOST_BYTES)?;
        if forced.is_empty() {
            return Ok(Vec::new());
        }
        let vocabulary = self.session().vocabulary().clone();
        let before = &before[before.len().saturating_sub(MOST_BEFORE)..];
        // A special token has no text: what comes before it has no influence.
        let is_special = |token: &u32| vocabulary.tokens().bytes(*token).is_none();
        let before = before.rsplit(is_special).next().unwrap_or_default();
        let tokens = vocabulary.with_tokenizer(|tokenizer| {
            let text = [vocabulary.text_of(before), forced].concat();
            certain(tokenizer, vocabulary.tokens(), before, &text)
        })?;
        let allowed = self.validate(&tokens)?;
        Ok(tokens[..allowed].to_vec())
    }
}

/// The tokens of `text` behind `before` that stay the same whatever follows the text.
fn certain(tokenizer: &Tokenizer<'_>, vocabulary: &Tokens, before: &[u32], text: &[u8]) -> Vec<u32> {
    let ids_of = |text: &[u8]| {
        tokenizer.tokenize(text).ok().filter(|tokens| tokens.exact).map_or_else(Vec::new, |tokens| tokens.ids)
    };
    let mut ids = ids_of(text);
    ids.truncate(before_longer_tokens(vocabulary, &ids, text));
    for probe in PROBES {
        let longer = ids_of(&[text, probe.as_bytes()].concat());
        let same = ids.iter().zip(longer).take_while(|(id, other)| **id == *other).count();
        ids.truncate(same);
    }
    match ids.strip_prefix(before) {
        Some(certain) => certain.to_vec(),
        None => Vec::new(),
    }
}

/// The number of tokens in front of the first place where a token could start that is longer than the rest of the text.
fn before_longer_tokens(vocabulary: &Tokens, ids: &[u32], text: &[u8]) -> usize {
    let mut at = 0;
    for (index, &id) in ids.iter().enumerate() {
        if is_proper_prefix(vocabulary, &text[at..]) {
            return index;
        }
        at += vocabulary.bytes(id).map_or(0, <[u8]>::len);
    }
    ids.len()
}

/// Whether some token begins with `text` and is longer.
fn is_proper_prefix(vocabulary: &Tokens, text: &[u8]) -> bool {
    let bytes = |id: &u32| vocabulary.bytes(*id).unwrap_or_default();
    let order = vocabulary.order();
    let behind = order.partition_point(|id| bytes(id) <= text);
    order.get(behind).is_some_and(|id| bytes(id).starts_with(text))
}
