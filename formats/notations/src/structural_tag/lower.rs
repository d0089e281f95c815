//! Lowers formats to expressions of the draft.
//!
//! Formats contain formats, so the methods of this file call each other; the formats without inner formats are built in [`text`](super::text),
//! [`tokens`](super::tokens) and [`embedded`](super::embedded). A format is lowered together with its end. The nesting is bounded when the
//! fields are read.

use super::builder::{Builder, End};
use super::json::{Object, Place};
use super::options::Form;
use super::text::TriggeredText;
use crate::free_text::Trigger;
use crate::grammar_builder::{choice, nonterminal, repeat, sequence};
use gcc_grammar_ir::{Diagnostic, Expr};
use gcc_grammar_regular::Regex;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A tag that begins with a text.
struct Tag {
    begin: String,
    /// The content and the end.
    rest: Expr,
}

impl Builder<'_> {
    /// The expression of a format, followed by its end.
    pub(super) fn format(&mut self, object: &Object<'_>, end: Option<&End>) -> Result<Expr, Diagnostic> {
        self.charge(object)?;
        let kind = object.text("type")?;
        match kind.as_str() {
            "any_text" => return self.any_text(object, end),
            "sequence" => return self.sequence(object, end),
            "or" => {
                let parts = self.formats(&object.objects("elements")?, end)?;
                object.only("type elements")?;
                return Ok(choice(parts));
            }
            "triggered_tags" => return self.triggered_tags(object, end),
            "dispatch" => return self.dispatch(object, end),
            "any_tokens" => return self.any_tokens(object, end),
            "token_triggered_tags" => return self.token_triggered_tags(object, end),
            "token_dispatch" => return self.token_dispatch(object, end),
            _ => {}
        }
        let body = self.limited(object, &kind)?;
        Ok(self.ended(body, end))
    }

    /// The expression of a format whose end does not depend on the text behind it.
    fn limited(&mut self, object: &Object<'_>, kind: &str) -> Result<Expr, Diagnostic> {
        match kind {
            "const_string" => {
                object.only("type value")?;
                let text = object.text("value")?;
                Ok(self.draft.literal(&text, None))
            }
            "json_schema" => self.schema(object),
            "qwen_xml_parameter" => self.qwen_parameters(object),
            "grammar" => self.any_grammar(object),
            "regex" => {
                object.only("type pattern")?;
                self.regex(&object.place("pattern")?)
            }
            "optional" => self.repetition(object, Some((0, Some(1)))),
            "plus" => self.repetition(object, Some((1, None))),
            "star" => self.repetition(object, Some((0, None))),
            "repeat" => self.repetition(object, None),
            "tag" => self.tag(object),
            "tags_with_separator" => self.tags_with_separator(object),
            "token" => {
                object.only("type token")?;
                let selector = self.selector(&object.place("token")?)?;
                Ok(self.draft.tokens(vec![selector], "token", None))
            }
            "exclude_token" => self.other_tokens(object, 1, Some(1)),
            "rule" => self.rule(object),
            _ => Err(object.error("type", format!("there is no format {kind:?}")).help(
                "the formats are const_string, json_schema, grammar, regex, any_text, sequence, or, optional, plus, star, repeat, \
                 tag, triggered_tags, tags_with_separator, dispatch, token, exclude_token, any_tokens, token_triggered_tags, \
                 token_dispatch, rule",
            )),
        }
    }

    /// `rule`: a format that the root names, as often as it occurs.
    fn rule(&mut self, object: &Object<'_>) -> Result<Expr, Diagnostic> {
        object.only("type name")?;
        let name = object.text("name")?;
        let known = self.rules.get(&name).copied().map(nonterminal);
        known.ok_or_else(|| {
            object.error("name", format!("there is no rule {name:?}")).help("add it to the rules of the root")
        })
    }

    /// The formats that the root names. They may name each other.
    pub(super) fn rules(&mut self, root: &Object<'_>) -> Result<(), Diagnostic> {
        if !root.has("rules") {
            return Ok(());
        }
        let rules = root.object("rules")?;
        let names: Vec<String> = rules.names().map(str::to_owned).collect();
        for name in &names {
            let rule = self.draft.new_rule(name.clone(), None);
            self.rules.insert(name.clone(), rule);
        }
        for name in &names {
            let body = self.format(&rules.object(name)?, None)?;
            self.draft.set_body(self.rules[name], body);
        }
        Ok(())
    }

    fn formats(&mut self, objects: &[Object<'_>], end: Option<&End>) -> Result<Vec<Expr>, Diagnostic> {
        objects.iter().map(|object| self.format(object, end)).collect()
    }

    /// `sequence`: formats one after the other. The end belongs to the last one.
    fn sequence(&mut self, object: &Object<'_>, end: Option<&End>) -> Result<Expr, Diagnostic> {
        object.only("type elements")?;
        let elements = object.objects("elements")?;
        let Some((last, first)) = elements.split_last() else {
            return Ok(self.ended(Expr::Sequence(Vec::new()), end));
        };
        let mut parts = self.formats(first, None)?;
        parts.push(self.format(last, end)?);
        Ok(sequence(parts))
    }

    /// A repetition, with the bounds of its kind or else those of its fields `min` and `max`.
    fn repetition(
        &mut self,
        object: &Object<'_>,
        bounds: Option<(u32, Option<u32>)>,
    ) -> Result<Expr, Diagnostic> {
        let content = object.object("content")?;
        let (min, max) = bounds.map_or_else(|| self.bounds(object), Ok)?;
        object.only(match bounds {
            None => "type content min max",
            Some(_) => "type content",
        })?;
        if content.text("type")? == "exclude_token" {
            return self.other_tokens(&content, min, max);
        }
        Ok(repeat(self.format(&content, None)?, min, max))
    }

    /// The fields `min` and `max`, of which `max` may be -1 for no bound.
    fn bounds(&self, object: &Object<'_>) -> Result<(u32, Option<u32>), Diagnostic> {
        let number = |field: &str| {
            let number = object.number(field)?;
            number.ok_or_else(|| object.error(field, format!("{field:?} must be an integer")))
        };
        let wrong = |field| object.error(field, "this must be a number of times");
        let (min, max) = (number("min")?, number("max")?);
        let min = u32::try_from(min).map_err(|_| wrong("min"))?;
        match max {
            -1 => Ok((min, None)),
            max => match u32::try_from(max) {
                Ok(max) if max >= min => Ok((min, Some(max))),
                _ => Err(wrong("max")),
            },
        }
    }

    /// `tag`: a beginning, a content and an end.
    fn tag(&mut self, object: &Object<'_>) -> Result<Expr, Diagnostic> {
        let begin = match self.token_at(object, "begin")? {
            Some(token) => self.draft.tokens(vec![token], "begin token", None),
            None => {
                let begin = object.text("begin")?;
                self.draft.literal(&begin, None)
            }
        };
        let rest = self.after_begin(object)?;
        Ok(sequence(vec![begin, rest]))
    }

    /// The content and the end of a tag.
    fn after_begin(&mut self, object: &Object<'_>) -> Result<Expr, Diagnostic> {
        object.only("type begin content end")?;
        if object.has("type") && object.text("type")? != "tag" {
            return Err(object.error("type", "expected a tag"));
        }
        let end = self.end_of(object)?;
        let outer = std::mem::replace(&mut self.nearest_end, end.clone());
        let content = self.format(&object.object("content")?, end.as_ref());
        self.nearest_end = outer;
        content
    }

    /// The end of a tag; none if it is the empty text. A list may contain the empty text beside others.
    fn end_of(&mut self, object: &Object<'_>) -> Result<Option<End>, Diagnostic> {
        if let Some(token) = self.token_at(object, "end")? {
            return Ok(Some(End::Token(token)));
        }
        let place = object.place("end")?;
        let texts = match place.value.get().trim_start().starts_with('[') {
            true => place.list()?.iter().map(Place::text).collect::<Result<_, _>>()?,
            false => vec![place.text()?],
        };
        if texts.is_empty() {
            return Err(place.error("this list of ends is empty"));
        }
        Ok(texts.iter().any(|text| !text.is_empty()).then_some(End::Texts(texts)))
    }

    /// A tag whose beginning must be a text.
    fn text_tag(&mut self, object: &Object<'_>) -> Result<Tag, Diagnostic> {
        if self.token_at(object, "begin")?.is_some() {
            return Err(object
                .error("begin", "the beginning must be a text here")
                .help("use token_triggered_tags for tags that begin with a token"));
        }
        Ok(Tag { begin: object.text("begin")?, rest: self.after_begin(object)? })
    }

    /// `triggered_tags`: free text in which each trigger continues as a tag.
    fn triggered_tags(&mut self, object: &Object<'_>, end: Option<&End>) -> Result<Expr, Diagnostic> {
        object.only("type triggers tags at_least_one stop_after_first excludes")?;
        let triggers = object.texts("triggers", true)?;
        let tags = object.objects("tags")?;
        self.ahead(&tags);
        let tags: Result<Vec<Tag>, _> = tags.iter().map(|tag| self.text_tag(tag)).collect();
        self.triggered(object, triggers, &tags?, end)
    }

    /// The older form of structural tags: `structures` with `begin`, `schema` and `end`.
    pub(super) fn structures(&mut self, root: &Object<'_>) -> Result<Expr, Diagnostic> {
        let mut tags = Vec::new();
        for structure in root.objects("structures")? {
            structure.only("begin schema end")?;
            let schema = self.schema_at(&structure.place("schema")?, Form::default())?;
            let end = structure.text("end")?;
            let end = self.draft.literal(&end, None);
            tags.push(Tag { begin: structure.text("begin")?, rest: sequence(vec![schema, end]) });
        }
        let triggers = root.texts("triggers", true)?;
        self.triggered(root, triggers, &tags, None)
    }

    /// Free text in which each trigger continues as one of the tags that begin with it.
    fn triggered(
        &mut self,
        object: &Object<'_>,
        triggers: Vec<String>,
        tags: &[Tag],
        end: Option<&End>,
    ) -> Result<Expr, Diagnostic> {
        let mut by_trigger: Vec<Vec<Expr>> = vec![Vec::new(); triggers.len()];
        let numbers: FxHashMap<&str, usize> =
            triggers.iter().enumerate().rev().map(|(index, trigger)| (trigger.as_str(), index)).collect();
        let lengths: BTreeSet<usize> = triggers.iter().map(String::len).collect();
        // Tags whose trigger ends within the name of a special token: by the text up to the end of the name, the trigger, and what ends with the token.
        let mut across: BTreeMap<&str, (usize, Regex, Vec<Expr>)> = BTreeMap::new();
        for tag in tags {
            // If one trigger is a prefix of another one, the shorter is complete first.
            let mut beginnings = lengths.iter().filter_map(|&length| tag.begin.get(..length));
            let Some(index) = beginnings.find_map(|beginning| numbers.get(beginning).copied()) else {
                let message = format!("the tag that begins with {:?} has no trigger", tag.begin);
                return Err(object.error("triggers", message).help("a trigger is how the tag begins"));
            };
            let length = triggers[index].len();
            let rest = self.draft.literal(&tag.begin[length..], None);
            by_trigger[index].push(sequence(vec![rest, tag.rest.clone()]));
            if let Some((token, end)) = self.draft.across(&tag.begin, length) {
                let rest = self.draft.literal(&tag.begin[end..], None);
                let tags = across.entry(&tag.begin[..end]).or_insert((index, token, Vec::new()));
                tags.2.push(sequence(vec![rest, tag.rest.clone()]));
            }
        }
        let whole = |lowering: &mut Self| {
            let tags = tags
                .iter()
                .map(|tag| sequence(vec![lowering.draft.literal(&tag.begin, None), tag.rest.clone()]));
            choice(tags.collect())
        };
        let first = object.flag("at_least_one", false)?.then(|| whole(self));
        let stop = object.flag("stop_after_first", false)?;
        if let (Some(first), true) = (&first, stop) {
            return Ok(self.ended(first.clone(), end));
        }
        let mut found: Vec<Trigger> = triggers.iter().map(|word| self.draft.trigger(word)).collect();
        for (index, accepted, tags) in across.into_values() {
            found.push(Trigger { accepted, ..self.draft.trigger(&triggers[index]) });
            by_trigger.push(tags);
        }
        let TriggeredText { before, until, rest } = self.triggered_text(object, found, end)?;
        let calls = until.into_iter().zip(by_trigger);
        let calls = calls.map(|(until, tags)| sequence(vec![until, choice(tags)])).collect();
        Ok(self.call_loop(first, before, calls, rest, stop, end))
    }

    /// `dispatch`: free text in which each pattern is followed by its format.
    fn dispatch(&mut self, object: &Object<'_>, end: Option<&End>) -> Result<Expr, Diagnostic> {
        object.only("type rules loop excludes")?;
        let (mut triggers, mut formats) = (Vec::new(), Vec::new());
        for rule in object.list("rules", true)? {
            let (pattern, format) = pair(&rule, "a pattern")?;
            triggers.push(self.trigger(pattern)?);
            formats.push(self.format(&format.object()?, None)?);
        }
        let stop = !object.flag("loop", true)?;
        let TriggeredText { before, until, rest } = self.triggered_text(object, triggers, end)?;
        let calls = until.into_iter().zip(formats).map(|(until, format)| sequence(vec![until, format]));
        let calls = calls.collect();
        Ok(self.call_loop(None, before, calls, rest, stop, end))
    }

    /// `tags_with_separator`: tags with a separator between them, and no other text.
    fn tags_with_separator(&mut self, object: &Object<'_>) -> Result<Expr, Diagnostic> {
        object.only("type tags separator at_least_one stop_after_first")?;
        let tags = object.objects("tags")?;
        self.ahead(&tags);
        let tags: Result<Vec<Expr>, _> = tags.iter().map(|tag| self.tag(tag)).collect();
        let tag = choice(tags?);
        let separator = object.text("separator")?;
        let separator = self.draft.literal(&separator, None);
        let mut list = vec![tag.clone()];
        if !object.flag("stop_after_first", false)? {
            list.push(repeat(sequence(vec![separator, tag]), 0, None));
        }
        let list = sequence(list);
        Ok(if object.flag("at_least_one", false)? { list } else { repeat(list, 0, Some(1)) })
    }

    /// `token_triggered_tags`: any tokens, in which each trigger token continues as a tag.
    fn token_triggered_tags(&mut self, object: &Object<'_>, end: Option<&End>) -> Result<Expr, Diagnostic> {
        object.only("type trigger_tokens tags exclude_tokens at_least_one stop_after_first")?;
        let triggers = self.selectors(object, "trigger_tokens", true)?;
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

    /// `token_dispatch`: any tokens, in which each trigger token is followed by its format.
    fn token_dispatch(&mut self, object: &Object<'_>, end: Option<&End>) -> Result<Expr, Diagnostic> {
        object.only("type rules loop exclude_tokens")?;
        let (mut triggers, mut calls) = (Vec::new(), Vec::new());
        for rule in object.list("rules", true)? {
            let (token, format) = pair(&rule, "a token")?;
            let selector = self.selector(&token)?;
            let trigger = self.draft.tokens(vec![selector.clone()], "trigger", None);
            calls.push(sequence(vec![trigger, self.format(&format.object()?, None)?]));
            triggers.push(selector);
        }
        let stop = !object.flag("loop", true)?;
        self.token_loop(object, triggers, calls, [false, stop], end)
    }
}

/// The pair of a trigger, which is `what`, and a format.
fn pair<'t>(rule: &Place<'t>, what: &str) -> Result<(Place<'t>, Place<'t>), Diagnostic> {
    let mut pair = rule.list()?.into_iter();
    match (pair.next(), pair.next(), pair.next()) {
        (Some(trigger), Some(format), None) => Ok((trigger, format)),
        _ => Err(rule.error(format!("expected a pair of {what} and a format"))),
    }
}
