//! Free text with an end, and free text in which triggers begin other formats.

use super::builder::{Builder, End, too_large};
use super::json::Object;
use crate::draft::{choice, repeat, sequence};
use crate::free_text::{self, Automata, FreeText};
use gcc_grammar_ir::{Diagnostic, Expr};
use gcc_grammar_regular::Regex;

/// The expressions of free text with triggers.
pub(super) struct TriggeredText {
    /// Per trigger, the text that ends with it.
    pub(super) until: Vec<Expr>,
    /// The text behind the last trigger, with the end of the format.
    pub(super) rest: Expr,
}

impl Builder<'_> {
    /// `any_text`: text without excluded words, up to its end.
    pub(super) fn any_text(&mut self, object: &Object<'_>, end: Option<&End>) -> Result<Expr, Diagnostic> {
        object.only(&["type", "excludes", "max_tokens", "max_chars"])?;
        self.warn_of_tokens(object)?;
        let excludes = object.texts("excludes", false)?;
        let most = match object.number("max_chars")? {
            None => None,
            Some(most) => Some(
                u32::try_from(most)
                    .map_err(|_| object.error("max_chars", "this must be a number of characters"))?,
            ),
        };
        let limits = self.options.limits.clone();
        let too_large = |error| too_large(object, error);
        let bounded = |text: Regex, ends: &[String]| match most {
            None => text,
            Some(most) => {
                let bounded = Regex::any_char().repeat(0, Some(most));
                let ends = Regex::union(ends.iter().map(|end| Regex::literal(end)));
                Regex::Intersect(vec![text, bounded.then(ends)])
            }
        };
        match end {
            Some(End::Texts(ends)) => {
                let text = FreeText { triggers: ends.clone(), excludes };
                let until = free_text::automata(&text, &limits).map_err(too_large)?.until;
                let text = bounded(Regex::Union(until), ends);
                Ok(self.draft.regex(text, "text with its end", None))
            }
            end => {
                let text = FreeText { triggers: Vec::new(), excludes };
                let without = free_text::automata(&text, &limits).map_err(too_large)?.without;
                let body = self.draft.regex(bounded(without, &[String::new()]), "text", None);
                Ok(self.ended(body, end))
            }
        }
    }

    /// Free text with triggers and an end. The end is excluded from the text before a trigger.
    pub(super) fn triggered_text(
        &mut self,
        object: &Object<'_>,
        triggers: Vec<String>,
        mut excludes: Vec<String>,
        end: Option<&End>,
    ) -> Result<TriggeredText, Diagnostic> {
        let limits = self.options.limits.clone();
        let too_large = |error| too_large(object, error);
        let ends = if let Some(End::Texts(ends)) = end { ends.clone() } else { Vec::new() };
        let last = FreeText { triggers: ends.clone(), excludes: [&excludes[..], &triggers].concat() };
        let last = free_text::automata(&last, &limits).map_err(too_large)?;
        excludes.extend(ends);
        let names: Vec<String> = triggers.iter().map(|trigger| format!("text up to {trigger:?}")).collect();
        let Automata { until, .. } =
            free_text::automata(&FreeText { triggers, excludes }, &limits).map_err(too_large)?;
        let until =
            until.into_iter().zip(names).map(|(until, name)| self.draft.regex(until, &name, None)).collect();
        let rest = match end {
            Some(End::Texts(_)) => self.draft.regex(Regex::Union(last.until), "text with its end", None),
            end => {
                let body = self.draft.regex(last.without, "text", None);
                self.ended(body, end)
            }
        };
        Ok(TriggeredText { until, rest })
    }

    /// A choice of calls any number of times, or at most once if `stop` is set, and then the rest. `first` comes before, if given.
    pub(super) fn call_loop(
        &mut self,
        first: Option<Expr>,
        calls: Vec<Expr>,
        rest: Expr,
        stop: bool,
        end: Option<&End>,
    ) -> Expr {
        let calls = choice(calls);
        if stop {
            return choice(vec![self.ended(calls, end), rest]);
        }
        let parts = first.into_iter().chain([repeat(calls, 0, None), rest]);
        sequence(parts.collect())
    }
}
