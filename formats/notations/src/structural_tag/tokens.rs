//! Formats over tokens. Ordinary tokens are any text; special ones are named.

use super::json::{Object, Place};
use super::lower::{End, Lowering};
use crate::draft::{choice, repeat, sequence};
use gcc_grammar_ir::{Diagnostic, Expr, TokenSelector};
use serde_json::Value;

impl Lowering<'_> {
    /// A token by id or name.
    pub(super) fn selector(&self, place: &Place<'_>) -> Result<TokenSelector, Diagnostic> {
        match place.any()? {
            Value::String(name) if !name.is_empty() => Ok(TokenSelector::Name(name)),
            Value::Number(id) => match id.as_u64().and_then(|id| u32::try_from(id).ok()) {
                Some(id) => Ok(TokenSelector::Ids(id, id)),
                None => Err(place.error("this is no id of a token")),
            },
            _ => Err(place.error("the id or the name of a token is wanted here")),
        }
    }

    pub(super) fn selectors(
        &self,
        object: &Object<'_>,
        field: &str,
    ) -> Result<Vec<TokenSelector>, Diagnostic> {
        object.list(field, false)?.iter().map(|place| self.selector(place)).collect()
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
            return Err(token.error("type", "a text or a token is wanted here"));
        }
        token.only(&["type", "token"])?;
        self.selector(&token.place("token")?).map(Some)
    }

    /// Any tokens save these and the end.
    fn tokens(&mut self, mut except: Vec<TokenSelector>, end: Option<&End>) -> Expr {
        if let Some(End::Token(token)) = end {
            except.push(token.clone());
        }
        repeat(self.draft.any_token(except), 0, None)
    }

    pub(super) fn any_tokens(&mut self, object: &Object<'_>, end: Option<&End>) -> Result<Expr, Diagnostic> {
        object.only(&["type", "exclude_tokens", "max_tokens"])?;
        self.warn_of_tokens(object)?;
        let except = self.selectors(object, "exclude_tokens")?;
        let body = self.tokens(except, end);
        Ok(self.ended(body, end))
    }

    pub(super) fn token_triggered_tags(
        &mut self,
        object: &Object<'_>,
        end: Option<&End>,
    ) -> Result<Expr, Diagnostic> {
        object.only(&[
            "type",
            "trigger_tokens",
            "tags",
            "exclude_tokens",
            "at_least_one",
            "stop_after_first",
        ])?;
        let triggers = self.selectors(object, "trigger_tokens")?;
        let mut calls = Vec::new();
        for tag in object.objects("tags")? {
            match self.token_at(&tag, "begin")? {
                Some(begin) if triggers.contains(&begin) => calls.push(self.tag(&tag)?),
                Some(_) => return Err(tag.error("begin", "this token is not among the triggers")),
                None => {
                    return Err(tag
                        .error("begin", "the beginning must be a token here")
                        .help("use triggered_tags for tags that begin with a text"));
                }
            }
        }
        let first = object.flag("at_least_one", false)?;
        let stop = object.flag("stop_after_first", false)?;
        self.token_loop(object, triggers, calls, [first, stop], end)
    }

    pub(super) fn token_dispatch(
        &mut self,
        object: &Object<'_>,
        end: Option<&End>,
    ) -> Result<Expr, Diagnostic> {
        object.only(&["type", "rules", "loop", "exclude_tokens"])?;
        let (mut triggers, mut calls) = (Vec::new(), Vec::new());
        for rule in object.list("rules", true)? {
            let mut pair = rule.list()?.into_iter();
            let (Some(token), Some(format), None) = (pair.next(), pair.next(), pair.next()) else {
                return Err(rule.error("a pair of a token and a format is wanted here"));
            };
            let selector = self.selector(&token)?;
            let trigger = self.draft.tokens(vec![selector.clone()], "trigger", None);
            calls.push(sequence(vec![trigger, self.format(&format.object()?, None)?]));
            triggers.push(selector);
        }
        let stop = !object.flag("loop", true)?;
        self.token_loop(object, triggers, calls, [false, stop], end)
    }

    fn token_loop(
        &mut self,
        object: &Object<'_>,
        triggers: Vec<TokenSelector>,
        calls: Vec<Expr>,
        [first, stop]: [bool; 2],
        end: Option<&End>,
    ) -> Result<Expr, Diagnostic> {
        let mut except = self.selectors(object, "exclude_tokens")?;
        except.extend(triggers);
        let calls = choice(calls);
        let any = self.tokens(except, end);
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
