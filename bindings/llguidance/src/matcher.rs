//! One output, for servers.

use crate::api::StopReason;
use crate::parser::TokenParser;
use anyhow::{Result, anyhow};
use toktrie::{SimpleVob, TokEnv, TokenId};

/// The state of one output. It is in the state of an error if there is no parser, or once an operation has failed.
#[derive(Clone)]
pub struct Matcher(Result<TokenParser, String>);

impl Matcher {
    /// A matcher at the beginning of an output.
    #[must_use]
    pub fn new(parser: Result<TokenParser>) -> Self {
        Self(match parser {
            Err(error) => Err(error.to_string()),
            Ok(parser) if parser.inference_caps.backtrack => Err("backtracking is not supported".into()),
            Ok(mut parser) => {
                parser.start_without_prompt();
                Ok(parser)
            }
        })
    }

    fn parser(&mut self) -> Result<&mut TokenParser> {
        self.0.as_mut().map_err(|error| anyhow!("{error}"))
    }

    /// Another matcher in the same state.
    #[must_use]
    pub fn deep_clone(&self) -> Self {
        self.clone()
    }

    /// The tokens that may come next.
    ///
    /// # Errors
    /// The output has stopped, or an error has occurred.
    pub fn compute_mask(&mut self) -> Result<SimpleVob> {
        self.parser()?.compute_mask()
    }

    /// The tokens that may come next; the end tokens if the output has stopped.
    ///
    /// # Errors
    /// An error has occurred.
    pub fn compute_mask_or_eos(&mut self) -> Result<SimpleVob> {
        self.parser()?.compute_mask_or_eos()
    }

    /// Commits a token.
    ///
    /// # Errors
    /// The token cannot come next; or an error has occurred.
    pub fn consume_token(&mut self, token: TokenId) -> Result<()> {
        self.consume_tokens(&[token])
    }

    /// Commits tokens one after the other.
    ///
    /// # Errors
    /// One of them cannot come next; or an error has occurred.
    pub fn consume_tokens(&mut self, tokens: &[TokenId]) -> Result<()> {
        let parser = self.parser()?;
        tokens.iter().try_for_each(|&token| parser.consume_token(token).map(|_| ()))
    }

    /// Commits tokens up to the first one that cannot come, and returns how many.
    ///
    /// # Errors
    /// A token does not exist, or an error has occurred.
    pub fn try_consume_tokens(&mut self, tokens: &[TokenId]) -> Result<usize> {
        let parser = self.parser()?;
        for (count, &token) in tokens.iter().enumerate() {
            if !parser.validate_token(token)? {
                return Ok(count);
            }
            parser.consume_token(token)?;
        }
        Ok(tokens.len())
    }

    /// How many of the tokens could be committed one after the other. Commits none of them.
    ///
    /// # Errors
    /// A token does not exist, or an error has occurred.
    pub fn validate_tokens(&mut self, tokens: &[TokenId]) -> Result<usize> {
        self.parser()?.validate_tokens_raw(tokens)
    }

    /// Takes back the last tokens.
    ///
    /// # Errors
    /// There are not as many, or an error has occurred.
    pub fn rollback(&mut self, count: usize) -> Result<()> {
        self.parser()?.rollback(count)
    }

    /// Goes back to the beginning.
    ///
    /// # Errors
    /// An error has occurred.
    pub fn reset(&mut self) -> Result<()> {
        self.parser()?.reset()
    }

    /// Whether the output may end here.
    ///
    /// # Errors
    /// An error has occurred.
    pub fn is_accepting(&mut self) -> Result<bool> {
        let parser = self.parser()?;
        let accepting = parser.is_accepting();
        parser.error_message().map_or(Ok(accepting), |error| Err(anyhow!("{error}")))
    }

    /// Whether nothing but an end token can come, also because of an error.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.as_ref().map_or(true, TokenParser::stopped)
    }

    /// Why the output has stopped.
    #[must_use]
    pub fn stop_reason(&self) -> StopReason {
        self.0.as_ref().map_or(StopReason::InternalError, TokenParser::stop_reason)
    }

    /// The tokens that are certain to come; none after an error.
    pub fn compute_ff_tokens(&mut self) -> Vec<TokenId> {
        self.parser().map(TokenParser::compute_ff_tokens).unwrap_or_default()
    }

    /// Commits the tokens that are certain to come, and returns them; none after an error.
    pub fn consume_ff_tokens(&mut self) -> Vec<TokenId> {
        self.parser().and_then(TokenParser::consume_ff_tokens).unwrap_or_default()
    }

    /// The bytes that are certain to come; none after an error.
    pub fn compute_ff_bytes(&mut self) -> Vec<u8> {
        self.parser().map(TokenParser::force_bytes).unwrap_or_default()
    }

    /// Whether an error has occurred.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.get_error().is_some()
    }

    /// The message of the error that has occurred.
    #[must_use]
    pub fn get_error(&self) -> Option<String> {
        self.0.as_ref().map_or_else(|error| Some(error.clone()), TokenParser::error_message)
    }

    /// Warnings about the grammar: none.
    pub fn grammar_warnings(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// The tokens and the tokenizer.
    ///
    /// # Errors
    /// There was no parser.
    pub fn tok_env(&self) -> Result<TokEnv> {
        self.0.as_ref().map(|parser| parser.token_env.clone()).map_err(|error| anyhow!("{error}"))
    }
}
