//! One output, which appends certain tokens by itself.

use crate::parser::TokenParser;
use anyhow::{Result, ensure};
use toktrie::{StepResult, TokTrie, TokenId};

/// The older interface of llguidance: a mask, then a commit that returns the tokens to append, if the engine takes several at once.
#[derive(Clone)]
pub struct Constraint {
    /// The state of the output.
    pub parser: TokenParser,
    /// Whether progress is logged, which has no effect.
    pub log_json_progress: bool,
    /// The temperature to sample with: that of the engine, so 0.
    pub temperature: f32,
    last: StepResult,
    started: bool,
    pending_stop: bool,
}

/// What to do after a commit.
#[derive(Debug, Clone, Default)]
pub struct CommitResult {
    /// Whether the output has stopped.
    pub stop: bool,
    /// The number of tokens to take back: none.
    pub backtrack: u32,
    /// The tokens to append: the sampled one, and the tokens that are certain to follow.
    pub ff_tokens: Vec<TokenId>,
}

impl CommitResult {
    /// The output has stopped.
    #[must_use]
    pub fn stop() -> Self {
        Self { stop: true, ..Self::default() }
    }

    /// What a step says.
    #[must_use]
    pub fn from_step_result(step: &StepResult) -> Self {
        let splice = step.unconditional_splice();
        let ff_tokens = splice.map(|splice| splice.ff_tokens.clone()).unwrap_or_default();
        Self { stop: step.is_stop(), backtrack: splice.map_or(0, |splice| splice.backtrack), ff_tokens }
    }
}

impl Constraint {
    /// A constraint at the beginning of an output.
    #[must_use]
    pub fn new(parser: TokenParser) -> Self {
        let (started, pending_stop) = (!parser.is_fresh(), false);
        let last = StepResult::noop();
        Self { parser, log_json_progress: false, temperature: 0.0, last, started, pending_stop }
    }

    /// Another constraint in the same state.
    #[must_use]
    pub fn deep_clone(&self) -> Self {
        self.clone()
    }

    /// Begins the output behind a prompt, which is returned as it is.
    pub fn process_prompt(&mut self, prompt: Vec<TokenId>) -> Vec<TokenId> {
        self.started = true;
        self.parser.process_prompt(prompt)
    }

    /// Begins the output.
    pub fn start_without_prompt(&mut self) {
        self.started = true;
        self.parser.start_without_prompt();
    }

    /// Commits tokens of an earlier run.
    ///
    /// # Errors
    /// One of them cannot come.
    pub fn force_tokens(&mut self, tokens: &[TokenId]) -> Result<()> {
        tokens.iter().try_for_each(|&token| self.parser.consume_token(token).map(|_| ()))
    }

    /// Whether the next mask says that the output has stopped.
    #[must_use]
    pub fn has_pending_stop(&self) -> bool {
        self.pending_stop
    }

    /// Computes the tokens that may come next, or that the output has stopped.
    ///
    /// # Errors
    /// The step before said that the output has stopped; or an error has occurred.
    pub fn compute_mask(&mut self) -> Result<&StepResult> {
        if !self.started {
            self.start_without_prompt();
        }
        ensure!(!self.last.is_stop(), "the output has stopped: there is no further mask");
        self.pending_stop = self.parser.stop_reason().is_ok() && self.parser.stopped();
        self.last = match self.pending_stop {
            true => StepResult::stop(),
            false => StepResult::sample(self.parser.compute_mask()?, None),
        };
        Ok(&self.last)
    }

    /// What was computed last.
    #[must_use]
    pub fn step_result(&self) -> &StepResult {
        &self.last
    }

    /// How many of the tokens could be committed one after the other. Commits none of them.
    ///
    /// # Errors
    /// A token does not exist, or an error has occurred.
    pub fn validate_tokens_raw(&mut self, tokens: &[TokenId]) -> Result<usize> {
        self.parser.validate_tokens_raw(tokens)
    }

    /// Commits the sampled token, and says which tokens to append.
    ///
    /// # Errors
    /// The token is missing or cannot come next, there is no mask, or an error has occurred.
    pub fn commit_token(&mut self, sampled: Option<TokenId>) -> Result<CommitResult> {
        if self.last.is_stop() {
            return Ok(CommitResult::stop());
        }
        ensure!(
            self.last.sample_mask.is_some(),
            "there is no mask: call compute_mask() before commit_token()"
        );
        let Some(sampled) = sampled else {
            anyhow::bail!("the sampled token is missing: there was a mask");
        };
        self.parser.consume_token(sampled)?;
        let mut tokens = vec![sampled];
        if self.parser.inference_caps.ff_tokens {
            tokens.extend(self.parser.consume_ff_tokens()?);
        }
        self.pending_stop = self.parser.stopped();
        self.last = StepResult::splice(0, tokens);
        Ok(CommitResult::from_step_result(&self.last))
    }

    /// Messages since the last call: none.
    pub fn flush_logs(&mut self) -> String {
        String::new()
    }

    /// The tokens.
    #[must_use]
    pub fn tok_trie(&self) -> &TokTrie {
        self.parser.token_env.tok_trie()
    }
}
