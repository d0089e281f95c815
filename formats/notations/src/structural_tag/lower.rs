//! Formats to right parts.

use super::Options;
use super::json::{Object, Place};
use crate::bnf;
use crate::draft::{Draft, choice, nonterminal, repeat, sequence};
use crate::free_text::{self, Automata, FreeText};
use gcc_grammar_ir::{Code, Diagnostic, Expr, Grammar, Location, NonterminalId, TokenSelector};
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_json_schema::PropertyOrder;
use gcc_grammar_regular::{PatternFlags, Regex, TooLarge};
use rustc_hash::FxHashMap;

/// What ends a format; it belongs to what is made of the format.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// Any one of these texts.
    Texts(Vec<String>),
    /// This token.
    Token(TokenSelector),
}

/// What has been made so far.
pub(super) struct Lowering<'o> {
    pub(super) options: &'o Options,
    pub(super) draft: Draft,
    /// Grammars of their own, and the rules that stand for them.
    pub(super) parts: Vec<(NonterminalId, Grammar)>,
    known: FxHashMap<(String, bool), NonterminalId>,
    pub(super) errors: Vec<Diagnostic>,
    pub(super) warnings: Vec<Diagnostic>,
}

impl<'o> Lowering<'o> {
    pub(super) fn new(options: &'o Options) -> Self {
        let (draft, parts, known, errors, warnings) = Default::default();
        Self { options, draft, parts, known, errors, warnings }
    }

    /// What the format derives, followed by its end.
    pub(super) fn format(&mut self, object: &Object<'_>, end: Option<&End>) -> Result<Expr, Diagnostic> {
        let kind = object.text("type")?;
        match kind.as_str() {
            "any_text" => return self.any_text(object, end),
            "sequence" => return self.sequence(object, end),
            "or" => {
                let parts = self.formats(&object.objects("elements")?, end)?;
                object.only(&["type", "elements"])?;
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

    /// Formats that know where they end.
    fn limited(&mut self, object: &Object<'_>, kind: &str) -> Result<Expr, Diagnostic> {
        match kind {
            "const_string" => {
                object.only(&["type", "value"])?;
                let text = object.text("value")?;
                Ok(self.draft.literal(&text, None))
            }
            "json_schema" => self.schema(object),
            "grammar" => {
                object.only(&["type", "grammar"])?;
                self.grammar(&object.place("grammar")?)
            }
            "regex" => {
                object.only(&["type", "pattern"])?;
                self.regex(&object.place("pattern")?)
            }
            "optional" | "plus" | "star" | "repeat" => self.repetition(object, kind),
            "tag" => self.tag(object),
            "tags_with_separator" => self.tags_with_separator(object),
            "token" => {
                object.only(&["type", "token"])?;
                let selector = self.selector(&object.place("token")?)?;
                Ok(self.draft.tokens(vec![selector], "token", None))
            }
            "exclude_token" => Err(object
                .error("type", "a single token that may be any but some cannot be asked for")
                .help("ordinary tokens are matched by their text; use any_tokens, or repeat it with star or plus")),
            _ => Err(object.error("type", format!("there is no format {kind:?}")).help(
                "the formats are const_string, json_schema, grammar, regex, any_text, sequence, or, optional, plus, star, repeat, \
                 tag, triggered_tags, tags_with_separator, dispatch, token, any_tokens, token_triggered_tags, token_dispatch",
            )),
        }
    }

    pub(super) fn formats(
        &mut self,
        objects: &[Object<'_>],
        end: Option<&End>,
    ) -> Result<Vec<Expr>, Diagnostic> {
        objects.iter().map(|object| self.format(object, end)).collect()
    }

    /// The body, and then its end.
    pub(super) fn ended(&mut self, body: Expr, end: Option<&End>) -> Expr {
        match end {
            Some(end) => sequence(vec![body, self.end(end)]),
            None => body,
        }
    }

    pub(super) fn end(&mut self, end: &End) -> Expr {
        match end {
            End::Texts(texts) => choice(texts.iter().map(|text| self.draft.literal(text, None)).collect()),
            End::Token(selector) => self.draft.tokens(vec![selector.clone()], "end token", None),
        }
    }

    fn sequence(&mut self, object: &Object<'_>, end: Option<&End>) -> Result<Expr, Diagnostic> {
        object.only(&["type", "elements"])?;
        let elements = object.objects("elements")?;
        let Some((last, first)) = elements.split_last() else {
            return Ok(self.ended(Expr::Sequence(Vec::new()), end));
        };
        let mut parts = self.formats(first, None)?;
        parts.push(self.format(last, end)?);
        Ok(sequence(parts))
    }

    fn repetition(&mut self, object: &Object<'_>, kind: &str) -> Result<Expr, Diagnostic> {
        let content = object.object("content")?;
        let (min, max) = match kind {
            "optional" => (0, Some(1)),
            "plus" => (1, None),
            "star" => (0, None),
            _ => self.bounds(object)?,
        };
        object.only(if kind == "repeat" {
            &["type", "content", "min", "max"]
        } else {
            &["type", "content"]
        })?;
        if min <= 1 && max.is_none() && content.text("type")? == "exclude_token" {
            content.only(&["type", "exclude_tokens"])?;
            let except = self.selectors(&content, "exclude_tokens")?;
            return Ok(repeat(self.draft.any_token(except), min, None));
        }
        Ok(repeat(self.format(&content, None)?, min, max))
    }

    fn bounds(&self, object: &Object<'_>) -> Result<(u32, Option<u32>), Diagnostic> {
        let number = |field: &str| {
            let number = object.number(field)?;
            number.ok_or_else(|| object.error(field, format!("{field:?} must be an integer")))
        };
        let wrong = |field| object.error(field, "this is no number of times");
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

    fn any_text(&mut self, object: &Object<'_>, end: Option<&End>) -> Result<Expr, Diagnostic> {
        object.only(&["type", "excludes", "max_tokens", "max_chars"])?;
        self.warn_of_tokens(object)?;
        let excludes = object.texts("excludes", false)?;
        let most = match object.number("max_chars")? {
            None => None,
            Some(most) => Some(
                u32::try_from(most)
                    .map_err(|_| object.error("max_chars", "this is no number of characters"))?,
            ),
        };
        let limits = self.options.limits;
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

    /// The automata of text up to triggers, where the end counts as excluded, and of text up to the end, or to anywhere if the end
    /// is no text.
    pub(super) fn free(
        &mut self,
        object: &Object<'_>,
        triggers: Vec<String>,
        mut excludes: Vec<String>,
        end: Option<&End>,
    ) -> Result<(Vec<Expr>, Expr), Diagnostic> {
        let limits = self.options.limits;
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
        Ok((until, rest))
    }

    /// A limit on tokens, which a grammar cannot count.
    pub(super) fn warn_of_tokens(&mut self, object: &Object<'_>) -> Result<(), Diagnostic> {
        if object.number("max_tokens")?.is_some() {
            let message = "`max_tokens` is not enforced: a grammar counts characters, not tokens";
            let place = Location::Pointer(format!("{}/max_tokens", object.pointer));
            let warning = Diagnostic::warning(Code::NotEnforced, message).at(place);
            self.warnings.push(warning.help("set max_chars instead"));
        }
        Ok(())
    }

    fn regex(&mut self, place: &Place<'_>) -> Result<Expr, Diagnostic> {
        let pattern = place.text()?;
        let flags = PatternFlags { extensions: true, ..PatternFlags::default() };
        let regex = Regex::parse(&pattern, flags).map_err(|error| inner(place, error.into()))?;
        // Assertions are about the text that the pattern matches, so it becomes an automaton before anything is put next to it.
        let dfa = regex.to_dfa(&self.options.limits);
        let dfa = dfa.map_err(|error| Diagnostic {
            code: Code::TooLarge,
            ..place.error(format!("this pattern is too large: {error}"))
        })?;
        Ok(self.draft.regex(Regex::Automaton(dfa.into()), &format!("/{pattern}/"), None))
    }

    fn grammar(&mut self, place: &Place<'_>) -> Result<Expr, Diagnostic> {
        let text = place.text()?;
        if let Some(&known) = self.known.get(&(text.clone(), true)) {
            return Ok(nonterminal(known));
        }
        let options = bnf::Options::new(bnf::Dialect::XGrammar);
        match bnf::parse(&text, &bnf::Options { limits: self.options.limits, ..options }) {
            Ok(parsed) => {
                self.warnings.extend(parsed.warnings.into_iter().map(|warning| inner(place, warning)));
                Ok(nonterminal(self.part((text, true), "grammar", parsed.grammar)))
            }
            Err(errors) => {
                self.errors.extend(errors.into_iter().map(|error| inner(place, error)));
                Ok(Expr::Choice(Vec::new()))
            }
        }
    }

    fn schema(&mut self, object: &Object<'_>) -> Result<Expr, Diagnostic> {
        object.only(&["type", "json_schema", "style", "any_order"])?;
        if object.has("style") && object.text("style")? != "json" {
            return Err(object
                .error("style", "only the style \"json\" is supported")
                .help("describe other styles by tags around the parameters"));
        }
        let any_order = object.flag("any_order", false)?;
        self.schema_at(&object.place("json_schema")?, any_order)
    }

    pub(super) fn schema_at(&mut self, place: &Place<'_>, any_order: bool) -> Result<Expr, Diagnostic> {
        let text = place.value.get().to_owned();
        let key = (format!("{any_order} {text}"), false);
        if let Some(&known) = self.known.get(&key) {
            return Ok(nonterminal(known));
        }
        let mut options = self.options.json.clone();
        if any_order {
            options.property_order = PropertyOrder::Any;
        }
        match json_schema::compile(&text, &options) {
            Ok(compiled) => {
                self.warnings.extend(compiled.warnings.into_iter().map(|warning| inner(place, warning)));
                Ok(nonterminal(self.part(key, "schema", compiled.grammar)))
            }
            Err(errors) => {
                self.errors.extend(errors.into_iter().map(|error| inner(place, error)));
                Ok(Expr::Choice(Vec::new()))
            }
        }
    }

    fn part(&mut self, key: (String, bool), name: &str, grammar: Grammar) -> NonterminalId {
        let place = self.draft.new_rule(format!("{name}#{}", self.parts.len() + 1), None);
        self.known.insert(key, place);
        self.parts.push((place, grammar));
        place
    }
}

pub(super) fn too_large(object: &Object<'_>, error: TooLarge) -> Diagnostic {
    Diagnostic { code: Code::TooLarge, ..object.error("", format!("this is too large: {error}")) }
}

/// A diagnostic about what stands at a place.
fn inner(place: &Place<'_>, mut diagnostic: Diagnostic) -> Diagnostic {
    let pointer = match diagnostic.location.take() {
        Some(Location::Pointer(pointer)) => format!("{}{pointer}", place.pointer),
        Some(Location::Span(span)) => {
            let text = place.text().unwrap_or_default();
            let (line, column) = gcc_grammar_ir::diagnostic::line_and_column(&text, span.start);
            diagnostic.message = format!("line {line}, column {column}: {}", diagnostic.message);
            place.pointer.clone()
        }
        _ => place.pointer.clone(),
    };
    diagnostic.at(Location::Pointer(pointer))
}
