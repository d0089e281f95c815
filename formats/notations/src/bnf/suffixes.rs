//! Repetition operators, `*`, `+`, `?` and `{2,5}`, and the options of rules.
//!
//! Each method reads the construct at the cursor and moves the cursor behind it, or returns an error located in the text.

use super::Dialect;
use super::cursor::{Cursor, error};
use crate::bounds::Bounds;
use crate::scanner::check_times;
use gcc_grammar_ir::{Code, Diagnostic, NonterminalId};
use std::ops::Range;

/// The bounds of a repetition, and where it is written.
pub(super) type Times = (u32, Option<u32>, Range<usize>);

impl Cursor<'_> {
    /// The repetition that comes next, and where it stands.
    pub(super) fn times(&mut self) -> Result<Option<Times>, Diagnostic> {
        let start = self.at;
        if self.peek() == Some('{') {
            return self.bounds().map(Some);
        }
        let Some((min, max)) = self.suffix() else { return Ok(None) };
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
            let is_open = self.rest().starts_with('}') || self.dialect == Dialect::XGrammar && self.eat("-1");
            max = if is_open { None } else { Some(self.number()?) };
            self.space(false);
        }
        if !self.eat("}") {
            return Err(self.expected("`}` after the numbers of a repetition"));
        }
        let span = start..self.at;
        check_times(min, max, span.clone())?;
        Ok((min, max, span))
    }

    /// Reads options such as `[temperature=0.7, capture="x"]` after the name of a rule.
    pub(super) fn rule_options(&mut self) -> Result<RuleOptions, Diagnostic> {
        let start = self.at;
        if !self.eat("[") {
            return Ok(RuleOptions::default());
        }
        let rest = self.rest();
        let end = rest.find([']', '\n']).filter(|&end| rest[end..].starts_with(']'));
        let Some(end) = end else { return Err(self.expected("`]` after the options of a rule")) };
        self.at += end + 1;
        let span = start..self.at;
        let mut options = RuleOptions::default();
        for text in rest[..end].split(',') {
            options.read(text, &span)?;
        }
        self.space(false);
        Ok(options)
    }
}

/// A rule with options that bound its texts, and where the options stand.
pub(super) struct BoundedRule {
    pub(super) id: NonterminalId,
    pub(super) bounds: Bounds,
    pub(super) span: Range<usize>,
}

/// The options of a rule that change its language.
#[derive(Default)]
pub(super) struct RuleOptions {
    pub(super) bounds: Bounds,
}

impl RuleOptions {
    /// Reads one option of the list at `span`.
    fn read(&mut self, text: &str, span: &Range<usize>) -> Result<(), Diagnostic> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim())),
            None => (text.trim(), None),
        };
        let is_number =
            || value.and_then(|value| value.parse::<f64>().ok()).is_some_and(|n| n >= 0.0 && n.is_finite());
        match name {
            // What is captured, and how much is sampled, is no matter of the language.
            name if name == "capture" || name.starts_with("capture_") || name == "stop_capture" => {}
            "temperature" if is_number() => {}
            "max_tokens" if value.is_some_and(|value| value.parse::<u32>().is_ok()) => {
                self.bounds.max_tokens = value.and_then(|value| value.parse().ok());
            }
            "lazy" if value.is_none() => self.bounds.lazy = true,
            "max_chars" if value.is_some_and(|value| value.parse::<u32>().is_ok()) => {
                self.bounds.max_chars = value.and_then(|value| value.parse().ok());
            }
            _ => {
                return Err(error(Code::BadOption, "there is no option of this form", span.clone()).help(
                    "the options of a rule are lazy, max_chars=200, capture, stop_capture, temperature=0.7 and max_tokens=20",
                ));
            }
        }
        Ok(())
    }
}
