//! Tags: a beginning, a content and an end; and free text with tags in it.

use super::json::Object;
use super::lower::{End, Lowering};
use crate::draft::{choice, repeat, sequence};
use gcc_grammar_ir::{Diagnostic, Expr};

/// A tag whose beginning is a text.
struct Tag {
    begin: String,
    /// What follows the beginning, the end included.
    rest: Expr,
}

impl Lowering<'_> {
    /// `begin`, `content`, `end`.
    pub(super) fn tag(&mut self, object: &Object<'_>) -> Result<Expr, Diagnostic> {
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
    pub(super) fn after_begin(&mut self, object: &Object<'_>) -> Result<Expr, Diagnostic> {
        object.only(&["type", "begin", "content", "end"])?;
        if object.has("type") && object.text("type")? != "tag" {
            return Err(object.error("type", "a tag is wanted here"));
        }
        let end = self.end_of(object)?;
        self.format(&object.object("content")?, end.as_ref())
    }

    fn end_of(&mut self, object: &Object<'_>) -> Result<Option<End>, Diagnostic> {
        if let Some(token) = self.token_at(object, "end")? {
            return Ok(Some(End::Token(token)));
        }
        let place = object.place("end")?;
        let texts = match place.value.get().trim_start().starts_with('[') {
            true => object.texts("end", true)?,
            false => vec![place.text()?],
        };
        if texts.is_empty() {
            return Err(place.error("there is no end in this list"));
        }
        Ok((texts != [""]).then_some(End::Texts(texts)))
    }

    fn text_tag(&mut self, object: &Object<'_>) -> Result<Tag, Diagnostic> {
        if self.token_at(object, "begin")?.is_some() {
            return Err(object
                .error("begin", "the beginning must be a text here")
                .help("use token_triggered_tags for tags that begin with a token"));
        }
        Ok(Tag { begin: object.text("begin")?, rest: self.after_begin(object)? })
    }

    pub(super) fn triggered_tags(
        &mut self,
        object: &Object<'_>,
        end: Option<&End>,
    ) -> Result<Expr, Diagnostic> {
        object.only(&["type", "triggers", "tags", "at_least_one", "stop_after_first", "excludes"])?;
        let triggers = object.texts("triggers", true)?;
        let tags: Result<Vec<Tag>, _> =
            object.objects("tags")?.iter().map(|tag| self.text_tag(tag)).collect();
        self.triggered(object, triggers, &tags?, end)
    }

    /// The older form, `structures` with `begin`, `schema` and `end`.
    pub(super) fn structures(&mut self, root: &Object<'_>) -> Result<Expr, Diagnostic> {
        let mut tags = Vec::new();
        for structure in root.objects("structures")? {
            structure.only(&["begin", "schema", "end"])?;
            let schema = self.schema_at(&structure.place("schema")?, false)?;
            let end = structure.text("end")?;
            let end = self.draft.literal(&end, None);
            tags.push(Tag { begin: structure.text("begin")?, rest: sequence(vec![schema, end]) });
        }
        let triggers = root.texts("triggers", true)?;
        self.triggered(root, triggers, &tags, None)
    }

    fn triggered(
        &mut self,
        object: &Object<'_>,
        triggers: Vec<String>,
        tags: &[Tag],
        end: Option<&End>,
    ) -> Result<Expr, Diagnostic> {
        let mut by_trigger: Vec<Vec<Expr>> = vec![Vec::new(); triggers.len()];
        for tag in tags {
            // Of triggers that begin alike, the shortest is complete first.
            let shortest = (0..triggers.len()).filter(|&index| tag.begin.starts_with(&triggers[index]));
            let Some(index) = shortest.min_by_key(|&index| triggers[index].len()) else {
                let message = format!("the tag that begins with {:?} has no trigger", tag.begin);
                return Err(object.error("triggers", message).help("a trigger is how the tag begins"));
            };
            let rest = self.draft.literal(&tag.begin[triggers[index].len()..], None);
            by_trigger[index].push(sequence(vec![rest, tag.rest.clone()]));
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
        let excludes = object.texts("excludes", false)?;
        let (until, rest) = self.free(object, triggers, excludes, end)?;
        let calls = until.into_iter().zip(by_trigger);
        let calls = calls.map(|(until, tags)| sequence(vec![until, choice(tags)])).collect();
        Ok(self.loop_of(first, calls, rest, stop, end))
    }

    /// Calls and then the rest; at most one call if `stop`.
    fn loop_of(
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

    /// Free text; after a pattern its format; and so on.
    pub(super) fn dispatch(&mut self, object: &Object<'_>, end: Option<&End>) -> Result<Expr, Diagnostic> {
        object.only(&["type", "rules", "loop", "excludes"])?;
        let (mut patterns, mut formats) = (Vec::new(), Vec::new());
        for rule in object.list("rules", true)? {
            let mut pair = rule.list()?.into_iter();
            let (Some(pattern), Some(format), None) = (pair.next(), pair.next(), pair.next()) else {
                return Err(rule.error("a pair of a pattern and a format is wanted here"));
            };
            match pattern.text()? {
                text if text.is_empty() => return Err(pattern.error("this text must not be empty")),
                text => patterns.push(text),
            }
            formats.push(self.format(&format.object()?, None)?);
        }
        let excludes = object.texts("excludes", false)?;
        let stop = !object.flag("loop", true)?;
        let (until, rest) = self.free(object, patterns, excludes, end)?;
        let calls = until.into_iter().zip(formats).map(|(until, format)| sequence(vec![until, format]));
        let calls = calls.collect();
        Ok(self.loop_of(None, calls, rest, stop, end))
    }

    /// Tags and nothing else, with a separator between them.
    pub(super) fn tags_with_separator(&mut self, object: &Object<'_>) -> Result<Expr, Diagnostic> {
        object.only(&["type", "tags", "separator", "at_least_one", "stop_after_first"])?;
        let tags: Result<Vec<Expr>, _> = object.objects("tags")?.iter().map(|tag| self.tag(tag)).collect();
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
}
