//! One output.

use crate::api::{ParserLimits, StopReason};
use crate::engine::run::Run;
use crate::engine::state::State;
use crate::engine::tokens::Tokens;
use anyhow::{Error, Result, anyhow};
use std::sync::Arc;
use toktrie::{InferenceCapabilities, SimpleVob, TokEnv, TokenId};

/// The state of one output. After an error it does nothing more.
#[derive(Clone)]
pub struct TokenParser {
    /// The tokens and the tokenizer.
    pub token_env: TokEnv,
    /// What the engine can do.
    pub inference_caps: InferenceCapabilities,
    /// Limits, which have no effect.
    pub limits: ParserLimits,
    run: Run,
    is_fresh: bool,
}

impl TokenParser {
    pub(crate) fn new(
        token_env: TokEnv,
        tokens: &Arc<Tokens>,
        (kind, text): (&str, &str),
        inference_caps: InferenceCapabilities,
        limits: ParserLimits,
    ) -> Result<Self> {
        let state = State::new(tokens, kind, text).map_err(Error::msg)?;
        Ok(Self { token_env, inference_caps, limits, run: Run::new(Ok(state)), is_fresh: true })
    }

    fn run<T>(&mut self, body: impl FnOnce(&mut State) -> Result<T, String>) -> Result<T> {
        self.run.run(body).map_err(|error| anyhow!("{error}"))
    }

    /// Another parser in the same state.
    #[must_use]
    pub fn deep_clone(&self) -> Self {
        self.clone()
    }

    /// Whether neither [`start_without_prompt`](Self::start_without_prompt) nor [`process_prompt`](Self::process_prompt) was called.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        self.is_fresh
    }

    /// Begins the output.
    pub fn start_without_prompt(&mut self) {
        self.is_fresh = false;
    }

    /// Begins the output behind a prompt, which is returned as it is: the last tokens of the prompt are not cut anew.
    pub fn process_prompt(&mut self, prompt: Vec<TokenId>) -> Vec<TokenId> {
        self.is_fresh = false;
        prompt
    }

    /// Why the output has stopped.
    #[must_use]
    pub fn stop_reason(&self) -> StopReason {
        match self.run.state() {
            None => StopReason::InternalError,
            Some(state) if state.is_terminated() => StopReason::EndOfSentence,
            Some(state) if state.is_stopped() => StopReason::NoExtension,
            Some(_) => StopReason::NotStopped,
        }
    }

    /// Whether the output has stopped: nothing but an end token can come, or an error has occurred.
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.run.is_stopped()
    }

    /// As [`stopped`](Self::stopped).
    ///
    /// # Errors
    /// None.
    pub fn check_stop(&mut self) -> Result<bool> {
        Ok(self.stopped())
    }

    /// The message of the error that has occurred.
    #[must_use]
    pub fn error_message(&self) -> Option<String> {
        self.run.error().map(str::to_owned)
    }

    /// The number of tokens so far.
    #[must_use]
    pub fn num_tokens(&self) -> usize {
        self.run.state().map_or(0, |state| state.committed().len())
    }

    /// Whether the output may end here.
    pub fn is_accepting(&mut self) -> bool {
        self.run(State::is_accepting).unwrap_or(false)
    }

    /// The tokens that may come next.
    ///
    /// # Errors
    /// The output has stopped, or the matcher is at a limit.
    pub fn compute_mask(&mut self) -> Result<SimpleVob> {
        self.run(|state| match state.is_stopped() {
            true => Err("the output has stopped: no token but an end token can come".to_owned()),
            false => Ok(()),
        })?;
        self.compute_mask_or_eos()
    }

    /// The tokens that may come next; the end tokens if the output has stopped.
    ///
    /// # Errors
    /// An error has occurred, or the matcher is at a limit.
    pub(crate) fn compute_mask_or_eos(&mut self) -> Result<SimpleVob> {
        let mut set = self.token_env.tok_trie().alloc_token_set();
        self.run(|state| {
            let mut row = vec![0; state.tokens().width().div_ceil(32) as usize];
            state.mask(&mut row)?;
            allow(&mut set, &row);
            Ok(())
        })?;
        Ok(set)
    }

    /// Commits a token, and returns how many tokens to take back: none.
    ///
    /// # Errors
    /// The token cannot come next, or the matcher is at a limit.
    pub fn consume_token(&mut self, token: TokenId) -> Result<usize> {
        self.run(|state| state.consume(token))?;
        Ok(0)
    }

    /// Whether a token can come next.
    ///
    /// # Errors
    /// As for [`validate_tokens_raw`](Self::validate_tokens_raw).
    pub fn validate_token(&mut self, token: TokenId) -> Result<bool> {
        Ok(self.validate_tokens_raw(&[token])? == 1)
    }

    /// How many of the tokens could be committed one after the other; none if the output has stopped.
    ///
    /// # Errors
    /// A token does not exist, or the matcher is at a limit.
    pub fn validate_tokens_raw(&mut self, tokens: &[TokenId]) -> Result<usize> {
        if self.run.error().is_none() && self.stopped() {
            return Ok(0);
        }
        self.run(|state| match tokens.iter().find(|token| **token >= state.tokens().width()) {
            Some(token) => Err(format!("there is no token {token}")),
            None => state.validate(tokens),
        })
    }

    /// Takes back the last tokens.
    ///
    /// # Errors
    /// There are not as many.
    pub fn rollback(&mut self, count: usize) -> Result<()> {
        self.run(|state| state.rollback(count))
    }

    /// Goes back to the beginning.
    ///
    /// # Errors
    /// An error has occurred.
    pub fn reset(&mut self) -> Result<()> {
        self.run(State::reset)
    }

    /// The bytes that are certain to come.
    pub fn force_bytes(&mut self) -> Vec<u8> {
        self.run(State::forced).unwrap_or_default()
    }

    /// The tokens that are certain to come, as the tokenizer cuts them; none if it does not say how.
    pub fn compute_ff_tokens(&mut self) -> Vec<TokenId> {
        self.run(State::certain).unwrap_or_default()
    }

    /// Commits the tokens that are certain to come, and returns them.
    ///
    /// # Errors
    /// The matcher is at a limit.
    pub fn consume_ff_tokens(&mut self) -> Result<Vec<TokenId>> {
        let tokens = self.compute_ff_tokens();
        self.run(|state| tokens.iter().try_for_each(|&token| state.consume(token)))?;
        Ok(tokens)
    }

    /// Warnings about the grammar: none.
    pub fn grammar_warnings(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// The temperature to sample with: that of the engine.
    #[must_use]
    pub fn temperature(&self) -> Option<f32> {
        None
    }
}

/// Adds the tokens of a row to a set. Whole words, as in the masks of strings, are added as ranges.
fn allow(set: &mut SimpleVob, row: &[u32]) {
    for (first, &word) in (0..).step_by(32).zip(row) {
        if word == u32::MAX {
            set.allow_range(first..=first + 31);
        } else {
            gcc_grammar::row::tokens(&[word]).for_each(|bit| set.allow_token(first + bit));
        }
    }
}
