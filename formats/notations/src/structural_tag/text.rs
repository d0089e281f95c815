//! Free text with an end, and free text in which triggers begin other formats.

use super::builder::{Builder, End, too_large};
use super::json::{Object, Place};
use crate::free_text::{self, Automata, FreeText, Trigger};
use crate::grammar_builder::{choice, repeat, sequence};
use gcc_grammar_ir::{Diagnostic, Expr};
use gcc_grammar_regular::Regex;

/// The expressions of free text with triggers.
pub(super) struct TriggeredText {
    /// The text before a trigger, if `until` is the trigger alone.
    pub(super) before: Option<Expr>,
    /// Per trigger, the text that ends with it.
    pub(super) until: Vec<Expr>,
    /// The text behind the last trigger, with the end of the format.
    pub(super) rest: Expr,
}

/// The number in a field, if it is there.
pub(super) fn count(object: &Object<'_>, field: &str, expected: &str) -> Result<Option<u32>, Diagnostic> {
    let number = object.number(field)?;
    number.map(|number| u32::try_from(number).map_err(|_| object.error(field, expected))).transpose()
}

impl Builder<'_> {
    /// `any_text`: text without excluded words, up to its end.
    pub(super) fn any_text(&mut self, object: &Object<'_>, end: Option<&End>) -> Result<Expr, Diagnostic> {
        object.only("type excludes max_tokens max_chars")?;
        let most = count(object, "max_chars", "this must be a number of characters")?;
        let text = FreeText { triggers: Vec::new(), excludes: self.excludes(object)? };
        let Automata { without, .. } = self.automata(object, &text)?;
        let text = match most {
            None => without,
            Some(most) => {
                let bounded = Regex::Intersect(vec![without, Regex::any_char().repeat(0, Some(most))]);
                let help = "give fewer characters, or max_tokens in place of them";
                let dfa = bounded
                    .to_dfa(&self.options.limits)
                    .map_err(|error| too_large(object, "max_chars", error).help(help))?;
                Regex::Automaton(dfa.into())
            }
        };
        match count(object, "max_tokens", "this must be a number of tokens")? {
            // The end is no part of the text that is limited, so it begins behind it.
            Some(most) => {
                let text = self.draft.limited(text, most, "text");
                Ok(self.ended(text, end))
            }
            None => Ok(self.free_text(text, end)),
        }
    }

    /// Free text with triggers and an end.
    pub(super) fn triggered_text(
        &mut self,
        object: &Object<'_>,
        triggers: Vec<Trigger>,
        end: Option<&End>,
    ) -> Result<TriggeredText, Diagnostic> {
        let text = FreeText { triggers, excludes: self.excludes(object)? };
        let Automata { before, until, without } = self.automata(object, &text)?;
        let before = before.map(|before| self.draft.regex(before, "text", None));
        let names = text.triggers.iter().map(|trigger| format!("text up to {:?}", trigger.name));
        let until = until.into_iter().zip(names).map(|(until, name)| self.draft.literals(until, &name, None));
        let until = until.collect();
        Ok(TriggeredText { before, until, rest: self.free_text(without, end) })
    }

    /// The words that the free text of a format does not contain: those of its field, and the ends of the nearest tag around it.
    fn excludes(&self, object: &Object<'_>) -> Result<Vec<Regex>, Diagnostic> {
        let places = object.list("excludes", false)?;
        let mut excludes: Vec<Regex> = places
            .into_iter()
            .map(|place| Ok(self.trigger(place)?.word))
            .collect::<Result<_, Diagnostic>>()?;
        if let Some(End::Texts(ends)) = &self.nearest_end {
            excludes.extend(ends.iter().filter(|end| !end.is_empty()).map(|end| Regex::literal(end)));
        }
        Ok(excludes)
    }

    /// What ends free text, or does not stand in it: a text, or any one of the texts of a `regex`.
    pub(super) fn trigger(&self, place: Place<'_>) -> Result<Trigger, Diagnostic> {
        if !place.value.get().trim_start().starts_with('{') {
            return match place.text()? {
                text if text.is_empty() => Err(place.error("this text must not be empty")),
                text => Ok(self.draft.trigger(&text)),
            };
        }
        let object = place.object()?;
        object.only("type pattern")?;
        if object.text("type")? != "regex" {
            return Err(object.error("type", "expected a text, or a regex"));
        }
        let place = object.place("pattern")?;
        let dfa = self.pattern(&place)?;
        if dfa.matches_empty() {
            return Err(place.error("this pattern must not match the empty text"));
        }
        let word = Regex::Automaton(dfa.into());
        Ok(Trigger { name: place.text()?, accepted: word.clone(), word })
    }

    fn automata(&self, object: &Object<'_>, text: &FreeText) -> Result<Automata, Diagnostic> {
        free_text::automata(text, &self.options.limits).map_err(|error| too_large(object, "", error))
    }

    /// Free text and the end after it. With an end that is a text, both are one terminal, in which the end begins at any place.
    fn free_text(&mut self, text: Regex, end: Option<&End>) -> Expr {
        match end {
            Some(End::Texts(ends)) => {
                let ends = Regex::union(ends.iter().map(|end| self.draft.accepted(end)));
                self.draft.literals(text.then(ends), "text with its end", None)
            }
            end => {
                let text = self.draft.regex(text, "text", None);
                self.ended(text, end)
            }
        }
    }

    /// A choice of calls, each with the text `before` it, any number of times, or at most once if `stop` is set, and then the rest. `first`
    /// comes before all of them, if given.
    pub(super) fn call_loop(
        &mut self,
        first: Option<Expr>,
        before: Option<Expr>,
        calls: Vec<Expr>,
        rest: Expr,
        stop: bool,
        end: Option<&End>,
    ) -> Expr {
        let calls = sequence(before.into_iter().chain([choice(calls)]).collect());
        if stop {
            return choice(vec![self.ended(calls, end), rest]);
        }
        let parts = first.into_iter().chain([repeat(calls, 0, None), rest]);
        sequence(parts.collect())
    }
}
