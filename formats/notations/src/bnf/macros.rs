//! Expands the macros of XGrammar's notation: `Regex`, `Substring`, `TagDispatch`, `Token`, `ExcludeToken`, `TokenTagDispatch`.
//!
//! Input: the cursor at the opening parenthesis of a call. Output: an expression over terminals and rules of the draft.

use super::arguments::{self, Arguments, Placed, Value, wrong};
use super::cursor::Cursor;
use crate::free_text::{self, FreeText};
use crate::grammar_builder::{choice, nonterminal, repeat, sequence};
use crate::named_rules::Rules;
use gcc_grammar_ir::{Diagnostic, Expr, Location, TokenSelector};
use gcc_grammar_regular::{CharSet, Dfa, PatternFlags, Regex, RegularLimits};
use std::ops::Range;

/// The result of a macro.
pub(super) enum Expansion {
    Expr(Expr),
    /// Any one token except these.
    AnyToken(Vec<TokenSelector>),
}

/// The name of a macro.
#[derive(Clone, Copy)]
pub(super) enum Macro {
    Regex,
    Substring,
    TagDispatch,
    Token,
    ExcludeToken,
    TokenTagDispatch,
}

impl Macro {
    /// All names.
    pub(super) const NAMES: [&str; 6] =
        ["Regex", "Substring", "TagDispatch", "Token", "ExcludeToken", "TokenTagDispatch"];

    /// The macro of this name, if there is one.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "Regex" => Self::Regex,
            "Substring" => Self::Substring,
            "TagDispatch" => Self::TagDispatch,
            "Token" => Self::Token,
            "ExcludeToken" => Self::ExcludeToken,
            "TokenTagDispatch" => Self::TokenTagDispatch,
            _ => return None,
        })
    }
}

/// Applies a macro, whose name begins at `start`, to the arguments at the cursor.
pub(super) fn expand<'t>(
    name: Macro,
    start: usize,
    cursor: &mut Cursor<'t>,
    rules: &mut Rules<'t>,
    limits: &RegularLimits,
) -> Result<Expansion, Diagnostic> {
    let mut arguments = arguments::read(cursor)?;
    let span = start..cursor.at;
    let mut call = Call { rules, limits, text: &cursor.text[span.clone()], span };
    let expansion = match name {
        Macro::Regex => Expansion::Expr(call.regex(&mut arguments)?),
        Macro::Substring => Expansion::Expr(call.substring(&mut arguments)?),
        Macro::TagDispatch => Expansion::Expr(call.tag_dispatch(&mut arguments)?),
        Macro::TokenTagDispatch => Expansion::Expr(call.token_dispatch(&mut arguments)?),
        Macro::Token => {
            let ids = call.token_ids(&mut arguments)?;
            let location = call.location();
            Expansion::Expr(call.rules.draft.tokens(ids, call.text, location))
        }
        Macro::ExcludeToken => Expansion::AnyToken(call.token_ids(&mut arguments)?),
    };
    arguments.finish()?;
    Ok(expansion)
}

/// A macro that is being expanded.
struct Call<'c, 't> {
    rules: &'c mut Rules<'t>,
    limits: &'c RegularLimits,
    /// The call as it is written, and where.
    text: &'c str,
    span: Range<usize>,
}

impl<'t> Call<'_, 't> {
    fn location(&self) -> Option<Location> {
        Some(Location::Span(self.span.clone()))
    }

    /// The token ids that are the arguments.
    fn token_ids(&self, arguments: &mut Arguments<'t>) -> Result<Vec<TokenSelector>, Diagnostic> {
        let ids = tokens(&arguments.take_positional())?;
        if ids.is_empty() { Err(wrong("give at least one token id", self.span.clone())) } else { Ok(ids) }
    }

    /// `Regex("…")`; with `json_string=true`, without the characters that a JSON string must escape. `flags` has letters: `i` for either
    /// case, `s` for a dot that matches line feeds, and `u`, which has no effect.
    fn regex(&mut self, arguments: &mut Arguments<'t>) -> Result<Expr, Diagnostic> {
        let positional = arguments.take_positional();
        let [(Value::Text(pattern), place)] = &positional[..] else {
            return Err(wrong("the argument of Regex must be one string", self.span.clone()));
        };
        let letters = arguments.text("flags")?;
        if let Some((text, place)) = &letters
            && let Some(letter) = text.chars().find(|letter| !"isu".contains(*letter))
        {
            return Err(
                wrong(format!("there is no flag `{letter}`"), place.clone()).help("the flags are i, s and u")
            );
        }
        let flags = PatternFlags::of_terminal(&letters.map_or_else(String::new, |(text, _)| text));
        let mut regex = Regex::parse_within(without_anchors(pattern), flags, self.limits)
            .map_err(|error| Diagnostic::from(error.at(place.clone())))?;
        if arguments.flag("json_string", false)? {
            let plain = CharSet::new([(0, 0x1F), (0x22, 0x22), (0x5C, 0x5C)]).negate();
            regex = Regex::Intersect(vec![regex, Regex::Chars(plain).star()]);
        }
        let location = self.location();
        Ok(self.rules.draft.regex(regex, &format!("/{pattern}/"), location))
    }

    /// `Substring("…", "…")`: consecutive ones of these texts, or none.
    fn substring(&mut self, arguments: &mut Arguments<'t>) -> Result<Expr, Diagnostic> {
        let chunk = |(value, place)| match value {
            Value::Text(text) => Ok(text),
            _ => Err(wrong("this argument must be a string", place)),
        };
        let chunks: Vec<String> =
            arguments.take_positional().into_iter().map(chunk).collect::<Result<_, _>>()?;
        let chunks: Vec<&str> = chunks.iter().map(String::as_str).filter(|chunk| !chunk.is_empty()).collect();
        let too_large = |_| wrong("the automaton of the texts is too large", self.span.clone());
        let dfa = Dfa::substrings(&chunks, self.limits).map_err(too_large)?;
        let location = self.location();
        Ok(self.rules.draft.regex(Regex::Automaton(dfa.into()), self.text, location))
    }

    /// Free text in which every tag is followed by the rule of the tag.
    fn tag_dispatch(&mut self, arguments: &mut Arguments<'t>) -> Result<Expr, Diagnostic> {
        let excludes =
            strings(arguments.tuple("excludes")?)?.iter().map(|word| Regex::literal(word)).collect();
        let again = arguments.flag("loop_after_dispatch", true)?;
        let mut tags = Vec::new();
        for (tag, rule) in self.pairs(arguments.take_positional())? {
            match tag {
                (Value::Text(tag), _) if !tag.is_empty() => tags.push((tag, rule)),
                (_, place) => return Err(wrong("a tag must be a string that is not empty", place)),
            }
        }
        let triggers = tags.iter().map(|(tag, _)| self.rules.draft.trigger(tag)).collect();
        let text = FreeText { triggers, excludes };
        let too_large = |error| {
            wrong(format!("the automaton of the tags is too large: {error}"), self.span.clone())
                .help("use fewer or shorter tags")
        };
        let automata = free_text::automata(&text, self.limits).map_err(too_large)?;
        let location = self.location();
        let draft = &mut self.rules.draft;
        let before = automata.before.map(|before| draft.regex(before, "text", location.clone()));
        let calls = automata.until.into_iter().zip(tags).map(|(until, (tag, rule))| {
            sequence(vec![draft.literals(until, &format!("text up to {tag:?}"), location.clone()), rule])
        });
        let calls = choice(calls.collect());
        let calls = sequence(before.into_iter().chain([calls]).collect());
        let rest = draft.regex(automata.without, "text without tags", location);
        Ok(if again { sequence(vec![repeat(calls, 0, None), rest]) } else { choice(vec![calls, rest]) })
    }

    /// Any tokens, in which every trigger is followed by the rule of the trigger.
    fn token_dispatch(&mut self, arguments: &mut Arguments<'t>) -> Result<Expr, Diagnostic> {
        let mut others = tokens(&arguments.tuple("excludes")?)?;
        let again = arguments.flag("loop_after_dispatch", true)?;
        let mut calls = Vec::new();
        for (trigger, rule) in self.pairs(arguments.take_positional())? {
            let selectors = tokens(&[trigger])?;
            others.extend(selectors.iter().cloned());
            let location = self.location();
            calls.push(sequence(vec![self.rules.draft.tokens(selectors, "trigger", location), rule]));
        }
        let any = self.rules.draft.any_tokens(others, 0, None);
        let calls = choice(calls);
        Ok(if again {
            sequence(vec![any.clone(), repeat(sequence(vec![calls, any]), 0, None)])
        } else {
            sequence(vec![any, repeat(calls, 0, Some(1))])
        })
    }

    /// Pairs of a trigger and the name of a rule.
    fn pairs(&mut self, arguments: Vec<Placed<'t>>) -> Result<Vec<(Placed<'t>, Expr)>, Diagnostic> {
        let message = "this argument must be a pair of a trigger and a rule";
        let mut pairs = Vec::new();
        for (value, place) in arguments {
            let Value::Tuple(mut parts) = value else { return Err(wrong(message, place)) };
            match (parts.pop(), parts.pop(), parts.pop()) {
                (Some((Value::Rule(rule), place)), Some(trigger), None) => {
                    pairs.push((trigger, nonterminal(self.rules.named(rule, place))));
                }
                _ => return Err(wrong(message, place)),
            }
        }
        Ok(pairs)
    }
}

/// The pattern without `^` at its beginning and `$` at its end: it matches a whole text anyway.
fn without_anchors(pattern: &str) -> &str {
    let pattern = pattern.strip_prefix('^').unwrap_or(pattern);
    let is_escaped = |before: &str| before.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1;
    pattern.strip_suffix('$').filter(|before| !is_escaped(before)).unwrap_or(pattern)
}

fn strings(values: Vec<Placed<'_>>) -> Result<Vec<String>, Diagnostic> {
    let text = |(value, place)| match value {
        Value::Text(text) if !text.is_empty() => Ok(text),
        _ => Err(wrong("this must be a string that is not empty", place)),
    };
    values.into_iter().map(text).collect()
}

fn tokens(values: &[Placed<'_>]) -> Result<Vec<TokenSelector>, Diagnostic> {
    let token = |(value, place): &Placed<'_>| match value {
        Value::Number(id) => Ok(TokenSelector::Ids(*id, *id)),
        _ => Err(wrong("this must be the id of a token", place.clone())),
    };
    values.iter().map(token).collect()
}
