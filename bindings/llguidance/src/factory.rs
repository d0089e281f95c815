//! The tokens of a model, shared by its outputs.

use crate::api::{GrammarInit, ParserLimits, TopLevelGrammar};
use crate::engine::tokens::{Tokenizer, Tokens, vocabulary};
use crate::parser::TokenParser;
use anyhow::{Error, Result};
use std::sync::Arc;
use toktrie::{InferenceCapabilities, TokEnv};

/// Makes parsers for the tokens of a model. What was compiled last is kept here.
pub struct ParserFactory {
    env: TokEnv,
    tokens: Arc<Tokens>,
    capabilities: InferenceCapabilities,
    limits: ParserLimits,
    levels: Levels,
}

/// The levels of messages. They have no effect: nothing is logged.
#[derive(Clone, Copy)]
struct Levels {
    buffer: u32,
    stderr: u32,
}

impl ParserFactory {
    /// A factory for these tokens. Slices are ways of llguidance to compute masks; they have no effect.
    ///
    /// # Errors
    /// The tokens are more than a vocabulary can have, or an end token is not among them.
    pub fn new(env: &TokEnv, capabilities: InferenceCapabilities, _slices: &[String]) -> Result<Self> {
        let tokens = Arc::new(read(env).map_err(Error::msg)?);
        let (limits, levels) = (ParserLimits::default(), Levels { buffer: 0, stderr: 1 });
        Ok(Self { env: env.clone(), tokens, capabilities, limits, levels })
    }

    /// A factory for these tokens, and an engine that takes one token at a time.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn new_simple(env: &TokEnv) -> Result<Self> {
        Self::new(env, InferenceCapabilities::default(), &[])
    }

    /// This factory: slices have no effect.
    ///
    /// # Errors
    /// None.
    pub fn with_slices(&self, _slices: &[String]) -> Result<Self> {
        let (env, tokens) = (self.env.clone(), self.tokens.clone());
        let (capabilities, limits) = (self.capabilities.clone(), self.limits.clone());
        Ok(Self { env, tokens, capabilities, limits, levels: self.levels })
    }

    /// The tokens and the tokenizer.
    #[must_use]
    pub fn tok_env(&self) -> &TokEnv {
        &self.env
    }

    /// The limits, which have no effect.
    #[must_use]
    pub fn limits(&self) -> &ParserLimits {
        &self.limits
    }

    /// The limits, which have no effect.
    pub fn limits_mut(&mut self) -> &mut ParserLimits {
        &mut self.limits
    }

    /// Sets the levels of messages to none.
    pub fn quiet(&mut self) -> &mut Self {
        self.set_buffer_log_level(0).set_stderr_log_level(0)
    }

    /// The level of messages that are kept.
    #[must_use]
    pub fn buffer_log_level(&self) -> u32 {
        self.levels.buffer
    }

    /// The level of messages on the standard error output.
    #[must_use]
    pub fn stderr_log_level(&self) -> u32 {
        self.levels.stderr
    }

    /// Sets the level of messages that are kept.
    pub fn set_buffer_log_level(&mut self, level: u32) -> &mut Self {
        self.levels.buffer = level;
        self
    }

    /// Sets the level of messages on the standard error output.
    pub fn set_stderr_log_level(&mut self, level: u32) -> &mut Self {
        self.levels.stderr = level;
        self
    }

    /// A parser at the beginning of an output.
    ///
    /// # Errors
    /// The grammar was refused.
    pub fn create_parser(&self, grammar: TopLevelGrammar) -> Result<TokenParser> {
        let source = grammar.source().map_err(Error::msg)?;
        let (env, capabilities) = (self.env.clone(), self.capabilities.clone());
        TokenParser::new(env, &self.tokens, (source.0, &source.1), capabilities, self.limits.clone())
    }

    /// As [`create_parser`](Self::create_parser).
    ///
    /// # Errors
    /// The grammar was refused.
    pub fn create_parser_from_init_default(&self, init: GrammarInit) -> Result<TokenParser> {
        let GrammarInit::Serialized(grammar) = init;
        self.create_parser(grammar)
    }

    /// As [`create_parser`](Self::create_parser): the levels of messages have no effect.
    ///
    /// # Errors
    /// The grammar was refused.
    pub fn create_parser_from_init(
        &self,
        init: GrammarInit,
        _buffer: u32,
        _stderr: u32,
    ) -> Result<TokenParser> {
        self.create_parser_from_init_default(init)
    }
}

/// Reads the tokens of a model.
fn read(env: &TokEnv) -> Result<Tokens, String> {
    let trie = env.tok_trie();
    let tokens = (0..trie.vocab_size() as u32).map(|token| trie.token(token));
    // An end token beyond the vocabulary says that there is none.
    let exists = |end: &u32| (*end as usize) < trie.vocab_size();
    let ends: Vec<u32> = trie.eos_tokens().iter().copied().filter(exists).collect();
    let vocabulary = vocabulary("tokenizer", tokens, ends)?;
    let cut = {
        let env = env.clone();
        Box::new(move |text: &[u8]| env.tokenize_bytes(text))
    };
    let tokenizer = env.tokenize_is_canonical().then_some(Tokenizer { cut, only_utf8: false });
    Ok(Tokens::new(vocabulary, tokenizer))
}
