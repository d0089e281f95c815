//! The arguments of a macro of XGrammar's notation: strings, numbers, flags, names of rules and tuples of these, by position or by name.
//!
//! [`read`] parses the text from the opening parenthesis to the closing one. The accessors of [`Arguments`] take arguments out, and
//! [`Arguments::finish`] reports the first argument that no accessor has taken.

use super::cursor::{Cursor, error};
use gcc_grammar_ir::{Code, Diagnostic};
use std::ops::Range;

/// The deepest allowed nesting of tuples.
const MAX_NESTING: usize = 10;

/// The value of an argument.
#[derive(Clone, Debug)]
pub(super) enum Value<'t> {
    Text(String),
    Number(u32),
    Flag(bool),
    Rule(&'t str),
    Tuple(Vec<(Value<'t>, Range<usize>)>),
}

/// A value and where it is written.
pub(super) type Placed<'t> = (Value<'t>, Range<usize>);

/// The arguments of a macro.
#[derive(Default)]
pub(super) struct Arguments<'t> {
    positional: Vec<Placed<'t>>,
    named: Vec<(&'t str, Placed<'t>)>,
}

/// An error about a macro or one of its arguments.
pub(super) fn wrong(message: impl Into<String>, span: Range<usize>) -> Diagnostic {
    error(Code::BadMacro, message, span)
}

impl<'t> Arguments<'t> {
    /// Takes all arguments without a name.
    pub(super) fn take_positional(&mut self) -> Vec<Placed<'t>> {
        std::mem::take(&mut self.positional)
    }

    /// Takes the argument with this name, if it is given.
    fn take(&mut self, name: &str) -> Option<Placed<'t>> {
        let index = self.named.iter().position(|(known, _)| *known == name)?;
        Some(self.named.remove(index).1)
    }

    /// Takes the flag with this name.
    pub(super) fn flag(&mut self, name: &str, default: bool) -> Result<bool, Diagnostic> {
        match self.take(name) {
            None => Ok(default),
            Some((Value::Flag(flag), _)) => Ok(flag),
            Some((_, place)) => Err(wrong("this argument must be true or false", place)),
        }
    }

    /// Takes the text with this name, if it is given.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<(String, Range<usize>)>, Diagnostic> {
        match self.take(name) {
            None => Ok(None),
            Some((Value::Text(text), place)) => Ok(Some((text, place))),
            Some((_, place)) => Err(wrong("this argument must be a string", place)),
        }
    }

    /// Takes the tuple with this name; without one, the tuple is empty.
    pub(super) fn tuple(&mut self, name: &str) -> Result<Vec<Placed<'t>>, Diagnostic> {
        match self.take(name) {
            None => Ok(Vec::new()),
            Some((Value::Tuple(values), _)) => Ok(values),
            Some((_, place)) => Err(wrong("this argument must be a list in parentheses", place)),
        }
    }

    /// Reports the first argument that was not taken.
    pub(super) fn finish(self) -> Result<(), Diagnostic> {
        match (self.positional.into_iter().next(), self.named.into_iter().next()) {
            (Some((_, place)), _) => Err(wrong("there are too many arguments", place)),
            (_, Some((name, (_, place)))) => {
                Err(wrong(format!("this macro has no argument `{name}`"), place))
            }
            (None, None) => Ok(()),
        }
    }
}

/// Reads the arguments of a call, from the opening parenthesis at the cursor to the closing one.
pub(super) fn read<'t>(cursor: &mut Cursor<'t>) -> Result<Arguments<'t>, Diagnostic> {
    let mut arguments = Arguments::default();
    cursor.at += 1;
    loop {
        cursor.space(true);
        if cursor.eat(")") {
            return Ok(arguments);
        }
        let (value, place) = read_value(cursor, 0)?;
        cursor.space(true);
        match value {
            Value::Rule(name) if cursor.eat("=") => {
                cursor.space(true);
                let value = read_value(cursor, 0)?;
                arguments.named.push((name, value));
            }
            value => arguments.positional.push((value, place)),
        }
        separator(cursor)?;
    }
}

fn separator(cursor: &mut Cursor<'_>) -> Result<(), Diagnostic> {
    cursor.space(true);
    if cursor.eat(",") || cursor.rest().starts_with(')') {
        return Ok(());
    }
    Err(cursor.expected("`,` or `)`"))
}

fn read_value<'t>(cursor: &mut Cursor<'t>, depth: usize) -> Result<Placed<'t>, Diagnostic> {
    let start = cursor.at;
    let value = match cursor.peek() {
        Some('"') => Value::Text(cursor.string()?),
        Some(c) if c.is_ascii_digit() => Value::Number(cursor.number()?),
        Some('(') if depth < MAX_NESTING => {
            cursor.at += 1;
            let mut values = Vec::new();
            loop {
                cursor.space(true);
                if cursor.eat(")") {
                    break Value::Tuple(values);
                }
                values.push(read_value(cursor, depth + 1)?);
                separator(cursor)?;
            }
        }
        _ => match cursor.name() {
            "true" => Value::Flag(true),
            "false" => Value::Flag(false),
            "" => return Err(cursor.expected("a string, a number, a name or a list in parentheses")),
            name => Value::Rule(name),
        },
    };
    Ok((value, start..cursor.at))
}
