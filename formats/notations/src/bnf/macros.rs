//! The macros of XGrammar's notation: `Regex`, `TagDispatch`, `Token`, `ExcludeToken`, `TokenTagDispatch`.

use super::cursor::error;
use super::syntax::Reader;
use crate::draft::{choice, nonterminal, repeat, sequence};
use crate::free_text::{self, FreeText};
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, Expr, Location, TokenSelector};
use gcc_grammar_regular::Regex;
use gcc_grammar_regular::{CharSet, PatternFlags};
use std::ops::Range;

/// How deep tuples may nest.
const MAX_NESTING: usize = 10;

/// What a macro stands for.
pub(super) enum Expansion {
    Expr(Expr),
    /// Any one token save these.
    AnyToken(Vec<TokenSelector>),
}

/// An argument.
#[derive(Clone, Debug)]
enum Value<'t> {
    Text(String),
    Number(u32),
    Flag(bool),
    Rule(&'t str),
    Tuple(Vec<(Value<'t>, Range<usize>)>),
}

type Placed<'t> = (Value<'t>, Range<usize>);

/// The arguments of a call.
#[derive(Default)]
struct Arguments<'t> {
    positional: Vec<Placed<'t>>,
    named: Vec<(&'t str, Placed<'t>)>,
}

/// The macro of this name, if there is one, applied to the arguments that come next.
pub(super) fn expand<'t>(
    reader: &mut Reader<'t>,
    name: &str,
    start: usize,
) -> Result<Option<Expansion>, Diagnostic> {
    if !matches!(name, "Regex" | "TagDispatch" | "Token" | "ExcludeToken" | "TokenTagDispatch") {
        return Ok(None);
    }
    let mut arguments = read_arguments(reader)?;
    let span = start..reader.cursor.at;
    let expansion = match name {
        "Regex" => Expansion::Expr(regex(reader, &mut arguments, &span)?),
        "TagDispatch" => Expansion::Expr(tag_dispatch(reader, &mut arguments, &span)?),
        "TokenTagDispatch" => Expansion::Expr(token_dispatch(reader, &mut arguments, &span)?),
        _ => {
            let ids = tokens(&arguments.take_positional())?;
            if ids.is_empty() {
                return Err(wrong("one or more token ids are wanted", span));
            }
            if name == "Token" {
                Expansion::Expr(reader.draft.tokens(ids, &reader.cursor.text[span.clone()], at(&span)))
            } else {
                Expansion::AnyToken(ids)
            }
        }
    };
    arguments.finish()?;
    Ok(Some(expansion))
}

fn at(span: &Range<usize>) -> Option<Location> {
    Some(Location::Span(span.clone()))
}

fn wrong(message: impl Into<String>, span: Range<usize>) -> Diagnostic {
    error(Code::BadMacro, message, span)
}

/// `Regex("…")`; with `json_string=true` without characters that a JSON string must escape.
fn regex(
    reader: &mut Reader<'_>,
    arguments: &mut Arguments<'_>,
    span: &Range<usize>,
) -> Result<Expr, Diagnostic> {
    let positional = arguments.take_positional();
    let [(Value::Text(pattern), place)] = &positional[..] else {
        return Err(wrong("Regex wants one string", span.clone()));
    };
    let flags = PatternFlags { refuse_assertions: true, extensions: true, ..PatternFlags::default() };
    let mut regex =
        Regex::parse(pattern, flags).map_err(|error| Diagnostic::from(error.at(place.clone())))?;
    if arguments.flag("json_string", false)? {
        let plain = CharSet::new([(0, 0x1F), (0x22, 0x22), (0x5C, 0x5C)]).negate();
        regex = Regex::Intersect(vec![regex, Regex::Chars(plain).star()]);
    }
    Ok(reader.draft.regex(regex, &format!("/{pattern}/"), at(span)))
}

/// Free text; after one of the tags its rule; and so on.
fn tag_dispatch<'t>(
    reader: &mut Reader<'t>,
    arguments: &mut Arguments<'t>,
    span: &Range<usize>,
) -> Result<Expr, Diagnostic> {
    let excludes = strings(arguments.tuple("excludes")?)?;
    let again = arguments.flag("loop_after_dispatch", true)?;
    let mut tags = Vec::new();
    for (tag, rule) in pairs(reader, arguments.take_positional())? {
        match tag {
            (Value::Text(tag), _) if !tag.is_empty() => tags.push((tag, rule)),
            (_, place) => return Err(wrong("a tag is a string that is not empty", place)),
        }
    }
    let triggers = tags.iter().map(|(tag, _)| tag.clone()).collect();
    let text = FreeText { triggers, excludes };
    let too_large = |_| wrong("the tags are too large", span.clone()).help("use fewer or shorter tags");
    let made = free_text::automata(&text, &reader.limits).map_err(too_large)?;
    let calls = made.until.into_iter().zip(tags).map(|(until, (tag, rule))| {
        sequence(vec![reader.draft.regex(until, &format!("text up to {tag:?}"), at(span)), rule])
    });
    let calls = choice(calls.collect());
    let rest = reader.draft.regex(made.without, "text without tags", at(span));
    Ok(if again { sequence(vec![repeat(calls, 0, None), rest]) } else { choice(vec![calls, rest]) })
}

/// Any tokens; after one of these its rule; and so on.
fn token_dispatch<'t>(
    reader: &mut Reader<'t>,
    arguments: &mut Arguments<'t>,
    span: &Range<usize>,
) -> Result<Expr, Diagnostic> {
    let mut others = tokens(&arguments.tuple("excludes")?)?;
    let again = arguments.flag("loop_after_dispatch", true)?;
    let mut calls = Vec::new();
    for (trigger, rule) in pairs(reader, arguments.take_positional())? {
        let selectors = tokens(&[trigger])?;
        others.extend(selectors.iter().cloned());
        calls.push(sequence(vec![reader.draft.tokens(selectors, "trigger", at(span)), rule]));
    }
    let any = repeat(reader.draft.any_token(others), 0, None);
    let calls = choice(calls);
    Ok(if again {
        sequence(vec![any.clone(), repeat(sequence(vec![calls, any]), 0, None)])
    } else {
        sequence(vec![any, repeat(calls, 0, Some(1))])
    })
}

/// Pairs of a trigger and the name of a rule.
fn pairs<'t>(
    reader: &mut Reader<'t>,
    arguments: Vec<Placed<'t>>,
) -> Result<Vec<(Placed<'t>, Expr)>, Diagnostic> {
    let mut pairs = Vec::new();
    for (value, place) in arguments {
        let Value::Tuple(mut parts) = value else {
            return Err(wrong("a pair of a trigger and a rule is wanted", place));
        };
        match (parts.pop(), parts.pop(), parts.pop()) {
            (Some((Value::Rule(rule), place)), Some(trigger), None) => {
                pairs.push((trigger, nonterminal(reader.named(rule, place))));
            }
            _ => return Err(wrong("a pair of a trigger and a rule is wanted", place)),
        }
    }
    Ok(pairs)
}

fn strings(values: Vec<Placed<'_>>) -> Result<Vec<String>, Diagnostic> {
    let text = |(value, place)| match value {
        Value::Text(text) if !text.is_empty() => Ok(text),
        _ => Err(wrong("a string that is not empty is wanted", place)),
    };
    values.into_iter().map(text).collect()
}

fn tokens(values: &[Placed<'_>]) -> Result<Vec<TokenSelector>, Diagnostic> {
    let token = |(value, place): &Placed<'_>| match value {
        Value::Number(id) => Ok(TokenSelector::Ids(*id, *id)),
        _ => Err(wrong("the id of a token is wanted", place.clone())),
    };
    values.iter().map(token).collect()
}

impl<'t> Arguments<'t> {
    fn take_positional(&mut self) -> Vec<Placed<'t>> {
        std::mem::take(&mut self.positional)
    }

    fn take(&mut self, name: &str) -> Option<Placed<'t>> {
        let index = self.named.iter().position(|(known, _)| *known == name)?;
        Some(self.named.remove(index).1)
    }

    fn flag(&mut self, name: &str, default: bool) -> Result<bool, Diagnostic> {
        match self.take(name) {
            None => Ok(default),
            Some((Value::Flag(flag), _)) => Ok(flag),
            Some((_, place)) => Err(wrong("true or false is wanted", place)),
        }
    }

    fn tuple(&mut self, name: &str) -> Result<Vec<Placed<'t>>, Diagnostic> {
        match self.take(name) {
            None => Ok(Vec::new()),
            Some((Value::Tuple(values), _)) => Ok(values),
            Some((_, place)) => Err(wrong("a list in parentheses is wanted", place)),
        }
    }

    fn finish(self) -> Result<(), Diagnostic> {
        match (self.positional.into_iter().next(), self.named.into_iter().next()) {
            (Some((_, place)), _) => Err(wrong("this argument is one too many", place)),
            (_, Some((name, (_, place)))) => Err(wrong(format!("there is no argument `{name}` here"), place)),
            (None, None) => Ok(()),
        }
    }
}

fn read_arguments<'t>(reader: &mut Reader<'t>) -> Result<Arguments<'t>, Diagnostic> {
    let mut arguments = Arguments::default();
    reader.cursor.at += 1;
    loop {
        reader.cursor.space(true);
        if reader.cursor.eat(")") {
            return Ok(arguments);
        }
        let (value, place) = read_value(reader, 0)?;
        reader.cursor.space(true);
        match value {
            Value::Rule(name) if reader.cursor.eat("=") => {
                reader.cursor.space(true);
                let value = read_value(reader, 0)?;
                arguments.named.push((name, value));
            }
            value => arguments.positional.push((value, place)),
        }
        separator(reader)?;
    }
}

fn separator(reader: &mut Reader<'_>) -> Result<(), Diagnostic> {
    reader.cursor.space(true);
    if reader.cursor.eat(",") || reader.cursor.rest().starts_with(')') {
        return Ok(());
    }
    Err(reader.cursor.expected("`,` or `)`"))
}

fn read_value<'t>(reader: &mut Reader<'t>, depth: usize) -> Result<Placed<'t>, Diagnostic> {
    let start = reader.cursor.at;
    let value = match reader.cursor.peek() {
        Some('"') => Value::Text(reader.cursor.string()?),
        Some(c) if c.is_ascii_digit() => Value::Number(reader.cursor.number()?),
        Some('(') if depth < MAX_NESTING => {
            reader.cursor.at += 1;
            let mut values = Vec::new();
            loop {
                reader.cursor.space(true);
                if reader.cursor.eat(")") {
                    break Value::Tuple(values);
                }
                values.push(read_value(reader, depth + 1)?);
                separator(reader)?;
            }
        }
        _ => match reader.cursor.name() {
            "true" => Value::Flag(true),
            "false" => Value::Flag(false),
            "" => return Err(reader.cursor.expected("a string, a number, a name or a list in parentheses")),
            name => Value::Rule(name),
        },
    };
    Ok((value, start..reader.cursor.at))
}
