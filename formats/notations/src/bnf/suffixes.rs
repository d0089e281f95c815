//! Repetition operators, `*`, `+`, `?` and `{2,5}`, and the options of rules.
//!
//! Each method reads the construct at the cursor and moves the cursor behind it, or returns an error located in the text.

use super::cursor::{Cursor, error};
use gcc_grammar_ir::{Code, Diagnostic};
use std::ops::Range;

/// The bounds of a repetition, and where it is written.
pub(super) type Times = (u32, Option<u32>, Range<usize>);

impl Cursor<'_> {
    /// The repetition that comes next, and where it stands.
    pub(super) fn times(&mut self) -> Result<Option<Times>, Diagnostic> {
        let start = self.at;
        let (min, max) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => return self.bounds().map(Some),
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some((min, max, start..self.at)))
    }

    fn bounds(&mut self) -> Result<Times, Diagnostic> {
        let start = self.at;
        self.at += 1;
        self.space(false);
        if self.rest().starts_with(',') {
            return Err(self.expected("the smaller number").help("write {0,n} for at most n times"));
        }
        let min = self.number()?;
        self.space(false);
        let mut max = Some(min);
        if self.eat(",") {
            self.space(false);
            max = if self.rest().starts_with('}') { None } else { Some(self.number()?) };
            self.space(false);
        }
        if !self.eat("}") {
            return Err(self.expected("`}` after the numbers of a repetition"));
        }
        let span = start..self.at;
        if max.is_some_and(|max| max < min) {
            let message = "the second number is less than the first";
            return Err(error(Code::BadRepetition, message, span).help("write the smaller number first"));
        }
        Ok((min, max, span))
    }

    /// Skips `[temperature=0.7]` after the name of a rule: it is about sampling and does not change the language.
    pub(super) fn rule_options(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        if !self.eat("[") {
            return Ok(());
        }
        let rest = self.rest();
        let end = rest.find([']', '\n']).filter(|&end| rest[end..].starts_with(']'));
        let Some(end) = end else { return Err(self.expected("`]` after the options of a rule")) };
        self.at += end + 1;
        let value = rest[..end].trim().strip_prefix("temperature").map(str::trim_start);
        let number = value.and_then(|value| value.strip_prefix('=')).map(|value| value.trim().parse::<f64>());
        if !matches!(number, Some(Ok(number)) if number >= 0.0 && number.is_finite()) {
            let message = "there is no option of this form";
            return Err(error(Code::BadOption, message, start..self.at)
                .help("the option of a rule is [temperature=0.7], which does not change its language"));
        }
        self.space(false);
        Ok(())
    }
}
