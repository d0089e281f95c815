//! What an engine that embeds llguidance does: it knows nothing of gcc-grammar.
//!
//! It keeps one factory for the tokens of its model, makes a matcher for each request, and samples as servers do: first without a mask, and
//! with one only if the sampled token cannot come. The model is a generator of pseudo-random logits.

use anyhow::{Result, ensure};
use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{TokEnv, TokRxInfo, TokTrie, TokenId, TokenizerEnv};
use llguidance::{Matcher, ParserFactory};
use std::sync::Arc;

/// The tokens of a small model: all bytes, some words, an end token; texts are cut into the longest tokens.
pub(crate) struct Model(TokTrie);

/// The words, behind the 256 bytes.
const WORDS: [&str; 14] = [
    "ab",
    "abc",
    "null",
    "true",
    "false",
    "\"name",
    "\":",
    "{\"",
    "\"}",
    "12",
    "345",
    "  ",
    "\"unit\":",
    "celsius",
];

impl Model {
    /// The tokens of the model.
    pub(crate) fn tokens() -> TokEnv {
        let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
        tokens.extend(WORDS.map(|word| word.as_bytes().to_vec()));
        let end = tokens.len() as TokenId;
        tokens.push(b"\xff<|end|>".to_vec());
        Arc::new(Self(TokTrie::from(&TokRxInfo::new(end + 1, end), &tokens)))
    }
}

impl TokenizerEnv for Model {
    fn tok_trie(&self) -> &TokTrie {
        &self.0
    }

    fn tokenize_bytes(&self, text: &[u8]) -> Vec<TokenId> {
        self.0.greedy_tokenize(text)
    }
}

/// The constraint of a request.
#[derive(Clone, Debug)]
pub(crate) enum Constraint {
    /// A regular expression.
    Regex(&'static str),
    /// A Lark grammar.
    Lark(&'static str),
    /// A JSON Schema.
    JsonSchema(&'static str),
}

/// An engine with the tokens of a model.
pub(crate) struct Engine(ParserFactory);

impl Engine {
    /// An engine with the tokens of a model.
    pub(crate) fn new(tokens: &TokEnv) -> Result<Self> {
        let mut factory = ParserFactory::new_simple(tokens)?;
        factory.quiet();
        Ok(Self(factory))
    }

    /// A matcher for a request.
    pub(crate) fn matcher(&self, constraint: &Constraint) -> Result<Matcher> {
        let grammar = match constraint {
            Constraint::Regex(pattern) => TopLevelGrammar::from_regex(pattern),
            Constraint::Lark(text) => TopLevelGrammar::from_lark((*text).to_owned()),
            Constraint::JsonSchema(text) => TopLevelGrammar::from_json_schema(serde_json::from_str(text)?),
        };
        let matcher = Matcher::new(Ok(self.0.create_parser(grammar)?));
        ensure!(!matcher.is_error(), "the matcher is in the state of an error");
        Ok(matcher)
    }

    /// Samples an output of at most `most` tokens. `look` sees the tokens so far and the next mask.
    pub(crate) fn run(
        &self,
        matcher: &mut Matcher,
        model: &mut impl FnMut() -> u64,
        most: usize,
        mut look: impl FnMut(&[TokenId], &[bool]) -> Result<()>,
    ) -> Result<Vec<TokenId>> {
        let width = self.0.tok_env().tok_trie().vocab_size();
        let end = self.0.tok_env().tok_trie().eos_token();
        let mut output = Vec::new();
        while output.len() < most && !matcher.is_stopped() {
            let mask = matcher.deep_clone().compute_mask_or_eos()?;
            let allowed: Vec<bool> = (0..width).map(|token| mask.is_allowed(token as TokenId)).collect();
            look(&output, &allowed)?;
            let mut token = (model() % width as u64) as TokenId;
            if matcher.validate_tokens(&[token])? != 1 || !mask.is_allowed(token) {
                let mut entries = Vec::new();
                mask.iter_set_entries(|token| entries.push(token as TokenId));
                token = entries[(model() % entries.len() as u64) as usize];
            }
            matcher.consume_token(token)?;
            if token == end {
                break;
            }
            output.push(token);
        }
        Ok(output)
    }
}
