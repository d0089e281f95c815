//! Tokens: selectors of special tokens, and sequences of any tokens. Ordinary tokens are any text; special tokens are named.

use super::builder::{Builder, End};
use super::json::{Object, Place};
use super::text::count;
use crate::grammar_builder::{choice, repeat, sequence};
use gcc_grammar_ir::{Diagnostic, Expr, TokenSelector};
use serde_json::Value;

impl Builder<'_> {
    /// A token by id or name.
    pub(super) fn selector(&self, place: &Place<'_>) -> Result<TokenSelector, Diagnostic> {
        match place.any()? {
            Value::String(name) if !name.is_empty() => Ok(TokenSelector::Name(name)),
            Value::Number(id) => match id.as_u64().and_then(|id| u32::try_from(id).ok()) {
                Some(id) => Ok(TokenSelector::Ids(id, id)),
                None => Err(place.error("this is not the id of a token")),
            },
            _ => Err(place.error("expected the id or the name of a token")),
        }
    }

    /// The tokens of a list.
    pub(super) fn selectors(
        &self,
        object: &Object<'_>,
        field: &str,
        required: bool,
    ) -> Result<Vec<TokenSelector>, Diagnostic> {
        object.list(field, required)?.iter().map(|place| self.selector(place)).collect()
    }

    /// The token, if the field is a token and not a text.
    pub(super) fn token_at(
        &self,
        object: &Object<'_>,
        field: &str,
    ) -> Result<Option<TokenSelector>, Diagnostic> {
        let place = object.place(field)?;
        if !place.value.get().trim_start().starts_with('{') {
            return Ok(None);
        }
        let token = place.object()?;
        if token.text("type")? != "token" {
            return Err(token.error("type", "expected a text or a token"));
        }
        token.only("type token")?;
        self.selector(&token.place("token")?).map(Some)
    }

    /// The tokens that are not among the any tokens of a format: those of its field, and the end of the nearest tag around it.
    pub(super) fn excluded_tokens(&self, object: &Object<'_>) -> Result<Vec<TokenSelector>, Diagnostic> {
        let mut excluded = self.selectors(object, "exclude_tokens", false)?;
        if let Some(End::Token(token)) = &self.nearest_end {
            excluded.push(token.clone());
        }
        Ok(excluded)
    }

    /// `exclude_token`, repeated: tokens except some.
    pub(super) fn other_tokens(
        &mut self,
        object: &Object<'_>,
        min: u32,
        max: Option<u32>,
    ) -> Result<Expr, Diagnostic> {
        object.only("type exclude_tokens")?;
        let except = self.excluded_tokens(object)?;
        Ok(self.draft.any_tokens(except, min, max))
    }

    /// `any_tokens`: any number of tokens except some.
    pub(super) fn any_tokens(&mut self, object: &Object<'_>, end: Option<&End>) -> Result<Expr, Diagnostic> {
        object.only("type exclude_tokens max_tokens")?;
        let most = count(object, "max_tokens", "this must be a number of tokens")?;
        let except = self.excluded_tokens(object)?;
        let body = self.draft.any_tokens(except, 0, most);
        Ok(self.ended(body, end))
    }

    /// Any tokens, in which each trigger is followed by its format. `first` asks for a call at the beginning, and `stop` ends after one call.
    pub(super) fn token_loop(
        &mut self,
        object: &Object<'_>,
        triggers: Vec<TokenSelector>,
        calls: Vec<Expr>,
        [first, stop]: [bool; 2],
        end: Option<&End>,
    ) -> Result<Expr, Diagnostic> {
        let mut except = self.excluded_tokens(object)?;
        except.extend(triggers);
        let calls = choice(calls);
        let any = self.draft.any_tokens(except, 0, None);
        let body = match (first, stop) {
            (true, true) => calls,
            (true, false) => {
                let more = sequence(vec![any.clone(), calls.clone()]);
                sequence(vec![calls, repeat(more, 0, None), any])
            }
            (false, true) => sequence(vec![any, repeat(calls, 0, Some(1))]),
            (false, false) => sequence(vec![any.clone(), repeat(sequence(vec![calls, any]), 0, None)]),
        };
        Ok(self.ended(body, end))
    }
}
